//! The package that the person writes, and its folder of skills.

use crate::commands::install::session::failure;
use crate::environment::Environment;
use crate::outcome::Failure;
use skills_format::disk::read_text;
use skills_format::{SkillName, prose};
use skills_host::deps::{may_ship, skill_prefix, skills_folder};
use std::io;
use std::path::{Path, PathBuf};
use toml::Table;

/// The package of the working folder.
pub(crate) struct OwnPackage {
    /// The folder of the package.
    root: PathBuf,
    name: String,
    /// The folder of its skills, relative to the package.
    path: String,
}

impl OwnPackage {
    /// Finds the package of the working folder, as cargo does: by the nearest `Cargo.toml`.
    pub(crate) fn of(environment: &Environment) -> Result<Self, Failure> {
        let folder = environment.working_folder.clone().unwrap_or_default();
        for root in folder.ancestors() {
            let manifest = root.join("Cargo.toml");
            match read_text(&manifest) {
                Ok(text) => return Self::parse(root, &manifest, &text),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let fact = prose!("{} cannot be read: {error}", &manifest);
                    return Err(Failure::failed(fact, "correct its permissions or its text"));
                }
            }
        }
        Err(Failure::failed(
            prose!("there is no Cargo.toml in {} or above", &folder),
            "run it in the folder of a crate",
        ))
    }

    fn parse(root: &Path, manifest: &Path, text: &str) -> Result<Self, Failure> {
        let table: Table = toml::from_str(text).map_err(|error| {
            let fact = prose!("{} cannot be read: {}", manifest, error.message());
            Failure::failed(fact, "correct what `cargo metadata` reports")
        })?;
        let package = table.get("package").and_then(toml::Value::as_table);
        let name = package.and_then(|package| package.get("name")?.as_str());
        let (Some(package), Some(name)) = (package, name) else {
            let fact = prose!("{} has no [package] with a name", manifest);
            return Err(Failure::failed(fact, "run it in the folder of a crate"));
        };
        let of_skills = || package.get("metadata")?.get("skills")?.get("path");
        let path = match of_skills() {
            None => "skills",
            Some(toml::Value::String(path)) => path,
            Some(_) => {
                let fact = prose!(
                    "{}: `path` of [package.metadata.skills] is not a string",
                    manifest
                );
                return Err(Failure::failed(fact, "write a path such as \"skills\""));
            }
        };
        // Now, and not when another person depends on the crate.
        skills_folder(root, path).map_err(|error| failure(&error))?;
        Ok(Self {
            root: root.to_owned(),
            name: name.to_owned(),
            path: path.to_owned(),
        })
    }

    /// Returns the folder of skills, for a new skill that the package may ship.
    pub(crate) fn folder_for(&self, skill: &SkillName) -> Result<PathBuf, Failure> {
        if may_ship(&self.name, skill.as_str()) {
            return Ok(self.root.join(&self.path));
        }
        let prefix = skill_prefix(&self.name);
        let help = match SkillName::new(&format!("{prefix}-{skill}")) {
            Ok(name) => format!(
                "write `{name}`, or `{prefix}` for the crate as a whole; a skill that the program itself includes is made \
                 with --in DIR instead"
            ),
            Err(error) => format!("no skill can have the name of this crate: {error}"),
        };
        Err(Failure::failed(
            format_args!(
                "`{skill}` is not a name for a skill of the crate {}: `skills deps` installs `{prefix}` and `{prefix}-…` of it",
                self.name
            ),
            help,
        ))
    }
}
