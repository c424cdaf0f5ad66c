use crate::rules::example::{Example, with_fields};
use crate::rules::fields::needed_skill::words;
use crate::rules::fields::required::misspelt_key;
use crate::rules::fields::restraint_lost::lost_keys;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::skill::known_fields::{disguised, fold, meant};
use skills_format::text::span::Span;
use skills_format::yaml::node::Node;
use skills_permit::ToolKind;

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
    // `name-missing` and `description-missing` report the key that stands in the place of the field.
    let missing = ["name", "description"].map(|field| misspelt_key(view, field));
    let missing = missing.map(|key| key.map(|key| key.span));
    // `restraint-lost` reports a key whose restraint is lost.
    let is_reported = |span| lost.contains(&span) || missing.contains(&Some(span));
    keys.filter(|key| view.is_sound(key.span) && !is_reported(key.span))
        .filter_map(|key| {
            let written = key.as_str()?;
            if written == "tools" && !view.has("allowed-tools") && names_tools(view) {
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

/// Returns whether `tools` names a well-known tool: the field also lists clients and programs.
fn names_tools(view: &SkillView<'_>) -> bool {
    let names = view.field("tools").map(|(_, tools)| words(tools));
    let is_tool =
        |name: &String| ToolKind::of(name.split('(').next().unwrap_or(name)) != ToolKind::Other;
    names.is_some_and(|names| names.iter().any(is_tool))
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told;

    #[test]
    fn tools_of_agents() {
        assert_eq!(told("field-typo", "tools: Read, Bash(git log)").len(), 1);
        assert_eq!(
            told("field-typo", "tools: [claude, cursor, gemini]"),
            [""; 0]
        );
    }

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

    /// The misspelt key of a field that a skill must have is one finding, and its fix leaves no other line.
    #[test]
    fn a_misspelt_name_is_the_missing_name() {
        let found = |rule: &str, front: &str| {
            let text = format!("---\n{front}\n---\n\nGo.\n");
            crate::rules::tests::told_of(rule, &[("x/SKILL.md", &text)])
        };
        let front = "nmae: x\ndescripton: Does. Use when asked.";
        assert_eq!(found("field-typo", front), [""; 0]);
        assert_eq!(
            found("name-missing", front),
            ["the front matter has no `name`: `nmae` is not a known field"]
        );
        assert_eq!(
            found("description-missing", front),
            ["the front matter has no `description`: `descripton` is not a known field"]
        );
        // Two keys that can be meant are reported apart, and neither is renamed.
        let both = "nmae: x\nnaem: y\ndescription: Does. Use when asked.";
        assert_eq!(found("field-typo", both).len(), 2);
        assert_eq!(
            found("name-missing", both),
            ["the front matter has no `name`"]
        );
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
