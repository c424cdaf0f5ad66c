//! The skills that are active in a conversation.

use crate::activation::{Activation, joined};
use crate::scheduled::scheduled;
use skills_format::ToolRule;
use skills_format::mention::Id;
use skills_runtime::{Catalog, Skill};

/// An active skill.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Active {
    /// The skill's id.
    pub skill: String,
    /// The name of the skill's source.
    pub source: String,
    /// The text that entered the conversation.
    pub text: String,
    /// The arguments of the last start.
    pub arguments: String,
    /// The rules of the skill's `allowed-tools`. A stored session holds them in the syntax of a
    /// `SKILL.md`.
    #[serde(with = "skills_permit::as_written")]
    pub allowed_tools: Vec<ToolRule>,
    /// The start and the end of the `ARGUMENTS:` line in `text`.
    arguments_line: (usize, usize),
}

impl Active {
    /// Returns the name of the skill with its source: `source:name`.
    pub fn qualified_id(&self) -> String {
        qualified(&self.source, &self.skill)
    }

    pub(crate) fn new(activation: &Activation) -> Self {
        let line = &activation.arguments_line;
        Self {
            skill: activation.skill.clone(),
            source: activation.source.clone(),
            text: activation.text.clone(),
            arguments: activation.arguments.clone(),
            allowed_tools: activation.allowed_tools.to_vec(),
            arguments_line: (line.start, line.end),
        }
    }

    /// Returns whether the activation has the same text, apart from the `ARGUMENTS:` line.
    pub(crate) fn is_same_as(&self, activation: &Activation) -> bool {
        let ((start, end), line) = (self.arguments_line, &activation.arguments_line);
        let (ours, theirs) = (&self.text, &activation.text);
        ours.get(..start) == theirs.get(..line.start) && ours.get(end..) == theirs.get(line.end..)
    }
}

/// Returns whether an activation takes the place of a skill of a source. Under one id the model reads the latest text
/// alone, so that two skills of two sources never share the id in a session.
pub(crate) fn replaces(activation: &Activation, source: &str, skill: &str) -> bool {
    let is_same =
        || activation.source == source && name(source, &activation.skill) == name(source, skill);
    activation.skill == skill || is_same()
}

/// Returns the id of a skill of a source, with the source: `source:name`.
pub(crate) fn qualified(source: &str, id: &str) -> String {
    Id::of(source, name(source, id)).to_string()
}

/// Finds a skill of a source, also a scheduled one.
pub(crate) fn found<'c>(catalog: &'c Catalog, source: &str, id: &str) -> Option<Skill<'c>> {
    let id = qualified(source, id);
    let skill = catalog.get(&id);
    skill.or_else(|| scheduled(catalog)?.get(&id))
}

/// Returns the name of a skill of a source: its id, without the source.
pub(crate) fn name<'i>(source: &str, id: &'i str) -> &'i str {
    match Id::parse(id) {
        Id {
            source: Some(of),
            name,
        } if of == source => name,
        _ => id,
    }
}

/// Writes the line that replaces an activation whose text the conversation already holds.
pub(crate) fn reminder(activation: &Activation) -> String {
    let line = activation.text.get(activation.arguments_line.clone());
    let arguments = line.unwrap_or_default().trim_start_matches('\n');
    let separator = if arguments.is_empty() { "" } else { "\n" };
    // As the text above names the skill, which has no id.
    let skill = match name(&activation.source, &activation.skill) {
        name if name == activation.skill => name.to_owned(),
        name => format!("{name} (source {})", activation.source),
    };
    format!(
        "The skill {skill} is active already: follow its instructions above.{separator}{arguments}"
    )
}

// A reminder with the `ARGUMENTS:` line replaces the activation if only that line differs from an
// earlier activation. If the profile's lifetime is a turn, the session forgets its skills at the end of
// the turn.

/// The text that a host adds to the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entered {
    /// The profile's rules, before the first activation of the session. Empty: no rules.
    pub rules: String,
    /// What stands before the text in the user's turn: [`Activation::preamble`] and [`Activation::note`].
    pub before: String,
    /// The activation's text, or a reminder of the skill.
    pub text: String,
}

impl Entered {
    /// Joins the parts that belong to the user's turn.
    pub(crate) fn in_turn(&self) -> String {
        joined(&[&self.before, &self.text])
    }
}
