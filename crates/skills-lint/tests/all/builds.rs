//! What a build refuses, a check refuses: `skills_check::check` has no error that the rules do not have.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may read files, and say that it was skipped"
)]

use proptest::prelude::*;
use skills_format::{Contents, Diagnostic, Limits, RuleId, Severity, Tree};
use skills_lint::{Config, check, rules};
use std::fs;
use std::path::Path;

fn config() -> Config {
    let mut config = Config::default();
    config.honours_comments = true;
    config
}

/// Returns the errors of a build that a check of the same tree does not have.
fn alone(tree: &Tree, config: &Config) -> Vec<Diagnostic> {
    let rules = check("skills", tree, config).diagnostics;
    let build = skills_check::check("skills", tree, config).diagnostics;
    let is_known = |error: &Diagnostic| {
        // A check of a repository reports it, and not the rules of a folder.
        error.is(RuleId::NestedSkill)
            || rules.iter().any(|finding| {
                finding.severity == Severity::Error
                    && finding.rule == error.rule
                    && finding.path == error.path
            })
    };
    build.into_iter().filter(|error| !is_known(error)).collect()
}

/// The rules of a build, each with the same place, message and help as in a check.
#[test]
fn errors_of_a_build_are_written_as_those_of_a_check() {
    let mut told = Vec::new();
    let mut count = 0;
    for rule in rules::RULES {
        // Their findings name what only a repository or the guess of a fix knows; `file-too-large` holds a file without bytes.
        if let "link-escape" | "duplicate-name" | "nested-skill" | "file-too-large" =
            rule.id.as_str()
        {
            continue;
        }
        let tree = rule.bad.tree();
        let (config, _) = Config::parse("skills.toml", rule.bad.config());
        let rules = check("skills", &tree, &config).diagnostics;
        for error in skills_check::check("skills", &tree, &config).diagnostics {
            count += 1;
            let same = |it: &Diagnostic| {
                let place = (it.start, it.end) == (error.start, error.end);
                place
                    && it.rule == error.rule
                    && it.path == error.path
                    && it.message == error.message
                    && it.help == error.help
            };
            if !rules.iter().any(same) {
                let near = rules
                    .iter()
                    .filter(|it| it.rule == error.rule)
                    .map(|it| format!("{it} ({})", it.help))
                    .collect::<Vec<_>>();
                told.push(format!(
                    "{}: {error} ({})\n    rules: {near:?}",
                    rule.id.as_str(),
                    error.help
                ));
            }
        }
    }
    assert!(
        told.is_empty() && count > 20,
        "{count} errors, {}:\n{}",
        told.len(),
        told.join("\n")
    );
}

#[test]
fn published_and_odd_skills_are_refused_by_both() {
    let Some(root) = std::env::var_os("SKILLS_CORPUS") else {
        println!("skipped: SKILLS_CORPUS names no folder");
        return;
    };
    let root = Path::new(&root);
    let (mut told, mut errors) = (Vec::new(), 0);
    for part in ["faults", "nasty", "repositories", "sample"] {
        for entry in fs::read_dir(root.join(part)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if !path.is_dir() {
                continue;
            }
            let contents = Contents::All {
                max: u64::MAX,
                limits: Limits::default(),
            };
            let tree = Tree::read(&path, contents).expect("a folder");
            errors += skills_check::check("skills", &tree, &config())
                .diagnostics
                .len();
            let more = alone(&tree, &config());
            told.extend(
                more.iter()
                    .map(|it| format!("{}: {it} ({})", path.display(), it.help)),
            );
        }
    }
    println!("{errors} errors of builds");
    assert!(
        told.is_empty() && errors > 50,
        "{errors} errors, {} alone:\n{}",
        told.len(),
        told.join("\n")
    );
}

/// Links, code and containers in any order, beside a file that is there and files that are not.
const PARTS: &[&str] = &[
    "[a](references/there.md)",
    "[b](references/gone.md)",
    "![c](../up.md)",
    "`",
    "```\n",
    "\n\n",
    "\n",
    "> ",
    "- ",
    "    ",
    "<!-- ",
    " -->",
    "[e](References/There.md \"t\")",
    "](",
    "[",
    "<p>",
    "text ",
    "1. ",
    "\t",
    "[f](<gone file.md>)",
    "~~~\n",
    "[g](gone(1).md)",
    "# ",
    "*",
    "|",
];

fn are_refused_by_both(parts: &[&str]) -> Result<(), TestCaseError> {
    let text = format!(
        "---\nname: a\ndescription: Does it. Use when asked.\n---\n\n{}\n",
        parts.concat()
    );
    let tree = tree(&[("a/SKILL.md", &text), ("a/references/there.md", "There.\n")]);
    let more = alone(&tree, &config());
    prop_assert!(more.is_empty(), "{more:?}\n{text}");
    Ok(())
}

proptest! {
    #[test]
    fn definitions_are_refused_by_both(parts in any_of(&["[d]: gone.md", "[d]", "\n\n[d]: gone.md\n"])) {
        are_refused_by_both(&parts)?;
    }

    #[test]
    fn links_are_refused_by_both(parts in any_of(&["\\", "\n\n<!-- skills: allow link-broken -->\n"])) {
        are_refused_by_both(&parts)?;
    }
}

fn any_of(more: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select([PARTS, more].concat()), 1..14)
}

fn tree(files: &[(&str, &str)]) -> Tree {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    let contents = Contents::All {
        max: u64::MAX,
        limits: Limits::default(),
    };
    Tree::read(folder.path(), contents).expect("a folder")
}
