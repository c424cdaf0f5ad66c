//! What a person asks of the host with `/skill`.

use skills_format::mention::Slash;
use skills_format::text::distance::nearest;

/// A request of `/skill` or `/skills`.
///
/// The host carries out the request. [`Session::turn`](crate::Session::turn) carries out [`Request::Stop`] and
/// [`Request::Run`], and answers [`Request::Help`]: only a host without a session meets these three.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "meta", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Request {
    /// `/skill`, `/skill list`: list the skills, also the disabled, untrusted and ineligible ones, with the reason.
    List,
    /// `/skill enable ID`: switch a skill on.
    Enable {
        /// The skill's id. A command's name is replaced by the id of its skill.
        id: String,
    },
    /// `/skill disable ID`: switch a skill off.
    Disable {
        /// The skill's id. A command's name is replaced by the id of its skill.
        id: String,
    },
    /// `/skill trust ID`: trust a skill as it is.
    Trust {
        /// The skill's id. A command's name is replaced by the id of its skill.
        id: String,
    },
    /// `/skill untrust ID`: withdraw the trust in a skill.
    Untrust {
        /// The skill's id. A command's name is replaced by the id of its skill.
        id: String,
    },
    /// `/skill stop`, `/skill stop ID`: end the active skills, or one of them.
    Stop {
        /// The skill's id, as above. `None`: all active skills.
        id: Option<String>,
    },
    /// `/skill run ID ARGUMENTS`, `/skill ID ARGUMENTS`: start a skill. A skill whose command calls a tool
    /// gives a [`Dispatch`](crate::resolve::Dispatch) instead, as its command does.
    Run {
        /// The skill's id. A command's name is replaced by the id of its skill.
        id: String,
        /// The text after the id, without white space at its ends.
        arguments: String,
    },
    /// `/skill help`, or `/skill enable` and the like without an id: say how requests are typed.
    Help {
        /// The verb that lacks an id: `enable`, `disable`, `trust`, `untrust` or `run`. `None`: help about all requests.
        verb: Option<String>,
    },
}

/// Returns the text after `/skill` or `/skills`. Returns `None` for any other command. In `/skill:ID`, the colon
/// replaces the space.
pub(crate) fn after_skill<'t>(slash: &Slash<'t>) -> Option<&'t str> {
    let word = slash.name.split(':').next().unwrap_or_default();
    let is_ours = ["skill", "skills"]
        .iter()
        .any(|ours| word.eq_ignore_ascii_case(ours));
    let after = slash.text.get(word.len()..).filter(|_| is_ours)?;
    Some(after.strip_prefix(':').unwrap_or(after))
}

/// The words after `/skill` that are not the id of a skill.
const VERBS: [&str; 8] = [
    "list", "enable", "disable", "trust", "untrust", "run", "stop", "help",
];

/// Returns the request that a person means by `/skill enabel x`: `["enable", "x"]`. Returns `None` if the first word is
/// not near a verb.
pub(crate) fn meant_request(text: &str) -> Option<Vec<String>> {
    let (typed, rest) = first_word(after_skill(&Slash::parse(text)?)?);
    let verb = nearest(typed, VERBS).filter(|verb| *verb != typed)?;
    let rest = rest.split_whitespace().map(str::to_owned);
    Some(std::iter::once(verb.to_owned()).chain(rest).collect())
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
