//! Keeps the skills of a program in a folder of the disk.
//!
//! Some agents hand their own skills to a model as files, in a fixed folder such as `~/.agent/skills/.system`. Each start
//! brings that folder up to date:
//!
//! ```
//! # static SKILLS: skills_runtime::Bundle = skills_runtime::include_skills!("tests/skills");
//! # let home = tempfile::tempdir()?;
//! # let home = home.path();
//! use skills_provision::Provision as _;
//!
//! let done = SKILLS.provision(home.join(".agent/skills/.system")).run()?;
//! for path in &done.kept {
//!     eprintln!("{path} was edited and stays as it is");
//! }
//! assert_eq!(done.written, ["deploy/SKILL.md", "deploy/scripts/run.sh"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - A file of the program that nobody edited is brought up to date, and is removed when the program no longer has it.
//! - A file that a person edited stays as it is, also when the program brings a newer one, and is in
//!   [`Provisioned::kept`], until [`Provisioning::overwrite`]. Other files of the folder are never touched.
//! - A start at which nothing changed reads the files and writes none.
//! - Each file is replaced in one step. A start that was interrupted is finished by the next one. Two processes wait for
//!   each other, ten seconds at most.
//! - Links below the folder are neither followed nor replaced: what stands behind one is kept. So is a file in the place of
//!   a folder, and a folder in the place of a file.
//! - A file that begins with `#!` is executable, since a bundle holds no modes.
//!
//! The file [`MARKER`] in the folder lists what the program wrote. **A folder belongs to one program**: another program's files
//! in the same list would be removed as stale.
//!
//! For a cache with one folder for each version, see `Bundle::extract`.

mod marker;
mod plan;

pub use marker::MARKER;
use marker::Marker;
pub use plan::Provisioned;
use plan::{Plan, Step};
use skills_format::disk::Folder;
use skills_runtime::Bundle;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The file that a process locks while it writes.
const LOCK: &str = ".skills-provision.lock";

/// Writes a bundle to a fixed folder.
pub trait Provision {
    /// Prepares to write the skills to a folder, each to a subfolder with its name. [`Provisioning::run`] writes.
    fn provision(&'static self, folder: impl Into<PathBuf>) -> Provisioning;
}

impl Provision for Bundle {
    fn provision(&'static self, folder: impl Into<PathBuf>) -> Provisioning {
        Provisioning {
            bundle: self,
            folder: folder.into(),
            overwrite: false,
        }
    }
}

/// What is to be written, and where.
#[derive(Clone, Debug)]
#[must_use = "`run` writes the files"]
pub struct Provisioning {
    bundle: &'static Bundle,
    folder: PathBuf,
    overwrite: bool,
}

/// Why a folder was not brought up to date, and the path.
#[derive(Debug)]
#[non_exhaustive]
pub struct Error {
    /// The folder or file.
    pub path: PathBuf,
    /// The system's error. `InvalidData`: the list of files is none.
    pub source: io::Error,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cannot keep skills in {}: {}",
            self.path.display(),
            self.source
        )
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl Provisioning {
    /// Brings edited files up to date too, and files of other origin that stand in the place of the program's.
    pub fn overwrite(mut self) -> Self {
        self.overwrite = true;
        self
    }

    /// Creates the folder if it is missing, and brings its files up to date.
    ///
    /// # Errors
    ///
    /// The folder cannot be read or written, [`MARKER`] is not a list of files, or another process has been writing for ten
    /// seconds (`TimedOut`). What was written before the error stays, and the next call goes on from there.
    ///
    /// # Cost
    ///
    /// Reads and hashes every file of the program. Writes and syncs those that differ.
    pub fn run(&self) -> Result<Provisioned, Error> {
        let root = open_or_create(&self.folder).map_err(|error| self.error("", error))?;
        let plan = self.plan(&root)?;
        if plan.steps.is_empty() {
            return Ok(plan.done);
        }
        // What another process wrote while this one waited counts.
        let _lock = locked(&root).map_err(|error| self.error(LOCK, error))?;
        let Plan { steps, mut done } = self.plan(&root)?;
        for path in self.apply(&root, &steps)? {
            done.written.retain(|it| *it != path);
            done.removed.retain(|it| *it != path);
            done.kept.push(path);
        }
        done.kept.sort();
        Ok(done)
    }

    fn plan(&self, root: &Folder) -> Result<Plan, Error> {
        let marker = Marker::read(root).map_err(|error| self.error(MARKER, error))?;
        plan::plan(root, self.bundle, &marker, self.overwrite)
            .map_err(|(path, error)| self.error(&path, error))
    }

    /// Returns the files that changed since the plan, and stay.
    fn apply(&self, root: &Folder, steps: &[Step]) -> Result<Vec<String>, Error> {
        let mut changed = Vec::new();
        for step in steps {
            let applied = step.apply(root);
            if !applied.map_err(|error| self.error(step.path(), error))? {
                changed.push(step.path().to_owned());
            }
        }
        Ok(changed)
    }

    fn error(&self, path: &str, source: io::Error) -> Error {
        // Joining an empty path would add a separator.
        let path = if path.is_empty() {
            self.folder.clone()
        } else {
            self.folder.join(path)
        };
        Error { path, source }
    }
}

fn open_or_create(path: &Path) -> io::Result<Folder> {
    match Folder::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let above = path.parent().filter(|above| !above.as_os_str().is_empty());
            let above = above.map_or_else(|| Folder::open(Path::new(".")), open_or_create)?;
            let name = path.file_name().ok_or(error)?;
            above.make_child(name).map_err(Into::into)
        }
        opened => opened,
    }
}

/// Waits for other processes, at most ten seconds: one that was stopped must not stop every start. The lock ends with the
/// file.
#[expect(
    clippy::disallowed_methods,
    reason = "without locks of the system, as on Android, it goes on without one"
)]
fn locked(root: &Folder) -> io::Result<File> {
    const WAIT: Duration = Duration::from_millis(20);
    // A test waits three seconds for a lock that it never gives back.
    const TIMES: u32 = if cfg!(test) { 150 } else { 500 };
    for _ in 0..TIMES {
        let file = root.lock_file(OsStr::new(LOCK))?;
        match file.try_lock() {
            // Android has no such locks. Each file is still replaced in one step.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(file);
            }
            Err(TryLockError::Error(error)) => return Err(error),
            // Between the opening and the lock, the file can have been removed.
            Ok(()) if root.holds(OsStr::new(LOCK), &file)? => return Ok(file),
            Ok(()) | Err(TryLockError::WouldBlock) => thread::sleep(WAIT),
        }
    }
    let message = "another process has been writing for ten seconds";
    Err(io::Error::new(io::ErrorKind::TimedOut, message))
}

#[cfg(test)]
mod tests;
