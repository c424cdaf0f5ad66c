//! Short forms of repositories of forges: `owner/repo`, `github:owner/repo`, `gitlab:owner/group/repo`.

use crate::install::url::{is_archive, usage};
use skills_format::{command, prose};
use skills_store::Error;
use std::path::Path;

const GITHUB: &str = "https://github.com";
const GITLAB: &str = "https://gitlab.com";

/// A repository of a forge, and what the text names in the repository.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Short {
    pub(crate) url: String,
    pub(crate) path: Option<String>,
    /// The skill after `@`.
    pub(crate) skill: Option<String>,
}

/// Parses a short form, without its revision. Returns `None` for every other text.
///
/// # Errors
///
/// For the prefix of a forge without a repository after it.
pub(crate) fn short(text: &str) -> Option<Result<Short, Error>> {
    let prefixed = [("github:", GITHUB), ("gitlab:", GITLAB)];
    let prefixed = prefixed
        .into_iter()
        .find_map(|(prefix, host)| Some((host, text.strip_prefix(prefix)?)));
    let (host, rest) = prefixed.unwrap_or((GITHUB, text));
    match on_host(host, rest) {
        None if prefixed.is_some() => Some(Err(usage(
            "no repository stands after the name of the forge",
            "write it as in `github:acme/skills`, or `gitlab:acme/team/skills//folder`",
        ))),
        found => found.map(Ok),
    }
}

fn on_host(host: &str, text: &str) -> Option<Short> {
    let (text, skill) = match text.rsplit_once('@') {
        Some((text, skill)) if is_word(skill) => (text, Some(skill.to_owned())),
        Some(_) => return None,
        None => (text, None),
    };
    let (repository, below) = match text.split_once("//") {
        Some((repository, below)) => (repository, Some(below)),
        None => (text, None),
    };
    let repository = repository.strip_suffix('/').unwrap_or(repository);
    let parts: Vec<&str> = repository.split('/').collect();
    let (owner, others) = parts.split_first()?;
    if !is_owner(owner) || others.is_empty() || !others.iter().all(|part| is_word(part)) {
        return None;
    }
    // A missing file is not a repository.
    if is_archive(repository) {
        return None;
    }
    // Repositories of GitLab stand in groups of groups, those of GitHub below their owner.
    let (url, rest) = match others {
        [name, path @ ..] if host == GITHUB => (format!("{host}/{owner}/{name}"), path.join("/")),
        _ => (format!("{host}/{repository}"), String::new()),
    };
    let path = match below {
        Some(below) if rest.is_empty() => below.to_owned(),
        Some(below) => format!("{rest}/{below}"),
        None => rest,
    };
    let path = Some(path).filter(|path| !path.is_empty());
    Some(Short { url, path, skill })
}

/// Returns whether a text can be the name of an owner: letters, digits, and `-` inside. A folder such as `./x` or
/// `~/x`, and a host such as `example.org`, cannot.
fn is_owner(text: &str) -> bool {
    let fine = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !text.is_empty() && !text.starts_with('-') && text.bytes().all(fine)
}

fn is_word(text: &str) -> bool {
    let fine = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !text.starts_with(['-', '.']) && !text.is_empty() && text.bytes().all(fine)
}

/// Rejects a short form whose first part is a folder that exists: the text is mostly a misspelt path, and another person
/// can own a repository of that name.
pub(crate) fn refuse_misspelt(text: &str, base: &Path) -> Result<(), Error> {
    let Some((first, _)) = text.split_once('/') else {
        return Ok(());
    };
    if first.contains(':') || !base.join(first).is_dir() {
        return Ok(());
    }
    let message = format!("the folder {first} is here, and there is no '{text}'");
    let help = prose!(
        "for the repository on GitHub write {}",
        command("install").word(&format!("github:{text}"))
    );
    Err(usage(message, help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms() {
        for (text, url, path, skill) in [
            ("acme/skills", "https://github.com/acme/skills", "", ""),
            ("acme/skills/", "https://github.com/acme/skills", "", ""),
            (
                "acme/skills/a/b",
                "https://github.com/acme/skills",
                "a/b",
                "",
            ),
            ("acme/skills//a", "https://github.com/acme/skills", "a", ""),
            (
                "acme/skills/a//b",
                "https://github.com/acme/skills",
                "a/b",
                "",
            ),
            (
                "acme/skills@lint",
                "https://github.com/acme/skills",
                "",
                "lint",
            ),
            (
                "acme/skills/a@lint",
                "https://github.com/acme/skills",
                "a",
                "lint",
            ),
            (
                "github:acme/skills",
                "https://github.com/acme/skills",
                "",
                "",
            ),
            (
                "github:acme/skills/a",
                "https://github.com/acme/skills",
                "a",
                "",
            ),
            (
                "gitlab:acme/team/skills",
                "https://gitlab.com/acme/team/skills",
                "",
                "",
            ),
            (
                "gitlab:acme/team/skills//a@b",
                "https://gitlab.com/acme/team/skills",
                "a",
                "b",
            ),
        ] {
            let of = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            let found = short(text).unwrap().unwrap();
            let expected = Short {
                url: url.to_owned(),
                path: of(path),
                skill: of(skill),
            };
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn other_texts() {
        for text in [
            "acme",
            "./a/b",
            "../a/b",
            "~/a/b",
            "/a/b",
            "a//b",
            "a/",
            "example.org/a/b",
            "a/../b",
            "a/.git",
            "-a/b",
            "host:a/b",
            "git@host:a/b",
            "https://a.example/b",
            "a/b.zip",
            "a\\b/c",
            "a/b@",
            "a/b@c/d",
            "a/b c",
            "",
        ] {
            assert!(short(text).is_none(), "{text}");
        }
        for text in ["github:", "gitlab:acme", "github:me:secret@a/b"] {
            let error = short(text).unwrap().unwrap_err().report().to_string();
            assert!(error.contains("no repository"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
