use crate::client::{Behaviour, Condition};
use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ClientField,
    level: Level::Warn,
    group: Group::Portability,
    summary: "no client refuses or ignores a field or its value",
    why: "Some clients define fields beyond the specification. Other clients ignore such a field, refuse the whole \
          skill, or accept other values for it. The rule covers the clients that `clients` in `skills.toml` or \
          `--client` names.",
    bad: Example::Configured {
        config: "clients = [\"claude-code\"]\n",
        files: &[(
            "release-notes/SKILL.md",
            Content::Text(with_fields!("context: isolated\n")),
        )],
    },
    marks: "isolated",
    good: Example::Configured {
        config: "clients = [\"claude-code\"]\n",
        files: &[(
            "release-notes/SKILL.md",
            Content::Text(with_fields!("context: fork\n")),
        )],
    },
    fix: FixKind::No,
    check: Check::Skill(check),
};

/// The fields that change what a client does, each with what to do for a client that ignores the field. A client that
/// ignores another field loses nothing. `restraint-partial` and `restraint-unsupported` report the fields that restrain a skill.
const ACTING: [(&str, &str); 13] = [
    ("agent", IN_WORDS),
    (
        "allowed-tools",
        "expect that the client asks before each tool",
    ),
    (
        "argument-hint",
        "name the arguments in the description or the body too",
    ),
    ("arguments", IN_WORDS),
    ("background", IN_WORDS),
    ("context", IN_WORDS),
    ("effort", IN_WORDS),
    ("hooks", IN_WORDS),
    ("model", IN_WORDS),
    ("paths", IN_WORDS),
    ("shell", IN_WORDS),
    (
        "when-to-use",
        "say it in the description, which every client reads",
    ),
    ("when_to_use", "say it in the description too"),
];
/// What ends a finding about a field that is meant for some clients only.
const ALLOW: &str =
    "set `allow = [\"client-field\"]` in `skills.toml` if the field is meant for the others";
const IN_WORDS: &str = "say in the body what must hold without this field";

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = ignored(view);
    for one in view.on(Condition::UnknownField) {
        found.extend(refused(view, one));
    }
    for one in view.on(Condition::OtherValue) {
        found.extend(value(view, one));
    }
    found
}

/// Reports fields for which a client refuses the skill: one finding, since one list of fields is the cause.
fn refused(view: &SkillView<'_>, one: Behaviour<'_>) -> Option<Finding> {
    let mut names = Vec::new();
    let mut first = None;
    for (key, _) in view.fields()?.entries() {
        let name = key.as_str().unwrap_or_default();
        if view.is_sound(key.span) && !one.fact.values.contains(&name) {
            names.push(format!("`{name}`"));
            first = first.or(Some(key.span));
        }
    }
    let are = if names.len() == 1 {
        "is not a field"
    } else {
        "are not fields"
    };
    let what = format!("{} {are} of the specification", names.join(", "));
    let works = "move it below `metadata`, or leave it out of the copy for that client";
    Some(view.about_clients(RULE.id, first?, &what, &[one], works))
}

/// Reports fields that change what one client does, and that others ignore.
fn ignored(view: &SkillView<'_>) -> Vec<Finding> {
    let all = view.on(Condition::FieldIgnored);
    let mut found = Vec::new();
    for (field, works) in ACTING {
        // `field-type` reports a field without a value.
        let Some((key, _)) = view.field(field).filter(|(_, value)| !value.is_null()) else {
            continue;
        };
        let mut blind = all.clone();
        blind.retain(|one| !one.fact.values.contains(&field));
        if !blind.is_empty() {
            let what = format!("`{field}` is not a field of every client");
            let works = format!("{works}, or {ALLOW}");
            found.push(view.about_clients(RULE.id, key.span, &what, &blind, &works));
        }
    }
    found
}

/// Reports a value that is not one of a client's list.
fn value(view: &SkillView<'_>, one: Behaviour<'_>) -> Option<Finding> {
    let (_, value) = view.field(one.fact.key)?;
    let text = value.as_str().filter(|_| !value.is_null())?;
    if one.fact.values.contains(&text) {
        return None;
    }
    let what = format!("`{}` cannot be `{text}`", one.fact.key);
    let works = format!("write `{}`", one.fact.values.join("`, `"));
    Some(view.about_clients(RULE.id, value.span, &what, &[one], &works))
}

#[cfg(test)]
mod tests {
    use crate::client::{Client, Condition, Loss};
    use crate::rules::tests::{client, told_to, with_facts};

    fn told(mut one: Client, key: &'static str, fields: &str) -> Vec<String> {
        with_facts(&mut one, |fact| fact.key = key);
        let text =
            format!("---\nname: x\ndescription: Does. Use when asked.\n{fields}---\n\nGo.\n");
        let found = told_to(
            "client-field",
            &[one],
            &["one"],
            &[("x/SKILL.md", text.as_str())],
        );
        let shown = found
            .iter()
            .map(|one| format!("{}: {}", one.span().of(&text), one.message));
        shown.collect()
    }

    fn one(on: Condition, values: &[&'static str]) -> Client {
        client("one", on, Loss::Nothing, values)
    }

    #[test]
    fn fields() {
        let six = one(Condition::UnknownField, &["name", "description"]);
        assert_eq!(
            told(six, "", "version: 1\ntags: a\n"),
            ["version: `version`, `tags` are not fields of the specification: it is lost in ONE"]
        );
        assert!(told(six, "", "").is_empty());
        let blind = one(Condition::FieldIgnored, &["context"]);
        assert_eq!(
            told(blind, "", "context: fork\nagent: Explore\nversion: 1\n"),
            ["agent: `agent` is not a field of every client: it is lost in ONE"]
        );
        assert!(told(blind, "", "agent:\nwhen-to-use:\n").is_empty());
    }

    #[test]
    fn values_of_fields() {
        let effort = |fields| {
            told(
                one(Condition::OtherValue, &["low", "high"]),
                "effort",
                fields,
            )
        };
        assert_eq!(
            effort("effort: huge\n"),
            ["huge: `effort` cannot be `huge`: it is lost in ONE"]
        );
        assert!(effort("effort: high\n").is_empty() && effort("effort:\n").is_empty());
    }
}
