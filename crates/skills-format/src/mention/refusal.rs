//! Why a skill that an id names does not start.

use std::fmt;
use std::sync::Arc;

/// Why a skill that an id names does not start now. `Display` writes the name in JSON, such as `disabled` or
/// `not-invocable`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The skill is disabled.
    Disabled {
        /// `None`: a person disabled the skill. Otherwise the reason why it is unknown which skills are disabled: the
        /// skill cannot be enabled before the file of the decisions is fixed.
        unknown: Option<Arc<str>>,
    },
    /// The skill's source is not trusted, or the skill has changed since it was trusted.
    Untrusted {
        /// True if a person trusted the skill, and it has changed since.
        changed: bool,
    },
    /// The host does not meet the skill's needs.
    Ineligible {
        /// The needs that are not met, in words.
        needs: Vec<String>,
    },
    /// Only the model may start the skill, or only a person.
    NotInvocable {
        /// True if the model named the skill, which only a person may start.
        by_model: bool,
    },
    /// The text already names as many skills as the host allows.
    TooMany {
        /// The number of skills that the host allows.
        limit: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Disabled { .. } => "disabled",
            Self::Untrusted { .. } => "untrusted",
            Self::Ineligible { .. } => "ineligible",
            Self::NotInvocable { .. } => "not-invocable",
            Self::TooMany { .. } => "too-many",
        })
    }
}
