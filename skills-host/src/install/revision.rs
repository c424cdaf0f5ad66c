//! What a revision of a repository is.

use crate::error::{Error, ErrorKind};
use crate::git::object::is_id;
use crate::git::observer::Observer;
use crate::git::program::{Git, quoted};
use crate::git::repository::remote_refs;

/// What a revision is.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub(crate) commit: String,
    /// Whether the revision is a tag or a commit, which does not move.
    pub(crate) is_pinned: bool,
    /// The tags that the repository has, when a tag was asked for.
    pub(crate) tags: Vec<String>,
}

/// What a revision of a repository is now.
pub(crate) fn resolve(
    git: &Git,
    url: &str,
    revision: Option<&str>,
    observer: &dyn Observer,
) -> Result<Resolved, Error> {
    let names: Vec<String> = match revision {
        None => vec!["HEAD".to_owned()],
        Some(id) if is_id(id) => {
            return Ok(Resolved {
                commit: id.to_ascii_lowercase(),
                is_pinned: true,
                tags: Vec::new(),
            });
        }
        Some(name) => vec!["refs/tags/*".to_owned(), format!("refs/heads/{name}")],
    };
    let refs = remote_refs(git, url, &names, observer)?;
    let commit = |name: &str| {
        let found = refs.iter().find(|(found, _)| found == name);
        found.map(|(_, commit)| commit.clone())
    };
    let Some(name) = revision else {
        let commit = commit("HEAD").ok_or_else(|| {
            Error::new(ErrorKind::NotFound, format!("{url} has no commit"))
                .help("name a branch or a tag with `--rev`")
        })?;
        return Ok(Resolved {
            commit,
            is_pinned: false,
            tags: Vec::new(),
        });
    };
    let tag =
        commit(&format!("refs/tags/{name}^{{}}")).or_else(|| commit(&format!("refs/tags/{name}")));
    let is_pinned = tag.is_some();
    let commit = tag
        .or_else(|| commit(&format!("refs/heads/{name}")))
        .ok_or_else(|| no_revision(url, name))?;
    let tag = |name: &str| Some(name.strip_prefix("refs/tags/")?.to_owned());
    let tags = refs.iter().filter_map(|(name, _)| tag(name));
    Ok(Resolved {
        commit,
        is_pinned,
        tags: tags.filter(|tag| !tag.ends_with("^{}")).collect(),
    })
}

fn no_revision(url: &str, name: &str) -> Error {
    let message = format!("{url} has neither a tag nor a branch '{name}'");
    Error::new(ErrorKind::NotFound, message).help(format_args!(
        "`git ls-remote {}` lists what it has; a commit is named by all its 40 digits",
        quoted(url)
    ))
}
