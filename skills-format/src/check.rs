//! A strict check of a folder of skills: everything is read, every rule is asked, all is told.

use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::parallel;
use crate::rules;
use crate::skill::{Skill, SkillFile};
use crate::tree::{SkillFiles, Tree, TreeFile};

/// What a check found.
#[derive(Clone, Debug)]
pub struct Checked<'t> {
    /// Every skill of the tree, usable or not, in order of folders.
    pub skills: Vec<CheckedSkill<'t>>,
    /// Sorted.
    pub diagnostics: Vec<Diagnostic>,
}

/// One skill of a checked tree.
#[derive(Clone, Debug)]
pub struct CheckedSkill<'t> {
    /// Its folder, relative to the tree's root.
    pub dir: &'t str,
    /// The `SKILL.md` as far as it can be read.
    pub file: SkillFile<'t>,
    /// All its files, the `SKILL.md` included.
    pub files: &'t [TreeFile],
    /// The skill, when its name and description are right.
    pub skill: Option<Skill>,
}

/// Checks a tree. `root` is the path that is shown before every path of the tree, such as `skills`;
/// its last part is the name of the folder when the root itself is a skill.
pub fn check<'t>(root: &str, tree: &'t Tree, config: &Config) -> Checked<'t> {
    let skills = parallel::map(&tree.skills(), |files| read(root, *files));
    let diagnostics = rules::check(root, tree, &skills, config);
    Checked {
        skills,
        diagnostics,
    }
}

fn read<'t>(root: &str, SkillFiles { dir, file, files }: SkillFiles<'t>) -> CheckedSkill<'t> {
    let path = join(root, &file.path);
    let folder = path.rsplit('/').nth(1).unwrap_or(root).to_owned();
    let file = SkillFile::read(path, folder, file.bytes.as_deref().unwrap_or_default());
    let skill = file.strict();
    CheckedSkill {
        dir,
        file,
        files,
        skill,
    }
}

/// A path below a root, as it is shown.
pub fn join(root: &str, path: &str) -> String {
    match (root.trim_end_matches('/'), path) {
        ("" | ".", path) => path.to_owned(),
        (root, "") => root.to_owned(),
        (root, path) => format!("{root}/{path}"),
    }
}
