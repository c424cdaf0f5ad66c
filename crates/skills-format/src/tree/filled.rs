//! Folders that programs fill with build output or installed packages.

use crate::disk::{Folder, Item, Kind};
use crate::tree::is_skill_file_of_any_case;
use std::ffi::OsStr;

/// Returns whether a path has a part that names a folder which programs fill.
pub fn names_filled(path: &str) -> bool {
    path.split('/').any(|part| is_filled_name(OsStr::new(part)))
}

/// Returns whether a program fills a folder of this name.
pub fn is_filled_name(name: &OsStr) -> bool {
    name == "node_modules" || name == "target"
}

/// Returns whether a program fills a child folder: the name says so, and the child is not a skill itself. No build and
/// no package manager writes a `SKILL.md` directly into such a folder, and clients list the skill.
pub fn is_filled(folder: &Folder, name: &OsStr) -> bool {
    is_filled_name(name) && !has_skill_file(folder, name)
}

/// Returns whether a child folder has a `SKILL.md`.
pub fn has_skill_file(folder: &Folder, name: &OsStr) -> bool {
    // A folder of installed packages has a few thousand items at most; what lies in them is not listed.
    const MOST_ITEMS: usize = 100_000;
    let is_skill_file = |item: &Item| {
        item.kind != Kind::Folder && is_skill_file_of_any_case(&item.name.to_string_lossy())
    };
    let listed = folder.listed_child(name, MOST_ITEMS);
    listed.is_ok_and(|(_, items)| items.iter().any(is_skill_file))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test writes files")]
mod tests {
    use super::*;
    use crate::tree::Tree;
    use crate::tree::contents::Contents;
    use std::{fs, io};

    #[test]
    fn a_skill_with_the_name_of_a_filled_folder_is_read() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        for folder in [
            "target",
            "group/node_modules",
            "built/target/made",
            "built/node_modules/package",
        ] {
            let folder = dir.path().join(folder);
            fs::create_dir_all(&folder)?;
            fs::write(folder.join("SKILL.md"), "")?;
        }
        let tree = Tree::read(dir.path(), Contents::Names)?;
        let paths: Vec<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["group/node_modules/SKILL.md", "target/SKILL.md"]);
        assert!(names_filled("a/target/b") && !names_filled("a/targets"));
        Ok(())
    }
}
