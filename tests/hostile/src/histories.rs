//! Repositories of skills whose history, messages or ignore files mean harm.

use crate::attack::Outcome;
use crate::case::Case;
use crate::process::Ran;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

attacks![
    no_reference_takes_a_printed_id,
    wide_folders_take_linear_time,
    a_long_message_takes_no_memory,
    an_ignore_file_that_is_a_pipe,
    an_ignore_file_of_the_configuration_that_is_a_pipe,
];

/// `rollback` takes an id that `history` prints as that commit, whatever tags and branches are named.
fn no_reference_takes_a_printed_id() -> Outcome {
    let world = World::new()?;
    world.version("Good.")?;
    world.version("Later.")?;
    world.version("Latest.")?;
    let evil = world.commit(&world.tree_of("Evil.")?, None, b"evil")?;
    let good = world.git(&["rev-parse", "--short=12", "HEAD~2"])?;
    for name in ["tag", "branch"] {
        world.git(&[name, &good, &evil])?;
        let ran = world
            .case
            .run(&["rollback", "lint", &good, "--to", "../skills"])?;
        ran.expect(0)?;
        let text = fs::read_to_string(world.skills().join("lint/SKILL.md"))?;
        ensure!(text.contains("Good."), "{name}: {text}");
        world
            .git(&[name, "-d", &good])
            .or_else(|_| world.git(&[name, "-D", &good]))?;
        world.version("Latest.")?;
    }
    Ok(())
}

/// The time of `history` and `rollback` is not that of commits times skills, and their memory is bounded.
fn wide_folders_take_linear_time() -> Outcome {
    let world = World::new()?;
    let skill = world.skill_tree("Lint.")?;
    let wide = |letter: char| {
        let names: Vec<String> = (0..20_000).map(|n| format!("{letter}{n:05}")).collect();
        let entries: Vec<(&str, &str, &str)> = names
            .iter()
            .map(|name| ("40000", &**name, &*skill))
            .collect();
        world.tree(&entries)
    };
    let trees = [wide('a')?, wide('b')?];
    let mut parent: Option<String> = None;
    for tree in trees.iter().cycle().take(200) {
        parent = Some(world.commit(tree, parent.as_deref(), b"m")?);
    }
    world.git(&["update-ref", "HEAD", &parent.unwrap_or_default()])?;
    world.case.skill("skills/a00001", "", "Lint.")?;
    for command in [
        &["history", "a00001", "--to", "../skills"][..],
        &["history", "--to", "../skills", "--format", "json"],
        &["rollback", "a00001", "--to", "../skills"],
    ] {
        let ran = world.case.run(command)?;
        ran.expect_any_code()?;
        ensure!(
            ran.computing < Duration::from_secs(8) && ran.peak < 512 << 20,
            "{command:?}: {:?}, {} MiB: {}",
            ran.computing,
            ran.peak >> 20,
            ran.shown()
        );
        // What is left out is reported.
        let is_cut = ran.stderr.contains("warning");
        ensure!(is_cut || command.len() != 5, "{}", ran.stderr);
    }
    Ok(())
}

/// The message of a commit, of any length, takes bounded memory.
fn a_long_message_takes_no_memory() -> Outcome {
    let world = World::new()?;
    world.version("One.")?;
    // Of another length: git takes a file of the same length and time for unchanged.
    world.version("Second.")?;
    let long = [b"m\n\n".to_vec(), vec![b'\xff'; 100 << 20]].concat();
    let parent = world.git(&["rev-parse", "HEAD"])?;
    let tree = world.tree_of("Three.")?;
    let head = world.commit(&tree, Some(&parent), &long)?;
    world.git(&["reset", "-q", "--hard", &head])?;
    for command in [
        &["history", "lint", "--to", "../skills"][..],
        &["rollback", "lint", "--to", "../skills"],
    ] {
        let ran = world.case.run(command)?;
        ran.expect(0)?;
        ensure!(
            ran.peak < 64 << 20 && ran.stdout.len() < 1 << 16,
            "{command:?}: {} MiB",
            ran.peak >> 20
        );
    }
    let text = fs::read_to_string(world.skills().join("lint/SKILL.md"))?;
    ensure!(text.contains("Second."), "{text}");
    Ok(())
}

/// A `.gitignore` that is a pipe is not waited for, and that it is not used is reported.
fn an_ignore_file_that_is_a_pipe() -> Outcome {
    for place in [".gitignore", "lint/.gitignore", "lint/deep/.gitignore"] {
        let world = World::new()?;
        world.version("One.")?;
        world.version("Two.")?;
        world.case.write("skills/lint/deep/file.md", "A file.\n")?;
        world.pipe(&format!("skills/{place}"))?;
        if place == ".gitignore" {
            does_not_wait(&world)?;
        } else {
            // A skill with a pipe is refused before its history is asked.
            for command in [
                &["rollback", "lint", "--to", "../skills"][..],
                &["uninstall", "lint", "--force", "--to", "../skills", "--yes"],
            ] {
                world.case.run(command)?.expect_any_code()?;
            }
        }
    }
    Ok(())
}

/// The same for the file that the configuration of the repository names.
fn an_ignore_file_of_the_configuration_that_is_a_pipe() -> Outcome {
    let world = World::new()?;
    world.version("One.")?;
    world.version("Two.")?;
    world.pipe("pipe")?;
    let pipe = world.case.path("pipe").to_string_lossy().into_owned();
    world.git(&["config", "core.excludesFile", &pipe])?;
    does_not_wait(&world)
}

fn does_not_wait(world: &World) -> Outcome {
    let told = world.case.run(&["rollback", "lint", "--to", "../skills"])?;
    told.expect_any_code()?;
    ensure!(
        told.code != Some(0) && told.printed().contains("is not a file"),
        "{}",
        told.shown()
    );
    world.case.skill("src/lint", "", "New.")?;
    for command in [
        &[
            "install",
            "../src",
            "lint",
            "--force",
            "--to",
            "../skills",
            "--yes",
        ][..],
        &["uninstall", "lint", "--to", "../skills", "--yes"],
    ] {
        let ran = world.case.run(command)?;
        ran.expect(0)?;
        ensure!(
            ran.stderr.contains("is not a file") && ran.stderr.contains("not committed"),
            "{command:?}: {}",
            ran.shown()
        );
    }
    Ok(())
}

/// A folder of skills with a repository.
struct World {
    case: Case,
}

impl World {
    fn new() -> Outcome<Self> {
        let world = Self { case: Case::new()? };
        fs::create_dir(world.skills())?;
        world.git(&["init", "-q", "-b", "main"])?;
        Ok(world)
    }

    fn skills(&self) -> PathBuf {
        self.case.path("skills")
    }

    fn git(&self, arguments: &[&str]) -> Outcome<String> {
        self.git_with(arguments, b"")
    }

    fn git_with(&self, arguments: &[&str], input: &[u8]) -> Outcome<String> {
        let file = self.case.path("input");
        fs::write(&file, input)?;
        let mut git = self.case.command_of("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b.example"]);
        git.args(arguments).current_dir(self.skills());
        let output = git.stdin(fs::File::open(&file)?).output()?;
        ensure!(output.status.success(), "{arguments:?}: {output:?}");
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Commits a version of the skill.
    fn version(&self, body: &str) -> Outcome {
        self.case.skill("skills/lint", "", body)?;
        self.git(&["add", "-A"])?;
        self.git(&["commit", "-q", "--allow-empty", "-m", body])?;
        Ok(())
    }

    fn tree(&self, entries: &[(&str, &str, &str)]) -> Outcome<String> {
        let mut bytes = Vec::new();
        for (mode, name, id) in entries {
            bytes.extend(format!("{mode} {name}\0").into_bytes());
            for two in id.as_bytes().chunks(2) {
                bytes.push(u8::from_str_radix(std::str::from_utf8(two)?, 16)?);
            }
        }
        let literally = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
        self.git_with(&literally, &bytes)
    }

    /// The tree of a skill.
    fn skill_tree(&self, body: &str) -> Outcome<String> {
        let text = crate::case::text("lint", "", body);
        let blob = self.git_with(&["hash-object", "-w", "--stdin"], text.as_bytes())?;
        self.tree(&[("100644", "SKILL.md", &blob)])
    }

    /// The tree of a folder of one skill.
    fn tree_of(&self, body: &str) -> Outcome<String> {
        let skill = self.skill_tree(body)?;
        self.tree(&[("40000", "lint", &skill)])
    }

    fn commit(&self, tree: &str, parent: Option<&str>, message: &[u8]) -> Outcome<String> {
        let parent = parent.map(|parent| format!("parent {parent}\n"));
        let parent = parent.unwrap_or_default();
        let person = "a <a@b.example> 1 +0000";
        let head = format!("tree {tree}\n{parent}author {person}\ncommitter {person}\n\n");
        let literally = [
            "hash-object",
            "-t",
            "commit",
            "-w",
            "--literally",
            "--stdin",
        ];
        self.git_with(&literally, &[head.as_bytes(), message].concat())
    }

    fn pipe(&self, path: &str) -> Outcome {
        let mut mkfifo = self.case.command_of("mkfifo");
        Ran::of(mkfifo.arg(self.case.path(path)))?.expect(0)
    }
}
