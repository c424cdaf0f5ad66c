//! Detects repositories that lead git elsewhere: by links, or by the names of other folders.

use skills_format::disk::patient;
use skills_format::prose;
use skills_format::text::path::PathText as _;
use skills_store::files::copy::is_there;
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum number of entries of a repository that are checked. Loose references and objects are files: `git gc` packs
/// a repository with more of them.
const MOST: usize = 100_000;

/// Folders in which git reads and writes for us, checked with everything below. A link to an object of another
/// repository would disclose its content, and git would wait for a pipe.
const WRITTEN: &[&str] = &["info", "logs", "objects", "refs", "reftable"];
/// Folders that git uses only for commands that are not used here.
const UNUSED: &[&str] = &["hooks", "modules", "worktrees"];

/// Rejects a repository in which git would write through a link, or use the objects, the references or the
/// configuration of another repository. An archive can hold such a repository: the line that git appends to
/// `logs/HEAD` would end in a shell's start-up file.
pub(crate) fn refuse_planted(git: &Path) -> Result<(), Error> {
    for file in [
        "commondir",
        "objects/info/alternates",
        "objects/info/http-alternates",
    ] {
        if is_there(&git.join(file))? {
            let what = format!("`{file}` leads to another repository");
            let help = "`git clone --no-local` makes an independent copy of the repository";
            return Err(not_used(git, &what, help));
        }
    }
    let mut look = Look {
        git,
        left: MOST,
        folders: Vec::new(),
    };
    look.folder(git, |name| {
        if UNUSED.contains(&name) {
            Below::Skip
        } else if WRITTEN.contains(&name) {
            Below::All
        } else {
            Below::Nothing
        }
    })?;
    while let Some(folder) = look.folders.pop() {
        look.folder(&folder, |_| Below::All)?;
    }
    Ok(())
}

/// The depth to which an entry is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    /// Nothing, also if the entry is a link.
    Skip,
    /// The entry itself.
    Nothing,
    /// The entry, and everything below.
    All,
}

struct Look<'l> {
    git: &'l Path,
    left: usize,
    folders: Vec<PathBuf>,
}

impl Look<'_> {
    fn folder(&mut self, folder: &Path, below: impl Fn(&str) -> Below) -> Result<(), Error> {
        let failed = |error| Error::io(folder, "cannot be read", error);
        for entry in patient(|| fs::read_dir(folder)).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let below = below(&entry.file_name().to_string_lossy());
            if below == Below::Skip {
                continue;
            }
            let kind = entry.file_type().map_err(failed)?;
            let path = entry.path();
            if !kind.is_dir() && !kind.is_file() {
                let inside = path.strip_prefix(self.git).unwrap_or(&path);
                let what = format!(
                    "`{}` is not a file or a folder",
                    inside.shown().escape_debug()
                );
                return Err(not_used(
                    self.git,
                    &what,
                    "look at the item at this path, then remove the item",
                ));
            }
            self.left = self.left.checked_sub(1).ok_or_else(|| {
                let what = format!("it holds more than {MOST} files");
                not_used(self.git, &what, "`git gc` there packs them")
            })?;
            if below == Below::All && kind.is_dir() {
                self.folders.push(path);
            }
        }
        Ok(())
    }
}

/// Rejects ignore files of a work tree that are not files: git would wait for a pipe without end.
pub(crate) fn refuse_ignore_files(root: &Path, paths: &[&String]) -> Result<(), Error> {
    let above = |path: &&'_ String| -> Vec<String> {
        let ends = path.match_indices('/');
        ends.filter_map(|(end, _)| Some(format!("{}/.gitignore", path.get(..end)?)))
            .collect()
    };
    let mut files: BTreeSet<String> = paths.iter().flat_map(above).collect();
    files.insert(".gitignore".to_owned());
    files
        .iter()
        .try_for_each(|file| refuse_ignore_file(root, file))
}

/// Rejects an ignore file that is not a file. A link to a file is followed, as some versions of git follow it.
pub(crate) fn refuse_ignore_file(root: &Path, file: &str) -> Result<(), Error> {
    match fs::metadata(root.join(file)) {
        Ok(found) if !found.is_file() => {
            let what = format!("`{}` is not a file", file.escape_debug());
            Err(not_used(
                &root.join(".git"),
                &what,
                "look at the item at this path, then remove the item",
            ))
        }
        _ => Ok(()),
    }
}

fn not_used(git: &Path, what: &str, help: &str) -> Error {
    let message = prose!("the repository {} is not used: {what}", git);
    Error::new(ErrorKind::Refused, message).help(help)
}
