//! Reports nested skills: a `SKILL.md` below a skill is not loaded.

use crate::disk::{Folder, Item, Kind};
use crate::source::diagnostics::reading;
use crate::source::discover::{Walk, is_entered};
use skills_format::SKILL_FILE;
use std::path::Path;

impl Walk<'_> {
    /// Reports every `SKILL.md` below a skill.
    pub(crate) fn report_nested(&mut self, skill: &Folder, path: &Path) {
        let mut left = self.reading.limits.folders;
        nested(
            skill,
            path,
            self.reading.limits.depth,
            &mut left,
            &mut |file| {
                self.diagnostics.push(reading::nested(file, path));
            },
        );
    }
}

fn nested(
    folder: &Folder,
    path: &Path,
    depth: usize,
    left: &mut usize,
    report: &mut impl FnMut(&Path),
) {
    for Item { name, kind } in folder.items(*left).unwrap_or_default() {
        if kind != Kind::Folder || !is_entered(&name) || depth == 0 || *left == 0 {
            continue;
        }
        *left -= 1;
        let path = path.join(&name);
        let file = path.join(SKILL_FILE);
        if folder
            .stat(&Path::new(&name).join(SKILL_FILE))
            .is_ok_and(|stat| stat.is_file)
        {
            report(&file);
        }
        if let Ok(folder) = folder.folder_within(Path::new(&name)) {
            nested(&folder, &path, depth - 1, left, report);
        }
    }
}
