//! The caller's options of a check, which override those of `skills.toml`.

use skills_lint::{Config, Level};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The options of a check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The levels of rules, in the given order. The last level of a rule wins.
    pub levels: Vec<(String, Level)>,
    /// True if warnings count as errors.
    pub has_strict_warnings: bool,
    /// The clients that the skills are for, in place of those of `skills.toml`.
    pub clients: Vec<String>,
    /// Options that replace every `skills.toml`, and the path of their file.
    pub config: Option<(Config, String)>,
    /// Patterns of printed paths that are not checked.
    pub exclude: Vec<String>,
    /// True if ignored files and folders of tests are left out.
    pub ignores: bool,
    /// True if comments in skills suppress findings.
    pub honours_comments: bool,
    /// The texts that replace files, as an editor holds them, by their absolute paths.
    pub texts: BTreeMap<PathBuf, Arc<[u8]>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            levels: Vec::new(),
            has_strict_warnings: false,
            clients: Vec::new(),
            config: None,
            exclude: Vec::new(),
            ignores: true,
            honours_comments: true,
            texts: BTreeMap::new(),
        }
    }
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
        config.honours_comments = self.honours_comments;
    }
}
