//! What a person has switched off: an overlay over the catalog, no part of it.

use skills_format::nfc;
use std::collections::{BTreeMap, BTreeSet};

/// Skills that are disabled, by bare name or by qualified id.
///
/// Pure data: where it is kept is the host's business.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// As they were given, in normal form.
    disabled: BTreeSet<String>,
    /// The qualified ones: names by source.
    qualified: BTreeMap<String, BTreeSet<String>>,
}

impl State {
    /// Everything is enabled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Disables a skill by name (in every source) or by `source:name` (in one).
    pub fn disable(&mut self, id: impl AsRef<str>) {
        let id = nfc(id.as_ref()).into_owned();
        if let Some((source, name)) = id.split_once(':') {
            let names = self.qualified.entry(source.to_owned()).or_default();
            names.insert(name.to_owned());
        }
        self.disabled.insert(id);
    }

    /// Takes back what [`State::disable`] did with the same id. A skill that is disabled by its
    /// name stays so when its qualified id is enabled: see [`State::disabled_by`], and
    /// [`Catalog::enable`](crate::Catalog::enable) for what a person means by an id.
    pub fn enable(&mut self, id: &str) {
        let id = nfc(id);
        self.disabled.remove(&*id);
        if let Some((source, name)) = id.split_once(':')
            && let Some(names) = self.qualified.get_mut(source)
        {
            names.remove(name);
        }
    }

    /// Whether a source's skill is enabled.
    pub fn is_enabled(&self, source: &str, name: &str) -> bool {
        !self.disabled.contains(name) && !self.is_disabled_in(source, name)
    }

    /// The ids that disable a source's skill: what must be enabled to enable it.
    pub fn disabled_by(&self, source: &str, name: &str) -> Vec<String> {
        let bare = self.disabled.contains(name).then(|| name.to_owned());
        let qualified = self
            .is_disabled_in(source, name)
            .then(|| format!("{source}:{name}"));
        bare.into_iter().chain(qualified).collect()
    }

    /// The ids that are disabled, sorted.
    pub fn disabled(&self) -> impl Iterator<Item = &str> {
        self.disabled.iter().map(String::as_str)
    }

    fn is_disabled_in(&self, source: &str, name: &str) -> bool {
        let names = self.qualified.get(source);
        names.is_some_and(|names| names.contains(name))
    }
}

impl<S: AsRef<str>> FromIterator<S> for State {
    fn from_iter<I: IntoIterator<Item = S>>(ids: I) -> Self {
        let mut state = Self::new();
        ids.into_iter().for_each(|id| state.disable(id));
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_qualified_ids() {
        let mut state: State = ["aleph", "user:beth"].into_iter().collect();
        assert!(!state.is_enabled("user", "aleph"));
        assert!(!state.is_enabled("bundled", "aleph"));
        assert!(!state.is_enabled("user", "beth"));
        assert!(state.is_enabled("bundled", "beth"));
        state.enable("user:aleph");
        assert_eq!(state.disabled_by("user", "aleph"), ["aleph"]);
        state.disable("user:aleph");
        state.enable("aleph");
        assert_eq!(state.disabled_by("user", "aleph"), ["user:aleph"]);
        assert!(state.is_enabled("bundled", "aleph"));
        assert_eq!(
            state.disabled().collect::<Vec<_>>(),
            ["user:aleph", "user:beth"]
        );
    }

    #[test]
    fn ids_are_compared_in_normal_form() {
        let state: State = ["de\u{301}mo"].into_iter().collect();
        assert!(!state.is_enabled("user", "d\u{e9}mo"));
    }
}
