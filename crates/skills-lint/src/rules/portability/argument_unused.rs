use crate::client::{Condition, enumerated};
use crate::rules::example::{Content, Example};
use crate::rules::portability::arguments::{begins_with, declared, words};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ArgumentUnused,
    level: Level::Warn,
    group: Group::Portability,
    summary: "every declared argument has a placeholder in the body",
    why: "`arguments: [issue, branch]` names the words that a person types. If the body holds `$issue` and not \
          `$branch`, the second word is lost. A name such as `1x` or `ARGUMENTS` cannot be a placeholder. Reported if \
          `clients` or `--client` names a client that fills these names.",
    bad: Example::Configured {
        config: "clients = [\"claude-code\"]\n",
        files: &[(
            "mend/SKILL.md",
            Content::Text(
                "---\nname: mend\ndescription: Mends an issue. Use when a person names an issue.\n\
                 arguments: [issue, branch]\n---\n\nMend $issue.\n",
            ),
        )],
    },
    marks: "branch",
    good: Example::Configured {
        config: "clients = [\"claude-code\"]\n",
        files: &[(
            "mend/SKILL.md",
            Content::Text(
                "---\nname: mend\ndescription: Mends an issue. Use when a person names an issue.\n\
                 arguments: [issue, branch]\n---\n\nMend $issue on $branch.\n",
            ),
        )],
    },
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let declared = declared(view);
    let on = view.on(Condition::NamedArguments);
    // With a schema, `schema-placeholder` and `schema-unused` report for every program.
    if declared.is_empty() || on.is_empty() || view.skill.arguments.is_some() {
        return Vec::new();
    }
    let used = words(view);
    let kept = view.on(Condition::PlaceholderKept).into_iter();
    let kept: Vec<&str> = kept
        .filter(|one| !one.fact.values.contains(&"names"))
        .map(|one| one.client.title)
        .collect();
    // All arguments have a place.
    let has_all = used.iter().any(|(word, _)| *word == "ARGUMENTS");
    let is_used = |name: &str, place: usize| {
        let number = place.to_string();
        used.iter()
            .any(|(word, _)| begins_with(word, name) || *word == number)
    };
    let mut found = Vec::new();
    for (place, argument) in declared.iter().enumerate() {
        let name = argument.name;
        let (what, works) = if !argument.is_usable() {
            (
                format!("`${name}` cannot be a placeholder"),
                "write a name of letters, digits, `_` and hyphens that begins with a letter"
                    .to_owned(),
            )
        } else if !has_all && !is_used(name, place) {
            (
                format!("no `${name}` is in the body"),
                // A placeholder would be the next finding where another client leaves it as it is.
                match kept.as_slice() {
                    [] => {
                        format!("write `${name}` in its place, or `$ARGUMENTS` for all arguments")
                    }
                    kept => format!(
                        "say in words what the person names, and remove `{name}` from `arguments`: `${name}` stays as it is in {}",
                        enumerated(kept)
                    ),
                },
            )
        } else {
            continue;
        };
        found.push(view.about_clients(RULE.id, argument.span, &what, &on, &works));
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::client::{Client, Condition, Loss};
    use crate::rules::tests::{client, told_to};

    fn told(arguments: &str, body: &str) -> Vec<String> {
        let clients = [client("one", Condition::NamedArguments, Loss::Nothing, &[])];
        let text = format!(
            "---\nname: x\ndescription: Does. Use when asked.\narguments: {arguments}\n---\n\n{body}\n"
        );
        let found = told_to(
            "argument-unused",
            &clients,
            &["one"],
            &[("x/SKILL.md", text)],
        );
        found.iter().map(|one| one.message.to_string()).collect()
    }

    #[test]
    fn arguments_without_a_placeholder() {
        let unused = ["no `$branch` is in the body: it is lost in ONE"];
        assert_eq!(told("[issue, branch]", "Mend $issue."), unused);
        assert_eq!(told("issue branch", "Mend $issue, $branches."), unused);
        assert_eq!(told("[issue, branch]", "Mend $issue, \\$branch."), unused);
        for body in [
            "$issue $branch",
            "$issue-$branch.",
            "All: $ARGUMENTS",
            "$0 on $1",
        ] {
            assert!(told("[issue, branch]", body).is_empty(), "{body}");
        }
    }

    /// `$branch` in the body would be the next finding.
    #[test]
    fn where_another_client_leaves_the_name() {
        let mut clients = [
            client("one", Condition::NamedArguments, Loss::Nothing, &[]),
            client(
                "two",
                Condition::PlaceholderKept,
                Loss::Nothing,
                &["arguments"],
            ),
        ];
        let text =
            "---\nname: x\ndescription: Does. Use when asked.\narguments: branch\n---\n\nGo.\n";
        let help = |clients: &[Client]| {
            let found = told_to(
                "argument-unused",
                clients,
                &["all"],
                &[("x/SKILL.md", text)],
            );
            found
                .iter()
                .map(|one| one.help.to_string())
                .collect::<String>()
        };
        assert!(help(&clients).starts_with("say in words what the person names"));
        assert!(help(&clients).contains("`$branch` stays as it is in TWO"));
        clients[1] = client("two", Condition::PlaceholderKept, Loss::Nothing, &["names"]);
        assert!(help(&clients).starts_with("write `$branch` in its place"));
    }

    #[test]
    fn names_that_cannot_be_placeholders() {
        assert_eq!(
            told("[1x, is sue, ARGUMENTS]", "$ARGUMENTS"),
            [
                "`$1x` cannot be a placeholder: it is lost in ONE",
                "`$is sue` cannot be a placeholder: it is lost in ONE",
                "`$ARGUMENTS` cannot be a placeholder: it is lost in ONE"
            ]
        );
    }
}
