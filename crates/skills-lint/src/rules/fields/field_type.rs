use crate::client::{Behaviour, Condition, enumerated};
use crate::rules::advice::ambiguous_scalar::reading;
use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_check::check::value::{value_edit, without_line_end};
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix, Severity};
use skills_format::skill::fields::read::as_mapping;
use skills_format::skill::known_fields::FIELDS;
use skills_format::skill::known_fields::FieldKind;
use skills_format::yaml::node::{Node, Style, Value};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::FieldType,
    level: Level::Deny,
    group: Group::Fields,
    summary: "a known field has a value of its type",
    why: "If a description is a list, or a boolean field is neither `true` nor `false`, no client reads it as \
          intended. Three forms are warnings, and have a fix: `yes`, `on` and `1`, which mean `true` here but not \
          in every client; an `argument-hint` that YAML does not read as a string, such as `[file]` without quotes; \
          and a field without a value, which is treated as absent.",
    bad: Example::Skill(with_fields!("user-invocable: no\n")),
    marks: "no",
    good: Example::Skill(with_fields!("user-invocable: false\n")),
    fix: FixKind::Safe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    // Looked up once: most skills have few of the known fields.
    let all = view.fields();
    let fields = FIELDS
        .iter()
        .filter_map(|known| Some((known, all?.entry(known.key)?)));
    fields
        .filter(|(_, (key, value))| !value.is_null() && view.is_sound(key.span))
        .filter_map(|(known, (key, value))| {
            let (expected, help) = known.kind.mismatch(value)?;
            if matches!(known.kind, FieldKind::Bool)
                && let Some(meant) = in_words(value)
            {
                return Some(loose(view, key, value, meant));
            }
            let message = format!("`{}` is {}, not {expected}", known.key, value.kind());
            Some(view.at(RULE.id, value.span, message).help(help))
        })
        .chain(needs(view))
        .chain(hint(view))
        .chain(without_value(view))
        .collect()
}

/// Reports known fields without a value. Other rules report a missing name or description.
fn without_value(view: &SkillView<'_>) -> Vec<Finding> {
    let is_told = |key: &str| !matches!(key, "name" | "description");
    let fields = FIELDS.iter().filter(|known| is_told(known.key));
    let empty = fields.filter_map(|known| {
        let (key, _) = view.field(known.key).filter(|(_, value)| value.is_null())?;
        let message = format!("`{}` has no value", known.key);
        let finding = view
            .at(RULE.id, key.span, message)
            .at_most(Severity::Warning);
        Some(match known.key {
            // Without a value the field restrains nothing, and its author meant something.
            "user-invocable" | "disable-model-invocation" => {
                finding.help("write `true` or `false`, or remove the field")
            }
            "disallowed-tools" => finding.help("write the names of tools, or remove the field"),
            _ => finding.help("write a value, or remove the field"),
        })
    });
    empty.collect()
}

/// Reports an `argument-hint` that YAML does not read as a text. Here it is kept as it is written, so it is a warning.
fn hint(view: &SkillView<'_>) -> Option<Finding> {
    let key = "argument-hint";
    let (node, value) = view.field(key).filter(|(_, value)| !value.is_null())?;
    let what = match &value.value {
        // A list is read as `[a, b]` here.
        Value::Sequence(_) if !view.tree.scope.clients.are_named() => return None,
        Value::Mapping(_) | Value::Sequence(_) => value.kind().to_owned(),
        Value::Scalar(scalar) => {
            let plain = (scalar.style == Style::Plain).then_some(&scalar.text);
            format!("{} to other readers", reading(plain?)?)
        }
    };
    let written = value.span.of(view.text()).trim();
    let message = format!("`{key}` is {what}, not a string");
    let finding = view.at(RULE.id, value.span, message);
    let finding = finding.at_most(Severity::Warning);
    // An alias in quotes is its name, not its value.
    if written.contains(['\n', '"', '\\']) || written.starts_with(['*', '&']) {
        return Some(finding.help("write a text, in quotes"));
    }
    let text = format!("\"{written}\"");
    let help = format!("write `{text}`, in quotes");
    let edit = value_edit(view.text(), node, value, &text);
    Some(match edit {
        Some(edit) => finding.help(help).fix(Fix::safe(vec![edit])),
        None => finding.help(help),
    })
}

/// Returns the boolean that a word means: `yes`, `on` and `1`, their opposites, and booleans in quotes.
fn in_words(value: &Node) -> Option<bool> {
    match value.as_str()?.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// Reports a word that is read here, and by some clients only.
fn loose(view: &SkillView<'_>, key_node: &Node, value: &Node, meant: bool) -> Finding {
    let key = key_node.as_str().unwrap_or_default();
    let word = value.as_str().unwrap_or_default();
    let mut on = view.on(Condition::LooseBoolean);
    let is_blind = |one: &Behaviour<'_>| {
        let mut read = one.fact.values.iter();
        meant && one.fact.key == key && !read.any(|read| read.eq_ignore_ascii_case(word))
    };
    on.retain(is_blind);
    let span = without_line_end(view.text(), value.span);
    let written = span.of(view.text());
    let fact = format!("`{key}` is `{written}`, which counts as `{meant}` here");
    let works = format!("write `{meant}`, without quotes");
    let finding = if on.is_empty() {
        let all = view.tree.scope.clients.every(Condition::LooseBoolean);
        let blind = all.iter().filter(|one| is_blind(one));
        let blind: Vec<&str> = blind.map(|one| one.client.title).collect();
        let message = match blind[..] {
            [] => format!("{fact}, and not in every client"),
            _ => format!("{fact}, and not in {}", enumerated(&blind)),
        };
        view.at(RULE.id, span, message).help(works)
    } else {
        view.about_clients(RULE.id, span, &fact, &on, &works)
    };
    let finding = finding.at_most(Severity::Warning);
    match value_edit(view.text(), key_node, value, &meant.to_string()) {
        Some(edit) => finding.fix(Fix::safe(vec![edit])),
        None => finding,
    }
}

/// Reports requirements that cannot be read: without them, the skill would start on any host.
fn needs(view: &SkillView<'_>) -> Option<Finding> {
    let (_, metadata) = view.field("metadata")?;
    let Some(openclaw) = metadata.get("openclaw") else {
        let (key, _) = metadata.entry("clawdbot")?;
        let message = "`metadata.clawdbot` is not read: the key is `metadata.openclaw` now";
        let finding = view.at(RULE.id, key.span, message);
        let fix = Fix::guess(vec![Edit::replace(key.span, "openclaw")]);
        return Some(
            finding
                .at_most(Severity::Warning)
                .help("write `openclaw`")
                .fix(fix),
        );
    };
    let is_read = openclaw.is_null() || matches!(as_mapping(openclaw).value, Value::Mapping(_));
    (!is_read).then(|| {
        let kind = openclaw.kind();
        let message =
            format!("`metadata.openclaw` is {kind}, not a mapping: its requirements are ignored");
        view.at(RULE.id, openclaw.span, message)
            .help("write a mapping, or JSON that parses in quotes")
    })
}

#[cfg(test)]
mod tests {
    use crate::client::{Condition, Loss};
    use crate::rules::tests::{client, told, told_to, with_facts};
    use skills_format::diagnostic::Edit;
    use skills_format::diagnostic::Severity;

    #[test]
    fn a_hint_that_is_not_a_text() {
        for value in ["5", "true", "{a: b}"] {
            let found = told("field-type", &format!("argument-hint: {value}"));
            assert_eq!(found.len(), 1, "{value}: {found:?}");
        }
        for value in ["\"5\"", "x", "'[issue]'", "[issue]", "<n>"] {
            assert!(told("field-type", &format!("argument-hint: {value}")).is_empty());
        }
    }

    #[test]
    fn an_alias_is_not_quoted() {
        let text = "---\nname: x\ndescription: Does. Use when asked.\nversion: &v 1.0\nargument-hint: *v\n---\n\nGo.\n";
        let one = client("one", Condition::Never, Loss::Nothing, &[]);
        let found = told_to("field-type", &[one], &["one"], &[("x/SKILL.md", text)]);
        assert!(
            found.iter().all(|one| one.fix.is_none()) && found.len() == 1,
            "{found:?}"
        );
    }

    #[test]
    fn fields_without_a_value() {
        for field in ["license", "argument-hint", "user-invocable", "metadata"] {
            for value in ["", " null", " ~"] {
                assert_eq!(
                    told("field-type", &format!("{field}:{value}")),
                    [format!("`{field}` has no value")]
                );
            }
        }
        assert!(told("field-type", "license: \"\"\nhero:").is_empty());
    }

    #[test]
    fn the_fixes() {
        let fix = |fields: &str| {
            let text = format!(
                "---\nname: x\ndescription: Does. Use when asked.\n{fields}\nlicense: MIT\n---\n\nGo.\n"
            );
            let one = client("one", Condition::Never, Loss::Nothing, &[]);
            let mut found = told_to("field-type", &[one], &["one"], &[("x/SKILL.md", &text)]);
            let fix = found.pop().and_then(|one| one.fix)?;
            Some((
                fix.safe,
                Edit::apply(&text, &fix.edits).replace("license: MIT\n", ""),
            ))
        };
        let with = |field: &str| {
            format!("---\nname: x\ndescription: Does. Use when asked.\n{field}---\n\nGo.\n")
        };
        for (fields, fixed) in [
            (
                "argument-hint: [file]",
                (true, with("argument-hint: \"[file]\"\n")),
            ),
            ("argument-hint: 5", (true, with("argument-hint: \"5\"\n"))),
            (
                "user-invocable: 'no'",
                (true, with("user-invocable: false\n")),
            ),
        ] {
            assert_eq!(fix(fields), Some(fixed), "{fields}");
        }
        for fields in [
            "user-invocable:",
            "argument-hint: # later",
            "argument-hint: [\"a\"]",
        ] {
            assert_eq!(fix(fields), None, "{fields}");
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
