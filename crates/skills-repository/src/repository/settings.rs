//! The caller's options of a check, which override those of `skills.toml`.

use skills_lint::{Config, Level};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The options of a check.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Settings {
    /// The levels of rules, in the given order. The last level of a rule wins.
    pub levels: Vec<(String, Level)>,
    /// True if warnings count as errors.
    pub has_strict_warnings: bool,
    /// The clients that the skills are for, in place of those of `skills.toml`.
    pub clients: Vec<String>,
    /// The texts that replace files, as an editor holds them, by their absolute paths.
    pub texts: BTreeMap<PathBuf, Arc<[u8]>>,
}

impl Settings {
    /// Applies these options over the options of a file. The ids of rules must be valid.
    pub(crate) fn over(&self, config: &mut Config) {
        for (rule, level) in &self.levels {
            // The caller has validated the id.
            let _ = config.set_everywhere(rule, *level);
        }
        if !self.clients.is_empty() {
            config.clients.clone_from(&self.clients);
        }
        config.has_strict_warnings |= self.has_strict_warnings;
        config.honours_comments = true;
    }
}
