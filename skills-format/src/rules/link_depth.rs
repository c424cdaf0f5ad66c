use super::example::with_body;
use super::links::Target;
use super::{Check, Content, Example, Group, Mends, Rule, SkillView};
use crate::config::Level;
use crate::diagnostic::Diagnostic;

pub(crate) const RULE: Rule = Rule {
    id: "link-depth",
    level: Level::Allow,
    group: Group::Links,
    summary: "linked files lie one folder deep",
    why: "The specification advises references one level below `SKILL.md`: what is nested deeper is \
          found later, or not at all.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!(
                "Follow [the style](references/text/style.md).\n"
            )),
        ),
        (
            "release-notes/references/text/style.md",
            Content::Text("# Style\n"),
        ),
    ]),
    marks: "references/text/style.md",
    good: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Follow [the style](references/style.md).\n")),
        ),
        (
            "release-notes/references/style.md",
            Content::Text("# Style\n"),
        ),
    ]),
    mends: Mends::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    view.targets()
        .iter()
        .filter_map(|(reference, target)| match target {
            Target::File(path) if path.matches('/').count() > 1 => {
                let depth = path.matches('/').count();
                let message = format!("`{path}` lies {depth} folders deep");
                Some(
                    view.at(reference.span, message)
                        .help("move it up to one folder"),
                )
            }
            _ => None,
        })
        .collect()
}
