//! The sources that a user can write: a folder, an archive, the URL of either an archive or a repository, and the short
//! forms and pages of forges.

use crate::files::relative_path::RelativePath;
use crate::install::page::{page, without_query};
use crate::install::program::Program;
use crate::install::url::{
    FORMS, check_archive_url, check_url, is_archive, is_archive_url, named, url_and_path, usage,
};
use skills_compiler::LOCK_FILE;
use skills_format::disk::resolve;
use skills_format::text::control::shown;
use skills_format::text::path::PathText as _;
use skills_format::{Prose, command, prose};
use skills_store::{Error, ErrorKind};
use std::fmt;
use std::path::{Path, PathBuf};

/// A source, with a folder in it and a revision.
#[derive(Clone, Debug)]
pub struct Source {
    /// The origin of the skills.
    pub origin: Origin,
    /// The folder in the origin, with `/`.
    pub path: Option<String>,
    /// A branch, a tag, or a complete commit id.
    pub revision: Option<String>,
    /// The skill that a text such as `owner/repo@skill` names.
    pub skill: Option<String>,
}

/// The origin of skills.
#[derive(Clone, Debug)]
pub enum Origin {
    /// An absolute path of a folder.
    Folder(PathBuf),
    /// An absolute path of an archive.
    Archive(PathBuf),
    /// The URL of a repository.
    Git(String),
    /// The URL of an archive.
    Url(String),
    /// The skills that a program carries.
    Program(Program),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) | Self::Archive(path) => path.shown().fmt(f),
            Self::Git(text) | Self::Url(text) => f.write_str(text),
            Self::Program(program) => f.write_str(&program.source()),
        }
    }
}

impl From<&Origin> for Prose {
    fn from(origin: &Origin) -> Self {
        match origin {
            Origin::Folder(path) | Origin::Archive(path) => path.into(),
            origin => origin.to_string().into(),
        }
    }
}

impl Source {
    /// Creates the source that is the whole of an origin.
    pub fn whole(origin: Origin) -> Self {
        Self {
            origin,
            path: None,
            revision: None,
            skill: None,
        }
    }

    /// Parses `SOURCE`: an existing path, relative to `base`, else `URL[//SUB][#REV]`, where the URL may be the page of a
    /// forge, or `owner/repo[@SKILL][#REV]` of GitHub.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`], with the correct form as help.
    pub fn parse(text: &str, base: &Path) -> Result<Self, Error> {
        if text.chars().any(char::is_control) || text.is_empty() {
            return Err(usage(
                "the source contains a control character, or nothing",
                FORMS,
            ));
        }
        let path = base.join(text);
        // Before the parts are split: an existing folder may be named `a#b`.
        if path.exists() {
            return Self::local(&path);
        }
        let (rest, revision) = match text.split_once('#') {
            Some((rest, revision)) => (rest, Some(revision)),
            None => (text, None),
        };
        if rest.starts_with("github:") || rest.starts_with("gitlab:") {
            // Git would take the forge for a host of ssh.
            return Err(usage(
                "a forge is named by the URL of the repository",
                "write it as in `https://gitlab.com/acme/skills`, or `acme/skills` for GitHub",
            ));
        }
        let source = match of_github(rest, base)? {
            Some(source) => source,
            None => Self::of_url(rest, text)?,
        };
        match revision {
            Some(_) if source.revision.is_some() => {
                let message = "the page names a revision, and so does what follows the `#`";
                Err(usage(message, "leave out what follows the `#`"))
            }
            Some(revision) => source.revision(revision),
            None => Ok(source),
        }
    }

    /// Parses `URL[//SUB]`. `text` is the whole source.
    fn of_url(rest: &str, text: &str) -> Result<Self, Error> {
        let rest = without_query(rest);
        let Some((url, path)) = url_and_path(rest) else {
            return Err(not_a_source(text));
        };
        // Also the folder of the repository, since the lock records it.
        check_url(rest)?;
        let Some(page) = page(url) else {
            return Self::whole(origin_of(url)?).in_folder(path);
        };
        let page = page?;
        let (revision, path) = page.rest.split_once('/').unwrap_or((&page.rest, ""));
        Self::whole(Origin::Git(page.url))
            .in_folder(Some(path).filter(|path| !path.is_empty()))?
            .revision(revision)
    }

    fn in_folder(self, path: Option<&str>) -> Result<Self, Error> {
        match path {
            Some(path) => self.at(path),
            None => Ok(self),
        }
    }

    /// Parses the source of a lock's entry. `base` is the folder of the lock.
    pub fn of_lock(text: &str, base: &Path) -> Result<Self, Error> {
        if is_path(text) {
            let path = base.join(text);
            if path.exists() {
                return Self::local(&path);
            }
            let message = format!("{} is not there", named(&path.shown()));
            return Err(Error::new(ErrorKind::NotFound, message)
                .help("put it back, or install the skill from another source"));
        }
        match url_and_path(text) {
            Some((url, None)) => {
                check_url(url)?;
                Ok(Self::whole(origin_of(url)?))
            }
            // Nothing is looked for: another user wrote the text.
            _ => Err(usage(no_source(text), FORMS)),
        }
    }

    fn local(path: &Path) -> Result<Self, Error> {
        let path = resolve(path).map_err(|error| Error::io(path, "cannot be read", error))?;
        let origin = if path.is_dir() {
            Origin::Folder(path)
        } else if path.is_file() && is_archive(&path.to_string_lossy()) {
            Origin::Archive(path)
        } else if path.file_name().is_some_and(|name| name == LOCK_FILE) {
            let message = prose!("{} is a lock, not a source", &path);
            let folder = path.parent().unwrap_or(&path);
            let help = prose!(
                "{} puts back what it names; for another folder, copy it there first",
                command("install --to").path(folder)
            );
            return Err(usage(&message, &help));
        } else {
            let message = prose!("{} is neither a folder nor an archive", &path);
            return Err(usage(&message, FORMS));
        };
        Ok(Self::whole(origin))
    }

    /// Restricts the source to one folder.
    pub fn at(mut self, path: &str) -> Result<Self, Error> {
        let path = path.trim_matches('/');
        // Only a portable path can hold an installable skill.
        if RelativePath::portable(path.as_bytes()).is_err() {
            let message = format!("'{}' is not a folder inside a source", named(path));
            return Err(usage(&message, "write it as in `skills/code-review`"));
        }
        self.path = Some(path.to_owned());
        Ok(self)
    }

    /// Sets the revision of the source.
    pub fn revision(mut self, revision: &str) -> Result<Self, Error> {
        if !matches!(self.origin, Origin::Git(_)) {
            let message = prose!("{} is no git source, and has no revisions", &self.origin);
            return Err(usage(
                &message,
                "leave the revision out; file:// before the path of a git repository on this disk makes it a git source",
            ));
        }
        if !is_revision(revision) {
            let message = format!("'{}' is not a branch, a tag or a commit", named(revision));
            return Err(usage(
                &message,
                "write it as in `v2`, `main`, or all 40 digits of a commit",
            ));
        }
        self.revision = Some(revision.to_owned());
        Ok(self)
    }
}

/// Returns the archive or the repository of a checked URL.
fn origin_of(url: &str) -> Result<Origin, Error> {
    if is_archive_url(url) {
        check_archive_url(url)?;
        return Ok(Origin::Url(url.to_owned()));
    }
    Ok(Origin::Git(url.to_owned()))
}

/// Returns whether a revision is a valid name of git, and not an option.
fn is_revision(text: &str) -> bool {
    let bad = |c: char| shown(c) != c || c.is_whitespace() || "~^:?*[\\".contains(c);
    !text.is_empty()
        && !text.starts_with(['-', '/'])
        && !text.ends_with(['/', '.'])
        && !text.contains("..")
        && !text.contains("@{")
        && !text.contains("//")
        && !text.contains(bad)
}

/// Returns whether the source of a lock's entry is a path. Every other text is a URL.
pub(crate) fn is_path(text: &str) -> bool {
    Path::new(text).is_absolute() || text.starts_with("./") || text.starts_with("../")
}

fn no_source(text: &str) -> String {
    format!(
        "there is no folder or archive '{}', and it is not a URL",
        named(text)
    )
}

/// Parses `owner/repo[@SKILL]`. Returns `None` for every other text: `~/x` and `example.org/x` name no owner.
///
/// # Errors
///
/// If the owner is a folder here: the text is mostly a misspelt path, and another person can own such a repository.
fn of_github(text: &str, base: &Path) -> Result<Option<Source>, Error> {
    let is_word = |text: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        !text.is_empty() && !text.starts_with(['-', '.']) && text.bytes().all(is_part)
    };
    let (repository, skill) = match text.split_once('@') {
        Some((repository, skill)) if is_word(skill) => (repository, Some(skill.to_owned())),
        Some(_) => return Ok(None),
        None => (text, None),
    };
    let Some((owner, name)) = repository.split_once('/') else {
        return Ok(None);
    };
    if !is_word(owner) || owner.contains('.') || !is_word(name) || is_archive(name) {
        return Ok(None);
    }
    let url = format!("https://github.com/{owner}/{name}");
    if base.join(owner).is_dir() {
        let message = format!("'{text}' does not exist in the folder {owner}");
        let help = prose!(
            "for the repository on GitHub write {}",
            command("install").word(&url)
        );
        return Err(usage(message, help));
    }
    let source = Source::whole(Origin::Git(url));
    Ok(Some(Source { skill, ..source }))
}

fn not_a_source(text: &str) -> Error {
    let message = no_source(text);
    // A host without its scheme.
    if let Some((host, _)) = text.split_once('/')
        && host.contains('.')
        && !host.starts_with('.')
        && !is_archive(text)
    {
        let help = prose!(
            "for a repository write its URL: {}",
            command("install").word(&format!("https://{text}"))
        );
        return usage(&message, &help);
    }
    usage(&message, FORMS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Source, String> {
        Source::parse(text, Path::new("/no/such/folder"))
            .map_err(|error| error.report().to_string())
    }

    fn parts(text: &str) -> (String, Option<String>, Option<String>) {
        let source = parse(text).unwrap();
        (source.origin.to_string(), source.path, source.revision)
    }

    #[test]
    fn urls() {
        for (text, url, path, revision) in [
            (
                "https://a.example/b.git",
                "https://a.example/b.git",
                None,
                None,
            ),
            (
                "https://a.example/b//c/d#v2",
                "https://a.example/b",
                Some("c/d"),
                Some("v2"),
            ),
            (
                "ssh://git@a.example/b#feature/x",
                "ssh://git@a.example/b",
                None,
                Some("feature/x"),
            ),
            (
                "git@a.example:b/c.git//skills",
                "git@a.example:b/c.git",
                Some("skills"),
                None,
            ),
            ("host:b#v1", "host:b", None, Some("v1")),
            ("file:///srv/x//y", "file:///srv/x", Some("y"), None),
            (
                "https://a.example/b.zip//c",
                "https://a.example/b.zip",
                Some("c"),
                None,
            ),
            (
                "https://a.example/o/r/tree/main/skills/x",
                "https://a.example/o/r",
                Some("skills/x"),
                Some("main"),
            ),
            (
                "acme/skills@lint#v2",
                "https://github.com/acme/skills",
                None,
                Some("v2"),
            ),
            (
                "acme/my.skills",
                "https://github.com/acme/my.skills",
                None,
                None,
            ),
        ] {
            let (path, revision) = (path.map(str::to_owned), revision.map(str::to_owned));
            assert_eq!(parts(text), (url.to_owned(), path, revision), "{text}");
        }
    }

    #[test]
    fn what_is_refused() {
        for (text, told) in [
            (
                "github.com/acme/skills",
                "install https://github.com/acme/skills",
            ),
            ("https://me:secret@a.example/b", "user or a password"),
            ("https://token@a.example/b", "user or a password"),
            ("ssh://me:secret@a.example/b", "user or a password"),
            ("https://a.example/b?token=secret", "contains a `?`"),
            ("https://a.example/b.zip?token=secret", "contains a `?`"),
            ("https://a.example/b.zip//c?token=secret", "contains a `?`"),
            ("https://a.example/b.zip#v1", "has no revisions"),
            ("http://a.example/b.zip", "not secure"),
            (
                "https://a.example/o/r/tree/main?token=secret",
                "contains a `?`",
            ),
            ("https://a.example/o/r/tree/main/x#v1", "the page names"),
            ("https://a.example/b?token=secret#v1", "contains a `?`"),
            ("https://a.example/b//c?token=secret", "contains a `?`"),
            ("http://a.example/b?token=secret", "contains a `?`"),
            (
                "https://me:secret@a.example/o/r/tree/main",
                "user or a password",
            ),
            ("https://me:secret@a.example/b.zip", "user or a password"),
            ("http://me:secret@a.example/b", "not secure"),
            ("me:secret@a.example:b", "a password"),
            ("https:/me:secret@a.example/b", "two slashes"),
            ("http://a.example/b", "not secure"),
            ("git://a.example/b", "not secure"),
            ("ext::sh -c touch% /tmp/x", "not a way"),
            ("ext://x/y", "not a way"),
            ("ssh://-oProxyCommand=x/y", "no valid host"),
            ("-oProxyCommand=x:y", "no valid host"),
            ("https://a.example/b//../c", "not a folder inside"),
            ("https://a.example/b//.git/c", "not a folder inside"),
            ("https://a.example/b#--upload-pack=x", "not a branch"),
            ("https://a.example/b#a..b", "not a branch"),
            ("https://a.example/b#", "not a branch"),
            ("a\u{1b}b", "control character"),
            ("", "control character"),
            ("./missing", "no folder or archive"),
            ("~/a", "no folder or archive"),
            ("acme", "no folder or archive"),
            ("acme/skills/a", "no folder or archive"),
            ("acme/a.zip", "no folder or archive"),
            ("acme/a@", "no folder or archive"),
            ("-a/b", "no folder or archive"),
            ("github:acme/skills", "by the URL"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(told), "{text}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn paths_that_exist_are_literal() {
        let dir = tempfile::tempdir().unwrap();
        let odd = dir.path().join("a#b");
        std::fs::create_dir(&odd).unwrap();
        std::fs::write(dir.path().join("x.skill"), "").unwrap();
        std::fs::write(dir.path().join("x.txt"), "").unwrap();
        let origin = |text: &str| Source::parse(text, dir.path()).map(|source| source.origin);
        let real = resolve(&odd).unwrap();
        assert!(matches!(origin("a#b").unwrap(), Origin::Folder(path) if path == real));
        assert!(matches!(origin("x.skill").unwrap(), Origin::Archive(_)));
        assert_eq!(origin("x.txt").unwrap_err().kind(), ErrorKind::Usage);
        std::fs::create_dir(dir.path().join("acme")).unwrap();
        let misspelt = origin("acme/skills").unwrap_err().report().to_string();
        assert!(
            misspelt.contains("install https://github.com/acme/skills"),
            "{misspelt}"
        );
        let folder = Source::parse("a#b", dir.path()).unwrap();
        assert_eq!(folder.revision("v1").unwrap_err().kind(), ErrorKind::Usage);
    }
}
