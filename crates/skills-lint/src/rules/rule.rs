//! A rule: its description, its level and its check.

use crate::rules::example::Example;
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_check::Leveled;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) use skills_check::Level;

/// The maximum number of findings of one rule in one skill: a file of a million hidden characters must not cost
/// gigabytes. The last finding counts the rest.
pub(crate) const MAX_FINDINGS: usize = 10_000;

/// A rule: its description, its level and its check.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rule {
    /// The id of the rule.
    pub id: RuleId,
    /// The default level of the findings.
    pub level: Level,
    /// The part of a skill that the rule checks.
    pub group: Group,
    /// The condition that must hold, in one line.
    pub summary: &'static str,
    /// The reason of the condition.
    pub why: &'static str,
    /// Files in which only this rule has findings.
    pub bad: Example,
    /// The text that the first finding in `bad` underlines. Empty if the finding is about a whole
    /// file or folder.
    pub marks: &'static str,
    /// Files in which no rule has findings.
    pub good: Example,
    /// The kind of fix that the rule offers.
    pub fix: FixKind,
    /// The check, and the data that it sees.
    pub(crate) check: Check,
}

impl Leveled for Rule {
    fn id(&self) -> RuleId {
        self.id
    }

    fn level(&self) -> Level {
        self.level
    }
}

impl Rule {
    /// Returns whether a check of a folder alone never runs this rule: the rule runs elsewhere, or needs a repository
    /// or facts about clients.
    pub const fn is_asked_elsewhere(&self) -> bool {
        matches!(self.check, Check::Elsewhere | Check::InRepository(_))
            || matches!(self.group, Group::Portability)
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
    /// The behaviour of other programs.
    Portability,
    /// The skills of a folder together.
    Bundle,
    /// Advice.
    Other,
}

impl Group {
    /// Returns `file`, `fields`, `body`, `links`, `portability`, `bundle` or `other`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Fields => "fields",
            Self::Body => "body",
            Self::Links => "links",
            Self::Portability => "portability",
            Self::Bundle => "bundle",
            Self::Other => "other",
        }
    }
}

/// The kind of fix that a rule offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "json", serde(rename_all = "lowercase"))]
pub enum FixKind {
    /// No fix.
    No,
    /// A fix that keeps the meaning.
    Safe,
    /// A fix that guesses.
    Unsafe,
}

impl FixKind {
    /// Returns `no`, `safe` or `unsafe`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// The check of a rule, by the data that it sees. A check returns findings; the engine adds their severity and makes
/// diagnostics.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// Sees one `SKILL.md` that can be read.
    Skill(fn(&SkillView<'_>) -> Vec<Finding>),
    /// Sees the files of one skill, also if its `SKILL.md` cannot be read.
    Files(fn(&SkillView<'_>) -> Vec<Finding>),
    /// Sees the files of one skill, and the files beside the skills.
    Tree {
        files: fn(&SkillView<'_>) -> Vec<Finding>,
        above: fn(&BundleView<'_>) -> Vec<Finding>,
    },
    /// Sees one skill and the files of the repository around it. Not run if the repository is unknown.
    InRepository(fn(&SkillView<'_>) -> Vec<Finding>),
    /// Sees one `SKILL.md`, and the names and aliases of the other skills.
    Siblings {
        /// Returns whether the rule concerns this skill, by its `SKILL.md` alone. Only such skills are read again.
        concerns: fn(&SkillView<'_>) -> bool,
        check: fn(&SkillView<'_>, &BundleView<'_>) -> Vec<Finding>,
    },
    /// Sees the skills of a tree together.
    Bundle(fn(&BundleView<'_>) -> Vec<Finding>),
    /// Run by another package.
    Elsewhere,
}
