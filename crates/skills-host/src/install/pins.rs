//! The pinned skills: installed skills that an update passes over.
//!
//! A pin is a decision of the person, in the data folder. A lock cannot pin a skill: it can come with a clone, and must not
//! keep a skill from its fixes.

use crate::files::copy::{make_folder, read_json, replace_json};
use crate::files::data::DataFolder;
use crate::files::guard::Guard;
use serde::{Deserialize, Serialize};
use skills_format::disk::resolved;
use skills_format::prose;
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The file of the pins.
#[derive(Clone, Debug)]
pub struct Pins {
    file: PathBuf,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct File {
    version: u32,
    pins: BTreeSet<Pin>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Pin {
    target: PathBuf,
    name: String,
}

impl Pins {
    /// Returns the pins of a data folder. Reads nothing.
    pub fn of(data: &DataFolder) -> Self {
        Self { file: data.pins() }
    }

    /// Returns the names of the pinned skills of a folder.
    ///
    /// # Errors
    ///
    /// If the file cannot be read. It must not count as empty: an update would take the pinned skills along.
    pub fn names(&self, target: &Path) -> Result<BTreeSet<String>, Error> {
        let target = resolved(target);
        let pins = self.read()?.pins.into_iter();
        let here = pins.filter(|pin| pin.target == target);
        Ok(here.map(|pin| pin.name).collect())
    }

    /// Returns the names of the pinned skills of all folders.
    ///
    /// # Errors
    ///
    /// As [`Pins::names`].
    pub fn all(&self) -> Result<BTreeSet<String>, Error> {
        let pins = self.read()?.pins.into_iter();
        Ok(pins.map(|pin| pin.name).collect())
    }

    /// Pins or unpins skills of a folder. Returns the names that were not so before.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub fn set(
        &self,
        target: &Path,
        names: &[String],
        is_pinned: bool,
    ) -> Result<Vec<String>, Error> {
        let above = self.file.parent().unwrap_or(&self.file);
        make_folder(above)?;
        let _guard = Guard::wait(&above.join(".pins"), &|_, _| {})?;
        let mut file = self.read()?;
        let target = resolved(target);
        let mut changed = names.to_vec();
        changed.retain(|name| {
            let (target, name) = (target.clone(), name.clone());
            let pin = Pin { target, name };
            if is_pinned {
                file.pins.insert(pin)
            } else {
                file.pins.remove(&pin)
            }
        });
        if !changed.is_empty() {
            file.version = 1;
            replace_json(&self.file, &file)?;
        }
        Ok(changed)
    }

    fn read(&self) -> Result<File, Error> {
        let file: File = read_json(&self.file)?.unwrap_or_default();
        if file.version > 1 {
            let message = prose!("a newer version of `skills` wrote {}", &self.file);
            return Err(Error::new(ErrorKind::Newer, message).help("use that version here"));
        }
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_of_one_folder() {
        let dir = tempfile::tempdir().unwrap();
        let pins = Pins::of(&DataFolder::new(dir.path().join("data")));
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let (one, other) = (dir.path().join("one"), dir.path().join("other"));
        assert!(pins.names(&one).unwrap().is_empty());
        assert_eq!(
            pins.set(&one, &names(&["a", "b"]), true).unwrap(),
            ["a", "b"]
        );
        assert_eq!(pins.set(&one, &names(&["b", "c"]), true).unwrap(), ["c"]);
        assert!(pins.names(&other).unwrap().is_empty());
        let all = pins.all().unwrap();
        assert!(all.iter().eq(["a", "b", "c"]), "{all:?}");
        assert_eq!(
            pins.set(&other, &names(&["a"]), false).unwrap(),
            [] as [&str; 0]
        );
        assert_eq!(
            pins.set(&one, &names(&["a", "c"]), false).unwrap(),
            ["a", "c"]
        );
        assert_eq!(pins.names(&one).unwrap(), ["b".to_owned()].into());
        std::fs::write(&pins.file, "{").unwrap();
        assert_eq!(pins.names(&one).unwrap_err().kind(), ErrorKind::Damaged);
        std::fs::write(&pins.file, r#"{"version":2,"pins":[]}"#).unwrap();
        assert_eq!(pins.names(&one).unwrap_err().kind(), ErrorKind::Newer);
    }
}
