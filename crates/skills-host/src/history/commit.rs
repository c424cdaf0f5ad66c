//! One commit of some skills of a folder.

use crate::git::process::Most;
use crate::history::planted::{refuse_ignore_file, refuse_ignore_files};
use crate::history::repository::History;
use skills_compiler::LOCK_FILE;
use skills_format::disk::{patient, read_text};
use skills_format::prose;
use skills_format::text::control::shown;
use skills_store::files::copy::{is_there, list};
use skills_store::files::snapshot::{Entry, FileBytes, Snapshot};
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// The empty folder in `.git` in which git writes the index.
const EMPTY: &str = "skills-empty";
/// The folder of the references to commits under construction. Git removes commits that no reference reaches.
const NEXT: &str = "refs/skills";
/// The beginning of such a reference, before 16 digits.
const NEXT_NAME: &str = "next-";

impl History<'_> {
    /// Commits the present state of skills and of the lock, and returns the commit. Returns `None` if nothing differs
    /// from the last commit. Ignored files are left out.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Program`](skills_store::ErrorKind::Program) with git's message, or an unreadable file.
    pub fn commit(&self, skills: &[&str], message: &str) -> Result<Option<String>, Error> {
        self.commit_paths(skills, &[LOCK_FILE], message)
    }

    /// Takes the last commit back: the branch is where it was before, and the files stay.
    #[cfg(feature = "improve")]
    pub(crate) fn take_back(&self, commit: &str, before: Option<&str>) -> Result<(), Error> {
        let call = self.call("a commit cannot be taken back");
        let call = match before {
            Some(before) => call.arguments(&["update-ref", "HEAD", before, commit]),
            None => call.arguments(&["update-ref", "-d", "HEAD", commit]),
        };
        self.git.output(call, self.observer).map(drop)
    }

    /// Commits the present state of folders and files. A failure of git is reported, and the change itself stays.
    pub(crate) fn record(&self, folders: &[&str], files: &[&str], message: &str) {
        if let Err(error) = self.commit_paths(folders, files, message) {
            let help = error.remedy_or("commit it with git");
            self.observer.warning(&format!(
                "{error:#}; the change is made and not committed: {help}"
            ));
        }
    }

    fn commit_paths(
        &self,
        folders: &[&str],
        files: &[&str],
        message: &str,
    ) -> Result<Option<String>, Error> {
        let message = &plain(message);
        let change = CommitContent::read(self, folders, files)?;
        // `None` before the first commit.
        let head = self.resolve("HEAD")?;
        change.make(self, head.as_deref(), message)
    }
}

/// Removes what steers a terminal or changes the direction of text from a message: `git log` prints messages
/// unfiltered, and a message contains an agent's words.
pub(crate) fn plain(message: &str) -> String {
    let plain = |c| {
        if matches!(c, '\n' | '\t') {
            c
        } else {
            shown(c)
        }
    };
    message.chars().map(plain).collect()
}

/// The content of a commit.
struct CommitContent {
    /// The paths to replace, with everything below.
    paths: Vec<String>,
    /// The new files below the paths.
    files: BTreeMap<String, Entry>,
}

impl CommitContent {
    fn read(history: &History<'_>, folders: &[&str], names: &[&str]) -> Result<Self, Error> {
        let mut files = BTreeMap::new();
        for name in folders {
            let folder = history.folder.join(name);
            if !is_there(&folder)? {
                continue;
            }
            let snapshot = Snapshot::read(&folder)?;
            if snapshot.is_repository {
                let message = prose!("{} is a git repository of its own", &folder);
                return Err(Error::new(ErrorKind::Refused, message).help("commit it there"));
            }
            let with_folder = |(path, entry)| (history.path(&format!("{name}/{path}")), entry);
            files.extend(snapshot.entries.into_iter().map(with_folder));
        }
        for name in names {
            let path = history.folder.join(name);
            match read_text(&path) {
                Ok(text) => {
                    let bytes = text.into_bytes();
                    let executable = false;
                    let file = FileBytes::new(bytes, executable);
                    files.insert(history.path(name), Entry::File(file));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Error::io(&path, "cannot be read", error)),
            }
        }
        let paths = names
            .iter()
            .chain(folders)
            .map(|path| history.path(path))
            .collect();
        for path in ignored(history, files.keys())? {
            files.remove(&path);
        }
        Ok(Self { paths, files })
    }

    /// Creates the commit on top of `head`, and returns it. Returns `None` if it would be empty.
    fn make(
        &self,
        history: &History<'_>,
        head: Option<&str>,
        message: &str,
    ) -> Result<Option<String>, Error> {
        let empty = empty_folder(history)?;
        // A foreign repository can hold a known name as a symbolic reference to a branch, and the import would move that
        // branch. Nobody can foresee this name.
        let random = RandomState::new().build_hasher().finish();
        let next = format!("{NEXT}/{NEXT_NAME}{random:016x}");
        let unfinished = unfinished(history)?;
        let import = history.call("its change cannot be committed").arguments(&[
            "fast-import",
            "--quiet",
            "--force",
        ]);
        let input = self.stream(&next, &history.identity(), head, message);
        history.git.output(import.input(&input), history.observer)?;
        let call = history.call("the new commit cannot be read").arguments(&[
            "rev-parse",
            &next,
            &format!("{next}^{{tree}}"),
        ]);
        let call = match head {
            Some(head) => call.argument(format!("{head}^{{tree}}")),
            None => call,
        };
        let read = history.text(call)?;
        let mut read = read.lines();
        let new = read.next().unwrap_or_default();
        let tree = read.next();
        let same = match head {
            Some(_) => tree == read.next(),
            None => self.files.is_empty(),
        };
        let mut updates = format!("option no-deref\ndelete {next} {new}\n");
        for left in unfinished {
            // Without `no-deref`, a symbolic reference that a stranger planted would delete its branch.
            updates = format!("{updates}option no-deref\ndelete {left}\n");
        }
        if !same {
            // With the old value: if another process has committed meanwhile, this fails and loses no commit.
            let old = head.map_or_else(|| "0".repeat(new.len()), str::to_owned);
            updates = format!("{updates}update HEAD {new} {old}\n");
        }
        let call = history
            .call("the new commit cannot be recorded")
            .arguments(&["update-ref", "--stdin"]);
        history
            .git
            .output(call.input(updates.as_bytes()), history.observer)?;
        if same {
            return Ok(None);
        }
        self.index(history, &empty, new)?;
        Ok(Some(new.to_owned()))
    }

    /// Writes the input of `git fast-import`.
    fn stream(&self, next: &str, identity: &str, head: Option<&str>, message: &str) -> Vec<u8> {
        let length = message.len();
        let mut stream =
            format!("commit {next}\ncommitter {identity}\ndata {length}\n{message}\n").into_bytes();
        if let Some(head) = head {
            stream.extend(format!("from {head}\n").into_bytes());
        }
        // Deletions first, so that a file which no longer exists is not in the commit.
        for path in &self.paths {
            stream.extend(format!("D {}\n", quoted(path)).into_bytes());
        }
        for (path, entry) in &self.files {
            let (mode, bytes) = match entry {
                Entry::Link(target) => ("120000", target.as_os_str().as_encoded_bytes()),
                Entry::File(file) if file.executable => ("100755", &*file.bytes),
                Entry::File(file) => ("100644", &*file.bytes),
            };
            let head = format!("M {mode} inline {}\ndata {}\n", quoted(path), bytes.len());
            stream.extend(head.into_bytes());
            stream.extend(bytes);
            stream.push(b'\n');
        }
        stream
    }

    /// Writes the committed paths to the user's index. Otherwise `git status` would show the change as undone.
    fn index(&self, history: &History<'_>, empty: &Path, commit: &str) -> Result<(), Error> {
        let paths: Vec<&str> = self.paths.iter().map(String::as_str).collect();
        let list = |arguments: &[&str], most: Most| {
            let call = history
                .call("its index cannot be read")
                .arguments(arguments)
                .most(most);
            history.git.output(call.arguments(&paths), history.observer)
        };
        // Literal pathspecs: a path may contain `*` or `[`.
        let all = Most::default();
        let now = list(&["--literal-pathspecs", "ls-files", "-z", "--"], all)?;
        let new = ["ls-tree", "-r", "-z", "--full-tree", commit, "--"];
        let new = list(&new, all)?;
        let mut input = Vec::new();
        let nothing = "0".repeat(commit.len());
        for path in now.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            input.extend(format!("0 {nothing}\t").into_bytes());
            input.extend(path);
            input.push(0);
        }
        input.extend(new);
        write_index(history, empty, &input)
    }
}

/// Writes entries to the user's index, with an empty folder as the working tree.
///
/// When git writes an index, it compares each file that was changed in the same second as the index. To compare, it
/// converts the file with the filters of the repository, which are programs. An empty folder has no file to compare.
/// The index then gets back its earlier time, so that git still compares these files for the user.
fn write_index(history: &History<'_>, empty: &Path, input: &[u8]) -> Result<(), Error> {
    let index = history.inside_git("index");
    let before = fs::metadata(&index).and_then(|index| index.modified()).ok();
    let call = history.call_in(empty, "its index cannot be written")?;
    let call = call.arguments(&["update-index", "-z", "--index-info"]);
    history.git.output(call.input(input), history.observer)?;
    if let Some(before) = before {
        let set = fs::File::options()
            .append(true)
            .open(&index)
            .and_then(|index| index.set_modified(before));
        set.map_err(|error| Error::io(&index, "cannot be written", error))?;
    }
    Ok(())
}

/// Lists the references that killed processes left.
fn unfinished(history: &History<'_>) -> Result<Vec<String>, Error> {
    let all = list(&history.inside_git(NEXT))?.into_iter();
    let is_ours = |name: &String| {
        let digits = name.strip_prefix(NEXT_NAME);
        digits.is_some_and(|digits| {
            digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    };
    let names = all.map(|(name, _)| name).filter(is_ours);
    Ok(names.map(|name| format!("{NEXT}/{name}")).collect())
}

/// Returns the empty folder of a repository. The folder is made once and stays: no step of ours may fail between the
/// commit and the index.
fn empty_folder(history: &History<'_>) -> Result<PathBuf, Error> {
    let place = history.inside_git(EMPTY);
    let failed = |error| Error::io(&place, "cannot be created", error);
    match patient(|| fs::read_dir(&place)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir(&place).map_err(failed)?;
        }
        listed => {
            if listed.map_err(failed)?.next().is_some() {
                let message = prose!("{} is not empty", &place);
                let help = "look at the files in this folder, then remove the folder";
                return Err(Error::new(ErrorKind::Refused, message).help(help));
            }
        }
    }
    Ok(place)
}

/// Returns the paths that the repository ignores.
pub(crate) fn ignored<'p>(
    history: &History<'_>,
    paths: impl Iterator<Item = &'p String>,
) -> Result<BTreeSet<String>, Error> {
    let paths: Vec<&String> = paths.collect();
    refuse_ignore_files(history.root(), &paths)?;
    if let Some(file) = excludes_file(history)? {
        refuse_ignore_file(history.root(), &file)?;
    }
    let input: Vec<String> = paths.iter().map(|path| format!("{path}\0")).collect();
    // The code 1 means that no path is ignored.
    let call = history
        .call("what it ignores cannot be read")
        .answer(1)
        .arguments(&["check-ignore", "-z", "--stdin", "--verbose"])
        .input(input.concat().as_bytes());
    let output = history.git.output(call, history.observer)?;
    let output = String::from_utf8_lossy(&output);
    // Four fields for each path: the file, the line and the pattern that match, and the path.
    let words: Vec<&str> = output.split('\0').collect();
    let ignored = words.chunks_exact(4).filter_map(|words| match words {
        [_, _, pattern, path] if !pattern.is_empty() && !pattern.starts_with('!') => {
            Some((*path).to_owned())
        }
        _ => None,
    });
    Ok(ignored.collect())
}

/// Returns the ignore file that the configuration names.
fn excludes_file(history: &History<'_>) -> Result<Option<String>, Error> {
    // The code 1 means that the configuration names no file.
    let call = history
        .call("its configuration cannot be read")
        .answer(1)
        .arguments(&["config", "--type=path", "-z", "--get", "core.excludesFile"]);
    let file = history.text(call)?;
    let file = file.trim_end_matches('\0');
    Ok((!file.is_empty()).then(|| file.to_owned()))
}

/// Quotes a path for `fast-import`.
fn quoted(path: &str) -> String {
    let mut text = String::from("\"");
    for c in path.chars() {
        match c {
            '"' => text += "\\\"",
            '\\' => text += "\\\\",
            '\n' => text += "\\n",
            c => text.push(c),
        }
    }
    text + "\""
}
