//! The versions of a skill that a repository keeps.

use crate::error::{Error, ErrorKind};
use crate::files::relative_path::RelativePath;
use crate::files::snapshot::{Entry, FileBytes, Snapshot};
use crate::git::object::{TreeItem, contents, tree_items};
use crate::history::repository::History;
use jiff::Timestamp;
use serde::Serialize;
use std::path::PathBuf;

/// Separators of commits and of their parts in what git is asked to print.
const COMMIT: char = '\u{1e}';
const PART: char = '\u{1f}';

/// A commit that changed skills.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Version {
    /// The commit; for a version of the store, the digest of the skill.
    pub revision: String,
    /// When it was made.
    pub time: Timestamp,
    /// Who made it; empty for a version of the store.
    pub author: String,
    /// The first line of its message.
    pub subject: String,
    /// The rest of its message.
    pub body: String,
    /// The skills that it changed.
    pub skills: Vec<String>,
}

impl History<'_> {
    /// The commits that changed a skill, or any skill, the latest first.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Program`] with what git says.
    pub fn versions(&self, name: Option<&str>) -> Result<Vec<Version>, Error> {
        let Some(head) = self.resolve("HEAD") else {
            return Ok(Vec::new());
        };
        let format = "--format=%x1e%H%x1f%ct%x1f%an%x1f%s%x1f%b%x1f";
        let call = self.call("its history cannot be read");
        let call = call.arguments(&[
            "--literal-pathspecs",
            "-c",
            "core.quotePath=false",
            "-c",
            "log.showSignature=false",
        ]);
        let call = call.arguments(&["log", "--name-only", "--no-renames", format, &head, "--"]);
        let path = self.path(name.unwrap_or_default());
        let path = match path.trim_end_matches('/') {
            "" => ".",
            path => path,
        };
        let text = self.text(call.argument(path))?;
        let commits = text.split(COMMIT).skip(1);
        let versions = commits.filter_map(|commit| self.version(commit, name));
        Ok(versions.collect())
    }

    fn version(&self, commit: &str, name: Option<&str>) -> Option<Version> {
        let mut parts = commit.split(PART);
        let revision = parts.next()?.to_owned();
        let seconds = parts.next()?.parse().ok()?;
        let (author, subject) = (parts.next()?.to_owned(), parts.next()?.to_owned());
        let body = parts.next()?.trim().to_owned();
        let paths = parts.next()?.lines();
        let mut skills: Vec<String> = paths
            .filter_map(|path| self.skill_of(path.trim_matches('"')))
            .filter(|skill| name.is_none_or(|name| name == *skill))
            .map(str::to_owned)
            .collect();
        skills.sort();
        skills.dedup();
        (!skills.is_empty()).then_some(Version {
            revision,
            time: Timestamp::from_second(seconds).ok()?,
            author,
            subject,
            body,
            skills,
        })
    }

    /// The files of a skill in a commit; `None` when it has none there.
    #[cfg_attr(
        not(feature = "improve"),
        expect(dead_code, reason = "only repairs read an older version")
    )]
    pub(crate) fn snapshot(&self, commit: &str, name: &str) -> Result<Option<Snapshot>, Error> {
        let what = format!("version {commit} of {name} cannot be read");
        let path = self.path(name);
        let call = self.call(&what);
        let call = call.arguments(&["ls-tree", "-r", "-z", "--full-tree", commit, "--", &path]);
        let items = tree_items(&self.git.output(call, self.observer)?);
        if items.is_empty() {
            return Ok(None);
        }
        let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
        let call = self.call(&what).arguments(&["cat-file", "--batch"]);
        let input = ids.join("\n") + "\n";
        let output = self
            .git
            .output(call.input(input.as_bytes()), self.observer)?;
        let damaged = || Error::new(ErrorKind::Program, format!("{what}: objects are missing"));
        let contents = contents(&output, ids.len()).ok_or_else(damaged)?;
        let mut snapshot = Snapshot::default();
        for (item, bytes) in items.iter().zip(contents) {
            let file = String::from_utf8(item.path.clone()).ok();
            let file =
                file.and_then(|file| Some(file.strip_prefix(&path)?.strip_prefix("/")?.to_owned()));
            let file = file.ok_or_else(damaged)?;
            // Git lists what a tree names, `..` and `/etc` too: only a checkout refuses it.
            let file = RelativePath::new(file).map_err(|refused| unfit(commit, name, &refused))?;
            snapshot.entries.insert(file, entry(item, bytes)?);
        }
        match snapshot.conflict() {
            Some(why) => Err(unfit(commit, name, &why)),
            None => Ok(Some(snapshot)),
        }
    }
}

/// The error for a version that cannot be written as it is.
fn unfit(commit: &str, name: &str, why: &dyn std::fmt::Display) -> Error {
    let short = commit.get(..12).unwrap_or(commit);
    let message = format!("version {short} of {name} is refused: {why}");
    Error::new(ErrorKind::Refused, message).help(format_args!(
        "`skills history {name}` shows the other versions"
    ))
}

fn entry(item: &TreeItem, bytes: Vec<u8>) -> Result<Entry, Error> {
    Ok(match item.mode.as_str() {
        "120000" => Entry::Link(PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())),
        "160000" => {
            let message = "that version holds a submodule, which is another repository";
            return Err(Error::new(ErrorKind::Refused, message).help("roll it back with git"));
        }
        mode => Entry::File(FileBytes::new(bytes, mode == "100755")),
    })
}
