//! Digests each file of a skill, for a person to compare.

use crate::catalog::entry::Skill;
use crate::error::{Error, ErrorKind};
use skills_format::{Digest, SKILL_FILE};

/// A file of a skill in its current version.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileDigest {
    /// The path relative to the skill's folder, with `/`.
    pub path: String,
    /// Length in bytes.
    pub size: u64,
    /// SHA-256 of the bytes.
    pub digest: Digest,
}

impl Skill<'_> {
    /// Reads and hashes every file of the skill, the `SKILL.md` first.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::TooLarge`]: all files together are larger than
    ///   [`Limits::bytes`](crate::source::Limits::bytes). The lengths are compared before a file is
    ///   read.
    /// - The errors of [`Skill::resources`] and of [`Skill::read`].
    ///
    /// # Cost
    ///
    /// Reads and hashes all files, also of a bundled skill.
    pub fn file_digests(&self) -> Result<Vec<FileDigest>, Error> {
        let resources = self.resources()?;
        let most = self.most_bytes();
        let total = resources
            .iter()
            .fold(0_u64, |sum, file| sum.saturating_add(file.size));
        self.within(total, most)?;
        let skill_file = self.file_name().unwrap_or(SKILL_FILE).to_owned();
        let paths = std::iter::once(skill_file).chain(resources.into_iter().map(|file| file.path));
        let mut digests = Vec::new();
        let mut read = 0_u64;
        for path in paths {
            let bytes = self.read(&path)?;
            let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            // A file can have grown since its length was read.
            read = read.saturating_add(size);
            self.within(read, most)?;
            digests.push(FileDigest {
                size,
                digest: Digest::of(&bytes),
                path,
            });
        }
        Ok(digests)
    }

    fn within(&self, bytes: u64, most: u64) -> Result<(), Error> {
        if bytes <= most {
            return Ok(());
        }
        let message = format_args!(
            "skill '{}': its files have {bytes} bytes, and at most {most} are read",
            self.name()
        );
        Err(Error::new(ErrorKind::TooLarge, message))
    }

    fn most_bytes(&self) -> u64 {
        self.catalog.loader().options.limits.bytes
    }
}
