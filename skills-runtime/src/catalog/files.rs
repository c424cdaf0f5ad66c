//! The body and the files of a skill, read when the host asks for them.

use crate::catalog::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::source::SkillContent;
use std::borrow::Cow;

/// A file of a skill beside its `SKILL.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceInfo {
    /// The path relative to the skill's folder, with `/`.
    pub path: String,
    /// Length in bytes.
    pub size: u64,
}

impl<'c> Entry<'c> {
    /// Reads the instructions. The front matter of a folder's skill is checked again. When a person
    /// trusted the skill, every file of it is compared with the record.
    ///
    /// The body of an untrusted skill can be read too, for a person to look at it.
    ///
    /// # Errors
    ///
    /// Only for a skill of a folder:
    ///
    /// - [`ErrorKind::Changed`]: the file now holds another skill, or is not a skill any more.
    /// - [`ErrorKind::Untrusted`]: a file has changed since a person trusted the skill.
    /// - [`ErrorKind::NotUtf8`]: the file is not UTF-8.
    /// - [`ErrorKind::NotFound`], [`ErrorKind::Escape`], [`ErrorKind::TooLarge`],
    ///   [`ErrorKind::NotAFile`], [`ErrorKind::Io`]: the file cannot be read, as in [`Entry::read`].
    ///
    /// # Cost
    ///
    /// A bundled skill: nothing. A skill of a folder: reads and parses its `SKILL.md`; when a person
    /// trusted it, reads and hashes all its files.
    pub fn body(&self) -> Result<Cow<'c, str>, Error> {
        match self.content {
            SkillContent::Bundled(skill) => Ok(skill.body().into()),
            #[cfg(feature = "discover")]
            SkillContent::Folder(skill) => self.body_on_disk(skill).map(Into::into),
            #[cfg(not(feature = "discover"))]
            SkillContent::Folder(_) => Err(unreachable()),
        }
    }

    /// Lists the files beside the `SKILL.md`, sorted by path.
    ///
    /// # Errors
    ///
    /// Only for a skill of a folder:
    ///
    /// - [`ErrorKind::TooLarge`]: it has more files than the limit, or its folders are nested too deep.
    /// - [`ErrorKind::NotFound`], [`ErrorKind::Escape`], [`ErrorKind::Io`]: its folder cannot be read.
    ///
    /// # Cost
    ///
    /// A skill of a folder: lists its folders, and asks for the length of each file.
    pub fn resources(&self) -> Result<Vec<ResourceInfo>, Error> {
        match self.content {
            SkillContent::Bundled(skill) => Ok(skill
                .files()
                .skip(1)
                .map(|file| ResourceInfo {
                    path: file.path.to_owned(),
                    size: file.bytes.len() as u64,
                })
                .collect()),
            #[cfg(feature = "discover")]
            SkillContent::Folder(skill) => self.resources_on_disk(skill),
            #[cfg(not(feature = "discover"))]
            SkillContent::Folder(_) => Err(unreachable()),
        }
    }

    /// Reads one file of the skill. `path` is relative to the skill's folder, and cannot lead out of it.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`]: the skill has no file of this path.
    /// - [`ErrorKind::Escape`]: the path, or a link in it, leads out of the folder.
    /// - [`ErrorKind::TooLarge`]: the file is larger than [`Limits::file`](crate::source::Limits::file).
    /// - [`ErrorKind::NotAFile`]: it is a folder, a pipe or a device.
    /// - [`ErrorKind::Untrusted`]: the file has changed since a person trusted the skill.
    /// - [`ErrorKind::Io`]: the operating system cannot read it.
    pub fn read(&self, path: &str) -> Result<Cow<'c, [u8]>, Error> {
        match self.content {
            SkillContent::Bundled(skill) => skill
                .files()
                .find(|file| file.path == path)
                .map(|file| file.bytes.into())
                .ok_or_else(|| {
                    Error::new(
                        ErrorKind::NotFound,
                        format_args!("skill '{}' has no file '{path}'", self.name()),
                    )
                }),
            #[cfg(feature = "discover")]
            SkillContent::Folder(skill) => self.file_on_disk(skill, path).map(Into::into),
            #[cfg(not(feature = "discover"))]
            SkillContent::Folder(_) => Err(unreachable()),
        }
    }
}

#[cfg(feature = "discover")]
mod on_disk {
    use super::{Entry, Error, ErrorKind, ResourceInfo};
    use crate::source::Content;
    use crate::source::folder::{FolderSkill, Root};
    use crate::source::open_skill::OpenSkill;
    use crate::source::skill_file;
    use crate::source::trust::SkillTrust;
    use crate::source::trust::record::TrustRecord;
    use crate::source::trust::verify::{check_file, check_skill};
    use std::path::Path;

    impl Entry<'_> {
        pub(super) fn body_on_disk(&self, skill: &FolderSkill) -> Result<String, Error> {
            let open = self.open(skill)?;
            let bytes = open.skill_file()?;
            if let Some((record, root)) = self.record(skill) {
                check_skill(&open, record, root, skill, &bytes)?;
            }
            let path = skill.path();
            if let Err(error) = std::str::from_utf8(&bytes) {
                let message = format_args!("{}: the file is not UTF-8: {error}", path.display());
                return Err(Error::new(ErrorKind::NotUtf8, message));
            }
            match skill_file::parse(&path, &skill.dir, &bytes).0 {
                Some(now) if *now.name.as_str() == *skill.name => Ok(now.body),
                Some(now) => Err(Error::new(
                    ErrorKind::Changed,
                    format_args!(
                        "{} has changed: it was the skill '{}', and is now '{}'",
                        path.display(),
                        skill.name,
                        now.name
                    ),
                )),
                None => Err(Error::new(
                    ErrorKind::Changed,
                    format_args!(
                        "{} has changed: it was the skill '{}', and is not a skill any more",
                        path.display(),
                        skill.name
                    ),
                )),
            }
        }

        pub(super) fn resources_on_disk(
            &self,
            skill: &FolderSkill,
        ) -> Result<Vec<ResourceInfo>, Error> {
            let listed = self.open(skill)?.list()?.into_iter();
            let resources = listed.filter(|file| file.path != skill.file_name);
            Ok(resources
                .map(|file| ResourceInfo {
                    path: file.path,
                    size: file.stat.len,
                })
                .collect())
        }

        pub(super) fn file_on_disk(
            &self,
            skill: &FolderSkill,
            path: &str,
        ) -> Result<Vec<u8>, Error> {
            let bytes = self.open(skill)?.file(Path::new(path))?;
            if let Some((record, root)) = self.record(skill) {
                check_file(record, root, skill, path, &bytes)?;
            }
            Ok(bytes)
        }

        fn open<'s>(&self, skill: &'s FolderSkill) -> Result<OpenSkill<'s>, Error> {
            let limits = self.catalog.loader().options.limits;
            let confined = match self.source().trust {
                SkillTrust::Trusted => None,
                SkillTrust::Untrusted(_) | SkillTrust::Recorded(_) => self.root_of(skill),
            };
            OpenSkill::open(skill, confined, limits)
        }

        /// The record that the skill is trusted because of, and its root.
        fn record(&self, skill: &FolderSkill) -> Option<(&TrustRecord, &Root)> {
            let SkillTrust::Recorded(records) = &self.source().trust else {
                return None;
            };
            Some((records.get(skill.root)?.as_deref()?, self.root_of(skill)?))
        }

        fn root_of(&self, skill: &FolderSkill) -> Option<&Root> {
            match &self.source().content {
                Content::Folders(folders) => folders.roots.get(skill.root),
                Content::Bundle(_) => None,
            }
        }
    }
}

#[cfg(not(feature = "discover"))]
fn unreachable() -> Error {
    Error::new(
        ErrorKind::NotFound,
        "this program does not read skills of folders",
    )
}
