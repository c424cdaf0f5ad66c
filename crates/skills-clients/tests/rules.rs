//! Tests the examples of the rules about clients: the bad example causes only findings of the rule, at the marked text,
//! and the good example causes no finding.

use skills_clients::check::clients;
use skills_format::Diagnostic;
use skills_lint::rules::{Example, FixKind, Group, RULES, Rule};
use skills_lint::{Clients, Config, Scope, check_bundle};

fn told(example: &Example) -> Vec<Diagnostic> {
    let (config, faults) = Config::parse("skills.toml", example.config());
    assert_eq!(faults, []);
    let scope = Scope {
        clients: Clients::new(clients(), &config.clients),
        ..Scope::default()
    };
    check_bundle(None, "skills", &example.tree(), &config, scope).diagnostics
}

fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().filter(|rule| rule.group == Group::Portability)
}

#[test]
fn bad_examples_fire_their_rule_alone() {
    let mut wrong = Vec::new();
    for rule in rules() {
        let told = told(&rule.bad);
        let Some(first) = told.first() else {
            wrong.push(format!("{}: nothing", rule.id));
            continue;
        };
        let path = first.path.strip_prefix("skills/").unwrap_or_default();
        let tree = rule.bad.tree();
        let bytes = tree.get(path).and_then(|file| file.bytes.clone());
        let bytes = bytes.unwrap_or_default();
        let marked = bytes.get(first.span().range()).unwrap_or_default();
        let fix = match first.fix.as_ref().map(|fix| fix.safe) {
            None => FixKind::No,
            Some(true) => FixKind::Safe,
            Some(false) => FixKind::Unsafe,
        };
        let is_right = told
            .iter()
            .all(|one| one.is(rule.id) && !one.help.is_empty())
            && marked == rule.marks.as_bytes()
            && fix == rule.fix;
        if !is_right {
            let marked = String::from_utf8_lossy(marked);
            wrong.push(format!("{}: {marked:?} {fix:?} {told:#?}", rule.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn good_examples_fire_none() {
    for rule in rules() {
        assert_eq!(told(&rule.good), [], "{}", rule.id);
    }
}
