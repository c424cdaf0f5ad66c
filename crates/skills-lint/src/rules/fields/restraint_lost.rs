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

pub(crate) const RULE: Rule = Rule {
    id: RuleId::RestraintLost,
    level: Level::Deny,
    group: Group::Fields,
    summary: "a limit is written where clients read it",
    why: "`disable_model_invocation` with underscores, `policy.allow_implicit_invocation` in the front matter, \
          `openai.yaml` outside of `agents/` or under another name, and `user-invocable` below `metadata` limit \
          nothing in Claude Code, Codex, Gemini CLI and OpenCode. Here the first \
          two still keep the model from starting the skill, since its author meant it. `restraint-partial` reports \
          a field that only some clients read.",
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
        "`{written}` is not a field of any client, and its limit is lost; `{field}` is the field"
    );
    let finding = view
        .at(RULE.id, key.span, message)
        .help(format!("write `{field}`"));
    let mut edits = vec![Edit::replace(key.span, field)];
    if field == spelling::MODEL {
        let Some(edit) = value_edit(view.text(), key, value, "true") else {
            return finding;
        };
        edits.push(edit);
    }
    finding.fix(Fix::guess(edits))
}

/// Reports restraints below `metadata`, where only the keys of `OpenCode` are read.
fn in_metadata(view: &SkillView<'_>) -> Vec<Finding> {
    let metadata = view.field("metadata").map(|(_, metadata)| metadata);
    let mut found = Vec::new();
    for (key, _, field) in metadata.into_iter().flat_map(below_metadata) {
        if view.is_sound(key.span) && !view.has(field) {
            let written = key.as_str().unwrap_or_default();
            let message = format!(
                "no client reads `metadata.{written}`, and its limit is lost; `{field}` is a field of its own"
            );
            let help = format!("write `{field}` at the beginning of a line, above `metadata`");
            found.push(view.at(RULE.id, key.span, message).help(help));
        }
    }
    found
}

fn in_front_matter(view: &SkillView<'_>) -> Option<Finding> {
    let (key, _) = misplaced_policy(view.fields()?)?;
    let message = "`allow_implicit_invocation` has no effect in the front matter: the model may start the skill";
    let help =
        format!("write `disable-model-invocation: true` here, and the policy into `{OPENAI_FILE}`");
    Some(view.at(RULE.id, key.span, message).help(help))
}

fn in_file(view: &SkillView<'_>) -> Option<Finding> {
    let (path, _) = spelling::elsewhere(view).find(|(path, bytes)| {
        let file = OpenAiFile::read(path, bytes);
        file.is_closed && file.fault.is_none()
    })?;
    let message = format!("no client reads `{path}`, and its limit is lost");
    let help = format!("move the file to `{OPENAI_FILE}`");
    Some(Finding::new(RULE.id, join(view.skill.dir, path), message).help(help))
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::{told, told_of, told_to};
    use skills_format::diagnostic::Edit;

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
                    "`{key}` is not a field of any client, and its limit is lost; `{field}` is the field"
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

    #[test]
    fn the_fix_of_a_misspelt_key() {
        for (key, fixed) in [
            (
                "disable_model_invocation: yes",
                "disable-model-invocation: true",
            ),
            ("user_invocable: false", "user-invocable: false"),
        ] {
            let text =
                format!("---\nname: x\ndescription: Does. Use when asked.\n{key}\n---\n\nGo.\n");
            let mut found = told_to(RULE, &[], &[], &[("x/SKILL.md", &text)]);
            let fix = found.pop().and_then(|one| one.fix).expect("a fix");
            let new = Edit::apply(&text, &fix.edits);
            assert_eq!(new, text.replace(key, fixed));
        }
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
                "no client reads `metadata.{key}`, and its limit is lost; `{field}` is a field of its own"
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
                [format!("no client reads `{path}`, and its limit is lost")]
            );
            let open = told_of(RULE, &[("x/SKILL.md", SKILL), (&at, "openapi: 3.1.0\n")]);
            assert!(open.is_empty());
            let both = [
                ("x/SKILL.md", SKILL),
                ("x/agents/openai.yaml", CLOSED),
                (&at, CLOSED),
            ];
            assert!(told_of(RULE, &both).is_empty());
        }
    }
}
