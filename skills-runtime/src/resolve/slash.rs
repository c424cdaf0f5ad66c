//! Splits a text that begins with `/` into its words.

use crate::resolve::invocation::Request;
use crate::resolve::surface::Surface;
use skills_format::text::distance::nearest;

/// A text that begins with `/` and a name.
pub(crate) struct Slash<'t> {
    pub(crate) name: &'t str,
    /// The text after the name.
    pub(crate) rest: &'t str,
    /// The name and the rest.
    text: &'t str,
}

impl<'t> Slash<'t> {
    pub(crate) fn parse(text: &'t str) -> Option<Self> {
        let text = text.trim_start().strip_prefix('/')?;
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (name, rest) = text.split_at_checked(end)?;
        (!name.is_empty()).then_some(Self { name, rest, text })
    }

    /// Returns the text after `/skill` or `/skills`. Returns `None` for any other command. In `/skill:ID`, the colon
    /// replaces the space.
    pub(crate) fn request(&self) -> Option<&'t str> {
        let word = self.name.split(':').next().unwrap_or_default();
        let is_ours = ["skill", "skills"]
            .iter()
            .any(|ours| word.eq_ignore_ascii_case(ours));
        let after = self.text.get(word.len()..).filter(|_| is_ours)?;
        Some(after.strip_prefix(':').unwrap_or(after))
    }

    /// Returns whether the name is a word of letters, digits, `-`, `_` and `:`. A path such as `/usr/bin/env` is not.
    pub(crate) fn is_word(&self) -> bool {
        let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
        self.name.chars().all(is_of_word)
    }
}

/// The words after `/skill` that are not the id of a skill.
const VERBS: [&str; 8] = [
    "list", "enable", "disable", "trust", "untrust", "run", "stop", "help",
];

/// Returns the request that a person means by `/skill enabel x`: `["enable", "x"]`. Returns `None` if the first word is
/// not near a verb.
pub(crate) fn meant_request(text: &str) -> Option<Vec<String>> {
    let (typed, rest) = first_word(Slash::parse(text)?.request()?);
    let verb = nearest(typed, VERBS).filter(|verb| *verb != typed)?;
    let rest = rest.split_whitespace().map(str::to_owned);
    Some(std::iter::once(verb.to_owned()).chain(rest).collect())
}

/// Returns whether a text belongs to the host and is not scanned for mentions: the text has the form of
/// a slash command. A model's text is always scanned.
///
/// The form: optional white space, `/`, a word of letters, digits, `-`, `_` and `:`, then white space or the end. A path
/// such as `/usr/bin/env` does not have the form.
pub(crate) fn is_of_host(text: &str, surface: Surface) -> bool {
    surface != Surface::Model && Slash::parse(text).is_some_and(|slash| slash.is_word())
}

impl Request {
    /// Parses the text after `/skill`. `named` returns the id of the skill whose command has a name.
    pub(crate) fn parse(text: &str, named: &dyn Fn(&str) -> Option<String>) -> Self {
        let (verb, rest) = first_word(text);
        let (id, arguments) = first_word(rest);
        let meant = |id: &str| named(id).unwrap_or_else(|| id.to_owned());
        let given = || meant(id);
        match verb {
            "" | "list" => Self::List,
            "stop" => Self::Stop {
                id: (!id.is_empty()).then(given),
            },
            "help" => Self::Help { verb: None },
            "enable" | "disable" | "trust" | "untrust" | "run" if id.is_empty() => Self::Help {
                verb: Some(verb.to_owned()),
            },
            "enable" => Self::Enable { id: given() },
            "disable" => Self::Disable { id: given() },
            "trust" => Self::Trust { id: given() },
            "untrust" => Self::Untrust { id: given() },
            "run" => Self::Run {
                id: given(),
                arguments: arguments.to_owned(),
            },
            id => Self::Run {
                id: meant(id),
                arguments: rest.to_owned(),
            },
        }
    }
}

/// Returns the id in a request to run a skill, without `$`, and the text after the id as typed.
pub(crate) fn named_to_run(request: &str) -> (&str, &str) {
    let (id, rest) = match word(request) {
        ("run", rest) => word(rest),
        named => named,
    };
    (id.strip_prefix('$').unwrap_or(id), rest)
}

/// Returns the first word, and the text after the word as typed.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Returns the arguments of a tool call: the text without the white space after the command's name. One
/// line end at the end is removed, because it only ends the input.
pub(crate) fn verbatim(rest: &str) -> &str {
    let rest = rest.trim_start();
    let line = rest.strip_suffix("\r\n").or(rest.strip_suffix('\n'));
    line.unwrap_or(rest)
}

/// Returns the first word and the rest, both without white space at their ends.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}
