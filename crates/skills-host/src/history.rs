//! The history of a folder of skills that is a person's own, and a git repository.
//!
//! A change is committed with plain `git add` and `git commit` of its paths alone; other staged files stay staged. Hooks
//! of the repository are off. Its filters run: a person's repository is the person's own. In every other folder, such as
//! one that came with an archive, git is not started, and the store keeps the earlier versions.

use crate::files::clock::Clock;
use crate::files::copy::{is_there, make_folder};
use crate::files::folder::OpenFolder;
use crate::files::relative_path::RelativePath;
use crate::files::snapshot::{Entry, FileBytes, MAX_BYTES, MAX_FILES, Snapshot};
use crate::git::object::{TreeItem, tree_items};
use crate::git::observer::Observer;
use crate::git::process::Most;
use crate::git::program::{Call, Git};
use crate::git::repository::{LIST_TREE, MOST_TREE};
use jiff::Timestamp;
use serde::Serialize;
use skills_compiler::LOCK_FILE;
use skills_format::text::control::shown;
use skills_format::{command, prose};
use skills_repository::{Lock, Locked};
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};

const UNREAD: &str = "its history cannot be read";
/// Each commit begins with U+0001, and its five fields end with U+0002; then the names of the changed files follow.
const FORMAT: &str = "--format=format:%x01%H%x02%ct%x02%an%x02%s%x02%b%x02";
/// The most commits that are listed.
const MAX_VERSIONS: usize = 1000;
const MOST_HISTORY: Most = Most {
    bytes: 64 << 20,
    memory: 2 << 30,
};

/// The repository that keeps the history of a folder of skills.
#[derive(Clone)]
pub struct History<'h> {
    folder: PathBuf,
    git: &'h Git,
    clock: &'h dyn Clock,
    observer: &'h dyn Observer,
}

/// A commit that changed skills.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

impl<'h> History<'h> {
    /// Opens the history of a folder of skills; `None` unless the folder is one of [`Git::own`] and the root of a
    /// repository. A link or a file `.git` could lead to another repository.
    pub fn of(
        folder: &Path,
        git: &'h Git,
        clock: &'h dyn Clock,
        observer: &'h dyn Observer,
    ) -> Option<Self> {
        let repository = folder.join(".git").symlink_metadata();
        let is_repository = repository.is_ok_and(|found| found.is_dir());
        (is_repository && git.is_own(folder)).then(|| Self {
            folder: folder.to_owned(),
            git,
            clock,
            observer,
        })
    }

    /// Makes a repository in a person's own folder of skills that is in no repository. Git prepares it in `part`: git
    /// follows the links of a path, and others may change the folder of skills.
    pub fn make(
        skills: &OpenFolder,
        part: &Path,
        git: &'h Git,
        clock: &'h dyn Clock,
        observer: &'h dyn Observer,
    ) -> Result<Option<Self>, Error> {
        let folder = skills.path();
        make_folder(part)?;
        let call = Call::new(prose!("{}: cannot create a repository", folder));
        let call = call.arguments(&["init", "--quiet", "--template=", "--"]);
        git.output(call.argument(part), observer)?;
        OpenFolder::open(part)?.move_to(".git", skills, ".git")?;
        Ok(Self::of(folder, git, clock, observer))
    }

    /// Commits the present state of skills and of the lock, and returns the commit. Returns `None` if nothing differs
    /// from the last commit. Ignored files are left out.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Program`] with git's message; [`ErrorKind::Refused`] for a skill that is a repository of its own.
    pub fn commit(&self, skills: &[&str], message: &str) -> Result<Option<String>, Error> {
        for skill in skills {
            if is_there(&self.folder.join(skill).join(".git"))? {
                let path = self.folder.join(skill);
                let message = prose!("{} is a git repository of its own", &path);
                return Err(Error::new(ErrorKind::Refused, message).help("commit it there"));
            }
        }
        let mut paths: Vec<&str> = skills.iter().copied().chain([LOCK_FILE]).collect();
        // Git refuses a path that is neither there nor tracked, or that is ignored.
        let list = [
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            "--",
        ];
        let call = self.call("its files cannot be listed").arguments(&list);
        let listed = self.text(call.arguments(&paths))?;
        paths.retain(|path| {
            listed.split('\0').any(|file| {
                let rest = file.strip_prefix(path);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        });
        if paths.is_empty() {
            return Ok(None);
        }
        let before = self.resolve("HEAD")?;
        let add = self.call("its change cannot be committed");
        self.text(add.arguments(&["add", "--all", "--"]).arguments(&paths))?;
        // The code 1 means that nothing differs from the last commit.
        let call = self
            .call("its change cannot be committed")
            .answer(1)
            .settings(&self.identity())
            .arguments(&["commit", "--quiet", "--no-verify", "--only", "--message"])
            .argument(plain(message))
            .argument("--")
            .arguments(&paths);
        let now = format!("@{} +0000", self.clock.now().as_second());
        let call = call.variable("GIT_AUTHOR_DATE", &now);
        self.text(call.variable("GIT_COMMITTER_DATE", &now))?;
        let after = self.resolve("HEAD")?;
        Ok(after.filter(|after| before.as_ref() != Some(after)))
    }

    /// Commits a change that is already made. A failure of git is reported, and the change stays.
    pub fn record(&self, skills: &[&str], message: &str) -> Option<String> {
        self.commit(skills, message).unwrap_or_else(|error| {
            let help = error.remedy_or("commit it with git");
            self.observer.warning(&format!(
                "{error:#}; the change is made and not committed: {help}"
            ));
            None
        })
    }

    /// Returns the latest commits that changed a skill, or any skill if `name` is `None`, the latest first.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Program`] with git's message; [`ErrorKind::Cancelled`].
    pub fn versions(&self, name: Option<&str>) -> Result<Vec<Version>, Error> {
        if self.resolve("HEAD")?.is_none() {
            return Ok(Vec::new());
        }
        let most = format!("--max-count={}", MAX_VERSIONS + 1);
        let list = [
            "log",
            "-z",
            "--no-mailmap",
            "--no-merges",
            "--no-renames",
            "--name-only",
        ];
        let call = self
            .call(UNREAD)
            .most(MOST_HISTORY)
            .help("`git log` there shows it".to_owned())
            .arguments(&list)
            .arguments(&[FORMAT, &most, "--", name.unwrap_or(".")]);
        let log = self.text(call)?;
        let mut versions: Vec<Version> = log.split("\0\u{1}").filter_map(version).collect();
        if versions.len() > MAX_VERSIONS {
            versions.truncate(MAX_VERSIONS);
            let folder = prose!("{}", &self.folder);
            self.observer.warning(&format!(
                "the latest {MAX_VERSIONS} versions are shown; `git log` in {folder} shows all"
            ));
        }
        versions.retain(|version| !version.skills.is_empty());
        Ok(versions)
    }

    /// Returns the latest commit that holds other files of a skill than its last change. A removal holds no version, and a
    /// restore after it brings the same files.
    pub fn version_before(&self, name: &str) -> Result<Option<String>, Error> {
        let mut commits = self.ids(&["--no-merges", "HEAD", "--", name])?.into_iter();
        let Some(last) = commits.next() else {
            return Ok(None);
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
        Ok(None)
    }

    /// Resolves what a person names as a version. The beginning of a listed id is that commit: git would prefer a tag or a
    /// branch of that name, which a remote can send.
    pub fn commit_of(&self, revision: &str) -> Result<Option<String>, Error> {
        let digits = revision.to_ascii_lowercase();
        if digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let ids = self.ids(&["HEAD", "--"])?;
            let mut found = ids.into_iter().filter(|id| id.starts_with(&digits));
            match (found.next(), found.next()) {
                (Some(one), None) => return Ok(Some(one)),
                (Some(_), Some(_)) => {
                    let message = format!("several versions begin with {digits}");
                    return Err(Error::new(ErrorKind::Refused, message).help("write more digits"));
                }
                _ => {}
            }
        }
        self.resolve(revision)
    }

    /// Reads the entry of a skill in the lock of a commit; `None` if the commit has no such entry.
    pub fn locked(&self, commit: &str, name: &str) -> Result<Option<Locked>, Error> {
        let list = self.call(UNREAD).arguments(LIST_TREE);
        let list = self.output(list.arguments(&[commit, "--", LOCK_FILE]))?;
        let ids: Vec<String> = tree_items(&list).into_iter().map(|item| item.id).collect();
        let read = self.read(&ids, UNREAD)?.and_then(|mut read| read.pop());
        let text = read.and_then(|bytes| String::from_utf8(bytes).ok());
        let lock = text.and_then(|text| Lock::parse(&text).ok());
        Ok(lock.and_then(|mut lock| lock.skills.remove(name)))
    }

    /// Reads the files of a skill in a commit; `None` if the commit has no file of the skill.
    pub fn snapshot(&self, commit: &str, name: &str) -> Result<Option<Snapshot>, Error> {
        let what = format!("version {commit} of {name} cannot be read");
        let call = self.call(&what).most(MOST_TREE).arguments(LIST_TREE);
        let items = tree_items(&self.output(call.arguments(&[commit, "--", name]))?);
        if items.is_empty() {
            return Ok(None);
        }
        if items.len() > MAX_FILES {
            let why = format!("it has more than {MAX_FILES} files");
            return Err(unfit(commit, name, &why));
        }
        let ids: Vec<String> = items.iter().map(|item| item.id.clone()).collect();
        let contents = self.read(&ids, &what)?.ok_or_else(|| {
            unfit(
                commit,
                name,
                &format!("it has more than {MAX_BYTES} bytes, or objects are missing"),
            )
        })?;
        let mut snapshot = Snapshot::default();
        for (item, bytes) in items.iter().zip(contents) {
            let path = String::from_utf8_lossy(&item.path);
            let file = path.strip_prefix(name).and_then(|it| it.strip_prefix('/'));
            // A tree can name `..` and `/etc`. Git lists such names, and only a checkout rejects them.
            let file = RelativePath::new(file.unwrap_or_default())
                .map_err(|refused| unfit(commit, name, &refused))?;
            snapshot.entries.insert(file, entry(item, bytes)?);
        }
        match snapshot.conflict() {
            Some(why) => Err(unfit(commit, name, &why)),
            None => Ok(Some(snapshot)),
        }
    }

    /// Returns the files of a skill that the repository ignores, as paths in the skill.
    pub fn ignored(&self, name: &str) -> Result<Vec<String>, Error> {
        let list = [
            "ls-files",
            "-z",
            "--others",
            "--ignored",
            "--exclude-standard",
            "--",
        ];
        let call = self.call("what it ignores cannot be read").arguments(&list);
        let listed = self.text(call.argument(name))?;
        let files = listed
            .split('\0')
            .filter_map(|path| path.strip_prefix(name)?.strip_prefix('/'));
        Ok(files.map(str::to_owned).collect())
    }

    /// Lists commits, the latest first.
    fn ids(&self, which: &[&str]) -> Result<Vec<String>, Error> {
        if self.resolve("HEAD")?.is_none() {
            return Ok(Vec::new());
        }
        let call = self.call(UNREAD).most(MOST_HISTORY);
        let ids = self.text(call.arguments(&["rev-list"]).arguments(which))?;
        Ok(ids.lines().map(str::to_owned).collect())
    }

    /// Resolves a revision to a commit; `None` if it does not exist.
    fn resolve(&self, revision: &str) -> Result<Option<String>, Error> {
        let call = self.call("cannot read a revision").answer(1);
        let call = call.arguments(&["rev-parse", "--verify", "--quiet", "--end-of-options"]);
        let commit = self.text(call.argument(format!("{revision}^{{commit}}")))?;
        let commit = commit.trim();
        Ok((!commit.is_empty()).then(|| commit.to_owned()))
    }

    /// Returns the contents of objects; `None` if they are too large together, or missing.
    fn read(&self, ids: &[String], what: &str) -> Result<Option<Vec<Vec<u8>>>, Error> {
        let Self { git, observer, .. } = *self;
        git.objects(|| self.call(what), |_| Ok(()), ids, MAX_BYTES, observer)
    }

    /// Returns the settings of a commit where git knows no identity.
    fn identity(&self) -> Vec<String> {
        let call = self.call("cannot read the identity");
        match self.text(call.arguments(&["var", "GIT_COMMITTER_IDENT"])) {
            Ok(_) => Vec::new(),
            Err(_) => ["user.name=skills", "user.email=skills@localhost"]
                .map(str::to_owned)
                .into(),
        }
    }

    fn call(&self, what: &str) -> Call {
        let call = Call::new(prose!("{}: {what}", &self.folder));
        let call = call.argument("-C").argument(&self.folder);
        call.arguments(&["--git-dir=.git", "--work-tree=.", "--literal-pathspecs"])
    }

    fn output(&self, call: Call) -> Result<Vec<u8>, Error> {
        self.git.output(call, self.observer)
    }

    fn text(&self, call: Call) -> Result<String, Error> {
        Ok(String::from_utf8_lossy(&self.output(call)?).into_owned())
    }
}

/// Parses a commit of the log: five fields, then the changed files, each with NUL at its end.
fn version(text: &str) -> Option<Version> {
    let mut fields = text.trim_start_matches('\u{1}').splitn(6, '\u{2}');
    let mut field = || fields.next().map(|text| plain(text.trim()));
    let (revision, time, author) = (field()?, field()?, field()?);
    let (subject, body) = (field()?, field()?);
    let files = fields.next().unwrap_or_default().trim_start_matches('\n');
    let mut skills: Vec<String> = files
        .split('\0')
        .filter_map(|file| Some(file.split_once('/')?.0.to_owned()))
        .collect();
    skills.sort();
    skills.dedup();
    let time = time.parse().ok().map(Timestamp::from_second);
    Some(Version {
        revision,
        // Git shows a time out of range as the epoch too.
        time: time.and_then(Result::ok).unwrap_or(Timestamp::UNIX_EPOCH),
        author,
        subject,
        body,
        skills,
    })
}

/// Removes what steers a terminal or changes the direction of text: `git log` prints messages unfiltered, and a message
/// contains an agent's words.
fn plain(message: &str) -> String {
    let plain = |c| match c {
        '\n' | '\t' => c,
        c => shown(c),
    };
    message.chars().map(plain).collect()
}

/// Creates the error for a version that cannot be restored as it is.
fn unfit(commit: &str, name: &str, why: &dyn std::fmt::Display) -> Error {
    let short = commit.get(..12).unwrap_or(commit);
    let message = format!("version {short} of {name} is refused: {why}");
    Error::new(ErrorKind::Refused, message).help(prose!(
        "{} shows the other versions",
        command("improve history").word(name)
    ))
}

fn entry(item: &TreeItem, bytes: Vec<u8>) -> Result<Entry, Error> {
    Ok(match item.mode.as_str() {
        "120000" => Entry::Link(PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())),
        "160000" => {
            let message = "the version contains a git submodule, and submodules are not restored";
            let error = Error::new(ErrorKind::Refused, message);
            return Err(error.help("restore this version with git"));
        }
        mode => Entry::File(FileBytes::new(bytes, mode == "100755")),
    })
}
