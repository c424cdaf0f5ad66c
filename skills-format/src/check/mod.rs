//! A strict check of a folder of skills: everything is read, every rule is asked, all is told.

mod engine;
pub(crate) mod fix;
mod parallel;

use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::tree::Tree;
use crate::tree::read::Contents;
use crate::view::CheckedSkill;
use crate::view::tree::TreeView;
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

/// Checks a tree. `root` is the path that is shown before every path of the tree, such as `skills`;
/// its last part is the name of the folder when the root itself is a skill.
pub fn check<'t>(root: &str, tree: &'t Tree, config: &Config) -> Checked<'t> {
    let all = tree.skills();
    let skills = parallel::map(&all, |skill| {
        CheckedSkill::new(root, skill.dir, skill.files)
    });
    let view = TreeView::new(root, tree, all, config.budget, config.tools.as_deref());
    let diagnostics = engine::check(&view, config, &|index, ask| {
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
    let view = TreeView::new(
        root,
        tree,
        tree.skills(),
        config.budget,
        config.tools.as_deref(),
    );
    let contents = if engine::look_into_files(config) {
        Contents::All { max: MAX_FILE }
    } else {
        Contents::Skills { max: MAX_FILE }
    };
    engine::check(&view, config, &|index, ask| {
        let Some(skill) = view.skills.get(index) else {
            return Vec::new();
        };
        let (files, faults) = skill.read(folder, contents);
        ask(&CheckedSkill::new(root, skill.dir, &files));
        faults
    })
}
