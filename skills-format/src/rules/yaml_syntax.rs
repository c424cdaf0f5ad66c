use super::example::with_fields;
use super::{Check, Example, Group, Mends, Rule, SkillView};
use crate::config::Level;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: "yaml-syntax",
    level: Level::Deny,
    group: Group::File,
    summary: "the front matter is YAML that maps keys to values",
    why: "A client that cannot parse the front matter drops the skill, mostly without a word. The \
          usual causes are small: a colon in a text without quotes, a value that begins with `*` \
          or `@`, text after a closing quote, a tab.",
    bad: Example::Skill(
        "---\nname: release-notes\ndescription: Use when: a version is about to be published\n\
         ---\n\nList every merged change.\n",
    ),
    marks: "description: Use when: a version is about to be published",
    good: Example::Skill(with_fields!("")),
    mends: Mends::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let Some(recovered) = view.recovered() else {
        return Vec::new();
    };
    let Some(Err(error)) = &view.skill.file.front_matter else {
        return Vec::new();
    };
    let broken = |span: &&Span| span.start <= error.offset && error.offset <= span.end;
    let span = recovered.broken.iter().find(broken).copied();
    vec![
        view.at(span.unwrap_or(Span::at(error.offset)), error.to_string())
            .help("put the value in quotes"),
    ]
}
