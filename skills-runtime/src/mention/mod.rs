//! What `$name` in a text means: the resolver and what it reports.

#![doc = include_str!("../../docs/mentions.md")]

pub(crate) mod address;
pub(crate) mod by_path;
pub(crate) mod memo;
pub(crate) mod near;
pub(crate) mod notice;
pub(crate) mod policy;
pub(crate) mod resolver;

pub use notice::Notice;
pub use policy::{Arguments, Compose, Notices, Policy, Surface};
pub use skills_format::{Span, neutralize};

use std::sync::Arc;

/// One place of a text that names a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Mention {
    /// The bytes of the text, from `$` to the last one of the id.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub span: Span,
    /// The text at `span`.
    pub raw: String,
    /// Whether only white space and other mentions stand before it.
    pub leads: bool,
    /// What it means.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub outcome: Outcome,
}

/// What a mention means. Memo are those that find the skill when they are typed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "outcome", rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Outcome {
    /// A skill that may be activated.
    Found {
        /// The name; the qualified id when the bare name would find another skill.
        skill: String,
        /// The name of its source.
        source: String,
    },
    /// No skill has the id, and none is near.
    Unknown,
    /// No skill has the id, and one is near. It is not activated.
    Suggestion {
        /// The near one.
        suggestion: String,
        /// In what way it is near.
        kind: NearKind,
    },
    /// Several skills answer to it, or are near it. None is activated.
    Ambiguous {
        /// All of them, in order; one list for all mentions of the id.
        candidates: Arc<[String]>,
        /// The one to offer.
        #[cfg_attr(feature = "serde", serde(rename = "use"))]
        use_id: String,
        /// In what way they are near; `None` when they have exactly the id.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        kind: Option<NearKind>,
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
        /// What is missing, in words.
        needs: Vec<String>,
    },
    /// This surface may not start the skill.
    NotInvocable {
        /// The skill.
        skill: String,
    },
    /// More skills were found in the text than one text may name.
    TooMany {
        /// The skill.
        skill: String,
    },
    /// A backslash says that it is none.
    Escaped,
    /// `$source:*`, kept for later.
    Reserved,
}

impl Outcome {
    /// `found`, `unknown`, `not-invocable` and so on.
    pub const fn as_str(&self) -> &'static str {
        match self {
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
        }
    }

    /// The one skill that the mention hits, whether it may be activated or not.
    pub fn skill(&self) -> Option<&str> {
        match self {
            Self::Found { skill, .. }
            | Self::Disabled { skill }
            | Self::Untrusted { skill }
            | Self::Ineligible { skill, .. }
            | Self::NotInvocable { skill }
            | Self::TooMany { skill } => Some(skill),
            _ => None,
        }
    }
}

/// In what way a name is near an id, the nearest first. All without regard to case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum NearKind {
    /// The same but for case.
    Equal,
    /// `tdd` for `test-driven-development`.
    Initials,
    /// The same words in another order.
    Order,
    /// Its beginning, of 3 characters or more.
    Prefix,
    /// A slip of the finger: one edit up to 5 characters, two above.
    Distance,
    /// A part of 3 characters or more.
    Part,
}
