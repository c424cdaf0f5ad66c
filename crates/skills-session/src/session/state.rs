//! What a host stores of a session.

use crate::dialect::Dialect;
use crate::session::Session;
use crate::session::active::Active;
use serde::{Deserialize as _, Deserializer, de};
use skills_permit::{InForce, Tools};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The stored part of a session: the active skills, the skills of whose end the model does not know yet, and the rules that
/// take tools away. Approvals are not stored.
///
/// The state does not hold the dialect, nor the host's tools and variables: the host gives them again. With the `serde`
/// feature the state is JSON. Store the state together with the conversation: a reminder refers to a text that must
/// stand in the conversation.
///
/// A rule of `allowed-tools` that does not parse any more is restored as a rule that names no tool, and a rule of
/// `disallowed-tools` as a rule that names every tool, so a damaged state allows less and never more. The JSON of
/// another version is an error that names both versions.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_session::options::ToolKind;
/// use skills_session::session::SessionState;
/// use skills_runtime::{Catalog, Surface};
/// use skills_session::Session;
/// use skills_session::options::Options;
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
/// let mut session = Session::new(Options::DEFAULT);
/// session.turn(&catalog, "$code-review the parser", Surface::User);
/// let stored = serde_json::to_string(&session.save())?;
///
/// let state: SessionState = serde_json::from_str(&stored)?;
/// let mut session = Session::restore(state, Options::DEFAULT);
/// session.set_tools([("read_file", ToolKind::Read), ("shell", ToolKind::Shell)]);
/// assert_eq!(session.active().len(), 1);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SessionState {
    #[serde(deserialize_with = "version")]
    version: u32,
    active: Vec<Active>,
    in_force: Vec<InForce>,
    for_next_turn: Vec<String>,
    /// The skills of whose end the model does not know yet.
    untold: Vec<String>,
    /// True if the profile's rules stand in the conversation.
    has_rules: bool,
}

impl Session {
    /// Gives what a host stores of the session.
    pub fn save(&self) -> SessionState {
        let mut in_force = self.in_force.clone();
        // Whoever restores the session is not known to be the person who started the skills.
        for rules in &mut in_force {
            rules.approves = false;
        }
        SessionState {
            version: VERSION,
            active: self.active.clone(),
            in_force,
            for_next_turn: self.for_next_turn.clone(),
            untold: self.untold.clone(),
            has_rules: self.rules.is_empty(),
        }
    }

    /// Continues a session from what was stored of it, under a dialect: that of before, or another. The host sets
    /// its tools and variables again.
    pub fn restore(state: SessionState, dialect: impl Dialect + 'static) -> Self {
        Self {
            rules: if state.has_rules {
                String::new()
            } else {
                dialect.rules()
            },
            dialect: Arc::new(dialect),
            active: state.active,
            in_force: state.in_force,
            for_next_turn: state.for_next_turn,
            untold: state.untold,
            tools: Tools::default(),
            told_missing: BTreeSet::new(),
            told_kinds: false,
            variables: BTreeMap::new(),
        }
    }
}

/// The version of the stored state.
const VERSION: u32 = 1;

fn version<'de, D: Deserializer<'de>>(state: D) -> Result<u32, D::Error> {
    match u32::deserialize(state)? {
        VERSION => Ok(VERSION),
        other => Err(de::Error::custom(format!(
            "the session was saved in version {other}; this program reads version {VERSION}"
        ))),
    }
}
