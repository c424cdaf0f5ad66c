//! One `SKILL.md` on disk: only its front matter when it is listed, all of it when it is activated.

use crate::disk;
use crate::disk::stamp::{Moment, Seen, Stamps};
use crate::source::diagnostics::{self, reading};
use crate::source::discover::Care;
use crate::source::folder::{Fault, FolderSkill, Place};
use skills_format::{
    Diagnostic, Head, MAX_FRONT_MATTER, MAX_SKILL_FILE, RuleId, Severity, Skill, SkillFile,
};
use std::fs::File;
use std::io;
use std::path::Path;

/// Almost every front matter ends within so many bytes.
const FIRST_READ: usize = 4096;
/// The most that is read to find the end of the front matter.
const HEAD_READ: usize = MAX_FRONT_MATTER + FIRST_READ;
/// The most that is read beyond it, for the first paragraph of a body.
const PARAGRAPH_READ: usize = 64 * 1024;

/// Reads the front matter of one file after the other.
pub(crate) struct Reader {
    buffer: Vec<u8>,
    stamps: Stamps,
    care: Care,
    began: Moment,
}

impl Reader {
    pub(crate) fn new(stamps: Stamps, care: Care) -> Self {
        Self {
            buffer: Vec::new(),
            stamps,
            care,
            began: Moment::now(),
        }
    }

    /// The skill of an open file, as far as its front matter tells.
    pub(crate) fn read(
        &mut self,
        file: &File,
        place: Place<'_>,
    ) -> Result<FolderSkill, Box<Fault>> {
        let mut seen = None;
        let result = self.read_head(file, place, &mut seen);
        result
            .map(|(skill, diagnostics)| FolderSkill::new(place, skill, seen, diagnostics))
            .map_err(|diagnostics| {
                Box::new(Fault {
                    dir: place.dir.to_owned(),
                    file_name: place.file_name.to_owned(),
                    seen,
                    diagnostics,
                })
            })
    }

    fn read_head(
        &mut self,
        file: &File,
        place: Place<'_>,
        seen: &mut Option<Seen>,
    ) -> Result<(Skill, Vec<Diagnostic>), Vec<Diagnostic>> {
        let path = place.dir.join(place.file_name);
        let failed = |error: io::Error| vec![reading::unreadable(&path, &error)];
        let mut size = 0;
        if self.stamps == Stamps::Take {
            let metadata = file.metadata().map_err(failed)?;
            if !metadata.is_file() {
                return Err(vec![reading::not_a_file(&path)]);
            }
            size = metadata.len();
            *seen = Some(Seen::new(&metadata, self.began));
        }
        let (length, end) = self.fill(file).map_err(failed)?;
        // Only such a file can be too large: the others cost no further call.
        if self.care == Care::Thorough && size == 0 && length >= FIRST_READ && end != Head::Open {
            size = file.metadata().map_err(failed)?.len();
        }
        if size > MAX_SKILL_FILE && end != Head::Open {
            return Err(vec![reading::too_large(&path, size)]);
        }
        let is_endless = end == Head::Open && length >= HEAD_READ;
        let (skill, diagnostics) = match end {
            _ if is_endless => (None, vec![reading::endless_front_matter(&path)]),
            Head::Ends(end) => self.parse(&path, place.dir, end),
            _ => (None, Vec::new()),
        };
        if let Some(skill) = skill {
            return Ok((skill, diagnostics));
        }
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(vec![reading::not_a_file(&path)]);
        }
        let is_of_body = |found: &Diagnostic| {
            found.is(RuleId::DescriptionMissing) && found.severity == Severity::Error
        };
        if !diagnostics.is_empty() && !diagnostics.iter().any(is_of_body) {
            return Err(diagnostics);
        }
        let wanted = length + PARAGRAPH_READ;
        let length = self.more(file, length, wanted).map_err(failed)?;
        match self.parse(&path, place.dir, length) {
            (Some(skill), diagnostics) => Ok((skill, diagnostics)),
            (None, diagnostics) => Err(diagnostics),
        }
    }

    /// The skill of the first bytes of a file.
    fn parse(&self, path: &Path, dir: &Path, length: usize) -> (Option<Skill>, Vec<Diagnostic>) {
        let bytes = self.buffer.get(..length).unwrap_or_default();
        let cut = match std::str::from_utf8(bytes) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => length,
        };
        parse(path, dir, bytes.get(..cut).unwrap_or_default())
    }

    /// Reads up to the end of the front matter. Gives the length of what was read, and where the
    /// front matter ends.
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

    /// Reads on to `wanted` bytes or the end of the file.
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

/// The skill of a file's bytes, and what was odd.
pub(crate) fn parse(path: &Path, dir: &Path, bytes: &[u8]) -> (Option<Skill>, Vec<Diagnostic>) {
    let folder = dir.file_name().unwrap_or_default().to_string_lossy();
    SkillFile::read(diagnostics::shown(path), folder, bytes).lenient()
}
