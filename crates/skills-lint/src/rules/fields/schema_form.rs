use crate::rules::example::{Content, Example};
use crate::rules::portability::arguments::declared;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_arguments::SchemaFile;
use skills_format::ARGUMENTS_FILE;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::distance::nearest;
use skills_format::tree::join;

/// The skill of the examples about schemas.
const SKILL: (&str, Content) = (
    "deploy/SKILL.md",
    Content::Text(
        "---\nname: deploy\ndescription: Deploys a build. Use when a version goes out.\n\
         arguments: [environment]\n---\n\nDeploy to $environment.\n",
    ),
);
const SCHEMA: &str = "deploy/arguments.schema.json";

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SchemaForm,
    level: Level::Deny,
    group: Group::Fields,
    summary: "the schema of the arguments has only supported keywords",
    why: "The file, a JSON Schema (2020-12) of an object, gives the skill's arguments their types. A property is a \
          `string`, `integer`, `number`, `boolean`, or an `array` of these, with `enum`, `const`, `default`, \
          `minimum`, `maximum`, `minLength`, `maxLength`, `description` and `title`. The object has `properties`, \
          `required`, `additionalProperties: false`, `$schema`, `title` and `description`. Any other keyword is \
          reported, since it would promise a check that never happens. A build refuses an invalid schema, whatever \
          the level of this rule, since the arguments would have no types. `arguments` in the front matter gives \
          the positions of the same names: a name that is missing there has no position, and a name that is missing \
          in the schema has no type. A list takes all remaining words, so it must be last.",
    bad: Example::Files(&[
        SKILL,
        (
            SCHEMA,
            Content::Text(
                "{\"type\": \"object\", \"properties\": {\"environment\": {\"type\": \"string\", \"pattern\": \"^[a-z]+$\"}}}\n",
            ),
        ),
    ]),
    marks: "\"pattern\"",
    good: Example::Files(&[
        SKILL,
        (
            SCHEMA,
            Content::Text(
                "{\"type\": \"object\", \"properties\": {\"environment\": {\"enum\": [\"staging\", \"production\"]}}}\n",
            ),
        ),
    ]),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some(file) = &view.skill.arguments else {
        return misnamed(view).into_iter().collect();
    };
    let path = join(view.skill.dir, ARGUMENTS_FILE);
    let mut found = Vec::new();
    for fault in &file.faults {
        let finding = Finding::new(RULE.id, &path, fault.message.clone());
        let mut finding = finding.help(fault.help.clone());
        finding.span = fault.span;
        found.push(finding);
    }
    found.extend(names(view, file, &path));
    found
}

/// Reports a file that is nearly called as the schema: nothing in it would be read.
fn misnamed(view: &SkillView<'_>) -> Option<Finding> {
    let paths = view
        .skill
        .files
        .iter()
        .filter_map(|file| view.relative(&file.path));
    let path = paths.into_iter().find(|path| {
        let lower = path.to_ascii_lowercase();
        let (stem, extension) = lower.rsplit_once('.').unwrap_or_default();
        let stem = stem.replace(['-', '_'], ".");
        ["json", "yaml", "yml"].contains(&extension)
            && ["arguments.schema", "argument.schema", "args.schema"].contains(&stem.as_str())
    })?;
    let what = format!("`{path}` is not read: the schema of the arguments is `{ARGUMENTS_FILE}`");
    let help = format!("rename it to `{ARGUMENTS_FILE}`");
    Some(Finding::new(RULE.id, join(view.skill.dir, path), what).help(help))
}

/// Reports arguments that only `arguments` of the front matter or only the schema names.
fn names(view: &SkillView<'_>, file: &SchemaFile, path: &str) -> Vec<Finding> {
    let declared = declared(view);
    let properties = &file.schema.arguments;
    // A schema without readable properties has its own finding.
    if declared.is_empty() || properties.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (property, span) in properties.iter().zip(&file.places) {
        let name = &property.name;
        if !declared.iter().any(|argument| argument.name == name) {
            let what = format!("`{name}` is not in `arguments` of the front matter");
            let help = format!("add `{name}` there, at its position");
            found.push(Finding::new(RULE.id, path, what).at(*span).help(help));
        }
    }
    for (place, argument) in declared.iter().enumerate() {
        let name = argument.name;
        let property = properties.iter().find(|property| property.name == name);
        if property.is_some_and(|property| property.is_list) && place + 1 < declared.len() {
            let what = format!("`{name}` is a list, and comes before other arguments");
            let help = "write it last: a list takes all words that are left";
            found.push(view.at(RULE.id, argument.span, what).help(help));
        }
        // Capitals are a variable of the host.
        if property.is_some() || !name.contains(|c: char| c.is_lowercase()) {
            continue;
        }
        // The property of this name has a finding of its own.
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
    fn a_file_of_nearly_the_name() {
        let skill = "---\nname: deploy\ndescription: Deploys. Use when asked.\n---\n\nGo.\n";
        for (name, is_near) in [
            ("argument.schema.json", true),
            ("Arguments.schema.json", true),
            ("arguments.schema.yaml", true),
            ("arguments-schema.json", true),
            ("arguments.json", false),
            ("assets/arguments.schema.json", false),
            ("schema.json", false),
        ] {
            let path = format!("deploy/{name}");
            let told = told_of("schema-form", &[("deploy/SKILL.md", skill), (&*path, "{}")]);
            assert_eq!(told.len(), usize::from(is_near), "{name}: {told:?}");
        }
    }

    #[test]
    fn names_and_positions() {
        let told = |arguments: &str| {
            let skill = format!(
                "---\nname: deploy\ndescription: Deploys. Use when asked.\n{arguments}\n---\n\nGo.\n"
            );
            let schema = r#"{"type": "object", "properties": {"hosts": {"type": "array", "items": {"type": "string"}}, "to": {"type": "string"}}}"#;
            told_of(
                "schema-form",
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
            ["`hosts` is a list, and comes before other arguments"]
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
