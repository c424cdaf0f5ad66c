//! Checks the URLs of repositories and archives.

use skills_format::Prose;
use skills_store::{Error, ErrorKind};

const ARCHIVES: [&str; 4] = [".tar.gz", ".tgz", ".zip", ".skill"];

/// The valid forms of a source.
pub(crate) const FORMS: &str = "a source is a folder, an archive (.tar.gz, .tgz, .zip, .skill) or its https URL, the \
                     URL of a git repository as in `https://example.org/acme/skills.git//skills#v2`, or \
                     `owner/repo` of GitHub";

/// Creates an error about the user's input.
pub(crate) fn usage(message: impl Into<Prose>, help: impl Into<Prose>) -> Error {
    Error::new(ErrorKind::Usage, message).help(help)
}

/// Shortens and escapes a text of a lock or a user for an error message.
pub(crate) fn named(text: &str) -> String {
    const MOST: usize = 200;
    let escaped: String = text
        .chars()
        .take(MOST)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(MOST).is_none() {
        escaped
    } else {
        format!("{escaped}…")
    }
}

/// Returns whether a path has the extension of an archive.
pub(crate) fn is_archive(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    ARCHIVES.iter().any(|ending| path.ends_with(ending))
}

/// Splits off the folder after `//`. Returns `None` if the text is not a URL.
pub(crate) fn url_and_path(text: &str) -> Option<(&str, Option<&str>)> {
    let start = match text.find("://") {
        Some(at) => at + 3,
        None if is_scp(text) => 0,
        None => return None,
    };
    match text.get(start..)?.find("//") {
        Some(at) if at > 0 => {
            let (url, path) = text.split_at_checked(start + at)?;
            let path = path.trim_start_matches('/');
            Some((url, (!path.is_empty()).then_some(path)))
        }
        _ => Some((text, None)),
    }
}

/// Returns whether a text is `host:path` or `user@host:path`: a colon before the first slash, after more than a drive
/// letter.
fn is_scp(text: &str) -> bool {
    text.split_once(':').is_some_and(|(host, path)| {
        host.len() > 1 && !host.contains('/') && !host.contains('\\') && !path.is_empty()
    })
}

/// Rejects a URL that is unsafe, or that nothing is fetched from. No message repeats a secret.
pub(crate) fn check_url(url: &str) -> Result<(), Error> {
    let Some((scheme, rest)) = url.split_once("://") else {
        return check_scp(url);
    };
    if scheme == "file" {
        return Ok(());
    }
    if url.contains('?') {
        return Err(secret("a `?`"));
    }
    let authority = rest.split('/').next().unwrap_or_default();
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    match scheme {
        "https" if user.is_none() => {}
        "ssh" if user.is_none_or(|user| !user.contains(':')) => {}
        "https" | "ssh" => return Err(secret("a user or a password")),
        "http" | "git" => {
            let message =
                format!("{scheme}:// is not secure: anyone on the network can change the skills");
            return Err(usage(message, "use https or ssh"));
        }
        _ => return Err(no_way(scheme)),
    }
    check_host(url, host)
}

/// Rejects an unsafe `user@host:path`.
fn check_scp(url: &str) -> Result<(), Error> {
    let (host, path) = url.split_once(':').unwrap_or((url, ""));
    if matches!(host, "https" | "http" | "ssh" | "git" | "file") {
        let message = "the colon of a URL is followed by two slashes";
        return Err(usage(message, FORMS));
    }
    // For `name::address` git starts the program `git-remote-name`.
    if path.starts_with(':') && !host.contains('[') {
        return Err(no_way(host));
    }
    let first = path.split('/').next().unwrap_or_default();
    if first.contains('@') {
        return Err(secret("a password"));
    }
    check_host(url, host.rsplit('@').next().unwrap_or_default())
}

/// Rejects the URL of an archive that programs read in different ways: curl reads it in quotes.
pub(crate) fn check_archive_url(url: &str) -> Result<(), Error> {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"\"\\<>^`{|}".contains(&byte);
    if url.bytes().all(is_plain) {
        return Ok(());
    }
    Err(usage(
        "the URL of the archive contains a character that must be written with `%`",
        "write it as in `https://example.org/skills.zip`",
    ))
}

/// Returns whether a text is the URL of an archive, by its end. A `file:` URL is the URL of a repository.
pub(crate) fn is_archive_url(url: &str) -> bool {
    url.starts_with("https://") && is_archive(url)
}

/// The error for a URL with a secret: after a `?`, tokens are common.
fn secret(what: &str) -> Error {
    usage(
        format!("the URL contains {what}, and other people can read it in skills.lock"),
        "leave it out: git's credential helper supplies it; an archive is downloaded first, then installed from the file",
    )
}

fn no_way(scheme: &str) -> Error {
    let message = format!("'{}' is not a way to fetch a repository", named(scheme));
    usage(message, "use https, ssh or file")
}

fn check_host(url: &str, host: &str) -> Result<(), Error> {
    if host.is_empty() || host.starts_with('-') || host.contains(char::is_whitespace) {
        let message = format!("'{}' has no valid host", named(url));
        return Err(usage(&message, FORMS));
    }
    Ok(())
}
