use crate::rules::example::{Content, Example};
use crate::rules::portability::arguments::{begins_with, words};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::mention::mask::are_code;
use skills_format::text::distance::nearest;
use std::collections::BTreeSet;

const SCHEMA: (&str, Content) = (
    "deploy/arguments.schema.json",
    Content::Text(
        "{\"type\": \"object\", \"properties\": {\"environment\": {\"type\": \"string\"}}}\n",
    ),
);

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SchemaPlaceholder,
    level: Level::Deny,
    group: Group::Body,
    summary: "a placeholder in a body with typed arguments names one of them",
    why: "An `arguments.schema.json` lists all arguments. A `$name` that is not a property, a skill of the bundle \
          or a variable that the body sets is never filled. In code, only a name that is close to a property is \
          reported, since scripts have variables. A backslash before `$` keeps it as text.",
    bad: Example::Files(&[
        (
            "deploy/SKILL.md",
            Content::Text(
                "---\nname: deploy\ndescription: Deploys a build. Use when a version goes out.\n---\n\n\
                 Deploy to $enviroment.\n",
            ),
        ),
        SCHEMA,
    ]),
    marks: "$enviroment",
    good: Example::Files(&[
        (
            "deploy/SKILL.md",
            Content::Text(
                "---\nname: deploy\ndescription: Deploys a build. Use when a version goes out.\n---\n\n\
                 Deploy to $environment.\n",
            ),
        ),
        SCHEMA,
    ]),
    fix: FixKind::Unsafe,
    check: Check::Siblings { concerns, check },
};

fn concerns(view: &SkillView<'_>) -> bool {
    let file = view.skill.arguments.as_ref();
    file.is_some_and(|file| !file.schema.arguments.is_empty())
}

fn check(view: &SkillView<'_>, bundle: &BundleView<'_>) -> Vec<Finding> {
    let (Some(file), Some(document)) = (&view.skill.arguments, view.document()) else {
        return Vec::new();
    };
    let body = document.body.of(document.text);
    let names = || file.schema.arguments.iter().map(|argument| &*argument.name);
    let words = words(view);
    let places = words
        .iter()
        .map(|(_, span)| span.start - document.body.start);
    let in_code = are_code(body, places);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for ((word, span), in_code) in words.into_iter().zip(in_code) {
        let is_known = names().any(|name| begins_with(word, name));
        if is_known || !word.starts_with(|c: char| c.is_lowercase()) || is_set(body, word) {
            continue;
        }
        // `schema-form` reports the property of this name.
        if file.can_name(word) {
            continue;
        }
        let near = nearest(word, names());
        if near.is_none() && (in_code || bundle.answers_to(word)) || !seen.insert(word) {
            continue;
        }
        let finding = view.at(
            RULE.id,
            span,
            format!("`${word}` is not an argument of the skill"),
        );
        found.push(if let Some(near) = near {
            let edits = vec![Edit::replace(span, format!("${near}"))];
            finding
                .help(format!("write `${near}`"))
                .fix(Fix::guess(edits))
        } else {
            let known: Vec<String> = names().map(|name| format!("`${name}`")).collect();
            let known = known.join(" or ");
            finding.help(format!("write {known}, or `\\${word}` for text"))
        });
    }
    found
}

/// Returns whether the body itself sets a variable: in a script that it shows.
fn is_set(body: &str, word: &str) -> bool {
    ["=", " in "]
        .iter()
        .any(|end| body.contains(&format!("{word}{end}")))
        || body.contains(&format!("read {word}"))
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told_of;

    fn told(front: &str, body: &str) -> Vec<String> {
        let skill = format!(
            "---\nname: deploy\ndescription: Deploys. Use when asked.\n{front}---\n\n{body}\n"
        );
        let schema = r#"{"type": "object", "properties": {"environment": {"type": "string"}, "dry-run": {"type": "boolean"}}}"#;
        let other = "---\nname: release\ndescription: Releases. Use when asked.\n---\n\nGo.\n";
        told_of(
            "schema-placeholder",
            &[
                ("deploy/SKILL.md", skill.as_str()),
                ("deploy/arguments.schema.json", schema),
                ("release/SKILL.md", other),
            ],
        )
    }

    /// A schema whose names could not all be read has one error, of `schema-form`.
    #[test]
    fn a_faulty_schema_is_one_error() {
        let skill = "---\nname: deploy\ndescription: Deploys. Use when asked.\narguments: [environment, Count]\n\
                     ---\n\nTo $environment, $count.\n";
        for schema in [
            r#"{"type": "object", "properties": {"environment": {"type": "string"}, "Count": {"type": "integer"}}}"#,
            r#"{"type": "object", "properties": {"environment": {"type": "string"}, "count": "integer"}}"#,
            r#"{"type": "object", "propertis": {"environment": {"type": "string"}}}"#,
            r#"{"type": "object", "properties": {"environment": {"type": "string"}},}"#,
        ] {
            let files = [
                ("deploy/SKILL.md", skill),
                ("deploy/arguments.schema.json", schema),
            ];
            let tree = crate::rules::tests::tree(&files);
            let found = crate::check::check("skills", &tree, &skills_check::Config::default());
            let rules = found.diagnostics.iter().map(|found| found.rule.as_str());
            assert_eq!(rules.collect::<Vec<_>>(), ["schema-form"], "{schema}");
        }
    }

    #[test]
    fn words_that_name_nothing() {
        for (body, word) in [
            ("To $target.", "$target"),
            ("To $enviroment, $enviroment.", "$enviroment"),
            ("`run $enviroment`", "$enviroment"),
            ("To $dry_run.", "$dry_run"),
        ] {
            let expected = format!("`{word}` is not an argument of the skill");
            assert_eq!(told("", body), [expected], "{body}");
        }
        for body in [
            "To $environment and $dry-run, $environment-wide.",
            "Use $release.",
            "Pay \\$target, $5, $HOME, $ARGUMENTS, ${x}.",
            "```sh\nfor file in *; do echo $file; done\n```",
            "`echo $name`",
            "`environmant=1; echo $environmant`",
        ] {
            assert_eq!(told("", body), [""; 0], "{body}");
        }
    }
}
