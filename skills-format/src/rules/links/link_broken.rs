use crate::diagnostic::rule_id::RuleId;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, MAX_FINDINGS, Rule};
use crate::view::references::{self, Target};
use crate::view::skill::SkillView;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LinkBroken,
    level: Level::Deny,
    group: Group::Links,
    summary: "a relative link leads to a file of the skill",
    why: "A model follows the links of a skill to learn more. A broken link costs the model a \
          turn, and the model misses what the author meant it to read. Inline code counts as a \
          link if it is a path under `scripts/`, `references/` or `assets/`, and either begins its \
          line or follows a verb such as `run` or `read`. Code blocks, addresses with a scheme, \
          anchors and templates do not count.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Follow [the style](references/stile.md).\n")),
        ),
        (
            "release-notes/references/style.md",
            Content::Text("# Style\n"),
        ),
    ]),
    marks: "references/stile.md",
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
    let missing = view
        .targets()
        .iter()
        .filter(|(_, target)| matches!(target, Target::Missing));
    missing
        .enumerate()
        .map(|(n, (link, _))| {
            let written = link.path_span.of(view.text());
            let finding = view.at(link.span, format!("`{written}` is not a file of the skill"));
            // Later findings are counted, not shown.
            let near = (n < MAX_FINDINGS).then(|| references::nearest(view, link));
            match near.flatten() {
                Some(path) => {
                    let path = references::written(link, view, &path);
                    finding
                        .help(format!("write `{path}`"))
                        .fix(Fix::guess(vec![Edit::replace(link.path_span, path)]))
                }
                None => finding.help("add the file, or remove the link"),
            }
        })
        .collect()
}
