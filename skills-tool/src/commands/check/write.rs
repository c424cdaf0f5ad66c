//! Writes fixed files back. Each file is replaced whole, and only if it has not changed since it was
//! read.

use crate::outcome::Failure;
use skills_format::Tree;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

/// The age at which a temporary file is surely abandoned.
const ABANDONED: Duration = Duration::from_secs(60);

/// Writes the `changed` files of a tree. Returns a failure for each file that could not be written.
/// `before` is the tree as it was read.
pub(crate) fn write(root: &Path, before: &Tree, after: &Tree, changed: &[String]) -> Vec<Failure> {
    let mut failures = Vec::new();
    for path in changed {
        let (Some(old), Some(new)) = (bytes(before, path), bytes(after, path)) else {
            continue;
        };
        let file = root.join(path);
        if let Err(error) = replace(&file, old, new) {
            failures.push(Failure::failed(
                format_args!("cannot fix {}: {error}", file.display()),
                "fix the cause and run the command again",
            ));
        }
    }
    failures
}

fn bytes<'t>(tree: &'t Tree, path: &str) -> Option<&'t [u8]> {
    tree.get(path)?.bytes.as_deref()
}

fn replace(file: &Path, old: &[u8], new: &[u8]) -> io::Result<()> {
    if fs::read(file)? != old {
        return Err(io::Error::other("it was changed meanwhile"));
    }
    let permissions = fs::metadata(file)?.permissions();
    clear(file);
    // No check reads a file of this name, if this process ends before the file is renamed.
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}~", std::process::id()));
    let beside = file.with_file_name(name);
    let written = fs::File::create_new(&beside)
        .and_then(|mut file| {
            file.write_all(new)?;
            file.set_permissions(permissions)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        // The first error is reported. A second error would say nothing new.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Removes temporary files that killed runs left beside a file.
fn clear(file: &Path) {
    let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let Some(entries) = file.parent().and_then(|folder| fs::read_dir(folder).ok()) else {
        return;
    };
    for entry in entries.filter_map(Result::ok) {
        let left = entry.file_name();
        let process = left.to_str().and_then(|left| {
            let rest = left.strip_prefix(name)?.strip_prefix('.')?;
            rest.strip_suffix('~')?.parse::<u32>().ok()
        });
        let age = entry.metadata().and_then(|found| found.modified());
        let is_old = age.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > ABANDONED));
        if process.is_some() && is_old {
            // A file that stays does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}
