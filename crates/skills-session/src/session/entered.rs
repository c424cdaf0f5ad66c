//! The text that an activation adds to a conversation.

// A reminder with the `ARGUMENTS:` line replaces the activation if only that line differs from an
// earlier activation. If the profile's lifetime is a turn, the session forgets its skills at the end of
// the turn.

use crate::activation::{Activation, lead};
use crate::text::{SEPARATOR, SharedText};

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
    pub text: SharedText,
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
            text: reminder.map_or_else(|| activation.text.clone(), SharedText::from),
            kind,
        }
    }

    /// Joins the rules, the preamble, the note and the text into one message of the user.
    pub fn message(&self) -> String {
        let parts = [&*self.rules, &lead(&self.preamble, &self.note), &self.text];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(SEPARATOR)
    }

    /// Joins the parts before the text in the user's turn. Empty: there are no such parts.
    pub(crate) fn before(&self) -> String {
        lead(&self.preamble, &self.note)
    }

    /// Joins the parts that belong to the user's turn. Copies no text of an activation.
    pub(crate) fn in_turn(&self) -> SharedText {
        self.text.led_by(&self.before())
    }
}
