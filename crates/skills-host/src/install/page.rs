//! URLs of pages of a forge about a folder or a file of a repository.

use crate::install::url::{named, usage};
use percent_encoding::percent_decode_str;
use skills_format::SKILL_FILE;
use skills_store::Error;

/// What stands between a repository and a revision: of GitLab, of GitHub, and of Forgejo and Gitea. The longer first.
const MARKS: &[(&str, bool)] = &[
    ("/-/tree/", false),
    ("/-/blob/", true),
    ("/src/branch/", false),
    ("/src/tag/", false),
    ("/src/commit/", false),
    ("/tree/", false),
    ("/blob/", true),
];

/// Queries that pages have and that hold no secret. Every other query is refused.
const QUERIES: &[&str] = &[
    "ref_type=heads",
    "ref_type=tags",
    "plain=1",
    "tab=readme-ov-file",
];

/// A page about a part of a repository.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// The URL of the repository.
    pub(crate) url: String,
    /// The revision and the folder. A branch with a `/` is written after `#` instead.
    pub(crate) rest: String,
}

/// Returns a URL without a query that is known to hold no secret.
pub(crate) fn without_query(url: &str) -> &str {
    match url.split_once('?') {
        Some((page, query)) if QUERIES.contains(&query) => page,
        _ => url,
    }
}

/// Parses the URL of a page. Returns `None` for every other URL.
///
/// # Errors
///
/// For the page of a file that is not a `SKILL.md`.
pub(crate) fn page(url: &str) -> Option<Result<Page, Error>> {
    let url = without_query(url);
    let path = url.strip_prefix("https://")?;
    let mut slashes = path.match_indices('/').map(|(at, _)| at);
    let (at, mark, is_file) = slashes.find_map(|at| {
        let (before, from) = path.split_at_checked(at)?;
        // The host, the owner and the repository stand before.
        let is_repository = before.split('/').count() > 2;
        let mut marks = MARKS.iter().filter(|_| is_repository);
        let (mark, is_file) = marks.find(|(mark, _)| from.starts_with(mark))?;
        Some((at, *mark, *is_file))
    })?;
    let (repository, rest) = path.split_at_checked(at)?;
    let rest = rest.strip_prefix(mark)?.trim_end_matches('/');
    let decoded = percent_decode_str(rest).decode_utf8_lossy();
    let rest = match decoded.rsplit_once('/') {
        Some((folder, file)) if file.eq_ignore_ascii_case(SKILL_FILE) => folder,
        _ if is_file => {
            let message = format!(
                "{} is the page of a file that is not a {SKILL_FILE}",
                named(url)
            );
            return Some(Err(usage(message, "name the page of the skill's folder")));
        }
        _ => &*decoded,
    };
    if rest.is_empty() || rest.contains(char::is_control) {
        return Some(Err(usage(
            format!("{} names no revision", named(url)),
            "name the page of a folder, or the repository",
        )));
    }
    Some(Ok(Page {
        url: format!("https://{repository}"),
        rest: rest.to_owned(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages() {
        for (url, repository, rest) in [
            (
                "https://github.com/o/r/tree/main/skills/x",
                "https://github.com/o/r",
                "main/skills/x",
            ),
            (
                "https://github.com/o/r/tree/main/",
                "https://github.com/o/r",
                "main",
            ),
            (
                "https://github.com/o/r/blob/v1/skills/x/SKILL.md",
                "https://github.com/o/r",
                "v1/skills/x",
            ),
            (
                "https://github.com/o/r/blob/v1/SKILL.md?plain=1",
                "https://github.com/o/r",
                "v1",
            ),
            (
                "https://github.com/o/tree/tree/main/a",
                "https://github.com/o/tree",
                "main/a",
            ),
            (
                "https://gitlab.com/o/g/r/-/tree/main/x?ref_type=heads",
                "https://gitlab.com/o/g/r",
                "main/x",
            ),
            (
                "https://gitlab.com/o/g/r/-/blob/main/x%20y/SKILL.md",
                "https://gitlab.com/o/g/r",
                "main/x y",
            ),
            (
                "https://forge.example/o/r/src/branch/main/x",
                "https://forge.example/o/r",
                "main/x",
            ),
        ] {
            let expected = Page {
                url: repository.to_owned(),
                rest: rest.to_owned(),
            };
            assert_eq!(page(url).unwrap().unwrap(), expected, "{url}");
        }
        for url in [
            "https://github.com/o/r",
            "https://a.example/tree/main",
            "ssh://a.example/o/r/tree/main",
        ] {
            assert!(page(url).is_none(), "{url}");
        }
        for (url, told) in [
            (
                "https://github.com/o/r/blob/main/README.md",
                "page of a file",
            ),
            ("https://github.com/o/r/tree/", "names no revision"),
        ] {
            let error = page(url).unwrap().unwrap_err().to_string();
            assert!(error.contains(told), "{url}: {error}");
        }
    }
}
