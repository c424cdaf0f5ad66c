//! Commands of a shell that help, as a person types them.

use skills_format::text::command::shell_word;
use skills_format::text::path::PathText as _;
use skills_format::{Prose, prose};
use std::path::Path;

/// Writes a command with a path as its last word.
pub(super) fn shell(command: &str, path: &Path) -> Prose {
    let word = shell_word(&path.shown());
    Prose::from(format!("`{command} ")).path(&word).words("`")
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
}
