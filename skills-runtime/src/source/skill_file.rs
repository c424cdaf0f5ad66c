//! Reads one `SKILL.md` from disk. Listing a skill reads its front matter; activating it reads the whole
//! file.

// A `SKILL.md` that is too large is skipped and reported if its length is known: in `list`, and in
// catalogs that reload. Other loads do not ask for the length; starting the skill reports it then.

use crate::source::diagnostics::{reading, shown};
use crate::source::folder::{FolderSkill, SkillFilePath, UnusableSkill};
use crate::source::options::{How, Reading};
use crate::source::schema_file::{self, SchemaRead};
use crate::source::stamp::{Moment, Seen, SeenBeside, SeenSkill};
use skills_format::disk::{self, Refused, is_absent};
use skills_format::{
    ARGUMENTS_FILE, Diagnostic, Head, MAX_FRONT_MATTER, MAX_OPENAI_FILE, MAX_SKILL_FILE,
    MissingName, OPENAI_FILE, OpenAiFile, RuleId, Severity, Skill, SkillFile,
};
use std::fs::File;
use std::io;
use std::path::Path;

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

/// The number of bytes of the first read. Almost every front matter is shorter.
const FIRST_READ: usize = 4096;
/// The maximum number of bytes that are read to find the end of the front matter.
const HEAD_READ: usize = MAX_FRONT_MATTER + FIRST_READ;
/// The maximum number of bytes that are read beyond the front matter, for the first paragraph of a body.
const PARAGRAPH_READ: usize = 64 * 1024;

/// Reads the front matter of many files, one after the other, with one buffer.
pub(crate) struct Reader {
    buffer: Vec<u8>,
    stamps: bool,
    how: How,
    began: Moment,
    /// The `agents/openai.yaml` of the skill that is read.
    openai: Option<OpenAiFile>,
}

/// A skill's `agents/openai.yaml`.
pub(crate) struct OpenAiRead {
    file: OpenAiFile,
    seen: Option<Seen>,
}

/// What stands beside the `SKILL.md`, as it was read.
#[derive(Default)]
pub(crate) struct Beside {
    pub(crate) openai: Option<OpenAiRead>,
    pub(crate) schema: Option<SchemaRead>,
}

/// The reasons why a file contains no skills.
struct Unusable {
    is_file: bool,
    diagnostics: Vec<Diagnostic>,
}

impl Reader {
    pub(crate) fn new(reading: &Reading) -> Self {
        Self {
            buffer: Vec::new(),
            stamps: reading.stamps,
            how: reading.how,
            began: Moment::now(),
            openai: None,
        }
    }

    /// Reads the `agents/openai.yaml` of the skill in `dir`.
    pub(crate) fn read_openai(
        &self,
        opened: Option<Result<File, Refused>>,
        dir: &Path,
    ) -> Option<OpenAiRead> {
        // Few skills have the file, so the path is joined only for those.
        let path = || shown(&dir.join(OPENAI_FILE));
        let unreadable = |why: &str| OpenAiRead {
            file: OpenAiFile::unreadable(&path(), why),
            seen: None,
        };
        let file = match opened? {
            Ok(file) => file,
            Err(Refused::Io(error)) if is_absent(&error) => {
                return leads_openai_nowhere(dir).then(|| unreadable(NOWHERE));
            }
            Err(Refused::Io(error)) => return Some(unreadable(&error.to_string())),
            Err(Refused::Escape) => return Some(unreadable("a link leads out of the source")),
        };
        let seen = self.seen(&file);
        Some(match disk::read_regular(&file, MAX_OPENAI_FILE) {
            Ok(bytes) => OpenAiRead {
                file: OpenAiFile::read(&path(), &bytes),
                seen,
            },
            Err(error) => unreadable(&error.to_string()),
        })
    }

    /// Reads the `arguments.schema.json` of the skill in `dir`.
    pub(crate) fn read_schema(
        &self,
        opened: Option<Result<File, Refused>>,
        dir: &Path,
    ) -> Option<SchemaRead> {
        let opened = opened?;
        let seen = opened.as_ref().ok().and_then(|file| self.seen(file));
        Some(SchemaRead {
            diagnostics: schema_file::findings(&dir.join(ARGUMENTS_FILE), opened),
            seen,
        })
    }

    /// Returns the version of an open file. It is taken before the bytes: a change in between gives another one at the
    /// next look.
    fn seen(&self, file: &File) -> Option<Seen> {
        let metadata = self.stamps.then(|| file.metadata().ok())?;
        metadata.map(|now| Seen::new(&now, self.began))
    }

    /// Reads the skill of an open file from its front matter.
    pub(crate) fn read(
        &mut self,
        file: &File,
        path: SkillFilePath<'_>,
        beside: Beside,
    ) -> Result<FolderSkill, Box<UnusableSkill>> {
        let mut seen = None;
        let of = |seen: Option<Option<Seen>>| match seen {
            None => SeenBeside::Absent,
            Some(None) => SeenBeside::Unknown,
            Some(Some(seen)) => SeenBeside::Version(seen),
        };
        let openai = of(beside.openai.as_ref().map(|it| it.seen));
        let schema = of(beside.schema.as_ref().map(|it| it.seen));
        self.openai = beside.openai.map(|openai| openai.file);
        match self.read_head(file, path, &mut seen) {
            Ok((skill, mut diagnostics)) => {
                diagnostics.extend(beside.schema.into_iter().flat_map(|it| it.diagnostics));
                let seen = seen.map(|file| SeenSkill {
                    file,
                    openai,
                    schema,
                });
                Ok(FolderSkill::new(path, skill, seen, diagnostics))
            }
            Err(unusable) => Err(Box::new(UnusableSkill {
                dir: path.dir.to_owned(),
                file_name: path.file_name.to_owned(),
                is_file: unusable.is_file,
                seen,
                diagnostics: unusable.diagnostics,
            })),
        }
    }

    fn read_head(
        &mut self,
        file: &File,
        SkillFilePath { dir, file_name, .. }: SkillFilePath<'_>,
        seen: &mut Option<Seen>,
    ) -> Result<(Skill, Vec<Diagnostic>), Unusable> {
        let path = dir.join(file_name);
        let failed = |error| Unusable::unreadable(&path, &error);
        let mut size = 0;
        if self.stamps {
            let metadata = file.metadata().map_err(failed)?;
            if !metadata.is_file() {
                return Err(Unusable::not_a_file(&path));
            }
            size = metadata.len();
            *seen = Some(Seen::new(&metadata, self.began));
        }
        let (length, end) = self.fill(file).map_err(failed)?;
        if size > MAX_SKILL_FILE && end != Head::Open {
            return Err(vec![reading::too_large(&path, size)].into());
        }
        let is_endless = end == Head::Open && length >= HEAD_READ;
        let diagnostics = match end {
            _ if is_endless => vec![reading::endless_front_matter(&path)],
            Head::Ends(end) => match self.parse(&path, dir, end) {
                (Some(skill), diagnostics)
                    if !diagnostics
                        .iter()
                        .any(|found| self.is_answered_by_the_body(found)) =>
                {
                    return Ok((skill, diagnostics));
                }
                (_, diagnostics) => diagnostics,
            },
            _ => Vec::new(),
        };
        // Only for a file that gave no skill: asking before the read would cost one system call for each
        // skill.
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(Unusable::not_a_file(&path));
        }
        let is_answered = diagnostics
            .iter()
            .any(|found| self.is_answered_by_the_body(found));
        if !diagnostics.is_empty() && !is_answered {
            return Err(diagnostics.into());
        }
        self.read_paragraph(file, &path, dir, length)
    }

    /// Reads a skill whose description is the first paragraph of its body. The first `length` bytes were
    /// already read.
    fn read_paragraph(
        &mut self,
        file: &File,
        path: &Path,
        dir: &Path,
        length: usize,
    ) -> Result<(Skill, Vec<Diagnostic>), Unusable> {
        let length = self
            .more(file, length, length + PARAGRAPH_READ)
            .map_err(|error| Unusable::unreadable(path, &error))?;
        match self.parse(path, dir, length) {
            (Some(skill), diagnostics) => Ok((skill, diagnostics)),
            (None, diagnostics) => Err(diagnostics.into()),
        }
    }

    /// Parses the first bytes of a file.
    fn parse(&self, path: &Path, dir: &Path, length: usize) -> (Option<Skill>, Vec<Diagnostic>) {
        let bytes = self.buffer.get(..length).unwrap_or_default();
        // The read can end inside a character. Only whole characters are parsed, or a valid file would
        // count as not UTF-8.
        let cut = match std::str::from_utf8(bytes) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => length,
        };
        let bytes = bytes.get(..cut).unwrap_or_default();
        parse(path, dir, bytes, self.how, self.openai.clone())
    }

    /// Returns whether reading the body can resolve the fault: the first paragraph can be the
    /// description, and the first heading the name.
    fn is_answered_by_the_body(&self, found: &Diagnostic) -> bool {
        found.is(RuleId::DescriptionMissing) && found.severity == Severity::Error
            || found.is(RuleId::NameMissing)
                && self.how.lenient.missing_name == MissingName::Heading
    }

    /// Reads up to the end of the front matter. Returns the number of bytes that were read, and the
    /// place where the front matter ends.
    fn fill(&mut self, file: &File) -> io::Result<(usize, Head)> {
        let mut length = 0;
        for wanted in [FIRST_READ, HEAD_READ] {
            while length < wanted {
                let read = self.read_once(file, length, wanted)?;
                length += read;
                match Head::of(self.buffer.get(..length).unwrap_or_default()) {
                    Head::Open if read > 0 => {}
                    end => return Ok((length, end)),
                }
            }
        }
        Ok((length, Head::Open))
    }

    /// Reads up to `wanted` bytes or the end of the file.
    fn more(&mut self, file: &File, mut length: usize, wanted: usize) -> io::Result<usize> {
        while length < wanted {
            match self.read_once(file, length, wanted)? {
                0 => break,
                read => length += read,
            }
        }
        Ok(length)
    }

    fn read_once(&mut self, file: &File, length: usize, wanted: usize) -> io::Result<usize> {
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted, 0);
        }
        let offset = u64::try_from(length).unwrap_or(u64::MAX);
        let space = self.buffer.get_mut(length..wanted).unwrap_or_default();
        disk::read_at(file, space, offset)
    }
}

impl Unusable {
    fn not_a_file(path: &Path) -> Self {
        Self {
            is_file: false,
            diagnostics: vec![reading::not_a_file(path)],
        }
    }

    fn unreadable(path: &Path, error: &io::Error) -> Self {
        Self {
            is_file: !disk::is_not_a_file(error),
            diagnostics: vec![reading::unreadable(path, error)],
        }
    }
}

impl From<Vec<Diagnostic>> for Unusable {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            is_file: true,
            diagnostics,
        }
    }
}

/// Parses a file's bytes. Returns the skill, and the findings about the file.
pub(crate) fn parse(
    path: &Path,
    dir: &Path,
    bytes: &[u8],
    how: How,
    openai: Option<OpenAiFile>,
) -> (Option<Skill>, Vec<Diagnostic>) {
    let folder = dir.file_name().unwrap_or_default().to_string_lossy();
    let file = SkillFile::read(shown(path), folder, bytes).with_openai(openai);
    let (mut skill, findings) = file.lenient_with(how.lenient);
    if let Some(skill) = skill.as_mut().filter(|_| how.namespaced) {
        // Neither a name nor a call of a tool on this machine is for such a source to choose.
        skill.fields.command_tool = None;
        skill.fields.aliases = [].as_slice().into();
    }
    (skill, findings)
}
