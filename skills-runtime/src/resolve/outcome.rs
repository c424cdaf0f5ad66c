//! The meaning of a mention.

use skills_format::Span;
use skills_format::mention::{NearKind, Refusal};
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
/// assert_eq!(outcomes.next().and_then(Outcome::skill), Some("code-review"));
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
    pub fn skill(&self) -> Option<&str> {
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
