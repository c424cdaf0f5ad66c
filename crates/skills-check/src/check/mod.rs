//! What makes a folder of skills wrong to ship: the errors of a build.
//!
//! `include_skills!` and build scripts stop at these errors, each at its file and place, all in one build. `skills check`
//! reports them too, and adds advice. A check here never guesses: what it reports, every strict reader refuses or a bundle cannot hold.

pub mod allow;
pub mod fields;
pub mod files;
pub mod links;
pub mod skill;
pub mod value;

use crate::check::allow::Suppressions;
use crate::check::skill::Bundle;
use crate::config::Config;
use crate::config::level::Level;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Severity};
use skills_format::tree::{FileKind, SKILL_FILE, Tree, TreeFile, join};
use std::collections::BTreeSet;

pub use skill::{CheckedSkill, Fault};

/// The result of [`check`].
#[derive(Clone, Debug)]
pub struct Checked<'t> {
    /// Every skill of the tree, valid or not, in order of folders.
    pub skills: Vec<CheckedSkill<'t>>,
    /// The errors, in the order of [`Diagnostic::sort`].
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a tree that holds the bytes of its files. `root` is the path before every path of the tree for display, such as
/// `skills`. If the root itself is a skill, the last part of `root` is the name of the skill's folder.
///
/// A finding whose rule has another level than `deny` in the options is not reported, except that two skills have one name.
///
/// # Cost
///
/// Parses every `SKILL.md` once, and follows the links of its body. Performs no I/O.
pub fn check<'t>(root: &str, tree: &'t Tree, config: &Config) -> Checked<'t> {
    let limits = config.limits;
    let skills: Vec<_> = tree
        .skills()
        .iter()
        .map(|files| CheckedSkill::read(root, files))
        .collect();
    let mut found = files::of_tree(root, tree, limits, !config.exclude.is_empty(), &skills);
    let bundle = Bundle {
        root,
        tree,
        skills: &skills,
        config,
    };
    for skill in skills.iter().filter(|skill| limits.hold(skill.files)) {
        let entry = join(skill.dir, SKILL_FILE);
        let faults = of_skill(skill)
            .into_iter()
            .chain(links::faults(&bundle, skill));
        found.extend(faults.map(|fault| placed(root, tree, &entry, fault)));
        #[cfg(feature = "arguments")]
        for fault in skill.arguments.iter().flat_map(|file| &file.faults) {
            let fault = Fault {
                rule: fault.rule,
                span: fault.span,
                message: fault.message.clone().into(),
                help: fault.help.clone(),
                fix: None,
            };
            let schema = join(skill.dir, skills_format::ARGUMENTS_FILE);
            found.push(placed(root, tree, &schema, fault));
        }
    }
    if config.honours_comments {
        suppress(root, &skills, &mut found);
    }
    let default = |_: RuleId| Some(Level::Deny);
    let is_kept = |found: &Diagnostic| {
        found.is(RuleId::DuplicateName)
            || config.most_severe(&(found.rule, Level::Deny)) == Some(Severity::Error)
    };
    found.retain(is_kept);
    config.refine(&mut found, &default);
    found.retain(|found| found.severity == Severity::Error);
    one_cause(&mut found);
    Diagnostic::sort(&mut found);
    Checked {
        skills,
        diagnostics: found,
    }
}

/// Leaves one finding for one cause: a `SKILL.md` that hides skills is not meant as a skill, and a copied folder whose name
/// was not written has a name of its own once it is.
fn one_cause(found: &mut Vec<Diagnostic>) {
    let of = |rule: RuleId, found: &[Diagnostic]| -> BTreeSet<String> {
        let found = found.iter().filter(|it| it.is(rule));
        found.map(|it| it.path.clone()).collect()
    };
    let nested = of(RuleId::NestedSkill, found);
    let misnamed = of(RuleId::NameMismatch, found);
    found.retain(|it| {
        let is_hiding = nested.contains(&it.path) && !it.is(RuleId::NestedSkill);
        let other = it.related.as_ref().map_or("", |other| &other.path);
        let is_copy = misnamed.contains(&it.path) || misnamed.contains(other);
        !(is_hiding || it.is(RuleId::DuplicateName) && is_copy)
    });
}

/// Removes the findings that a comment of their `SKILL.md` allows.
fn suppress(root: &str, skills: &[CheckedSkill<'_>], found: &mut Vec<Diagnostic>) {
    for skill in skills {
        let Some(Ok(document)) = &skill.file.document else {
            continue;
        };
        let comments = Suppressions::read(document.text, document.body);
        let entry = join(root, &join(skill.dir, SKILL_FILE));
        found.retain(|found| found.path != entry || !comments.hold(found));
    }
}

/// Returns the faults of a `SKILL.md`, without those of its links.
fn of_skill(skill: &CheckedSkill<'_>) -> Vec<Fault> {
    let Some(entry) = skill.files.iter().find(|file| is_entry(file, skill.dir)) else {
        return Vec::new();
    };
    // `files` reports what is not a file, and what was not read.
    if entry.kind != FileKind::Regular || entry.bytes.is_none() {
        return Vec::new();
    }
    fields::faults(&skill.file)
}

fn is_entry(file: &TreeFile, dir: &str) -> bool {
    file.path == join(dir, SKILL_FILE)
}

/// Makes the diagnostic of a fault in a file of the tree.
fn placed(root: &str, tree: &Tree, path: &str, fault: Fault) -> Diagnostic {
    let found = Diagnostic::new(fault.rule, Severity::Error, join(root, path), fault.message);
    let mut found = found.help(fault.help);
    found.fix = fault.fix;
    let bytes = tree.get(path).and_then(|file| file.bytes.as_deref());
    match (fault.span, bytes) {
        (Some(span), Some(bytes)) => found.at(bytes, span),
        _ => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)], options: &str) -> Vec<String> {
        let files = files.iter().map(|(path, text)| TreeFile {
            path: (*path).to_owned(),
            utf8: true,
            kind: FileKind::Regular,
            size: u64::try_from(text.len()).expect("a length"),
            bytes: Some(text.as_bytes().to_vec()),
        });
        let mut tree = Tree::default();
        tree.files.extend(files);
        let (mut config, faults) = Config::parse("skills/skills.toml", options);
        assert_eq!(faults, []);
        config.place.shown = "skills".to_owned();
        config.honours_comments = true;
        let found = check("skills", &tree, &config).diagnostics;
        let found = found.iter().map(|it| format!("{} {}", it.path, it.rule));
        found.collect()
    }

    const GREET: &str = "---\nname: greet\ndescription: Greets.\n---\n\n[a](a.md)\n";

    #[test]
    fn options_and_comments_decide() {
        let of = |options: &str| found(&[("greet/SKILL.md", GREET)], options);
        let broken = ["skills/greet/SKILL.md link-broken"];
        assert_eq!(of(""), broken);
        assert_eq!(of("allow = ['link-broken']"), [""; 0]);
        assert_eq!(of("warn = ['link-broken']"), [""; 0]);
        let part = |path: &str, level: &str| {
            format!("[[override]]\npaths = ['{path}']\n{level} = ['link-broken']\n")
        };
        assert_eq!(of(&part("greet", "allow")), [""; 0]);
        assert_eq!(of(&part("other", "allow")), broken);
        assert_eq!(
            of(&format!(
                "allow = ['link-broken']\n{}",
                part("greet", "deny")
            )),
            broken
        );
        let commented = GREET.replace("[a]", "<!-- skills: allow link-broken -->\n[a]");
        assert_eq!(found(&[("greet/SKILL.md", &commented)], ""), [""; 0]);
        let escape = GREET.replace(
            "[a](a.md)",
            "<!-- skills: allow link-escape -->\n[a](/a.md)",
        );
        assert_eq!(
            found(&[("greet/SKILL.md", &escape)], ""),
            ["skills/greet/SKILL.md link-escape"]
        );
    }

    #[test]
    fn one_cause_is_one_finding() {
        let text = GREET.replace("[a](a.md)", "Go.");
        let misnamed = ["skills/hello/SKILL.md name-mismatch"];
        assert_eq!(
            found(&[("greet/SKILL.md", &text), ("hello/SKILL.md", &text)], ""),
            misnamed
        );
        let aloha = ["skills/aloha/SKILL.md name-mismatch"];
        assert_eq!(
            found(&[("aloha/SKILL.md", &text), ("greet/SKILL.md", &text)], ""),
            aloha
        );
        // Then nothing else would say that the bundle cannot hold both.
        let options = "allow = ['name-mismatch', 'duplicate-name']";
        let both = ["skills/hello/SKILL.md duplicate-name"];
        assert_eq!(
            found(
                &[("greet/SKILL.md", &text), ("hello/SKILL.md", &text)],
                options
            ),
            both
        );
        let stray = ["skills/SKILL.md nested-skill"];
        assert_eq!(
            found(&[("SKILL.md", "# Mine\n"), ("greet/SKILL.md", &text)], ""),
            stray
        );
    }
}
