//! The rule `stale-bundle`: reports a bundle that cargo does not rebuild for a new skill.

use crate::expand::watch::Watch;
use crate::folder::Folder;
use skills_format::{Diagnostic, RuleId};
use skills_lint::rules;
use std::path::Path;

/// Reports that no build script makes cargo watch the folder.
///
/// Each invocation gives the finding: with a memory of the first, the tokens would depend on the order in which rustc
/// expands the invocations of a crate.
pub(crate) fn check(folder: &Folder, manifest: &Path) -> Option<Diagnostic> {
    let rule = rules::find(RuleId::StaleBundle.as_str())?;
    let severity = folder.config.severity(rule)?;
    let watch = Watch::of_crate();
    if watch.covers(manifest, folder) {
        return None;
    }
    let path = &folder.path;
    let line = format!("println!(\"cargo::rerun-if-changed={path}\");");
    let (cause, fix) = match watch {
        Watch::NoScript => (
            "without a build script",
            format!("build.rs: `fn main() {{ {line} }}`"),
        ),
        _ => (
            "the build script does not name the folder",
            format!("build.rs: `{line}`"),
        ),
    };
    let message = format!("{cause}: a new skill is not noticed, and the bundle stays as it is");
    let help = format!("{fix}, or `allow = [\"stale-bundle\"]`");
    Some(Diagnostic::new(RuleId::StaleBundle, severity, path, message).help(help))
}

#[cfg(test)]
mod tests {
    use crate::include_skills;
    use quote::quote;

    #[test]
    fn tokens_do_not_depend_on_earlier_expansions() {
        let expand = |folder: &str| include_skills(quote!(#folder)).to_string();
        let [a, b] = ["a", "b"].map(expand);
        let [b_first, a_second] = ["b", "a"].map(expand);
        assert_eq!((a_second, b_first), (a.clone(), b.clone()));
        for tokens in [a, b] {
            assert!(tokens.contains("stale-bundle"), "{tokens}");
        }
    }
}
