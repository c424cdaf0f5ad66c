use crate::client::{Behaviour, Condition};
use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::hooks::hook_faults;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix, Severity};
use skills_format::yaml::node::{Node, Value};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ClientField,
    level: Level::Warn,
    group: Group::Portability,
    summary: "no client refuses or ignores a field or its value",
    why: "Fields beyond the specification belong to some clients. Another client ignores them, refuses the whole \
          skill, or knows other values. Reported for the clients that `clients` in `skills.toml` or `--client` names.",
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
const ACTING: [(&str, &str); 12] = [
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
    ("when_to_use", "say it in the description too"),
];
/// What ends a finding about a field that is meant for some clients only.
const ALLOW: &str =
    "set `allow = [\"client-field\"]` in `skills.toml` if the field is meant for the others";
const IN_WORDS: &str = "say in the body what must hold without this field";

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = ignored(view);
    found.extend(hyphens(view));
    for one in view.on(Condition::UnknownField) {
        found.extend(refused(view, one));
    }
    for one in view.on(Condition::OtherValue) {
        found.extend(value(view, one));
    }
    for one in view.on(Condition::FieldAlone) {
        found.extend(alone(view, one));
    }
    for one in view.on(Condition::Hooks) {
        let hooks = view.field("hooks").filter(|(_, value)| !value.is_null());
        for fault in hooks
            .map(|(_, hooks)| hook_faults(hooks, one.fact.values))
            .unwrap_or_default()
        {
            found.push(view.about_clients(RULE.id, fault.span, &fault.what, &[one], fault.works));
        }
    }
    for one in view.on(Condition::Globs) {
        for item in items(view, one.fact.key) {
            let count = |c: char| item.as_str().unwrap_or_default().matches(c).count();
            if count('[') > count(']') || count('{') != count('}') {
                let what = format!("this is not a glob in `{}`", one.fact.key);
                found.push(view.about_clients(
                    RULE.id,
                    item.span,
                    &what,
                    &[one],
                    "close every bracket",
                ));
            }
        }
    }
    for one in view.on(Condition::NoGlob) {
        found.extend(no_globs(view, one));
    }
    for one in view.on(Condition::LongText) {
        found.extend(length(view, one));
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

/// Reports `when-to-use`, which no client reads. Some clients read `when_to_use`, so the advice depends on whether all of
/// the asked clients do.
fn hyphens(view: &SkillView<'_>) -> Option<Finding> {
    let (written, read) = ("when-to-use", "when_to_use");
    let (key, _) = view.field(written).filter(|(_, value)| !value.is_null())?;
    let mut blind = view.on(Condition::FieldIgnored);
    blind.retain(|one| !one.fact.values.contains(&written));
    if blind.is_empty() {
        return None;
    }
    let is_read = blind.iter().all(|one| one.fact.values.contains(&read));
    let what = format!("`{written}` is not a field of every client");
    if is_read && !view.has(read) {
        let fix = Fix::guess(vec![Edit::replace(key.span, read)]);
        let works = format!("write `{read}`");
        return Some(
            view.about_clients(RULE.id, key.span, &what, &blind, &works)
                .fix(fix),
        );
    }
    let works = "say it in the description, which every client reads, and remove the field";
    Some(view.about_clients(RULE.id, key.span, &what, &blind, works))
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

/// Reports a field that does nothing without another.
fn alone(view: &SkillView<'_>, one: Behaviour<'_>) -> Option<Finding> {
    let (key, _) = view.field(one.fact.key)?;
    let other = one.fact.values.first()?;
    let (name, value) = other.split_once(": ").unwrap_or((other, ""));
    if let Some((_, node)) = view.field(name)
        && (value.is_empty() || node.as_str() == Some(value))
    {
        return None;
    }
    let what = format!("`{}` without `{other}`", one.fact.key);
    let works = format!("write `{other}` too, or remove it");
    Some(view.about_clients(RULE.id, key.span, &what, &[one], &works))
}

/// Reports globs that do not close the skill: the whole value if the client lists the skill all the same, otherwise the
/// items that are not texts.
fn no_globs(view: &SkillView<'_>, one: Behaviour<'_>) -> Vec<Finding> {
    let works = "write texts such as `src/**/*.rs`, or remove the field";
    let key = one.fact.key;
    let Some((_, value)) = view.field(key).filter(|(_, value)| !value.is_null()) else {
        return Vec::new();
    };
    if view.is_listed_in(one.client) == Some(true) {
        let what = format!("`{key}` holds no glob, or only globs for every file");
        return vec![view.about_clients(RULE.id, value.span, &what, &[one], works)];
    }
    let mut others = items(view, key);
    others.retain(|item| !matches!(item.kind(), "text" | "a list"));
    let what = format!("this is not a glob in `{key}`");
    let others = others.into_iter();
    others
        .map(|item| view.about_clients(RULE.id, item.span, &what, &[one], works))
        .collect()
}

/// Returns the items of a list, or the one value of a field.
fn items<'v>(view: &'v SkillView<'_>, key: &str) -> Vec<&'v Node> {
    let value = view.field(key).map(|(_, value)| value);
    match value.map(|value| &value.value) {
        Some(Value::Sequence(items)) => items.iter().collect(),
        _ => value.into_iter().collect(),
    }
}

/// Reports texts that are cut or refused for their length.
fn length(view: &SkillView<'_>, one: Behaviour<'_>) -> Option<Finding> {
    let mut length = 0;
    let mut last: Option<&Node> = None;
    for &path in one.fact.values {
        let node = match path.split_once('.') {
            Some((outer, inner)) => view.field(outer).and_then(|(_, node)| node.get(inner)),
            None => view.field(path).map(|(_, node)| node),
        };
        if let Some(text) = node.and_then(Node::as_str) {
            length += text.trim().chars().map(char::len_utf16).sum::<usize>();
            last = node;
        }
    }
    let node = last.filter(|_| length > one.fact.limit)?;
    let names = one.fact.values.join("` and `");
    let what = match one.fact.values {
        [_] => format!("`{names}` has {length} characters"),
        _ => format!("`{names}` together have {length} characters"),
    };
    let works = format!("write at most {} characters", one.fact.limit);
    let finding = view.about_clients(RULE.id, node.span, &what, &[one], &works);
    Some(finding.at_most(Severity::Warning))
}

#[cfg(test)]
mod tests {
    use crate::client::{Client, Condition, Loss};
    use crate::rules::tests::{client, told_to, with_facts};

    fn told(mut one: Client, key: &'static str, limit: usize, fields: &str) -> Vec<String> {
        with_facts(&mut one, |fact| {
            fact.key = key;
            fact.limit = limit;
        });
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
            told(six, "", 0, "version: 1\ntags: a\n"),
            ["version: `version`, `tags` are not fields of the specification: it is lost in ONE"]
        );
        assert!(told(six, "", 0, "").is_empty());
        let blind = one(Condition::FieldIgnored, &["context"]);
        assert_eq!(
            told(blind, "", 0, "context: fork\nagent: Explore\nversion: 1\n"),
            ["agent: `agent` is not a field of every client: it is lost in ONE"]
        );
        assert!(told(blind, "", 0, "agent:\nwhen-to-use:\n").is_empty());
    }

    #[test]
    fn a_field_with_hyphens() {
        let read = one(Condition::FieldIgnored, &["when_to_use"]);
        let other = client("two", Condition::FieldIgnored, Loss::Nothing, &["name"]);
        let text = "---\nname: x\ndescription: Does. Use when asked.\nwhen-to-use: a\n---\n\nGo.\n";
        let told = |clients: &[Client]| {
            let mut found = told_to("client-field", clients, &["all"], &[("x/SKILL.md", text)]);
            let one = found.pop().expect("a finding");
            let fix = one.fix.map(|fix| {
                fix.edits
                    .into_iter()
                    .map(|edit| edit.text)
                    .collect::<String>()
            });
            (
                found.len(),
                one.message.to_string(),
                one.help.to_string(),
                fix,
            )
        };
        let what = "`when-to-use` is not a field of every client: it is lost in";
        let (more, message, help, fix) = told(&[read]);
        assert_eq!(
            (more, message, fix.as_deref()),
            (0, format!("{what} ONE"), Some("when_to_use"))
        );
        assert!(help.starts_with("write `when_to_use`; "), "{help}");
        for (clients, names) in [(&[other][..], "TWO"), (&[read, other], "ONE and TWO")] {
            let (more, message, help, fix) = told(clients);
            assert_eq!((more, message, fix), (0, format!("{what} {names}"), None));
            assert!(help.starts_with("say it in the description"), "{help}");
        }
    }

    #[test]
    fn values_of_fields() {
        let effort = |fields| {
            told(
                one(Condition::OtherValue, &["low", "high"]),
                "effort",
                0,
                fields,
            )
        };
        assert_eq!(
            effort("effort: huge\n"),
            ["huge: `effort` cannot be `huge`: it is lost in ONE"]
        );
        assert!(effort("effort: high\n").is_empty() && effort("effort:\n").is_empty());
        let agent = |fields| {
            told(
                one(Condition::FieldAlone, &["context: fork"]),
                "agent",
                0,
                fields,
            )
        };
        assert_eq!(
            agent("agent: Explore\n"),
            ["agent: `agent` without `context: fork`: it is lost in ONE"]
        );
        assert!(agent("agent: Explore\ncontext: fork\n").is_empty());
        let hooks = |fields| told(one(Condition::Hooks, &["Stop"]), "", 0, fields);
        assert_eq!(
            hooks("hooks: x\n"),
            ["x: `hooks` is text, not a mapping of events: it is lost in ONE"]
        );
        assert_eq!(
            hooks("hooks:\n  Halt: []\n"),
            ["Halt: `Halt` is not an event: it is lost in ONE"]
        );
        assert_eq!(
            hooks("hooks:\n  Stop: x\n"),
            ["x: the hooks of `Stop` are text, not a list: it is lost in ONE"]
        );
        assert_eq!(
            hooks("hooks:\n  Stop:\n  - hooks: [{type: cmd}]\n"),
            ["cmd: `cmd` is not the `type` of a hook: it is lost in ONE"]
        );
        assert!(hooks("hooks:\n  Stop:\n  - hooks: []\n").is_empty());
        let paths = |fields| told(one(Condition::Globs, &[]), "paths", 0, fields);
        assert_eq!(paths("paths: \"src/[a\"\n").len(), 1);
        let none = |fields| told(one(Condition::NoGlob, &[]), "paths", 0, fields);
        assert_eq!(
            none("paths:\n- a: b\n"),
            ["a: b: this is not a glob in `paths`: it is lost in ONE"]
        );
        assert!(none("paths: [[a], b]\n").is_empty());
        assert!(paths("paths: [\"src/[ab].rs\", \"{a,b}\"]\n").is_empty());
    }

    #[test]
    fn long_texts() {
        let long = |values: &[&'static str], limit, fields: &str| {
            told(one(Condition::LongText, values), "", limit, fields).len()
        };
        let both = ["description", "when_to_use"];
        // The description has 21 characters.
        assert_eq!(long(&both, 24, "when_to_use: abcd\n"), 1);
        assert_eq!(long(&both, 25, "when_to_use: abcd\n"), 0);
        assert_eq!(
            long(
                &["metadata.short-description"],
                3,
                "metadata:\n  short-description: abcd\n"
            ),
            1
        );
        assert_eq!(
            long(
                &["metadata.short-description"],
                4,
                "metadata:\n  short-description: abcd\n"
            ),
            0
        );
    }
}
