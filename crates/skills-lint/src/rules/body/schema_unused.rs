use crate::rules::example::{Content, Example};
use crate::rules::portability::arguments::{begins_with, words};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::ARGUMENTS_FILE;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::distance::nearest;
use skills_format::tree::join;

const SCHEMA: (&str, Content) = (
    "deploy/arguments.schema.json",
    Content::Text(
        "{\"type\": \"object\", \"properties\": {\"environment\": {\"type\": \"string\"}, \"version\": {\"type\": \"string\"}}}\n",
    ),
);

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SchemaUnused,
    level: Level::Warn,
    group: Group::Body,
    summary: "a body that uses one typed argument uses all of them",
    why: "A body without any placeholder gets all arguments in a line `ARGUMENTS:`. A body that holds `$environment` \
          and not `$version` asks for a version and does not say what to do with it; some programs then leave the \
          line out.",
    bad: Example::Files(&[
        (
            "deploy/SKILL.md",
            Content::Text(
                "---\nname: deploy\ndescription: Deploys a build. Use when a version goes out.\n---\n\n\
                 Deploy to $environment.\n",
            ),
        ),
        SCHEMA,
    ]),
    marks: "\"version\"",
    good: Example::Files(&[
        (
            "deploy/SKILL.md",
            Content::Text(
                "---\nname: deploy\ndescription: Deploys a build. Use when a version goes out.\n---\n\n\
                 Deploy $version to $environment.\n",
            ),
        ),
        SCHEMA,
    ]),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some(file) = &view.skill.arguments else {
        return Vec::new();
    };
    let used = words(view);
    // A misspelt placeholder has its own finding.
    let is_meant =
        |word: &str, name: &str| begins_with(word, name) || nearest(word, [name]).is_some();
    let is_used = |name: &str| used.iter().any(|(word, _)| is_meant(word, name));
    let arguments = &file.schema.arguments;
    let has_all = used.iter().any(|(word, _)| *word == "ARGUMENTS");
    // A placeholder can mean a name that could not be read.
    if has_all || !file.has_all_names || !arguments.iter().any(|argument| is_used(&argument.name)) {
        return Vec::new();
    }
    let path = join(view.skill.dir, ARGUMENTS_FILE);
    let unused = arguments.iter().zip(&file.places);
    unused
        .filter(|(argument, _)| !is_used(&argument.name))
        .map(|(argument, span)| {
            let name = &argument.name;
            Finding::new(RULE.id, &path, format!("no `${name}` is in the body"))
                .at(*span)
                .help(format!(
                    "write `${name}` in its place, or `$ARGUMENTS` for all arguments"
                ))
        })
        .collect()
}
