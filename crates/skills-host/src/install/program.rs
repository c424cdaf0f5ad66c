//! A program that carries skills.

use skills_repository::Provenance;
use skills_runtime::bundle::BundledFile;
use skills_runtime::{Bundle, SkillRef};
use skills_store::files::relative_path::RelativePath;
use skills_store::files::snapshot::{FileBytes, Snapshot};
use skills_store::{Error, ErrorKind};

/// A program that carries skills.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
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

    pub(crate) fn provenance(&self) -> Provenance {
        Provenance::new(format!("program {} {}", self.name, self.version))
    }
}

/// Returns the files of a program's skill.
pub fn bundled_snapshot(skill: SkillRef) -> Result<Snapshot, Error> {
    let file = |file: BundledFile| {
        // A bundle does not record which files are executable: a script with a `#!` line becomes executable.
        let executable = file.bytes.starts_with(b"#!");
        let bytes = FileBytes::new(file.bytes.to_vec(), executable);
        let path = RelativePath::new(file.path).map_err(|refused| {
            let message = format!("{refused}, in the skill {} of the program", skill.name());
            Error::new(ErrorKind::Refused, message).help("report it to the program's authors")
        })?;
        Ok((path, bytes))
    };
    let files: Result<Vec<_>, Error> = skill.files().map(file).collect();
    Ok(Snapshot::of(files?).counted())
}
