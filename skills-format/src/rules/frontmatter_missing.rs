use super::example::with_fields;
use super::{Check, Example, Group, Mends, Rule, SkillView};
use crate::config::Level;
use crate::diagnostic::Diagnostic;
use crate::document::NoFrontMatter;

pub(crate) const RULE: Rule = Rule {
    id: "frontmatter-missing",
    level: Level::Deny,
    group: Group::File,
    summary: "`SKILL.md` begins with front matter between two `---` lines",
    why: "The front matter holds the name and the description. Without it no client can list the \
          skill, and a model never learns that it is there.",
    bad: Example::Skill("# Release notes\n\nList every merged change.\n"),
    marks: "# Release notes",
    good: Example::Skill(with_fields!("")),
    mends: Mends::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    match view.skill.file.document {
        Some(Err(NoFrontMatter::Missing(span))) => vec![
            view.at(span, "no front matter begins the file")
                .help("write `---`, `name: …`, `description: …` and `---` above it"),
        ],
        _ => Vec::new(),
    }
}
