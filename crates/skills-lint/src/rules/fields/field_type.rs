use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::fields::read::as_mapping;
use skills_format::skill::known_fields::FIELDS;
use skills_format::yaml::node::Value;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::FieldType,
    level: Level::Deny,
    group: Group::Fields,
    summary: "a known field holds a value of its type",
    why: "If a description is a list, or a switch is neither `true` nor `false`, no client reads \
          it as it was meant.",
    bad: Example::Skill(with_fields!("user-invocable: maybe\n")),
    marks: "maybe",
    good: Example::Skill(with_fields!("user-invocable: false\n")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let fields = FIELDS
        .iter()
        .filter_map(|known| Some((known, view.field(known.key)?.1)));
    fields
        .filter(|(_, value)| !value.is_null())
        .filter_map(|(known, value)| {
            let (expected, help) = known.kind.mismatch(value)?;
            let message = format!("`{}` is {}, not {expected}", known.key, value.kind());
            Some(view.at(RULE.id, value.span, message).help(help))
        })
        .chain(needs(view))
        .collect()
}

/// Reports requirements that cannot be read: without them, the skill would start on any host.
fn needs(view: &SkillView<'_>) -> Option<Finding> {
    let (_, metadata) = view.field("metadata")?;
    let openclaw = metadata.get("openclaw")?;
    let is_read = openclaw.is_null() || matches!(as_mapping(openclaw).value, Value::Mapping(_));
    (!is_read).then(|| {
        let kind = openclaw.kind();
        let message =
            format!("`metadata.openclaw` is {kind}, not a mapping: its needs are not read");
        view.at(RULE.id, openclaw.span, message)
            .help("write a mapping, or JSON that parses in quotes")
    })
}
