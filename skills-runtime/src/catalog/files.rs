//! Lists and reads the files of a skill on demand.

use crate::catalog::Catalog;
use crate::catalog::builder::CatalogBuilder;
use crate::catalog::places::is_unwritable;
use crate::catalog::skill::Skill;
use crate::error::{Error, ErrorKind};
use crate::source::folder::{FolderSkill, Root};
use crate::source::open_skill::OpenSkill;
use crate::source::options::{How, Limits};
use crate::source::trust::Verdict;
use crate::source::trust::record::TrustRecord;
use crate::source::trust::verify::{check_file, check_skill};
use crate::source::{Content, SkillContent, skill_file};
use skills_format::text::path::PathText as _;
use skills_format::{Fields, OPENAI_FILE, OpenAiFile, Text, prose};
use skills_render::Instructions;
use std::borrow::Cow;
use std::path::Path;

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct File<'c> {
    /// The path relative to the skill's folder, with `/`.
    pub path: Cow<'c, str>,
    /// Length in bytes.
    pub size: u64,
}

impl<'c> Skill<'c> {
    /// Reads the instructions. The front matter of a folder's skill is checked again. If a person
    /// trusted the skill, all its files are compared with the record.
    ///
    /// The body of a skill that cannot be started can be read too, so that a person can look at it.
    ///
    /// # Errors
    ///
    /// Only for a skill of a folder:
    ///
    /// - [`ErrorKind::Untrusted`]: a file has changed since a person trusted the skill.
    /// - [`ErrorKind::Refused`]: the file now holds another skill, is no longer a skill, has other rules about who may start
    ///   the skill, or is not UTF-8.
    /// - The errors of [`Skill::read`].
    ///
    /// # Cost
    ///
    /// A bundled skill: nothing. A skill of a folder: reads and parses its `SKILL.md`; when a person
    /// trusted it, reads and hashes all its files.
    pub fn body(&self) -> Result<Cow<'c, str>, Error> {
        match self.content {
            SkillContent::Bundled(skill) => Ok(skill.body().into()),
            SkillContent::Folder(_) => self.current(false).map(|now| now.body),
        }
    }

    /// Reads all that the text of a skill that starts is written from. The fields and the body come from the same
    /// bytes. If a person trusted the skill, these bytes and every file were compared with the record.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Untrusted`], [`ErrorKind::Refused`]: the skill cannot be started, since it is not trusted, is disabled
    ///   or needs what the host does not have.
    /// - The errors of [`Skill::body`] and of [`Skill::files`].
    pub fn instructions(&self) -> Result<Instructions<'c>, Error> {
        self.check_startable()?;
        self.current(true)
    }

    /// Reads the current version of the skill, and lists its files if they are asked for. A difference from the catalog
    /// is an error.
    fn current(&self, lists: bool) -> Result<Instructions<'c>, Error> {
        let mut record = None;
        let (fields, body, file) = match self.content {
            SkillContent::Bundled(skill) => (
                Cow::Borrowed(skill.fields()),
                Cow::Borrowed(skill.body()),
                skill.raw().as_bytes().into(),
            ),
            SkillContent::Folder(skill) => {
                let path = skill.dir.join(OPENAI_FILE);
                let path = path.shown();
                let (bytes, openai): (Cow<'c, [u8]>, _) = if let Some(files) = &skill.memory {
                    let openai = files.bytes(OPENAI_FILE);
                    let openai = openai.map(|bytes| OpenAiFile::read(&path, bytes));
                    (files.read(&skill.file_name)?.into(), openai)
                } else {
                    let open = self.open_folder(skill)?;
                    // Read once: the same bytes are compared with the record, parsed and used.
                    let bytes = open.skill_file()?;
                    record = self.record();
                    if let Some(record) = record {
                        check_skill(&open, record, skill, &bytes)?;
                    }
                    let openai = match open.openai_file() {
                        None => None,
                        Some(Err(why)) => Some(OpenAiFile::unreadable(&path, &why.to_string())),
                        Some(Ok(bytes)) => {
                            if let Some(record) = record {
                                check_file(record, skill, Path::new(OPENAI_FILE), &bytes)?;
                            }
                            Some(OpenAiFile::read(&path, &bytes))
                        }
                    };
                    (bytes.into(), openai)
                };
                let now = self.parsed(skill, &bytes, openai)?;
                if !says_the_same(skill.fields(), &now.fields, record.is_some()) {
                    let what = "it has other rules now than when it was listed";
                    return Err(changed(skill, what));
                }
                (Cow::Owned(now.fields), now.body.into(), bytes)
            }
        };
        let resources = match (self.content, record) {
            _ if !lists => Vec::new(),
            (SkillContent::Bundled(skill), _) => {
                skill.files().skip(1).map(|file| file.path.into()).collect()
            }
            // From the record, because the disk can have changed since the comparison.
            (SkillContent::Folder(skill), Some(record)) => {
                let paths = record.resources(&skill.file_name).into_iter();
                paths.map(writable).collect()
            }
            (SkillContent::Folder(_), None) => {
                let files = self.files()?.into_iter().skip(1);
                files.map(|file| writable(file.path.into_owned())).collect()
            }
        };
        Ok(Instructions {
            fields,
            body,
            file,
            resources,
            folders: self.folders(),
            is_of_person: self.is_of_person(),
        })
    }

    /// Lists the files: first the `SKILL.md`, then the others, sorted by path.
    ///
    /// # Errors
    ///
    /// Only for a skill of a folder:
    ///
    /// - [`ErrorKind::NotFound`]: its folder is not there.
    /// - [`ErrorKind::Refused`]: its folder cannot be read, the skill has more files than the limit, or its folders are
    ///   nested too deep.
    ///
    /// # Cost
    ///
    /// A bundled skill: one list. A skill of a folder: lists its folders, and reads the length of each file.
    pub fn files(&self) -> Result<Vec<File<'c>>, Error> {
        match self.content {
            SkillContent::Bundled(skill) => Ok(skill
                .files()
                .map(|file| File {
                    path: file.path.into(),
                    size: file.bytes.len() as u64,
                })
                .collect()),
            SkillContent::Folder(skill) => {
                let (mut size, mut others) = (0, Vec::new());
                let mut add = |path: Cow<'c, str>, length| {
                    if path == skill.file_name {
                        size = length;
                    } else {
                        others.push(File { path, size: length });
                    }
                };
                match &skill.memory {
                    Some(files) => files
                        .listed()
                        .for_each(|(path, size)| add(path.into(), size)),
                    None => {
                        for file in self.open_folder(skill)?.list()? {
                            add(file.path.into(), file.stat.len);
                        }
                    }
                }
                let first = File {
                    path: (&*skill.file_name).into(),
                    size,
                };
                others.insert(0, first);
                Ok(others)
            }
        }
    }

    /// Returns the files beside the `SKILL.md` as a folder of the `include_dir` package. The paths in it
    /// are relative to the skill's folder. Returns `None` if the skill is not bundled.
    #[cfg(feature = "include-dir")]
    pub fn include_dir(&self) -> Option<include_dir::Dir<'static>> {
        let skill = self.bundled()?;
        Some(include_dir::Dir::new("", skill.entries()))
    }

    /// Reads one file of the skill. `path` is relative to the skill's folder, and cannot lead out of
    /// that folder.
    ///
    /// `SKILL.md` is the file with the instructions, in any case, unless the skill has a file with
    /// exactly this path.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`]: the skill has no file of this path: the path, or a link in it, may lead out of the folder.
    /// - [`ErrorKind::Untrusted`]: the file has changed since a person trusted the skill.
    /// - [`ErrorKind::Refused`]: the file cannot be read, is a folder, a pipe or a device, or is larger than
    ///   16 MiB.
    pub fn read(&self, path: &str) -> Result<Cow<'c, [u8]>, Error> {
        match self.content {
            SkillContent::Bundled(skill) => skill
                .file(path)
                .or_else(|| is_skill_file(path).then(|| skill.raw().as_bytes()))
                .map(Into::into)
                .ok_or_else(|| {
                    Error::new(
                        ErrorKind::NotFound,
                        format_args!("skill '{}' has no file '{path}'", self.name()),
                    )
                }),
            SkillContent::Folder(skill) => match &skill.memory {
                Some(files) => files.read(path).map(Into::into),
                None => self.file_on_disk(skill, path).map(Into::into),
            },
        }
    }

    fn file_on_disk(&self, skill: &FolderSkill, path: &str) -> Result<Vec<u8>, Error> {
        let open = self.open_folder(skill)?;
        let record = self.record();
        let read = |path: &str| -> Result<Vec<u8>, Error> {
            let path = Path::new(path);
            let bytes = open.file(path)?;
            if let Some(record) = record {
                check_file(record, skill, path, &bytes)?;
            }
            Ok(bytes)
        };
        if !is_skill_file(path) {
            return read(path);
        }
        // A case-insensitive file system opens the file by any spelling, but the record knows only
        // the file's own name.
        if record.is_some_and(|record| record.file(Path::new(path)).is_none()) {
            return read(&skill.file_name);
        }
        match read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => read(&skill.file_name),
            bytes => bytes,
        }
    }

    /// Opens the skill's folder, confined like its source.
    pub(crate) fn open_folder<'s>(&self, skill: &'s FolderSkill) -> Result<OpenSkill<'s>, Error> {
        // A folder of this path can exist: it is not the skill's.
        if skill.memory.is_some() {
            let message = format_args!("the files of skill '{}' are not on a disk", skill.name);
            return Err(Error::new(ErrorKind::NotFound, message));
        }
        let limits = self
            .loader()
            .map_or_else(Limits::default, |it| it.options.limits);
        let confined = self.root_folder().filter(|root| root.base.is_some());
        OpenSkill::open(skill, confined, limits)
    }

    /// Returns the builder of the catalog, which every skill of a folder has.
    fn loader(&self) -> Option<&'c CatalogBuilder> {
        self.catalog.map(Catalog::loader)
    }

    fn parsed(
        &self,
        skill: &FolderSkill,
        bytes: &[u8],
        openai: Option<OpenAiFile>,
    ) -> Result<skills_format::Skill, Error> {
        let path = skill.path();
        if let Err(error) = std::str::from_utf8(bytes) {
            let message = prose!("{}: the file is not UTF-8: {error}", &path);
            return Err(Error::new(ErrorKind::Refused, message));
        }
        let how = self.loader().map_or_else(How::default, |loader| {
            loader.options.how(self.layer().is_foreign())
        });
        match skill_file::parse(&path, &skill.dir, bytes, false, how, openai).0 {
            Some(now) if *now.name.as_str() == *skill.name => Ok(now),
            Some(now) => {
                let what = format!(
                    "it was the skill '{}', and is now '{}'",
                    skill.name, now.name
                );
                Err(changed(skill, &what))
            }
            None => {
                let name = &skill.name;
                let what = format!("it was the skill '{name}', and is not a skill any more");
                Err(changed(skill, &what))
            }
        }
    }

    /// Returns the record that makes the skill trusted.
    pub(crate) fn record(&self) -> Option<&'c TrustRecord> {
        match self.layer().trust.verdict(self.index)? {
            Verdict::Trusted(record) => Some(record),
            Verdict::Untrusted | Verdict::Changed(..) => None,
        }
    }

    /// Returns the root below which the skill was found.
    pub(crate) fn root_folder(&self) -> Option<&'c Root> {
        match (&self.layer().content, self.content) {
            (Content::Folders(folders), SkillContent::Folder(skill)) => {
                folders.roots.get(skill.root)
            }
            _ => None,
        }
    }
}

/// Returns a path that a model can write.
fn writable(path: String) -> Text {
    if path.contains(is_unwritable) {
        path.replace(is_unwritable, "\u{fffd}").into()
    } else {
        path.into()
    }
}

/// Returns whether a path is `SKILL.md`, case-insensitively.
fn is_skill_file(path: &str) -> bool {
    path.eq_ignore_ascii_case("SKILL.md")
}

/// Returns whether the front matter still has the listed rules. A skill that the host always trusts
/// may have other tools and arguments by now: the current tools and arguments count.
fn says_the_same(listed: &Fields, now: &Fields, is_recorded: bool) -> bool {
    if is_recorded {
        return listed == now;
    }
    // The listing has already decided who may start the skill and which tool it calls, so these must
    // not change.
    listed.user_invocable == now.user_invocable
        && listed.disable_model_invocation == now.disable_model_invocation
        && listed.command_tool == now.command_tool
        && listed.requires == now.requires
}

fn changed(skill: &FolderSkill, what: &str) -> Error {
    let path = skill.path();
    let message = prose!("{} has changed: {what}", &path);
    Error::new(ErrorKind::Refused, message)
}
