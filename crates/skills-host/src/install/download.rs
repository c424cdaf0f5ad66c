//! Fetches an archive with the user's own `curl`: each redirect is followed here, and each byte is counted here.

#![expect(clippy::disallowed_methods, reason = "the one file that starts curl")]

use crate::git::observer::Observer;
use crate::git::process::{Done, Most, run};
use crate::install::address::{Place, Reach};
use skills_format::Digest;
use skills_format::text::command::shell_word;
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Maximum bytes of an archive that is fetched. `curl --max-filesize` does not stop a body of unknown length before
/// version 8.4.
const MAX_ARCHIVE: u64 = 128 << 20;
/// Maximum number of redirects. A loop of redirects ends here.
const MAX_REDIRECTS: usize = 10;
/// The words before the answer that curl prints after its errors.
const ANSWER: &str = "skills-answer:";

/// The options of each call. `-q` comes first, so that no file of settings counts: no proxy password, no cookies, no
/// `.netrc`, and no `--insecure`. What the environment says of proxies and certificates counts.
const OPTIONS: &[&str] = &[
    "-q",
    "--silent",
    "--show-error",
    "--globoff",
    "--proto",
    "=https",
    "--max-redirs",
    "0",
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
    "%{stderr}\nskills-answer:%{http_code} %{redirect_url}\n",
    // The URL stands on standard input: every user of the machine can read the arguments, and the URL of a redirect can
    // hold a token.
    "--config",
    "-",
];

/// Variables that name the proxy of a fetch.
const PROXIES: &[&str] = &["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

/// Fetches the archive of a URL into a folder. Returns its path and its digest.
///
/// # Errors
///
/// [`ErrorKind::Refused`] for a host or a redirect that is not followed and for too many bytes, [`ErrorKind::NotFound`] if
/// the server does not have the archive, [`ErrorKind::Program`] with curl's message. No message repeats the URL of a
/// redirect.
pub(crate) fn download(
    url: &str,
    reach: Reach,
    folder: &Path,
    observer: &dyn Observer,
) -> Result<(PathBuf, Digest), Error> {
    let mut at = url.to_owned();
    let mut hosts = BTreeSet::new();
    for _ in 0..=MAX_REDIRECTS {
        let place = Place::of(&at).map_err(|error| of_redirect(url, &at, error))?;
        if !hosts.is_empty()
            && !hosts.contains(&place.host)
            && !observer.allows_host(url, &place.host)
        {
            return Err(not_allowed(url, &place.host));
        }
        let answer = get(url, &at, &place, reach, observer)?;
        hosts.insert(place.host);
        match answer {
            Answer::Body(bytes) => {
                let path = folder.join(name_of(url));
                fs::write(&path, &bytes)
                    .map_err(|error| Error::io(&path, "cannot be written", error))?;
                return Ok((path, Digest::of(&bytes)));
            }
            Answer::Redirect(to) if to.starts_with("https://") => at = to,
            Answer::Redirect(to) => {
                // Only the scheme: what follows can hold a token.
                let scheme = to
                    .split(':')
                    .next()
                    .filter(|scheme| scheme.len() < 20)
                    .unwrap_or_default();
                let message = format!(
                    "{url} leads to a URL of `{}`, and only https is followed",
                    scheme.escape_debug()
                );
                return Err(refused(message));
            }
        }
    }
    Err(refused(format!(
        "{url} leads to more than {MAX_REDIRECTS} other URLs, one after the other"
    )))
}

/// The answer of a server.
enum Answer {
    Body(Vec<u8>),
    /// The absolute URL of a redirect.
    Redirect(String),
}

/// Asks a server once.
fn get(
    url: &str,
    at: &str,
    place: &Place,
    reach: Reach,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let addresses = place.checked(reach)?;
    if addresses.is_empty() && place.is_name() && !has_proxy() {
        let message = format!("cannot fetch {url}: there is no host {}", place.host);
        return Err(Error::new(ErrorKind::NotFound, message)
            .help("look whether the URL and the network are right"));
    }
    let mut command = Command::new("curl");
    command.args(OPTIONS);
    if !addresses.is_empty() {
        // The addresses that were checked. A second look for the name could give others.
        command.args(["--resolve", &pinned(place, &addresses)]);
    }
    let most = Most {
        bytes: MAX_ARCHIVE,
        ..Most::default()
    };
    // No character of the URL ends the string: `Place::of` has checked each.
    let doing = format!("fetch from {}", place.host);
    let input = format!("url = \"{at}\"\n");
    let done = run(command, &doing, input.as_bytes(), most, observer)?;
    answer(url, at, done)
}

fn answer(url: &str, at: &str, done: Done) -> Result<Answer, Error> {
    if done.is_over {
        return Err(refused(format!(
            "{url} has more than {} MiB",
            MAX_ARCHIVE >> 20
        )));
    }
    let (before, after) = done
        .errors
        .rsplit_once(ANSWER)
        .unwrap_or((&done.errors, ""));
    if done.code != Some(0) {
        let told = done.errors.lines().rfind(|line| line.starts_with("curl: "));
        let told = told
            .or_else(|| before.lines().next_back())
            .unwrap_or("curl ended with an error");
        // The URL of a redirect can hold a token.
        let told = told.replace(at, url);
        let query = at
            .split_once('?')
            .map(|(_, query)| query)
            .filter(|query| !query.is_empty());
        let told = query.map_or(told.clone(), |query| told.replace(query, "…"));
        let told = without_secrets(&told, &proxies());
        let message = format!("cannot fetch {url}: {told}");
        let help = format!("see what `curl -q --head {}` says", shell_word(url));
        return Err(Error::new(ErrorKind::Program, message).help(help));
    }
    let line = after.lines().next().unwrap_or_default();
    let (code, to) = line.split_once(' ').unwrap_or((line, ""));
    match code {
        "200" => Ok(Answer::Body(done.output)),
        "301" | "302" | "303" | "307" | "308" => Ok(Answer::Redirect(to.to_owned())),
        _ => {
            let code: String = code.chars().filter(char::is_ascii_digit).collect();
            let message = format!("{url} cannot be fetched: the server answers {code}");
            Err(Error::new(ErrorKind::NotFound, message)
                .help("look whether the URL is right; what needs a login is downloaded first, then installed from the file"))
        }
    }
}

/// Returns the addresses of a host as curl takes them.
fn pinned(place: &Place, addresses: &[IpAddr]) -> String {
    let form = |address: &IpAddr| match address {
        IpAddr::V4(four) => four.to_string(),
        IpAddr::V6(six) => format!("[{six}]"),
    };
    let all: Vec<String> = addresses.iter().map(form).collect();
    format!("{}:{}:{}", place.host, place.port, all.join(","))
}

fn has_proxy() -> bool {
    !proxies().is_empty()
}

/// Returns the values of the variables that name a proxy.
fn proxies() -> Vec<String> {
    let value = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    PROXIES.iter().filter_map(value).collect()
}

/// Returns a message without the user and the password of a proxy: curl repeats a proxy that it cannot read.
fn without_secrets(told: &str, proxies: &[String]) -> String {
    let named = proxies.iter().filter(|proxy| proxy.contains('@'));
    named.fold(told.to_owned(), |told, proxy| {
        let told = told.replace(proxy.as_str(), "…");
        let user = proxy.rsplit_once('@').map_or("", |(user, _)| user);
        let user = user.rsplit_once("//").map_or(user, |(_, user)| user);
        if user.is_empty() {
            told
        } else {
            told.replace(user, "…")
        }
    })
}

/// Returns a file name with the end of the URL, which says how the archive is packed.
fn name_of(url: &str) -> &'static str {
    if url.to_ascii_lowercase().ends_with("gz") {
        "archive.tar.gz"
    } else {
        "archive.zip"
    }
}

/// Returns the error of a URL; of a redirect without its text.
fn of_redirect(url: &str, at: &str, error: Error) -> Error {
    if url == at {
        return error;
    }
    refused(format!(
        "{url} leads to a URL with a user, a password, or an invalid host"
    ))
}

fn not_allowed(url: &str, host: &str) -> Error {
    let message = format!("{url} leads to another host, {host}");
    Error::new(ErrorKind::Refused, message).help(
        "if that host is right, use --yes; or download the archive, then install from the file",
    )
}

fn refused(message: String) -> Error {
    Error::new(ErrorKind::Refused, message)
        .help("download the archive yourself, then install from the file")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(code: i32, errors: &str) -> Done {
        Done {
            code: Some(code),
            output: b"body".to_vec(),
            is_over: false,
            errors: errors.to_owned(),
        }
    }

    #[test]
    fn answers() {
        let at = "https://b.example/x.zip?token=secret";
        let of = |code, errors: &str| answer("https://a.example/x.zip", at, done(code, errors));
        assert!(
            matches!(of(0, "\nskills-answer:200 \n"), Ok(Answer::Body(body)) if body == b"body")
        );
        let forged = "skills-answer:200 \nskills-answer:302 https://c.example/\n";
        assert!(matches!(of(0, forged), Ok(Answer::Redirect(to)) if to == "https://c.example/"));
        for (code, errors, told) in [
            (0, "skills-answer:404 \n", "answers 404"),
            (0, "skills-answer:206 \n", "answers 206"),
            (0, "", "answers"),
            (
                6,
                "skills-answer:000 \ncurl: (6) no host\n",
                "curl: (6) no host",
            ),
            (
                3,
                "curl: (3) bad https://b.example/x.zip?token=secret\nskills-answer:000 \n",
                "bad https://a.example/x.zip",
            ),
            (
                3,
                "curl: (3) bad token=secret\nskills-answer:000 \n",
                "bad …",
            ),
        ] {
            let error = of(code, errors).err().unwrap().report().to_string();
            assert!(error.contains(told), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_proxy_is_told_without_its_password() {
        let proxies = ["http://user:secret@[bad:8888".to_owned(), String::from("x")];
        for told in [
            "Unsupported proxy syntax in 'http://user:secret@[bad:8888'",
            "Could not resolve proxy: user:secret@bad",
        ] {
            let told = without_secrets(told, &proxies);
            assert!(!told.contains("secret"), "{told}");
        }
    }

    #[test]
    fn pins() {
        let place = Place::of("https://a.example:8443/x").unwrap();
        let addresses = ["192.0.2.1", "2001:db8::1"].map(|text| text.parse().unwrap());
        assert_eq!(
            pinned(&place, &addresses),
            "a.example:8443:192.0.2.1,[2001:db8::1]"
        );
    }
}
