//! The skills that a person has disabled, and the ids by which a person changes them.

use crate::error::Error;
use crate::json_file::{JsonFile, Record};
use serde::Deserialize as _;
use serde_json::{Map, Value};
use skills_format::mention::Id;
use skills_format::nfc;
use skills_runtime::{Catalog, CatalogBuilder, Skill};
use skills_session::resolve::has_id;
use std::collections::BTreeSet;

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

/// The file of a [`Disabled`]: `{"version": 1, "disabled": ["aleph"]}`. Of a damaged file, or one of a newer version, no
/// skill of a folder starts; its readable ids are disabled too.
///
/// [`Disabled::enable`] resolves an id of a person:
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let catalog = skills_runtime::Catalog::builder().load();
/// use skills_store::StateFile;
///
/// let file = StateFile::new(folder.path().join("skills.json"));
/// file.update(|state| state.ids.insert("aleph".into()))?;
/// assert!(file.read()?.value.ids.contains("aleph"));
/// let mut on = None;
/// let state = file.update(|state| on = state.enable(&catalog, "nope"))?;
/// let catalog = catalog.with(|builder| state.set(builder));
/// assert_eq!(on, None, "no skill has the id");
/// # Ok::<(), skills_store::Error>(())
/// ```
pub type StateFile = JsonFile<Disabled>;

impl Record for Disabled {
    const MAX: u64 = 1024 * 1024;
    const EFFECT: &'static str = "no skill of a folder starts";

    fn read(members: &Map<String, Value>) -> Result<Self, String> {
        let Some(disabled) = members.get("disabled") else {
            return Ok(Self::default());
        };
        let ids = Vec::<String>::deserialize(disabled);
        let ids = ids.map_err(|_| "`disabled` is not a list of ids".to_owned())?;
        Ok(ids.into_iter().collect())
    }

    fn write(&self, members: &mut Map<String, Value>) -> Result<(), Error> {
        let disabled = self.ids.iter().map(|id| id.as_str().into()).collect();
        members.insert("disabled".to_owned(), Value::Array(disabled));
        Ok(())
    }

    fn faulty(read: Option<Self>, why: String) -> Self {
        Self {
            unknown: Some(why),
            ..read.unwrap_or_default()
        }
    }
}
