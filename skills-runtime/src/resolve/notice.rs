//! Notices: messages for a person about a mention, as typed parts and as text.

use crate::catalog::state::State;
use crate::resolve::fact::Fact;
use crate::resolve::listed::{did_you_mean, listed, names};
use crate::resolve::outcome::{NearKind, Outcome};
use crate::resolve::surface::Surface;
use skills_format::{Prose, prose};
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// A short message for a person. `Display` writes the English text.
///
/// A front end can act on most variants, such as with a button that enables a skill. [`Notice::Info`] is only shown.
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
    /// Several skills have the id or are near it, or a slash command is near one skill.
    Ambiguous {
        /// The id as it was typed. Of a slash command: the name with `/`.
        id: String,
        /// The ids of these skills, in order. Of a slash command: the text to type for each skill, which is its
        /// command with `/`, or its id with `$` if the skill has no command.
        candidates: Arc<[String]>,
        /// The candidate to offer first.
        use_id: String,
        /// The kind of near match. `None`: the skills have exactly the id.
        kind: Option<NearKind>,
    },
    /// The skill is disabled.
    Disabled {
        /// The skill's id.
        skill: String,
    },
    /// The skill's source is not trusted, or the skill has changed since it was trusted.
    Untrusted {
        /// The skill's id.
        skill: String,
        /// True if a person trusted the skill, and it has changed since.
        changed: bool,
    },
    /// The host does not meet the skill's needs.
    Ineligible {
        /// The skill's id.
        skill: String,
        /// The needs that are not met, in words.
        needs: Vec<String>,
    },
    /// The skill may not be started this way.
    NotInvocable {
        /// The skill's id.
        skill: String,
        /// The mark before the name that the person typed, `$` or `/`: only the model may start the skill. `None`: the
        /// model named the skill, and only a person may start it.
        mark: Option<char>,
    },
    /// The skill was found and cannot be started.
    Unavailable {
        /// The skill's id.
        skill: String,
        /// The reason, in words: the message of the [`Error`](crate::Error).
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
    /// Information that a host only shows: the answer to a request of `/skill`, or a fact about the message, such as
    /// the skills beyond the limit of one message.
    #[non_exhaustive]
    Info {
        // Hidden: its `Display` is all that a host needs.
        #[doc(hidden)]
        fact: Fact,
    },
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
            Self::Ambiguous { .. } => self.write_several(f),
            Self::Disabled { skill } => {
                let enable = command(&["enable", skill]);
                f.add(&prose!(
                    "Skill '{skill}' is disabled. Enable it with {}.",
                    enable
                ));
                Ok(())
            }
            Self::Untrusted {
                skill,
                changed: true,
            } => {
                f.add(&prose!(
                    "Skill '{skill}' has changed since it was trusted. Trust it as it is with {}.",
                    command(&["trust", skill])
                ));
                Ok(())
            }
            Self::Untrusted { skill, .. } => {
                f.add(&prose!(
                    "Skill '{skill}' comes from a project that is not trusted. Trust it with {}.",
                    command(&["trust", skill])
                ));
                Ok(())
            }
            Self::Ineligible { skill, needs } => {
                write!(f, "Skill '{skill}' needs: {}.", needs.join(", "))
            }
            Self::NotInvocable {
                skill,
                mark: Some(mark),
            } => write!(
                f,
                "Skill '{skill}' cannot be started with {mark}. It runs only when the model selects it."
            ),
            Self::NotInvocable { skill, mark: None } => {
                write!(f, "Skill '{skill}' can only be started by the user.")
            }
            Self::MissingTools { .. } => self.write_missing(f),
            // The message of the error begins with the skill.
            Self::Unavailable { why, .. } => write!(f, "Not started: {why}."),
            Self::Info { fact } => fact.write(f, command),
        }
    }

    /// Writes the notice about tools that are not here.
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
            _ => Ok(()),
        }
    }

    /// Writes the notice about an id or a command that matches several skills.
    fn write_several(&self, f: &mut Prose) -> fmt::Result {
        let Self::Ambiguous {
            id,
            candidates,
            use_id,
            kind,
        } = self
        else {
            return Ok(());
        };
        let (of_command, count) = (id.starts_with('/'), candidates.len());
        // Only the ids of a mention lack their mark.
        let mark = if of_command { "" } else { "$" };
        if *kind == Some(NearKind::Distance) || of_command && count == 1 {
            let what = if of_command { "command" } else { "skill" };
            let near: Vec<String> = candidates.iter().map(|id| format!("{mark}{id}")).collect();
            return write!(f, "No exact {what} '{id}'. {}", did_you_mean(&near));
        }
        let listed = listed(candidates);
        write!(
            f,
            "{mark}{id} matched {count} skills: {listed} — use {mark}{use_id}."
        )
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with_commands(|words| format!("/skill {}", words.join(" "))))
    }
}

impl From<Fact> for Notice {
    fn from(fact: Fact) -> Self {
        Self::Info { fact }
    }
}

/// Returns the notice of an outcome. Returns `None` if the outcome gives no notice of its own.
pub(crate) fn notice(
    surface: Surface,
    id: &str,
    outcome: &Outcome,
    state: &State,
) -> Option<Notice> {
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
        // A skill that only counts as disabled cannot be enabled: the file of the decisions must be fixed first.
        Outcome::Disabled { skill } => match state.why_unknown() {
            Some(why) => Notice::Unavailable {
                why: format!("skill '{skill}' counts as disabled: {why}"),
                skill,
            },
            None => Notice::Disabled { skill },
        },
        Outcome::Untrusted { skill, changed } => Notice::Untrusted { skill, changed },
        Outcome::Ineligible { skill, needs } => Notice::Ineligible { skill, needs },
        Outcome::NotInvocable { skill } => match surface {
            Surface::Model => Notice::NotInvocable { skill, mark: None },
            Surface::User => Notice::NotInvocable {
                skill,
                mark: Some('$'),
            },
        },
        Outcome::TooMany { .. } | Outcome::Escaped | Outcome::Reserved => return None,
    })
}

/// Writes a notice as its text.
#[cfg(feature = "serde")]
impl serde::Serialize for Notice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
