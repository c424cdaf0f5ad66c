use crate::rules::example::{Content, Example};
use crate::rules::fields::schema_form::{SCHEMA, SKILL};
use crate::rules::portability::arguments::declared;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::ARGUMENTS_FILE;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::distance::nearest;
use skills_format::tree::join;

const ONE: &str =
    "{\"type\": \"object\", \"properties\": {\"environment\": {\"type\": \"string\"}}}\n";

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SchemaArguments,
    level: Level::Deny,
    group: Group::Fields,
    summary: "`arguments` and the schema name the same arguments",
    why: "`arguments` gives the positions: `/deploy staging 1.2` fills the first and the second. The schema gives the \
          types. A name that only one of them has is an argument without a position, or without a type. A list takes \
          all words that are left, so it stands last. Without `arguments`, all arguments go by name.",
    bad: Example::Files(&[
        (
            "deploy/SKILL.md",
            Content::Text(
                "---\nname: deploy\ndescription: Deploys a build. Use when a version goes out.\n\
                 arguments: [environment, version]\n---\n\nDeploy to $environment.\n",
            ),
        ),
        (SCHEMA, Content::Text(ONE)),
    ]),
    marks: "version",
    good: Example::Files(&[SKILL, (SCHEMA, Content::Text(ONE))]),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some(file) = &view.skill.arguments else {
        return Vec::new();
    };
    let declared = declared(view);
    let properties = &file.schema.arguments;
    // A schema without readable properties has its own finding.
    if declared.is_empty() || properties.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let path = join(view.skill.dir, ARGUMENTS_FILE);
    for (property, span) in properties.iter().zip(&file.places) {
        let name = &property.name;
        if !declared.iter().any(|argument| argument.name == name) {
            let what = format!("`{name}` is not in `arguments` of the front matter");
            let help = format!("add `{name}` there, at its position");
            found.push(Finding::new(RULE.id, &path, what).at(*span).help(help));
        }
    }
    for (place, argument) in declared.iter().enumerate() {
        let name = argument.name;
        let property = properties.iter().find(|property| property.name == name);
        if property.is_some_and(|property| property.is_list) && place + 1 < declared.len() {
            let what = format!("`{name}` is a list, and stands before other arguments");
            let help = "write it last: a list takes all words that are left";
            found.push(view.at(RULE.id, argument.span, what).help(help));
        }
        // Capitals are a variable of the host.
        if property.is_some() || !name.contains(|c: char| c.is_lowercase()) {
            continue;
        }
        // `schema-form` reports the property of this name.
        if file.can_name(name) {
            continue;
        }
        let what = format!("`{name}` is not a property of `{ARGUMENTS_FILE}`");
        let near = nearest(name, properties.iter().map(|property| &*property.name));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "add the property, or remove the name here".to_owned(),
        };
        found.push(view.at(RULE.id, argument.span, what).help(help));
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told_of;

    #[test]
    fn names_and_positions() {
        let told = |arguments: &str| {
            let skill = format!(
                "---\nname: deploy\ndescription: Deploys. Use when asked.\n{arguments}\n---\n\nGo.\n"
            );
            let schema = r#"{"type": "object", "properties": {"hosts": {"type": "array", "items": {"type": "string"}}, "to": {"type": "string"}}}"#;
            told_of(
                "schema-arguments",
                &[
                    ("deploy/SKILL.md", skill.as_str()),
                    ("deploy/arguments.schema.json", schema),
                ],
            )
        };
        for agrees in ["", "arguments: [to, hosts]", "arguments: $to $FILE $hosts"] {
            assert_eq!(told(agrees), [""; 0], "{agrees}");
        }
        assert_eq!(
            told("arguments: [hosts, to]"),
            ["`hosts` is a list, and stands before other arguments"]
        );
        assert_eq!(
            told("arguments: [too, hosts]"),
            [
                "`too` is not a property of `arguments.schema.json`",
                "`to` is not in `arguments` of the front matter"
            ]
        );
    }
}
