//! The rule `stale-bundle`: reports a bundle that cargo does not rebuild for a new skill.

use crate::folder::Folder;
use crate::out_dir;
use skills_format::{Diagnostic, RuleId};
use skills_lint::rules;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set at the first report, so that a crate with several bundles gets one finding. A rustc process compiles one
/// crate.
static REPORTED: AtomicBool = AtomicBool::new(false);

/// Reports, once in a crate, that no build script makes cargo watch the folder.
pub(crate) fn check(folder: &Folder) -> Option<Diagnostic> {
    let rule = rules::find(RuleId::StaleBundle.as_str())?;
    let severity = folder.config.severity(rule)?;
    if out_dir::has_build_script() || REPORTED.swap(true, Ordering::Relaxed) {
        return None;
    }
    let path = &folder.path;
    let message =
        "without a build script, a new skill is not noticed and the bundle stays as it is";
    let help = format!(
        "build.rs: `fn main() {{ println!(\"cargo::rerun-if-changed={path}\"); }}`, or \
         `allow = [\"stale-bundle\"]`"
    );
    Some(Diagnostic::new(RuleId::StaleBundle, severity, path, message).help(help))
}
