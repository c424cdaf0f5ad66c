//! A strict check of a folder of skills: every file is read, every rule is asked.

mod engine;
pub(crate) mod fix;
mod parallel;

use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::disk::Folder;
use crate::tree::contents::Contents;
use crate::tree::{SkillFiles, Tree};
use crate::view::CheckedSkill;
use crate::view::tree::TreeView;

/// Largest file whose bytes [`check_folder`] reads, in bytes.
pub const MAX_FILE: u64 = 1024 * 1024;

/// What a check found.
#[derive(Clone, Debug)]
pub struct Checked<'t> {
    /// Every skill of the tree, valid or not, in order of folders.
    pub skills: Vec<CheckedSkill<'t>>,
    /// The findings, in the order of [`Diagnostic::sort`].
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a tree that holds the bytes of its files.
///
/// `root` is the path that is shown before every path of the tree, such as `skills`. If the root
/// itself is a skill, the last part of `root` is the name of its folder.
///
/// # Cost
///
/// Parses every `SKILL.md` once, on as many threads as the machine has cores.
pub fn check<'t>(root: &str, tree: &'t Tree, config: &Config) -> Checked<'t> {
    let all = tree.skills();
    let skills = parallel::map(&all, |skill| {
        CheckedSkill::new(root, skill.dir, skill.files)
    });
    let view = view(root, tree, all, config);
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

/// Checks a tree of names alone, as [`Contents::Names`] gives it. The findings are those of
/// [`check`].
///
/// The bytes are read from `folder`, one skill at a time, and not kept. Files beside the `SKILL.md`
/// are read only if a rule that is not allowed looks into them. If a skill is over the limits, only the
/// lengths of its files are read. A file that cannot be read is a finding.
///
/// # Cost
///
/// Reads each file once. Skills that a rule compares with others are read again.
pub fn check_folder(folder: &Folder, root: &str, tree: &Tree, config: &Config) -> Vec<Diagnostic> {
    let view = view(root, tree, tree.skills(), config);
    let limits = config.limits;
    let contents = if engine::look_into_files(config) {
        Contents::All {
            max: MAX_FILE,
            limits,
        }
    } else {
        Contents::Skills { max: MAX_FILE }
    };
    engine::check(&view, config, &|index, ask| {
        let Some(skill) = view.skills.get(index) else {
            return Vec::new();
        };
        let (files, faults) = skill.read(folder, contents, limits);
        ask(&CheckedSkill::new(root, skill.dir, &files));
        faults
    })
}

fn view<'a>(
    root: &'a str,
    tree: &'a Tree,
    skills: Vec<SkillFiles<'a>>,
    config: &'a Config,
) -> TreeView<'a> {
    let tools = config.tools.as_deref();
    TreeView::new(root, tree, skills, config.budget, tools, config.limits)
}
