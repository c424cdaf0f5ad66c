//! What rules see: one skill, the tree around it, all skills together.

mod address;
pub(crate) mod bundle;
pub(crate) mod markdown;
pub(crate) mod references;
pub(crate) mod skill;
pub(crate) mod tree;

use crate::skill::file::SkillFile;
use crate::tree::{TreeFile, in_folder, join};

/// One skill of a checked tree.
#[derive(Clone, Debug)]
pub struct CheckedSkill<'t> {
    /// Its folder, relative to the tree's root.
    pub dir: &'t str,
    /// The `SKILL.md` as far as it can be read.
    pub file: SkillFile<'t>,
    /// All its files, the `SKILL.md` included.
    pub files: &'t [TreeFile],
}

impl<'t> CheckedSkill<'t> {
    pub(crate) fn new(root: &str, dir: &'t str, files: &'t [TreeFile]) -> Self {
        let path = join(root, &join(dir, "SKILL.md"));
        let folder = path.rsplit('/').nth(1).unwrap_or(root).to_owned();
        let is_entry = |file: &&TreeFile| in_folder(dir, &file.path) == Some("SKILL.md");
        let bytes = files.iter().find(is_entry).map(|file| &file.bytes);
        let bytes = bytes.and_then(Option::as_deref).unwrap_or_default();
        Self {
            dir,
            file: SkillFile::read(path, folder, bytes),
            files,
        }
    }
}
