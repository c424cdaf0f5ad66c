//! Counts what a folder holds, without reading it.

use skills_format::disk::Kind;
use skills_store::Error;
use skills_store::files::folder::OpenFolder;
use std::path::{Path, PathBuf};

/// The number of the files of a folder, and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contents {
    /// The number of files and links, also of a `.git`.
    pub files: usize,
    /// The bytes of the files. A link has none.
    pub bytes: u64,
}

impl Contents {
    /// Counts what an item holds. A link is not followed.
    ///
    /// # Errors
    ///
    /// If a folder cannot be read.
    pub fn of(path: &Path) -> Result<Self, Error> {
        let mut contents = Self::default();
        let (above, name) = OpenFolder::above(path)?;
        let mut folders: Vec<PathBuf> = Vec::new();
        match above.kind(name)? {
            Some(Kind::Folder) => folders.push(path.to_owned()),
            Some(kind) => contents.add(&above, Path::new(name), kind)?,
            None => {}
        }
        // By their paths: with each folder open, a deep one would take every handle of the process.
        while let Some(folder) = folders.pop() {
            let open = OpenFolder::open(&folder)?;
            let items = open.folder().items(usize::MAX);
            let items = items.map_err(|error| Error::io(&folder, "cannot be read", error))?;
            for item in items {
                match item.kind {
                    Kind::Folder => folders.push(folder.join(&item.name)),
                    kind => contents.add(&open, Path::new(&item.name), kind)?,
                }
            }
        }
        Ok(contents)
    }

    /// Returns what both hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            files: self.files + other.files,
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }

    fn add(&mut self, folder: &OpenFolder, name: &Path, kind: Kind) -> Result<(), Error> {
        self.files += 1;
        if kind == Kind::File {
            let stat = folder.folder().stat(name);
            let stat = stat
                .map_err(|error| Error::io(&folder.path().join(name), "cannot be read", error))?;
            self.bytes = self.bytes.saturating_add(stat.len);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_are_counted_in_every_folder_and_links_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let skill = dir.path().join("skill");
        fs::create_dir_all(skill.join("scripts/.git/empty")).unwrap();
        fs::write(skill.join("SKILL.md"), "12345").unwrap();
        fs::write(skill.join("scripts/.git/HEAD"), "123").unwrap();
        let contents = Contents::of(&skill).unwrap();
        assert_eq!((contents.files, contents.bytes), (2, 8));
        let file = Contents::of(&skill.join("SKILL.md")).unwrap();
        assert_eq!((file.files, file.bytes), (1, 5));
        assert_eq!(Contents::of(&dir.path().join("gone")).unwrap().files, 0);
        assert_eq!(contents.and(file).bytes, 13);
        #[cfg(unix)]
        {
            let link = dir.path().join("link");
            std::os::unix::fs::symlink(&skill, &link).unwrap();
            let link = Contents::of(&link).unwrap();
            assert_eq!((link.files, link.bytes), (1, 0));
        }
    }
}
