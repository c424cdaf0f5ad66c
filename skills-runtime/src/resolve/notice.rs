//! Notices: messages for a person about a mention, as typed parts and as text.

use crate::resolve::outcome::{NearKind, Outcome};
use crate::resolve::surface::Surface;
use crate::text::shorten::{one_line, shortened};
use skills_format::{Prose, prose};
use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// The maximum number of candidates that a notice about an ambiguous mention lists.
const LISTED: usize = 5;
/// The most characters of a description in a list of skills.
const LISTED_DESCRIPTION: usize = 100;

/// A short message for a person. `Display` writes the English text.
///
/// The variants here are those that a front end can act on, such as a button that enables a skill. The other notices
/// only tell: a host shows their text. A host that translates reads the parts of any notice from its JSON (feature
/// `serde`), whose kinds are in the table of the chapter [`resolve`](crate::resolve).
///
/// ```
/// use skills_runtime::{Catalog, Notice, Profile, Surface};
///
/// let catalog = Catalog::builder().load().catalog;
/// let resolution = catalog.resolve("$nope now", Surface::User, &Profile::DEFAULT);
/// let notice = &resolution.notices[0];
/// assert_eq!(*notice, Notice::Unknown { id: "nope".to_owned() });
/// assert_eq!(
///     notice.to_string(),
///     "No skill named 'nope'. Run /skill list to see available skills."
/// );
/// ```
// A host prints these notices and decides nothing by the hidden variants, which only the packages of this repository
// match. The enum is non-exhaustive, so a host has an arm for them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// A skill is used.
    Using {
        /// The skill's id.
        skill: String,
    },
    /// No skill has the id.
    Unknown {
        /// The id as it was typed.
        id: String,
    },
    /// No skill has the id, and one skill is near it.
    Suggestion {
        /// The id as it was typed.
        id: String,
        /// The id of the near skill.
        suggestion: String,
    },
    /// Several skills have the id or are near it.
    Ambiguous {
        /// The id as it was typed.
        id: String,
        /// The ids of these skills, in order.
        candidates: Arc<[String]>,
        /// The id to offer first.
        use_id: String,
        /// The kind of near match. `None`: the skills have exactly the id.
        kind: Option<NearKind>,
    },
    /// The skill is disabled.
    Disabled {
        /// The skill's id.
        skill: String,
    },
    /// The skill's source is not trusted.
    Untrusted {
        /// The skill's id.
        skill: String,
    },
    /// The host does not meet the skill's needs.
    Ineligible {
        /// The skill's id.
        skill: String,
        /// The needs that are not met, in words.
        needs: Vec<String>,
    },
    /// Only the model may start the skill of a mention.
    #[doc(hidden)]
    ModelOnly {
        /// The skill's id.
        skill: String,
    },
    /// Only the model may start the skill of a slash command.
    #[doc(hidden)]
    ModelOnlyCommand {
        /// The skill's id.
        skill: String,
    },
    /// A slash command is near one skill, or names several.
    #[doc(hidden)]
    AmbiguousCommand {
        /// The command's name as it was typed, without `/`.
        name: String,
        /// The text to type for each skill, in order: its command with `/`, or its id with `$` when it
        /// has no command.
        candidates: Vec<String>,
        /// The text to offer first.
        use_id: String,
        /// The kind of near match. `None`: the skills have exactly the name.
        kind: Option<NearKind>,
    },
    /// Only a person may start the skill.
    UserOnly {
        /// The skill's id.
        skill: String,
    },
    /// The skill was found and cannot be started.
    Unavailable {
        /// The skill's id.
        skill: String,
        /// The reason, in words: the message of the [`Error`](crate::Error).
        why: String,
    },
    /// The message names more skills than the policy allows.
    #[doc(hidden)]
    TooMany {
        /// The maximum number of skills that the policy allows.
        limit: usize,
        /// The ids of the ignored skills, in order.
        ignored: Vec<String>,
    },
    /// The message names several skills, and the person has to choose one.
    #[doc(hidden)]
    ChooseOne {
        /// The ids of these skills, in order of mention.
        skills: Vec<String>,
    },
    /// Active skills that may no longer be active.
    #[doc(hidden)]
    Ended {
        /// The ids of these skills, the latest last.
        skills: Vec<String>,
        /// What ended all of them.
        why: EndedBy,
    },
    /// `/skill` with a word that names no skill and is near a verb.
    #[doc(hidden)]
    NoRequest {
        /// The word as it was typed.
        id: String,
        /// The words of the request that is near: `enable`, then the words that followed.
        request: Vec<String>,
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
        /// The host's tools without a kind, if the skill can mean them.
        without_kind: Vec<String>,
    },
    /// A skill that was started needs skills that are not here.
    #[doc(hidden)]
    MissingSkills {
        /// The skill's id.
        skill: String,
        /// The names as the skill writes them.
        missing: Vec<String>,
    },
    /// `/skill stop` ended skills.
    #[doc(hidden)]
    Stopped {
        /// The ids of these skills, the latest last. Empty: no skill was active.
        skills: Vec<String>,
    },
    /// `/skill stop ID` names no active skill.
    #[doc(hidden)]
    NotActive {
        /// The id as it was typed.
        id: String,
    },
    /// `/skill enable`, `disable`, `trust` or `run` without an id.
    #[doc(hidden)]
    Incomplete {
        /// `enable`, `disable`, `trust` or `run`.
        verb: String,
    },
    /// `/skill enable ID` was carried out.
    #[doc(hidden)]
    Enabled {
        /// The ids of the skills that are on now. Empty: the skill was not disabled.
        skills: Vec<String>,
        /// The qualified ids of skills of the same name that stay off.
        kept: Vec<String>,
    },
    /// `/skill trust ID` was carried out.
    #[doc(hidden)]
    Trusted {
        /// The skill's id.
        skill: String,
    },
    /// `/skill trust ID` cannot be carried out.
    #[doc(hidden)]
    NotTrusted {
        /// The reason, in words: the message of the [`Error`](crate::Error).
        why: String,
    },
    /// A skill of `/skill list`.
    #[doc(hidden)]
    Listed {
        /// The skill's id.
        skill: String,
        /// The skill's description.
        description: String,
        /// Why the skill cannot be started now: `disabled`, `not trusted` or `needs …`. Empty: it can.
        state: String,
    },
}

/// What ended an active skill between two turns.
// Hidden: a part of a hidden variant.
#[doc(hidden)]
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

impl Notice {
    /// Writes the notice with other commands instead of `/skill`. `command` writes a command from its
    /// words: `["list"]`, `["enable", ID]` or `["trust", ID]`.
    ///
    /// ```
    /// # use skills_runtime::Notice;
    /// let notice = Notice::Disabled { skill: "deploy".to_owned() };
    /// let words = notice.with_commands(|words| format!("agent skills {}", words.join(" ")));
    /// assert_eq!(
    ///     words.as_str(),
    ///     "Skill 'deploy' is disabled. Enable it with agent skills enable deploy."
    /// );
    /// ```
    pub fn with_commands<C: Into<Prose>>(&self, command: impl Fn(&[&str]) -> C) -> Prose {
        let mut text = Prose::default();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, &|words| command(words).into());
        text
    }

    fn write(&self, f: &mut Prose, command: &dyn Fn(&[&str]) -> Prose) -> fmt::Result {
        match self {
            Self::Using { skill } => write!(f, "Using skill: {skill}"),
            Self::Unknown { id } => {
                let list = command(&["list"]);
                f.add(&prose!(
                    "No skill named '{id}'. Run {} to see available skills.",
                    list
                ));
                Ok(())
            }
            Self::Suggestion { id, suggestion } => {
                write!(f, "No exact skill '{id}'. Did you mean ${suggestion}?")
            }
            Self::Ambiguous { .. } | Self::AmbiguousCommand { .. } => self.write_several(f),
            Self::Disabled { skill } => {
                let enable = command(&["enable", skill]);
                f.add(&prose!(
                    "Skill '{skill}' is disabled. Enable it with {}.",
                    enable
                ));
                Ok(())
            }
            Self::Untrusted { skill } => {
                f.add(&prose!(
                    "Skill '{skill}' comes from a project that is not trusted. Trust it with {}.",
                    command(&["trust", skill])
                ));
                Ok(())
            }
            Self::Ineligible { skill, needs } => {
                write!(f, "Skill '{skill}' needs: {}.", needs.join(", "))
            }
            Self::ModelOnly { skill } => write_model_only(f, skill, '$'),
            Self::ModelOnlyCommand { skill } => write_model_only(f, skill, '/'),
            Self::UserOnly { skill } => {
                write!(f, "Skill '{skill}' can only be started by the user.")
            }
            Self::MissingTools { .. } | Self::MissingSkills { .. } => self.write_missing(f),
            // The message of the error begins with the skill.
            Self::Unavailable { why, .. } => write!(f, "Not started: {why}."),
            Self::TooMany { limit, ignored } => {
                let ignored = ignored
                    .iter()
                    .map(|id| format!("${id}"))
                    .collect::<Vec<_>>()
                    .join(", ");
                let skills = if *limit == 1 { "skill" } else { "skills" };
                write!(
                    f,
                    "Only {limit} {skills} can be named in one message; ignored: {ignored}."
                )
            }
            Self::ChooseOne { skills } => {
                f.write_str("Choose one skill to lead this turn: ")?;
                for (i, skill) in skills.iter().enumerate() {
                    let separator = match i {
                        0 => "",
                        i if i + 1 == skills.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{separator}${skill}")?;
                }
                f.write_str(".")
            }
            Self::NoRequest { id, request } => {
                let request: Vec<&str> = request.iter().map(String::as_str).collect();
                let request = command(&request);
                f.add(&prose!("No skill named '{id}'. Did you mean {}?", request));
                Ok(())
            }
            Self::Incomplete { verb } => {
                f.add(&prose!(
                    "/skill {verb} needs a skill: write /skill {verb} ID. Run {} to see available skills.",
                    command(&["list"])
                ));
                Ok(())
            }
            Self::Enabled { .. } | Self::Trusted { .. } | Self::NotTrusted { .. } => {
                self.write_done(f)
            }
            Self::Ended { .. } | Self::Stopped { .. } | Self::NotActive { .. } => {
                self.write_ended(f)
            }
            Self::Listed {
                skill,
                description,
                state,
            } => {
                let description = one_line(description);
                let description = shortened(&description, LISTED_DESCRIPTION);
                write!(f, "{skill}: {description}")?;
                match &**state {
                    "" => Ok(()),
                    state => write!(f, " ({state})"),
                }
            }
        }
    }

    /// Writes the notice about skills that are no longer active.
    fn write_ended(&self, f: &mut Prose) -> fmt::Result {
        match self {
            Self::Ended { skills, why } => {
                write!(
                    f,
                    "{}, and no longer active: {}.",
                    why.as_str(),
                    skills.join(", ")
                )
            }
            Self::Stopped { skills } if skills.is_empty() => f.write_str("No skill is active."),
            Self::Stopped { skills } => write!(f, "Stopped: {}.", skills.join(", ")),
            Self::NotActive { id } => write!(f, "No skill named '{id}' is active."),
            _ => Ok(()),
        }
    }

    /// Writes the notice of a request that was carried out, or that cannot be.
    fn write_done(&self, f: &mut Prose) -> fmt::Result {
        match self {
            Self::Enabled { skills, kept } => {
                match skills.join(", ") {
                    none if none.is_empty() => f.write_str("It was not disabled.")?,
                    skills => write!(f, "Enabled: {skills}.")?,
                }
                match kept.join(", ") {
                    none if none.is_empty() => Ok(()),
                    kept => write!(f, " Still disabled: {kept}."),
                }
            }
            Self::Trusted { skill } => write!(f, "Trusted: {skill}."),
            Self::NotTrusted { why } => write!(f, "Not trusted: {why}."),
            _ => Ok(()),
        }
    }

    /// Writes the notice about tools or skills that are not here.
    fn write_missing(&self, f: &mut Prose) -> fmt::Result {
        match self {
            Self::MissingTools {
                skill,
                tools,
                disallowed,
                without_kind,
            } => {
                write!(f, "Skill '{skill}'")?;
                if !tools.is_empty() {
                    let asked = names(tools);
                    write!(f, " asks for tools that are not here: {asked}")?;
                }
                if !disallowed.is_empty() {
                    let and = if tools.is_empty() { "" } else { "; it" };
                    let taken = names(disallowed);
                    write!(f, "{and} takes away tools that are not here: {taken}")?;
                }
                f.write_str(".")?;
                if without_kind.is_empty() {
                    return Ok(());
                }
                // For the author of the host: a person cannot give a tool its kind.
                let plain = names(without_kind);
                write!(f, " The host gives no kind to these tools: {plain}.")
            }
            Self::MissingSkills { skill, missing } => {
                let missing = names(missing);
                write!(
                    f,
                    "Skill '{skill}' needs skills that are not here: {missing}."
                )
            }
            _ => Ok(()),
        }
    }

    /// Writes the notice about an id or a command that matches several skills.
    fn write_several(&self, f: &mut Prose) -> fmt::Result {
        match self {
            Self::Ambiguous {
                id,
                candidates,
                kind: Some(NearKind::Distance),
                ..
            } => {
                let ids: Vec<String> = candidates.iter().map(|id| format!("${id}")).collect();
                write!(f, "No exact skill '{id}'. {}", did_you_mean(&ids))
            }
            Self::Ambiguous {
                id,
                candidates,
                use_id,
                ..
            } => {
                let listed = listed(candidates);
                let count = candidates.len();
                write!(f, "${id} matched {count} skills: {listed} — use ${use_id}.")
            }
            Self::AmbiguousCommand {
                name,
                candidates,
                use_id,
                kind,
            } => {
                if candidates.len() == 1 || *kind == Some(NearKind::Distance) {
                    let near = did_you_mean(candidates);
                    return write!(f, "No exact command '/{name}'. {near}");
                }
                let (count, listed) = (candidates.len(), listed(candidates));
                write!(
                    f,
                    "/{name} matched {count} skills: {listed} — use {use_id}."
                )
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with_commands(|words| format!("/skill {}", words.join(" "))))
    }
}

/// Returns the notice of an outcome. Returns `None` if the outcome gives no notice of its own.
pub(crate) fn notice(surface: Surface, id: &str, outcome: &Outcome) -> Option<Notice> {
    let id = id.to_owned();
    Some(match outcome.clone() {
        Outcome::Found { skill, .. } => Notice::Using { skill },
        Outcome::Unknown => Notice::Unknown { id },
        Outcome::Suggestion { suggestion, .. } => Notice::Suggestion { id, suggestion },
        Outcome::Ambiguous {
            candidates,
            use_id,
            kind,
        } => Notice::Ambiguous {
            id,
            candidates,
            use_id,
            kind,
        },
        Outcome::Disabled { skill } => Notice::Disabled { skill },
        Outcome::Untrusted { skill } => Notice::Untrusted { skill },
        Outcome::Ineligible { skill, needs } => Notice::Ineligible { skill, needs },
        Outcome::NotInvocable { skill } => match surface {
            Surface::Model => Notice::UserOnly { skill },
            Surface::User | Surface::Palette => Notice::ModelOnly { skill },
        },
        Outcome::TooMany { .. } | Outcome::Escaped | Outcome::Reserved => return None,
    })
}

/// Writes the notice about a skill that a person cannot start with a mention or a command.
fn write_model_only(f: &mut Prose, skill: &str, mark: char) -> fmt::Result {
    write!(
        f,
        "Skill '{skill}' cannot be started with {mark}. It runs only when the model selects it."
    )
}

/// Writes the first names of a list, and the number of further names. A name is text of a skill or a server.
fn names(names: &[String]) -> String {
    let names: Vec<Cow<'_, str>> = names.iter().map(|name| one_line(name)).collect();
    listed(&names)
}

/// Returns the first ids as text, and the number of further ids.
pub(crate) fn listed(ids: &[impl AsRef<str>]) -> String {
    let first: Vec<&str> = ids.iter().take(LISTED).map(AsRef::as_ref).collect();
    let listed = first.join(", ");
    match ids.len().saturating_sub(LISTED) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

/// Returns the question for near names: the first names, and the total number if there are more.
///
/// ```
/// # use skills_runtime::resolve::did_you_mean;
/// assert_eq!(did_you_mean(&["plan", "plank"]), "Did you mean plan or plank?");
/// ```
pub fn did_you_mean(near: &[impl AsRef<str>]) -> String {
    let mut names: Vec<&str> = near.iter().take(LISTED).map(AsRef::as_ref).collect();
    let others = format!("another of {}", near.len());
    if near.len() > LISTED {
        names.push(&others);
    }
    let last = names.pop().unwrap_or_default();
    match names.join(", ") {
        first if first.is_empty() => format!("Did you mean {last}?"),
        first => format!("Did you mean {first} or {last}?"),
    }
}

/// Writes a notice as its text.
#[cfg(feature = "serde")]
impl serde::Serialize for Notice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
