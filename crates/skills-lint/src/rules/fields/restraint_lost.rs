use crate::client::enumerated;
use crate::rules::example::{Example, with_fields};
use crate::rules::portability::spelling;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_check::check::value::value_edit;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::skill::restraint::keys::{below_metadata, misplaced_policy, misspelt};
use skills_format::skill::spelling::Spelling;
use skills_format::tree::join;
use skills_format::yaml::node::Node;
use skills_format::{OPENAI_FILE, OpenAiFile};
use std::fmt::Write as _;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::RestraintLost,
    level: Level::Deny,
    group: Group::Fields,
    summary: "a restraint is written where clients read it",
    why: "`disable_model_invocation` with underscores, `policy.allow_implicit_invocation` in the front matter, \
          `openai.yaml` outside of `agents/` or under another name, and `user-invocable` below `metadata` restrain \
          nothing: Claude Code, Codex, Gemini CLI and OpenCode list such a skill as an open one. Here the first two \
          close the skill all the same, since its author meant it. The fix writes every spelling that the clients of the \
          skill read. `restraint-partial` reports a spelling that only some clients read.",
    bad: Example::Skill(with_fields!("disable_model_invocation: true\n")),
    marks: "disable_model_invocation",
    good: Example::Skill(with_fields!("disable-model-invocation: true\n")),
    fix: FixKind::Unsafe,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    if !view.is_readable() {
        return Vec::new();
    }
    let mut found: Vec<Finding> = lost_keys(view)
        .map(|(key, value, field)| in_key(view, key, value, field))
        .collect();
    found.extend(in_metadata(view));
    // `restraint-partial` reports the clients that do not see the other spelling.
    if !is_read_somewhere(view) {
        found.extend(in_front_matter(view));
    }
    // Codex reads a file at this path, and no other file.
    if view.skill.file.openai.is_none() {
        found.extend(in_file(view));
    }
    found
}

/// Returns whether a spelling that clients read closes the skill to the model.
fn is_read_somewhere(view: &SkillView<'_>) -> bool {
    let is_read =
        |spelling: &Spelling| spelling.is_for_model() && *spelling != Spelling::PolicyInFrontMatter;
    view.closed_by().iter().any(is_read)
}

fn is_closed_by_field(view: &SkillView<'_>) -> bool {
    let closed = view.closed_by();
    view.field(spelling::MODEL).is_some() && closed.contains(&Spelling::DisableModelInvocation)
}

/// Returns the misspelt keys whose restraint is lost, each with its value and the field that is meant. A key beside
/// the field itself is not among them: `field-typo` reports it.
pub(super) fn lost_keys<'v>(
    view: &'v SkillView<'_>,
) -> impl Iterator<Item = (&'v Node, &'v Node, &'static str)> {
    let all = view.fields().into_iter().flat_map(misspelt);
    all.filter(|(key, _, field)| view.is_sound(key.span) && !view.has(field))
}

fn in_key(view: &SkillView<'_>, key: &Node, value: &Node, field: &str) -> Finding {
    let written = key.as_str().unwrap_or_default();
    let message = format!(
        "`{written}` is not a field of any client, and its restraint is lost; `{field}` is the field"
    );
    let finding = view
        .at(RULE.id, key.span, message)
        .help(format!("write `{field}`"));
    let mut edits = vec![Edit::replace(key.span, field)];
    if field != spelling::MODEL {
        return finding.fix(Fix::guess(edits));
    }
    let Some(edit) = value_edit(view.text(), key, value, "true") else {
        return finding;
    };
    edits.push(edit);
    let read = read_with(view, Spelling::DisableModelInvocation);
    spelling::with_fix(view, finding, &spelling::wanted(view, &read, &[]), edits)
}

/// Returns the spellings of the skill that clients read, and one more.
fn read_with(view: &SkillView<'_>, more: Spelling) -> Vec<Spelling> {
    let mut read = view.closed_by().to_vec();
    read.retain(|spelling| match spelling {
        Spelling::OpenAiPolicy => true,
        Spelling::OpenCodeAutoinvoke => spelling::autoinvoke(view).is_some(),
        _ => false,
    });
    read.push(more);
    read
}

/// Reports restraints below `metadata`, where only the keys of `OpenCode` are read.
fn in_metadata(view: &SkillView<'_>) -> Vec<Finding> {
    let metadata = view.field("metadata").map(|(_, metadata)| metadata);
    let mut found = Vec::new();
    for (key, _, field) in metadata.into_iter().flat_map(below_metadata) {
        if !view.is_sound(key.span) || view.has(field) {
            continue;
        }
        let written = key.as_str().unwrap_or_default();
        let message = format!(
            "no client reads `metadata.{written}`, and its restraint is lost; `{field}` is a field of its own"
        );
        let help = format!("write `{field}` at the beginning of a line, above `metadata`");
        let finding = view.at(RULE.id, key.span, message).help(help);
        let mut missing = match field {
            spelling::MODEL => vec![Spelling::DisableModelInvocation],
            spelling::PERSON => vec![Spelling::UserInvocable],
            _ => {
                found.push(finding);
                continue;
            }
        };
        if field == spelling::MODEL {
            let read = read_with(view, Spelling::DisableModelInvocation);
            missing.extend(spelling::wanted(view, &read, &[]));
        }
        found.push(spelling::with_fix(view, finding, &missing, Vec::new()));
    }
    found
}

fn in_front_matter(view: &SkillView<'_>) -> Option<Finding> {
    let (key, _) = misplaced_policy(view.fields()?)?;
    let message = "`allow_implicit_invocation` has no effect in the front matter: the model may start the skill";
    let finding = view.at(RULE.id, key.span, message).help(format!(
        "write `disable-model-invocation: true` here, and the policy into `{OPENAI_FILE}`"
    ));
    let mut missing = vec![Spelling::DisableModelInvocation, Spelling::OpenAiPolicy];
    let more = spelling::wanted(view, &missing, &[]);
    missing.extend(more);
    Some(spelling::with_fix(view, finding, &missing, Vec::new()))
}

fn in_file(view: &SkillView<'_>) -> Option<Finding> {
    let (path, _) = spelling::elsewhere(view).find(|(path, bytes)| {
        let file = OpenAiFile::read(path, bytes);
        file.is_closed && file.fault.is_none()
    })?;
    let lost = if is_read_somewhere(view) {
        "its restraint is lost"
    } else {
        "the model may start the skill"
    };
    let message = format!("no client reads `{path}`: {lost}");
    let place = join(view.skill.dir, path);
    let mut help = format!("move the file to `{OPENAI_FILE}`");
    // Otherwise `restraint-partial` would ask for the rest after the move.
    let mut read = read_with(view, Spelling::OpenAiPolicy);
    read.extend(is_closed_by_field(view).then_some(Spelling::DisableModelInvocation));
    let more = spelling::wanted(view, &read, &[]);
    if !more.is_empty() {
        let more: Vec<&str> = more.into_iter().map(spelling::code).collect();
        let _ = write!(help, ", and write {}", enumerated(&more));
    }
    Some(Finding::new(RULE.id, place, message).help(help))
}

#[cfg(test)]
mod tests {
    use crate::client::{Condition, Loss};
    use crate::rules::tests::{client, told, told_of, told_to};
    use skills_format::diagnostic::patch::Patch;

    const RULE: &str = "restraint-lost";

    #[test]
    fn misspelt_keys_of_restraints() {
        for (key, value, field) in [
            (
                "disable_model_invocation",
                "true",
                "disable-model-invocation",
            ),
            ("disableModelInvocation", "yes", "disable-model-invocation"),
            ("user_invocable", "false", "user-invocable"),
            ("disallowed_tools", "Bash", "disallowed-tools"),
        ] {
            assert_eq!(
                told(RULE, &format!("{key}: {value}")),
                [format!(
                    "`{key}` is not a field of any client, and its restraint is lost; `{field}` is the field"
                )]
            );
            assert!(told("field-typo", &format!("{key}: {value}")).is_empty());
        }
        // What restrains nothing loses nothing: `field-typo` reports the key.
        for fields in [
            "disable_model_invocation: false",
            "user_invocable: true",
            "disallowed_tools:",
            "disable_model_invocation: true\ndisable-model-invocation: true",
        ] {
            assert!(told(RULE, fields).is_empty(), "{fields}");
            assert_eq!(told("field-typo", fields).len(), 1, "{fields}");
        }
        assert!(told(RULE, "disable-model-invocation: true").is_empty());
    }

    /// The fix writes the spellings that the skill lacks, and no other.
    #[test]
    fn the_fix_of_a_misspelt_key() {
        let reads = |name, spelling| client(name, Condition::Closed, Loss::Restraint, &[spelling]);
        let clients = [
            reads("claude", "disable-model-invocation"),
            reads("codex", "openai-yaml"),
            reads("opencode", "opencode-autoinvoke"),
        ];
        let policy = "policy:\n  allow_implicit_invocation: false\n";
        let fix = |fields: &str, openai: Option<&str>| {
            let text =
                format!("---\nname: x\ndescription: Does. Use when asked.\n{fields}---\n\nGo.\n");
            let mut files = vec![("x/SKILL.md", text.as_str())];
            files.extend(openai.map(|text| ("x/agents/openai.yaml", text)));
            let mut found = told_to(RULE, &clients, &[], &files);
            let fix = found.pop().and_then(|one| one.fix).expect("a fix");
            let edits = fix.edits.into_iter().map(|edit| edit.text);
            (edits.collect::<Vec<_>>().join("|"), fix.files.len())
        };
        let key = "disable_model_invocation: yes\n";
        let written = "disable-model-invocation|true";
        let metadata = "metadata:\n  opencode/autoinvoke: \"false\"\n";
        assert_eq!(fix(key, None), (format!("{written}|{metadata}"), 1));
        assert_eq!(fix(key, Some(policy)), (format!("{written}|{metadata}"), 0));
        assert_eq!(
            fix(&format!("{key}{metadata}"), None),
            (written.to_owned(), 1)
        );
        let person = fix("user_invocable: false\n", None);
        assert_eq!(person, ("user-invocable".to_owned(), 0));
    }

    #[test]
    fn the_policy_of_codex_in_the_front_matter() {
        for fields in [
            "policy:\n  allow_implicit_invocation: false",
            "policy: {allow_implicit_invocation: no}",
            "allow_implicit_invocation: false",
            "allow-implicit-invocation: \"false\"",
            "policy.allow_implicit_invocation: false",
        ] {
            assert_eq!(
                told(RULE, fields),
                [
                    "`allow_implicit_invocation` has no effect in the front matter: the model may start the skill"
                ],
                "{fields}"
            );
        }
        for fields in [
            "policy: strict",
            "policy:\n  allow_implicit_invocation: true",
            "policy:\n  allow_implicit_invocation:",
            "policy: {allow_implicit_invocation: false}\ndisable-model-invocation: true",
        ] {
            assert!(told(RULE, fields).is_empty(), "{fields}");
        }
    }

    /// Another restraint does not hide that the file has no effect, and one that stands there is not asked for.
    #[test]
    fn a_file_with_another_name_beside_another_restraint() {
        let claude = client(
            "claude",
            Condition::Closed,
            Loss::Restraint,
            &["disable-model-invocation"],
        );
        let policy = "policy:\n  allow_implicit_invocation: false\n";
        let told = |fields: &str, path: &str| {
            let text =
                format!("---\nname: x\ndescription: Does. Use when asked.\n{fields}---\n\nGo.\n");
            let files = [("x/SKILL.md", text.as_str()), (path, policy)];
            let found = told_to(RULE, &[claude], &["claude"], &files);
            let found = found
                .iter()
                .map(|one| format!("{}; {}", one.message, one.help));
            found.collect::<Vec<_>>()
        };
        let closed = "disable-model-invocation: true\n";
        let lost = "no client reads `agents/openai.yml`";
        let help = "move the file to `agents/openai.yaml`";
        assert_eq!(
            told(closed, "x/agents/openai.yml"),
            [format!("{lost}: its restraint is lost; {help}")]
        );
        assert_eq!(
            told("", "x/agents/openai.yml"),
            [format!(
                "{lost}: the model may start the skill; {help}, and write `disable-model-invocation: true`"
            )]
        );
        assert!(told(closed, "x/agents/openai.yaml").is_empty());
    }

    #[test]
    fn restraints_below_metadata() {
        for (entry, field) in [
            ("user-invocable: false", "user-invocable"),
            ("user_invocable: \"false\"", "user-invocable"),
            ("disable-model-invocation: true", "disable-model-invocation"),
            ("disallowed-tools: Bash", "disallowed-tools"),
        ] {
            let key = entry.split(':').next().unwrap_or_default();
            let message = format!(
                "no client reads `metadata.{key}`, and its restraint is lost; `{field}` is a field of its own"
            );
            for metadata in [
                format!("metadata:\n  {entry}"),
                format!("metadata: {{{entry}}}"),
            ] {
                assert_eq!(told(RULE, &metadata), [&*message]);
            }
            let beside = format!("{entry}\nmetadata:\n  {entry}").replace("user_inv", "user-inv");
            assert!(told(RULE, &beside).is_empty(), "{beside}");
        }
        for entry in [
            "user-invocable: true",
            "disable-model-invocation: false",
            "disallowed-tools:",
        ] {
            assert!(
                told(RULE, &format!("metadata:\n  {entry}")).is_empty(),
                "{entry}"
            );
        }
    }

    #[test]
    fn the_fix_of_a_restraint_below_metadata() {
        let fixed = |fields: &str| {
            let text =
                format!("---\nname: x\ndescription: Does. Use when asked.\n{fields}---\n\nGo.\n");
            let mut found = told_to(RULE, &[], &[], &[("x/SKILL.md", &text)]);
            let fix = found.pop().and_then(|one| one.fix).expect("a fix");
            let text = Patch::new(&text, &fix.edits).text;
            text.split("asked.\n")
                .nth(1)
                .and_then(|text| text.split("---").next())
                .map(str::to_owned)
        };
        assert_eq!(
            fixed("metadata:\n  user-invocable: false\n  version: \"1\"\n").as_deref(),
            Some("metadata:\n  user-invocable: false\n  version: \"1\"\nuser-invocable: false\n")
        );
        assert_eq!(
            fixed("metadata: {user-invocable: false}\n").as_deref(),
            Some("metadata: {user-invocable: false}\nuser-invocable: false\n")
        );
    }

    #[test]
    fn an_openai_yaml_elsewhere() {
        const SKILL: &str = "---\nname: x\ndescription: Does. Use when asked.\n---\n\nGo.\n";
        const CLOSED: &str = "policy:\n  allow_implicit_invocation: false\n";
        for path in [
            "openai.yaml",
            "openai.yml",
            "agents/openai.yml",
            "agents/OpenAI.yaml",
            "Agents/openai.yaml",
        ] {
            let at = format!("x/{path}");
            let told = told_of(RULE, &[("x/SKILL.md", SKILL), (&at, CLOSED)]);
            assert_eq!(
                told,
                [format!(
                    "no client reads `{path}`: the model may start the skill"
                )]
            );
            let open = told_of(RULE, &[("x/SKILL.md", SKILL), (&at, "openapi: 3.1.0\n")]);
            assert!(open.is_empty());
            let both = [
                ("x/SKILL.md", SKILL),
                ("x/agents/openai.yaml", CLOSED),
                (&at, CLOSED),
            ];
            assert!(told_of(RULE, &both).is_empty());
            let reads =
                |name, spelling| client(name, Condition::Closed, Loss::Restraint, &[spelling]);
            let clients = [
                reads("claude", "disable-model-invocation"),
                reads("codex", "openai-yaml"),
            ];
            let files = [("x/SKILL.md", SKILL), (&*at, CLOSED)];
            let found = told_to(RULE, &clients, &["all"], &files);
            let helps: Vec<String> = found.iter().map(|one| one.help.to_string()).collect();
            assert_eq!(
                helps,
                [
                    "move the file to `agents/openai.yaml`, and write `disable-model-invocation: true`"
                ]
            );
        }
    }
}
