//! The entries of a bundled skill's folder.
//!
//! With the feature `include-dir`, generated code makes the entries of the package `include_dir`, and these otherwise:
//! the package brings a second macro, which every first build would pay for.

#[cfg(not(feature = "include-dir"))]
use self::own as include_dir;
pub use include_dir::DirEntry;
pub(crate) use include_dir::{Dir, File};

/// The part of `include_dir` that a bundle needs.
#[cfg(not(feature = "include-dir"))]
mod own {
    use std::path::Path;

    /// A file, or a folder with its entries.
    #[derive(Clone, Debug)]
    pub enum DirEntry<'a> {
        /// A folder.
        Dir(Dir<'a>),
        /// A file.
        File(File<'a>),
    }

    /// A folder.
    #[derive(Clone, Debug)]
    pub struct Dir<'a> {
        entries: &'a [DirEntry<'a>],
    }

    /// A file.
    #[derive(Clone, Debug)]
    pub struct File<'a> {
        path: &'a str,
        contents: &'a [u8],
    }

    impl<'a> Dir<'a> {
        /// Makes a folder. The path is for the type of the same name in `include_dir`: no look-up asks for it.
        pub const fn new(_path: &'a str, entries: &'a [DirEntry<'a>]) -> Self {
            Self { entries }
        }

        /// Returns the entries.
        pub const fn entries(&self) -> &'a [DirEntry<'a>] {
            self.entries
        }
    }

    impl<'a> File<'a> {
        /// Makes a file.
        pub const fn new(path: &'a str, contents: &'a [u8]) -> Self {
            Self { path, contents }
        }

        /// Returns the path relative to the skill's folder.
        pub fn path(&self) -> &'a Path {
            Path::new(self.path)
        }

        /// Returns the bytes.
        pub const fn contents(&self) -> &'a [u8] {
            self.contents
        }
    }
}
