//! Where the folder of `skills.toml` is, seen from the paths that findings show.

/// How the path of a finding is made relative to the folder of `skills.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The beginning of a shown path that is removed: the path of the checked tree, or of the folder.
    pub shown: String,
    /// What then stands before it: the path of the tree from the folder.
    pub before: String,
}

impl Place {
    /// A path that a finding shows, relative to the folder of `skills.toml`.
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
