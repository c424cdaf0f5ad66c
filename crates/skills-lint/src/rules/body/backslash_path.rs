use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::target::Target;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::BackslashPath,
    level: Level::Warn,
    group: Group::Body,
    summary: "paths are written with `/`",
    why: "A path with backslashes works only on Windows, where `/` works as well.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Run `scripts\\changes.py` first.\n")),
        ),
        (
            "release-notes/scripts/changes.py",
            Content::Text("print()\n"),
        ),
    ]),
    marks: "scripts\\changes.py",
    good: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Run `scripts/changes.py` first.\n")),
        ),
        (
            "release-notes/scripts/changes.py",
            Content::Text("print()\n"),
        ),
    ]),
    fix: FixKind::Safe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    // A path of one machine, `C:\x` or `\\host\x`, is not better with `/`. `link-escape` reports the path.
    let backslashed = view.targets().iter().filter(|(reference, target)| {
        reference.has_backslash && !matches!(target, Target::Absolute)
    });
    backslashed
        .map(|(reference, _)| {
            let start = reference.path_span.start;
            let written = reference.path_span.of(view.text());
            let places = memchr::memchr_iter(b'\\', written.as_bytes());
            let edits = places.map(|at| Edit::replace(Span::new(start + at, start + at + 1), "/"));
            view.at(
                RULE.id,
                reference.path_span,
                format!("`{written}` is written with backslashes"),
            )
            .help(format!("write `{}`", written.replace('\\', "/")))
            .fix(Fix::safe(edits.collect()))
        })
        .collect()
}
