//! Strict checks of a folder of skills: every active rule sees every skill.

mod engine;
#[cfg(feature = "program")]
pub(crate) mod fix;
mod fixed_file;
#[cfg(feature = "program")]
mod guard;
mod memory;
mod offer;
mod parallel;
pub(crate) mod suppression;

use crate::check::engine::Told;
pub use crate::check::memory::Memory;
use crate::view::CheckedSkill;
use crate::view::scope::Scope;
use crate::view::tree::TreeView;
use skills_check::Config;
use skills_format::diagnostic::Diagnostic;
use skills_format::disk::Folder;
use skills_format::tree::contents::Contents;
use skills_format::tree::{SkillFiles, Tree, TreeFault, TreeFile};

/// The maximum length of a file that [`check_folder`] reads, in bytes.
pub const MAX_FILE: u64 = 1024 * 1024;

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Checked<'t> {
    /// Every skill of the tree, valid or not, in order of folders.
    pub skills: Vec<CheckedSkill<'t>>,
    /// The findings, in the order of [`Diagnostic::sort`].
    pub diagnostics: Vec<Diagnostic>,
    /// The findings that a comment suppressed.
    pub suppressed: Vec<Diagnostic>,
}

/// The result of a check of a bundle.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The findings, in the order of [`Diagnostic::sort`].
    pub diagnostics: Vec<Diagnostic>,
    /// The findings that a comment suppressed.
    pub suppressed: Vec<Diagnostic>,
    /// The name of each skill, or of its folder if the skill has no readable name.
    pub names: Vec<String>,
}

/// Checks a tree that holds the bytes of its files.
///
/// `root` is the path before every path of the tree for display, such as `skills`. If the root itself
/// is a skill, the last part of `root` is the name of the skill's folder.
///
/// # Cost
///
/// Parses every `SKILL.md` once, on as many threads as the machine has cores.
pub fn check<'t>(root: &str, tree: &'t Tree, config: &Config) -> Checked<'t> {
    let all = tree.skills();
    let view = view(root, tree, all.clone(), config, Scope::default());
    let skills = parallel::map(&all, |skill| {
        CheckedSkill::new(&view, skill.into(), skill.files)
    });
    let mut told = engine::check(&view, config, &|index, ask| {
        if let Some(skill) = skills.get(index) {
            ask(skill);
        }
        Vec::new()
    });
    seal(&mut told, config);
    Checked {
        skills,
        diagnostics: told.diagnostics,
        suppressed: told.suppressed,
    }
}

/// Checks a tree of names alone, as read with [`Contents::Names`]. The findings are the same as of
/// [`check`].
///
/// The bytes are read from `folder`, one skill at a time, and not kept. Files beside the `SKILL.md`
/// are read only if an active rule needs their bytes. If a skill is over the limits, only the
/// lengths of its files are read. A file that cannot be read is a finding.
///
/// # Cost
///
/// Reads each file once. Skills that a rule compares with others are read again.
pub fn check_folder(folder: &Folder, root: &str, tree: &Tree, config: &Config) -> Vec<Diagnostic> {
    let view = view(root, tree, tree.skills(), config, Scope::default());
    let mut told = engine::check(&view, config, &|index, ask| {
        read(folder, &view, config, index, ask)
    });
    seal(&mut told, config);
    told.diagnostics
}

/// Checks one bundle of a repository. `tree` holds the files of its skills and no bytes, as for
/// [`check_folder`]. A skill whose file is called `skill.md` is checked too.
///
/// The names of `sealed` are not compared with the skills, since one `skills.toml` can configure several bundles.
///
/// # Cost
///
/// The cost of [`check_folder`].
pub fn check_bundle(
    folder: &Folder,
    root: &str,
    tree: &Tree,
    config: &Config,
    scope: Scope<'_>,
) -> Found {
    let view = view(root, tree, tree.skills_of_any_case(), config, scope);
    found(engine::check(&view, config, &|index, ask| {
        read(folder, &view, config, index, ask)
    }))
}

/// Checks one bundle of a repository as [`check_bundle`] does, and reads only the skills that the memory does not hold.
/// The findings are those of [`check_bundle`] if [`Memory::forget`] was called for each changed skill, and the tree, the
/// options and the names of files are those of the last check.
///
/// # Cost
///
/// The cost of [`check_bundle`] for the forgotten skills, and the rules that compare all skills.
pub fn check_bundle_again(
    folder: &Folder,
    root: &str,
    tree: &Tree,
    config: &Config,
    scope: Scope<'_>,
    memory: &mut Memory,
) -> Found {
    let view = view(root, tree, tree.skills_of_any_case(), config, scope);
    let read = |index: usize, ask: &mut dyn FnMut(&CheckedSkill<'_>)| {
        read(folder, &view, config, index, ask)
    };
    found(engine::check_again(&view, config, &read, memory))
}

/// Checks one bundle of a repository whose tree holds the bytes of its files.
///
/// # Cost
///
/// The cost of [`check`].
pub fn check_bytes(root: &str, tree: &Tree, config: &Config, scope: Scope<'_>) -> Found {
    let view = view(root, tree, tree.skills_of_any_case(), config, scope);
    found(engine::check(&view, config, &|index, ask| {
        if let Some(skill) = view.skills.get(index) {
            ask(&CheckedSkill::new(&view, skill.into(), skill.files));
        }
        Vec::new()
    }))
}

fn found(told: Told) -> Found {
    Found {
        diagnostics: told.diagnostics,
        suppressed: told.suppressed,
        names: told.names,
    }
}

fn seal(told: &mut Told, config: &Config) {
    let names = told.names.iter().map(String::as_str).collect();
    let unknown = config.unknown_seals(&names);
    if !unknown.is_empty() {
        told.diagnostics.extend(unknown);
        Diagnostic::sort(&mut told.diagnostics);
    }
}

/// Reads the skill at an index, and calls a function with it.
fn read(
    folder: &Folder,
    view: &TreeView<'_>,
    config: &Config,
    index: usize,
    ask: &mut dyn FnMut(&CheckedSkill<'_>),
) -> Vec<TreeFault> {
    let Some(skill) = view.skills.get(index) else {
        return Vec::new();
    };
    let limits = view.limits_of_reading();
    let contents = if engine::look_into_files(config) && (view.scope.asked)(skill.dir) {
        Contents::All {
            max: MAX_FILE,
            limits,
        }
    } else {
        Contents::Skills { max: MAX_FILE }
    };
    let (mut files, mut faults) = skill.read(folder, contents, limits);
    replace(&mut files, &mut faults, view);
    ask(&CheckedSkill::new(view, skill.into(), &files));
    faults
}

/// Puts the texts that replace files in the place of the bytes on the disk.
fn replace(files: &mut [TreeFile], faults: &mut Vec<TreeFault>, view: &TreeView<'_>) {
    for file in files {
        let Some(text) = (view.scope.texts)(&file.path) else {
            continue;
        };
        let is_short = u64::try_from(text.len()).is_ok_and(|length| length <= MAX_FILE);
        file.size = u64::try_from(text.len()).unwrap_or(u64::MAX);
        // A file without bytes is over a limit: its new bytes are not read either, unless the file itself was too long.
        file.bytes = is_short.then(|| text.to_vec());
        faults.retain(|fault| fault.path != file.path);
    }
}

fn view<'a>(
    root: &'a str,
    tree: &'a Tree,
    skills: Vec<SkillFiles<'a>>,
    config: &'a Config,
    scope: Scope<'a>,
) -> TreeView<'a> {
    TreeView::new(root, tree, skills, scope, config)
}
