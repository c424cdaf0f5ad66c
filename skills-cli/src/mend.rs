//! Writes mended files back: each whole or not at all, and none that changed meanwhile.

use crate::failure::Failure;
use skills_format::Tree;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// Writes the `changed` files of a tree. `before` is the tree as it was read.
pub(crate) fn write(
    root: &Path,
    before: &Tree,
    after: &Tree,
    changed: &[String],
) -> Result<(), Failure> {
    for path in changed {
        let (Some(old), Some(new)) = (bytes(before, path), bytes(after, path)) else {
            continue;
        };
        let file = root.join(path);
        replace(&file, old, new).map_err(|error| {
            Failure::failed(
                format_args!("cannot mend {}: {error}", file.display()),
                "mend what is in the way and run it again",
            )
        })?;
    }
    Ok(())
}

fn bytes<'t>(tree: &'t Tree, path: &str) -> Option<&'t [u8]> {
    tree.get(path)?.bytes.as_deref()
}

fn replace(file: &Path, old: &[u8], new: &[u8]) -> io::Result<()> {
    if fs::read(file)? != old {
        return Err(io::Error::other("it was changed meanwhile"));
    }
    let permissions = fs::metadata(file)?.permissions();
    // A name that no check reads, should this process end before it is renamed.
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
        // What went wrong is told; that this goes wrong too says no more.
        let _ = fs::remove_file(&beside);
    }
    written
}
