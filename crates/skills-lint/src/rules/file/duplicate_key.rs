use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::map::TextSet;
use skills_format::yaml::node::{Node, Value};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::DuplicateKey,
    level: Level::Deny,
    group: Group::File,
    summary: "no key appears twice in one mapping",
    why: "YAML forbids it. Some readers refuse the file, some take the first value, and some take \
          the last.",
    bad: Example::Skill(with_fields!("license: MIT\nlicense: Apache-2.0\n")),
    marks: "license",
    good: Example::Skill(with_fields!("license: MIT OR Apache-2.0\n")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Some(fields) = view.fields() {
        look(view, fields, &mut found);
    }
    found
}

fn look(view: &SkillView<'_>, node: &Node, found: &mut Vec<Finding>) {
    match &node.value {
        Value::Scalar(_) => {}
        Value::Sequence(items) => items.iter().for_each(|item| look(view, item, found)),
        Value::Mapping(entries) => {
            let mut seen = TextSet::default();
            for (key, value) in entries {
                if let Some(text) = key.as_str()
                    && !seen.insert(text)
                {
                    let message = format!("the key `{text}` is repeated here");
                    found.push(view.at(RULE.id, key.span, message).help("keep one of them"));
                }
                look(view, value, found);
            }
        }
    }
}
