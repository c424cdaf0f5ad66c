use super::example::with_fields;
use super::{Check, Example, Group, Mends, Rule, SkillView};
use crate::config::Level;
use crate::diagnostic::Diagnostic;
use crate::known::{FIELDS, Kind};
use crate::yaml::{Node, Value};

pub(crate) const RULE: Rule = Rule {
    id: "field-type",
    level: Level::Deny,
    group: Group::Fields,
    summary: "a known field holds a value of its type",
    why: "A description that is a list, or a switch that is neither `true` nor `false`, is read by \
          no client as it was meant.",
    bad: Example::Skill(with_fields!("user-invocable: maybe\n")),
    marks: "maybe",
    good: Example::Skill(with_fields!("user-invocable: false\n")),
    mends: Mends::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let fields = FIELDS
        .iter()
        .filter_map(|known| Some((known, view.field(known.key)?.1)));
    fields
        .filter(|(_, value)| !value.is_null())
        .filter_map(|(known, value)| {
            let (expected, help) = expected(known.kind, value)?;
            let message = format!("`{}` is {}, not {expected}", known.key, value.kind());
            Some(view.at(value.span, message).help(help))
        })
        .collect()
}

/// What a value of another kind should have been.
fn expected(kind: Kind, value: &Node) -> Option<(&'static str, &'static str)> {
    match (kind, &value.value) {
        (Kind::Text, Value::Sequence(_) | Value::Mapping(_)) => Some((
            "a text",
            "write a text; put it in quotes if it begins with a bracket",
        )),
        (Kind::Bool, _) if value.as_bool().is_none() => Some((
            "`true` or `false`",
            "write `true` or `false`, without quotes",
        )),
        (Kind::Mapping, Value::Scalar(_) | Value::Sequence(_)) => {
            Some(("a mapping", "write `key: value` lines below it, indented"))
        }
        (Kind::Words, Value::Mapping(_)) => Some(("a text", "write words separated by blanks")),
        (Kind::Words, Value::Sequence(items))
            if items.iter().any(|item| item.as_str().is_none()) =>
        {
            Some(("a list of texts", "write words separated by blanks"))
        }
        _ => None,
    }
}
