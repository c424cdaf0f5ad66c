//! Tests every rule's examples: the bad example causes only findings of the rule, at the marked text, and the good
//! example causes no finding.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may read and write files, and say that it was skipped"
)]

use skills_format::{Diagnostic, RuleId, Tree};
use skills_lint::rules::{self, Example, FixKind, Group, RULES, Rule};
use skills_lint::{Config, Level, check};
use std::fs;
use std::path::Path;

#[test]
fn bad_examples_fire_their_rule_alone() {
    let mut wrong = Vec::new();
    for rule in RULES.iter().filter(|rule| !rule.is_asked_elsewhere()) {
        let tree = rule.bad.tree();
        let mut told = told(&tree, rule, &rule.bad);
        if rule.id == RuleId::NameForm {
            // The fix of the rule also makes the name equal to the folder.
            told.retain(|finding| !finding.is(RuleId::NameMismatch));
        }
        let mut others = told
            .iter()
            .filter(|finding| !finding.is(rule.id))
            .peekable();
        if told.is_empty() || others.peek().is_some() {
            wrong.push(format!("{}: {told:#?}", rule.id));
        } else if let Some(first) = told.first()
            && !is_marked(&tree, first, rule.marks)
        {
            wrong.push(format!(
                "{}: {:?} is not {:?}",
                rule.id,
                first.span(),
                rule.marks
            ));
        }
        if told.iter().any(|finding| finding.help.is_empty()) {
            wrong.push(format!("{}: no help", rule.id));
        }
        let fix = told.first().and_then(|finding| finding.fix.as_ref());
        let fix = match fix.map(|fix| fix.safe) {
            None => FixKind::No,
            Some(true) => FixKind::Safe,
            Some(false) => FixKind::Unsafe,
        };
        if fix != rule.fix {
            wrong.push(format!("{}: {fix:?} is not {:?}", rule.id, rule.fix));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn good_examples_fire_none() {
    for rule in RULES.iter().filter(|rule| !rule.is_asked_elsewhere()) {
        let told = told(&rule.good.tree(), rule, &rule.good);
        assert!(told.is_empty(), "{}: {told:#?}", rule.id);
    }
}

/// `config-form` is reported when `skills.toml` is read. The compiler reports `lock-stale`,
/// `powers-widened` and `stale-bundle`, and tests them. The other rules that run elsewhere need a repository: the cases of
/// `skills check` test them.
#[test]
fn examples_of_config_form_are_told_when_the_file_is_read() {
    let rule = rules::find("config-form").expect("a rule");
    let told = |example: &Example| Config::parse("skills.toml", example.config()).1;
    let bad = told(&rule.bad);
    assert!(
        matches!(bad.as_slice(), [one] if one.is(rule.id) && !one.help.is_empty()),
        "{bad:?}"
    );
    assert_eq!(told(&rule.good), []);
    let elsewhere: Vec<&str> = RULES
        .iter()
        // The package of the facts about clients tests the examples of this group.
        .filter(|rule| rule.is_asked_elsewhere() && rule.group != Group::Portability)
        .map(|rule| rule.id.as_str())
        .collect();
    assert_eq!(
        elsewhere,
        [
            "link-plugin",
            "script-mode",
            "skill-file-missing",
            "lock-stale",
            "powers-widened",
            "stale-bundle",
            "config-form",
            "manifest-form",
            "manifest-path",
            "manifest-name",
            "nested-skill"
        ]
    );
}

/// `UPDATE_DOCS=1` regenerates the page. The page is in the repository, not in the package.
#[test]
fn the_page_is_up_to_date() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    if package.join("Cargo.toml.orig").exists() {
        return;
    }
    let path = package.join("../../docs/rules.md");
    let page = rules::page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).expect("the page is written");
    }
    let written = fs::read_to_string(&path).expect("the page is there");
    assert!(
        written == page,
        "docs/rules.md is stale: UPDATE_DOCS=1 writes it again"
    );
}

#[test]
fn ids_are_unique_and_found() {
    for (i, rule) in RULES.iter().enumerate() {
        let found = rules::find(rule.id.as_str()).map(|found| found.summary);
        assert_eq!(found, Some(rule.summary), "{}", rule.id);
        assert!(RULES.iter().skip(i + 1).all(|other| other.id != rule.id));
    }
}

/// Returns the findings with every rule at its default level, and this rule at least at `warn`.
fn told(tree: &Tree, rule: &Rule, example: &Example) -> Vec<Diagnostic> {
    let (mut config, _) = Config::parse("skills.toml", example.config());
    if rule.level == Level::Allow {
        config.set(rule.id.as_str(), Level::Warn).expect("a rule");
    }
    config.honours_comments = true;
    check("skills", tree, &config).diagnostics
}

fn is_marked(tree: &Tree, finding: &Diagnostic, marks: &str) -> bool {
    let path = finding.path.strip_prefix("skills").unwrap_or_default();
    let bytes = tree
        .get(path.trim_start_matches('/'))
        .and_then(|file| file.bytes.as_deref())
        .unwrap_or_default();
    let marked = bytes.get(finding.span().range()).unwrap_or_default();
    let marked = String::from_utf8_lossy(marked);
    match marks.strip_suffix('…') {
        Some(start) => marked.starts_with(start),
        None => marked == marks,
    }
}

fn checked(path: &str, text: &str) -> Vec<Diagnostic> {
    let mut tree = Tree::default();
    tree.files.push(skills_format::TreeFile {
        path: path.to_owned(),
        utf8: true,
        kind: skills_format::FileKind::Regular,
        size: text.len() as u64,
        bytes: Some(text.as_bytes().to_vec()),
    });
    check("skills", &tree, &Config::default()).diagnostics
}

/// A fix by the help causes no finding that the help does not mention.
#[test]
fn a_folder_of_the_same_bad_name_is_renamed_too() {
    let told = checked(
        "Bad_Name/SKILL.md",
        "---\nname: Bad_Name\ndescription: Use when x.\n---\n\nGo.\n",
    );
    let helps: Vec<&str> = told.iter().map(|finding| finding.help.as_str()).collect();
    assert_eq!(helps, ["write `bad-name`, and rename the folder to it"]);
}

/// Some systems store the names of folders in another normal form than people type.
#[test]
fn names_are_compared_in_one_normal_form() {
    let text = "---\nname: caf\u{E9}\ndescription: Use when x.\n---\n\nGo.\n";
    assert_eq!(checked("cafe\u{301}/SKILL.md", text), []);
    let file = skills_format::SkillFile::read("SKILL.md", "cafe\u{301}", text.as_bytes());
    assert_eq!(file.lenient().1, []);
}

/// `link-escape` reports paths of one machine; slashes would not make these paths portable.
#[test]
fn a_path_of_one_machine_is_not_mended() {
    let text = "---\nname: x\ndescription: Use when y.\n---\n\nSee [t](\\\\srv\\x).\n";
    let told = checked("x/SKILL.md", text);
    let rules: Vec<&str> = told.iter().map(|finding| finding.rule.as_str()).collect();
    assert_eq!(rules, ["link-escape"]);
}
