//! Resolves a revision of a repository.

use crate::git::object::is_id;
use crate::git::observer::Observer;
use crate::git::program::Git;
use crate::git::repository::remote_refs;
use skills_format::text::command::shell_word;
use skills_store::{Error, ErrorKind};

/// A resolved revision.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub(crate) commit: String,
    /// True if the revision is a tag or a commit, which does not move.
    pub(crate) is_pinned: bool,
    /// The tags of the repository, if the revision is a tag or a branch.
    pub(crate) tags: Vec<String>,
}

/// Resolves a revision of a repository, or `HEAD` if there is no revision.
pub(crate) fn resolve(
    git: &Git,
    url: &str,
    revision: Option<&str>,
    observer: &dyn Observer,
) -> Result<Resolved, Error> {
    match revision {
        None => head(git, url, observer),
        Some(id) if is_id(id) => Ok(Resolved {
            commit: id.to_ascii_lowercase(),
            is_pinned: true,
            tags: Vec::new(),
        }),
        Some(name) => named(git, url, name, observer),
    }
}

fn head(git: &Git, url: &str, observer: &dyn Observer) -> Result<Resolved, Error> {
    let refs = remote_refs(git, url, &["HEAD".to_owned()], observer)?;
    let commit = commit_of(&refs, "HEAD").ok_or_else(|| {
        Error::new(ErrorKind::NotFound, format!("{url} has no commit"))
            .help("name a branch or a tag with `--rev`")
    })?;
    Ok(Resolved {
        commit,
        is_pinned: false,
        tags: Vec::new(),
    })
}

/// Resolves a tag, else a branch.
fn named(git: &Git, url: &str, name: &str, observer: &dyn Observer) -> Result<Resolved, Error> {
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
        "`git ls-remote {}` lists what it has; a branch with a `/` is written after `#`, and a commit with all its 40 digits",
        shell_word(url)
    ))
}
