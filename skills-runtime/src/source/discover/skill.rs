//! Reads one folder as a skill.

use crate::source::diagnostics::reading;
use crate::source::discover::{Tried, Walk};
use crate::source::schema_file::is_there;
use crate::source::skill_file::{has_agents, leads_openai_nowhere};
use crate::source::stamp::{Seen, SeenSkill};
use skills_format::disk::is_named_so;
use skills_format::disk::{self, Folder, Item, Kind, Refused, is_absent, is_not_a_folder};
use skills_format::{ARGUMENTS_FILE, OPENAI_FILE, SKILL_FILE};
use std::io;
use std::path::Path;
use std::sync::Arc;

impl Walk<'_> {
    /// Reads a folder as a skill. `below` is its path from `folder`.
    pub(super) fn try_skill(
        &mut self,
        top: &Folder,
        folder: &Folder,
        path: &Path,
        below: &Path,
    ) -> Tried {
        if self.is_unchanged(path, SKILL_FILE) {
            return Tried::Skill;
        }
        match self.open_file(top, folder, path, below, SKILL_FILE) {
            Ok(file) if is_named_so(&path.join(SKILL_FILE)) => {
                self.read_skill(&file, (top, folder), (path, below), SKILL_FILE)
            }
            // A case-insensitive file system opens `skill.md` too; `read_misnamed` reads and reports
            // that file.
            Ok(_) => Tried::NoFile,
            Err(Refused::Io(error)) if error.kind() == io::ErrorKind::NotFound => Tried::NoFile,
            Err(Refused::Io(error)) if is_not_a_folder(&error) => Tried::Nothing,
            Err(refused) => {
                // A folder with a `SKILL.md` that cannot be opened counts as a skill: skills below it
                // must not be loaded in its place, except below a root.
                self.refused(&path.join(SKILL_FILE), refused);
                Tried::Skill
            }
        }
    }

    /// Reuses the result of the last load if the file has not changed.
    fn is_unchanged(&mut self, dir: &Path, name: &str) -> bool {
        let root = self.root;
        let now = |name: &str| disk::metadata(&dir.join(name));
        let same_skill = |seen: SeenSkill| {
            let openai = match has_agents(dir).then(|| now(OPENAI_FILE)).transpose() {
                Err(error) if is_absent(&error) && !leads_openai_nowhere(dir) => Ok(None),
                openai => openai,
            };
            let schema = is_there(dir).then(|| now(ARGUMENTS_FILE)).transpose();
            let (Ok(file), Ok(openai), Ok(schema)) = (now(name), openai, schema) else {
                return false;
            };
            let now = [Some(&file), openai.as_ref(), schema.as_ref()];
            seen.iter().zip(now).all(|(seen, now)| seen.is_same(now))
        };
        let same = |seen: Seen| now(name).is_ok_and(|now| seen.is_same(Some(&now)));
        if let Some(&skill) = self.before.skills.get(dir.as_os_str())
            && skill.file_name == name
            // The index of the root decides the precedence among skills with one name, so a moved root
            // is read again.
            && skill.root == root
            && skill.seen.is_some_and(same_skill)
        {
            self.diagnostics.extend_from_slice(&skill.diagnostics);
            self.found.skills.push(Arc::clone(skill));
            return true;
        }
        if let Some(&unusable) = self.before.unusable.get(dir.as_os_str())
            && unusable.file_name == name
            && unusable.seen.is_some_and(same)
        {
            self.diagnostics.extend_from_slice(&unusable.diagnostics);
            self.found.unusable.push(Arc::clone(unusable));
            return true;
        }
        false
    }

    /// Reads a folder without a readable `SKILL.md`: the file's name can have another case, or be a
    /// broken link.
    pub(super) fn read_misnamed(
        &mut self,
        top: &Folder,
        folder: &Folder,
        path: &Path,
        items: &[Item],
    ) -> bool {
        let is_broken = |item: &Item| item.name == SKILL_FILE && item.kind == Kind::Link;
        if items.iter().any(is_broken) {
            let link = path.join(SKILL_FILE);
            self.diagnostics.push(reading::broken_link(&link));
            return false;
        }
        let mut names = items
            .iter()
            .filter(|item| item.kind != Kind::Folder && item.name != SKILL_FILE)
            .filter_map(|item| item.name.to_str())
            .filter(|name| name.eq_ignore_ascii_case(SKILL_FILE));
        let Some(name) = names.next() else {
            return false;
        };
        let file = path.join(name);
        let is_skill = self.is_unchanged(path, name)
            || match self.open_file(top, folder, path, Path::new(""), name) {
                Ok(open) => {
                    let places = ((top, folder), (path, Path::new("")));
                    self.read_skill(&open, places.0, places.1, name) == Tried::Skill
                }
                Err(refused) => {
                    self.refused(&file, refused);
                    return false;
                }
            };
        if is_skill {
            self.diagnostics.push(reading::file_name(&file, name));
        }
        is_skill
    }
}
