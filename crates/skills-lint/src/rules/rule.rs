//! A rule: its description, its level and its check.

// At most 100 findings of one rule in one skill are reported. The last one counts the rest.

use crate::rules::example::Example;
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

/// Most findings of one rule in one skill that are reported. The last finding counts the rest.
pub(crate) const MAX_FINDINGS: usize = 100;

/// A rule: its description, its level and its check.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rule {
    /// Its id.
    pub id: RuleId,
    /// The level of its findings, unless another level is configured.
    pub level: Level,
    /// The part of a skill that it checks.
    pub group: Group,
    /// What must hold, in one line.
    pub summary: &'static str,
    /// Why it must hold.
    pub why: &'static str,
    /// Files in which this rule has findings, and no other rule has.
    pub bad: Example,
    /// The text that the first finding in `bad` underlines. Empty if the finding is about a whole
    /// file or folder.
    pub marks: &'static str,
    /// Files in which no rule has findings.
    pub good: Example,
    /// Whether it can fix what it finds.
    pub fix: FixKind,
    /// How it is asked.
    pub(crate) check: Check,
}

impl Rule {
    /// Whether a check of a folder never asks this rule, because another part of the project does.
    pub const fn is_asked_elsewhere(&self) -> bool {
        matches!(self.check, Check::Elsewhere | Check::InRepository(_))
    }
}

/// How findings of a rule count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Errors.
    Deny,
    /// Warnings.
    Warn,
    /// They are not reported.
    Allow,
}

impl Level {
    /// `deny`, `warn` or `allow`, as in `skills.toml`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Warn => "warn",
            Self::Allow => "allow",
        }
    }

    /// What its findings are in output and documents: `error`, `warning`, or `off` when they are not
    /// reported.
    pub const fn findings(self) -> &'static str {
        match self {
            Self::Deny => "error",
            Self::Warn => "warning",
            Self::Allow => "off",
        }
    }
}

/// The part of a skill that a rule checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "json", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Group {
    /// The `SKILL.md` as a file.
    File,
    /// The front matter's keys and values.
    Fields,
    /// The instructions.
    Body,
    /// Links, and the files beside the `SKILL.md`.
    Links,
    /// The skills of a folder together.
    Bundle,
    /// Advice.
    Other,
}

impl Group {
    /// `file`, `fields`, `body`, `links`, `bundle` or `other`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Fields => "fields",
            Self::Body => "body",
            Self::Links => "links",
            Self::Bundle => "bundle",
            Self::Other => "other",
        }
    }
}

/// Whether a rule can fix what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "json", serde(rename_all = "lowercase"))]
pub enum FixKind {
    /// It cannot.
    No,
    /// It can, and the meaning stays.
    Safe,
    /// It can, by a guess.
    Unsafe,
}

impl FixKind {
    /// `no`, `safe` or `unsafe`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// How a rule is asked. A check returns findings; the engine adds their level and makes diagnostics.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// About one `SKILL.md`.
    Skill(fn(&SkillView<'_>) -> Vec<Finding>),
    /// About the files of one skill: their names and lengths.
    Files(fn(&SkillView<'_>) -> Vec<Finding>),
    /// The same, and about files beside the skills.
    Tree {
        files: fn(&SkillView<'_>) -> Vec<Finding>,
        above: fn(&BundleView<'_>) -> Vec<Finding>,
    },
    /// About the contents of the files of one skill.
    Contents(fn(&SkillView<'_>) -> Vec<Finding>),
    /// About one skill and the files of the repository around it. Not asked where they are not known.
    InRepository(fn(&SkillView<'_>) -> Vec<Finding>),
    /// About one `SKILL.md`, with the names and aliases of the other skills.
    Siblings {
        /// Whether the rule concerns this skill, judged by its `SKILL.md` alone.
        concerns: fn(&SkillView<'_>) -> bool,
        check: fn(&SkillView<'_>, &BundleView<'_>) -> Vec<Finding>,
    },
    /// About the skills of a tree together.
    Bundle(fn(&BundleView<'_>) -> Vec<Finding>),
    /// About the skills of a tree together, with their descriptions.
    Descriptions(fn(&BundleView<'_>) -> Vec<Finding>),
    /// The engine finds it when all other rules were asked.
    Engine,
    /// Another part of the project asks this rule.
    Elsewhere,
}
