//! What a person has switched off: an overlay over the catalog, no part of it.

use std::collections::BTreeSet;

/// Skills that are disabled, by bare name or by qualified id.
///
/// Pure data: where it is kept is the host's business.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    disabled: BTreeSet<String>,
}

impl State {
    /// Everything is enabled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Disables a skill by name (in every source) or by `source:name` (in one).
    pub fn disable(&mut self, id: impl Into<String>) {
        self.disabled.insert(id.into());
    }

    /// Takes back what [`State::disable`] did with the same id.
    pub fn enable(&mut self, id: &str) {
        self.disabled.remove(id);
    }

    /// Whether a source's skill is enabled.
    pub fn is_enabled(&self, source: &str, name: &str) -> bool {
        self.disabled.is_empty()
            || !self.disabled.contains(name) && !self.disabled.contains(&format!("{source}:{name}"))
    }

    /// The ids that are disabled, sorted.
    pub fn disabled(&self) -> impl Iterator<Item = &str> {
        self.disabled.iter().map(String::as_str)
    }
}

impl<S: Into<String>> FromIterator<S> for State {
    fn from_iter<I: IntoIterator<Item = S>>(ids: I) -> Self {
        Self {
            disabled: ids.into_iter().map(Into::into).collect(),
        }
    }
}
