use crate::read::{Error, read};
use serde::de::DeserializeOwned;
use skills_format::{Diagnostic, RuleId, SKILL_FILE, join};
use skills_runtime::{Catalog, Skill};

/// Reads the front matter of a skill as a type of the program.
pub trait TypedFields {
    /// Reads the front matter as a `T`.
    ///
    /// # Errors
    ///
    /// As [`read`]. The file of a skill in a folder cannot be read: the rule is `unreadable`.
    ///
    /// # Cost
    ///
    /// Parses the front matter. Reads the `SKILL.md` of a skill in a folder again.
    fn fields_as<T: DeserializeOwned>(&self) -> Result<T, Error>;
}

impl TypedFields for Skill<'_> {
    fn fields_as<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let place = self.place();
        let name = place.rsplit('/').next().unwrap_or(SKILL_FILE);
        let path = match self.folder() {
            Some(folder) => folder.join(name).to_string_lossy().into_owned(),
            None => join(&self.dir(), name),
        };
        let unreadable = |why: &dyn std::fmt::Display| {
            let message = format!("this cannot be read: {why}");
            Error::new(RuleId::Unreadable, &path, message)
        };
        let bytes = self.read(name).map_err(|error| unreadable(&error))?;
        let text = std::str::from_utf8(&bytes).map_err(|error| unreadable(&error))?;
        read(&path, text)
    }
}

/// Reads the front matter of every skill of a catalog.
pub trait CheckFields {
    /// Returns a finding for each skill whose front matter is not a `T`.
    fn check_fields<T: DeserializeOwned>(&self) -> Vec<Diagnostic>;
}

impl CheckFields for Catalog {
    fn check_fields<T: DeserializeOwned>(&self) -> Vec<Diagnostic> {
        let errors = self.iter().filter_map(|skill| skill.fields_as::<T>().err());
        errors.map(Error::into_diagnostic).collect()
    }
}
