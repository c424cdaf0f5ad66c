//! A strict check of a folder of skills: everything is read, every rule is asked, all is told.

use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::parallel;
use crate::read::Contents;
use crate::rules::{self, TreeView};
use crate::skill::SkillFile;
use crate::tree::{Tree, TreeFile};
use std::path::Path;

/// Largest file whose bytes [`check_folder`] looks at.
pub const MAX_FILE: u64 = 1024 * 1024;

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
}

/// Checks a tree. `root` is the path that is shown before every path of the tree, such as `skills`;
/// its last part is the name of the folder when the root itself is a skill.
pub fn check<'t>(root: &str, tree: &'t Tree, config: &Config) -> Checked<'t> {
    let all = tree.skills();
    let skills = parallel::map(&all, |skill| {
        CheckedSkill::new(root, skill.dir, skill.files)
    });
    let view = TreeView::new(root, tree, all, config);
    let diagnostics = rules::check(&view, &|index, ask| {
        if let Some(skill) = skills.get(index) {
            ask(skill);
        }
        Vec::new()
    });
    Checked {
        skills,
        diagnostics,
    }
}

/// The same findings, sorted, for a tree of names alone: the bytes are read from `folder`, one skill
/// at a time, and not kept. Of files beside the `SKILL.md` those are read that a rule looks into.
pub fn check_folder(folder: &Path, root: &str, tree: &Tree, config: &Config) -> Vec<Diagnostic> {
    let view = TreeView::new(root, tree, tree.skills(), config);
    let contents = if rules::look_into_files(config) {
        Contents::All { max: MAX_FILE }
    } else {
        Contents::Skills { max: MAX_FILE }
    };
    rules::check(&view, &|index, ask| {
        let Some(skill) = view.skills.get(index) else {
            return Vec::new();
        };
        let (files, faults) = skill.read(folder, contents);
        ask(&CheckedSkill::new(root, skill.dir, &files));
        faults
    })
}

impl<'t> CheckedSkill<'t> {
    fn new(root: &str, dir: &'t str, files: &'t [TreeFile]) -> Self {
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

/// A path of a tree relative to a folder of it.
pub(crate) fn in_folder<'p>(dir: &str, path: &'p str) -> Option<&'p str> {
    if dir.is_empty() {
        Some(path)
    } else {
        path.strip_prefix(dir)?.strip_prefix('/')
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
