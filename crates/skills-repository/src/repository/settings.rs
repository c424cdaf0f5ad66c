//! The options of a check, over those of `skills.toml`.

use skills_lint::{Config, Level};

/// The options of a check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The levels of rules, in the order in which they were given. The last one wins.
    pub levels: Vec<(String, Level)>,
    /// Whether warnings count as errors.
    pub has_strict_warnings: bool,
    /// The options that count instead of any `skills.toml`, and the path of their file.
    pub config: Option<(Config, String)>,
    /// Patterns of paths that are not checked, as they are shown.
    pub exclude: Vec<String>,
    /// Whether what git ignores is left out.
    pub ignores: bool,
    /// Whether comments in skills suppress findings.
    pub honours_comments: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            levels: Vec::new(),
            has_strict_warnings: false,
            config: None,
            exclude: Vec::new(),
            ignores: true,
            honours_comments: true,
        }
    }
}

impl Settings {
    /// Puts these options over the options of a file. The ids of rules are known.
    pub(crate) fn over(&self, config: &mut Config) {
        for (rule, level) in &self.levels {
            // The caller has checked the id.
            let _ = config.set_everywhere(rule, *level);
        }
        config.has_strict_warnings |= self.has_strict_warnings;
        config.honours_comments = self.honours_comments;
    }
}
