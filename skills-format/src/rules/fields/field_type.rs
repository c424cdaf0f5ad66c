use crate::diagnostic::Diagnostic;
use crate::diagnostic::rule_id::RuleId;
use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::skill::known_fields::FIELDS;
use crate::view::skill::SkillView;

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

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let fields = FIELDS
        .iter()
        .filter_map(|known| Some((known, view.field(known.key)?.1)));
    fields
        .filter(|(_, value)| !value.is_null())
        .filter_map(|(known, value)| {
            let (expected, help) = known.kind.mismatch(value)?;
            let message = format!("`{}` is {}, not {expected}", known.key, value.kind());
            Some(view.at(value.span, message).help(help))
        })
        .collect()
}
