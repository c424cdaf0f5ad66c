use crate::client::Condition;
use crate::rules::example::{Content, Example, with_fields};
use crate::rules::portability::restraint_partial::{closed_to_model, closed_to_person, unseen};
use crate::rules::portability::spelling;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::RestraintUnsupported,
    level: Level::Warn,
    group: Group::Portability,
    summary: "every client has a field for each limit of the skill",
    why: "No field keeps a person from starting a skill in Codex, or the model in Gemini CLI, and only Claude Code \
          takes the tools of `disallowed-tools` away. The only remedy is a copy of the skill for each client. The \
          rule covers the clients that `clients` in `skills.toml` or `--client` names. `allow = \
          [\"restraint-unsupported\"]` accepts the loss; `restraint-partial` still reports a missing field.",
    bad: Example::Configured {
        config: "clients = [\"codex\"]\n",
        files: &[(
            "release-notes/SKILL.md",
            Content::Text(with_fields!("user-invocable: false\n")),
        )],
    },
    marks: "false",
    good: Example::Configured {
        config: "clients = [\"claude-code\"]\n",
        files: &[(
            "release-notes/SKILL.md",
            Content::Text(with_fields!("user-invocable: false\n")),
        )],
    },
    fix: FixKind::No,
    check: Check::Skill(check),
};

const DISALLOWED: &str = "disallowed-tools";

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (closed, condition, fact, works) in [
        (
            closed_to_model(view),
            Condition::Closed,
            "only a person should start it",
            "turn the skill off in the settings of that client, or accept with `allow = [\"restraint-unsupported\"]` in `skills.toml` that its model may start the skill",
        ),
        // Turned off, the skill would be lost to the model too, for which it is meant.
        (
            closed_to_person(view),
            Condition::ClosedToPerson,
            "only the model should start it",
            "write the body so that it also works if a person starts it, or accept with `allow = [\"restraint-unsupported\"]` in `skills.toml` that a person can start the skill",
        ),
    ] {
        let (deaf, _) = unseen(view, &closed, condition);
        if !deaf.is_empty() {
            // The message names no spelling: a fix that writes another one leaves the same finding.
            let span = spelling::place(view, &closed).unwrap_or_else(|| view.opening());
            found.push(view.about_clients(RULE.id, span, fact, &deaf, works));
        }
    }
    if let Some((key, value)) = view.field(DISALLOWED)
        && !value.is_null()
        && value.as_str().is_none_or(|text| !text.trim().is_empty())
    {
        let mut blind = view.on(Condition::FieldIgnored);
        blind.retain(|one| !one.fact.values.contains(&DISALLOWED));
        if !blind.is_empty() {
            let fact = "`disallowed-tools` takes tools away";
            let works = "also forbid the tools in that client's settings, or, if the skill may use them there, write `allow = [\"restraint-unsupported\"]` in `skills.toml`";
            found.push(view.about_clients(RULE.id, key.span, fact, &blind, works));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::client::{Client, Condition, Loss};
    use crate::rules::tests::{client, told_to};

    fn told(clients: &[Client], named: &[&str], fields: &str) -> Vec<String> {
        let text =
            format!("---\nname: x\ndescription: Does. Use when asked.\n{fields}---\n\nGo.\n");
        let files = [("x/SKILL.md", text.as_str())];
        let found = told_to("restraint-unsupported", clients, named, &files);
        let shown = found.iter().map(|one| {
            assert!(one.fix.is_none());
            format!("{}: {}", one.span().of(&text), one.message)
        });
        shown.collect()
    }

    #[test]
    fn clients_without_a_spelling() {
        let clients = [
            client(
                "claude",
                Condition::ClosedToPerson,
                Loss::Nothing,
                &["user-invocable"],
            ),
            client("codex", Condition::ClosedToPerson, Loss::Nothing, &[]),
            client("gemini", Condition::Closed, Loss::Nothing, &[]),
        ];
        let person = "user-invocable: false\n";
        assert_eq!(
            told(&clients, &["all"], person),
            ["false: only the model should start it: it is lost in CODEX"]
        );
        assert!(told(&clients, &["claude"], person).is_empty());
        assert!(told(&clients, &[], person).is_empty());
        let model = "disable-model-invocation: true\n";
        assert_eq!(
            told(&clients, &["all"], model),
            ["true: only a person should start it: it is lost in GEMINI"]
        );
        // `restraint-lost` reports it.
        assert!(told(&clients, &["all"], "disable_model_invocation: true\n").is_empty());
    }

    #[test]
    fn tools_that_a_client_does_not_take_away() {
        let clients = [
            client(
                "claude",
                Condition::FieldIgnored,
                Loss::Nothing,
                &["disallowed-tools"],
            ),
            client("codex", Condition::FieldIgnored, Loss::Nothing, &["name"]),
        ];
        assert_eq!(
            told(&clients, &["all"], "disallowed-tools: Bash\n"),
            ["disallowed-tools: `disallowed-tools` takes tools away: it is lost in CODEX"]
        );
        assert!(told(&clients, &["claude"], "disallowed-tools: Bash\n").is_empty());
        assert!(told(&clients, &["all"], "disallowed-tools:\n").is_empty());
        assert!(told(&clients, &["all"], "allowed-tools: Bash\n").is_empty());
    }
}
