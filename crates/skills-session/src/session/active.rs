//! The skills that are active in a conversation.

use crate::activation::{Activation, joined};
use skills_format::mention::Id;
use skills_format::{Digest, ToolRule};

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
    /// The digest of what the skill gave the model. `None`: it is not known.
    pub(super) given: Option<Digest>,
    /// The other files of a bundled skill when it started, each with its digest.
    pub(super) files: Vec<(String, Digest)>,
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
            given: activation.given,
            files: activation.files.clone(),
        }
    }

    /// Returns whether the activation takes the place of this skill: it has the same id, or it is the same skill under
    /// another id.
    pub(crate) fn is_replaced_by(&self, activation: &Activation) -> bool {
        replaces(activation, &self.source, &self.skill)
    }

    /// Returns whether the activation has the same text, apart from the `ARGUMENTS:` line.
    pub(crate) fn is_same_as(&self, activation: &Activation) -> bool {
        let (start, end) = self.arguments_line;
        let without = (
            self.text.get(..start).unwrap_or_default(),
            self.text.get(end..).unwrap_or_default(),
        );
        without == activation.without_arguments()
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

/// The text that a host adds to the conversation: [`Entered::message`], or its parts.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Entered {
    /// The profile's rules, before the first activation of the session. Empty: no rules.
    pub rules: String,
    /// The line before the text, in the user's turn: [`Activation::preamble`]. Empty: no line.
    pub preamble: String,
    /// The host's note about this run: [`Activation::note`]. Empty: no note.
    pub note: String,
    /// The activation's text, or a reminder of the skill.
    pub text: String,
    /// The kind of `text`: the whole activation or a reminder.
    pub kind: EnteredKind,
}

/// The form in which an activation entered the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum EnteredKind {
    /// The text of the activation.
    Whole,
    /// A reminder: the conversation already holds the text of the activation.
    Reminder,
}

impl Entered {
    pub(crate) fn new(rules: String, reminder: Option<String>, activation: &Activation) -> Self {
        let kind = match reminder {
            Some(_) => EnteredKind::Reminder,
            None => EnteredKind::Whole,
        };
        Self {
            rules,
            preamble: activation.preamble.clone(),
            note: activation.note.clone(),
            text: reminder.unwrap_or_else(|| activation.text.clone()),
            kind,
        }
    }

    /// Joins the rules, the preamble, the note and the text into one message of the user.
    pub fn message(&self) -> String {
        joined(&[&self.rules, &self.preamble, &self.note, &self.text])
    }

    /// Joins the parts before the text in the user's turn. Empty: there are no such parts.
    pub(crate) fn before(&self) -> String {
        joined(&[&self.preamble, &self.note])
    }

    /// Joins the parts that belong to the user's turn.
    pub(crate) fn in_turn(self) -> String {
        let before = self.before();
        if before.is_empty() {
            self.text
        } else {
            joined(&[&before, &self.text])
        }
    }
}
