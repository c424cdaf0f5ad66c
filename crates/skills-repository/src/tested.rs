//! Checks a folder of skills in a test of the program that ships it.

use crate::check::check;
use crate::repository::{Repository, Settings, Start};
use skills_compiler::Folder;
use skills_format::{Diagnostic, RuleId, Severity};
use skills_lint::render::{Full, each, hidden_near};
use std::fmt::Write as _;
use std::path::Path;

/// The maximum number of findings in the message of a test that fails.
const MAX_SHOWN: usize = 20;

/// Makes a test that checks a folder of skills as `skills check` does: with every rule, and the options of its
/// `skills.toml`. The path is relative to the `Cargo.toml` of the caller, as in `include_skills!`.
///
/// A build stops at errors alone. This test fails with the first 20 errors and warnings, each at its place:
///
/// ```
/// skills_repository::test!("skills");
/// ```
#[macro_export]
macro_rules! test {
    ($path:literal $(,)?) => {
        #[test]
        fn the_skills_have_no_findings() {
            $crate::tested::assert_no_findings(::std::env!("CARGO_MANIFEST_DIR"), $path);
        }
    };
}

/// Checks the folder at `path`, relative to the package at `manifest`: see [`test!`](crate::test).
///
/// # Panics
///
/// If the folder cannot be read, or has errors or warnings.
#[expect(clippy::panic, reason = "how a test fails")]
pub fn assert_no_findings(manifest: &str, path: &str) {
    if let Err(message) = findings(Path::new(manifest), path) {
        panic!("{message}");
    }
}

/// Returns the message of a test that fails.
fn findings(manifest: &Path, path: &str) -> Result<(), String> {
    let cannot = |error: &dyn std::fmt::Display| {
        format!("the skills at `{path}` cannot be checked: {error}")
    };
    let folder = Folder::read(manifest, path);
    if let Some(missing) = folder.faults.iter().find(|it| it.is(RuleId::BundleEmpty)) {
        return Err(cannot(&format_args!("{missing:#}")));
    }
    let start = Start::new(Path::new(path), Some(manifest))
        .map_err(|_| cannot(&"it is not a folder of skills"))?;
    let repository =
        Repository::open(start, &Settings::default()).map_err(|error| cannot(&error))?;
    let checked = check(&repository, &[], manifest);
    let bundles = checked
        .bundles
        .into_iter()
        .flat_map(|found| found.diagnostics);
    let mut found: Vec<Diagnostic> = bundles.chain(checked.others).collect();
    found.retain(|it| it.severity != Severity::Info);
    if found.is_empty() {
        return Ok(());
    }
    Diagnostic::sort(&mut found);
    let source = |shown: &str| {
        let path = repository.path_of(shown)?;
        repository
            .read_file(&path, skills_lint::MAX_FILE)
            .ok()
            .map(Into::into)
    };
    let how = Full::default().hidden(hidden_near);
    let mut message = format!("{} findings in `{path}`\n\n", found.len());
    message.extend(each(
        found.get(..MAX_SHOWN).unwrap_or(&found),
        &source,
        &how,
    ));
    if let Some(more) = found.len().checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(message, "{more} more; `skills check {path}` lists them");
    }
    Err(message)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests write what they read")]
mod tests {
    use super::*;
    use std::fs;

    fn written(files: &[(&str, &str)]) -> tempfile::TempDir {
        let package = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = package.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        package
    }

    const GOOD: &str = "---\nname: a\ndescription: Sorts a list of words. Use when words are asked for in order.\n---\n\nSort them.\n";

    #[test]
    fn advice_fails_the_test_and_names_its_place() {
        assert_eq!(
            findings(written(&[("skills/a/SKILL.md", GOOD)]).path(), "skills"),
            Ok(())
        );
        let package = written(&[
            ("skills/a/SKILL.md", &GOOD.replace("\nSort them.\n", "")),
            (
                "skills/b/SKILL.md",
                &GOOD
                    .replace("name: a", "name: b\nlicens: MIT")
                    .replace("words", "names"),
            ),
            ("skills/c/references/x.md", "No `SKILL.md` here.\n"),
            ("skills/c/scripts/x.sh", "echo x\n"),
            (
                "skills/d/SKILL.md",
                &GOOD
                    .replace("name: a", "name: d")
                    .replace("words", "lines")
                    .replace("Sort them.", "Run `scripts/x.sh`."),
            ),
            ("skills/d/scripts/x.sh", "echo x\n"),
        ]);
        let message = findings(package.path(), "skills").expect_err("findings");
        for expected in [
            "warning[body-empty]",
            "warning[field-typo]",
            "warning[skill-file-missing]",
            "skills/b/SKILL.md:3:1",
        ] {
            assert!(message.contains(expected), "{expected}: {message}");
        }
        let config = package.path().join("skills/skills.toml");
        fs::write(
            config,
            "allow = ['body-empty', 'field-typo', 'skill-file-missing', 'script-mode']\n",
        )
        .expect("a file");
        assert_eq!(findings(package.path(), "skills"), Ok(()));
    }

    #[test]
    fn a_test_shows_twenty_findings_and_counts_the_rest() {
        let files: Vec<(String, String)> = (0..25)
            .map(|n| {
                (
                    format!("skills/s{n}/SKILL.md"),
                    GOOD.replace("name: a", &format!("name: t{n}"))
                        .replace("words", &format!("w{n}")),
                )
            })
            .collect();
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        let message = findings(written(&files).path(), "skills").expect_err("findings");
        assert_eq!(message.matches("error[").count(), 20, "{message}");
        assert!(
            message.starts_with("25 findings in `skills`")
                && message.contains("5 more; `skills check skills`"),
            "{message}"
        );
        assert!(findings(Path::new("/nowhere"), "skills").is_err());
    }
}
