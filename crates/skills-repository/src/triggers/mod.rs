//! Trigger texts: texts for which a skill is meant, and whether its words match them.
//!
//! [`Loaded`] reads the skills of a bundle as a program loads them. [`Texts`] reads the trigger files of the
//! bundle. [`misses`] is the rule `trigger-miss`.

mod judge;
mod load;
mod texts;

pub use judge::{Judge, Judged};
pub use load::{Loaded, LoadedSkill};
pub use texts::{Text, Texts};

use crate::repository::{Bundle, Repository};
use skills_format::{Diagnostic, RuleId};
use skills_lint::rules;

/// The rank down to which a skill counts as found.
pub const TOP: usize = 3;

/// Reports the texts of a bundle whose skill is not found by its words, and the faults of the trigger files.
/// Returns nothing when the rule `trigger-miss` is allowed.
///
/// # Cost
///
/// Reads the trigger files; if the bundle has any, also every `SKILL.md` of the bundle.
pub fn misses(repository: &Repository, bundle: &Bundle) -> Vec<Diagnostic> {
    let rule = rules::find(RuleId::TriggerMiss.as_str());
    let Some(severity) = rule.and_then(|rule| bundle.config.severity(rule)) else {
        return Vec::new();
    };
    if !texts::are_there(repository, bundle) {
        return Vec::new();
    }
    let loaded = Loaded::read(repository, bundle);
    let texts = Texts::read(repository, bundle, &loaded);
    let judge = Judge::new(&loaded);
    let missed = texts.all.iter().filter_map(|text| {
        let (message, help) = judge.judge(text, TOP).failure?;
        Some(text.finding(&message, help))
    });
    let mut found: Vec<Diagnostic> = texts.faults.iter().cloned().chain(missed).collect();
    for finding in &mut found {
        finding.severity = severity;
    }
    found
}
