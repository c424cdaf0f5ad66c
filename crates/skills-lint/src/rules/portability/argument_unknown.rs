use crate::client::Condition;
use crate::rules::example::{Content, Example};
use crate::rules::portability::arguments::{begins_with, declared, words};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::text::distance;
use skills_format::text::map::TextSet;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ArgumentUnknown,
    level: Level::Warn,
    group: Group::Portability,
    summary: "a `$name` that is close to a declared argument is that argument",
    why: "`$isue` is not filled where `arguments` declares `issue`. Reported if `clients` or `--client` names a client \
          that fills the names of `arguments`.",
    bad: Example::Configured {
        config: "clients = [\"claude-code\"]\n",
        files: &[(
            "mend/SKILL.md",
            Content::Text(
                "---\nname: mend\ndescription: Mends an issue. Use when a person names an issue.\n\
                 arguments: [issue]\n---\n\nRead $issue, then mend $isue.\n",
            ),
        )],
    },
    marks: "$isue",
    good: Example::Configured {
        config: "clients = [\"claude-code\"]\n",
        files: &[(
            "mend/SKILL.md",
            Content::Text(
                "---\nname: mend\ndescription: Mends an issue. Use when a person names an issue.\n\
                 arguments: [issue]\n---\n\nMend $issue.\n",
            ),
        )],
    },
    fix: FixKind::Unsafe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let declared = declared(view);
    let on = view.on(Condition::NamedArguments);
    // With a schema, `schema-placeholder` and `schema-unused` report for every program.
    if declared.is_empty() || on.is_empty() || view.skill.arguments.is_some() {
        return Vec::new();
    }
    let names = || declared.iter().map(|argument| argument.name);
    let body = view
        .document()
        .map_or("", |document| document.body.of(document.text));
    let mut seen = TextSet::default();
    let mut found = Vec::new();
    for (word, span) in words(view) {
        // A variable of a script that the body itself sets.
        let is_set = body.contains(&format!("{word}="));
        let is_known = names().any(|name| begins_with(word, name));
        if is_known || is_set || !word.starts_with(|c: char| c.is_lowercase()) || !seen.insert(word)
        {
            continue;
        }
        let Some(near) = distance::nearest(word, names()) else {
            continue;
        };
        let what = format!("`${word}` is not a declared argument");
        let works = format!("write `${near}`");
        let finding = view.about_clients(RULE.id, span, &what, &on, &works);
        found.push(finding.fix(Fix::guess(vec![Edit::replace(span, format!("${near}"))])));
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::client::{Condition, Loss};
    use crate::rules::tests::{client, told_to};

    #[test]
    fn words_near_declared_names() {
        let clients = [client("one", Condition::NamedArguments, Loss::Nothing, &[])];
        let told = |body: &str| {
            let text = format!(
                "---\nname: x\ndescription: Does. Use when asked.\narguments: [issue, branch]\n---\n\n{body}\n"
            );
            let found = told_to(
                "argument-unknown",
                &clients,
                &["one"],
                &[("x/SKILL.md", text)],
            );
            found
                .iter()
                .map(|one| one.message.to_string())
                .collect::<Vec<_>>()
        };
        let unknown = ["`$brnch` is not a declared argument: it is lost in ONE"];
        assert_eq!(told("Go to $brnch, $brnch."), unknown);
        for body in [
            "$branch $issue",
            "$branch-x",
            "\\$brnch",
            "`brnch=1; echo $brnch`",
            "$HOME $BRNCH",
            "$message",
        ] {
            assert!(told(body).is_empty(), "{body}");
        }
    }
}
