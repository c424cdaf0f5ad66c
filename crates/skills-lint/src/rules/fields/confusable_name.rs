use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::appearance::latin;
use std::collections::BTreeSet;
use unicode_script::{Script, UnicodeScript as _};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ConfusableName,
    level: Level::Warn,
    group: Group::Fields,
    summary: "a name does not mix scripts whose letters look alike, nor look like another name",
    why: "`c\u{43E}de` with a Cyrillic letter is a different name from `code`, and looks the \
          same. Such a name can imitate a skill that people trust.",
    bad: Example::Files(&[(
        "release-n\u{43E}tes/SKILL.md",
        Content::Text(
            "---\nname: release-n\u{43E}tes\n\
             description: Writes release notes. Use when a version is published.\n---\n\n\
             List every merged change.\n",
        ),
    )]),
    marks: "release-n\u{43E}tes",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Siblings {
        concerns: has_odd_letters,
        check,
    },
};

fn has_odd_letters(view: &SkillView<'_>) -> bool {
    view.text_field("name")
        .is_some_and(|(_, name)| !name.is_ascii())
}

fn check(view: &SkillView<'_>, bundle: &BundleView<'_>) -> Vec<Finding> {
    let Some((value, name)) = view.text_field("name").filter(|(_, name)| !name.is_ascii()) else {
        return Vec::new();
    };
    let scripts: BTreeSet<&str> = name
        .chars()
        .map(|c| c.script())
        .filter(|script| !matches!(script, Script::Common | Script::Inherited))
        .map(Script::full_name)
        .collect();
    let alike = [
        "Latin", "Cyrillic", "Greek", "Armenian", "Cherokee", "Coptic",
    ];
    let mixed: Vec<&str> = scripts
        .into_iter()
        .filter(|script| alike.contains(script))
        .collect();
    let message = if mixed.len() > 1 {
        format!("`{name}` mixes letters of {}", mixed.join(" and "))
    } else {
        let latin = skeleton(name);
        if latin == name || bundle.named(&latin).next().is_none() {
            return Vec::new();
        }
        format!("`{name}` looks like the skill `{latin}`")
    };
    vec![
        view.at(RULE.id, value.span, message)
            .help("write it in letters of one script"),
    ]
}

/// Returns the name with Latin letters in place of letters that look like them.
fn skeleton(name: &str) -> String {
    name.chars().map(latin).collect()
}
