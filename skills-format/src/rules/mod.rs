//! The rules of a strict check, one file each, and what asks them.
//!
//! A rule is a constant that holds what it says of itself and its check. A new rule is one file
//! and one line of [`RULES`].

mod example;
mod links;
mod page;
mod view;

mod bundle_empty;
mod description_length;
mod description_missing;
mod duplicate_name;
mod frontmatter_missing;
mod frontmatter_unterminated;
mod link_broken;
mod name_form;
mod name_mismatch;
mod name_missing;
mod not_utf8;
mod too_large;
mod yaml_syntax;

use crate::check::CheckedSkill;
use crate::config::{Config, Level};
use crate::diagnostic::{Diagnostic, Severity};
use crate::parallel;
use crate::tree::Tree;
pub use example::{Content, Example};
pub use page::{explain, page};
pub(crate) use view::{BundleView, SkillView};

/// Most findings of one rule in one skill that are told; the last of them counts the rest.
const MAX_FINDINGS: usize = 100;

/// Every rule, by group.
pub const RULES: &[Rule] = &[
    frontmatter_missing::RULE,
    frontmatter_unterminated::RULE,
    yaml_syntax::RULE,
    not_utf8::RULE,
    too_large::RULE,
    name_missing::RULE,
    name_form::RULE,
    name_mismatch::RULE,
    description_missing::RULE,
    description_length::RULE,
    link_broken::RULE,
    bundle_empty::RULE,
    duplicate_name::RULE,
];

/// A rule: what it says of itself, and its check.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rule {
    /// Its id: `name-form`.
    pub id: &'static str,
    /// What its findings count as where nothing else is configured.
    pub level: Level,
    /// What it looks at.
    pub group: Group,
    /// What must hold, in one line.
    pub summary: &'static str,
    /// Why it must.
    pub why: &'static str,
    /// Files in which it finds something, and nothing else is found.
    pub bad: Example,
    /// What its first finding in `bad` underlines; empty for a whole file or folder.
    pub marks: &'static str,
    /// Files in which nothing is found.
    pub good: Example,
    /// Whether it can mend what it finds.
    pub mends: Mends,
    /// How it is asked.
    pub(crate) check: Check,
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
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

/// Whether a rule can mend what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mends {
    /// It cannot.
    No,
    /// It can, and keeps the meaning.
    Safely,
    /// It can guess.
    Guessing,
}

/// How a rule is asked. Findings are told without rule and severity: the engine knows both.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// About one `SKILL.md`.
    Skill(fn(&SkillView<'_>) -> Vec<Diagnostic>),
    /// About the files of one skill.
    Files(fn(&SkillView<'_>) -> Vec<Diagnostic>),
    /// About the skills of a tree together.
    Bundle(fn(&BundleView<'_>) -> Vec<Diagnostic>),
    /// Another part of the project asks it.
    Elsewhere,
}

/// A rule by its id.
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

impl Rule {
    /// Whether a check of a folder never asks it: another part of the project does.
    pub const fn is_asked_elsewhere(&self) -> bool {
        matches!(self.check, Check::Elsewhere)
    }

    /// The severity of its findings; `None` when they are not told.
    pub fn severity(&self, config: &Config) -> Option<Severity> {
        match config.levels.get(self.id).unwrap_or(&self.level) {
            Level::Deny => Some(Severity::Error),
            Level::Warn => Some(Severity::Warning),
            Level::Allow => None,
        }
    }
}

/// Asks every rule that is not allowed about every skill, and about all of them together.
pub(crate) fn check(
    root: &str,
    tree: &Tree,
    skills: &[CheckedSkill<'_>],
    config: &Config,
) -> Vec<Diagnostic> {
    let bundle = BundleView::new(root, tree, skills, config);
    let asked: Vec<(&Rule, Severity)> = RULES
        .iter()
        .filter_map(|rule| Some((rule, rule.severity(config)?)))
        .collect();
    let of_skills = parallel::map(skills, |skill| {
        let view = SkillView::new(skill, &bundle);
        let mut told = Vec::new();
        for (rule, severity) in &asked {
            let found = match rule.check {
                Check::Skill(check) if view.is_readable() => check(&view),
                Check::Files(check) => check(&view),
                _ => continue,
            };
            let found = stamped(found, rule, *severity);
            told.extend(found.into_iter().map(|finding| view.placed(finding)));
        }
        told
    });
    let mut told: Vec<Diagnostic> = of_skills.into_iter().flatten().collect();
    for (rule, severity) in &asked {
        if let Check::Bundle(check) = rule.check {
            told.extend(stamped(check(&bundle), rule, *severity));
        }
    }
    Diagnostic::sort(&mut told);
    told
}

fn stamped(mut found: Vec<Diagnostic>, rule: &Rule, severity: Severity) -> Vec<Diagnostic> {
    let rest = found.len().saturating_sub(MAX_FINDINGS);
    if rest > 0 && !matches!(rule.check, Check::Bundle(_)) {
        found.sort_by_key(|finding| finding.start.offset);
        found.truncate(MAX_FINDINGS);
        if let Some(last) = found.last_mut() {
            last.message = format!("{}, and {rest} more like it", last.message);
        }
    }
    for finding in &mut found {
        finding.rule = rule.id;
        finding.severity = severity;
    }
    found
}
