//! The skills in the package of one dependency.

use crate::deps::graph::Dependency;
use crate::files::copy::is_absent;
use crate::files::relative_path::RelativePath;
use crate::install::candidate::Offered;
use crate::install::fetch::Host;
use crate::install::source::{Origin, Source};
use crate::install::tree::SourceTree;
use serde::Serialize;
use skills_format::disk::resolve;
use skills_format::{Prose, SkillName, prose};
use skills_store::{Error, ErrorKind};
use std::io;

/// A skill of a dependency that is not written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

/// The skills of a dependency.
pub(crate) struct Shipped<'h> {
    pub(crate) tree: SourceTree<'h>,
    pub(crate) skills: Vec<Offered>,
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

/// Lists the skills of a dependency. `None`: it ships none. Skills that it may not ship are not written.
///
/// # Errors
///
/// If the folder of the skills cannot be read, leaves the package, or is named and contains no skills.
pub(crate) fn shipped<'h>(
    krate: &Dependency,
    not_written: &mut Vec<NotWritten>,
    host: Host<'h>,
) -> Result<Option<Shipped<'h>>, Error> {
    let path = krate.folder();
    // Only a path downwards is one of the package, which ships no other files.
    RelativePath::portable(path.as_bytes()).map_err(|why| {
        let message = format!("it is not a folder inside of the package: {why}");
        Error::new(ErrorKind::Refused, message)
    })?;
    let root = resolve(&krate.root).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let message = prose!("the source of the crate is missing: {}", &krate.root);
            Error::new(ErrorKind::NotFound, message)
        }
        _ => Error::io(&krate.root, "cannot be read", error),
    })?;
    let folder = root.join(path);
    let is_folder = match resolve(&folder) {
        Ok(real) if real != folder => {
            let message =
                "it is a link, or below one, and the package does not ship what is behind it";
            return Err(Error::new(ErrorKind::Refused, message));
        }
        Ok(real) => real.is_dir(),
        Err(error) if is_absent(&error) => false,
        Err(error) => return Err(Error::io(&folder, "cannot be read", error)),
    };
    let mut source = Source::whole(Origin::Folder(root));
    source.path = Some(path.to_owned());
    // A file of this name: a package may have that for another use.
    let tree = is_folder.then(|| host.fetch(&source, None)).transpose()?;
    let with_skills = tree.map(|tree| {
        let offered = tree.skills(Some(path)).offered;
        (tree, offered)
    });
    let with_skills = with_skills.filter(|(_, offered)| !offered.is_empty());
    let Some((tree, offered)) = with_skills else {
        // A folder `skills` of another kind, such as a module of the program, or none.
        if krate.path.is_none() {
            return Ok(None);
        }
        let message = "[package.metadata.skills] names it, and it contains no skills";
        return Err(Error::new(ErrorKind::NotFound, message));
    };
    let offered = Offered::all(&tree, &offered, host.observer)?;
    let mut skills = Vec::new();
    for skill in offered {
        match objection(krate, &skill) {
            None => skills.push(skill),
            Some(reason) => {
                let name = Some(skill.name.as_str());
                not_written.push(NotWritten::new(krate, name, &skill.path, reason));
            }
        }
    }
    Ok(Some(Shipped { tree, skills }))
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
