//! The rule `stale-bundle`: reports a bundle that cargo does not rebuild for a new skill.

use crate::folder::Folder;
use skills_check::Level;
use skills_format::{Diagnostic, RuleId};

/// Reports that no build script makes cargo watch the folder. What a build script watches is not known here.
///
/// Each invocation gives the finding: with a memory of the first, the tokens would depend on the order in which rustc
/// expands the invocations of a crate.
#[expect(
    clippy::disallowed_methods,
    reason = "cargo sets OUT_DIR for a crate with a build script"
)]
pub(crate) fn check(folder: &Folder) -> Option<Diagnostic> {
    let severity = folder
        .config
        .severity(&(RuleId::StaleBundle, Level::Warn))?;
    if std::env::var_os("OUT_DIR").is_some() {
        return None;
    }
    let path = &folder.path;
    let message =
        "without a build script: a new skill is not noticed, and the bundle stays as it is";
    let help = format!(
        "build.rs: `fn main() {{ println!(\"cargo::rerun-if-changed={path}\"); }}`, or `allow = [\"stale-bundle\"]` in \
         `skills.toml`"
    );
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
