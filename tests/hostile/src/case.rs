//! The folder of an attack: a project, a home folder, and files outside of both.

use crate::attack::Outcome;
use crate::memory::memory;
use crate::process::Ran;
use crate::program;
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// A temporary folder with `project/`, the working folder of the program, and `home/`.
pub(crate) struct Case {
    folder: tempfile::TempDir,
}

impl Case {
    pub(crate) fn new() -> Outcome<Self> {
        // In memory if possible: on a disk most of the time would be spent on `fsync`.
        let mut folder = tempfile::Builder::new();
        let folder = match memory() {
            Some(memory) => folder.prefix("hostile-").tempdir_in(memory)?,
            None => folder.prefix("hostile-").tempdir()?,
        };
        let case = Self { folder };
        case.clear()?;
        Ok(case)
    }

    /// Removes every file, and makes the empty folders again.
    pub(crate) fn clear(&self) -> Outcome {
        for entry in fs::read_dir(self.folder.path())? {
            fs::remove_dir_all(entry?.path())?;
        }
        for name in ["project", "home"] {
            fs::create_dir(self.path(name))?;
        }
        Ok(())
    }

    /// Returns a path in the case's folder.
    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file with a fixed modification time.
    pub(crate) fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Outcome {
        let path = self.path(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, bytes)?;
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000);
        File::options()
            .append(true)
            .open(&path)?
            .set_modified(time)?;
        Ok(())
    }

    /// Writes a skill with a description; `front` contains further lines of its front matter.
    pub(crate) fn skill(&self, folder: &str, front: &str, body: &str) -> Outcome {
        let name = folder.rsplit('/').next().unwrap_or(folder);
        self.write(format!("{folder}/SKILL.md"), text(name, front, body))
    }

    /// Makes a command of the program in the folder, with a minimal environment.
    pub(crate) fn command(&self) -> Outcome<Command> {
        Ok(self.command_of(program::file()?))
    }

    /// Makes a command of another program, with the same folder and environment.
    pub(crate) fn command_of(&self, file: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(file);
        command
            .env_clear()
            .envs(program::variables())
            .env("HOME", self.path("home"))
            .current_dir(self.path("project"));
        command
    }

    /// Runs the program with arguments.
    pub(crate) fn run(&self, arguments: &[&str]) -> Outcome<Ran> {
        Ran::of(self.command()?.args(arguments))
    }

    /// Runs the program, which must end with exit code 0. Returns its standard output as JSON.
    pub(crate) fn json(&self, arguments: &[&str]) -> Outcome<Value> {
        let ran = self.run(&[arguments, &["--format", "json"]].concat())?;
        ran.expect(0)?;
        Ok(serde_json::from_str(&ran.stdout)?)
    }

    /// Trusts a skill, like a user who has looked at it.
    pub(crate) fn trust(&self, id: &str) -> Outcome {
        self.run(&trusting(id))?.expect(0)
    }

    /// Returns whether `list` shows a skill as trusted.
    pub(crate) fn is_trusted(&self, id: &str) -> Outcome<bool> {
        let list = self.json(&["list"])?;
        let mut skills = list["skills"].as_array().into_iter().flatten();
        let skill = skills.find(|skill| skill["id"] == id || skill["name"] == id);
        let skill = skill.ok_or_else(|| format!("`list` does not show {id}"))?;
        Ok(skill["trusted"] == true)
    }
}

/// Returns the arguments that trust a skill without a terminal.
pub(crate) fn trusting(id: &str) -> [&str; 3] {
    ["trust", id, "--yes"]
}

/// Returns the text of a skill.
pub(crate) fn text(name: &str, front: &str, body: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: Does {name}. Use when asked for {name}.\n{front}---\n{body}\n"
    )
}
