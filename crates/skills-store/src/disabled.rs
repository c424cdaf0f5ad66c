//! The skills that a person has disabled, and the ids by which a person changes them.

use crate::error::Error;
use crate::json_file::{JsonFile, Stored};
use serde_json::{Map, Value};
use skills_format::mention::Id;
use skills_format::nfc;
use skills_runtime::{Catalog, CatalogBuilder, Skill};
use skills_session::resolve::has_id;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The disabled skills, as [`StateFile`](crate::StateFile) stores them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disabled {
    /// The ids, in Unicode normal form NFC: a name disables the skill in every source, `source:name` in one.
    pub ids: BTreeSet<String>,
    /// Why other skills may be disabled too: [`CatalogBuilder::undecided`].
    pub unknown: Option<String>,
}

impl<S: AsRef<str>> FromIterator<S> for Disabled {
    fn from_iter<I: IntoIterator<Item = S>>(ids: I) -> Self {
        let ids = ids.into_iter();
        Self {
            ids: ids.map(|id| nfc(id.as_ref()).into_owned()).collect(),
            unknown: None,
        }
    }
}

impl Disabled {
    /// Sets the disabled skills of a catalog.
    pub fn set(&self, builder: CatalogBuilder) -> CatalogBuilder {
        let builder = builder.disabled(&self.ids);
        match &self.unknown {
            Some(why) => builder.undecided(why),
            None => builder,
        }
    }

    /// Enables the skills of an id. A bare name means the skills of every source; `source:name` and a path mean one skill.
    /// If the bare name was disabled, the skills of other sources stay disabled, by their qualified ids. Returns the ids
    /// of the skills that were disabled and are enabled now.
    ///
    /// An id that is only among the disabled ids is enabled too. Returns `None` if nothing knows the id. Show the person
    /// [`Outcome::Unknown`](skills_runtime::Outcome::Unknown) then.
    ///
    /// ```
    /// # use skills_runtime::Catalog;
    /// # use skills_store::Disabled;
    /// # let file = ("code-review/SKILL.md", "---\nname: code-review\ndescription: Reviews.\n---\n");
    /// let catalog = Catalog::builder().files("team", [file]).load();
    /// let mut disabled = Disabled::from_iter(["code-review"]);
    /// let enabled = disabled.enable(&catalog, "team:code-review").expect("a known id");
    /// assert_eq!(enabled, ["team:code-review"]);
    /// assert_eq!(disabled, Disabled::default());
    /// ```
    pub fn enable(&mut self, catalog: &Catalog, id: &str) -> Option<Vec<String>> {
        let id = qualified(catalog, id);
        let parsed = Id::parse(&id);
        let same_name = catalog.iter().filter(|skill| skill.name() == parsed.name);
        match parsed.source {
            Some(source) => self.enable_one(&id, source, parsed.name, same_name),
            None => self.enable_all(parsed.name, same_name),
        }
    }

    /// Disables the skills of an id: a bare name in every source, `source:name` and a path in one. Returns the id that is
    /// disabled now. Returns `None` if the catalog does not know the id. Show the person
    /// [`Outcome::Unknown`](skills_runtime::Outcome::Unknown) then.
    ///
    /// ```
    /// # use skills_runtime::Catalog;
    /// # use skills_store::Disabled;
    /// # let file = ("code-review/SKILL.md", "---\nname: code-review\ndescription: Reviews.\n---\n");
    /// let catalog = Catalog::builder().files("team", [file]).load();
    /// let mut disabled = Disabled::default();
    /// assert_eq!(disabled.disable(&catalog, "code-review").as_deref(), Some("code-review"));
    /// assert_eq!(disabled.disable(&catalog, "nope"), None);
    /// let catalog = catalog.with(|builder| disabled.set(builder));
    /// assert!(!catalog.get("code-review").expect("listed").is_enabled());
    /// ```
    pub fn disable(&mut self, catalog: &Catalog, id: &str) -> Option<String> {
        let id = qualified(catalog, id);
        if !has_id(catalog, &Id::parse(&id)) {
            return None;
        }
        self.ids.insert(id.clone());
        Some(id)
    }

    fn enable_one<'c>(
        &mut self,
        id: &str,
        source: &str,
        name: &str,
        same_name: impl Iterator<Item = Skill<'c>>,
    ) -> Option<Vec<String>> {
        let (own, others): (Vec<_>, Vec<_>) = same_name.partition(|skill| skill.source() == source);
        let by_id = self.ids.contains(id);
        let by_name = !own.is_empty() && self.ids.contains(name);
        if own.is_empty() && !by_id {
            return None;
        }
        if by_name {
            self.ids.extend(others.iter().map(ToString::to_string));
            self.ids.remove(name);
        }
        self.ids.remove(id);
        Some(if by_id || by_name {
            vec![id.to_owned()]
        } else {
            Vec::new()
        })
    }

    fn enable_all<'c>(
        &mut self,
        name: &str,
        same_name: impl Iterator<Item = Skill<'c>>,
    ) -> Option<Vec<String>> {
        let known: BTreeSet<String> = same_name.map(|skill| skill.to_string()).collect();
        let by_name = self.ids.contains(name);
        let (said, other): (BTreeSet<String>, BTreeSet<String>) = std::mem::take(&mut self.ids)
            .into_iter()
            .partition(|off| Id::parse(off).name == name);
        self.ids = other;
        if known.is_empty() && said.is_empty() {
            return None;
        }
        let was_off = known.iter().filter(|id| by_name || said.contains(*id));
        let mut enabled: Vec<String> = was_off.cloned().collect();
        if by_name && enabled.len() < 2 {
            enabled = vec![name.to_owned()];
        }
        let gone = said.into_iter();
        enabled.extend(gone.filter(|off| off != name && !known.contains(off)));
        Some(enabled)
    }
}

/// Returns the id of the skill that a path means, or the id in normal form.
fn qualified(catalog: &Catalog, id: &str) -> String {
    let is_path = id.contains(std::path::is_separator);
    let of_path = catalog.get(id).filter(|_| is_path);
    of_path.map_or_else(|| nfc(id).into_owned(), |skill| skill.to_string())
}

/// Maximum size of the file in bytes.
const MAX: u64 = 1024 * 1024;
/// The effect of an unreadable file, for messages.
const EFFECT: &str = "no skill of a folder starts";

/// The file of a [`Disabled`]: `{"version": 1, "disabled": ["aleph"]}`. Unknown fields are kept.
///
/// Reading takes no lock. Writing takes a lock and replaces the whole file, so that two programs do
/// not lose each other's changes.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// use skills_store::StateFile;
///
/// let file = StateFile::new(folder.path().join("skills.json"));
/// file.update(|state| state.ids.insert("aleph".into())).unwrap();
/// assert!(file.read().unwrap().value.ids.contains("aleph"));
/// ```
#[derive(Clone, Debug)]
pub struct StateFile(JsonFile);

impl StateFile {
    /// Returns the file of a path, which need not exist. Writes nothing.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(JsonFile::new(path.into(), MAX, EFFECT))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Reads the disabled skills. A missing file disables nothing. A damaged file, or a file of a newer version,
    /// gives `Disabled::unknown` and a diagnostic: then no skill of a folder starts. Its readable ids are disabled
    /// too.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the file cannot be read.
    pub fn read(&self) -> Result<Stored<Disabled>, Error> {
        let (value, fault) = self.0.content(parse)?;
        Ok(Stored {
            value: Disabled {
                unknown: fault.as_ref().map(|fault| self.0.why(fault)),
                ..value.unwrap_or_default()
            },
            diagnostics: fault.iter().map(|it| self.0.diagnostic(it)).collect(),
        })
    }

    /// Changes the disabled skills, and returns the new state. [`Disabled::enable`] resolves a
    /// user's id:
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = skills_store::StateFile::new(folder.path().join("skills.json"));
    /// # let catalog = skills_runtime::Catalog::builder().load();
    /// let mut on = None;
    /// let state = file.update(|state| on = state.enable(&catalog, "aleph"))?;
    /// let catalog = catalog.with(|builder| state.set(builder));
    /// assert_eq!(on, None, "no skill has the id");
    /// # Ok::<(), skills_store::Error>(())
    /// ```
    ///
    /// If the update fails, `change` may not have run.
    ///
    /// # Errors
    ///
    /// No error changes the file:
    ///
    /// - [`ErrorKind::Damaged`](crate::ErrorKind::Damaged): the file is damaged.
    /// - [`ErrorKind::Newer`](crate::ErrorKind::Newer): a newer version wrote the file.
    /// - [`ErrorKind::Io`](crate::ErrorKind::Io): the file cannot be read, locked or written.
    ///
    /// # Cost
    ///
    /// Waits for the lock, and for the disk to store the file.
    pub fn update<R>(&self, change: impl FnOnce(&mut Disabled) -> R) -> Result<Disabled, Error> {
        let mut now = Disabled::default();
        self.0.update(parse, |state, object| {
            now = state.unwrap_or_default();
            change(&mut now);
            let disabled = now.ids.iter().map(|id| id.as_str().into()).collect();
            object.insert("disabled".to_owned(), Value::Array(disabled));
            Ok(())
        })?;
        Ok(now)
    }

    /// Fails if [`StateFile::update`] would reject the content of the file. A missing file passes.
    ///
    /// # Errors
    ///
    /// The errors of [`StateFile::update`].
    pub fn check(&self) -> Result<(), Error> {
        self.0.check(parse)
    }
}

fn parse(object: &Map<String, Value>) -> Result<Disabled, String> {
    let Some(disabled) = object.get("disabled") else {
        return Ok(Disabled::default());
    };
    let ids: Option<Vec<&str>> = disabled
        .as_array()
        .into_iter()
        .flatten()
        .map(Value::as_str)
        .collect();
    let ids = ids
        .filter(|_| disabled.is_array())
        .ok_or_else(|| "`disabled` is not a list of ids".to_owned())?;
    Ok(ids.into_iter().collect())
}
