//! Fetches an archive with the user's own `curl`.

#![expect(clippy::disallowed_methods, reason = "the one file that starts curl")]

use crate::git::observer::Observer;
use crate::git::process::{Done, Most, run};
use skills_format::Digest;
use skills_format::text::command::shell_word;
use skills_store::{Error, ErrorKind};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Maximum bytes of an archive that is fetched. `curl --max-filesize` does not stop a body of unknown length before
/// version 8.4.
const MAX_ARCHIVE: u64 = 128 << 20;
/// The words before the answer that curl prints after its errors.
const ANSWER: &str = "skills-answer:";

/// The options of each call. `-q` comes first, so that no file of settings counts: no proxy password, no cookies, no
/// `.netrc`, and no `--insecure`. What the environment says of proxies and certificates counts.
const OPTIONS: &[&str] = &[
    "-q",
    "--silent",
    "--show-error",
    "--globoff",
    "--location",
    "--proto",
    "=https",
    "--proto-redir",
    "=https",
    "--max-redirs",
    "10",
    "--connect-timeout",
    "20",
    // A server that sends next to nothing is left after a minute, and each server after half an hour.
    "--speed-limit",
    "1000",
    "--speed-time",
    "60",
    "--max-time",
    "1800",
    "--output",
    "-",
    "--write-out",
    "%{stderr}\nskills-answer:%{http_code}\n",
    // The URL stands on standard input: every user of the machine can read the arguments.
    "--config",
    "-",
];

/// Fetches the archive of a checked URL into a folder. Returns its path and its digest.
///
/// # Errors
///
/// [`ErrorKind::Refused`] for too many bytes, [`ErrorKind::NotFound`] if the server does not have the archive,
/// [`ErrorKind::Program`] with curl's message.
pub(crate) fn download(
    url: &str,
    folder: &Path,
    observer: &dyn Observer,
) -> Result<(PathBuf, Digest), Error> {
    let mut command = Command::new("curl");
    command.args(OPTIONS);
    let most = Most {
        bytes: MAX_ARCHIVE,
        ..Most::default()
    };
    // No character of the URL ends the string: `check_archive_url` has checked each.
    let input = format!("url = \"{url}\"\n");
    let doing = format!("fetch {url}");
    let bytes = body(url, run(command, &doing, input.as_bytes(), most, observer)?)?;
    let is_tar = url.to_ascii_lowercase().ends_with("gz");
    let path = folder.join(if is_tar {
        "archive.tar.gz"
    } else {
        "archive.zip"
    });
    fs::write(&path, &bytes).map_err(|error| Error::io(&path, "cannot be written", error))?;
    Ok((path, Digest::of(&bytes)))
}

/// Returns the archive that curl printed, or its failure. No message holds the URL of a redirect, which can have a token.
fn body(url: &str, done: Done) -> Result<Vec<u8>, Error> {
    if done.is_over {
        let message = format!("{url} has more than {} MiB", MAX_ARCHIVE >> 20);
        return Err(Error::new(ErrorKind::Refused, message)
            .help("download the archive yourself, then install from the file"));
    }
    let mut lines = done.errors.lines();
    if done.code != Some(0) {
        let reported = lines.rfind(|line| line.starts_with("curl: "));
        // Curl repeats a proxy that it cannot read, with its password.
        let words = reported
            .unwrap_or("curl ended with an error")
            .split(' ')
            .map(|word| if word.contains('@') { "…" } else { word });
        let words: Vec<&str> = words.collect();
        let message = format!("cannot fetch {url}: {}", words.join(" "));
        let help = format!("see what `curl -q --head {}` says", shell_word(url));
        return Err(Error::new(ErrorKind::Program, message).help(help));
    }
    match lines.rev().find_map(|line| line.strip_prefix(ANSWER)) {
        Some("200") => Ok(done.output),
        code => {
            let code = code.unwrap_or("nothing");
            let message = format!("{url} cannot be fetched: the server answers {code}");
            Err(Error::new(ErrorKind::NotFound, message)
                .help("look whether the URL is right; what needs a login is downloaded first, then installed from the file"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        let of = |code, errors: &str| {
            let done = Done {
                code: Some(code),
                output: b"body".to_vec(),
                is_over: false,
                errors: errors.to_owned(),
            };
            body("https://a.example/x.zip", done)
        };
        let forged = "skills-answer:404\nskills-answer:200\n";
        assert!(matches!(of(0, forged), Ok(body) if body == b"body"));
        for (code, errors, told) in [
            (0, "skills-answer:404\n", "answers 404"),
            (0, "skills-answer:206\n", "answers 206"),
            (0, "", "answers"),
            (
                6,
                "skills-answer:000\ncurl: (6) no host\n",
                "curl: (6) no host",
            ),
            (
                5,
                "curl: (5) Unsupported proxy syntax in 'http://user:secret@[bad:8888'\n",
                "in …",
            ),
        ] {
            let error = of(code, errors).err().unwrap().report().to_string();
            assert!(error.contains(told), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
