//! Finds skills by the paths of their files, in every form that a catalog text can show.

use crate::catalog::Catalog;
use crate::catalog::places::{Places, is_unwritable};
use crate::catalog::skill::Skill;
use skills_format::text::path::PathText as _;
use std::collections::HashMap;
use std::path::is_separator;

/// The skills of a catalog by their folders.
pub(crate) struct SkillsByPath<'c> {
    places: &'c Places,
    /// The nearest skill of each folder, by the folder's path in normal form. `None`: different folders have the same
    /// written path, so the path names no skill.
    folders: HashMap<String, Option<Skill<'c>>>,
}

impl<'c> From<&'c Catalog> for SkillsByPath<'c> {
    fn from(catalog: &'c Catalog) -> Self {
        let mut folders = HashMap::new();
        for skill in catalog.iter() {
            let extracted = skill.extracted().map(|(folder, dir)| folder.join(dir));
            let Some(folder) = skill.folder().or(extracted.as_deref()) else {
                continue;
            };
            let known = folders
                .entry(normal(&folder.shown()))
                .or_insert(Some(skill));
            // A bundle can be extracted to the same folder as another.
            let place = |skill: &Skill<'c>| (skill.folder(), skill.extracted());
            *known = known.filter(|known| place(known) == place(&skill));
        }
        Self {
            places: catalog.places(),
            folders,
        }
    }
}

impl<'c> SkillsByPath<'c> {
    /// Returns the skill whose `SKILL.md` has this path. The file name is case-insensitive.
    pub(crate) fn file(&self, path: &str) -> Option<Skill<'c>> {
        let path = normal(&self.places.expanded(path));
        let (dir, file) = path.rsplit_once('/')?;
        let is_skill_file = file.eq_ignore_ascii_case("SKILL.md");
        is_skill_file.then(|| self.folders.get(dir).copied()?)?
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
