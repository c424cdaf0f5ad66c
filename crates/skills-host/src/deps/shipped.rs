//! The skills in the package of one dependency.

use crate::deps::graph::{DEFAULT, Dependency};
use crate::files::relative_path::RelativePath;
use crate::install::candidate::Offered;
use crate::install::host::Host;
use crate::install::source::{Origin, Source};
use crate::install::tree::SourceTree;
use serde::Serialize;
use skills_format::disk::{Folder, Refused, resolve};
use skills_format::{Prose, SkillName, prose};
use skills_store::{Error, ErrorKind};
use std::io;
use std::path::{Path, PathBuf};

/// A skill of a dependency that is not written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NotWritten {
    /// The name of the crate.
    #[serde(rename = "crate")]
    pub krate: String,
    /// The version of the crate.
    pub version: String,
    /// The name of the skill; `None` if the folder of the skills cannot be read.
    pub name: Option<String>,
    /// The folder in the package.
    pub path: String,
    /// The reason.
    pub reason: Prose,
}

/// The skills of a dependency, and those that it may not ship.
pub(crate) struct Shipped<'h> {
    pub(crate) tree: SourceTree<'h>,
    pub(crate) skills: Vec<Offered>,
    pub(crate) not_written: Vec<NotWritten>,
}

impl NotWritten {
    pub(crate) fn new(
        krate: &Dependency,
        name: Option<&str>,
        path: &str,
        reason: impl Into<Prose>,
    ) -> Self {
        Self {
            krate: krate.name.clone(),
            version: krate.version.to_string(),
            name: name.map(str::to_owned),
            path: path.to_owned(),
            reason: reason.into(),
        }
    }
}

/// Lists the skills of a dependency. `None`: it ships none.
pub(crate) fn shipped<'h>(
    krate: &Dependency,
    temporary: &'h PathBuf,
    host: Host<'h>,
) -> Result<Option<Shipped<'h>>, Box<NotWritten>> {
    let unread = |path: &str, error: &Error| {
        let reason = Prose::from(error);
        Box::new(NotWritten::new(krate, None, path, reason))
    };
    let path = match &krate.path {
        None => DEFAULT,
        Some(serde_json::Value::String(path)) => plain(path),
        Some(other) => {
            let reason = "`path` of [package.metadata.skills] is not a string";
            return Err(NotWritten::new(krate, None, &other.to_string(), reason).into());
        }
    };
    let found = skills_folder(&krate.root, path);
    let root = match found {
        // Most crates: they have no such folder, and name none.
        Ok(None) if krate.path.is_none() => return Ok(None),
        Ok(None) => {
            let reason = "[package.metadata.skills] names it, but the package does not contain it";
            return Err(NotWritten::new(krate, None, path, reason).into());
        }
        Ok(Some(root)) => root,
        Err(error) => return Err(unread(path, &error)),
    };
    let mut source = Source::whole(Origin::Folder(root));
    source.path = Some(path.to_owned());
    let read = || -> Result<_, Error> {
        let tree = host.fetcher(temporary).fetch(&source, None)?;
        let folders = tree.skills(source.path.as_deref());
        let offered = Offered::all(&tree, &folders.offered, host.observer)?;
        Ok((tree, offered))
    };
    let (tree, offered) = read().map_err(|error| unread(path, &error))?;
    // A folder `skills` of another kind, such as a module of the program.
    if offered.is_empty() && krate.path.is_none() {
        return Ok(None);
    }
    if offered.is_empty() {
        let reason = "[package.metadata.skills] names it, and it holds no skill";
        return Err(NotWritten::new(krate, None, path, reason).into());
    }
    let mut shipped = Shipped {
        tree,
        skills: Vec::new(),
        not_written: Vec::new(),
    };
    for skill in offered {
        match objection(krate, &skill) {
            None => shipped.skills.push(skill),
            Some(reason) => {
                let name = Some(skill.name.as_str());
                shipped
                    .not_written
                    .push(NotWritten::new(krate, name, &skill.path, reason));
            }
        }
    }
    shipped.without_twins(krate);
    Ok(Some(shipped))
}

impl Shipped<'_> {
    /// Leaves out skills of one name: nothing says which of them is meant.
    fn without_twins(&mut self, krate: &Dependency) {
        let all = std::mem::take(&mut self.skills);
        for same in all.chunk_by(|a, b| a.name == b.name) {
            if let [one] = same {
                self.skills.push(one.clone());
                continue;
            }
            let folders: Vec<&str> = same.iter().map(|twin| &*twin.path).collect();
            let folders = folders.join(", ");
            for twin in same {
                let reason = format!("the crate ships several skills of this name: {folders}");
                let left = NotWritten::new(krate, Some(&twin.name), &twin.path, reason);
                self.not_written.push(left);
            }
        }
    }
}

/// Returns the name of a crate as the beginning of a skill's name. A crate named `My_Crate` may ship `my-crate` and
/// `my-crate-…`: a skill of a dependency then takes no name that a person would expect from elsewhere.
pub(crate) fn skill_prefix(krate: &str) -> String {
    krate.to_lowercase().replace('_', "-")
}

fn may_ship(krate: &str, skill: &str) -> bool {
    let rest = skill.strip_prefix(&skill_prefix(krate));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// Returns the reason why a crate may not ship a skill of this name.
fn objection(krate: &Dependency, skill: &Offered) -> Option<String> {
    if skill.is_internal {
        let reason = "its author keeps it for work on the crate: `metadata.internal` is true";
        return Some(reason.to_owned());
    }
    if may_ship(&krate.name, &skill.name) && SkillName::new(&skill.name).is_ok() {
        return None;
    }
    let prefix = skill_prefix(&krate.name);
    Some(match SkillName::new(&prefix) {
        Ok(_) => format!("a skill of this crate must be named `{prefix}` or `{prefix}-…`"),
        Err(error) => {
            format!("no skill can have the name of the crate, which it must begin with: {error}")
        }
    })
}

/// Returns a path of a manifest without the signs that change nothing: `./skills/` is `skills`.
fn plain(path: &str) -> &str {
    let path = path.strip_prefix("./").unwrap_or(path);
    path.strip_suffix('/').unwrap_or(path)
}

/// Returns the real folder of a package, if the package has the folder of skills `path`. A path that is absolute, leaves
/// the package or goes through a link is refused: the package does not ship the files behind such a path.
///
/// # Errors
///
/// [`ErrorKind::Refused`] for a refused path, [`ErrorKind::NotFound`] for a missing package.
fn skills_folder(package: &Path, path: &str) -> Result<Option<PathBuf>, Error> {
    let path = plain(path);
    let refused = |why: &str| {
        let message = prose!(
            "the folder of skills '{}' is refused: {why}",
            path.escape_debug()
        );
        Err(Error::new(ErrorKind::Refused, message).help(
            "write a path from the package's folder downwards, such as `skills`, without links",
        ))
    };
    if let Err(why) = RelativePath::portable(path.as_bytes()) {
        return refused(&format!("it is not a folder inside of the package: {why}"));
    }
    let missing = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => {
            let message = prose!("the source of the crate is missing: {}", package);
            Error::new(ErrorKind::NotFound, message).help("run `cargo fetch`, then try again")
        }
        _ => Error::io(package, "cannot be read", error),
    };
    let real = resolve(package).map_err(missing)?;
    let root = Folder::open(&real).map_err(missing)?;
    match root.folder_below(Path::new(path)) {
        Ok(_) => Ok(Some(real)),
        Err(Refused::Io(error)) => match error.kind() {
            // A file of this name: a package may have that for another use.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(None),
            _ => Err(Error::io(&real.join(path), "cannot be read", error)),
        },
        Err(_) => refused("a link is in the path"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_crates_and_skills() {
        for (krate, skill, may) in [
            ("serde", "serde", true),
            ("serde", "serde-derive", true),
            ("serde", "serde2", false),
            ("serde", "deploy", false),
            ("serde_json", "serde-json-usage", true),
            ("Inflector", "inflector", true),
            ("serde_json", "serde", false),
            ("größe", "grosse", false),
            ("a__b", "a-b", false),
        ] {
            assert_eq!(may_ship(krate, skill), may, "{krate} {skill}");
        }
    }
}
