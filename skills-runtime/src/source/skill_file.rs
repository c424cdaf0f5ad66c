//! Reads one `SKILL.md`, and what stands beside it.

use crate::source::diagnostics::{reading, shown};
use crate::source::discover::{Tried, Walk};
use crate::source::folder::{FolderSkill, UnusableSkill};
use crate::source::options::How;
use crate::source::schema_file;
use crate::source::stamp::Seen;
use skills_format::disk::{self, Folder, Refused, is_absent};
use skills_format::{
    ARGUMENTS_FILE, Diagnostic, MAX_OPENAI_FILE, MAX_SKILL_FILE, OPENAI_FILE, OpenAiFile, Skill,
    SkillFile,
};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// The reason why an `agents/openai.yaml` behind a broken link cannot be read.
pub(crate) const NOWHERE: &str = "a link leads nowhere";

/// Returns whether a skill can have an `agents/openai.yaml`. Most have no such folder: one call says so.
pub(crate) fn has_agents(dir: &Path) -> bool {
    disk::is_there(&dir.join(AGENTS))
}

/// Returns whether a skill's missing `agents/openai.yaml` is a broken link. Its author wrote a restraint that nobody can
/// read, so the skill is closed, as `check` says.
pub(crate) fn leads_openai_nowhere(dir: &Path) -> bool {
    [AGENTS, OPENAI_FILE]
        .iter()
        .any(|path| disk::leads_nowhere(&dir.join(path)))
}

/// The folder of [`OPENAI_FILE`].
const AGENTS: &str = "agents";

impl Walk<'_> {
    /// Reads the skill of an open file, which lies in `dir`. `below` is the path of `dir` from `folder`.
    pub(super) fn read_skill(
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

/// Parses a file's bytes. Returns the skill, without its body if it `is_listed`, and the findings about the file.
pub(crate) fn parse(
    path: &Path,
    dir: &Path,
    bytes: &[u8],
    is_listed: bool,
    how: How,
    openai: Option<OpenAiFile>,
) -> (Option<Skill>, Vec<Diagnostic>) {
    let folder = dir.file_name().unwrap_or_default().to_string_lossy();
    let mut file = SkillFile::read(shown(path), folder, bytes).with_openai(openai);
    if is_listed {
        file = file.listed();
    }
    let (mut skill, findings) = file.lenient_with(how.lenient);
    if let Some(skill) = skill.as_mut().filter(|_| how.namespaced) {
        // Neither a name nor a call of a tool on this machine is for such a source to choose.
        skill.fields.command_tool = None;
        skill.fields.aliases = [].as_slice().into();
    }
    (skill, findings)
}
