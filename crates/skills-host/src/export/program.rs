//! A program that carries skills.

use skills_compiler::{Locked, Provenance};
use skills_runtime::bundle::BundledFile;
use skills_runtime::{Bundle, SkillRef};
use skills_store::files::relative_path::RelativePath;
use skills_store::files::snapshot::{FileBytes, Snapshot};
use skills_store::{Error, ErrorKind};

/// A program that carries skills.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Program {
    /// Its name, without white space.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Its skills.
    pub skills: &'static Bundle,
}

impl Program {
    /// A program that carries skills.
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

    /// Whether an entry of a lock is of this program, of whatever version.
    pub(crate) fn owns(&self, locked: &Locked) -> bool {
        let from = locked.provenance.as_ref();
        let source = from.and_then(|from| from.source.strip_prefix("program "));
        source.and_then(|source| source.split(' ').next()) == Some(self.name)
    }
}

/// The error for a name that a program does not have.
pub(crate) fn no_such(program: &Program, name: &str) -> Error {
    let asked = name.escape_debug();
    let message = format!("the program {} has no skill '{asked}'", program.name);
    let names: Vec<&str> = program.skills.iter().map(SkillRef::name).collect();
    Error::new(ErrorKind::NotFound, message)
        .help(format_args!("it has {}", names.join(", ")))
        .did_you_mean(name, names)
}

/// A skill by its name; not by an alias, which is no folder.
pub(crate) fn by_name(program: &Program, name: &str) -> Option<SkillRef> {
    program.skills.iter().find(|skill| skill.name() == name)
}

/// The files of a skill of a program.
pub(crate) fn snapshot(skill: SkillRef) -> Result<Snapshot, Error> {
    let file = |file: BundledFile| {
        // A bundle holds no run bits: a script that says who runs it is given one.
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
