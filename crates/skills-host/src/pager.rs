//! The pager of a person, for text that is longer than the screen.

#![expect(
    clippy::disallowed_methods,
    reason = "the one file that starts a pager"
)]

use skills_store::{Error, ErrorKind};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Shows a text in a pager, and returns when the person has left the pager. `pager` is split into words as a shell does, and no
/// shell runs it. `less` gets the options of its caller, unless the variable `LESS` has others.
///
/// # Errors
///
/// [`ErrorKind::NotFound`]: the pager cannot be started. Nothing was shown then.
pub fn page(pager: &str, text: &[u8]) -> Result<(), Error> {
    let words = shlex::split(pager).unwrap_or_default();
    let [program, arguments @ ..] = words.as_slice() else {
        let message = format!("'{}' is not a command", pager.escape_debug());
        return Err(Error::new(ErrorKind::Usage, message).help("set PAGER to a program"));
    };
    let started = Command::new(program)
        .args(arguments)
        // `less` shows codes in place of characters where no locale is set.
        .env("LESSCHARSET", "utf-8")
        .stdin(Stdio::piped())
        .spawn();
    let mut child = started.map_err(|error| {
        let message = format!("the pager `{pager}` cannot be started: {error}");
        Error::new(ErrorKind::NotFound, message)
            .help("set PAGER to a program that is there, or leave it out: `unset PAGER`")
    })?;
    if let Some(mut input) = child.stdin.take() {
        // A person can leave the pager before it has read everything.
        let _ = input.write_all(text);
    }
    // How a pager ends says nothing: a person left it.
    let _ = child.wait();
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_text_goes_to_the_pager() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a b");
        let pager = format!("sh -c 'cat > \"$0\"' '{}'", file.display());
        page(&pager, b"whole\ntext\n").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"whole\ntext\n");
        // A pager that reads nothing is left early.
        page("true", &vec![b'x'; 1 << 20]).unwrap();
        for pager in ["", "'", "/gone/pager -x"] {
            assert!(page(pager, b"text").is_err(), "{pager}");
        }
    }
}
