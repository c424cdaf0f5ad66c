//! The folder of skills that a command changes: its name in the data folder, and how it is opened. No link of a
//! repository may lead out of the repository.

use crate::files::copy::is_there;
use crate::files::folder::{Obstacle, OpenFolder};
use skills_format::disk::{Folder, resolve, resolved_ahead};
use skills_format::{Digest, prose};
use skills_store::{Error, ErrorKind};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Opens a folder of skills; `None` if it is missing.
///
/// # Errors
///
/// [`ErrorKind::Refused`]: the folder is in a repository, and a link leads out of the repository.
pub(crate) fn open_target(target: &Path) -> Result<Option<OpenFolder>, Error> {
    match Nearest::of(target)? {
        nearest if nearest.missing.as_os_str().is_empty() => nearest.open().map(Some),
        _ => Ok(None),
    }
}

/// Opens a folder of skills, which is made if it is missing.
///
/// # Errors
///
/// The errors of [`open_target`], or a folder that cannot be made.
pub(crate) fn make_target(target: &Path) -> Result<OpenFolder, Error> {
    let nearest = Nearest::of(target)?;
    let folder = nearest.open()?;
    if nearest.missing.as_os_str().is_empty() {
        return Ok(folder);
    }
    // A dangling link counts as missing. It is refused here.
    folder.make_below(nearest.missing, Obstacle::Refused)
}

/// Returns the name of what this program keeps for a folder of skills: the digits of a SHA-256.
///
/// The name stays when the folder is made. The parts of the path are joined anew, since Windows has two separators.
pub(crate) fn name_of(target: &Path) -> String {
    let target: PathBuf = resolved_ahead(target).components().collect();
    let digest = Digest::of(target.as_os_str().as_encoded_bytes()).to_string();
    digest.trim_start_matches("sha256:").to_owned()
}

/// The nearest existing folder of a path.
struct Nearest<'t> {
    path: &'t Path,
    /// The missing rest of the path.
    missing: &'t Path,
    /// The path of the folder, with all links resolved.
    real: PathBuf,
    /// The outermost repository that holds the folder, with all links resolved.
    root: Option<PathBuf>,
}

impl<'t> Nearest<'t> {
    fn of(target: &'t Path) -> Result<Self, Error> {
        let failed = |error| Error::io(target, "cannot be read", error);
        for path in target.ancestors() {
            let path = match path {
                empty if empty == Path::new("") => Path::new("."),
                path => path,
            };
            match fs::metadata(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                found => {
                    found.map_err(failed)?;
                    let real = resolve(path).map_err(failed)?;
                    return Ok(Self {
                        path,
                        missing: target.strip_prefix(path).unwrap_or(target),
                        root: repository(target, &real)?,
                        real,
                    });
                }
            }
        }
        Err(failed(io::ErrorKind::NotFound.into()))
    }

    /// Opens the folder from its repository down, component by component. A component that was replaced by a link
    /// since it was resolved is refused.
    fn open(&self) -> Result<OpenFolder, Error> {
        let failed = |error| Error::io(self.path, "cannot be read", error);
        let below = |root: &PathBuf| Some((root.clone(), self.real.strip_prefix(root).ok()?));
        let whole = || (self.real.clone(), Path::new(""));
        let (root, below) = self.root.as_ref().and_then(below).unwrap_or_else(whole);
        let folder = Folder::open(&root).map_err(failed)?;
        let folder = folder
            .folder_below(below)
            .map_err(|refused| failed(refused.into()))?;
        OpenFolder::of(Ok(folder), self.path.to_owned())
    }
}

/// Returns the outermost repository that the path names a folder of, with all links resolved.
///
/// Each of the repositories must hold the folder, not only the nearest: a link of a project can lead to a folder with
/// a `.git` of its own.
fn repository(target: &Path, real: &Path) -> Result<Option<PathBuf>, Error> {
    let mut outermost = None;
    for above in target.ancestors() {
        if !is_there(&above.join(".git"))? {
            continue;
        }
        let root = resolve(above).map_err(|error| Error::io(above, "cannot be read", error))?;
        if !real.starts_with(&root) {
            let message = prose!("{} is a link that leaves the repository", target);
            return Err(Error::new(ErrorKind::Refused, message)
                .help(prose!("to write there, name the folder: --to {}", real)));
        }
        outermost = Some(root);
    }
    Ok(outermost)
}
