//! The meaning of a mention.

use crate::resolve::surface::Surface;
use skills_format::Span;
use skills_format::mention::NearKind;
use std::fmt;
use std::sync::Arc;

/// One place in a text that names a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Mention {
    /// The bytes of the text, from `$` to the end of the id.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub span: Span,
    /// The text at `span`.
    pub raw: String,
    /// `true` if only white space and other mentions stand before the mention.
    pub leads: bool,
    /// The meaning of the mention.
    #[cfg_attr(feature = "serde", serde(flatten))]
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
/// let Some(Outcome::Suggestion { suggestion, .. }) = outcomes.next() else {
///     panic!("one skill is near");
/// };
/// assert_eq!(suggestion, "deploy-safely");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "outcome", rename_all = "kebab-case")
)]
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
    /// No skill has the id, and one skill is near it. The skill is not activated.
    Suggestion {
        /// The id of the near skill.
        suggestion: String,
        /// The kind of near match.
        kind: NearKind,
    },
    /// Several skills have the id or are near it. No skill is activated.
    Ambiguous {
        /// The ids of these skills, in order. All mentions of the id share one list.
        candidates: Arc<[String]>,
        /// The id to offer first.
        #[cfg_attr(feature = "serde", serde(rename = "use"))]
        use_id: String,
        /// The kind of near match. `None`: the skills have exactly the id.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        kind: Option<NearKind>,
    },
    /// The skill is disabled.
    Disabled {
        /// The skill's id.
        skill: String,
        /// `None`: a person disabled the skill. Otherwise the reason why it is unknown which skills are disabled: the
        /// skill cannot be enabled before the file of the decisions is fixed.
        #[cfg_attr(feature = "serde", serde(skip))]
        unknown: Option<Arc<str>>,
    },
    /// The skill's source is not trusted, or the skill has changed since it was trusted.
    Untrusted {
        /// The skill's id.
        skill: String,
        /// True if a person trusted the skill, and it has changed since.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
        changed: bool,
    },
    /// The host does not meet the skill's needs.
    Ineligible {
        /// The skill's id.
        skill: String,
        /// The needs that are not met, in words.
        needs: Vec<String>,
    },
    /// The skill may not be started from this surface.
    NotInvocable {
        /// The skill's id.
        skill: String,
        /// The surface.
        #[cfg_attr(feature = "serde", serde(skip))]
        surface: Surface,
    },
    /// The text already names as many skills as the policy allows.
    TooMany {
        /// The skill's id.
        skill: String,
        /// The number of skills that the policy allows.
        #[cfg_attr(feature = "serde", serde(skip))]
        limit: usize,
    },
    /// Escaped with a backslash: not a mention.
    Escaped,
    /// `$source:*`, reserved for a later version.
    Reserved,
}

/// Writes the outcome's name in JSON, such as `found`, `unknown` or `not-invocable`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Found { .. } => "found",
            Self::Unknown => "unknown",
            Self::Suggestion { .. } => "suggestion",
            Self::Ambiguous { .. } => "ambiguous",
            Self::Disabled { .. } => "disabled",
            Self::Untrusted { .. } => "untrusted",
            Self::Ineligible { .. } => "ineligible",
            Self::NotInvocable { .. } => "not-invocable",
            Self::TooMany { .. } => "too-many",
            Self::Escaped => "escaped",
            Self::Reserved => "reserved",
        })
    }
}

impl Outcome {
    /// Returns the id of the skill that the mention names, also if the skill may not be activated.
    pub fn skill(&self) -> Option<&str> {
        match self {
            Self::Found { skill, .. }
            | Self::Disabled { skill, .. }
            | Self::Untrusted { skill, .. }
            | Self::Ineligible { skill, .. }
            | Self::NotInvocable { skill, .. }
            | Self::TooMany { skill, .. } => Some(skill),
            _ => None,
        }
    }
}
