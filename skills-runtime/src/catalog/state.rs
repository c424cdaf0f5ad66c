//! The skills that a person has disabled. The state is an overlay on the catalog, and not part of it.

// An unreadable state file fails closed: no skill of a folder starts (`State::unknown`), and `enable`
// and `disable` refuse. A damaged `trust.json` trusts nothing. Both files stay until `skills inspect state
// --reset` moves them aside. A valid file is never reset.

use skills_format::nfc;
use skills_format::text::order::sort_by_text;

/// The disabled skills, by bare name or by qualified id. Pure data: the host decides where to store the
/// state.
///
/// ```
/// use skills_runtime::catalog::State;
///
/// let mut state = State::new();
/// state.disable("lint");          // in every source
/// state.disable("user:deploy");   // in one source
/// assert!(!state.is_enabled("bundled", "lint"));
/// assert!(state.is_enabled("bundled", "deploy"));
/// state.enable("lint");
/// assert_eq!(state.disabled().collect::<Vec<_>>(), ["user:deploy"]);
/// ```
///
/// A host that cannot read its stored state passes [`State::unknown`] to the catalog, so that no skill
/// starts that a person may have disabled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "StateJson", into = "StateJson")
)]
pub struct State {
    /// The disabled ids in normal form, sorted.
    disabled: Vec<String>,
    /// `true` if other skills may be disabled too.
    unknown: bool,
    /// Why the state is unknown, for notices. Not stored: what stores a state was able to read it.
    why: String,
}

/// A state in JSON.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct StateJson {
    #[serde(default)]
    disabled: Vec<String>,
    #[serde(default)]
    unknown: bool,
}

#[cfg(feature = "serde")]
impl From<StateJson> for State {
    fn from(json: StateJson) -> Self {
        let mut state: Self = json.disabled.into_iter().collect();
        state.unknown = json.unknown;
        state
    }
}

#[cfg(feature = "serde")]
impl From<State> for StateJson {
    fn from(state: State) -> Self {
        Self {
            disabled: state.disabled,
            unknown: state.unknown,
        }
    }
}

impl State {
    /// Makes a state in which every skill is enabled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the state for a stored state that cannot be read. Every skill of a folder or an MCP server
    /// is disabled. A bundled skill is enabled unless [`State::disable`] disables it.
    ///
    /// The notice of a skill that is disabled this way offers `/skill enable`, and enabling has no
    /// effect: the stored state must be fixed first. The host shows the diagnostic of the stored state,
    /// which names the file. In a state of `StateFile` of skills-store, the notice names the file instead.
    ///
    /// ```
    /// use skills_runtime::Catalog;
    /// use skills_runtime::catalog::State;
    ///
    /// let catalog = Catalog::builder().state(State::unknown()).load();
    /// assert!(catalog.iter().all(|entry| !entry.is_enabled() || entry.bundled().is_some()));
    /// ```
    pub fn unknown() -> Self {
        Self {
            unknown: true,
            ..Self::default()
        }
    }

    /// Does the same as [`State::unknown`]. Each notice about a skill that is disabled this way says why: `why` names
    /// what cannot be read, and the next step.
    pub fn unknown_because(why: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            ..Self::unknown()
        }
    }

    /// Returns why the state is unknown, if it is known why.
    pub(crate) fn why_unknown(&self) -> Option<&str> {
        (!self.why.is_empty()).then_some(&self.why)
    }

    /// Returns whether other skills may be disabled too: see [`State::unknown`].
    pub fn is_unknown(&self) -> bool {
        self.unknown
    }

    /// Disables a skill, by name in every source or by `source:name` in one.
    pub fn disable(&mut self, id: impl AsRef<str>) {
        let id = nfc(id.as_ref());
        if let Err(place) = self.place(&[&id]) {
            self.disabled.insert(place, id.into_owned());
        }
    }

    /// Reverts [`State::disable`] of the same id. A skill that is disabled by its name stays disabled if
    /// its qualified id is enabled.
    /// [`Catalog::enable`](crate::Catalog::enable) enables what a person means by an id.
    pub fn enable(&mut self, id: &str) {
        if let Ok(place) = self.place(&[&nfc(id)]) {
            self.disabled.remove(place);
        }
    }

    /// Returns whether no id disables a source's skill. In a state that [is unknown](Self::is_unknown),
    /// the skill can be disabled nevertheless: [`Skill::is_enabled`](crate::Skill::is_enabled) decides.
    pub fn is_enabled(&self, source: &str, name: &str) -> bool {
        self.place(&[name]).is_err() && self.place(&[source, ":", name]).is_err()
    }

    /// Iterates over the disabled ids, sorted.
    pub fn disabled(&self) -> impl Iterator<Item = &str> {
        self.disabled.iter().map(String::as_str)
    }

    /// Returns the index of the id that these parts form, or the index where it belongs.
    fn place(&self, parts: &[&str]) -> Result<usize, usize> {
        // Compared in parts, so that a look-up allocates no `source:name`.
        self.disabled.binary_search_by(|id| {
            let id = id.bytes();
            id.cmp(parts.iter().flat_map(|part| part.bytes()))
        })
    }
}

impl<S: AsRef<str>> FromIterator<S> for State {
    fn from_iter<I: IntoIterator<Item = S>>(ids: I) -> Self {
        let ids = ids.into_iter();
        let mut disabled: Vec<String> = ids.map(|id| nfc(id.as_ref()).into_owned()).collect();
        sort_by_text(&mut disabled, |id| id.as_bytes());
        disabled.dedup();
        Self {
            disabled,
            ..Self::default()
        }
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
        assert!(!state.is_enabled("user", "aleph"), "by its name");
        state.disable("user:aleph");
        state.enable("aleph");
        assert!(!state.is_enabled("user", "aleph"), "by its qualified id");
        assert!(state.is_enabled("bundled", "aleph"));
        assert_eq!(
            state.disabled().collect::<Vec<_>>(),
            ["user:aleph", "user:beth"]
        );
    }

    #[test]
    fn an_unknown_state_stays_unknown() {
        let mut state = State::unknown();
        state.disable("aleph");
        assert!(!state.is_enabled("bundled", "aleph"));
        state.enable("aleph");
        assert!(state.is_unknown() && state.is_enabled("bundled", "aleph"));
        assert_ne!(state, State::new());
    }

    #[test]
    fn ids_are_compared_in_normal_form() {
        let state: State = ["de\u{301}mo"].into_iter().collect();
        assert!(!state.is_enabled("user", "d\u{e9}mo"));
    }
}
