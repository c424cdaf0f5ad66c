//! The place of the folder of `skills.toml`, relative to the paths in findings.

/// The conversion from the path of a finding to a path relative to the folder of `skills.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The beginning of a finding's path that is removed: the path of the checked tree, or of the folder.
    pub shown: String,
    /// The path that is then added before: the path of the tree, relative to the folder.
    pub before: String,
}

impl Place {
    /// Returns the path of a finding, relative to the folder of `skills.toml`.
    pub fn relative(&self, path: &str) -> String {
        let rest = match self.shown.trim_end_matches('/') {
            "" | "." => path,
            shown => match path.strip_prefix(shown) {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                    rest.trim_start_matches('/')
                }
                _ => path,
            },
        };
        skills_format::tree::join(&self.before, rest)
    }
}
