//! The folders that the work reads.

use skills_benches::{Temporary, synth, synth_docs, write_names};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder with all data. Each process of a run reads the same folder.
#[derive(Debug)]
pub struct Data<'a>(pub &'a Path);

impl Data<'_> {
    /// The number of skills in [`names`](Self::names).
    pub const NAMES: usize = 1_700;
    /// The number of Markdown files in [`docs`](Self::docs).
    const PAGES: usize = 343;

    /// Writes all folders. They are deleted with the result.
    pub fn write() -> io::Result<Temporary> {
        let folder = Temporary::new("instructions")?;
        let data = Data(folder.path());
        for count in [1, 1_000] {
            synth(&data.synth(count), count)?;
        }
        synth_docs(&data.docs(), Self::PAGES)?;
        write_names(&data.names(), Self::NAMES)?;
        fs::create_dir(data.home())?;
        fs::create_dir(data.project())?;
        Ok(folder)
    }

    /// So many skills of `synth`.
    pub fn synth(&self, count: usize) -> PathBuf {
        // `include_skills!` and `skills check` read this name.
        self.0.join(if count == 1_000 { "skills" } else { "skill" })
    }

    /// One skill with [`PAGES`](Self::PAGES) files.
    pub fn docs(&self) -> PathBuf {
        self.0.join("docs")
    }

    /// Small skills with names as people give them.
    pub fn names(&self) -> PathBuf {
        self.0.join("names")
    }

    /// A home folder with no file.
    pub fn home(&self) -> PathBuf {
        self.0.join("home")
    }

    /// A project folder with no file.
    pub fn project(&self) -> PathBuf {
        self.0.join("project")
    }
}
