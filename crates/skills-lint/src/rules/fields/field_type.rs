use crate::client::{Behaviour, Condition};
use crate::rules::advice::ambiguous_scalar::reading;
use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::fields::read::as_mapping;
use skills_format::skill::known_fields::FIELDS;
use skills_format::skill::known_fields::FieldKind;
use skills_format::yaml::node::{Node, Style, Value};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::FieldType,
    level: Level::Deny,
    group: Group::Fields,
    summary: "a known field holds a value of its type",
    why: "If a description is a list, or a switch is neither `true` nor `false`, no client reads \
          it as it was meant. `yes`, `on` and `1` count as `true` here, and are a warning: some clients read over \
          them.",
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
            if matches!(known.kind, FieldKind::Bool)
                && let Some(meant) = in_words(value)
            {
                return Some(loose(view, known.key, value, meant));
            }
            let message = format!("`{}` is {}, not {expected}", known.key, value.kind());
            Some(view.at(RULE.id, value.span, message).help(help))
        })
        .chain(needs(view))
        .chain(hint(view))
        .collect()
}

/// Reports an `argument-hint` that YAML does not read as a text. Here it is kept as it is written, so it is a warning.
fn hint(view: &SkillView<'_>) -> Option<Finding> {
    let key = "argument-hint";
    let (_, value) = view.field(key).filter(|(_, value)| !value.is_null())?;
    let is_told = |one: &Behaviour<'_>| one.fact.key == key;
    let what = match &value.value {
        // `client-drops` reports a list for the clients that lose the skill. A list is read as `[a, b]` here.
        Value::Sequence(_)
            if !view.tree.scope.clients.are_named()
                || view.on(Condition::ListForText).iter().any(is_told) =>
        {
            return None;
        }
        Value::Mapping(_) | Value::Sequence(_) => value.kind().to_owned(),
        Value::Scalar(scalar) => {
            let plain = (scalar.style == Style::Plain).then_some(&scalar.text);
            format!("{} to other readers", reading(plain?)?)
        }
    };
    let written = value.span.of(view.text()).trim();
    let message = format!("`{key}` is {what}, not a text");
    let help = if written.contains(['\n', '"', '\\']) {
        "write a text, in quotes".to_owned()
    } else {
        format!("write `\"{written}\"`, in quotes")
    };
    let finding = view.at(RULE.id, value.span, message).help(help);
    Some(finding.at_most(Severity::Warning))
}

/// Returns the truth value that a word means: `yes`, `on` and `1`, their opposites, and truth values in quotes.
fn in_words(value: &Node) -> Option<bool> {
    match value.as_str()?.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// Reports a word that is read here, and by some clients only.
fn loose(view: &SkillView<'_>, key: &str, value: &Node, meant: bool) -> Finding {
    let word = value.as_str().unwrap_or_default();
    let mut on = view.on(Condition::LooseBoolean);
    on.retain(|one| {
        let is_read = one
            .fact
            .values
            .iter()
            .any(|read| read.eq_ignore_ascii_case(word));
        meant && one.fact.key == key && !is_read
    });
    let written = value.span.of(view.text());
    let fact = format!("`{key}` is `{written}`, which counts as `{meant}` here");
    let works = format!("write `{meant}`, without quotes");
    let finding = if on.is_empty() {
        let message = format!("{fact}, and not in every client");
        view.at(RULE.id, value.span, message).help(works)
    } else {
        view.about_clients(RULE.id, value.span, &fact, &on, &works)
    };
    finding.at_most(Severity::Warning)
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

#[cfg(test)]
mod tests {
    use crate::client::{Condition, Loss};
    use crate::rules::tests::{client, told, told_to, with_facts};
    use skills_format::diagnostic::Severity;

    #[test]
    fn a_hint_that_is_not_a_text() {
        for value in ["5", "true", "{a: b}"] {
            let found = told("field-type", &format!("argument-hint: {value}"));
            assert_eq!(found.len(), 1, "{value}: {found:?}");
        }
        for value in ["", "\"5\"", "x", "'[issue]'", "[issue]", "<n>"] {
            assert!(told("field-type", &format!("argument-hint: {value}")).is_empty());
        }
    }

    #[test]
    fn words_for_truth_values_are_warnings() {
        let message =
            "`user-invocable` is `yes`, which counts as `true` here, and not in every client";
        assert_eq!(told("field-type", "user-invocable: yes"), [message]);
        assert_eq!(told("field-type", "user-invocable: 'false'").len(), 1);
        let mut one = client(
            "one",
            Condition::LooseBoolean,
            Loss::Restraint,
            &["true", "on"],
        );
        with_facts(&mut one, |fact| fact.key = "disable-model-invocation");
        let told = |value: &str| {
            let text = format!(
                "---\nname: x\ndescription: Does. Use when asked.\ndisable-model-invocation: {value}\n---\n\nGo.\n"
            );
            let found = told_to("field-type", &[one], &["one"], &[("x/SKILL.md", text)]);
            let shown = found
                .iter()
                .map(|one| (one.severity, one.message.to_string()));
            shown.collect::<Vec<_>>()
        };
        let lost =
            "`disable-model-invocation` is `yes`, which counts as `true` here: it is lost in ONE";
        assert_eq!(told("yes"), [(Severity::Warning, lost.to_owned())]);
        let read = "`disable-model-invocation` is `on`, which counts as `true` here, and not in every client";
        assert_eq!(told("on"), [(Severity::Warning, read.to_owned())]);
        assert!(told("true").is_empty());
    }
}
