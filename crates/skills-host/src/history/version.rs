//! The versions of a skill in a repository.

use crate::git::object::{TreeItem, contents, tree_items};
use crate::git::process::Most;
use crate::git::repository::{LIST_TREE, MOST_TREE};
use crate::history::changed::Changed;
use crate::history::commit::plain;
use crate::history::repository::{History, UNREAD};
use jiff::Timestamp;
use serde::Serialize;
use skills_compiler::LOCK_FILE;
use skills_format::text::path::PathText as _;
use skills_format::{command, prose};
use skills_repository::{Lock, Locked};
use skills_store::files::relative_path::RelativePath;
use skills_store::files::snapshot::{Entry, FileBytes, MAX_BYTES, MAX_FILES, Snapshot};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The format of a commit: four parts, each ended by NUL. No commit holds a NUL, so no message can imitate a commit.
const FORMAT: &str = "--format=tformat:%H%x00%an%x00%s%x00%b";
/// The bounds of a printed history: two million commits, without messages.
const MOST_HISTORY: Most = Most {
    bytes: 256 << 20,
    records: usize::MAX,
    memory: 2 << 30,
};
/// Maximum bytes of a commit whose message is read, with its author and signature. The longest messages that people
/// write are a few kilobytes long.
const MOST_COMMIT: u64 = 64 << 10;
/// Maximum bytes of all commits whose messages are read.
const MOST_COMMITS: u64 = 32 << 20;

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

/// A commit that changed skills, without its message.
struct SkillCommit {
    revision: String,
    time: Timestamp,
    skills: Vec<String>,
}

/// The text of a commit, filtered for a terminal.
#[derive(Default)]
struct Message {
    author: String,
    subject: String,
    body: String,
}

impl History<'_> {
    /// Returns the commits that changed a skill, or any skill if `name` is `None`, the latest first. The observer is
    /// warned when the history is too long, and the oldest commits are left out.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Program`] with git's message; [`ErrorKind::Cancelled`].
    pub fn versions(&self, name: Option<&str>) -> Result<Vec<Version>, Error> {
        let (mut commits, is_cut) = self.changes(name, usize::MAX)?;
        let sizes = self.sizes(&commits)?;
        let mut left = MOST_COMMITS;
        let read = sizes.iter().take_while(|size| {
            let rest = left.checked_sub(**size.min(&&MOST_COMMIT));
            left = rest.unwrap_or_default();
            rest.is_some()
        });
        let count = read.count();
        if is_cut || count < commits.len() {
            commits.truncate(count);
            self.observer.warning(&format!(
                "the history of {} is too long: the latest {count} versions are shown; `git log` there shows all",
                self.folder.shown()
            ));
        }
        self.with_messages(&commits, &sizes)
    }

    /// Returns the latest commit that holds other files of a skill than its last change, without reading messages.
    ///
    /// A removal holds no version, and a restore after it brings the same files.
    #[cfg_attr(
        not(feature = "improve"),
        expect(dead_code, reason = "only repairs read an older version")
    )]
    pub(crate) fn version_before(&self, name: &str) -> Result<Option<String>, Error> {
        // Most often the second commit is the one: the others are only read if not.
        for most in [2, usize::MAX] {
            let (commits, _) = self.changes(Some(name), most)?;
            let mut commits = commits.into_iter().map(|commit| commit.revision);
            let Some(last) = commits.next() else {
                break;
            };
            let last = match self.snapshot(&last, name) {
                // A change that cannot be restored differs from each version that can.
                Err(error) if error.kind() == ErrorKind::Refused => None,
                last => last?,
            };
            for commit in commits {
                let version = self.snapshot(&commit, name)?;
                if version.is_some() && version != last {
                    return Ok(Some(commit));
                }
            }
        }
        Ok(None)
    }

    /// Reads the entry of a skill in the lock of a commit; `None` if the commit has no such entry.
    #[cfg_attr(
        not(feature = "improve"),
        expect(dead_code, reason = "only repairs read an older version")
    )]
    pub(crate) fn locked(&self, commit: &str, name: &str) -> Result<Option<Locked>, Error> {
        let file = format!("{commit}:{}", self.path(LOCK_FILE));
        // The size before the content, as for a skill.
        let size = self.ask(UNREAD, "--batch-check", &file)?;
        let size = String::from_utf8_lossy(&size);
        let size = size
            .trim()
            .rsplit(' ')
            .next()
            .and_then(|it| it.parse::<u64>().ok());
        if size.is_none_or(|size| size > MAX_BYTES) {
            return Ok(None);
        }
        let found = contents(&self.ask(UNREAD, "--batch", &file)?, 1);
        let text = found.and_then(|mut found| String::from_utf8(found.pop()?).ok());
        let lock = text.and_then(|text| Lock::parse(&text).ok());
        Ok(lock.and_then(|mut lock| lock.skills.remove(name)))
    }

    /// Resolves what a person names as a version. The beginning of an id of this history is that commit: `history`
    /// prints such beginnings, and git would prefer a tag or a branch of that name, which a remote can send.
    #[cfg_attr(
        not(feature = "improve"),
        expect(dead_code, reason = "only repairs read an older version")
    )]
    pub(crate) fn commit_of(&self, revision: &str) -> Result<Option<String>, Error> {
        let digits = revision.to_ascii_lowercase();
        let is_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_digits && (4..=64).contains(&digits.len()) {
            let all = self.commits()?;
            let ids = all.lines().filter_map(|line| line.split(' ').nth(1));
            let found: Vec<&str> = ids.filter(|id| id.starts_with(&digits)).collect();
            match found[..] {
                [] => {}
                [one] => return Ok(Some(one.to_owned())),
                _ => {
                    let message = format!("several versions begin with {digits}");
                    return Err(Error::new(ErrorKind::Refused, message).help("write more digits"));
                }
            }
        }
        self.resolve(revision)
    }

    /// Lists the commits of this history, the latest first: time, commit, parents.
    fn commits(&self) -> Result<String, Error> {
        let Some(head) = self.resolve("HEAD")? else {
            return Ok(String::new());
        };
        let call = self.call(UNREAD).most(MOST_HISTORY);
        self.text(call.arguments(&["rev-list", "--timestamp", "--parents", &head, "--"]))
    }

    /// Returns the latest commits that changed a skill, and whether the history was too long to read whole.
    fn changes(&self, name: Option<&str>, most: usize) -> Result<(Vec<SkillCommit>, bool), Error> {
        let lines = self.commits()?;
        // A merge commit is skipped: its changes are those of its parents.
        let plain = |line: &&str| line.split(' ').count() <= 3;
        let lines: Vec<&str> = lines.lines().filter(plain).collect();
        let ids = lines.iter().flat_map(|line| line.split(' ').skip(1));
        let mut changed = Changed::read(self, &ids.collect(), name)?;
        let mut commits = Vec::new();
        for line in lines {
            if self.observer.is_cancelled() {
                return Err(Error::new(ErrorKind::Cancelled, "stopped").help("nothing was changed"));
            }
            let mut words = line.split(' ');
            let (time, Some(commit)) = (words.next(), words.next()) else {
                continue;
            };
            let Some(skills) = changed.between(commit, words.next()) else {
                return Ok((commits, true));
            };
            if skills.is_empty() {
                continue;
            }
            let time = time
                .and_then(|time| time.parse().ok())
                .and_then(|time| Timestamp::from_second(time).ok());
            commits.push(SkillCommit {
                revision: commit.to_owned(),
                // Git shows a time out of range as the epoch too.
                time: time.unwrap_or(Timestamp::UNIX_EPOCH),
                skills,
            });
            if commits.len() == most {
                break;
            }
        }
        Ok((commits, false))
    }

    /// Returns the size of each commit: a few kilobytes of a repository can hold a message of gigabytes.
    fn sizes(&self, commits: &[SkillCommit]) -> Result<Vec<u64>, Error> {
        let ids: Vec<&str> = commits.iter().map(|commit| &*commit.revision).collect();
        let found = self.ask(UNREAD, "--batch-check", &ids.join("\n"))?;
        let size = |line: &str| line.rsplit(' ').next()?.parse().ok();
        let sizes = String::from_utf8_lossy(&found);
        let sizes = sizes.lines().map(|line| size(line).unwrap_or(u64::MAX));
        Ok(sizes.take(commits.len()).collect())
    }

    fn with_messages(&self, commits: &[SkillCommit], sizes: &[u64]) -> Result<Vec<Version>, Error> {
        let short = commits
            .iter()
            .zip(sizes)
            .filter(|(_, size)| **size <= MOST_COMMIT);
        let mut messages = self.messages(short.map(|(commit, _)| &*commit.revision))?;
        let mut versions = Vec::new();
        for (commit, size) in commits.iter().zip(sizes) {
            let message = match messages.remove(&commit.revision) {
                Some(message) => message,
                None if *size > MOST_COMMIT => Message {
                    subject: format!("(a message of {} KiB, which is not read)", size >> 10),
                    ..Message::default()
                },
                None => {
                    let message = format!("the commit {} cannot be read", plain(&commit.revision));
                    let error = Error::new(ErrorKind::Program, message);
                    return Err(error.help("`git log` there shows it"));
                }
            };
            versions.push(Version {
                revision: commit.revision.clone(),
                time: commit.time,
                author: message.author,
                subject: message.subject,
                body: message.body,
                skills: commit.skills.clone(),
            });
        }
        Ok(versions)
    }

    /// Reads the messages of commits.
    fn messages<'c>(
        &self,
        commits: impl Iterator<Item = &'c str>,
    ) -> Result<BTreeMap<String, Message>, Error> {
        let input: String = commits.flat_map(|commit| [commit, "\n"]).collect();
        if input.is_empty() {
            return Ok(BTreeMap::new());
        }
        let call = self
            .call(UNREAD)
            .most(MOST_HISTORY)
            .help("`git log` there shows it".to_owned())
            .arguments(&[
                "log",
                "--no-mailmap",
                "--no-walk=unsorted",
                "--no-patch",
                "-z",
                "--stdin",
            ])
            .argument(FORMAT)
            .input(input.as_bytes());
        let output = self.git.output(call, self.observer)?;
        let text = |bytes: &[u8]| plain(String::from_utf8_lossy(bytes).trim());
        let mut parts = output.split(|byte| *byte == 0).map(text);
        let mut messages = BTreeMap::new();
        while let (Some(revision), Some(author)) = (parts.next(), parts.next()) {
            let (subject, body) = (parts.next(), parts.next());
            let message = Message {
                author,
                subject: subject.unwrap_or_default(),
                body: body.unwrap_or_default(),
            };
            messages.insert(revision, message);
        }
        Ok(messages)
    }

    /// Reads the files of a skill in a commit; `None` if the commit has no file of the skill.
    #[cfg_attr(
        not(feature = "improve"),
        expect(dead_code, reason = "only repairs read an older version")
    )]
    pub(crate) fn snapshot(&self, commit: &str, name: &str) -> Result<Option<Snapshot>, Error> {
        let what = format!("version {commit} of {name} cannot be read");
        let path = self.path(name);
        let call = self
            .call(&what)
            .most(MOST_TREE)
            .arguments(LIST_TREE)
            .arguments(&[commit, "--", &path]);
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
        let input = ids.join("\n");
        // The sizes before the contents: a few kilobytes of a repository can hold gigabytes of zeros.
        let sizes = self.ask(&what, "--batch-check", &input)?;
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
        let output = self.ask(&what, "--batch", &input)?;
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

/// Creates the error for a version that cannot be restored as it is.
fn unfit(commit: &str, name: &str, why: &dyn std::fmt::Display) -> Error {
    let short = commit.get(..12).unwrap_or(commit);
    let message = format!("version {short} of {name} is refused: {why}");
    Error::new(ErrorKind::Refused, message).help(prose!(
        "{} shows the other versions",
        command("history").word(name)
    ))
}

fn entry(item: &TreeItem, bytes: Vec<u8>) -> Result<Entry, Error> {
    Ok(match item.mode.as_str() {
        "120000" => Entry::Link(PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())),
        "160000" => {
            let message = "the version contains a git submodule, and submodules are not restored";
            return Err(
                Error::new(ErrorKind::Refused, message).help("restore this version with git")
            );
        }
        mode => Entry::File(FileBytes::new(bytes, mode == "100755")),
    })
}
