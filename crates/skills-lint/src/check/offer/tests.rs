use crate::check::check;
use crate::check::offer::is_of_clients;
use skills_check::Config;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Severity};
use skills_format::tree::{FileKind, Tree, TreeFile};

/// Checks files, and returns the rule and the path of each finding, with the text of a fix that is a guess.
fn guesses(files: &[(&str, &str)]) -> Vec<String> {
    let file = |(path, text): &(&str, &str)| TreeFile {
        path: (*path).to_owned(),
        utf8: true,
        kind: FileKind::Regular,
        size: text.len() as u64,
        bytes: Some(text.as_bytes().to_vec()),
    };
    let tree = Tree {
        files: files.iter().map(file).collect(),
        faults: Vec::new(),
    };
    let found = check("skills", &tree, &Config::default()).diagnostics;
    let shown = found.iter().map(|finding| {
        let fix = finding.fix.as_ref().filter(|fix| !fix.safe);
        let texts = fix.map(|fix| fix.edits.iter().map(|edit| edit.text.trim()).collect());
        let texts: Vec<&str> = texts.unwrap_or_default();
        format!("{} {} {texts:?}", finding.path, finding.rule.as_str())
    });
    shown.collect()
}

fn skill(name: &str) -> String {
    format!(
        "---\n{name}description: Greets people. Use when someone arrives.\n---\n\nSay good day.\n"
    )
}

#[test]
fn a_fix_gives_no_skill_the_name_of_another() {
    let (wrong, right) = (skill("name: other\n"), skill("name: greet\n"));
    assert_eq!(
        guesses(&[("a/greet/SKILL.md", &wrong)]),
        [r#"skills/a/greet/SKILL.md name-mismatch ["greet"]"#]
    );
    assert_eq!(
        guesses(&[("a/greet/SKILL.md", &wrong), ("b/greet/SKILL.md", &right)]),
        ["skills/a/greet/SKILL.md name-mismatch []"]
    );
    assert_eq!(
        guesses(&[("greet/SKILL.md", &skill("name: Greet\n"))]),
        [r#"skills/greet/SKILL.md name-form ["greet"]"#]
    );
}

fn of_fields(more: &str) -> Vec<String> {
    guesses(&[("greet/SKILL.md", &skill(&format!("name: greet\n{more}")))])
}

#[test]
fn a_fix_causes_no_new_finding() {
    let fixed = [r#"skills/greet/SKILL.md field-typo ["license"]"#];
    let withdrawn = "skills/greet/SKILL.md field-typo []";
    assert_eq!(of_fields("licence: MIT\n"), fixed);
    assert_eq!(of_fields("licence: [a]\n"), [withdrawn], "not a text");
    // A finding that was there before is not new; a finding of the same rule with another message is.
    let list = "skills/greet/SKILL.md field-type []";
    let known = of_fields("licence: MIT\ncompatibility: [a]\n");
    assert_eq!(known, [fixed[0], list]);
    let new = of_fields("licence: [a]\ncompatibility: [a]\n");
    assert_eq!(new, [withdrawn, list]);
    // The front matter does not parse, so what a changed key would mean is not known.
    let broken = of_fields("licence: MIT\nd: 'it's'\n");
    let yaml = "skills/greet/SKILL.md yaml-syntax []";
    assert_eq!(broken, [withdrawn, yaml]);
}

/// Returns for each of 22 misspelt links of a skill whether its fix is offered. One more file has `size` bytes.
fn offered(size: usize) -> Vec<bool> {
    let numbers = 10..32;
    let links = numbers
        .clone()
        .map(|n| format!("[a](references/stlye{n}.md)\n"));
    let files = numbers.map(|n| format!("greet/references/style{n}.md"));
    let text = skill("name: greet\n") + &links.collect::<String>();
    let (files, large): (Vec<String>, String) = (files.collect(), "x\n".repeat(size / 2));
    let mut all = vec![("greet/SKILL.md", &*text)];
    all.extend(files.iter().map(|file| (&**file, "x")));
    all.push(("greet/large.txt", &large));
    let found = guesses(&all);
    let links = found
        .iter()
        .filter(|finding| finding.contains("link-broken"));
    links.map(|finding| finding.contains(".md\"]")).collect()
}

#[test]
fn twenty_guesses_of_a_skill_are_tried() {
    assert_eq!(offered(0), [[true; 20].as_slice(), &[false; 2]].concat());
}

#[test]
fn few_guesses_of_a_large_skill_are_tried() {
    let count = |size| {
        offered(size)
            .iter()
            .filter(|is_offered| **is_offered)
            .count()
    };
    assert_eq!(count(300_000), 6);
    assert_eq!(count(3_000_000), 1);
}

#[test]
fn what_a_fix_may_bring_to_light() {
    let finding = |rule, severity| Diagnostic::new(rule, severity, "x/SKILL.md", "told");
    let (warning, error) = (Severity::Warning, Severity::Error);
    for rule in [
        RuleId::ClientField,
        RuleId::RestraintPartial,
        RuleId::RestraintUnsupported,
    ] {
        for (new, fixed, is_allowed) in [
            (warning, warning, true),
            (warning, error, true),
            (error, error, true),
            (error, warning, false),
        ] {
            let fixed = finding(RuleId::FieldTypo, fixed);
            assert_eq!(is_of_clients(&finding(rule, new), &fixed), is_allowed);
        }
    }
    let other = finding(RuleId::FieldType, warning);
    assert!(!is_of_clients(&other, &finding(RuleId::FieldTypo, error)));
}
