//! Every other file that differs between two commits. No rule looks for these files, so none is missing in the list.

use crate::files::snapshot::FileBytes;
use crate::git::observer::Observer;
use crate::git::program::Git;
use crate::git::repository::MOST_TREE;
use crate::review::beside::judged;
use crate::review::files::{ChangedFile, ChangedKind};
use crate::review::named::{ending, words};
use crate::review::names::is_open_name;
use crate::review::places::Places;
use crate::review::revision::{MAX_SIDE, Revision, within};
use crate::review::side::{Side, shown};
use skills_store::{Error, ErrorKind};
use std::cell::LazyCell;
use std::collections::BTreeSet;

const NOTHING: &str = "000000";
/// The ends of names that are run. Of other names only paths count: a sentence about `package.json` runs nothing.
const SCRIPTS: [&str; 12] = [
    ".sh", ".bash", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".ps1", ".bat", ".cmd",
];
const LINKS: [&str; 2] = ["120000", "160000"];

/// Returns the files below the folder of two revisions that differ between them, and are in no skill, beside none and reached by none.
///
/// # Errors
///
/// [`ErrorKind::Program`] if git cannot list them.
pub fn others(
    git: &Git,
    [old, new]: [&Revision; 2],
    observer: &dyn Observer,
) -> Result<Vec<ChangedFile>, Error> {
    let prefix = &new.side.prefix;
    let what = format!("cannot compare {} and {}", old.commit, new.commit);
    let mut call = within(&new.top, what.clone()).most(MOST_TREE);
    call = call.arguments(&["diff-tree", "-r", "-z", "--no-renames", "--no-abbrev"]);
    call = call.arguments(&["--ignore-submodules=none", &old.commit, &new.commit, "--"]);
    if !prefix.is_empty() {
        call = call.argument(format!(":(literal){prefix}"));
    }
    let output = git.output(call, observer)?;
    let places = Places::of(&old.side, &new.side);
    let named = LazyCell::new(|| named([&old.side, &new.side]));
    let (mut found, mut read) = (Vec::new(), Vec::new());
    // `:100644 120000 OLD NEW M`, then the path.
    let mut fields = output.split(|byte| *byte == 0);
    while let Some(head) = fields.next().filter(|head| !head.is_empty()) {
        let head = String::from_utf8_lossy(head);
        let words: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
        let (&[old_mode, new_mode, old_id, new_id, _], Some(path)) = (&words[..], fields.next())
        else {
            return Err(Error::new(ErrorKind::Program, what));
        };
        let path = path.strip_prefix(prefix.as_bytes()).unwrap_or(path);
        let path = shown(path);
        let modes = [old_mode, new_mode];
        let is_done = |at: usize| modes[at] == NOTHING || places.is_compared(at, &path);
        if is_done(0) && is_done(1) {
            continue;
        }
        let kind = if modes.iter().any(|mode| LINKS.contains(mode)) {
            ChangedKind::Link
        } else if places.decides(&path) {
            ChangedKind::Deciding
        } else if places.any_name(&path, |path| places.is_in_skill(path))
            || places.is_in_plugin(&path)
        {
            // The `SKILL.md` above came or went, or programs fill the folder.
            ChangedKind::Data
        } else if places.any_name(&path, |path| named.contains(&ending(path))) {
            let sides = [[old_mode, old_id], [new_mode, new_id]];
            read.push((path, sides.map(|side| side.map(str::to_owned))));
            continue;
        } else {
            ChangedKind::Other
        };
        let note = match modes {
            [NOTHING, _] => "added",
            [_, NOTHING] => "removed",
            _ => "changed",
        };
        let id = |id: &str, mode: &str| (mode != NOTHING).then(|| format!("git:{id}"));
        found.push(ChangedFile {
            old: id(old_id, old_mode),
            new: id(new_id, new_mode),
            ..ChangedFile::note(kind, &path, note.to_owned(), kind != ChangedKind::Other)
        });
    }
    let sides = read.iter().flat_map(|(_, sides)| sides);
    let ids = sides.filter(|[mode, _]| mode != NOTHING);
    let ids: Vec<String> = ids.map(|[_, id]| id.clone()).collect();
    let call = || within(&new.top, what.clone());
    let Some(bytes) = git.objects(call, |_| Ok(()), &ids, MAX_SIDE, observer)? else {
        let message = format!(
            "{what}: the files that skills name have more than {MAX_SIDE} bytes, or git lacks objects of them"
        );
        let help = "name a folder; of a partial clone, `git fetch --refetch` gets all objects";
        return Err(Error::new(ErrorKind::Refused, message).help(help));
    };
    let mut bytes = bytes.into_iter();
    for (path, sides) in read {
        let [before, now] = sides.map(|[mode, _]| {
            let bytes = (mode != NOTHING).then(|| bytes.next())??;
            Some(FileBytes::new(bytes, mode == "100755"))
        });
        let is_code = !path.rsplit('/').next().is_some_and(is_open_name);
        let (before, now) = (before.as_ref(), now.as_ref());
        found.extend(judged(&path, before, now, &places, is_code));
    }
    Ok(found)
}

/// Returns the ends of the paths that files of skills and of clients write, and the files to which they lead, however they write
/// the folders before.
fn named(sides: [&Side; 2]) -> BTreeSet<String> {
    let files = sides.into_iter().flat_map(|side| {
        let of_skills = side.skills.iter().flat_map(|skill| skill.files.values());
        let of_clients = side.beside.values().chain(side.outside.values());
        of_skills.chain(of_clients)
    });
    let words = files.flat_map(|file| words(&String::from_utf8_lossy(&file.bytes), &|_| false));
    let is_run = |word: &str| SCRIPTS.iter().any(|end| word.ends_with(end));
    let paths = words.filter(|word| word.contains('/') || is_run(word));
    let endings = paths.flat_map(|word| [ending(&word), ending(word.trim_start_matches('@'))]);
    endings.collect()
}
