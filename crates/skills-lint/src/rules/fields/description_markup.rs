use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::DescriptionMarkup,
    level: Level::Warn,
    group: Group::Fields,
    summary: "a description contains no tags",
    why: "Clients put descriptions between tags. A tag in a description may be read as structure: \
          it can end the list of skills early, or imitate another entry.",
    bad: Example::Skill(
        "---\nname: release-notes\n\
         description: Writes <b>release notes</b>. Use when a version is published.\n---\n\n\
         List every merged change.\n",
    ),
    marks: "<b>",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((value, _)) = view.text_field("description") else {
        return Vec::new();
    };
    let written = value.span.of(view.text());
    let Some((at, tag)) = tag(written) else {
        return Vec::new();
    };
    let start = value.span.start + at;
    vec![
        view.at(
            RULE.id,
            Span::new(start, start + tag.len()),
            format!("the description contains the tag `{tag}`"),
        )
        .help("write it in words"),
    ]
}

/// Finds the first `<name …>` or `</name>`.
fn tag(text: &str) -> Option<(usize, &str)> {
    text.match_indices('<').find_map(|(at, _)| {
        let rest = text.get(at + 1..)?;
        let end = rest
            .find(['<', '>', '\n'])
            .filter(|end| rest.get(*end..).is_some_and(|rest| rest.starts_with('>')))?;
        let inside = rest.get(..end)?;
        let name = inside.strip_prefix('/').unwrap_or(inside);
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
        let rest_of_name = name.trim_start_matches(is_name);
        let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && (rest_of_name.is_empty() || rest_of_name.starts_with([' ', '/']));
        is_tag.then(|| (at, text.get(at..at + end + 2).unwrap_or_default()))
    })
}
