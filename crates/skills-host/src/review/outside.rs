//! Files outside of the skills that the skills reach: behind links, and by paths with `..`.

use crate::files::snapshot::FileBytes;
use crate::review::leads::resolved;
use crate::review::step;
use skills_format::join;
use skills_store::Error;
use std::collections::BTreeSet;
use std::path::Path;

/// The most links on the way to a file, as on Linux.
const MOST_LINKS: usize = 40;

/// The files of a version: of a folder, or of a commit.
pub(super) trait Tree {
    /// Returns whether a path is that of a file, and of no link.
    fn is_file(&self, path: &str) -> bool;
    /// Returns the text of a link.
    fn link(&self, path: &str) -> Option<String>;
    /// Lists the files below a folder, by their paths from the root.
    fn below(&self, folder: &str) -> Result<Vec<String>, Error>;
    /// Reads files by their paths, in order.
    fn read(&self, paths: &[Vec<u8>]) -> Result<Vec<FileBytes>, Error>;
}

/// A file of a skill: its path, and the folder of the skill.
pub(super) type SkillFile<'s> = (String, &'s str, &'s FileBytes);

/// Returns the paths of the files at targets and below them, and of those that files of skills name.
pub(super) fn paths(
    targets: BTreeSet<String>,
    files: &[SkillFile<'_>],
    tree: &dyn Tree,
) -> Result<BTreeSet<String>, Error> {
    let mut found = BTreeSet::new();
    let mut last: Option<String> = None;
    for target in targets {
        // A folder above was listed with all that is below. The order is that of the texts: `a`, `a-b`, `a/b`.
        let is_listed = last.as_ref().is_some_and(|last| is_below(&target, last));
        if tree.is_file(&target) {
            found.insert(target);
        } else if !is_listed {
            found.extend(tree.below(&target)?);
            last = Some(target);
        }
    }
    for (path, skill, file) in files {
        let text = std::str::from_utf8(&file.bytes).ok();
        let text = text.filter(|text| text.contains("../"));
        if let Some(text) = text {
            found.extend(named_above(path, skill, text, tree));
        }
    }
    Ok(found)
}

/// Returns whether a path is below a folder; every path is below the root.
pub(super) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// Returns where a link leads in the side, over links on the way.
pub(super) fn end_of(
    path: &str,
    text: &str,
    link: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    let mut links = 0;
    let mut done: Vec<String> = path.split('/').map(str::to_owned).collect();
    done.pop();
    let parts = |text: &str| text.split('/').rev().map(str::to_owned).collect();
    let mut left: Vec<String> = parts(text);
    if text.starts_with('/') {
        return None;
    }
    while let Some(part) = left.pop() {
        step(1);
        match part.as_str() {
            "" | "." => continue,
            ".." => drop(done.pop()?),
            _ => done.push(part),
        }
        if let Some(text) = link(&done.join("/")) {
            links += 1;
            if links > MOST_LINKS || text.starts_with('/') {
                return None;
            }
            done.pop();
            left.extend::<Vec<String>>(parts(&text));
        }
    }
    Some(done.join("/"))
}

/// Returns the files that a text names by paths with `..`, from its own folder or from that of the skill. A link of Markdown to
/// code is a place to look at, and runs nothing.
fn named_above(path: &str, skill: &str, text: &str, tree: &dyn Tree) -> BTreeSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || "_-./${}@+".contains(c);
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut end = 0;
    for (at, _) in text.match_indices("../") {
        if at < end {
            continue;
        }
        let start = text[end..at].rfind(|c| !is_part(c));
        let start = start.map_or(end, |it| end + it);
        let before = text[start..].chars().next().filter(|c| !is_part(*c));
        let start = start + before.map_or(0, char::len_utf8);
        let rest = &text[start..];
        let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        end = start + word.len();
        if !seen.insert((before, word)) {
            continue;
        }
        // `$SKILL_DIR/../x`: the variable holds the folder of the skill.
        let (first, below) = word.split_once('/').unwrap_or(("", word));
        let word = if first.contains(['$', '{']) {
            below
        } else {
            word
        };
        for base in [folder, skill] {
            let target = resolved(&join(base, "x"), word.trim_end_matches('.'));
            let target = target.filter(|target| tree.is_file(target));
            let is_read = |target: &String| {
                let end = Path::new(target).extension();
                before != Some('(') || end.is_some_and(|end| end.eq_ignore_ascii_case("md"))
            };
            found.extend(target.filter(is_read));
        }
    }
    found
}
