//! What a person is told about a mention: typed parts, and the words.

use crate::mention::Outcome;
use crate::mention::policy::Surface;
use std::fmt;
use std::sync::Arc;

/// How many candidates of an ambiguous mention are named.
const LISTED: usize = 5;

/// One thing to tell a person. `Display` gives the words; hosts that translate use the parts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// A skill is used.
    Using {
        /// The skill.
        skill: String,
    },
    /// No skill has the id.
    Unknown {
        /// The id.
        id: String,
    },
    /// No skill has the id, and one is near.
    Suggestion {
        /// The id.
        id: String,
        /// The near one.
        suggestion: String,
    },
    /// Several skills match.
    Ambiguous {
        /// The id.
        id: String,
        /// All of them, in order.
        candidates: Arc<[String]>,
        /// The one to offer.
        use_id: String,
    },
    /// The skill is switched off.
    Disabled {
        /// The skill.
        skill: String,
    },
    /// The skill is of a source that is not trusted.
    Untrusted {
        /// The skill.
        skill: String,
    },
    /// The host lacks what the skill needs.
    Ineligible {
        /// The skill.
        skill: String,
        /// What is missing.
        needs: Vec<String>,
    },
    /// Only the model may start the skill.
    ModelOnly {
        /// The skill.
        skill: String,
    },
    /// Only the model may start the skill of a slash command.
    ModelOnlyCommand {
        /// The skill.
        skill: String,
    },
    /// A slash command means no one skill.
    AmbiguousCommand {
        /// The command as it was typed, without `/`.
        name: String,
        /// What to type for each skill, in order: its command, or `$` and its id where it has none.
        candidates: Vec<String>,
        /// The one to offer.
        use_id: String,
    },
    /// Only a person may start the skill.
    UserOnly {
        /// The skill.
        skill: String,
    },
    /// The skill cannot be had.
    Unavailable {
        /// The skill.
        skill: String,
        /// Why, in words.
        why: String,
    },
    /// More skills were named than one message may name.
    TooMany {
        /// How many it may.
        limit: usize,
        /// Those left out, in order.
        ignored: Vec<String>,
    },
    /// Several skills want to lead.
    ChooseOne {
        /// All of them, in order of mention.
        skills: Vec<String>,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Using { skill } => write!(f, "Using skill: {skill}"),
            Self::Unknown { id } => {
                write!(
                    f,
                    "No skill named '{id}'. Run /skill list to see available skills."
                )
            }
            Self::Suggestion { id, suggestion } => {
                write!(f, "No exact skill '{id}'. Did you mean ${suggestion}?")
            }
            Self::Ambiguous {
                id,
                candidates,
                use_id,
            } => {
                let listed = listed(candidates);
                let count = candidates.len();
                write!(f, "${id} matched {count} skills: {listed} — use ${use_id}.")
            }
            Self::AmbiguousCommand {
                name,
                candidates,
                use_id,
            } => {
                if let [one] = candidates.as_slice() {
                    return write!(f, "No exact command '/{name}'. Did you mean {one}?");
                }
                let (count, listed) = (candidates.len(), listed(candidates));
                write!(
                    f,
                    "/{name} matched {count} skills: {listed} — use {use_id}."
                )
            }
            Self::Disabled { skill } => {
                write!(
                    f,
                    "Skill '{skill}' is disabled. Enable it with /skill enable {skill}."
                )
            }
            Self::Untrusted { skill } => write!(
                f,
                "Skill '{skill}' comes from a project that is not trusted. Trust it with /skill trust {skill}."
            ),
            Self::Ineligible { skill, needs } => {
                write!(f, "Skill '{skill}' needs: {}.", needs.join(", "))
            }
            Self::ModelOnly { skill } => write!(
                f,
                "Skill '{skill}' cannot be started with $. It runs only when the model selects it."
            ),
            Self::ModelOnlyCommand { skill } => write!(
                f,
                "Skill '{skill}' cannot be started with /. It runs only when the model selects it."
            ),
            Self::UserOnly { skill } => {
                write!(f, "Skill '{skill}' can only be started by the user.")
            }
            // Why an activation failed begins with the skill.
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
        }
    }
}

/// What is said of an outcome. `None`: nothing is.
pub(crate) fn notice(surface: Surface, id: &str, outcome: &Outcome) -> Option<Notice> {
    let id = id.to_owned();
    Some(match outcome.clone() {
        Outcome::Found { skill, .. } => Notice::Using { skill },
        Outcome::Unknown => Notice::Unknown { id },
        Outcome::Suggestion { suggestion, .. } => Notice::Suggestion { id, suggestion },
        Outcome::Ambiguous {
            candidates, use_id, ..
        } => Notice::Ambiguous {
            id,
            candidates,
            use_id,
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

/// At most some of them, and how many there are beside.
pub(crate) fn listed(ids: &[impl AsRef<str>]) -> String {
    let first: Vec<&str> = ids.iter().take(LISTED).map(AsRef::as_ref).collect();
    let listed = first.join(", ");
    match ids.len().saturating_sub(LISTED) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

/// The words.
#[cfg(feature = "serde")]
impl serde::Serialize for Notice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
