//! Commands of a shell that help, as a person types them.

use skills_format::text::command::shell_word;
use skills_format::text::path::PathText as _;
use skills_format::{Prose, prose};
use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::Path;

/// The maximum number of items of a folder whose owners are looked at.
const MOST_ITEMS: usize = 10_000;

/// Writes a command with a path as its last word.
pub(super) fn shell(command: &str, path: &Path) -> Prose {
    let word = shell_word(&path.shown());
    Prose::from(format!("`{command} ")).path(&word).words("`")
}

/// Writes the command that gives the person a right to a path, with the mode that `chmod` takes; `-R` before the mode: to all
/// in the folder. Only the owner of a file may change its rights: a file of another owner becomes the person's first.
pub(super) fn right(mode: &'static str, path: &Path) -> Prose {
    right_as(me(), mode, path)
}

fn right_as(me: u32, mode: &'static str, path: &Path) -> Prose {
    if let Some(help) = of_link(path) {
        return help;
    }
    if let Err(error) = path.symlink_metadata()
        && error.kind() == ErrorKind::PermissionDenied
    {
        // A folder above hides the path.
        let mut above = path.ancestors().skip(1);
        if let Some(hiding) = above.find(|above| above.symlink_metadata().is_ok()) {
            return right_as(me, "u+rwx", hiding);
        }
    }
    let is_deep = mode.starts_with("-R ");
    let chmod = format!("chmod {mode}");
    if !has_other_owner(me, path, is_deep) {
        return shell(&chmod, path);
    }
    let recursive = if is_deep { "-R " } else { "" };
    let word = shell_word(&path.shown());
    let chown = format!("`sudo chown {recursive}\"$(id -un)\" ");
    let both = Prose::from(chown).path(&word).words(" && ");
    both.words(&chmod).words(" ").path(&word).words("`")
}

/// Returns whether a path, or what is below it, belongs to somebody else.
fn has_other_owner(me: u32, path: &Path, is_deep: bool) -> bool {
    let mut waiting = vec![path.to_owned()];
    let mut left = MOST_ITEMS;
    while let Some(path) = waiting.pop() {
        let Ok(metadata) = path.symlink_metadata() else {
            continue;
        };
        if owner(&metadata) != me {
            return true;
        }
        if !is_deep || !metadata.is_dir() {
            continue;
        }
        let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
        let entries: Vec<_> = entries.take(left).map(|entry| entry.path()).collect();
        left = left.saturating_sub(entries.len());
        waiting.extend(entries);
    }
    false
}

/// Returns the number of the user that owns a file. Where the system has no such number, all belongs to the person.
#[cfg(unix)]
fn owner(metadata: &Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::uid(metadata)
}

#[cfg(not(unix))]
fn owner(_: &Metadata) -> u32 {
    me()
}

/// Returns the number of the user of this process.
#[cfg(unix)]
fn me() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn me() -> u32 {
    0
}

/// Writes the command that moves a file out of the way.
pub(super) fn aside(path: &Path) -> Prose {
    let mut to = path.as_os_str().to_owned();
    to.push(".aside");
    let (from, to) = (path.shown(), Path::new(&to).shown().into_owned());
    let words = Prose::from("`mv ").path(&shell_word(&from)).words(" ");
    words.path(&shell_word(&to)).words("`")
}

/// Writes the command that adds a folder to the end of the search path.
pub(super) fn on_the_path(folder: &Path) -> Prose {
    search_path(folder, "\"$PATH\":", "")
}

/// Writes the command that puts a folder at the begin of the search path.
pub(super) fn first_on_the_path(folder: &Path) -> Prose {
    search_path(folder, "", ":\"$PATH\"")
}

fn search_path(folder: &Path, before: &str, after: &str) -> Prose {
    let shown = folder.shown();
    if shown.contains(':') {
        return "move the program: the path of its folder has a `:`, and cannot be on the search path"
            .into();
    }
    let words = Prose::from(format!("`export PATH={before}")).path(&shell_word(&shown));
    words.words(after).words("`")
}

/// Writes what helps against a link that leads to something unusable; `None` if the path is no link. Rights are never
/// changed through a link: what it leads to may belong to something else.
pub(super) fn of_link(path: &Path) -> Option<Prose> {
    let metadata = path.symlink_metadata().ok()?;
    let help = || prose!("it is a link: remove the link: {}", shell("rm", path));
    metadata.is_symlink().then(help)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_on_the_search_path_runs_nothing() {
        let text = |prose: Prose| prose.to_string();
        let folder = Path::new("/e$(touch P)");
        assert_eq!(
            text(on_the_path(folder)),
            "`export PATH=\"$PATH\":'/e$(touch P)'`"
        );
        assert_eq!(
            text(first_on_the_path(folder)),
            "`export PATH='/e$(touch P)':\"$PATH\"`"
        );
        assert!(text(on_the_path(Path::new("/a:b"))).contains("cannot be on the search path"));
    }

    #[test]
    fn what_belongs_to_another_is_taken_over_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path().join("a b");
        std::fs::write(&at, "").expect("a file");
        let mine = me();
        let base = folder.path().display().to_string();
        let said = |me, mode, path: &Path| {
            let said = right_as(me, mode, path).to_string();
            said.replace(&base, "[F]")
        };
        assert_eq!(said(mine, "u+rw", &at), "`chmod u+rw '[F]/a b'`");
        assert_eq!(
            said(mine + 1, "u+rw", &at),
            "`sudo chown \"$(id -un)\" '[F]/a b' && chmod u+rw '[F]/a b'`"
        );
        assert_eq!(
            said(mine, "-R u+rwX", folder.path()),
            "`chmod -R u+rwX [F]`"
        );
        assert_eq!(
            said(mine + 1, "-R u+rwX", folder.path()),
            "`sudo chown -R \"$(id -un)\" [F] && chmod -R u+rwX [F]`"
        );
        // A superuser may give a file away: one file of another in the folder is enough.
        if mine == 0 {
            std::os::unix::fs::chown(&at, Some(1), None).expect("another owner");
            assert!(said(mine, "-R u+rwX", folder.path()).starts_with("`sudo chown -R "));
        }
    }
}
