//! Repositories of skills whose history means harm.

use crate::attack::Outcome;
use crate::case::Case;
use std::fs;
use std::path::PathBuf;

attacks![no_reference_takes_a_printed_id,];

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
        let ran = world.case.run(&["improve", "rollback", "lint", &good])?;
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

/// A folder of skills with a repository.
struct World {
    case: Case,
}

impl World {
    fn new() -> Outcome<Self> {
        let world = Self { case: Case::new()? };
        fs::create_dir_all(world.skills())?;
        world.git(&["init", "-q", "-b", "main"])?;
        Ok(world)
    }

    fn skills(&self) -> PathBuf {
        self.case.path("home/.agents/skills")
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
        self.case.skill("home/.agents/skills/lint", "", body)?;
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
}
