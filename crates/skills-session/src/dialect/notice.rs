//! Notices: messages for a person, about a mention or about the conversation.

use skills_format::mention::{Refusal, listed};
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
