//! The folders that a skill's placeholders stand for.

use crate::catalog::entry::{Entry, Location};
use crate::catalog::places::is_unwritable;
use crate::source::SourceKind;
use skills_format::text::path::PathText as _;
use std::cell::OnceCell;
use std::path::Path;

/// The folders of a skill, found when a placeholder first asks for one.
pub struct Folder<'a> {
    entry: Option<Entry<'a>>,
    skill: OnceCell<Option<String>>,
    plugin: OnceCell<Option<String>>,
}

impl<'a> Folder<'a> {
    /// Names the folder of a skill. `None`: there is none.
    pub fn of(entry: Option<Entry<'a>>) -> Self {
        Self {
            entry,
            skill: OnceCell::new(),
            plugin: OnceCell::new(),
        }
    }

    /// Returns the folder of the skill: a whole path, because a shell does not expand `~` between quotes; the
    /// address of a skill without a folder.
    pub fn skill(&self) -> Option<&str> {
        let folder = self.skill.get_or_init(|| {
            let entry = self.entry.as_ref()?;
            match entry.location() {
                Location::Folder(path) => Some(written(path)),
                Location::Bundled => {
                    let places = entry.catalog().places();
                    match places.extracted(entry) {
                        Some((folder, dir)) => Some(written(&folder.join(dir))),
                        None => places.directory(entry),
                    }
                }
                Location::Server(_) => entry.catalog().places().directory(entry),
            }
        });
        folder.as_deref()
    }

    /// Returns the folder of the plugin that the skill is of.
    pub(super) fn plugin(&self) -> Option<&str> {
        let folder = self.plugin.get_or_init(|| {
            let entry = self.entry.as_ref()?;
            let root = (entry.source().kind() == SourceKind::Plugin).then(|| entry.root())??;
            Some(written(root.parent()?))
        });
        folder.as_deref()
    }
}

/// Writes a path on one line: a folder's name can hold a line end.
fn written(path: &Path) -> String {
    path.shown().replace(is_unwritable, "\u{fffd}")
}
