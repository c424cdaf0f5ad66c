//! Repositories whose configuration names programs, during installs, updates and repairs.

use crate::attack::{Outcome, skipped};
use crate::case::{Case, text};
use crate::git_keys::{REVIEWED, RUNS};
use crate::process::Ran;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

attacks![
    no_key_of_a_repository_runs_a_program,
    no_included_file_runs_a_program,
    every_key_is_reviewed,
];

/// Possible paths of git. `SKILLS_TEST_GIT` names another.
const PROGRAMS: &[&str] = &["/usr/bin/git", "/usr/local/bin/git"];

/// A project with skills, a source of skills, and programs that record that they ran.
struct World {
    case: Case,
    /// The folder whose repository the attacker wrote.
    root: &'static str,
}

const SKILLS: &str = "project/.agents/skills";

/// The way in which the keys get into the configuration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Planting {
    Config,
    Include,
}

/// No program but git runs when the folder of skills is a repository that names programs in its configuration,
/// its attributes and its hooks.
fn no_key_of_a_repository_runs_a_program() -> Outcome {
    with_each_git(|git| World::new(git, SKILLS)?.attack(Planting::Config))
}

/// No program but git runs for keys in a file that the configuration includes.
fn no_included_file_runs_a_program() -> Outcome {
    with_each_git(|git| World::new(git, SKILLS)?.attack(Planting::Include))
}

/// Runs an attack with every git of this machine.
fn with_each_git(attack: impl Fn(&Path) -> Outcome) -> Outcome {
    let further = std::env::var_os("SKILLS_TEST_GIT").map(PathBuf::from);
    let there: Vec<PathBuf> = PROGRAMS
        .iter()
        .map(PathBuf::from)
        .filter(|git| git.exists())
        .chain(further)
        .collect();
    if there.is_empty() {
        return skipped("there is no git in /usr/bin or /usr/local/bin");
    }
    for git in there {
        attack(&git).map_err(|error| format!("{}: {error}", git.display()))?;
    }
    Ok(())
}

impl World {
    fn new(git: &Path, root: &'static str) -> Outcome<Self> {
        let case = Case::new()?;
        fs::create_dir(case.path("bin"))?;
        symlink(git, case.path("bin/git"))?;
        case.write("home/.gitconfig", "[user]\nname = a\nemail = a@b.example\n")?;
        let world = Self { case, root };
        for name in ["a", "b", "c"] {
            world.case.skill(&format!("source/{name}"), "", "One.")?;
        }
        for folder in ["source", "project", SKILLS] {
            let is_source = folder == "source";
            if is_source || folder == "project" || folder == root {
                world
                    .case
                    .write(format!("{folder}/.gitignore"), "*.log\n")?;
                world.git(folder, &["init", "-q", "-b", "main"])?;
                world.commit(folder)?;
            }
        }
        world.case.write(
            "repair.sh",
            "cat > /dev/null\nsed -i s/One/Two/ SKILL.md\necho 'changed: a word'\n",
        )?;
        let trace = r#"{"skills": ["b"], "steps": [{"tool": "x", "error": "No such tool"}]}"#;
        world.case.write("trace.json", trace)?;
        world.case.skill(&format!("{SKILLS}/mine"), "", "Mine.")?;
        world.install(&["a", "b"])?.expect(0)?;
        world.run(&["trust", "b", "--yes"])?.expect(0)?;
        world.commit(root)?;
        Ok(world)
    }

    fn commit(&self, folder: &str) -> Outcome {
        self.git(folder, &["add", "-A", "-f", "."])?;
        self.git(folder, &["commit", "-q", "-m", "mine", "--allow-empty"])
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Outcome<Command> {
        let mut command = self.case.command_of(program);
        let path = std::env::var("PATH")?;
        command.env(
            "PATH",
            format!("{}:{path}", self.case.path("bin").display()),
        );
        Ok(command)
    }

    fn git(&self, folder: &str, arguments: &[&str]) -> Outcome {
        let mut command = self.command(self.case.path("bin/git"))?;
        Ran::of(command.current_dir(self.case.path(folder)).args(arguments))?.expect(0)
    }

    fn run(&self, arguments: &[&str]) -> Outcome<Ran> {
        Ran::of(self.command(crate::program::file()?)?.args(arguments))
    }

    fn install(&self, more: &[&str]) -> Outcome<Ran> {
        let url = format!("file://{}", self.case.path("source").display());
        let arguments = [&["install", &url], more, &["--to", "project", "--yes"]].concat();
        self.run(&arguments)
    }

    /// Plants every key that can run a program, then uses skills like a user.
    fn attack(&self, planting: Planting) -> Outcome {
        self.plant(self.root, planting)?;
        // Also in the repository from which skills are fetched.
        self.plant("source", planting)?;
        self.the_traps_work()?;
        for (what, deed) in DEEDS {
            self.age_the_index()?;
            deed(self).map_err(|error| format!("{what}: {error}"))?;
            let ran = self.ran()?;
            ensure!(ran.is_empty(), "{what} ran {ran:?}");
        }
        Ok(())
    }

    /// Makes a script that records that it ran.
    fn trap(&self, name: &str) -> Outcome<PathBuf> {
        let path = self.case.path("traps").join(name);
        let ran = self.case.path("ran");
        fs::create_dir_all(&ran)?;
        let script = format!("#!/bin/sh\n: > '{}/{name}'\nexit 1\n", ran.display());
        self.case.write(&path, script)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        Ok(path)
    }

    fn plant(&self, folder: &str, planting: Planting) -> Outcome {
        let git = self.case.path(folder).join(".git");
        let mut config = String::new();
        for (key, value) in RUNS {
            let key = key.replace("<name>", "evil");
            let trap = self.trap(&key.replace(|c: char| !c.is_ascii_alphanumeric(), "-"))?;
            let key = key.replace("TRAP", &trap.to_string_lossy());
            let value = value.replace("TRAP", &trap.to_string_lossy());
            config += &line(&key, &value).ok_or_else(|| format!("{key} is no key"))?;
        }
        for hook in HOOKS {
            let trap = self.trap(&format!("hook-{hook}"))?;
            let hook = git.join("hooks").join(hook);
            self.case.write(&hook, fs::read(&trap)?)?;
            fs::set_permissions(&hook, fs::Permissions::from_mode(0o755))?;
        }
        // A hook of the configuration has one name and any number of events.
        for event in HOOKS {
            for name in ["hook.evil.event", "hook.Other Evil.event"] {
                config += &line(name, event).ok_or("no key")?;
            }
        }
        let other = self.trap("hook-other")?;
        config += &line("hook.Other Evil.command", &other.to_string_lossy()).ok_or("no key")?;
        config += &line("hook.Other Evil.enabled", "true").ok_or("no key")?;
        let hooks = line("core.hooksPath", &git.join("hooks").to_string_lossy());
        config += &hooks.unwrap_or_default();
        let path = match planting {
            Planting::Config => git.join("config"),
            Planting::Include => {
                let include = line("include.path", "included").unwrap_or_default();
                append(&git.join("config"), &include)?;
                git.join("included")
            }
        };
        append(&path, &config)?;
        let attributes = "* filter=evil diff=evil merge=evil\n*.lock filter=long\n";
        self.case.write(git.join("info/attributes"), attributes)?;
        self.case
            .write(Path::new(folder).join(".gitattributes"), attributes)
    }

    /// Checks that the keys do run programs when a user calls git in the folder.
    fn the_traps_work(&self) -> Outcome {
        self.age_the_index()?;
        for arguments in [
            &["status", "--short"][..],
            &["hook", "run", "pre-commit"],
            &["log", "-p", "-1", "--ext-diff"],
            &["commit", "--allow-empty", "-m", "x"],
            &["fetch", "evil"],
        ] {
            // Most of these calls fail, since the traps do.
            let mut command = self.command(self.case.path("bin/git"))?;
            Ran::of(
                command
                    .current_dir(self.case.path(self.root))
                    .args(arguments),
            )?;
        }
        let ran = self.ran()?;
        for trap in [
            "core-fsmonitor",
            "filter-evil-clean",
            "filter-long-process",
            "hook-pre-commit",
        ] {
            ensure!(ran.contains(trap), "{trap} is no trap: {ran:?}");
        }
        let keys = Ran::of(
            self.command(self.case.path("bin/git"))?
                .args(["help", "--config"]),
        )?;
        if keys.stdout.contains("hook.<") {
            let both = ["hook-evil-command", "hook-other"];
            ensure!(both.iter().all(|trap| ran.contains(*trap)), "{ran:?}");
        }
        fs::remove_dir_all(self.case.path("ran"))?;
        fs::create_dir(self.case.path("ran"))?;
        Ok(())
    }

    /// Makes git compare every entry of the index by content when it writes the index.
    fn age_the_index(&self) -> Outcome {
        let index = self.case.path(self.root).join(".git/index");
        let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        Ok(File::options()
            .append(true)
            .open(index)?
            .set_modified(old)?)
    }

    /// Returns the traps that ran.
    fn ran(&self) -> Outcome<BTreeSet<String>> {
        let mut ran = BTreeSet::new();
        for entry in fs::read_dir(self.case.path("ran"))? {
            ran.insert(entry?.file_name().to_string_lossy().into_owned());
        }
        Ok(ran)
    }

    fn edit(&self, folder: &str, name: &str, body: &str) -> Outcome {
        self.case
            .write(format!("{folder}/{name}/SKILL.md"), text(name, "", body))
    }
}

type Deed = (&'static str, fn(&World) -> Outcome);

/// The actions of a user, in order.
const DEEDS: &[Deed] = &[
    ("install", |world| world.install(&["c"])?.expect(0)),
    ("install --force", |world| {
        world.edit(SKILLS, "a", "By hand.")?;
        world.install(&["a", "--force"])?.expect(0)
    }),
    ("update", |world| {
        world.edit("source", "a", "Upstream.")?;
        // The traps in the source are meant for the program, not for the author.
        let source = world.case.path("source");
        let config = fs::read(source.join(".git/config"))?;
        fs::remove_file(source.join(".git/config"))?;
        world.git("source", &["init", "-q"])?;
        world.git("source", &["config", "core.hooksPath", "/dev/null"])?;
        world.commit("source")?;
        fs::write(source.join(".git/config"), config)?;
        fs::remove_dir_all(world.case.path("ran"))?;
        fs::create_dir(world.case.path("ran"))?;
        world
            .run(&["update", "--to", "project", "--yes", "--allow", "local"])?
            .expect(0)
    }),
    ("outdated", |world| {
        world
            .run(&["outdated", "--to", "project"])?
            .expect_any(&[0, 1])
    }),
    ("improve", |world| {
        let agent = format!("sh {}", world.case.path("repair.sh").display());
        let trace = world.case.path("trace.json");
        let trace = trace.to_string_lossy();
        let arguments = ["improve", "b", "--trace", &trace, "--agent", &agent];
        world.run(&arguments)?.expect(0)
    }),
    ("improve --approve", |world| {
        let list = world.run(&["improve", "--format", "json"])?;
        list.expect(0)?;
        let list: serde_json::Value = serde_json::from_str(&list.stdout)?;
        let id = list["proposals"][0]["id"].as_str().ok_or("no proposal")?;
        world.run(&["improve", "--approve", id])?.expect(0)
    }),
    ("uninstall", |world| {
        world.run(&["uninstall", "c", "--to", "project"])?.expect(0)
    }),
    ("restore", |world| {
        world.run(&["restore", "c", "--to", "project"])?.expect(0)
    }),
    ("install over ssh", |world| {
        // The user's own program is allowed, and replaces a network.
        let trap = world.trap("of-the-person")?;
        let ssh = format!("[core]\nsshCommand = {}\n", trap.display());
        append(&world.case.path("home/.gitconfig"), &ssh)?;
        let to = ["--to", "project", "--yes"];
        let arguments = [&["install", "ssh://host.invalid/x.git", "a"], &to[..]].concat();
        world.run(&arguments)?.expect_any(&[1, 2])?;
        let ran = world.case.path("ran/of-the-person");
        ensure!(ran.exists(), "the person's own command did not run");
        Ok(fs::remove_file(ran)?)
    }),
];

const HOOKS: &[&str] = &[
    "applypatch-msg",
    "commit-msg",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-update",
    "pre-auto-gc",
    "pre-commit",
    "prepare-commit-msg",
    "reference-transaction",
    "update",
];

/// Renders a key and its value as lines of a configuration file.
fn line(key: &str, value: &str) -> Option<String> {
    let (section, name) = key.rsplit_once('.')?;
    let section = match section.split_once('.') {
        Some((section, sub)) => format!("{section} \"{sub}\""),
        None => section.to_owned(),
    };
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    Some(format!("[{section}]\n\t{name} = \"{value}\"\n"))
}

fn append(path: &Path, text: &str) -> Outcome {
    let old = fs::read_to_string(path).unwrap_or_default();
    Ok(fs::write(path, old + text)?)
}

/// Each key that this machine's git knows was reviewed: it runs no program, or it is planted.
fn every_key_is_reviewed() -> Outcome {
    let known: BTreeSet<String> = RUNS
        .iter()
        .map(|(key, _)| key.to_ascii_lowercase())
        .chain(REVIEWED.lines().map(str::to_ascii_lowercase))
        .collect();
    with_each_git(|git| {
        let ran = Ran::of(Command::new(git).args(["help", "--config"]))?;
        let keys = ran
            .stdout
            .lines()
            .filter(|line| line.contains('.') && !line.contains(' '));
        let new: Vec<&str> = keys.filter(|key| !known.contains(&generic(key))).collect();
        ensure!(
            new.is_empty(),
            "new keys of git; read in `git help config` whether they run a program: then they belong in RUNS of \
             tests/hostile/src/git_keys.rs, else in git_keys.txt: {new:?}"
        );
        Ok(())
    })
}

/// Replaces the part between a key's section and its last part by `<name>`.
fn generic(key: &str) -> String {
    let key = key.to_ascii_lowercase();
    match (key.find('<'), key.rfind('>')) {
        (Some(start), Some(end)) if !key.starts_with("bitmappseudomerge") => {
            let head = key.get(..start).unwrap_or_default();
            let tail = key.get(end + 1..).unwrap_or_default();
            format!("{head}<name>{tail}")
        }
        _ => key,
    }
}
