//! Enables and disables skills by an id that a person gives.

use crate::catalog::Catalog;
use crate::catalog::entry::Skill;
use crate::catalog::state::State;
use skills_format::nfc;
use skills_format::text::order::sort_by_text;

/// The result of enabling skills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SwitchedOn {
    /// The ids of the skills that were disabled and are enabled now. Empty: no skill was disabled.
    pub enabled: Vec<String>,
    /// The qualified ids of skills with the same name in other sources. The bare name had disabled them
    /// too, and they stay disabled.
    pub kept: Vec<String>,
}

impl Catalog {
    /// Enables the skills of an id in a state. A bare name means the skills of every source;
    /// `source:name` and a path mean one skill. If the state had disabled the bare name, the skills of
    /// other sources stay disabled, by their qualified ids.
    ///
    /// An id that only the state knows is enabled too. Returns `None` if neither the catalog nor the
    /// state knows the id. Show the person [`Outcome::Unknown`](crate::Outcome::Unknown) then.
    ///
    /// ```
    /// # use skills_runtime::catalog::State;
    /// # use skills_runtime::{Bundle, Catalog, include_skills};
    /// # static SKILLS: Bundle = include_skills!("tests/bundled");
    /// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
    /// let mut state: State = ["code-review"].into_iter().collect();
    /// let on = catalog.enable(&mut state, "bundled:code-review").expect("a known id");
    /// assert_eq!(on.enabled, ["bundled:code-review"]);
    /// assert!(state.is_enabled("bundled", "code-review"));
    /// ```
    pub fn enable(&self, state: &mut State, id: &str) -> Option<SwitchedOn> {
        let of_path = self.of_path(id).map(|entry| entry.qualified_id());
        let id = of_path.unwrap_or_else(|| nfc(id).into_owned());
        match id.rsplit_once(':') {
            Some((source, name)) => self.enable_one(state, &id, source, name),
            None => self.enable_all(state, &id),
        }
    }

    /// Disables the skills of an id in a state: a bare name in every source, `source:name` and a path in
    /// one. Returns the id that is disabled now. Returns `None` if the catalog does not know the id.
    /// Show the person [`Outcome::Unknown`](crate::Outcome::Unknown) then.
    ///
    /// ```
    /// # use skills_runtime::catalog::State;
    /// # use skills_runtime::{Bundle, Catalog, include_skills};
    /// # static SKILLS: Bundle = include_skills!("tests/bundled");
    /// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
    /// let mut state = State::new();
    /// assert_eq!(catalog.disable(&mut state, "code-review").as_deref(), Some("code-review"));
    /// assert_eq!(catalog.disable(&mut state, "nope"), None);
    /// let catalog = catalog.with_state(state);
    /// assert!(!catalog.get("code-review").expect("listed").is_enabled());
    /// ```
    pub fn disable(&self, state: &mut State, id: &str) -> Option<String> {
        let of_path = self.of_path(id).map(|entry| entry.qualified_id());
        let id = of_path.unwrap_or_else(|| nfc(id).into_owned());
        let known = match id.rsplit_once(':') {
            Some((source, name)) => self.in_source(source, name),
            None => self.with_name(&id).next(),
        };
        known.map(|_| {
            state.disable(&id);
            id
        })
    }

    fn enable_one(
        &self,
        state: &mut State,
        id: &str,
        source: &str,
        name: &str,
    ) -> Option<SwitchedOn> {
        let is_known = self.in_source(source, name).is_some();
        let is_off = |id: &str| state.disabled().any(|off| off == id);
        let (by_id, by_name) = (is_off(id), is_known && is_off(name));
        if !is_known && !by_id {
            return None;
        }
        let mut on = SwitchedOn::default();
        if by_name {
            let others = self.with_name(name).filter(|e| e.source().name() != source);
            on.kept = distinct(others);
            state.enable(name);
            for other in &on.kept {
                state.disable(other);
            }
        }
        state.enable(id);
        if by_id || by_name {
            on.enabled.push(id.to_owned());
        }
        Some(on)
    }

    fn enable_all(&self, state: &mut State, name: &str) -> Option<SwitchedOn> {
        let known = distinct(self.with_name(name));
        let was_off = distinct(self.with_name(name).filter(|entry| {
            let (source, name) = (entry.source().name(), entry.name());
            !state.is_enabled(source, name)
        }));
        let means = |off: &str| off == name || off.rsplit_once(':').is_some_and(|(_, n)| n == name);
        let said: Vec<String> = state
            .disabled()
            .filter(|off| means(off))
            .map(str::to_owned)
            .collect();
        if known.is_empty() && said.is_empty() {
            return None;
        }
        for off in &said {
            state.enable(off);
        }
        let by_name = said.iter().any(|off| off == name);
        let mut enabled = match was_off.as_slice() {
            [] | [_] if by_name => vec![name.to_owned()],
            _ => was_off,
        };
        let gone = said.into_iter();
        enabled.extend(gone.filter(|off| off != name && !known.contains(off)));
        Some(SwitchedOn {
            enabled,
            kept: Vec::new(),
        })
    }
}

/// Returns the qualified ids, sorted and without duplicates. A source can have a name more than once.
fn distinct<'c>(entries: impl Iterator<Item = Skill<'c>>) -> Vec<String> {
    let mut ids: Vec<String> = entries.map(|entry| entry.qualified_id()).collect();
    sort_by_text(&mut ids, |id| id.as_bytes());
    ids.dedup();
    ids
}
