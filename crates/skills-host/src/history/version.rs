//! The versions of a skill in a repository.

use crate::git::object::{TreeItem, contents, tree_items};
use crate::git::process::Most;
use crate::git::repository::{LIST_TREE, MOST_TREE};
use crate::history::changed::Changed;
use crate::history::commit::plain;
use crate::history::repository::History;
use jiff::Timestamp;
use serde::Serialize;
use skills_store::files::relative_path::RelativePath;
use skills_store::files::snapshot::{Entry, FileBytes, MAX_BYTES, MAX_FILES, Snapshot};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The format of a commit: five parts, each ended by NUL. No commit holds a NUL, so no message can imitate a commit.
const FORMAT: &str = "--format=tformat:%H%x00%ct%x00%an%x00%s%x00%b";
/// The bounds of a printed history: two million commits, without messages.
const MOST_HISTORY: Most = Most {
    bytes: 256 << 20,
    records: usize::MAX,
    memory: 2 << 30,
};

/// A commit that changed skills.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Version {
    /// The id of the commit; for a version of the store, the digest of the skill.
    pub revision: String,
    /// The time of the commit.
    pub time: Timestamp,
    /// The author; empty for a version of the store.
    pub author: String,
    /// The first line of the message.
    pub subject: String,
    /// The rest of the message.
    pub body: String,
    /// The changed skills.
    pub skills: Vec<String>,
}

impl History<'_> {
    /// Returns the commits that changed a skill, or any skill if `name` is `None`, the latest first.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Program`] with git's message.
    pub fn versions(&self, name: Option<&str>) -> Result<Vec<Version>, Error> {
        let Some(head) = self.resolve("HEAD")? else {
            return Ok(Vec::new());
        };
        let call = self.call("its history cannot be read").most(MOST_HISTORY);
        let call = call.arguments(&["rev-list", "--parents", &head, "--"]);
        let lines = self.text(call)?;
        // A merge commit is skipped: its changes are those of its parents.
        let plain = |line: &&str| line.split(' ').count() <= 2;
        let lines: Vec<&str> = lines.lines().filter(plain).collect();
        let commits = lines.iter().flat_map(|line| line.split(' ')).collect();
        let changed = Changed::read(self, &commits)?;
        let mut skills: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for line in &lines {
            let (commit, parent) = match line.split_once(' ') {
                Some((commit, parent)) => (commit, Some(parent)),
                None => (*line, None),
            };
            let mut of_commit = changed.between(commit, parent);
            of_commit.retain(|skill| name.is_none_or(|name| name == *skill));
            if !of_commit.is_empty() {
                let of_commit = of_commit.into_iter().map(str::to_owned).collect();
                skills.insert(commit, of_commit);
            }
        }
        let order = lines.iter().filter_map(|line| line.split(' ').next());
        let order: Vec<&str> = order.filter(|commit| skills.contains_key(commit)).collect();
        self.messages(&order, &mut skills)
    }

    /// Reads the messages of commits, in order.
    fn messages(
        &self,
        commits: &[&str],
        skills: &mut BTreeMap<&str, Vec<String>>,
    ) -> Result<Vec<Version>, Error> {
        if commits.is_empty() {
            return Ok(Vec::new());
        }
        let call = self.call("its history cannot be read").most(MOST_HISTORY);
        let call = call.help("`git log` there shows it".to_owned());
        let call = call.arguments(&[
            "log",
            "--no-mailmap",
            "--no-walk=unsorted",
            "--no-patch",
            "-z",
            "--stdin",
        ]);
        let input = commits.join("\n") + "\n";
        let call = call.argument(FORMAT).input(input.as_bytes());
        let output = self.git.output(call, self.observer)?;
        let text = String::from_utf8_lossy(&output);
        let mut parts = text.split('\0').map(str::trim);
        let mut versions = Vec::new();
        while let (Some(revision), Some(time)) = (parts.next(), parts.next()) {
            let (author, subject, body) = (parts.next(), parts.next(), parts.next());
            let time = time.parse().ok();
            let time = time.and_then(|time| Timestamp::from_second(time).ok());
            // Git shows a time out of range as the epoch too.
            let time = time.unwrap_or(Timestamp::UNIX_EPOCH);
            let Some(skills) = skills.remove(revision) else {
                let message = format!("the commit {} cannot be read", plain(revision));
                return Err(
                    Error::new(ErrorKind::Program, message).help("`git log` there shows it")
                );
            };
            versions.push(Version {
                revision: revision.to_owned(),
                time,
                author: plain(author.unwrap_or_default()),
                subject: plain(subject.unwrap_or_default()),
                body: plain(body.unwrap_or_default()),
                skills,
            });
        }
        Ok(versions)
    }

    /// Reads the files of a skill in a commit; `None` if the commit has no file of the skill.
    #[cfg_attr(
        not(feature = "improve"),
        expect(dead_code, reason = "only repairs read an older version")
    )]
    pub(crate) fn snapshot(&self, commit: &str, name: &str) -> Result<Option<Snapshot>, Error> {
        let what = format!("version {commit} of {name} cannot be read");
        let path = self.path(name);
        let call = self.call(&what).most(MOST_TREE);
        let call = call.arguments(LIST_TREE).arguments(&[commit, "--", &path]);
        let items = tree_items(&self.git.output(call, self.observer)?);
        if items.is_empty() {
            return Ok(None);
        }
        if items.len() > MAX_FILES {
            return Err(unfit(
                commit,
                name,
                &format!("it has more than {MAX_FILES} files"),
            ));
        }
        let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
        let input = ids.join("\n") + "\n";
        let ask = |option: &str| {
            let call = self.call(&what).arguments(&["cat-file", option]);
            self.git.output(call.input(input.as_bytes()), self.observer)
        };
        // The sizes before the contents: a few kilobytes of a repository can hold gigabytes of zeros.
        let sizes = ask("--batch-check")?;
        let sizes = String::from_utf8_lossy(&sizes);
        let sizes = sizes
            .lines()
            .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
        if sizes.fold(0, u64::saturating_add) > MAX_BYTES {
            return Err(unfit(
                commit,
                name,
                &format!("it has more than {MAX_BYTES} bytes"),
            ));
        }
        let output = ask("--batch")?;
        let damaged = || Error::new(ErrorKind::Program, format!("{what}: objects are missing"));
        let contents = contents(&output, ids.len()).ok_or_else(damaged)?;
        let mut snapshot = Snapshot::default();
        for (item, bytes) in items.iter().zip(contents) {
            let file = String::from_utf8(item.path.clone()).ok();
            let file =
                file.and_then(|file| Some(file.strip_prefix(&path)?.strip_prefix("/")?.to_owned()));
            let file = file.ok_or_else(damaged)?;
            // A tree can name `..` and `/etc`. Git lists such names, and only a checkout rejects them.
            let file = RelativePath::new(file).map_err(|refused| unfit(commit, name, &refused))?;
            snapshot.entries.insert(file, entry(item, bytes)?);
        }
        match snapshot.conflict() {
            Some(why) => Err(unfit(commit, name, &why)),
            None => Ok(Some(snapshot)),
        }
    }
}

/// Makes the error for a version that cannot be restored as it is.
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
