#![doc = include_str!("../../docs/conversation.md")]

pub use crate::dialect::ToolSpec;
pub use active::{Active, Entered};
pub use tool::call::{ToolError, ToolErrorKind};
pub use tool::{Answer, call_tool, tools};
pub use turn::{CallOutcome, Message, TurnOutcome};

use crate::activation::{Activation, Choices, joined};
use crate::dialect::Dialect;
use crate::options::{AllowedTools, Options};
use crate::session::active::{found, qualified, reminder, replaces};
use serde::{Deserialize as _, Deserializer, de};
use skills_permit::{
    Approved, InForce, Narrowed, Starter, Tools, approved, narrowed, taken_by, unknown,
};
use skills_runtime::Catalog;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

// A session takes the catalog with every call, because folders change during a conversation. Neither the dialect nor
// the host's tools and variables are stored with a session: a restored session must not bring back a tool that the
// host no longer has, or the choices of an older version of the host.

mod active;
#[cfg(test)]
mod in_force;
pub(crate) mod tool;
mod turn;

/// The active skills of one conversation: a stack with the latest skill on top.
///
/// A session is plain data. [`Session::save`] returns what a host stores with the conversation, and
/// [`Session::restore`] continues from it.
///
/// ```
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::{Catalog, Surface};
/// use skills_session::Session;
/// use skills_session::options::Options;
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
/// let mut session = Session::new(Options::DEFAULT);
///
/// let first = session.turn(&catalog, "$code-review the parser", Surface::User);
/// assert_eq!(first.started, ["code-review"]);
/// let again = session.turn(&catalog, "$code-review the lexer", Surface::User);
/// assert!(again.messages[0].text().ends_with("ARGUMENTS: the lexer"), "a reminder");
///
/// assert_eq!(session.active().len(), 1, "active for the conversation");
/// assert!(session.leave("code-review"));
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    dialect: Arc<dyn Dialect>,
    /// The dialect's text before the first activation, not rules of tools. Empty after that activation.
    rules: String,
    /// The stack, the latest skill last.
    active: Vec<Active>,
    /// The tool lists that are in force now, the latest last.
    in_force: Vec<InForce>,
    /// The skills that an answer of the model started, which stay active in the next turn.
    for_next_turn: Vec<String>,
    /// The skills that have ended, and of which the model does not know it yet.
    untold: Vec<String>,
    /// The host's tools. Not stored, because another program can restore the session.
    tools: Tools,
    /// The skills whose missing tools were reported, as `SOURCE:SKILL`. Not stored.
    told_missing: BTreeSet<String>,
    /// The values of the host's variables.
    variables: BTreeMap<String, String>,
}

impl Session {
    /// Starts a session without active skills.
    pub fn new(dialect: impl Dialect + 'static) -> Self {
        Self {
            rules: dialect.rules(),
            dialect: Arc::new(dialect),
            active: Vec::new(),
            in_force: Vec::new(),
            for_next_turn: Vec::new(),
            untold: Vec::new(),
            tools: Tools::default(),
            told_missing: BTreeSet::new(),
            variables: BTreeMap::new(),
        }
    }

    /// Returns the dialect of the session.
    pub fn dialect(&self) -> &dyn Dialect {
        &*self.dialect
    }

    pub(crate) fn options(&self) -> &Options {
        self.dialect.options()
    }

    /// Sets the host's tools, for [`Session::tools`] and [`Session::approved`]. Give each tool its kind: then `Read` in
    /// a skill means the host's own tool, and the skill's text ends with a table of these names. [`Tools::named`] takes
    /// plain names, which have the kinds that well-known programs give to them. The tools are not stored: a host that
    /// restores a session sets them again.
    ///
    /// Leave out the tools of [`Dialect::tools`]: `skill`, `list_skills` and `read_skill_resource`. A skill can
    /// take away every tool in this list, and without the tool `skill` the model starts no skill.
    ///
    /// ```
    /// # use skills_session::Session;
    /// # use skills_session::options::Options;
    /// use skills_session::options::ToolKind;
    ///
    /// let mut session = Session::new(Options::DEFAULT);
    /// session.set_tools([("read_file", ToolKind::Read), ("shell", ToolKind::Shell)]);
    /// assert!(session.tools().allows("read_file", "src/lib.rs"));
    /// ```
    pub fn set_tools(&mut self, tools: impl Into<Tools>) {
        self.tools = tools.into();
    }

    /// Sets the value of a variable such as `$FILE` or `$SELECTION`, by name without `$`. The value is
    /// inserted into the bodies of skills that list the name in `arguments`. The value is not stored.
    pub fn set_variable(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.variables.insert(name.into(), value.into());
    }

    /// Returns the choices of this session's activations.
    fn choices(&self) -> Choices<'_> {
        Choices {
            dialect: &*self.dialect,
            variables: &self.variables,
            tools: &self.tools,
        }
    }

    /// Returns the host's tools that the active skills still allow. Before each call that the model makes, ask
    /// [`Narrowed::allows`], and then [`Approved::admits`].
    pub fn tools(&self) -> Narrowed {
        self.still_allowed(&self.tools)
    }

    /// Returns the tools of `available` that the active skills still allow.
    fn still_allowed(&self, available: &Tools) -> Narrowed {
        let narrowing = if self.narrows() { &*self.in_force } else { &[] };
        let taken = self.in_force.iter().map(|rules| &*rules.denied);
        let mut left = taken.fold(narrowed(narrowing, available), Narrowed::without);
        left.unknown = unknown(&self.in_force, available);
        left
    }

    /// Returns whether the rules of `allowed-tools` take tools away.
    fn narrows(&self) -> bool {
        self.options().allowed_tools == AllowedTools::Narrows
    }

    /// Returns the ids of the active skills that take a call of one of the host's tools away, the latest last.
    pub fn taken_by(&self, tool: &str, input: &str) -> Vec<String> {
        taken_by(&self.in_force, self.narrows(), &self.tools, (tool, input))
    }

    /// Returns the host's tool that a skill means by a name: the tool of this name, the tool to which the profile maps
    /// the name, or the first tool of its kind.
    pub fn own_tool(&self, name: &str) -> Option<&str> {
        let own = |name: &str| {
            let mut tools = self.tools.iter().map(|(own, _)| own);
            tools.find(|own| *own == name)
        };
        let mapped = self.options().tool_names.of(name);
        let of_kind = || self.tools.of_kind_of(mapped).first().copied();
        own(name).or_else(|| own(mapped)).or_else(of_kind)
    }

    /// Returns the kind of a tool of the host.
    pub fn tool_kind(&self, tool: &str) -> crate::options::ToolKind {
        self.tools.kind_of(tool)
    }

    /// Returns the calls that the active skills approve now, for a gate.
    pub fn approved(&self) -> Approved {
        let approves = self.options().allowed_tools == AllowedTools::Approves;
        let approving = if approves { &*self.in_force } else { &[] };
        let names = &self.options().tool_names;
        approved(approving, &self.tools, &self.tools(), names)
    }

    /// Makes a skill active on top of the stack. Returns the text that enters the conversation.
    ///
    /// A skill of another source that is active under the same id ends: the later text replaces it. The text of that
    /// skill enters whole when it starts again.
    pub fn enter(&mut self, activation: &Activation) -> Entered {
        let active = std::mem::take(&mut self.active).into_iter();
        let (replaced, others): (Vec<_>, Vec<_>) =
            active.partition(|active| replaces(activation, &active.source, &active.skill));
        self.active = others;
        let mut replaced = replaced.into_iter();
        let before = replaced
            .find(|before| before.skill == activation.skill && before.source == activation.source);
        let reminder = before
            .filter(|before| self.options().reminders && before.is_same_as(activation))
            .map(|_| reminder(activation));
        self.active.push(Active::new(activation));
        // The later text replaces the text of the skill that has ended.
        let started = qualified(&activation.source, &activation.skill);
        self.untold.retain(|ended| *ended != started);
        self.put_in_force(activation);
        Entered {
            rules: std::mem::take(&mut self.rules),
            before: joined(&[&activation.preamble, &activation.note]),
            text: reminder.unwrap_or_else(|| activation.text.clone()),
        }
    }

    /// Adds the rules of a skill. A skill that a person starts replaces its own rules, and those of a skill of another
    /// source under the same id. The rules of a skill that the model started stay in force: otherwise a second start by
    /// the model could widen the tools.
    fn put_in_force(&mut self, activation: &Activation) {
        let now = in_force(activation);
        if now.by == Starter::Person {
            self.in_force
                .retain(|old| !replaces(activation, &old.source, &old.skill));
        }
        if !self.in_force.contains(&now) {
            self.in_force.push(now);
        }
    }

    /// Begins a turn. The tool lists of the skills end; with [`Options::lasts_one_turn`] the skills end too. The skills of the last
    /// answer ([`Session::answered`]) stay for this turn.
    pub(crate) fn next_turn(&mut self) {
        let kept = std::mem::take(&mut self.for_next_turn);
        let is_kept = |skill: &String| kept.contains(skill);
        if self.options().lasts_one_turn {
            self.active.retain(|active| is_kept(&active.skill));
        }
        // A person's start of the last turn ends with that turn, also if the answer names the same skill.
        self.in_force
            .retain(|rules| rules.by == Starter::Model && is_kept(&rules.skill));
    }

    /// Ends a skill, given by its id, and its tool lists. Returns whether the skill was active. Its text
    /// stays in the conversation: the host removes the text, or adds a message that the skill has ended.
    pub fn leave(&mut self, skill: &str) -> bool {
        let before = self.active.len();
        self.active.retain(|active| active.skill != skill);
        self.in_force.retain(|rules| rules.skill != skill);
        self.for_next_turn.retain(|kept| kept != skill);
        self.active.len() < before
    }

    /// Ends the skills that may no longer be active: skills that were disabled, lost their trust or
    /// eligibility, or were removed. Returns the ids to show a person and what ended each, the latest last. The id has
    /// the source if the bare name now means a skill of another source. The next messages of a turn tell the model.
    /// Call it when the catalog has changed.
    ///
    /// # Cost
    ///
    /// A look-up for each active skill.
    pub fn reconcile(&mut self, catalog: &Catalog) -> Vec<(String, &'static str)> {
        let [removed, disabled, untrusted, ineligible] = REASONS;
        let ended_by = |source: &str, skill: &str| match found(catalog, source, skill) {
            None => Some(removed),
            Some(skill) if !skill.is_enabled() => Some(disabled),
            Some(skill) if !skill.is_trusted() => Some(untrusted),
            Some(skill) if !skill.missing().is_empty() => Some(ineligible),
            Some(_) => None,
        };
        let (mut gone, mut untold, mut ended) = (Vec::new(), Vec::new(), Vec::new());
        for active in &self.active {
            if let Some(by) = ended_by(&active.source, &active.skill) {
                let other = catalog.get(&active.skill);
                let other = other.filter(|entry| entry.source() != active.source);
                let shown = match other {
                    Some(_) => format!("{}:{}", active.source, active.skill),
                    None => active.skill.clone(),
                };
                gone.push(active.skill.clone());
                untold.push(active.qualified_id());
                ended.push((shown, by));
            }
        }
        self.in_force
            .retain(|rules| ended_by(&rules.source, &rules.skill).is_none());
        // With the rules of skills that these skills had replaced.
        for skill in &gone {
            self.leave(skill);
        }
        self.note_ended(untold);
        ended
    }

    /// Returns the active skills, the latest last.
    pub fn active(&self) -> &[Active] {
        &self.active
    }

    /// Does the same as [`Session::tools`] for these tools in place of those of [`Session::set_tools`]. If
    /// the profile narrows, the tools of all skills that a person started stay allowed: see
    /// `skills_permit`'s `narrow`. Each skill that the model started only narrows further,
    /// so that a model cannot leave the limits of one skill by starting another.
    pub fn narrow<T: AsRef<str>>(&self, available: &[T]) -> Narrowed {
        self.still_allowed(&Tools::named(available.iter().map(AsRef::as_ref)))
    }
}

/// What can end an active skill between two turns, in the order of the notices.
const REASONS: [&str; 4] = [
    "Removed",
    "Disabled",
    "Not trusted now",
    "Without what it needs now",
];

/// Returns the lists of a skill.
fn in_force(activation: &Activation) -> InForce {
    InForce {
        skill: activation.skill.clone(),
        source: activation.source.clone(),
        by: activation.started_by,
        rules: activation.allowed_tools.to_vec(),
        denied: activation.disallowed_tools.to_vec(),
        approves: activation.approves,
        beyond_lock: activation.beyond_lock.to_vec(),
    }
}

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
        let mut session = Self {
            active: state.active,
            in_force: state.in_force,
            for_next_turn: state.for_next_turn,
            untold: state.untold,
            ..Self::new(dialect)
        };
        if state.has_rules {
            session.rules.clear();
        }
        session
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

#[cfg(test)]
mod tests;
#[cfg(test)]
mod twins;
#[cfg(test)]
mod ways;
