//! The levels of rules.

use skills_format::diagnostic::rule_id::RuleId;

/// The level of a rule's findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The findings are errors.
    Deny,
    /// The findings are warnings.
    Warn,
    /// The findings are not reported.
    Allow,
}

impl Level {
    /// Returns `deny`, `warn` or `allow`, as in `skills.toml`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Warn => "warn",
            Self::Allow => "allow",
        }
    }

    /// Returns the word for the findings in output and documents: `error`, `warning`, or `off` if the findings
    /// are not reported.
    pub const fn findings(self) -> &'static str {
        match self {
            Self::Deny => "error",
            Self::Warn => "warning",
            Self::Allow => "off",
        }
    }
}

/// A rule as far as its level: its id, and the level that it has unless `skills.toml` sets one.
pub trait Leveled {
    /// The id of the rule.
    fn id(&self) -> RuleId;
    /// The default level.
    fn level(&self) -> Level;
}

impl Leveled for (RuleId, Level) {
    fn id(&self) -> RuleId {
        self.0
    }

    fn level(&self) -> Level {
        self.1
    }
}
