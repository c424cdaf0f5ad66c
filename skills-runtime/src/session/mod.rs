#![doc = include_str!("../../docs/conversation.md")]

// A session takes the catalog with every call, because folders change during a conversation. Neither the profile nor
// the host's tools and variables are stored with a session: a restored session must not bring back a tool that the
// host no longer has, or the choices of an older version of the host.

mod active;
mod answer;
#[cfg(feature = "tool")]
mod call;
mod entered;
mod in_force;
mod state;
#[cfg(feature = "tool")]
pub(crate) mod tool;
mod turn;

pub use active::Active;
#[cfg(feature = "tool")]
pub use call::CallOutcome;
pub use entered::{Entered, EnteredKind};
pub use state::SessionState;
#[cfg(feature = "tool")]
pub use tool::Answer;
#[cfg(feature = "tool")]
pub use tool::error::{ToolError, ToolErrorKind};
#[cfg(feature = "tool")]
pub use tool::spec::ToolSpec;
pub use turn::{Message, TurnOutcome};

use crate::activation::narrow::Narrowed;
use crate::activation::{Activation, Starter};
use crate::catalog::Catalog;
use crate::options::activation::ActivationOptions;
use crate::options::allowed_tools::AllowedTools;
use crate::profile::{Lifetime, Narrowing, Profile, Repeat};
use crate::session::active::reminder;
use crate::session::in_force::{InForce, narrowed};
use std::collections::BTreeMap;

/// The active skills of one conversation: a stack with the latest skill on top.
///
/// A session is plain data. [`Session::save`] returns what a host stores with the conversation, and
/// [`Session::restore`] continues from it.
///
/// ```
/// # #[cfg(feature = "macros")] {
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::{Catalog, Profile, Session};
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
/// let profile = Profile::DEFAULT;
/// let mut session = Session::new(profile.clone());
/// let skill = catalog.get("code-review").expect("a bundled skill");
///
/// let activation = skill.activate("the parser", &profile.activation())?;
/// assert_eq!(session.enter(&activation).text, activation.text);
/// let again = session.enter(&skill.activate("the lexer", &profile.activation())?);
/// assert!(again.text.ends_with("ARGUMENTS: the lexer"));
///
/// session.next_turn();
/// assert_eq!(session.active().len(), 1, "active for the conversation");
/// assert!(session.leave("code-review"));
/// # }
/// # Ok::<(), skills_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    profile: Profile,
    /// The rules that precede the first activation. Empty after that activation.
    rules: String,
    /// The stack, the latest skill last.
    active: Vec<Active>,
    /// The rules that narrow the tools now, the latest last.
    in_force: Vec<InForce>,
    /// The skills that an answer of the model started, which stay active in the next turn.
    for_next_turn: Vec<String>,
    /// The host's tools. Not stored, because another program can restore the session.
    tools: Vec<String>,
    /// The values of the host's variables.
    variables: BTreeMap<String, String>,
}

impl Session {
    /// Starts a session without active skills.
    pub fn new(profile: Profile) -> Self {
        Self {
            rules: profile.rules(),
            profile,
            active: Vec::new(),
            in_force: Vec::new(),
            for_next_turn: Vec::new(),
            tools: Vec::new(),
            variables: BTreeMap::new(),
        }
    }

    /// Returns the profile of the session.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Sets the names of the host's tools, for [`TurnOutcome::tools`]. The tools are not stored: a host
    /// that restores a session sets them again, and then calls [`Session::narrow`].
    ///
    /// Leave out the tools of `Catalog::tools`. A skill narrows every tool in this list, also a tool for
    /// skills. A tool that is not in the list is never narrowed, so the model can always start skills.
    pub fn set_tools<T: Into<String>>(&mut self, tools: impl IntoIterator<Item = T>) {
        self.tools = tools.into_iter().map(Into::into).collect();
    }

    /// Sets the value of a variable such as `$FILE` or `$SELECTION`, by name without `$`. The value is
    /// inserted into the bodies of skills that list the name in `arguments`. The value is not stored.
    pub fn set_variable(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.variables.insert(name.into(), value.into());
    }

    /// Returns the options of this session's activations.
    fn options(&self) -> ActivationOptions {
        ActivationOptions {
            variables: self.variables.clone(),
            ..self.profile.activation()
        }
    }

    /// Returns the host's tools that are still allowed.
    fn left(&self) -> Narrowed {
        self.narrow(&self.tools)
    }

    /// Makes a skill active on top of the stack. Returns the text that enters the conversation.
    ///
    /// The session shares the text of the activation: it is not copied.
    pub fn enter(&mut self, activation: &Activation) -> Entered {
        let before = self
            .active
            .iter()
            .position(|active| {
                active.skill == activation.skill && active.source == activation.source
            })
            .map(|at| self.active.remove(at));
        let reminder = before
            .filter(|before| {
                self.profile.repeat == Repeat::Reminder && before.is_same_as(activation)
            })
            .map(|_| reminder(activation));
        self.active.push(Active::new(activation));
        self.put_in_force(activation);
        Entered::new(std::mem::take(&mut self.rules), reminder, activation)
    }

    /// Adds the rules of a skill. A skill that a person starts replaces its own rules. The rules of a
    /// skill that the model started stay in force: otherwise a second start by the model could widen the
    /// tools.
    fn put_in_force(&mut self, activation: &Activation) {
        let now = InForce {
            skill: activation.skill.clone(),
            source: activation.source.clone(),
            by: activation.started_by,
            rules: activation.allowed_tools.to_vec(),
        };
        if now.by == Starter::Person {
            let is_it = |old: &InForce| old.skill == now.skill && old.source == now.source;
            self.in_force.retain(|old| !is_it(old));
        }
        if !self.in_force.contains(&now) {
            self.in_force.push(now);
        }
    }

    /// Begins a turn. With [`Lifetime::Turn`] all skills end. With [`Narrowing::Turn`] the skills no
    /// longer narrow the tools. The skills of the last answer ([`Session::answered`]) stay for this
    /// turn.
    pub fn next_turn(&mut self) {
        let kept = std::mem::take(&mut self.for_next_turn);
        let is_kept = |skill: &String| kept.contains(skill);
        if self.profile.lifetime == Lifetime::Turn {
            self.active.retain(|active| is_kept(&active.skill));
        }
        if self.profile.lifetime == Lifetime::Turn || self.profile.narrowing == Narrowing::Turn {
            // A person's start of the last turn ends with that turn, also if the answer names the same
            // skill.
            self.in_force
                .retain(|rules| rules.by == Starter::Model && is_kept(&rules.skill));
        }
    }

    /// Ends a skill, given by its id, and its narrowing. Returns whether the skill was active. Its text
    /// stays in the conversation: the host removes the text, or adds a message that the skill has ended.
    pub fn leave(&mut self, skill: &str) -> bool {
        let before = self.active.len();
        self.active.retain(|active| active.skill != skill);
        self.in_force.retain(|rules| rules.skill != skill);
        self.for_next_turn.retain(|kept| kept != skill);
        self.active.len() < before
    }

    /// Ends all skills and their narrowing, as `/skill stop` asks. Returns whether a skill was active.
    pub fn leave_all(&mut self) -> bool {
        self.in_force.clear();
        self.for_next_turn.clear();
        let was_active = !self.active.is_empty();
        self.active.clear();
        was_active
    }

    /// Ends the skills that may no longer be active: skills that were disabled, lost their trust or
    /// eligibility, or were removed. Returns their ids, the latest last. Call it when the catalog has
    /// changed.
    ///
    /// # Cost
    ///
    /// A look-up for each active skill.
    pub fn reconcile(&mut self, catalog: &Catalog) -> Vec<String> {
        let stays = |source: &str, skill: &str| {
            let own = skill.rsplit_once(':').filter(|(of, _)| *of == source);
            let name = own.map_or(skill, |(_, name)| name);
            let entry = catalog.in_source(source, name);
            let entry = entry.or_else(|| catalog.scheduled()?.in_source(source, name));
            entry.is_some_and(|entry| {
                entry.is_trusted() && entry.is_enabled() && entry.is_eligible()
            })
        };
        let mut ended = Vec::new();
        self.active.retain(|active| {
            let stays = stays(&active.source, &active.skill);
            if !stays {
                ended.push(active.skill.clone());
            }
            stays
        });
        self.in_force
            .retain(|rules| stays(&rules.source, &rules.skill));
        ended
    }

    /// Returns the active skills, the latest last.
    pub fn active(&self) -> &[Active] {
        &self.active
    }

    /// Iterates over the texts that a host must keep verbatim when it compacts the conversation: the
    /// texts of the active skills, the latest last.
    pub fn retained(&self) -> impl Iterator<Item = &str> {
        self.active.iter().map(|active| &*active.text)
    }

    /// Narrows the host's tools. The tools of all skills that a person started stay allowed: see
    /// [`narrow`](crate::activation::narrow()). Each skill that the model started only narrows further,
    /// so that a model cannot leave the limits of one skill by starting another.
    pub fn narrow<T: AsRef<str>>(&self, available: &[T]) -> Narrowed {
        let in_force = match (self.profile.allowed_tools, self.profile.narrowing) {
            (AllowedTools::Narrows, Narrowing::Turn | Narrowing::Lifetime) => {
                self.in_force.as_slice()
            }
            _ => &[],
        };
        narrowed(in_force, available)
    }
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
