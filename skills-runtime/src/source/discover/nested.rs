//! Reports nested skills. A `SKILL.md` below a skill is not loaded.

// Only `list` and `CatalogBuilder::thorough` report nested skills. Other loads do not search for them,
// because each skill would cost one more folder read.

use crate::source::diagnostics::reading;
use crate::source::discover::{Walk, is_entered};
use skills_format::disk::{Folder, Item, Kind, Refused};
use skills_format::{Diagnostic, SKILL_FILE};
use std::path::Path;

impl Walk<'_> {
    /// Reports every `SKILL.md` below a skill, and the folders that cannot be searched.
    pub(crate) fn report_nested(&mut self, skill: &Folder, path: &Path) {
        let limits = self.reading.limits;
        let mut search = Search {
            skill: path,
            left: limits.folders,
            diagnostics: self.diagnostics,
        };
        search.folder(skill, path, limits.depth);
    }
}

struct Search<'a> {
    /// The folder of the skill that is searched.
    skill: &'a Path,
    /// The number of folders that may still be searched.
    left: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Search<'_> {
    fn folder(&mut self, folder: &Folder, path: &Path, depth: usize) {
        let items = match folder.items(self.left) {
            Ok(items) => items,
            Err(error) => return self.diagnostics.push(reading::unreadable(path, &error)),
        };
        for Item { name, kind, .. } in items {
            if kind != Kind::Folder || !is_entered(folder, &name) || depth == 0 || self.left == 0 {
                continue;
            }
            self.left -= 1;
            let path = path.join(&name);
            let file = Path::new(&name).join(SKILL_FILE);
            if folder.stat(&file).is_ok_and(|stat| stat.is_file) {
                let nested = reading::nested(&path.join(SKILL_FILE), self.skill);
                self.diagnostics.push(nested);
            }
            match folder.folder_within(Path::new(&name)) {
                Ok(folder) => self.folder(&folder, &path, depth - 1),
                Err(Refused::Io(error)) => {
                    self.diagnostics.push(reading::unreadable(&path, &error));
                }
                // A link has replaced the folder since it was listed. Links are not searched.
                Err(Refused::Escape) => {}
            }
        }
    }
}
