use crate::diagnostic::rule_id::RuleId;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::references::{self, Target};
use crate::view::skill::SkillView;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LinkCase,
    level: Level::Deny,
    group: Group::Links,
    summary: "a link is written in the same case as the file",
    why: "On most disks of macOS and Windows, `Style.md` finds `style.md`. On Linux, in archives \
          and in bundles, it finds nothing.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Follow [the style](references/Style.md).\n")),
        ),
        (
            "release-notes/references/style.md",
            Content::Text("# Style\n"),
        ),
    ]),
    marks: "references/Style.md",
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
    fix: FixKind::Unsafe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    view.targets()
        .iter()
        .filter_map(|(reference, target)| {
            let Target::OtherCase(path) = target else {
                return None;
            };
            let written = reference.path_span.of(view.text());
            let path = references::written(reference, view, path);
            let message = format!("`{written}` differs in case from the file `{path}`");
            Some(
                view.at(reference.span, message)
                    .help(format!("write `{path}`"))
                    .fix(Fix::guess(vec![Edit::replace(reference.path_span, path)])),
            )
        })
        .collect()
}
