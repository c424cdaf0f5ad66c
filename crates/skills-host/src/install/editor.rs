//! The editor of a person, for a file with conflict markers.

#![expect(
    clippy::disallowed_methods,
    reason = "the one file that starts an editor"
)]

use crate::install::host::Host;
use crate::install::temporary::Temporary;
use skills_format::prose;
use skills_store::files::copy::write_file;
use skills_store::files::folder::Durable;
use skills_store::files::snapshot::MAX_BYTES;
use skills_store::{Error, ErrorKind, disk};
use std::path::Path;
use std::process::Command;

/// Opens a text in an editor, and returns the text after the editor has ended. `editor` is split into words as a shell does,
/// and no shell runs it. `path` gives the file its name, by which editors choose colours.
///
/// # Errors
///
/// If the editor cannot be started or fails, or the file is no longer there: then nothing was answered.
pub fn edit(editor: &str, path: &str, text: &[u8], host: Host<'_>) -> Result<Vec<u8>, Error> {
    let words = shlex::split(editor).unwrap_or_default();
    let [program, arguments @ ..] = words.as_slice() else {
        let message = format!("'{}' is not a command", editor.escape_debug());
        return Err(Error::new(ErrorKind::Usage, message).help("set VISUAL or EDITOR to a program"));
    };
    let folder = Temporary::make(&host.data.temporary(), host.observer)?;
    let name = path.rsplit('/').next().unwrap_or(path);
    let file = folder.path().join(name);
    write_file(&file, text, Durable::No)?;
    let ended = Command::new(program).args(arguments).arg(&file).status();
    let ended = ended.map_err(|error| {
        let message = format!("the editor `{editor}` cannot be started: {error}");
        Error::new(ErrorKind::NotFound, message).help("set VISUAL or EDITOR to a program")
    })?;
    if !ended.success() {
        let message = format!("the editor `{editor}` failed: {ended}");
        return Err(Error::new(ErrorKind::Refused, message).help("nothing was taken from it"));
    }
    read(&file)
}

/// Reads the edited file. Only a regular file is read: a pipe in its place would never end.
fn read(file: &Path) -> Result<Vec<u8>, Error> {
    let is_file = std::fs::symlink_metadata(file).is_ok_and(|file| file.is_file());
    if !is_file {
        let message = prose!("the editor left no file at {}", file);
        return Err(Error::new(ErrorKind::NotFound, message).help("nothing was taken from it"));
    }
    let unread = |error| Error::io(file, "cannot be read", error).help("nothing was taken from it");
    disk::read(file, MAX_BYTES).map_err(unread)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::git::{Git, Quiet};
    use jiff::Timestamp;
    use skills_store::files::data::DataFolder;

    #[test]
    fn an_editor_that_fails_gives_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let (data, git) = (DataFolder::new(dir.path()), Git::default());
        let host = Host {
            data: &data,
            git: &git,
            clock: &Timestamp::UNIX_EPOCH,
            observer: &Quiet,
        };
        let text = |editor: &str| edit(editor, "a/b.md", b"text\n", host);
        assert_eq!(text("true").unwrap(), b"text\n");
        assert_eq!(text("sed -i s/text/other/").unwrap(), b"other\n");
        for (editor, why) in [
            ("false", "failed"),
            ("rm", "left no file"),
            ("sh -c 'rm \"$0\" && mkdir \"$0\"'", "left no file"),
            (
                "sh -c 'rm \"$0\" && ln -s /etc/passwd \"$0\"'",
                "left no file",
            ),
            ("no-such-editor", "cannot be started"),
            ("'", "not a command"),
            ("", "not a command"),
        ] {
            let error = text(editor).unwrap_err().to_string();
            assert!(error.contains(why), "{editor}: {error}");
        }
    }
}
