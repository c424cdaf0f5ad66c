//! The meaning of a text: its mentions with their outcomes, the notices for the person, and the skills that start.

use crate::catalog::skill::Skill;
use skills_format::Span;
use skills_format::mention::{NearKind, Refusal, did_you_mean, listed};
use std::fmt;
use std::sync::Arc;

/// One place in a text that names a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mention {
    /// The bytes of the text, from `$` to the end of the id.
    pub span: Span,
    /// `true` if only white space and other mentions stand before the mention.
    pub leads: bool,
    /// The meaning of the mention.
    pub outcome: Outcome,
}

/// The meaning of a mention. Each id in an outcome names the same skill when a person types the id.
///
/// The table in the [chapter](crate::resolve) lists the reaction of a host to each outcome.
///
/// ```
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::{Catalog, Outcome};
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
/// let text = "$code-review this, then $deploy-safly";
/// let resolution = catalog.resolve(text);
/// let mut outcomes = resolution.mentions.iter().map(|mention| &mention.outcome);
/// assert!(matches!(outcomes.next(), Some(Outcome::Found { skill, .. }) if skill == "code-review"));
/// let Some(Outcome::Ambiguous { candidates, .. }) = outcomes.next() else {
///     panic!("one skill is near");
/// };
/// assert_eq!(**candidates, ["deploy-safely"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The id names a skill that may be activated.
    Found {
        /// The skill's id: its name, or its qualified id if the name means another skill.
        skill: String,
        /// The name of the skill's source.
        source: String,
    },
    /// No skill has the id or is near it.
    Unknown,
    /// Several skills have the id, or one or several are near it. No skill is activated.
    Ambiguous {
        /// The ids of these skills, in order. All mentions of the id share one list.
        candidates: Arc<[String]>,
        /// The id to offer first.
        use_id: String,
        /// The kind of near match. `None`: the skills have exactly the id.
        kind: Option<NearKind>,
    },
    /// The id names a skill that may not be activated now.
    Refused {
        /// The skill's id.
        skill: String,
        /// The reason.
        why: Refusal,
    },
    /// Not a mention: escaped with a backslash, or the form `$source:*`, which is reserved for a later version.
    Text {
        /// True for `$source:*`.
        is_reserved: bool,
    },
}

/// Writes the outcome's name in JSON, such as `found`, `unknown` or `not-invocable`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Found { .. } => "found",
            Self::Unknown => "unknown",
            Self::Ambiguous { .. } if self.suggestion().is_some() => "suggestion",
            Self::Ambiguous { .. } => "ambiguous",
            Self::Refused { why, .. } => return why.fmt(f),
            Self::Text { is_reserved: false } => "escaped",
            Self::Text { is_reserved: true } => "reserved",
        })
    }
}

impl Outcome {
    /// Returns the id of the skill that the mention names, also if the skill may not be activated.
    pub(crate) fn skill(&self) -> Option<&str> {
        match self {
            Self::Found { skill, .. } | Self::Refused { skill, .. } => Some(skill),
            _ => None,
        }
    }

    /// Returns the id of the only skill that is near.
    pub(crate) fn suggestion(&self) -> Option<&String> {
        match self {
            Self::Ambiguous {
                candidates,
                kind: Some(_),
                ..
            } if candidates.len() == 1 => candidates.first(),
            _ => None,
        }
    }
}

/// The name of the outcome with its data. A mention with one near skill is a `suggestion`.
#[cfg(feature = "serde")]
impl serde::Serialize for Outcome {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("outcome", &format_args!("{self}"))?;
        match self {
            Self::Found { skill, source } => {
                map.serialize_entry("skill", skill)?;
                map.serialize_entry("source", source)?;
            }
            Self::Ambiguous {
                candidates,
                use_id,
                kind,
            } => {
                if let Some(suggestion) = self.suggestion() {
                    map.serialize_entry("suggestion", suggestion)?;
                } else {
                    map.serialize_entry("candidates", candidates)?;
                    map.serialize_entry("use", use_id)?;
                }
                if let Some(kind) = kind {
                    map.serialize_entry("kind", kind)?;
                }
            }
            Self::Refused { skill, why } => {
                map.serialize_entry("skill", skill)?;
                match why {
                    Refusal::Untrusted { changed: true } => {
                        map.serialize_entry("changed", &true)?;
                    }
                    Refusal::Ineligible { needs } => {
                        map.serialize_entry("needs", needs)?;
                    }
                    _ => {}
                }
            }
            Self::Unknown | Self::Text { .. } => {}
        }
        map.end()
    }
}

/// The origin of a text. The surface decides which skills the text may start.
///
/// A person may not start skills with `user-invocable: false`. A model may not start skills with
/// `disable-model-invocation: true`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Surface {
    /// A text that a person typed: a message, or the input of a command palette.
    #[default]
    User,
    /// A text that a model wrote as its plan.
    Model,
}

/// A short message for a person: the outcome of an id. `Display` writes the English text. It names no command: the
/// notices of `skills-session` add how to enable or trust a skill.
///
/// A front end can act on the outcome, such as with a button that enables a skill.
///
/// ```
/// use skills_runtime::{Catalog, Outcome};
///
/// let catalog = Catalog::builder().load();
/// let notice = &catalog.resolve("$nope now").notices[0];
/// assert_eq!((&*notice.id, &notice.outcome), ("nope", &Outcome::Unknown));
/// assert_eq!(notice.to_string(), "No skill named 'nope'.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The id as it was typed, without `$`. Of a slash command: the name with `/`; the ids of
    /// [`Outcome::Ambiguous`] then have their marks too. Of `Refusal::TooMany`: every ignored skill, `$a, $b`.
    pub id: String,
    /// The meaning of the id.
    pub outcome: Outcome,
}

impl Notice {
    /// Writes that an id or a command matches several skills, or that a command is near one.
    fn several(&self, candidates: &[String], use_id: &str, kind: Option<NearKind>) -> String {
        let (id, count) = (&self.id, candidates.len());
        let is_command = id.starts_with('/');
        let mark = if is_command { "" } else { "$" };
        if kind == Some(NearKind::Distance) || count == 1 {
            let what = if is_command { "command" } else { "skill" };
            let near: Vec<String> = candidates.iter().map(|id| format!("{mark}{id}")).collect();
            return format!("No exact {what} '{id}'. {}", did_you_mean(&near));
        }
        let listed = listed(candidates);
        format!("{mark}{id} matched {count} skills: {listed} — use {mark}{use_id}.")
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = &self.id;
        let (skill, why) = match &self.outcome {
            Outcome::Found { skill, .. } => return write!(f, "Using skill: {skill}"),
            Outcome::Unknown => return write!(f, "No skill named '{id}'."),
            Outcome::Ambiguous {
                candidates,
                use_id,
                kind,
            } => return f.write_str(&self.several(candidates, use_id, *kind)),
            Outcome::Text { .. } => return Ok(()),
            Outcome::Refused { skill, why } => (skill, why),
        };
        match why {
            Refusal::Disabled { unknown: Some(why) } => {
                write!(f, "Not started: skill '{skill}' counts as disabled: {why}.")
            }
            Refusal::Disabled { .. } => write!(f, "Skill '{skill}' is disabled."),
            Refusal::Untrusted { changed: true } => {
                write!(f, "Skill '{skill}' has changed since it was trusted.")
            }
            Refusal::Untrusted { .. } => write!(f, "Skill '{skill}' is not trusted."),
            Refusal::Ineligible { needs } => {
                write!(f, "Skill '{skill}' needs: {}.", needs.join(", "))
            }
            Refusal::NotInvocable { by_model: true } => {
                write!(f, "Skill '{skill}' can only be started by the user.")
            }
            Refusal::NotInvocable { .. } => {
                let mark = if id.starts_with('/') { '/' } else { '$' };
                write!(
                    f,
                    "Skill '{skill}' cannot be started with {mark}. It runs only when the model selects it."
                )
            }
            Refusal::TooMany { limit } => {
                let skills = if *limit == 1 { "skill" } else { "skills" };
                write!(
                    f,
                    "Only {limit} {skills} can be named in one message; ignored: {id}."
                )
            }
        }
    }
}

/// Writes a notice as its text.
#[cfg(feature = "serde")]
impl serde::Serialize for Notice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The meaning of a text. [`Catalog::resolve`](crate::Catalog::resolve) returns this type.
///
/// ```
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::Catalog;
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
/// let resolution = catalog.resolve("$code-review the parser");
/// assert_eq!(resolution.skills[0].id(), "code-review");
/// assert_eq!(resolution.arguments(&resolution.skills[0]), "the parser");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resolution<'c> {
    /// Every mention, in the order of the text. A skill that is named twice has two mentions.
    pub mentions: Vec<Mention>,
    /// The notices for the person, in order.
    pub notices: Vec<Notice>,
    /// The message to send: the text without the leading mentions of skills that start.
    pub task: String,
    /// The skills that may start, in order of first mention. Exactly one skill has each id, and it is trusted, enabled and
    /// eligible.
    pub skills: Vec<Skill<'c>>,
    /// The skills that the task is given to.
    pub(crate) leading: Vec<Skill<'c>>,
}

impl Resolution<'_> {
    /// Returns the arguments of a skill that starts: the task, if a mention of the skill leads the text, or if the text is
    /// its command with arguments. Otherwise empty.
    pub fn arguments(&self, skill: &Skill<'_>) -> &str {
        if self.leading.contains(skill) {
            &self.task
        } else {
            ""
        }
    }
}
