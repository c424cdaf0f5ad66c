//! Bodies and files of a skill, read when they are asked for.

use crate::catalog::entry::{Entry, EntryContent};
use crate::error::{Error, ErrorKind};
use std::borrow::Cow;

/// A file of a skill beside its `SKILL.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceInfo {
    /// Relative to the skill's folder, with `/`.
    pub path: String,
    /// Length in bytes.
    pub size: u64,
}

impl<'c> Entry<'c> {
    /// The instructions. A bundled skill's are in the program; a folder's are read from disk, and
    /// its front matter checked again: a skill that has another name now is an error. Of a source
    /// that a person has trusted every file of the skill is checked.
    ///
    /// The body of a skill that is not trusted can be read too: a person looks at it before.
    pub fn body(&self) -> Result<Cow<'c, str>, Error> {
        match self.content {
            EntryContent::Bundled(skill) => Ok(skill.body().into()),
            #[cfg(feature = "discover")]
            EntryContent::Folder(skill) => self.body_on_disk(skill).map(Into::into),
            #[cfg(not(feature = "discover"))]
            EntryContent::Folder(_) => Err(unreachable()),
        }
    }

    /// The files beside the `SKILL.md`, sorted by path.
    pub fn resources(&self) -> Result<Vec<ResourceInfo>, Error> {
        match self.content {
            EntryContent::Bundled(skill) => Ok(skill
                .files()
                .skip(1)
                .map(|file| ResourceInfo {
                    path: file.path.to_owned(),
                    size: file.bytes.len() as u64,
                })
                .collect()),
            #[cfg(feature = "discover")]
            EntryContent::Folder(skill) => self.resources_on_disk(skill),
            #[cfg(not(feature = "discover"))]
            EntryContent::Folder(_) => Err(unreachable()),
        }
    }

    /// One file of the skill, by its path relative to the skill's folder. Never leaves that folder.
    pub fn read(&self, path: &str) -> Result<Cow<'c, [u8]>, Error> {
        match self.content {
            EntryContent::Bundled(skill) => skill
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
            EntryContent::Folder(skill) => self.file_on_disk(skill, path).map(Into::into),
            #[cfg(not(feature = "discover"))]
            EntryContent::Folder(_) => Err(unreachable()),
        }
    }
}

#[cfg(feature = "discover")]
mod on_disk {
    use super::{Entry, Error, ErrorKind, ResourceInfo};
    use crate::source::folder::{FolderSkill, Root};
    use crate::source::open_skill::OpenSkill;
    use crate::source::skill_file;
    use crate::source::trust::{self, Trust};
    use crate::source::{Content, Standing};
    use std::path::Path;

    impl Entry<'_> {
        pub(super) fn body_on_disk(&self, skill: &FolderSkill) -> Result<String, Error> {
            let open = self.open(skill)?;
            let bytes = open.skill_file()?;
            if let Some((record, root)) = self.record(skill) {
                trust::check_skill(&open, record, root, skill, &bytes)?;
            }
            let path = skill.dir.join(&*skill.file_name);
            if let Err(error) = std::str::from_utf8(&bytes) {
                let message = format_args!("{}: the file is not UTF-8: {error}", path.display());
                return Err(Error::new(ErrorKind::NotUtf8, message));
            }
            match skill_file::parse(&path, &skill.dir, &bytes).0 {
                Some(now) if *now.name.as_str() == *skill.name => Ok(now.body),
                Some(now) => Err(Error::new(
                    ErrorKind::Changed,
                    format_args!(
                        "{} has changed: it is the skill '{}' now, and no longer '{}'",
                        path.display(),
                        now.name,
                        skill.name
                    ),
                )),
                None => Err(Error::new(
                    ErrorKind::Changed,
                    format_args!(
                        "{} has changed: it is no skill any more, and was '{}'",
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
                    size: file.look.len,
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
                trust::check_file(record, root, skill, path, &bytes)?;
            }
            Ok(bytes)
        }

        fn open<'s>(&self, skill: &'s FolderSkill) -> Result<OpenSkill<'s>, Error> {
            let limits = self.catalog.merged().builder.bounds();
            let confined = match self.source().standing {
                Standing::Trusted => None,
                Standing::Untrusted(_) | Standing::Recorded(_) => self.root_of(skill),
            };
            OpenSkill::open(skill, confined, limits)
        }

        /// What a person trusted, where the skill is trusted because of that.
        fn record(&self, skill: &FolderSkill) -> Option<(&Trust, &Root)> {
            let Standing::Recorded(records) = &self.source().standing else {
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
        "skills of folders are not read by this program",
    )
}
