//! The file of a conversation, which one program at a time has open.

use crate::disk::{LockFile, make_folder, read_json, replace_file};
use crate::error::{Error, ErrorKind};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use skills_format::disk::{Folder, resolve};
use skills_format::{SkillName, prose};
use skills_session::session::SessionState;
use std::borrow::Cow;
use std::fs::DirBuilder;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The content of the file. Both parts are in one file, because a reminder of the session refers to a text that must
/// stand in the messages: a program that is killed between two files would lose one of the two.
#[derive(Serialize, Deserialize)]
pub(super) struct Content<M> {
    pub(super) session: SessionState,
    pub(super) messages: M,
}

/// An open file. Dropping the value lets another program open the file.
#[derive(Debug)]
pub(super) struct ConversationFile {
    path: PathBuf,
    _lock: LockFile,
}

impl ConversationFile {
    pub(super) fn open(folder: &Path, name: &str) -> Result<Self, Error> {
        SkillName::new(name).map_err(|error| {
            let shown = name.escape_debug();
            let message = format!("no conversation can have the name '{shown}': {error}");
            Error::new(ErrorKind::Usage, message).help("write a name such as `main`")
        })?;
        make_folder(folder)?;
        let conversations = folder.join("conversations");
        make_private(&conversations)?;
        let path = conversations.join(format!("{name}.json"));
        // Two programs that write one file would each remove the messages of the other.
        let lock = path.with_extension("lock");
        let failed = |error| Error::io(&lock, "cannot be locked", error);
        let file = Folder::open(&conversations)
            .and_then(|folder| folder.lock_file(lock.file_name().unwrap_or_default()));
        let file = LockFile(file.map_err(failed)?);
        if !file.try_hold().map_err(failed)? {
            let message = prose!("{} is open in {}", &path, file.holder());
            let help = "end that program, or give this conversation another name";
            return Err(Error::new(ErrorKind::Refused, message).help(help));
        }
        file.sign();
        Ok(Self { path, _lock: file })
    }

    pub(super) fn read<M: DeserializeOwned>(&self) -> Result<Option<Content<Vec<M>>>, Error> {
        read_json(&self.path)
    }

    pub(super) fn write<M: Serialize>(&self, content: &Content<&[M]>) -> Result<(), Error> {
        let faulty = |error: serde_json::Error| {
            let message = format!("the conversation cannot be written as JSON: {error}");
            Error::new(ErrorKind::Usage, message)
        };
        let json = serde_json::to_vec(content).map_err(faulty)?;
        // What is nested more deeply than a reader takes can be written: the conversation would be lost at the next start.
        serde_json::from_slice::<serde_json::Value>(&json).map_err(faulty)?;
        replace_file(&self.path, &json)
    }
}

/// Creates a folder that only this user can read: messages hold what a person and the person's files say.
fn make_private(path: &Path) -> Result<(), Error> {
    let mut folder = DirBuilder::new();
    folder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    let made = folder.create(path);
    made.map_err(|error| Error::io(path, "cannot be created", error))
}

/// Returns where a path ends that a tool of this process opens. See [`place_in`].
#[expect(
    clippy::disallowed_methods,
    reason = "a relative path of a tool starts at the working folder of the process"
)]
pub(super) fn place(path: &str) -> Option<Cow<'_, str>> {
    place_in(&std::env::current_dir().ok()?, path)
}

/// Returns where a path ends that a tool of this process opens: relative to the folder if the path ends below it, else
/// absolute. Rules about files are about where a tool reads and writes, and a link of the project can lead anywhere.
/// Returns `None` if the end cannot be known: then no rule may approve the path.
fn place_in<'p>(folder: &Path, path: &'p str) -> Option<Cow<'p, str>> {
    if path.is_empty() {
        return Some(path.into());
    }
    let folder = resolve(folder).ok()?;
    let end = end(&folder.join(path))?;
    // `None` for two names that are not UTF-8, which would look alike.
    let shown = match end.strip_prefix(&folder) {
        Ok(below) if below.as_os_str().is_empty() => ".",
        // Rules are written with `/`.
        Ok(below) if cfg!(windows) => return Some(below.to_str()?.replace('\\', "/").into()),
        Ok(below) => below.to_str()?,
        Err(_) => end.to_str()?,
    };
    Some(shown.to_owned().into())
}

/// The maximum number of links to nothing that are followed.
const MAX_LINKS: usize = 40;

/// Resolves the links of the part of a path that exists. Returns `None` if the end cannot be known.
fn end(path: &Path) -> Option<PathBuf> {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    // Without `.` and double slashes: a path that is too long with them is short without, and a tool opens it.
    let mut path: PathBuf = path.components().collect();
    for _ in 0..MAX_LINKS {
        let existing = existing(&path)?;
        let rest = path.strip_prefix(existing).ok()?;
        if !rest.components().all(is_plain) {
            return None;
        }
        if let Ok(resolved) = resolve(existing) {
            return Some(joined(&resolved, rest));
        }
        // A link to nothing: a tool that writes makes the file at its end.
        let folder = resolve(existing.parent()?).ok()?;
        path = joined(&folder.join(existing.read_link().ok()?), rest);
    }
    None
}

/// Returns the longest part of a path that exists. Returns `None` if that cannot be known: a folder that may not be
/// searched, or a name that is too long, can hide a link.
fn existing(path: &Path) -> Option<&Path> {
    for part in path.ancestors() {
        match part.symlink_metadata() {
            Ok(_) => return Some(part),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
            Err(_) => return None,
        }
    }
    None
}

/// Joins two paths without a slash at the end, behind which a link to nothing is not seen as a link.
fn joined(path: &Path, rest: &Path) -> PathBuf {
    path.components().chain(rest.components()).collect()
}

#[cfg(test)]
mod place_tests {
    #![allow(clippy::disallowed_methods, reason = "a test writes files")]

    use super::*;
    use std::fs;

    #[test]
    fn a_path_below_the_folder_is_relative_and_any_other_is_absolute() {
        let temporary = tempfile::tempdir().expect("a folder");
        let root = resolve(temporary.path()).expect("a folder");
        let folder = root.join("project");
        fs::create_dir_all(folder.join("src")).expect("a folder");
        fs::write(folder.join("src/lib.rs"), "").expect("a file");
        fs::write(root.join("key"), "").expect("a file");
        let known = |path: &str| place_in(&folder, path).map(Cow::into_owned);
        let shown = |path: &str| known(path).expect("a known end");
        let inside = |path: &str| folder.join(path).to_str().expect("UTF-8").to_owned();
        let outside = |path: &str| root.join(path).to_str().expect("UTF-8").to_owned();
        assert_eq!(shown("src/lib.rs"), "src/lib.rs");
        assert_eq!(shown(&inside("src/lib.rs")), "src/lib.rs");
        assert_eq!(shown("src/../src/lib.rs"), "src/lib.rs");
        assert_eq!(shown("src/new/file.rs"), "src/new/file.rs");
        assert_eq!(shown("."), ".");
        assert_eq!(shown(""), "");
        assert_eq!(shown("~/key"), "~/key");
        assert_eq!(shown("../key"), outside("key"));
        assert_eq!(shown("../new"), outside("new"));
        assert_eq!(shown(&outside("key")), outside("key"));
        // What follows a folder that does not exist is not known: it can be a link when the tool runs. Windows removes
        // `..` by the text alone.
        let behind = cfg!(windows).then(|| outside("key"));
        assert_eq!(known("new/../../key"), behind);
        // Windows calls a name that is too long missing, and hides no link behind it.
        let long = "a".repeat(300);
        assert_eq!(known(&long), cfg!(windows).then(|| long.clone()));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_its_end() {
        use std::os::unix::fs::symlink;
        let temporary = tempfile::tempdir().expect("a folder");
        let root = resolve(temporary.path()).expect("a folder");
        let folder = root.join("project");
        fs::create_dir_all(folder.join("src")).expect("a folder");
        fs::write(root.join("key"), "").expect("a file");
        let link = |to: &str, name: &str| symlink(to, folder.join(name)).expect("a link");
        link("../key", "a.txt");
        link("..", "up");
        link("nowhere", "dangling");
        link("../new", "dangling-out");
        link("dangling-out/", "dangling-far");
        link("loop", "loop");
        link("src", "code");
        let known = |path: &str| place_in(&folder, path).map(Cow::into_owned);
        let shown = |path: &str| known(path).expect("a known end");
        let outside = |path: &str| root.join(path).to_str().expect("UTF-8").to_owned();
        assert_eq!(shown("a.txt"), outside("key"));
        assert_eq!(shown("up/key"), outside("key"));
        assert_eq!(shown("up/new"), outside("new"));
        assert_eq!(shown("dangling"), "nowhere");
        assert_eq!(shown("dangling/below"), "nowhere/below");
        assert_eq!(shown("dangling-out"), outside("new"));
        assert_eq!(shown("dangling-far"), outside("new"));
        assert_eq!(shown("dangling-out/."), outside("new"));
        assert_eq!(known("loop"), None);
        // As they are written these paths have almost the length that a system call takes, and are longer with the
        // folder before them.
        for long in [
            format!("src/{}../a.txt", "./".repeat(2_030)),
            format!("src{}../a.txt", "/".repeat(4_080)),
        ] {
            assert_eq!(shown(&long), outside("key"));
        }
        assert_eq!(shown("code/lib.rs"), "src/lib.rs");
    }
}
