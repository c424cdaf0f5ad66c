//! The user's own `git`, and nothing of a repository is ever run.
//!
//! A repository is fetched into a bare folder and its files are read as objects: nothing is checked
//! out, so that no hook, no filter and no link of it has an effect.

#![expect(clippy::disallowed_methods, reason = "the one module that starts git")]

use crate::error::{Error, ErrorKind};
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Most bytes that one call of git may print.
const MAX_OUTPUT: u64 = 1 << 30;
/// How long to wait before asking again whether git is done.
const PAUSE: Duration = Duration::from_millis(5);

/// What switches off everything that a repository or a prompt could start.
const SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.askPass=",
    "commit.gpgSign=false",
    "credential.interactive=false",
    "fetch.recurseSubmodules=false",
    "submodule.recurse=false",
    "fetch.writeCommitGraph=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.version=2",
];

/// Variables that would lead git to another repository.
const UNSET: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_TEMPLATE_DIR",
    "GIT_EXTERNAL_DIFF",
];

const SET: &[(&str, &str)] = &[
    ("GIT_ALLOW_PROTOCOL", "https:ssh:file"),
    ("GIT_TERMINAL_PROMPT", "0"),
    // Empty: no program is asked for a password.
    ("GIT_ASKPASS", ""),
    ("SSH_ASKPASS", "false"),
    ("SSH_ASKPASS_REQUIRE", "force"),
    ("GIT_LFS_SKIP_SMUDGE", "1"),
    ("GIT_ADVICE", "0"),
    ("LC_ALL", "C"),
];

/// What a long operation tells, and whether it goes on.
pub trait Observer {
    /// Something is under way: one line, replaced by the next.
    fn progress(&self, _line: &str) {}

    /// Another process changes the same folder; this one waits for it.
    fn waiting(&self, _path: &Path, _holder: &str) {}

    /// Whether a person asks to stop.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// An observer that hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Observer for Quiet {}

/// The program.
#[derive(Clone, Debug)]
pub struct Git {
    program: OsString,
}

/// A bare repository in a temporary folder.
#[derive(Debug)]
pub(crate) struct Repository<'g> {
    git: &'g Git,
    folder: PathBuf,
    url: String,
}

/// A file of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeItem {
    pub(crate) mode: String,
    pub(crate) id: String,
    pub(crate) path: Vec<u8>,
}

impl Default for Git {
    fn default() -> Self {
        Self::new("git")
    }
}

impl Git {
    /// A program, by its path or as the search path finds it.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
        }
    }

    /// The references of a remote that have one of these names, each with its commit. An annotated
    /// tag is there twice; the name of its commit ends in `^{}`.
    pub(crate) fn remote_refs(
        &self,
        url: &str,
        names: &[String],
        observer: &dyn Observer,
    ) -> Result<Vec<(String, String)>, Error> {
        let mut arguments = vec!["ls-remote", "--", url];
        arguments.extend(names.iter().map(String::as_str));
        let what = format!("cannot read {url}");
        let output = self.run(None, &arguments, &[], &what, url, observer)?;
        let text = String::from_utf8_lossy(&output);
        let pair = |line: &str| {
            let (id, name) = line.split_once('\t')?;
            is_id(id).then(|| (name.to_owned(), id.to_owned()))
        };
        Ok(text.lines().filter_map(pair).collect())
    }

    /// An empty repository in a folder that is not there.
    pub(crate) fn repository(
        &self,
        folder: PathBuf,
        url: &str,
        observer: &dyn Observer,
    ) -> Result<Repository<'_>, Error> {
        let mut arguments: Vec<&OsStr> = ["init", "--quiet", "--bare", "--template=", "--"]
            .map(OsStr::new)
            .into();
        arguments.push(folder.as_os_str());
        let what = "cannot make a temporary repository";
        self.run(None, &arguments, &[], what, url, observer)?;
        Ok(Repository {
            git: self,
            folder,
            url: url.to_owned(),
        })
    }

    /// Merges three versions of a text. `None` when they conflict.
    pub(crate) fn merge_file(
        &self,
        folder: &Path,
        observer: &dyn Observer,
    ) -> Result<Option<Vec<u8>>, Error> {
        let mut command = self.command();
        command.args(["merge-file", "-p", "--", "ours", "base", "theirs"]);
        command.current_dir(folder);
        let done = run(command, &[], observer)?;
        match done.code {
            Some(0) => Ok(Some(done.output)),
            // The number of conflicts; 255 for a file that is not text.
            _ => Ok(None),
        }
    }

    fn run<A: AsRef<OsStr>>(
        &self,
        repository: Option<&Path>,
        arguments: &[A],
        input: &[u8],
        what: &str,
        url: &str,
        observer: &dyn Observer,
    ) -> Result<Vec<u8>, Error> {
        let mut command = self.command();
        if let Some(folder) = repository {
            command.arg("--git-dir").arg(folder);
        }
        command.args(arguments);
        let done = run(command, input, observer)?;
        if done.code == Some(0) {
            return Ok(done.output);
        }
        let said = said(&done.errors);
        let message = format!("{what}: {said}");
        Err(Error::new(ErrorKind::Program, message).help(format_args!(
            "see what `git ls-remote {}` says",
            quoted(url)
        )))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        for name in UNSET {
            command.env_remove(name);
        }
        command.envs(SET.iter().copied());
        command
    }
}

impl Repository<'_> {
    /// Fetches a commit with its folders, and its files where the remote cannot leave them out.
    pub(crate) fn fetch(&self, commit: &str, observer: &dyn Observer) -> Result<(), Error> {
        let arguments = [
            "fetch",
            "--progress",
            "--depth=1",
            "--filter=blob:none",
            "--no-tags",
            "--no-write-fetch-head",
            "--recurse-submodules=no",
            "skills",
            commit,
        ];
        let what = format!("cannot fetch {commit} from {}", self.url);
        self.run(&arguments, &[], &what, observer).map(drop)
    }

    /// Fetches a reference with its whole history, for a commit that the remote does not give alone.
    pub(crate) fn fetch_history(&self, observer: &dyn Observer) -> Result<(), Error> {
        let arguments = [
            "fetch",
            "--progress",
            "--filter=blob:none",
            "--no-write-fetch-head",
            "--recurse-submodules=no",
            "skills",
            "+refs/heads/*:refs/heads/*",
            "+refs/tags/*:refs/tags/*",
        ];
        let what = format!("cannot fetch {}", self.url);
        self.run(&arguments, &[], &what, observer).map(drop)
    }

    /// Every file of a commit.
    pub(crate) fn files(
        &self,
        commit: &str,
        observer: &dyn Observer,
    ) -> Result<Vec<TreeItem>, Error> {
        let arguments = ["ls-tree", "-r", "-z", "--full-tree", commit, "--"];
        let what = format!("cannot list {commit} of {}", self.url);
        let output = self.run(&arguments, &[], &what, observer)?;
        Ok(output
            .split(|byte| *byte == 0)
            .filter_map(tree_item)
            .collect())
    }

    /// The contents of objects, in order. Those that were left out are fetched first, in one call.
    pub(crate) fn read(
        &self,
        ids: &[String],
        max: u64,
        observer: &dyn Observer,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let input = ids.join("\n") + "\n";
        let input = input.as_bytes();
        let what = format!("cannot read files of {}", self.url);
        let check = ["cat-file", "--batch-check"];
        let found = self.run(&check, input, &what, observer)?;
        let missing: Vec<String> = String::from_utf8_lossy(&found)
            .lines()
            .filter_map(|line| line.strip_suffix(" missing").map(|id| id.to_owned() + "\n"))
            .collect();
        let found = if missing.is_empty() {
            found
        } else {
            self.fetch_objects(missing.concat().as_bytes(), observer)?;
            self.run(&check, input, &what, observer)?
        };
        let sizes = String::from_utf8_lossy(&found);
        let sizes = sizes
            .lines()
            .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
        if sizes.sum::<u64>() > max {
            let message = format!("the skill of {} has more than {max} bytes", self.url);
            return Err(Error::new(ErrorKind::Refused, message)
                .help("a skill holds instructions, not data"));
        }
        let output = self.run(&["cat-file", "--batch"], input, &what, observer)?;
        let contents = contents(&output, ids.len());
        contents
            .ok_or_else(|| Error::new(ErrorKind::Program, format!("{what}: objects are missing")))
    }

    fn fetch_objects(&self, ids: &[u8], observer: &dyn Observer) -> Result<(), Error> {
        let arguments = [
            "-c",
            "fetch.negotiationAlgorithm=noop",
            "fetch",
            "--progress",
            "--filter=blob:none",
            "--no-tags",
            "--no-write-fetch-head",
            "--recurse-submodules=no",
            "--stdin",
            "skills",
        ];
        let what = format!("cannot fetch files of {}", self.url);
        self.run(&arguments, ids, &what, observer).map(drop)
    }

    fn run(
        &self,
        arguments: &[&str],
        input: &[u8],
        what: &str,
        observer: &dyn Observer,
    ) -> Result<Vec<u8>, Error> {
        let url = format!("remote.skills.url={}", self.url);
        let mut all = vec![
            "-c",
            &url,
            "-c",
            "remote.skills.promisor=true",
            "-c",
            "remote.skills.partialclonefilter=blob:none",
        ];
        all.extend(arguments);
        self.git
            .run(Some(&self.folder), &all, input, what, &self.url, observer)
    }
}

/// What a call of git came to.
struct Done {
    code: Option<i32>,
    output: Vec<u8>,
    errors: String,
}

/// Runs a command to its end, or until a person asks to stop.
fn run(mut command: Command, input: &[u8], observer: &dyn Observer) -> Result<Done, Error> {
    command
        // Objects that are missing are fetched together, not one by one.
        .env("GIT_NO_LAZY_FETCH", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| not_started(&error))?;
    let line = Arc::new(Mutex::new(String::new()));
    let output = child
        .stdout
        .take()
        .map(|stream| thread::spawn(|| all_of(stream)));
    let errors = child.stderr.take().map(|stream| {
        let line = Arc::clone(&line);
        thread::spawn(move || lines_of(stream, &line))
    });
    let writer = child.stdin.take().map(|mut stream| {
        let input = input.to_vec();
        // Git may end before it has read everything.
        thread::spawn(move || drop(stream.write_all(&input)))
    });
    let code = wait(&mut child, &line, observer);
    let (output, errors) = (joined(output), joined(errors));
    joined(writer);
    Ok(Done {
        code: code?,
        output,
        errors,
    })
}

fn wait(
    child: &mut Child,
    line: &Mutex<String>,
    observer: &dyn Observer,
) -> Result<Option<i32>, Error> {
    let mut shown = String::new();
    loop {
        if observer.is_cancelled() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Error::new(ErrorKind::Cancelled, "stopped").help("nothing was changed"));
        }
        let ended = child
            .try_wait()
            .map_err(|error| Error::io(Path::new("git"), "cannot be waited for", error))?;
        if let Some(status) = ended {
            return Ok(status.code());
        }
        let now = line.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if now != shown {
            observer.progress(&now);
            shown = now;
        }
        thread::sleep(PAUSE);
    }
}

fn joined<T: Default>(thread: Option<JoinHandle<T>>) -> T {
    thread
        .and_then(|thread| thread.join().ok())
        .unwrap_or_default()
}

fn all_of(stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = stream.take(MAX_OUTPUT).read_to_end(&mut bytes);
    bytes
}

/// Keeps the last line for whoever watches, and gives everything.
fn lines_of(mut stream: impl Read, line: &Mutex<String>) -> String {
    let mut all = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = stream.read(&mut buffer) {
        all.extend_from_slice(buffer.get(..read).unwrap_or_default());
        if all.len() > 1 << 20 {
            all.drain(..1 << 19);
        }
        let text = String::from_utf8_lossy(&all);
        let last = text
            .split(['\r', '\n'])
            .rfind(|line| !line.trim().is_empty());
        if let Some(last) = last {
            last.trim()
                .clone_into(&mut line.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
    String::from_utf8_lossy(&all).into_owned()
}

fn not_started(error: &io::Error) -> Error {
    if error.kind() == io::ErrorKind::NotFound {
        return Error::new(ErrorKind::Program, "there is no program `git`")
            .help("install git, or install from a folder or an archive");
    }
    Error::new(
        ErrorKind::Program,
        format!("`git` cannot be started: {error}"),
    )
    .help("see what `git --version` says")
}

/// What git said, without its progress: the lines that matter, as one.
fn said(errors: &str) -> String {
    let lines: Vec<&str> = errors
        .lines()
        .filter_map(|line| line.rsplit('\r').next())
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let marked = |line: &&&str| {
        ["fatal:", "error:", "remote:", "ERROR:"]
            .iter()
            .any(|mark| line.starts_with(mark))
    };
    let mut told: Vec<&str> = lines.iter().filter(marked).copied().collect();
    if told.is_empty() {
        told = lines.last().copied().into_iter().collect();
    }
    if told.is_empty() {
        return "git ended with an error and said nothing".to_owned();
    }
    told.truncate(4);
    told.join("; ")
}

/// An object's name.
pub(crate) fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn tree_item(line: &[u8]) -> Option<TreeItem> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let (head, path) = line.split_at_checked(tab)?;
    let head = std::str::from_utf8(head).ok()?;
    let mut words = head.split(' ');
    let (mode, _, id) = (words.next()?, words.next()?, words.next()?);
    Some(TreeItem {
        mode: mode.to_owned(),
        id: id.to_owned(),
        path: path.get(1..)?.to_vec(),
    })
}

/// What `cat-file --batch` prints: a line with the size, the bytes, a line feed, for each object.
fn contents(mut output: &[u8], count: usize) -> Option<Vec<Vec<u8>>> {
    let mut all = Vec::with_capacity(count);
    for _ in 0..count {
        let end = output.iter().position(|byte| *byte == b'\n')?;
        let (head, rest) = output.split_at_checked(end)?;
        let size: usize = std::str::from_utf8(head)
            .ok()?
            .rsplit(' ')
            .next()?
            .parse()
            .ok()?;
        let rest = rest.get(1..)?;
        all.push(rest.get(..size)?.to_vec());
        output = rest.get(size + 1..)?;
    }
    Some(all)
}

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@+=,%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_prints_is_read() {
        assert_eq!(
            contents(b"a blob 2\nx\n\nb blob 0\n\n", 2),
            Some(vec![b"x\n".to_vec(), Vec::new()])
        );
        assert_eq!(contents(b"a missing\n", 1), None);
        let item = tree_item(b"100644 blob 12ab\ta b/\xff").unwrap();
        assert_eq!(
            (item.mode.as_str(), item.path),
            ("100644", b"a b/\xff".to_vec())
        );
        assert_eq!(said("x\r50%\rfatal: no\nhint: a\n"), "fatal: no");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }

    #[test]
    fn no_git() {
        let git = Git::new("/no/such/git");
        let error = git
            .remote_refs("https://a.invalid", &[], &Quiet)
            .unwrap_err();
        assert_eq!(error.to_string(), "there is no program `git`");
    }
}
