//! Resolves a revision of a repository, and tells of moved and newer tags.

use crate::git::object::is_id;
use crate::git::observer::Observer;
use crate::git::program::Git;
use crate::git::repository::remote_refs;
use skills_format::text::command::shell_word;
use skills_repository::Provenance;
use skills_store::{Error, ErrorKind};

/// A resolved revision.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    pub(crate) commit: String,
    /// True if the revision is a tag or a commit, which does not move.
    pub(crate) is_pinned: bool,
    /// The tags of the repository, if the revision is a tag or a branch.
    pub(crate) tags: Vec<String>,
}

impl Resolved {
    /// Returns a note if the requested tag has moved, or a newer tag exists.
    pub(crate) fn note(&self, from: &Provenance) -> Option<String> {
        let tag = from.requested.as_ref().filter(|_| self.is_pinned)?;
        if self.has_moved(from) {
            return Some(format!(
                "the tag {tag} has moved, and the skill is unchanged; --rev {tag} updates to it"
            ));
        }
        let newest = self.newer(from)?;
        Some(format!("a newer tag exists; --rev {newest} updates to it"))
    }

    fn has_moved(&self, from: &Provenance) -> bool {
        let commit = from.commit.as_ref();
        commit.is_some_and(|commit| *commit != self.commit)
    }

    /// Returns the newest tag, if it is newer than the requested tag.
    pub(crate) fn newer(&self, from: &Provenance) -> Option<String> {
        let tag = from.requested.as_deref().filter(|_| self.is_pinned)?;
        let tags = self.tags.iter();
        let newest = tags.filter_map(|tag| Some((version(tag)?, tag))).max()?;
        let is_newer = !self.has_moved(from) && newest.0 > version(tag)?;
        is_newer.then(|| newest.1.clone())
    }
}

/// Parses the numbers of a tag such as `v1.2.3`; `None` for other names, and for pre-releases.
fn version(tag: &str) -> Option<Vec<u64>> {
    let numbers = tag.strip_prefix('v').unwrap_or(tag).split('.');
    numbers.map(|number| number.parse().ok()).collect()
}

/// Resolves a revision of a repository, or `HEAD` if there is no revision.
pub(crate) fn resolve(
    git: &Git,
    url: &str,
    revision: Option<&str>,
    observer: &dyn Observer,
) -> Result<Resolved, Error> {
    let Some(name) = revision else {
        let refs = remote_refs(git, url, &["HEAD".to_owned()], observer)?;
        let commit = commit_of(&refs, "HEAD").ok_or_else(|| {
            Error::new(ErrorKind::NotFound, format!("{url} has no commit"))
                .help("name a branch or a tag with `--rev`")
        })?;
        return Ok(Resolved {
            commit,
            ..Resolved::default()
        });
    };
    if is_id(name) {
        return Ok(Resolved {
            commit: name.to_ascii_lowercase(),
            is_pinned: true,
            tags: Vec::new(),
        });
    }
    // A tag, else a branch.
    let names = ["refs/tags/*".to_owned(), format!("refs/heads/{name}")];
    let refs = remote_refs(git, url, &names, observer)?;
    let commit = |name: String| commit_of(&refs, &name);
    let annotated = commit(format!("refs/tags/{name}^{{}}"));
    let tag = annotated.or_else(|| commit(format!("refs/tags/{name}")));
    let is_pinned = tag.is_some();
    let commit = tag
        .or_else(|| commit(format!("refs/heads/{name}")))
        .ok_or_else(|| no_revision(url, name))?;
    let tag = |name: &str| Some(name.strip_prefix("refs/tags/")?.to_owned());
    let tags = refs.iter().filter_map(|(name, _)| tag(name));
    Ok(Resolved {
        commit,
        is_pinned,
        tags: tags.filter(|tag| !tag.ends_with("^{}")).collect(),
    })
}

fn commit_of(refs: &[(String, String)], name: &str) -> Option<String> {
    let found = refs.iter().find(|(found, _)| found == name);
    found.map(|(_, commit)| commit.clone())
}

fn no_revision(url: &str, name: &str) -> Error {
    let message = format!("{url} has neither a tag nor a branch '{name}'");
    Error::new(ErrorKind::NotFound, message).help(format_args!(
        "`git ls-remote {}` lists what it has; in an address, a branch with a `/` follows `#`; a commit needs its 40 digits",
        shell_word(url)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        assert!(version("v1.10") > version("v1.9.9"));
        assert!(version("2") > version("v1"));
        assert_eq!(version("v2.0-rc1"), None);
        assert_eq!(version("nightly"), None);
    }
}
