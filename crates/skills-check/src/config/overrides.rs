//! Levels for a part of the files: `[[override]]` in `skills.toml`.

use crate::config::Config;
use crate::config::level::{Level, Leveled};
use fast_glob::glob_match;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Severity};
use std::collections::BTreeMap;

/// Levels of rules for the files that a pattern matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Override {
    /// Patterns of paths relative to the folder of `skills.toml`. A pattern that matches a folder also
    /// matches everything below the folder.
    pub paths: Vec<String>,
    /// The levels, by the id of the rule.
    pub levels: BTreeMap<String, Level>,
}

impl Config {
    /// Returns whether `exclude` matches a path relative to the folder of `skills.toml`.
    pub fn excludes(&self, path: &str) -> bool {
        matches_any(&self.exclude, path)
    }

    /// Returns whether `include` matches a path relative to the folder of `skills.toml`, or a path below it.
    pub fn includes(&self, path: &str) -> bool {
        let is_below = |pattern: &String| {
            let pattern = pattern.trim_start_matches("./");
            pattern
                .strip_prefix(path)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        matches_any(&self.include, path) || self.include.iter().any(is_below)
    }

    /// Returns whether `include` brings a file back, by the path that findings show.
    pub fn includes_shown(&self, shown: &str) -> bool {
        self.includes(&self.place.relative(shown))
    }

    /// Returns the highest severity of a rule's findings over all overrides; `None` if the findings are
    /// reported nowhere.
    pub fn most_severe(&self, rule: &impl Leveled) -> Option<Severity> {
        let here = self.level(rule);
        let levels = self.overrides.iter();
        let levels = levels.filter_map(|part| part.levels.get(rule.id().as_str()));
        let severities = levels.chain([&here]).filter_map(|level| self.of(*level));
        // `Severity` sorts errors first, so the minimum is the most severe.
        severities.min()
    }

    /// Returns whether the level of a rule is nowhere configured.
    pub fn is_default(&self, rule: &impl Leveled) -> bool {
        let id = rule.id();
        let id = id.as_str();
        let is_set = self.levels.contains_key(id) || self.has_strict_warnings;
        !is_set
            && !self
                .overrides
                .iter()
                .any(|part| part.levels.contains_key(id))
    }

    /// Applies the overrides to findings. `default` returns the level that a rule has unless it is set, and `None` for a
    /// finding of no rule.
    pub fn refine(&self, told: &mut Vec<Diagnostic>, default: &dyn Fn(RuleId) -> Option<Level>) {
        if !self.overrides.is_empty() {
            told.retain_mut(|finding| self.keeps(finding, default));
        }
    }

    fn keeps(&self, finding: &mut Diagnostic, default: &dyn Fn(RuleId) -> Option<Level>) -> bool {
        let path = self.place.relative(&finding.path);
        // Later overrides take precedence.
        let parts = self.overrides.iter().rev();
        let level = parts
            .filter(|part| matches_any(&part.paths, &path))
            .find_map(|part| part.levels.get(finding.rule.as_str()));
        let is_overridden = self.overrides.iter();
        let mut is_overridden =
            is_overridden.map(|part| part.levels.contains_key(finding.rule.as_str()));
        let level = match (level, default(finding.rule)) {
            (Some(level), _) => *level,
            (None, Some(default)) if is_overridden.any(|is| is) => {
                self.level(&(finding.rule, default))
            }
            _ => return true,
        };
        match self.of(level) {
            Some(severity) => finding.severity = severity,
            None => return false,
        }
        true
    }
}

fn matches_any(patterns: &[String], path: &str) -> bool {
    let folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    let paths: Vec<&str> = folders.chain([path]).collect();
    let matches = |pattern: &str| paths.iter().any(|path| glob_match(pattern, path));
    patterns.iter().any(|pattern| {
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        matches(pattern)
    })
}
