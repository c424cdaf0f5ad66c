//! Notices: messages for a person, about a mention or about the conversation.

use skills_format::mention::{Refusal, Slash, listed};
use skills_format::text::distance::nearest;
use skills_format::text::shorten::one_line;
use skills_format::{Prose, prose};
use skills_runtime::{Notice as Mentioned, Outcome};
use std::borrow::Cow;
use std::fmt;

/// A short message for a person. `Display` writes the English text.
///
/// A front end can act on the outcomes of mentions, such as with a button that enables a skill. The other notices are
/// only shown.
///
/// ```
/// use skills_runtime::{Catalog, Outcome, Surface};
/// use skills_session::Dialect as _;
/// use skills_session::options::Options;
///
/// let catalog = Catalog::builder().load();
/// let resolution = Options::DEFAULT.resolve(&catalog, "$nope now", Surface::User);
/// let notice = &resolution.notices[0];
/// assert_eq!(notice.outcome(), Some(&Outcome::Unknown));
/// assert_eq!(
///     notice.to_string(),
///     "No skill named 'nope'. Run /skill list to see available skills."
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// The outcome of an id that starts no skill.
    Outcome(Mentioned),
    /// A skill is used.
    Using {
        /// The skill's id.
        skill: String,
    },
    /// `/skill` with a word that names no skill and is near a verb.
    NoRequest {
        /// The word as it was typed.
        id: String,
        /// The words of the request that is near: `enable`, then the words that followed.
        request: Vec<String>,
    },
    /// `/skill help`, or `/skill enable` and the like without an id.
    Help {
        /// The verb that lacks an id. `None`: the help is about all requests.
        verb: Option<String>,
    },
    /// Any other notice, which is only shown.
    Text(String),
}

/// The notice of a found skill is [`Notice::Using`].
impl From<Mentioned> for Notice {
    fn from(notice: Mentioned) -> Self {
        match notice.outcome {
            Outcome::Found { skill, .. } => Self::Using { skill },
            _ => Self::Outcome(notice),
        }
    }
}

impl Notice {
    /// Makes the notice of an id that no skill has.
    pub fn unknown(id: impl Into<String>) -> Self {
        Self::of(id, Outcome::Unknown)
    }

    /// Makes the notice of an id and its outcome.
    pub fn of(id: impl Into<String>, outcome: Outcome) -> Self {
        let id = id.into();
        Mentioned { id, outcome }.into()
    }

    /// Makes the notice of a skill that was found and cannot be started. The message of the error begins with the skill.
    pub(crate) fn not_started(why: impl fmt::Display) -> Self {
        Self::Text(format!("Not started: {why:#}."))
    }

    /// Returns the outcome of the id that the notice is about.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            Self::Outcome(notice) => Some(&notice.outcome),
            _ => None,
        }
    }

    /// Writes the notice with other commands instead of `/skill`. `command` writes a command from its words: `["list"]`,
    /// `["enable", ID]` or `["trust", ID]`.
    ///
    /// ```
    /// # use skills_session::Notice;
    /// let notice = Notice::unknown("nope");
    /// let words = notice.with_commands(|words| format!("agent skills {}", words.join(" ")));
    /// assert_eq!(
    ///     words.as_str(),
    ///     "No skill named 'nope'. Run agent skills list to see available skills."
    /// );
    /// ```
    pub fn with_commands<C: Into<Prose>>(&self, command: impl Fn(&[&str]) -> C) -> Prose {
        let list = || -> Prose { command(&["list"]).into() };
        match self {
            Self::Outcome(notice) => match &notice.outcome {
                Outcome::Unknown => prose!("{notice} Run {} to see available skills.", list()),
                Outcome::Refused {
                    skill,
                    why: Refusal::Disabled { unknown: None },
                } => prose!(
                    "{notice} Enable it with {}.",
                    command(&["enable", skill]).into()
                ),
                Outcome::Refused {
                    skill,
                    why: Refusal::Untrusted { changed },
                } => {
                    let what = if *changed { "it as it is" } else { "it" };
                    prose!(
                        "{notice} Trust {what} with {}.",
                        command(&["trust", skill]).into()
                    )
                }
                _ => prose!("{notice}"),
            },
            Self::NoRequest { id, request } => {
                let request: Vec<&str> = request.iter().map(String::as_str).collect();
                prose!(
                    "No skill named '{id}'. Did you mean {}?",
                    command(&request).into()
                )
            }
            Self::Help { verb: Some(verb) } => prose!(
                "/skill {verb} needs a skill: write /skill {verb} ID. Run {} to see available skills.",
                list()
            ),
            Self::Help { verb: None } => prose!(
                "{} shows the skills. With the ID of a skill: /skill run ID starts it, /skill enable ID and /skill \
                 disable ID switch it on and off, /skill trust ID and /skill untrust ID change whether you trust it, \
                 /skill stop ID ends it. /skill stop ends all active skills.",
                list()
            ),
            Self::Using { skill } => format!("Using skill: {skill}").into(),
            Self::Text(text) => text.as_str().into(),
        }
    }
}

/// Writes the first names of a list, and the number of further names. A name is text of a skill or a server.
pub(crate) fn names(names: &[String]) -> String {
    let names: Vec<Cow<'_, str>> = names.iter().map(|name| one_line(name)).collect();
    listed(&names)
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with_commands(|words| format!("/skill {}", words.join(" "))))
    }
}

/// Writes a notice as its text.
impl serde::Serialize for Notice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

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
