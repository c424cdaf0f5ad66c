//! What is active in a conversation.

use crate::activation::Activation;
use crate::activation::narrow::{Narrowed, narrow};
use crate::profile::{Lifetime, Profile, Repeat};
use skills_format::ToolRule;

/// Remembers what is active in one conversation. Pure data: with the `serde` feature it is saved and
/// restored as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Session {
    lifetime: Lifetime,
    repeat: Repeat,
    /// Text that stands once before the first activation; empty when it was given.
    #[cfg_attr(feature = "serde", serde(default))]
    rules: String,
    /// The stack, the latest last.
    active: Vec<Active>,
}

/// A skill that is active.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Active {
    /// The id that found it.
    pub skill: String,
    /// The name of its source.
    pub source: String,
    /// What entered the conversation.
    pub text: String,
    /// Its arguments when it was last started.
    pub arguments: String,
    /// The tools that it declares, as `allowed-tools` writes them.
    pub allowed_tools: Vec<String>,
    /// Where the `ARGUMENTS:` line stands in `text`.
    arguments_line: (usize, usize),
}

/// What a host puts into the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Entered {
    /// The profile's rules, before the first activation of the session; empty: nothing.
    pub rules: String,
    /// The activation's text, or a reminder of it.
    pub text: String,
    /// Which of the two.
    pub kind: EnteredKind,
}

/// Whether an activation entered whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
pub enum EnteredKind {
    /// The text is the activation's.
    Whole,
    /// The text reminds of the one that is there.
    Reminder,
}

impl Session {
    /// A conversation in which nothing is active.
    pub fn new(profile: &Profile) -> Self {
        Self {
            lifetime: profile.lifetime,
            repeat: profile.repeat,
            rules: profile.rules(),
            active: Vec::new(),
        }
    }

    /// Makes a skill active, on top of the stack, and says what enters the conversation.
    pub fn enter(&mut self, activation: &Activation) -> Entered {
        let before = self
            .active
            .iter()
            .position(|active| {
                active.skill == activation.skill && active.source == activation.source
            })
            .map(|at| self.active.remove(at));
        let reminder = before
            .filter(|before| self.repeat == Repeat::Reminder && before.is_same_as(activation))
            .map(|_| reminder(activation));
        self.active.push(Active::new(activation));
        let kind = match reminder {
            Some(_) => EnteredKind::Reminder,
            None => EnteredKind::Whole,
        };
        Entered {
            rules: std::mem::take(&mut self.rules),
            text: reminder.unwrap_or_else(|| activation.text.clone()),
            kind,
        }
    }

    /// A new turn begins.
    pub fn next_turn(&mut self) {
        if self.lifetime == Lifetime::Turn {
            self.active.clear();
        }
    }

    /// Ends a skill. Whether it was active.
    pub fn leave(&mut self, skill: &str) -> bool {
        let before = self.active.len();
        self.active.retain(|active| active.skill != skill);
        self.active.len() < before
    }

    /// What is active, the latest last.
    pub fn active(&self) -> &[Active] {
        &self.active
    }

    /// What a host must keep word for word when it compacts the conversation: the texts of what is
    /// active, the latest last.
    pub fn retained(&self) -> impl Iterator<Item = &str> {
        self.active.iter().map(|active| active.text.as_str())
    }

    /// The tools that all active skills together leave.
    pub fn narrow<T: AsRef<str>>(&self, available: &[T]) -> Narrowed {
        let rules: Vec<Vec<ToolRule>> = self.active.iter().map(Active::rules).collect();
        narrow(rules.iter().map(Vec::as_slice), available)
    }
}

impl Active {
    fn new(activation: &Activation) -> Self {
        let line = &activation.arguments_line;
        Self {
            skill: activation.skill.clone(),
            source: activation.source.clone(),
            text: activation.text.clone(),
            arguments: activation.arguments.clone(),
            allowed_tools: activation
                .allowed_tools
                .iter()
                .map(ToString::to_string)
                .collect(),
            arguments_line: (line.start, line.end),
        }
    }

    fn rules(&self) -> Vec<ToolRule> {
        self.allowed_tools
            .iter()
            .filter_map(|rule| ToolRule::parse(rule))
            .collect()
    }

    /// Whether all but the arguments' line is the same.
    fn is_same_as(&self, activation: &Activation) -> bool {
        let (start, end) = self.arguments_line;
        let without = (
            self.text.get(..start).unwrap_or_default(),
            self.text.get(end..).unwrap_or_default(),
        );
        without == activation.without_arguments()
    }
}

fn reminder(activation: &Activation) -> String {
    let line = activation.text.get(activation.arguments_line.clone());
    let arguments = line.unwrap_or_default().trim_start_matches('\n');
    let separator = if arguments.is_empty() { "" } else { "\n" };
    format!(
        "The skill {} is active already: follow its instructions above.{separator}{arguments}",
        activation.skill
    )
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
