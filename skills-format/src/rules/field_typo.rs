use super::example::with_fields;
use super::{Check, Example, Group, Mends, Rule, SkillView};
use crate::config::Level;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::known::meant;
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    id: "field-typo",
    level: Level::Warn,
    group: Group::Fields,
    summary: "no field is a known field misspelt",
    why: "A field that nobody knows is ignored without a word, and what it says with it.",
    bad: Example::Skill(with_fields!("licence: MIT\n")),
    marks: "licence",
    good: Example::Skill(with_fields!("license: MIT\n")),
    mends: Mends::Guessing,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let entries = view.fields().map(Node::entries);
    let keys = entries.unwrap_or_default().iter().map(|(key, _)| key);
    keys.filter(|key| view.is_sound(key.span))
        .filter_map(|key| {
            let written = key.as_str()?;
            let meant = meant(written).filter(|meant| !view.has(meant))?;
            let message = format!("`{written}` is no known field, `{meant}` is");
            Some(
                view.at(key.span, message)
                    .help(format!("write `{meant}`"))
                    .fix(Fix::guess(vec![Edit::replace(key.span, meant)])),
            )
        })
        .collect()
}
