//! Enables and disables skills by an id that a person gives.

use crate::catalog::Catalog;
use crate::catalog::disabled::Disabled;
use crate::catalog::skill::Skill;
use skills_format::mention::Id;
use skills_format::nfc;
use skills_format::text::order::sort_by_text;

impl Catalog {
    /// Enables the skills of an id. A bare name means the skills of every source; `source:name` and a path mean one skill.
    /// If the bare name was disabled, the skills of other sources stay disabled, by their qualified ids. Returns the ids
    /// of the skills that were disabled and are enabled now.
    ///
    /// An id that is only among the disabled ids is enabled too. Returns `None` if nothing knows the id. Show the person
    /// [`Outcome::Unknown`](crate::Outcome::Unknown) then.
    ///
    /// ```
    /// # use skills_runtime::catalog::Disabled;
    /// # use skills_runtime::{Bundle, Catalog, include_skills};
    /// # static SKILLS: Bundle = include_skills!("tests/bundled");
    /// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
    /// let mut disabled = Disabled::from_iter(["code-review"]);
    /// let enabled = catalog.enable(&mut disabled, "bundled:code-review").expect("a known id");
    /// assert_eq!(enabled, ["bundled:code-review"]);
    /// assert_eq!(disabled, Disabled::default());
    /// ```
    pub fn enable(&self, disabled: &mut Disabled, id: &str) -> Option<Vec<String>> {
        *disabled = std::mem::take(disabled).normal();
        let of_path = self.of_path(id).map(|entry| entry.to_string());
        let id = of_path.unwrap_or_else(|| nfc(id).into_owned());
        match Id::parse(&id) {
            Id {
                source: Some(source),
                name,
            } => self.enable_one(disabled, &id, source, name),
            Id { name, .. } => self.enable_all(disabled, name),
        }
    }

    /// Disables the skills of an id: a bare name in every source, `source:name` and a path in
    /// one. Returns the id that is disabled now. Returns `None` if the catalog does not know the id.
    /// Show the person [`Outcome::Unknown`](crate::Outcome::Unknown) then.
    ///
    /// ```
    /// # use skills_runtime::catalog::Disabled;
    /// # use skills_runtime::{Bundle, Catalog, include_skills};
    /// # static SKILLS: Bundle = include_skills!("tests/bundled");
    /// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
    /// let mut disabled = Disabled::default();
    /// assert_eq!(catalog.disable(&mut disabled, "code-review").as_deref(), Some("code-review"));
    /// assert_eq!(catalog.disable(&mut disabled, "nope"), None);
    /// let catalog = catalog.with_disabled(disabled);
    /// assert!(!catalog.get("code-review").expect("listed").is_enabled());
    /// ```
    pub fn disable(&self, disabled: &mut Disabled, id: &str) -> Option<String> {
        *disabled = std::mem::take(disabled).normal();
        let of_path = self.of_path(id).map(|entry| entry.to_string());
        let id = of_path.unwrap_or_else(|| nfc(id).into_owned());
        let known = match Id::parse(&id) {
            Id {
                source: Some(source),
                name,
            } => self.in_source(source, name),
            Id { name, .. } => self.with_name(name).next(),
        };
        known.map(|_| {
            disabled.ids.insert(id.clone());
            id
        })
    }

    fn enable_one(
        &self,
        disabled: &mut Disabled,
        id: &str,
        source: &str,
        name: &str,
    ) -> Option<Vec<String>> {
        let is_known = self.in_source(source, name).is_some();
        let by_id = disabled.ids.contains(id);
        let by_name = is_known && disabled.ids.contains(name);
        if !is_known && !by_id {
            return None;
        }
        if by_name {
            let others = self.with_name(name).filter(|e| e.source().name() != source);
            disabled.ids.extend(distinct(others));
            disabled.ids.remove(name);
        }
        disabled.ids.remove(id);
        let was_off = by_id || by_name;
        Some(was_off.then(|| id.to_owned()).into_iter().collect())
    }

    fn enable_all(&self, disabled: &mut Disabled, name: &str) -> Option<Vec<String>> {
        let known = distinct(self.with_name(name));
        let was_off = distinct(self.with_name(name).filter(|entry| {
            let (source, name) = (entry.source().name(), entry.name());
            disabled.has(source, name)
        }));
        let means = |off: &str| Id::parse(off).name == name;
        let said: Vec<String> = disabled
            .ids
            .iter()
            .filter(|off| means(off))
            .cloned()
            .collect();
        if known.is_empty() && said.is_empty() {
            return None;
        }
        disabled.ids.retain(|off| !means(off));
        let by_name = said.iter().any(|off| off == name);
        let mut enabled = match was_off.as_slice() {
            [] | [_] if by_name => vec![name.to_owned()],
            _ => was_off,
        };
        let gone = said.into_iter();
        enabled.extend(gone.filter(|off| off != name && !known.contains(off)));
        Some(enabled)
    }
}

/// Returns the qualified ids, sorted and without duplicates. A source can have a name more than once.
fn distinct<'c>(entries: impl Iterator<Item = Skill<'c>>) -> Vec<String> {
    let mut ids: Vec<String> = entries.map(|entry| entry.to_string()).collect();
    sort_by_text(&mut ids, |id| id.as_bytes());
    ids.dedup();
    ids
}
