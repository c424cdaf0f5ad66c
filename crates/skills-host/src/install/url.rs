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
            Some((
                url,
                Some(path.trim_start_matches('/')).filter(|path| !path.is_empty()),
            ))
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

/// Rejects a URL that is unsafe, or that git does not fetch from.
pub(crate) fn check_url(url: &str) -> Result<(), Error> {
    // First, so that no other message repeats a secret.
    refuse_query(url)?;
    // For `name::address` git starts the program `git-remote-name`.
    if let Some((helper, _)) = url.split_once("::")
        && !helper.contains(['/', '['])
    {
        let message = format!("'{}' is not a way to fetch a repository", named(helper));
        return Err(usage(&message, "use https, ssh or file"));
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        let host = url.split(':').next().unwrap_or_default();
        return check_host(url, host.rsplit('@').next().unwrap_or_default());
    };
    let authority = rest.split('/').next().unwrap_or_default();
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    if scheme == "file" {
        return Ok(());
    }
    check_scheme(scheme, user)?;
    check_host(url, host)
}

/// Rejects a `?`, after which tokens are common, and the password in `user:password@host:path`.
pub(crate) fn refuse_query(url: &str) -> Result<(), Error> {
    let (help, what) = match url.split_once("://") {
        Some(("file", _)) => return Ok(()),
        Some(_) if url.contains('?') => ("leave out what follows the `?`", "a `?`"),
        Some(_) => return Ok(()),
        None => {
            let (host, path) = url.split_once(':').unwrap_or((url, ""));
            if matches!(host, "https" | "http" | "ssh" | "git" | "file") {
                return Err(usage(
                    "the colon of a URL is followed by two slashes",
                    FORMS,
                ));
            }
            if !path
                .split('/')
                .next()
                .is_some_and(|first| first.contains('@'))
            {
                return Ok(());
            }
            ("write it as in `git@example.org:acme/skills`", "a password")
        }
    };
    // The message must not repeat the user's secret.
    let message = format!("the URL holds {what}, and other people read locks");
    Err(usage(
        &message,
        format!("{help}: git's credential helper supplies it"),
    ))
}

/// Rejects unsafe transports, and secrets in a URL.
fn check_scheme(scheme: &str, user: Option<&str>) -> Result<(), Error> {
    match scheme {
        "https" if user.is_none() => Ok(()),
        "ssh" if user.is_none_or(|user| !user.contains(':')) => Ok(()),
        "https" | "ssh" => {
            // The message must not repeat the user's secret.
            Err(usage(
                "the URL holds a user or a password, and other people read locks",
                "leave it out: git's credential helper supplies it",
            ))
        }
        "http" | "git" => {
            let message =
                format!("{scheme}:// is not secure: anyone on the network can change the skills");
            Err(usage(&message, "use https or ssh"))
        }
        _ => {
            let message = format!("'{scheme}' is not a way to fetch a repository");
            Err(usage(&message, "use https, ssh or file"))
        }
    }
}

/// Returns whether a text is the URL of an archive, by its end. A `file:` URL is the URL of a repository.
pub(crate) fn is_archive_url(url: &str) -> bool {
    let web = ["https://", "http://"];
    web.iter().any(|scheme| url.starts_with(scheme)) && is_archive(url)
}

/// Rejects the URL of an archive that is unsafe, or that programs read in different ways.
pub(crate) fn check_archive_url(url: &str) -> Result<(), Error> {
    if url.contains('?') {
        // The message must not repeat the user's secret.
        return Err(usage(
            "the URL holds a `?`, and other people read locks",
            "leave out what follows the `?`, or download the archive and install from the file",
        ));
    }
    // Curl reads the URL in quotes.
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"\"\\<>^`{|}".contains(&byte);
    let address = url_and_path(url).map_or(url, |(address, _)| address);
    if !address.bytes().all(is_plain) {
        return Err(usage(
            "the URL of the archive holds a character that must be written with `%`",
            "write it as in `https://example.org/skills.zip`",
        ));
    }
    let (scheme, rest) = url.split_once("://").unwrap_or(("https", url));
    let authority = rest.split('/').next().unwrap_or_default();
    if authority.contains('@') {
        return Err(usage(
            "the URL holds a user or a password, and other people read locks",
            "leave it out, or download the archive and install from the file",
        ));
    }
    check_scheme(scheme, None)?;
    check_host(url, authority)
}

fn check_host(url: &str, host: &str) -> Result<(), Error> {
    if host.is_empty() || host.starts_with('-') || host.contains(char::is_whitespace) {
        let message = format!("'{}' has no valid host", named(url));
        return Err(usage(&message, FORMS));
    }
    Ok(())
}
