//! The answers to the page, as JSON.

use serde::Serialize;
use skills_format::Power;

/// The answer of [`Playground::check`](crate::Playground::check).
#[derive(Serialize)]
pub(crate) struct CheckAnswer<'p> {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    /// The number of findings that a comment suppressed.
    pub(crate) suppressed: usize,
    /// The numbers of findings with a fix, by kind.
    pub(crate) safe: usize,
    pub(crate) guesses: usize,
    /// The first findings, in the order in which the program prints them.
    pub(crate) findings: Vec<FindingAnswer<'p>>,
    /// The number of further findings.
    pub(crate) more: usize,
    pub(crate) skills: Vec<SkillAnswer>,
}

/// One finding.
#[derive(Serialize)]
pub(crate) struct FindingAnswer<'p> {
    /// The number for [`Playground::fix`](crate::Playground::fix).
    pub(crate) index: usize,
    pub(crate) rule: &'static str,
    /// The condition that must hold.
    pub(crate) summary: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) path: &'p str,
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// The place in UTF-16 code units, as a text area counts. `None`: the whole file or folder.
    pub(crate) place: Option<[usize; 2]>,
    pub(crate) message: String,
    pub(crate) help: String,
    /// `safe` or `guess`.
    pub(crate) fix: Option<&'static str>,
}

/// One skill.
#[derive(Serialize)]
pub(crate) struct SkillAnswer {
    /// The folder, relative to what was opened; empty if that is the skill.
    pub(crate) dir: String,
    /// The path of the `SKILL.md`.
    pub(crate) path: String,
    /// `None`: no program could read the file as a skill.
    pub(crate) name: Option<String>,
    pub(crate) description: String,
    /// The estimated length of the instructions.
    pub(crate) tokens: usize,
    pub(crate) files: usize,
}

/// The answer to a fix: the changed files.
#[derive(Serialize)]
pub(crate) struct FixAnswer {
    pub(crate) fixed: usize,
    pub(crate) changed: Vec<ChangedFile>,
}

/// A changed or created file.
#[derive(Serialize)]
pub(crate) struct ChangedFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A skill as a client sees it.
#[derive(Serialize)]
pub(crate) struct ClientAnswer<'c> {
    pub(crate) name: &'c str,
    pub(crate) title: &'c str,
    /// The author closed the skill to the model.
    pub(crate) closed: bool,
    /// `None`: the list of the client is not known.
    pub(crate) list: Option<ListAnswer<'c>>,
    /// The differences between what the author wrote and what the client does.
    pub(crate) differences: Vec<DifferenceAnswer>,
    /// `None`: how the client starts a skill is not known.
    pub(crate) start: Option<StartAnswer>,
}

/// The skill in a client's list.
#[derive(Serialize)]
pub(crate) struct ListAnswer<'c> {
    /// `whole`, `shortened`, `bare`, `gone` (no room) or `unlisted` (closed, or not read).
    pub(crate) shown: &'static str,
    /// The line that the model reads.
    pub(crate) line: String,
    /// The numbers of characters of the description: what is shown, and what was written.
    pub(crate) characters: [usize; 2],
    pub(crate) source: &'c str,
    pub(crate) seen: &'c str,
}

/// One difference.
#[derive(Serialize)]
pub(crate) struct DifferenceAnswer {
    pub(crate) rule: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) line: usize,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// The effect of a typed text.
#[derive(Serialize)]
pub(crate) struct StartAnswer {
    /// The text as the person types it.
    pub(crate) typed: String,
    pub(crate) notices: Vec<String>,
    pub(crate) messages: Vec<MessageAnswer>,
}

/// A message to the model.
#[derive(Serialize)]
pub(crate) struct MessageAnswer {
    /// `system`, `user` or `tool`.
    pub(crate) place: &'static str,
    pub(crate) text: String,
}

/// The meaning of a message.
#[derive(Serialize)]
pub(crate) struct MeaningAnswer {
    /// The mentions, in the order of the text.
    pub(crate) mentions: Vec<MentionAnswer>,
    /// `plain`, `activate`, `choose-one` or `command`.
    pub(crate) effect: &'static str,
    pub(crate) activated: Vec<String>,
    /// The notices for the person.
    pub(crate) notices: Vec<String>,
    /// The rest of the message, for the model.
    pub(crate) task: String,
    pub(crate) messages: Vec<MessageAnswer>,
}

/// A mention.
#[derive(Serialize)]
pub(crate) struct MentionAnswer {
    /// The place in UTF-16 code units.
    pub(crate) place: [usize; 2],
    pub(crate) outcome: &'static str,
    /// The skill that is named, or the nearest name.
    pub(crate) skill: Option<String>,
    /// The skills of which a person has to choose one.
    pub(crate) candidates: Vec<String>,
}

/// What a skill may do.
#[derive(Serialize)]
pub(crate) struct PowersAnswer {
    pub(crate) powers: Vec<Power>,
}

/// Writes an answer. The types above have only texts as keys, so that no answer fails.
pub(crate) fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).unwrap_or_else(|_| "null".to_owned())
}
