use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

/// A folder that is deleted at the end, in memory if the system has such a place.
#[derive(Debug)]
pub struct Temporary(PathBuf);

impl Temporary {
    /// Makes a folder. Its path has the same length in every process.
    pub fn new(name: &str) -> io::Result<Self> {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() {
            memory.to_owned()
        } else {
            env::temp_dir()
        };
        let folder = folder.join(format!("skills-benches-{:08}-{name}", process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
