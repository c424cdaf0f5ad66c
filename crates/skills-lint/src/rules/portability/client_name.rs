use crate::client::Condition;
use crate::rules::example::{Content, Example, with_fields};
use crate::rules::portability::restraint_partial::closed_to_person;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::name::{SkillName, nfc};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ClientName,
    level: Level::Deny,
    group: Group::Portability,
    summary: "no client refuses the name",
    why: "The specification allows letters of every script, but some clients allow only `a` to `z`. claude.ai \
          refuses uploads of skills whose name contains `claude` or `anthropic`. A skill that a person can start \
          replaces a client's own command of the same name: this is a warning.",
    bad: Example::Configured {
        config: "clients = [\"claude-ai\"]\n",
        files: &[(
            "claude-notes/SKILL.md",
            Content::Text(
                "---\nname: claude-notes\n\
                 description: Writes release notes. Use when a version is about to be published.\n---\n\n\
                 List every merged change.\n",
            ),
        )],
    },
    marks: "claude-notes",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((value, name)) = view.text_field("name") else {
        return Vec::new();
    };
    // `name-form` reports the others.
    if SkillName::new(&nfc(name)).is_err() {
        return Vec::new();
    }
    let mut found = Vec::new();
    if !name.is_ascii() {
        let on = view.on(Condition::NameBeyondAscii);
        if !on.is_empty() {
            let what = format!("the name `{name}` has letters beyond ASCII");
            let works = "write the letters `a` to `z`, digits and hyphens";
            found.push(view.about_clients(RULE.id, value.span, &what, &on, works));
        }
    }
    for one in view.on(Condition::WordInName) {
        let word = one.fact.values.iter().find(|word| name.contains(*word));
        if let Some(word) = word {
            let what = format!("the name `{name}` has the word `{word}`");
            let works = "give the skill and its folder a name without it";
            found.push(view.about_clients(RULE.id, value.span, &what, &[one], works));
        }
    }
    for one in view.on(Condition::OwnCommand) {
        if one.fact.values.contains(&name) && closed_to_person(view).is_empty() {
            let what = format!("`/{name}` is a command of {}", one.client.title);
            let works =
                "give the skill another name, or hide it from users with `user-invocable: false`";
            found.push(view.about_clients(RULE.id, value.span, &what, &[one], works));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::client::{Condition, Loss};
    use crate::rules::tests::{client, told_of, told_to};

    fn told(name: &str) -> Vec<String> {
        let clients = [
            client("one", Condition::NameBeyondAscii, Loss::Skill, &[]),
            client(
                "two",
                Condition::WordInName,
                Loss::Skill,
                &["claude", "anthropic"],
            ),
        ];
        let text = format!("---\nname: {name}\ndescription: Does. Use when asked.\n---\n\nGo.\n");
        let path = format!("{name}/SKILL.md");
        let found = told_to("client-name", &clients, &[], &[(path.as_str(), text)]);
        found.iter().map(|one| one.message.to_string()).collect()
    }

    #[test]
    fn letters_and_words() {
        assert_eq!(
            told("café"),
            ["the name `café` has letters beyond ASCII: it is lost in ONE"]
        );
        assert_eq!(
            told("my-anthropic-x"),
            ["the name `my-anthropic-x` has the word `anthropic`: it is lost in TWO"]
        );
        assert!(told("tidy").is_empty());
        // `name-form` reports it.
        assert!(told("Café").is_empty());
    }

    /// One cause is one finding.
    #[test]
    fn an_invalid_name_is_no_mismatch_too() {
        let text = "---\nname: My Skill\ndescription: Does. Use when asked.\n---\n\nGo.\n";
        let files = [("my-skill/SKILL.md", text)];
        assert_eq!(told_of("name-form", &files).len(), 1);
        assert!(told_of("name-mismatch", &files).is_empty());
    }
}
