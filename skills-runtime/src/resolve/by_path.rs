//! Finds skills by the paths of their files, in every form that a catalog text can show.

use crate::catalog::Catalog;
use crate::catalog::places::{Places, is_unwritable};
use crate::catalog::skill::Skill;
use skills_format::text::path::PathText as _;
use std::collections::BTreeMap;
use std::path::{Path, is_separator};

/// The skills of a catalog by their folders.
pub(crate) struct SkillsByPath<'c> {
    places: &'c Places,
    /// The skills by the folder's path in normal form.
    folders: BTreeMap<String, Found<'c>>,
}

#[derive(Clone, Copy)]
enum Found<'c> {
    /// One folder has this path. The skill is the nearest skill in it.
    One(Skill<'c>, Dir<'c>),
    /// Different folders have the same written path, so the path names no skill.
    Several,
}

/// A folder of a source, or the folder of an extracted bundle and the path of a skill in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dir<'c> {
    Listed(&'c Path),
    Extracted(&'c Path, &'c str),
}

impl<'c> SkillsByPath<'c> {
    pub(crate) fn new(catalog: &'c Catalog) -> Self {
        let mut by_path = Self {
            places: catalog.places(),
            folders: BTreeMap::new(),
        };
        for skill in catalog {
            if let Some(dir) = skill.folder() {
                by_path.add(&dir.shown(), Dir::Listed(dir), skill);
            } else if let Some((folder, dir)) = skill.extracted() {
                let written = folder.join(dir);
                by_path.add(&written.shown(), Dir::Extracted(folder, dir), skill);
            }
        }
        by_path
    }

    fn add(&mut self, written: &str, dir: Dir<'c>, skill: Skill<'c>) {
        let found = self
            .folders
            .entry(normal(written))
            .or_insert(Found::One(skill, dir));
        if !matches!(found, Found::One(_, known) if *known == dir) {
            *found = Found::Several;
        }
    }

    /// Returns the skill whose `SKILL.md` has this path. The file name is case-insensitive.
    pub(crate) fn file(&self, path: &str) -> Option<Skill<'c>> {
        let path = normal(&self.places.expanded(path));
        let (dir, file) = path.rsplit_once('/')?;
        match self.folders.get(dir)? {
            Found::One(skill, _) if file.eq_ignore_ascii_case("SKILL.md") => Some(*skill),
            _ => None,
        }
    }
}

/// Returns a path without `.` and `..`. Works on the text alone and never reads the disk, because
/// resolving is pure. Replaces unwritable characters like a catalog text does.
fn normal(path: &str) -> String {
    let is_absolute = path.starts_with(is_separator);
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(is_separator) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if is_absolute => {}
            part => parts.push(part),
        }
    }
    let mut normal = String::with_capacity(path.len());
    for (i, part) in parts.iter().enumerate() {
        if is_absolute || i > 0 {
            normal.push('/');
        }
        normal.push_str(part);
    }
    if normal.contains(is_unwritable) {
        normal = normal.replace(is_unwritable, "\u{fffd}");
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalised_by_their_words() {
        for (path, expected) in [
            ("/a/./b//../c/", "/a/c"),
            ("/../a", "/a"),
            ("/", ""),
            ("../a/../../b", "../../b"),
            ("a/..", ""),
            ("/a\n/b", "/a\u{fffd}/b"),
        ] {
            assert_eq!(normal(path), expected, "{path:?}");
        }
    }
}
