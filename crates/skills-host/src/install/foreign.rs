//! Reads the sources of skills that other programs recorded. Their files are never written.

use crate::install::provenance::source_text;
use crate::install::source::{Origin, Source};
use crate::install::url::named;
use serde::Deserialize;
use skills_compiler::Provenance;
use skills_format::disk::read_text;
use skills_format::prose;
use skills_store::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The recorded source of one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    /// The file with the record.
    pub(crate) file: PathBuf,
    /// The source, or the reason why it is not taken over.
    pub(crate) source: Result<Provenance, String>,
    /// True if the record does not name the folder in the source: the skill is looked up there by its name.
    pub(crate) is_partial: bool,
}

/// The folder into whose lock a source is taken over, and the repository that holds the folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adopter<'a> {
    pub(crate) target: &'a Path,
    pub(crate) repository: Option<&'a Path>,
}

/// The file of openskills in the folder of a skill.
pub(crate) const OPENSKILLS: &str = ".openskills.json";
/// The file of `ClawHub` in the folder of a skill, by the present and the former name.
const CLAWHUB: [&str; 2] = [".clawhub/origin.json", ".clawdhub/origin.json"];

/// The record of openskills.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenskillsRecord {
    #[serde(default)]
    source_type: String,
    repo_url: Option<String>,
    subpath: Option<String>,
    local_path: Option<String>,
}

/// The record of `ClawHub`, a registry with an interface of its own.
#[derive(Deserialize)]
struct ClawhubRecord {
    registry: String,
    slug: String,
}

/// The lock of another program.
#[derive(Deserialize)]
#[serde(expecting = "an object with `version` and `skills`")]
struct ForeignLock {
    version: u32,
    #[serde(default)]
    skills: BTreeMap<String, ForeignEntry>,
}

/// An entry of `skills-lock.json` or `.skill-lock.json`. Other fields are not used: their hashes are of another
/// kind.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ForeignEntry {
    source: String,
    #[serde(default)]
    source_type: String,
    source_url: Option<String>,
    skill_path: Option<String>,
    #[serde(rename = "ref")]
    revision: Option<String>,
}

/// Reads a lock of another program: `skills-lock.json` of version 1, `.skill-lock.json` of version 3. A missing file
/// gives no claims.
///
/// # Errors
///
/// [`ErrorKind::Newer`] for another version and [`ErrorKind::Damaged`] for a file that is not a lock.
pub(crate) fn claims(file: &Path, adopter: Adopter<'_>) -> Result<BTreeMap<String, Claim>, Error> {
    let text = match read_text(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(Error::io(file, "cannot be read", error)),
    };
    let help = "move it away to adopt without it";
    let lock: ForeignLock = serde_json::from_str(&text).map_err(|error| {
        let message = prose!("{} is not a lock of skills: {error}", file);
        Error::new(ErrorKind::Damaged, message).help(help)
    })?;
    let is_global = file
        .file_name()
        .is_some_and(|name| name == ".skill-lock.json");
    let known = if is_global { 3 } else { 1 };
    if lock.version != known {
        let version = lock.version;
        let message = prose!(
            "{} has version {version}, and version {known} is read here",
            file
        );
        return Err(Error::new(ErrorKind::Newer, message).help(help));
    }
    let claim = |(name, entry): (String, ForeignEntry)| {
        // npx writes local folders relative to its lock.
        let source = entry.provenance(file.parent().unwrap_or(Path::new("/")), adopter);
        let claim = Claim {
            file: file.to_owned(),
            source,
            is_partial: entry.skill_path.is_none(),
        };
        (name, claim)
    };
    Ok(lock.skills.into_iter().map(claim).collect())
}

/// Reads the source in the front matter of a skill, as `gh skill install` writes it.
pub(crate) fn claim_of(front_matter: &str, file: &Path, adopter: Adopter<'_>) -> Option<Claim> {
    let front: serde_json::Value = serde_json::from_str(front_matter).ok()?;
    let metadata = front.get("metadata")?;
    let word = |name: &str| metadata.get(name)?.as_str();
    let repository = word("github-repo")?;
    let url = hosted(repository, "https://github.com");
    let revision = word("github-ref").and_then(revision_of);
    let path = word("github-path");
    let source = provenance(&url, path, revision.as_deref(), adopter);
    Some(Claim {
        file: file.to_owned(),
        source,
        is_partial: path.is_none(),
    })
}

/// Reads the source in the folder of a skill, as openskills and `ClawHub` write it. `read` returns the bytes of a file of the
/// skill.
pub(crate) fn claim_beside(
    folder: &Path,
    read: &dyn Fn(&str) -> Option<Vec<u8>>,
    adopter: Adopter<'_>,
) -> Option<Claim> {
    let mut records = [OPENSKILLS].into_iter().chain(CLAWHUB);
    let (name, bytes) = records.find_map(|name| Some((name, read(name)?)))?;
    let damaged = |error: serde_json::Error| format!("it is not a record of a skill: {error}");
    let (source, is_partial) = if name == OPENSKILLS {
        match serde_json::from_slice::<OpenskillsRecord>(&bytes) {
            Ok(record) => (
                record.provenance(adopter),
                record.source_type == "git" && record.subpath.is_none(),
            ),
            Err(error) => (Err(damaged(error)), false),
        }
    } else {
        let record = serde_json::from_slice::<ClawhubRecord>(&bytes);
        (
            Err(record.map_or_else(damaged, |record| record.told())),
            false,
        )
    };
    Some(Claim {
        file: folder.join(name),
        source,
        is_partial,
    })
}

impl OpenskillsRecord {
    fn provenance(&self, adopter: Adopter<'_>) -> Result<Provenance, String> {
        match (self.source_type.as_str(), &self.repo_url, &self.local_path) {
            ("git", Some(url), _) => {
                let url = hosted(url, "https://github.com");
                provenance(&url, self.subpath.as_deref(), None, adopter)
            }
            // The folder of the skill itself.
            ("local", _, Some(path)) => provenance(path, None, None, adopter),
            _ => Err("it names no repository and no folder".to_owned()),
        }
    }
}

impl ClawhubRecord {
    fn told(&self) -> String {
        let (registry, slug) = (named(&self.registry), named(&self.slug));
        format!("it is '{slug}' of the registry {registry}, which is not read here")
    }
}

impl ForeignEntry {
    fn provenance(&self, base: &Path, adopter: Adopter<'_>) -> Result<Provenance, String> {
        let url = self.source_url.as_deref().unwrap_or(&self.source);
        let url = match self.source_type.as_str() {
            "github" => hosted(url, "https://github.com"),
            "gitlab" => hosted(url, "https://gitlab.com"),
            "git" => url.to_owned(),
            // Also without a `./`: npx writes the folder of the lock itself as `.`.
            "local" => base.join(url).to_string_lossy().into_owned(),
            other => {
                let other = named(other);
                return Err(format!(
                    "its source is of the type '{other}', which is not read here"
                ));
            }
        };
        let revision = self.revision.as_deref().and_then(revision_of);
        provenance(
            &url,
            self.skill_path.as_deref(),
            revision.as_deref(),
            adopter,
        )
    }
}

/// Returns the URL of a repository, which may be abbreviated as `owner/name`.
fn hosted(repository: &str, host: &str) -> String {
    let parts = repository.split('/').count();
    // Repositories of GitLab stand in groups of groups.
    let is_short = parts == 2 || parts > 2 && host == "https://gitlab.com";
    if is_short && !repository.contains(':') {
        format!("{host}/{repository}")
    } else {
        repository.to_owned()
    }
}

/// Returns a branch or a tag without the prefix `refs/heads/` or `refs/tags/`.
fn revision_of(text: &str) -> Option<String> {
    let name = ["refs/heads/", "refs/tags/"];
    let name = name
        .iter()
        .find_map(|start| text.strip_prefix(start))
        .unwrap_or(text);
    // `HEAD` is the default branch, which a source without a revision follows.
    (!name.is_empty() && name != "HEAD").then(|| name.to_owned())
}

/// Checks a source like every other source, and returns it.
fn provenance(
    url: &str,
    path: Option<&str>,
    revision: Option<&str>,
    adopter: Adopter<'_>,
) -> Result<Provenance, String> {
    let told = |error: Error| format!("{error:#}");
    let mut source = Source::of_lock(url, Path::new("/")).map_err(told)?;
    // npx records the path of the `SKILL.md`, and gh the path of its folder.
    let path = path.map(|path| path.strip_suffix("SKILL.md").unwrap_or(path));
    if let Some(path) = path
        .map(|path| path.trim_matches('/'))
        .filter(|path| !path.is_empty())
    {
        source = source.at(path).map_err(told)?;
    }
    if let (Some(revision), Origin::Git(_)) = (revision, &source.origin) {
        source = source.revision(revision).map_err(told)?;
    }
    let Adopter { target, repository } = adopter;
    let mut from = Provenance::new(source_text(&source.origin, target, repository));
    from.path = source.path;
    from.requested = source.revision;
    Ok(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adopter() -> Adopter<'static> {
        Adopter {
            target: Path::new("/no/such/skills"),
            repository: None,
        }
    }

    fn source(text: &str) -> Result<(String, Option<String>, Option<String>), String> {
        let entry: ForeignEntry = serde_json::from_str(text).unwrap();
        let from = entry.provenance(Path::new("/"), adopter())?;
        Ok((from.source, from.path, from.requested))
    }

    #[test]
    fn entries_of_other_locks() {
        let global = r#"{"source": "acme/skills", "sourceType": "github", "skillPath": "skills/a/SKILL.md",
            "sourceUrl": "https://github.com/acme/skills.git", "skillFolderHash": "3013"}"#;
        let url = "https://github.com/acme/skills.git".to_owned();
        assert_eq!(source(global), Ok((url, Some("skills/a".into()), None)));
        let project = r#"{"source": "acme/skills", "sourceType": "github", "ref": "refs/tags/v1",
            "skillPath": "SKILL.md", "computedHash": "ab"}"#;
        let url = "https://github.com/acme/skills".to_owned();
        assert_eq!(source(project), Ok((url, None, Some("v1".into()))));
        for (text, why) in [
            (
                r#"{"source": "docs.example", "sourceType": "well-known"}"#,
                "of the type 'well-known'",
            ),
            (
                r#"{"source": "https://me:secret@a.example/b", "sourceType": "git"}"#,
                "user or a password",
            ),
            (
                r#"{"source": "acme/skills", "sourceType": "github", "skillPath": "../x"}"#,
                "not a folder inside",
            ),
            (r#"{"source": "ext::sh -c x", "sourceType": "git"}"#, "not"),
        ] {
            let error = source(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn records_in_the_folder() {
        let claim = |file: &'static str, text: &'static str| {
            let read = move |name: &str| (name == file).then(|| text.as_bytes().to_vec());
            claim_beside(Path::new("/s/a"), &read, adopter())
        };
        let git = r#"{"source": "acme/skills", "sourceType": "git", "repoUrl": "https://github.com/acme/skills",
            "subpath": "skills/a"}"#;
        let found = claim(OPENSKILLS, git).unwrap();
        assert!(!found.is_partial);
        assert_eq!(found.source.unwrap().path.as_deref(), Some("skills/a"));
        let old = r#"{"sourceType": "git", "repoUrl": "https://github.com/acme/skills"}"#;
        assert!(claim(OPENSKILLS, old).unwrap().is_partial);
        for (file, text, told) in [
            (
                OPENSKILLS,
                r#"{"sourceType": "git"}"#,
                "names no repository",
            ),
            (OPENSKILLS, "[]", "not a record"),
            (
                OPENSKILLS,
                r#"{"sourceType": "git", "repoUrl": "https://me:secret@a.example/b"}"#,
                "user or a password",
            ),
            (
                ".clawhub/origin.json",
                r#"{"version": 1, "registry": "https://clawhub.ai", "slug": "a", "installedVersion": "1.0.0"}"#,
                "'a' of the registry https://clawhub.ai",
            ),
            (".clawdhub/origin.json", "{}", "not a record"),
        ] {
            let error = claim(file, text).unwrap().source.unwrap_err();
            assert!(error.contains(told), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
        assert_eq!(claim("SKILL.md", ""), None);
    }

    #[test]
    fn front_matter_of_gh() {
        let file = Path::new("a/SKILL.md");
        let front = r#"{"name": "a", "metadata": {"github-repo": "https://github.com/acme/skills",
            "github-ref": "refs/heads/main", "github-path": "skills/a", "github-tree-sha": "12"}}"#;
        let from = claim_of(front, file, adopter()).unwrap().source.unwrap();
        assert_eq!(from.source, "https://github.com/acme/skills");
        assert_eq!(
            (from.path.as_deref(), from.requested.as_deref()),
            (Some("skills/a"), Some("main"))
        );
        assert_eq!(
            claim_of(r#"{"metadata": {"author": "x"}}"#, file, adopter()),
            None
        );
    }
}
