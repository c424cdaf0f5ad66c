//! A program that carries skills.

use crate::files::relative_path::RelativePath;
use crate::files::snapshot::{FileBytes, Snapshot};
use skills_runtime::{Bundle, Skill};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeMap;

/// A program that carries skills.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The name, without white space.
    pub name: &'static str,
    /// The version.
    pub version: &'static str,
    /// The skills.
    pub skills: &'static Bundle,
}

impl Program {
    /// Creates a program from its name, its version and its skills.
    pub const fn new(name: &'static str, version: &'static str, skills: &'static Bundle) -> Self {
        Self {
            name,
            version,
            skills,
        }
    }

    /// Returns the name and the version, as a lock has them.
    pub(crate) fn source(&self) -> String {
        format!("program {} {}", self.name, self.version)
    }

    /// Returns the files of all skills, by path.
    pub(crate) fn files(&self) -> Result<BTreeMap<Vec<u8>, FileBytes>, Error> {
        let mut files = BTreeMap::new();
        for skill in self.skills {
            for (path, file) in bundled_snapshot(skill)?.files() {
                let path = format!("{}/{path}", skill.name());
                files.insert(path.into_bytes(), file.clone());
            }
        }
        Ok(files)
    }
}

/// Returns the files of a program's skill.
pub fn bundled_snapshot(skill: Skill<'_>) -> Result<Snapshot, Error> {
    let refused = |why: &dyn std::fmt::Display| {
        let message = format!("{why}, in the skill {} of the program", skill.name());
        Error::new(ErrorKind::Refused, message).help("report it to the program's authors")
    };
    let mut files = Vec::new();
    for file in skill.files().map_err(|error| refused(&error))? {
        let bytes = skill.read(&file.path).map_err(|error| refused(&error))?;
        // A bundle does not record which files are executable: a script with a `#!` line becomes executable.
        let executable = bytes.starts_with(b"#!");
        let path = RelativePath::new(&*file.path).map_err(|error| refused(&error))?;
        files.push((path, FileBytes::new(bytes.into_owned(), executable)));
    }
    Ok(Snapshot::of(files).counted())
}
