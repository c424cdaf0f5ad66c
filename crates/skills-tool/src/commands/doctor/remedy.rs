//! Commands of a shell that help, as a person types them.

use skills_format::Prose;
use skills_format::text::command::shell_word;
use skills_format::text::path::PathText as _;
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
    format!("`export PATH=\"$PATH:{}\"`", folder.shown()).into()
}

/// Writes the command that puts a folder at the begin of the search path.
pub(super) fn first_on_the_path(folder: &Path) -> Prose {
    format!("`export PATH=\"{}:$PATH\"`", folder.shown()).into()
}
