//! Every other file that differs between two commits. No rule looks for these files, so none is missing in the list.

use crate::git::observer::Observer;
use crate::git::program::Git;
use crate::git::repository::MOST_TREE;
use crate::review::files::{ChangedFile, ChangedKind, is_open_name};
use crate::review::places::Places;
use crate::review::revision::{Revision, within};
use crate::review::side::{Side, shown};
use crate::review::step;
use skills_store::{Error, ErrorKind};
use std::cell::LazyCell;
use std::collections::BTreeSet;

const NOTHING: &str = "000000";
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
    let mut found = Vec::new();
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
        if [0, 1]
            .iter()
            .all(|&at| modes[at] == NOTHING || places.is_compared(at, &path))
        {
            continue;
        }
        let kind = if modes.iter().any(|mode| LINKS.contains(mode)) {
            ChangedKind::Link
        } else if places.decides(&path) {
            ChangedKind::Deciding
        } else if places.is_in_skill(&path) {
            // The `SKILL.md` above came or went.
            ChangedKind::Data
        } else if !is_open_name(&path) && named.contains(&ending(&path)) {
            ChangedKind::Code
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
    Ok(found)
}

/// Returns the ends of the paths that files of skills and of clients write, however they write the folders before.
fn named(sides: [&Side; 2]) -> BTreeSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || "._-+/\\".contains(c);
    let mut found = BTreeSet::new();
    for side in sides {
        let of_skills = side.skills.iter().flat_map(|skill| skill.files.values());
        let files = of_skills.chain(side.beside.values());
        for text in files.filter_map(|file| std::str::from_utf8(&file.bytes).ok()) {
            let words = text.split(|c| !is_part(c));
            for word in words.filter(|word| word.contains(['/', '\\'])) {
                step(1);
                found.insert(ending(word.trim_end_matches('.')));
            }
        }
    }
    found
}

/// Returns the last two parts of a path, in one letter case.
fn ending(path: &str) -> String {
    let parts = path.rsplit(['/', '\\']);
    let mut last: Vec<&str> = parts
        .filter(|part| !matches!(*part, "" | "."))
        .take(2)
        .collect();
    last.reverse();
    last.join("/").to_lowercase()
}
