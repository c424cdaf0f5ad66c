//! The rules of a strict check, one file each.

use crate::check::CheckedSkill;
use crate::config::{Config, Level};
use crate::diagnostic::{Diagnostic, Severity};
use crate::tree::Tree;

/// A rule: what it says of itself, and its check.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its id: `name-form`.
    pub id: &'static str,
    /// What its findings count as where nothing else is configured.
    pub level: Level,
}

pub(crate) fn check(
    _root: &str,
    _tree: &Tree,
    skills: &[CheckedSkill<'_>],
    _config: &Config,
) -> Vec<Diagnostic> {
    let mut diagnostics: Vec<Diagnostic> = skills
        .iter()
        .filter(|skill| skill.skill.is_none())
        .map(|skill| Diagnostic::new("name-missing", Severity::Error, &skill.file.path, "not yet"))
        .collect();
    Diagnostic::sort(&mut diagnostics);
    diagnostics
}
