//! The two versions that are compared.

use crate::commands::check::read::named;
use crate::commands::install::session::Watcher;
use crate::environment::Environment;
use crate::outcome::Failure;
use skills_format::{SKILL_FILE, prose};
use skills_host::files::snapshot::Snapshot;
use skills_host::git::Git;
use skills_host::lock::read_lock;
use skills_host::review::{
    ChangedFile, Side, merge_base, of_revision, of_working_folder, others, toplevel,
};
use std::path::{Path, PathBuf};

/// Two versions, and how they are called.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) old: Side,
    pub(super) new: Side,
    pub(super) base: String,
    pub(super) head: String,
    /// The path before the folders of the skills; empty for the working folder.
    pub(super) prefix: String,
    /// What else two commits differ in.
    pub(super) others: Vec<ChangedFile>,
    /// What was not compared, in words.
    pub(super) left_out: Vec<String>,
}

/// What is not compared where a side is a folder.
pub(super) const OTHERS: &str =
    "files outside the skills that no client reads (compare two commits to include every file)";

/// Reads the sides that the arguments name.
pub(super) fn compared(sides: &[String], env: &Environment) -> Result<Compared, Failure> {
    let folder = |text: &String| {
        let path = env.absolute(Path::new(text));
        // `main..HEAD` is a range, also where a folder has this name: a pull request could add one and be compared with it.
        let is_range = text
            .split('/')
            .any(|part| part.contains("..") && part != "..");
        (!is_range && path.is_dir()).then_some(path)
    };
    let (first, second) = (sides.first(), sides.get(1));
    // An unset variable of a script.
    if sides.iter().any(String::is_empty) {
        let help = "name a revision or a folder";
        return Err(Failure::failed("an argument is empty", help));
    }
    // Two folders. A revision of the same name as a folder is written `NAME..`.
    if let (Some(first), Some(second)) = (first, second)
        && let (Some(old), Some(new)) = (folder(first), folder(second))
    {
        return Ok(Compared {
            old: read(&old)?,
            new: read(&new)?,
            base: first.clone(),
            head: second.clone(),
            prefix: second.trim_end_matches('/').to_owned(),
            left_out: vec![OTHERS.to_owned()],
            ..Compared::default()
        });
    }
    let (range, place) = match (first, second) {
        (Some(only), None) if folder(only).is_some() => ("HEAD", Some(only)),
        (Some(range), place) => (range.as_str(), place),
        (None, _) => ("HEAD", None),
    };
    let at = match place {
        // As git: the whole repository, from any folder of it.
        None => {
            let here = env.absolute(Path::new("."));
            let top = toplevel(&Git::default(), &here, &Watcher::new());
            top.map_or(here, |(top, _)| top)
        }
        Some(place) => folder(place).ok_or_else(|| {
            Failure::failed(
                prose!("{} is not a folder", Path::new(place)),
                "two revisions have dots between them, as in main..HEAD; `skills diff --help` shows the forms",
            )
        })?,
    };
    let shown = place
        .map_or("", |place| place.trim_end_matches('/'))
        .to_owned();
    // A revision of git comes first: a link, and a skill, can have the name of a branch.
    match (of_range(range, &at, shown), first, second) {
        (Err(failure), Some(word), None) => match of_name(word, env)? {
            Some(compared) => Ok(compared),
            None => Err(failure),
        },
        (compared, ..) => compared,
    }
}

/// Compares the skill of a name with the version that was installed, or, of a skill that was not installed, with the last
/// commit of its folder.
fn of_name(name_of: &str, env: &Environment) -> Result<Option<Compared>, Failure> {
    let found = named(PathBuf::from(name_of), env);
    let folder = env.absolute(&found);
    if !folder.join(SKILL_FILE).is_file() {
        return Ok(None);
    }
    let name = folder.file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or(name_of);
    let Some(above) = folder.parent() else {
        return Ok(None);
    };
    let data = env.data_folder();
    let stored = data.and_then(|data| {
        let lock = read_lock(above, &data).ok()?;
        data.store().get(lock.skills.get(name)?.digest).ok()?
    });
    let Some(stored) = stored else {
        let shown = env.shown(&folder);
        return of_range("HEAD", &folder, shown).map(Some);
    };
    let mut new = Side::of_snapshot(name, &Snapshot::read(&folder)?);
    new.add_links(&folder)?;
    Ok(Some(Compared {
        old: Side::of_snapshot(name, &stored),
        new,
        base: "the installed version".to_owned(),
        head: env.shown(&folder),
        ..Compared::default()
    }))
}

fn of_range(range: &str, at: &Path, prefix: String) -> Result<Compared, Failure> {
    let (git, watcher) = (Git::default(), Watcher::new());
    let compared = in_range(range, at, &prefix, &git, &watcher);
    watcher.quiet();
    Ok(Compared {
        prefix,
        ..compared?
    })
}

fn in_range(
    range: &str,
    at: &Path,
    prefix: &str,
    git: &Git,
    watcher: &Watcher,
) -> Result<Compared, Failure> {
    let side = |revision: &str| of_revision(git, at, revision, watcher);
    let is_from_common = range.contains("...");
    let dots = if is_from_common { "..." } else { ".." };
    let (base, head) = match range.split_once(dots) {
        Some((base, "")) => (base, Some("HEAD")),
        Some((base, head)) => (base, Some(head)),
        None => (range, None),
    };
    if base.is_empty() {
        // In a script, the variable before `..HEAD` is not set: HEAD beside HEAD would gain nothing.
        return Err(Failure::failed(
            format_args!("`{range}` names no revision to compare with"),
            "write the revision before the dots, as in main..HEAD",
        ));
    }
    let named = |name: &str, commit: &str| {
        let short = commit.get(..12).unwrap_or(commit);
        if commit.starts_with(name) {
            short.to_owned()
        } else {
            format!("{name} ({short})")
        }
    };
    let (old, base) = if let Some(head) = head.filter(|_| is_from_common) {
        // As in git: what the second revision changed, not what the first one changed meanwhile.
        let old = side(&merge_base(git, at, [base, head], watcher)?)?;
        let name = named(&format!("merge base of {base} and {head}"), &old.commit);
        (old, name)
    } else {
        let old = side(base)?;
        let name = named(base, &old.commit);
        (old, name)
    };
    // The folder of the whole repository holds `.git`: a folder, or the file of a work tree.
    let mut left_out = Vec::new();
    if !at.join(".git").exists() {
        left_out.push(format!("what is outside of {prefix}"));
    }
    let Some(head) = head else {
        left_out.push(OTHERS.to_owned());
        return Ok(Compared {
            new: of_working_folder(git, at, watcher)?,
            head: "working folder".to_owned(),
            base,
            old: old.side,
            left_out,
            ..Compared::default()
        });
    };
    let new = side(head)?;
    Ok(Compared {
        others: others(git, [&old, &new], watcher)?,
        head: named(head, &new.commit),
        new: new.side,
        base,
        old: old.side,
        left_out,
        ..Compared::default()
    })
}

fn read(path: &Path) -> Result<Side, Failure> {
    Side::of_folder(path).map_err(Failure::from)
}
