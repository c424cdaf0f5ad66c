//! Reads one folder as a skill.

use crate::source::diagnostics::{reading, shown};
use crate::source::discover::{Tried, Walk};
use crate::source::folder::{FolderSkill, UnusableSkill};
use crate::source::schema_file;
use crate::source::skill_file::{NOWHERE, has_agents, leads_openai_nowhere, parse};
use crate::source::stamp::{Seen, SeenSkill};
use skills_format::disk::is_named_so;
use skills_format::disk::{self, Folder, Item, Kind, Refused, is_absent, is_not_a_folder};
use skills_format::{
    ARGUMENTS_FILE, MAX_OPENAI_FILE, MAX_SKILL_FILE, OPENAI_FILE, OpenAiFile, SKILL_FILE,
};
use std::fs::File;
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
            let schema = schema_file::is_there(dir)
                .then(|| now(ARGUMENTS_FILE))
                .transpose();
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
                    let top = (top, folder);
                    self.read_skill(&open, top, (path, Path::new("")), name) == Tried::Skill
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

    /// Reads the skill of an open file, which lies in `dir`. `below` is the path of `dir` from `folder`.
    fn read_skill(
        &mut self,
        file: &File,
        (top, folder): (&Folder, &Folder),
        (dir, below): (&Path, &Path),
        file_name: &str,
    ) -> Tried {
        let seen = self.seen(file);
        let path = dir.join(file_name);
        let openai = has_agents(dir).then(|| self.open_file(top, folder, dir, below, OPENAI_FILE));
        let (openai, openai_seen) = self.openai(openai, dir);
        let mut bytes = std::mem::take(&mut self.buffer);
        let (skill, mut diagnostics) = match disk::read_into(file, MAX_SKILL_FILE, &mut bytes) {
            Ok(()) => parse(&path, dir, &bytes, true, self.reading.how, openai),
            Err(error) => {
                let found = match file.metadata() {
                    Ok(found) if !found.is_file() => reading::not_a_file(&path),
                    Ok(found) if found.len() > MAX_SKILL_FILE => {
                        reading::too_large(&path, found.len())
                    }
                    _ => reading::unreadable(&path, &error),
                };
                (None, vec![found])
            }
        };
        self.buffer = bytes;
        let Some(skill) = skill else {
            let is_file = file.metadata().is_ok_and(|found| found.is_file());
            self.diagnostics.extend_from_slice(&diagnostics);
            self.found.unusable.push(Arc::new(UnusableSkill {
                dir: dir.to_owned(),
                file_name: file_name.to_owned(),
                is_file,
                seen,
                diagnostics,
            }));
            return if is_file {
                Tried::Skill
            } else {
                Tried::NotAFile
            };
        };
        let mut schema = Seen::ABSENT;
        if schema_file::is_there(dir) {
            // Opened as a start of the skill opens it: no link leads out of the skill.
            let own = self.open_folder(top, folder, dir, below);
            let opened = own.and_then(|own| own.file_within(Path::new(ARGUMENTS_FILE)));
            schema = self.seen_beside(opened.as_ref().ok());
            diagnostics.extend(schema_file::findings(&dir.join(ARGUMENTS_FILE), opened));
        }
        self.diagnostics.extend_from_slice(&diagnostics);
        let seen = seen.map(|file| [file, openai_seen, schema]);
        let mut skill = FolderSkill::new(dir, file_name, skill, seen, diagnostics);
        skill.root = self.root;
        self.found.skills.push(Arc::new(skill));
        Tried::Skill
    }

    /// Reads the `agents/openai.yaml` of the skill in `dir`. `None`: the skill has no such file.
    fn openai(
        &self,
        opened: Option<Result<File, Refused>>,
        dir: &Path,
    ) -> (Option<OpenAiFile>, Seen) {
        // Few skills have the file, so the path is joined only for those.
        let path = || shown(&dir.join(OPENAI_FILE));
        let unreadable = |why: &str| {
            let file = OpenAiFile::unreadable(&path(), why);
            (Some(file), Seen::UNKNOWN)
        };
        match opened {
            None => (None, Seen::ABSENT),
            Some(Err(Refused::Io(error))) if is_absent(&error) => {
                if leads_openai_nowhere(dir) {
                    unreadable(NOWHERE)
                } else {
                    (None, Seen::ABSENT)
                }
            }
            Some(Err(Refused::Io(error))) => unreadable(&error.to_string()),
            Some(Err(Refused::Escape)) => unreadable("a link leads out of the source"),
            Some(Ok(file)) => {
                let seen = self.seen_beside(Some(&file));
                match disk::read_regular(&file, MAX_OPENAI_FILE) {
                    Ok(bytes) => (Some(OpenAiFile::read(&path(), &bytes)), seen),
                    Err(error) => unreadable(&error.to_string()),
                }
            }
        }
    }

    /// Returns the version of an open file. It is taken before the bytes: a change in between gives another one at the
    /// next look.
    fn seen(&self, file: &File) -> Option<Seen> {
        let metadata = self.reading.stamps.then(|| file.metadata().ok())?;
        metadata.map(|now| Seen::new(&now, self.began))
    }

    fn seen_beside(&self, file: Option<&File>) -> Seen {
        let seen = file.and_then(|file| self.seen(file));
        seen.unwrap_or(Seen::UNKNOWN)
    }
}
