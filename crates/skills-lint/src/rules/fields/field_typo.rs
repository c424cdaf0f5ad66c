use crate::rules::example::{Example, with_fields};
use crate::rules::fields::restraint_lost::lost_keys;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::skill::known_fields::{disguised, fold, meant};
use skills_format::text::span::Span;
use skills_format::yaml::node::Node;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::FieldTypo,
    level: Level::Warn,
    group: Group::Fields,
    summary: "no field is a misspelt known field",
    why: "Clients ignore an unknown field without a message, and its value is lost.",
    bad: Example::Skill(with_fields!("licence: MIT\n")),
    marks: "licence",
    good: Example::Skill(with_fields!("license: MIT\n")),
    fix: FixKind::Unsafe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let lost: Vec<Span> = lost_keys(view).map(|(key, ..)| key.span).collect();
    let entries = view.fields().map(Node::entries);
    let keys = entries.unwrap_or_default().iter().map(|(key, _)| key);
    // `restraint-lost` reports a key whose restraint is lost.
    keys.filter(|key| view.is_sound(key.span) && !lost.contains(&key.span))
        .filter_map(|key| {
            let written = key.as_str()?;
            if written == "tools" && !view.has("allowed-tools") {
                let message = "`tools` is a field of agents; a skill's field is `allowed-tools`";
                return Some(
                    view.at(RULE.id, key.span, message)
                        .help("write `allowed-tools`, with its entries separated by spaces"),
                );
            }
            // `hidden-text` reports a disguised key.
            let meant = meant(written).filter(|_| disguised(written).is_none())?;
            if view.has(meant) {
                // A key with other letters can be a field of its own. A key that differs only in case or hyphens is
                // a misspelling.
                return (fold(written) == fold(meant)).then(|| {
                    let message =
                        format!("`{written}` is not a known field, and `{meant}` is set too");
                    view.at(RULE.id, key.span, message)
                        .help(format!("keep one of them; only `{meant}` counts"))
                });
            }
            let message = format!("`{written}` is not a known field; `{meant}` is");
            Some(
                view.at(RULE.id, key.span, message)
                    .help(format!("write `{meant}`"))
                    .fix(Fix::guess(vec![Edit::replace(key.span, meant)])),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told;

    #[test]
    fn beside_the_field_that_is_meant() {
        assert_eq!(
            told("field-typo", "License: MIT\nlicense: MIT\nDescription: x"),
            [
                "`License` is not a known field, and `license` is set too",
                "`Description` is not a known field, and `description` is set too",
            ]
        );
        assert!(told("field-typo", "tag: x\ntags: y").is_empty());
    }

    #[test]
    fn fields_in_use_are_no_misspellings() {
        for field in ["agents", "argument", "authors", "trigger"] {
            assert!(
                told("field-typo", &format!("{field}: x")).is_empty(),
                "{field}"
            );
        }
        assert_eq!(told("field-typo", "tools: Read").len(), 1);
        assert!(told("field-typo", "tools: Read\nallowed-tools: Read").is_empty());
    }
}
