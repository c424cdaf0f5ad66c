//! Notices: messages for a person, about a mention or about the conversation.

use skills_format::mention::{Refusal, listed};
use skills_format::text::shorten::{one_line, shortened};
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
    /// The skill was found and cannot be started.
    Unavailable {
        /// The skill's id.
        skill: String,
        /// The reason, in words: the message of the [`Error`](skills_runtime::Error).
        why: String,
    },
    /// A skill that was started names tools that the host does not have. Given once a session for each skill.
    MissingTools {
        /// The skill's id.
        skill: String,
        /// The tools of `allowed-tools`, as the skill names them, or by the name that the host gives to them.
        tools: Vec<String>,
        /// The tools of `disallowed-tools`, by the same names: nothing was taken away for them. A name that
        /// stands for a kind is left out if every tool of the host has a kind.
        disallowed: Vec<String>,
        /// The host's tools without a kind, if the skill can mean them. Given once a session.
        without_kind: Vec<String>,
    },
    /// The message names several skills, and the person has to choose one.
    ChooseOne {
        /// The ids of these skills, in order of mention.
        skills: Vec<String>,
    },
    /// Active skills that may no longer be active.
    Ended {
        /// The ids of these skills, the latest last.
        skills: Vec<String>,
        /// What ended all of them.
        why: EndedBy,
    },
    /// A reload found other skills. Boxed, since the other notices are small.
    Reloaded(Box<Reload>),
    /// A skill that was started needs missing skills.
    MissingSkills {
        /// The skill's id.
        skill: String,
        /// The names as the skill writes them.
        missing: Vec<String>,
    },
    /// A skill that a person started approves no call, because its `allowed-tools` cannot be read strictly.
    ApprovesNothing {
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
    /// `/skill stop` ended skills.
    Stopped {
        /// The ids of these skills, the latest last. Empty: no skill was active.
        skills: Vec<String>,
    },
    /// `/skill stop ID` names no active skill.
    NotActive {
        /// The id as it was typed.
        id: String,
    },
    /// `/skill enable ID` was carried out.
    Enabled {
        /// The ids of the skills that are on now. Empty: the skill was not disabled.
        skills: Vec<String>,
        /// The qualified ids of skills of the same name that stay off.
        kept: Vec<String>,
    },
    /// `/skill trust ID` was carried out.
    Trusted {
        /// The skill's id.
        skill: String,
    },
    /// `/skill trust ID` cannot be carried out.
    NotTrusted {
        /// The reason, in words: the message of the [`Error`](skills_runtime::Error).
        why: String,
    },
    /// `/skill untrust ID` was carried out.
    Distrusted {
        /// The skill's id.
        skill: String,
        /// `false`: no person had trusted the skill.
        was_trusted: bool,
    },
    /// A skill of `/skill list`.
    Listed {
        /// The skill's id.
        skill: String,
        /// The skill's description.
        description: String,
        /// Why a person cannot start the skill now: `not trusted`, `disabled`, `needs …` and `only the model starts it`,
        /// with `; ` between them. Empty: a person can.
        state: String,
    },
}

/// The skills that a reload found. The ids are qualified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reload {
    /// The ids of new skills.
    pub added: Vec<String>,
    /// The ids of changed skills.
    pub changed: Vec<String>,
    /// The ids of removed skills.
    pub removed: Vec<String>,
    /// The ids of changed skills whose old text stands in the conversation.
    pub active: Vec<String>,
    /// The ids of changed skills with other typed arguments.
    pub arguments: Vec<String>,
    /// The changed files of active skills: the id and the path.
    pub files: Vec<(String, String)>,
}

/// What ended an active skill between two turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndedBy {
    /// The skill has gone from the catalog.
    Removed,
    /// The skill was disabled.
    Disabled,
    /// The skill is no longer trusted: its trust was withdrawn, or the skill has changed.
    Untrusted,
    /// The host no longer meets the needs of the skill.
    Ineligible,
}

impl EndedBy {
    /// Every reason, in the order of notices.
    pub(crate) const ALL: [Self; 4] = [
        Self::Removed,
        Self::Disabled,
        Self::Untrusted,
        Self::Ineligible,
    ];

    fn as_str(self) -> &'static str {
        match self {
            Self::Removed => "Removed",
            Self::Disabled => "Disabled",
            Self::Untrusted => "Not trusted now",
            Self::Ineligible => "Without what it needs now",
        }
    }
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
        Mentioned {
            id: id.into(),
            outcome,
        }
        .into()
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
            plain => plain.words().into(),
        }
    }

    /// Writes a notice without commands.
    fn words(&self) -> String {
        match self {
            Self::Using { skill } => format!("Using skill: {skill}"),
            // The message of the error begins with the skill.
            Self::Unavailable { why, .. } => format!("Not started: {why}."),
            Self::MissingTools {
                skill,
                tools,
                disallowed,
                without_kind,
            } => missing_tools(skill, tools, disallowed, without_kind),
            Self::ChooseOne { skills } => {
                let mut skills: Vec<String> = skills.iter().map(|id| format!("${id}")).collect();
                let last = skills.pop().unwrap_or_default();
                let first = skills.join(", ");
                format!("Choose one skill to lead this turn: {first} or {last}.")
            }
            Self::Ended { skills, why } => {
                let skills = skills.join(", ");
                format!("{}, and no longer active: {skills}.", why.as_str())
            }
            Self::Reloaded(reload) => reload.words(),
            Self::MissingSkills { skill, missing } => {
                format!("Skill '{skill}' needs missing skills: {}.", names(missing))
            }
            Self::ApprovesNothing { skill } => format!(
                "Skill '{skill}' approves no tool call: its tools are not written exactly. Write the key allowed-tools \
                 once, and each entry as the name of a tool or as Tool(pattern)."
            ),
            Self::Stopped { skills } if skills.is_empty() => "No skill is active.".to_owned(),
            Self::Stopped { skills } => format!("Stopped: {}.", skills.join(", ")),
            Self::NotActive { id } => format!("No skill named '{id}' is active."),
            Self::Enabled { skills, kept } => {
                let on = match skills.join(", ") {
                    none if none.is_empty() => "It was not disabled.".to_owned(),
                    skills => format!("Enabled: {skills}."),
                };
                match kept.join(", ") {
                    none if none.is_empty() => on,
                    kept => format!("{on} Still disabled: {kept}."),
                }
            }
            Self::Trusted { skill } => format!("Trusted: {skill}."),
            Self::NotTrusted { why } => format!("Not trusted: {why}."),
            Self::Distrusted {
                skill,
                was_trusted: true,
            } => format!("No longer trusted: {skill}."),
            Self::Distrusted { skill, .. } => format!("Skill '{skill}' was not trusted."),
            Self::Listed {
                skill,
                description,
                state,
            } => {
                /// The maximum number of characters of a description in a list of skills.
                const DESCRIPTION: usize = 100;
                let description = one_line(description);
                let description = shortened(&description, DESCRIPTION);
                match &**state {
                    "" => format!("{skill}: {description}"),
                    state => format!("{skill}: {description} ({state})"),
                }
            }
            Self::Outcome(_) | Self::NoRequest { .. } | Self::Help { .. } => self.to_string(),
        }
    }
}

fn missing_tools(
    skill: &str,
    tools: &[String],
    disallowed: &[String],
    without_kind: &[String],
) -> String {
    let mut parts = Vec::new();
    if !tools.is_empty() {
        parts.push(format!(
            "asks for tools that are not available: {}",
            names(tools)
        ));
    }
    if !disallowed.is_empty() {
        let it = if tools.is_empty() { "" } else { "it " };
        let taken = names(disallowed);
        parts.push(format!("{it}takes away tools that are not here: {taken}"));
    }
    let missing = format!("Skill '{skill}' {}.", parts.join("; "));
    if without_kind.is_empty() {
        return missing;
    }
    // For the author of the host: a person cannot give a tool its kind.
    let plain = names(without_kind);
    format!("{missing} The host gives no kind to these tools: {plain}.")
}

/// Writes the first names of a list, and the number of further names. A name is text of a skill or a server.
fn names(names: &[String]) -> String {
    let names: Vec<Cow<'_, str>> = names.iter().map(|name| one_line(name)).collect();
    listed(&names)
}

impl Reload {
    fn words(&self) -> String {
        let mut sentences = Vec::new();
        for (what, ids) in [
            ("New", &self.added),
            ("Changed", &self.changed),
            ("Removed", &self.removed),
        ] {
            let skills = if ids.len() == 1 { "skill" } else { "skills" };
            if !ids.is_empty() {
                sentences.push(format!("{what} {skills}: {}.", listed(ids)));
            }
        }
        let files = self.files.iter();
        let files: Vec<String> = files.map(|(id, path)| format!("{path} of {id}")).collect();
        let read_again = "If the model read it before, ask it to read again";
        for (what, which) in [
            ("Changed arguments", &self.arguments),
            ("To use the new text, start again", &self.active),
            (read_again, &files),
        ] {
            if !which.is_empty() {
                sentences.push(format!("{what}: {}.", listed(which)));
            }
        }
        sentences.join(" ")
    }
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
