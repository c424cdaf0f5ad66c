//! What is left in the folder of data: of folders that are gone, and of processes that have ended.

use crate::commands::doctor::checked::{Checked, Trouble};
use crate::commands::doctor::remedy::right;
use crate::environment::Environment;
use crate::output::counted;
use skills_format::{Prose, command, prose};
use skills_host::install::left_temporary;
use std::path::{Path, PathBuf};

/// The most paths that are named.
const MOST: usize = 3;

/// Looks for what is left.
pub(super) fn checks(environment: &Environment) -> Vec<Checked> {
    vec![places(environment), leftovers(environment)]
}

/// Checks that the folders into which skills were installed are there.
fn places(environment: &Environment) -> Checked {
    let data = environment.data_folder();
    // A list that cannot be read is reported by the check of the folder of data.
    let known = data.as_ref().and_then(|data| data.known().ok());
    let gone = data.and_then(|data| data.gone().ok()).unwrap_or_default();
    let found = format!(
        "skills were installed in {}",
        counted(known.map_or(0, |known| known.len()), "folder")
    );
    let trouble = named(&gone).map(|names| {
        Trouble::new(
            prose!(
                "skills were installed in {}, and now nothing is there",
                names
            ),
            prose!(
                "if it is on a disk that is not connected, connect the disk; {} forgets it",
                command("inspect store gc")
            ),
        )
    });
    Checked::new("places", found, trouble.into_iter().collect())
}

/// Looks for temporary folders of processes that have ended.
fn leftovers(environment: &Environment) -> Checked {
    let data = environment.data_folder();
    let left = data.map(|data| left_temporary(&data)).transpose();
    let trouble = match left {
        Ok(left) => named(&left.unwrap_or_default()).map(|names| {
            Trouble::new(
                prose!("a process that was killed left {}", names),
                prose!("{} removes it", command("inspect store gc")),
            )
        }),
        Err(error) if error.is_denied() => {
            let folder = environment.data_folder().map(|data| data.temporary());
            let help = folder.map(|folder| right("-R u+rwX", &folder));
            Some(Trouble::new(&error, help.unwrap_or_default()))
        }
        Err(error) => Some(Trouble::of(&error, "look at it, and remove it")),
    };
    let found = "no temporary folder is left of a process that was killed";
    Checked::new("leftovers", found, trouble.into_iter().collect())
}

/// Names the first paths, and the number of the others; `None` without a path.
fn named(paths: &[PathBuf]) -> Option<Prose> {
    let shown = paths
        .iter()
        .take(MOST)
        .map(|path| Prose::from(Path::new(path)));
    let all = shown.reduce(|all, path| all.words(", ").and(path))?;
    Some(match paths.len().saturating_sub(MOST) {
        0 => all,
        more => prose!("{} and {more} more", all),
    })
}
