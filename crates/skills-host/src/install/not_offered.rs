//! The skills of a source that cannot be installed from where they lie.

use crate::files::relative_path::RelativePath;
use crate::files::snapshot::is_skill_file;
use crate::install::tree::{MAX_DEPTH, SourceTree, above, is_at_or_below};
use crate::review::item::ItemKind;
use serde::Serialize;
use std::collections::BTreeMap;

/// A skill of a source that is not offered, and that its name does not choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NotOffered {
    /// The folder in the source. Bytes that are not UTF-8 are replaced.
    pub path: String,
    /// The reason.
    pub reason: String,
    /// True if the skill can be installed when its folder is named: it lies too deep to be found.
    pub is_deep: bool,
}

impl SourceTree<'_> {
    /// Returns the skills at or below `start` that are neither offered nor found by their names, in order of their folders.
    pub(crate) fn not_offered(&self, start: Option<&str>) -> Vec<NotOffered> {
        let start = start.unwrap_or_default();
        let known = self.skill_files();
        let mut found: BTreeMap<String, NotOffered> = BTreeMap::new();
        for item in &self.items {
            let path = String::from_utf8_lossy(&item.path);
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
            if !is_skill_file(name) || !is_at_or_below(folder, start) {
                continue;
            }
            let parts = || folder.split('/').filter(|part| !part.is_empty());
            let is_of_git = parts().any(|part| part == ".git");
            // A skill inside of another one is a file of it.
            if is_of_git || above(folder).any(|above| known.contains_key(above)) {
                continue;
            }
            let depth = parts().count() - start.split('/').filter(|part| !part.is_empty()).count();
            let is_deep = known.contains_key(folder) && depth > MAX_DEPTH;
            let reason = match RelativePath::portable(&item.path) {
                Err(refused) => refused.to_string(),
                Ok(_) if is_deep => {
                    format!("it lies {depth} folders deep, and only {MAX_DEPTH} are searched")
                }
                Ok(_) if known.contains_key(folder) => continue,
                Ok(_) if item.kind == ItemKind::Link => format!("its {name} is a link"),
                Ok(_) => continue,
            };
            let path = folder.to_owned();
            let skill = NotOffered {
                path,
                reason,
                is_deep,
            };
            found.insert(folder.to_owned(), skill);
        }
        found.into_values().collect()
    }
}
