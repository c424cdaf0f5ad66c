use crate::client::{Behaviour, Condition, Reading, enumerated};
use crate::rules::example::{Content, Example, with_fields};
use crate::rules::portability::spelling;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::spelling::Spelling;
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::RestraintPartial,
    level: Level::Deny,
    group: Group::Portability,
    summary: "a skill that only a person or only the model can start says so to every client",
    why: "Each client reads its own field: `disable-model-invocation: true`, `policy.allow_implicit_invocation: \
          false` in `agents/openai.yaml`, or `opencode/autoinvoke: \"false\"` in `metadata`. A client that does not \
          know the field lets its model start the skill. Here each of these fields counts. \
          `user-invocable: false`, or `opencode/slash: \"false\"` in `metadata`, keeps people out, and is \
          reported if `clients` names a client that does not read it. `restraint-unsupported` is about clients that \
          have no such field at all. If the skill is meant for only one client, write `allow = \
          [\"restraint-partial\"]` into `skills.toml`.",
    bad: Example::Configured {
        config: "clients = [\"codex\"]\n",
        files: &[(
            "release-notes/SKILL.md",
            Content::Text(with_fields!("disable-model-invocation: true\n")),
        )],
    },
    marks: "true",
    good: Example::Configured {
        config: "clients = [\"codex\"]\n",
        files: &[
            (
                "release-notes/SKILL.md",
                Content::Text(with_fields!("disable-model-invocation: true\n")),
            ),
            (
                "release-notes/agents/openai.yaml",
                Content::Text("policy:\n  allow_implicit_invocation: false\n"),
            ),
        ],
    },
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let closed = closed_to_model(view);
    let (_, blind) = unseen(view, &closed, Condition::Closed);
    if !blind.is_empty() {
        let mut missing = spelling::wanted(view, &closed, &blind);
        // What a client would read, but for the form of the file, is not written again.
        missing.retain(|spelling| {
            let mut blind = blind.iter();
            !closed.contains(spelling) || !blind.any(|one| spelling::sees(view, one, *spelling))
        });
        let fact = format!("the model is kept out only by {}", written(&closed));
        if !missing.is_empty() {
            found.push(partial(view, &closed, &blind, &fact, &missing));
        } else if blind.iter().any(|one| one.client.reads.is_some()) {
            let works =
                "correct what `client-drops`, `text-form` or `openai-yaml` reports of the files";
            found.push(view.about_clients(RULE.id, place(view, &closed), &fact, &blind, works));
        }
    }
    let closed = closed_to_person(view);
    let (_, blind) = unseen(view, &closed, Condition::ClosedToPerson);
    if !blind.is_empty() {
        let mut missing = vec![Spelling::UserInvocable, Spelling::MetadataSlash];
        missing.retain(|spelling| blind.iter().any(|one| spelling::reads(one, *spelling)));
        let fact = format!("people are kept out only by {}", written(&closed));
        found.push(partial(view, &closed, &blind, &fact, &missing));
    }
    found
}

/// Reports the clients that read a restraint only in spellings that the skill lacks.
fn partial(
    view: &SkillView<'_>,
    closed: &[Spelling],
    blind: &[Behaviour<'_>],
    fact: &str,
    missing: &[Spelling],
) -> Finding {
    let works = format!(
        "also write {}, or set `allow = [\"restraint-partial\"]` in `skills.toml` if only one client is meant",
        written(missing)
    );
    view.about_clients(RULE.id, place(view, closed), fact, blind, &works)
}

/// Returns the value that closes the skill.
fn place(view: &SkillView<'_>, closed: &[Spelling]) -> Span {
    spelling::place(view, closed).unwrap_or_else(|| view.opening())
}

/// Writes spellings as code, each with its place: `` `a` and `b` in `metadata` ``.
fn written(spellings: &[Spelling]) -> String {
    let all: Vec<&str> = spellings.iter().map(|one| spelling::code(*one)).collect();
    enumerated(&all)
}

/// Returns the spellings that clients read and that close the skill to a person.
pub(super) fn closed_to_person(view: &SkillView<'_>) -> Vec<Spelling> {
    let mut closed = view.closed_by().to_vec();
    closed.retain(|spelling| match spelling {
        // `restraint-lost` and `hidden-text` report a restraint that no client reads.
        Spelling::UserInvocable => view.field(spelling::PERSON).is_some(),
        Spelling::MetadataSlash => true,
        _ => false,
    });
    closed
}

/// Returns the spellings that clients read and that close the skill to the model.
pub(super) fn closed_to_model(view: &SkillView<'_>) -> Vec<Spelling> {
    let mut closed = view.closed_by().to_vec();
    // `restraint-lost` and `hidden-text` report a restraint that no client reads.
    let is_misspelt = view.field(spelling::MODEL).is_none();
    let openai = view.skill.file.openai.as_ref();
    let is_unclear = openai.is_some_and(|file| file.fault.is_some());
    closed.retain(|spelling| match spelling {
        Spelling::DisableModelInvocation => !is_misspelt,
        // Codex offers a skill whose file is not clear.
        Spelling::OpenAiPolicy => !is_unclear,
        Spelling::PolicyInFrontMatter => false,
        other => other.is_for_model(),
    });
    closed
}

/// Returns the clients that see no spelling of the restraint: first those that have no spelling for it at all.
pub(super) fn unseen<'v>(
    view: &SkillView<'v>,
    closed: &[Spelling],
    condition: Condition,
) -> (Vec<Behaviour<'v>>, Vec<Behaviour<'v>>) {
    if closed.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let mut blind = view.on(condition);
    blind.retain(|one| {
        let mut closed = closed.iter();
        let is_blind = !closed.any(|spelling| spelling::sees(view, one, *spelling));
        if condition != Condition::Closed {
            return is_blind;
        }
        match view.reading_in(one.client) {
            // The client's own reader knows best: it can read over a field, and what it drops is not open.
            Some(Reading::Listed(_)) if one.client.reads.is_some_and(|reads| reads.closes) => true,
            Some(Reading::Dropped(_)) => false,
            _ => is_blind,
        }
    });
    blind
        .into_iter()
        .partition(|one| one.fact.values.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::check::fix::FixLevel;
    use crate::client::{Client, Clients, Condition, Loss};
    use crate::rules::tests::fix_bundle;
    use crate::rules::tests::{client, told_to, tree};
    use crate::view::scope::Scope;
    use skills_check::Config;

    fn clients() -> Vec<Client> {
        let reads = |name, spelling| client(name, Condition::Closed, Loss::Restraint, &[spelling]);
        vec![
            reads("claude", "disable-model-invocation"),
            reads("codex", "openai-yaml"),
            reads("opencode", "opencode-autoinvoke"),
            client("gemini", Condition::Closed, Loss::Nothing, &[]),
            client(
                "default",
                Condition::Closed,
                Loss::Nothing,
                &["opencode-autoinvoke", "top-level-autoinvoke"],
            ),
        ]
    }

    fn skill(fields: &str) -> String {
        format!("---\nname: x\ndescription: Does. Use when asked.\n{fields}---\n\nGo.\n")
    }

    fn messages(named: &[&str], fields: &str, openai: Option<&str>) -> Vec<String> {
        let text = skill(fields);
        let mut files = vec![("x/SKILL.md", text.as_str())];
        files.extend(openai.map(|text| ("x/agents/openai.yaml", text)));
        let found = told_to("restraint-partial", &clients(), named, &files);
        found.iter().map(|one| one.message.to_string()).collect()
    }

    const CLOSED: &str = "policy:\n  allow_implicit_invocation: false\n";

    #[test]
    fn the_clients_that_do_not_see_a_spelling_are_named() {
        let alone = "the model is kept out only by `disable-model-invocation: true`: it is lost in";
        let field = "disable-model-invocation: true\n";
        assert_eq!(
            messages(&[], field, None),
            [format!("{alone} CODEX and OPENCODE")]
        );
        assert_eq!(
            messages(&["codex", "claude"], field, None),
            [format!("{alone} CODEX")]
        );
        // `restraint-unsupported` reports it.
        assert!(messages(&["gemini"], field, None).is_empty());
        assert!(messages(&["claude"], field, None).is_empty());
        assert!(messages(&[], "", None).is_empty());
        // `restraint-lost` reports it.
        assert!(messages(&[], "disable_model_invocation: true\n", None).is_empty());
        // No client reads the key at the top level.
        let top = "metadata.opencode/autoinvoke: \"false\"\n";
        assert_eq!(messages(&["opencode"], top, None).len(), 1);
        // The default profile does.
        assert!(messages(&["default"], top, None).is_empty());
        let all = format!("{field}metadata:\n  opencode/autoinvoke: \"false\"\n");
        assert!(messages(&[], &all, Some(CLOSED)).is_empty());
        assert_eq!(
            messages(&[], "", Some(CLOSED)),
            [
                "the model is kept out only by `policy.allow_implicit_invocation: false` in `agents/openai.yaml`: it is lost \
              in CLAUDE and OPENCODE"
            ]
        );
        // `openai-yaml` reports it.
        assert!(messages(&[], "", Some("policy: [")).is_empty());
        assert!(messages(&["codex"], "", Some("policy: [")).is_empty());
    }

    /// Codex reads only the key as it is documented, with a boolean.
    #[test]
    fn an_unclear_file_closes_nothing() {
        let field = "disable-model-invocation: true\n";
        for unclear in [
            "policy:\n  allow_implicit_invocation: \"false\"\n",
            "policy:\n  allow-implicit-invocation: false\n",
            "policy: {allow_implicit_invocation: false",
        ] {
            assert!(messages(&["default"], "", Some(unclear)).is_empty());
            for named in [&["codex", "claude"][..], &["codex"]] {
                assert_eq!(
                    messages(named, field, Some(unclear)),
                    [
                        "the model is kept out only by `disable-model-invocation: true`: it is lost in CODEX"
                    ],
                    "{unclear}"
                );
            }
            assert_eq!(messages(&[], field, Some(unclear)).len(), 1, "{unclear}");
            assert!(messages(&["claude"], field, Some(unclear)).is_empty());
            assert!(messages(&[], "", Some(unclear)).is_empty(), "{unclear}");
        }
    }

    /// Where every client that reads a folder sees the spelling, the others lose nothing.
    #[test]
    fn a_client_of_other_folders_is_not_named() {
        let mut clients = clients();
        for (client, folder) in clients.iter_mut().zip([".claude/skills", ".agents/skills"]) {
            client.folders = vec![folder].leak();
        }
        clients.truncate(2);
        let text = skill("disable-model-invocation: true\n");
        let helps = |path: &str| {
            let files = [(path, text.as_str())];
            let found = told_to("restraint-partial", &clients, &[], &files);
            let helps = found.iter().map(|one| one.help.to_string());
            helps.collect::<Vec<_>>().join("|")
        };
        assert_eq!(helps(".claude/skills/x/SKILL.md"), "");
        for path in [".agents/skills/x/SKILL.md", "skills/x/SKILL.md"] {
            let help = helps(path);
            // What the skill has is not written again.
            let missing =
                "also write `policy.allow_implicit_invocation: false` in `agents/openai.yaml`, or";
            assert!(help.starts_with(missing), "{path}: {help}");
        }
    }

    /// The finding stands at the value that closes the skill.
    #[test]
    fn the_places_of_the_spellings() {
        let person =
            |name, spelling| client(name, Condition::ClosedToPerson, Loss::Nothing, &[spelling]);
        let mut clients = clients();
        clients.push(person("field", "user-invocable"));
        clients.push(person("slash", "opencode-slash"));
        let place = |named: &str, fields: &str| {
            let text = skill(fields);
            let files = [("x/SKILL.md", text.as_str())];
            let found = told_to("restraint-partial", &clients, &[named], &files);
            let places = found.iter().map(|one| (one.start.line, one.start.column));
            places.collect::<Vec<_>>()
        };
        let field = "disable-model-invocation: true\n";
        let autoinvoke = "metadata:\n  opencode/autoinvoke: \"false\"\n";
        let slash = "metadata:\n  opencode/slash: \"false\"\n";
        assert_eq!(place("codex", field), [(4, 27)]);
        assert_eq!(place("codex", autoinvoke), [(5, 24)]);
        assert_eq!(place("slash", "user-invocable: false\n"), [(4, 17)]);
        assert_eq!(place("field", slash), [(5, 19)]);
        // A key outside of `metadata` is reported by another rule at its place.
        assert_eq!(place("codex", "opencode/autoinvoke: \"false\"\n"), [(1, 1)]);
    }

    #[test]
    fn a_person_can_start_the_skill_where_a_spelling_is_not_seen() {
        let reads = |name, spellings: &[&'static str]| {
            client(name, Condition::ClosedToPerson, Loss::Nothing, spellings)
        };
        let clients = [
            reads("claude", &["user-invocable"]),
            reads("opencode", &["opencode-slash"]),
            reads(
                "default",
                &["user-invocable", "opencode-slash", "top-level-slash"],
            ),
        ];
        let messages = |fields: &str| {
            let (text, named) = (skill(fields), ["claude", "opencode", "default"]);
            let found = told_to(
                "restraint-partial",
                &clients,
                &named,
                &[("x/SKILL.md", &text)],
            );
            let found = found.iter().map(|one| one.message.to_string());
            found.collect::<Vec<_>>().join("|")
        };
        let slash = "metadata:\n  opencode/slash: \"false\"\n";
        assert_eq!(
            messages("user-invocable: false\n"),
            "people are kept out only by `user-invocable: false`: it is lost in OPENCODE"
        );
        assert_eq!(
            messages(slash),
            "people are kept out only by `opencode/slash: \"false\"` in `metadata`: it is lost in CLAUDE"
        );
        assert_eq!(
            messages("metadata.opencode/slash: \"false\"\n"),
            "people are kept out only by `opencode/slash: \"false\"` in `metadata`: it is lost in CLAUDE and OPENCODE"
        );
        assert_eq!(messages(&format!("user-invocable: false\n{slash}")), "");
        assert_eq!(messages(""), "");
    }

    #[test]
    fn a_skill_that_is_closed_to_persons() {
        let reads =
            |name, spelling| client(name, Condition::ClosedToPerson, Loss::Nothing, &[spelling]);
        let clients = [
            reads("claude", "user-invocable"),
            reads("opencode", "opencode-slash"),
        ];
        let messages = |named: &[&str], fields: &str| {
            let text = skill(fields);
            let found = told_to(
                "restraint-partial",
                &clients,
                named,
                &[("x/SKILL.md", &text)],
            );
            let found = found.iter().map(|one| one.message.to_string());
            found.collect::<Vec<_>>()
        };
        let (field, slash) = (
            "user-invocable: false\n",
            "metadata:\n  opencode/slash: \"false\"\n",
        );
        assert_eq!(
            messages(&["opencode", "claude"], field),
            ["people are kept out only by `user-invocable: false`: it is lost in OPENCODE"]
        );
        assert_eq!(
            messages(&["all"], slash),
            [
                "people are kept out only by `opencode/slash: \"false\"` in `metadata`: it is lost in CLAUDE"
            ]
        );
        for (named, fields) in [
            (&[][..], field),
            (&["claude"], field),
            (&["all"], &*format!("{field}{slash}")),
            (&["all"], "user-invocable: true\n"),
            // `restraint-lost` reports it.
            (&["all"], "user_invocable: false\n"),
        ] {
            assert!(messages(named, fields).is_empty(), "{fields}");
        }
    }

    /// `field-typo` corrects the key, and then nothing is missing.
    #[test]
    fn a_misspelt_key_is_not_written_again() {
        for key in [
            "disable-model-invokation",
            "disable_model_invocation",
            "Disable-Model-Invocation",
        ] {
            let text = skill(&format!("{key}: true\n"));
            let policy = "policy:\n  allow_implicit_invocation: false\n";
            let files = [
                ("x/SKILL.md", text.as_str()),
                ("x/agents/openai.yaml", policy),
            ];
            let clients = clients();
            let named = ["claude".to_owned(), "codex".to_owned()];
            let scope = Scope {
                clients: Clients::new(&clients, &named),
                ..Scope::default()
            };
            let mut tree = tree(&files);
            fix_bundle("", &mut tree, &Config::default(), scope, FixLevel::All);
            let fixed = tree.get("x/SKILL.md").and_then(|file| file.bytes.clone());
            let fixed = String::from_utf8(fixed.expect("it is there")).expect("it is text");
            assert_eq!(fixed, skill("disable-model-invocation: true\n"), "{key}");
        }
    }
}
