//! Strict checks of a folder of skills: every active rule sees every skill.

mod engine;
pub(crate) mod fix;
mod offer;
mod parallel;
pub(crate) mod suppression;

pub use engine::Found;

use crate::view::CheckedSkill;
use crate::view::scope::Scope;
use crate::view::tree::TreeView;
use skills_check::Config;
use skills_format::diagnostic::Diagnostic;
use skills_format::disk::Folder;
use skills_format::tree::contents::Contents;
use skills_format::tree::{Tree, TreeFault, TreeFile};

/// The maximum length of a file that [`check_bundle`] reads, in bytes.
pub const MAX_FILE: u64 = 1024 * 1024;

/// Checks a folder of skills whose tree holds the bytes of its files.
///
/// `root` is the path before every path of the tree for display, such as `skills`. If the root itself
/// is a skill, the last part of `root` is the name of the skill's folder.
///
/// # Cost
///
/// Parses every `SKILL.md` once, on as many threads as the machine has cores.
pub fn check(root: &str, tree: &Tree, config: &Config) -> Found {
    let view = TreeView::new(root, tree, tree.skills(), Scope::default(), config);
    let mut found = engine::check(&view, config, &|index, ask| held(&view, index, ask));
    let names = found.names.iter().map(String::as_str).collect();
    found.diagnostics.extend(config.unknown_seals(&names));
    Diagnostic::sort(&mut found.diagnostics);
    found
}

/// Checks one bundle of a repository. A skill whose file is called `skill.md` is checked too.
///
/// With a `folder`, the tree holds the names of files, as read with [`Contents::Names`]: the bytes are read from the folder,
/// one skill at a time, and not kept. If a
/// skill is over the limits, only the lengths of its files are read. A file that cannot be read is a finding.
///
/// The names of `sealed` are not compared with the skills, since one `skills.toml` can configure several bundles.
///
/// # Cost
///
/// Reads each file once. Skills that a rule compares with others are read again.
pub fn check_bundle(
    folder: Option<&Folder>,
    root: &str,
    tree: &Tree,
    config: &Config,
    scope: Scope<'_>,
) -> Found {
    let view = TreeView::new(root, tree, tree.skills_of_any_case(), scope, config);
    engine::check(&view, config, &|index, ask| match folder {
        Some(folder) => read(folder, &view, index, ask),
        None => held(&view, index, ask),
    })
}

/// Calls a function with the skill at an index, whose bytes the tree holds.
fn held(
    view: &TreeView<'_>,
    index: usize,
    ask: &mut dyn FnMut(&CheckedSkill<'_>),
) -> Vec<TreeFault> {
    // The engine counts the skills of this list.
    let skill = &view.skills[index];
    ask(&CheckedSkill::new(view, skill.into(), skill.files));
    Vec::new()
}

/// Reads the skill at an index, and calls a function with it.
fn read(
    folder: &Folder,
    view: &TreeView<'_>,
    index: usize,
    ask: &mut dyn FnMut(&CheckedSkill<'_>),
) -> Vec<TreeFault> {
    let skill = &view.skills[index];
    let limits = view.limits_of_reading();
    let contents = if (view.scope.asked)(skill.dir) {
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
