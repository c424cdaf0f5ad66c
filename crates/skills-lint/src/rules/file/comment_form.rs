use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::text::lines::line_at;
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::CommentForm,
    level: Level::Warn,
    group: Group::File,
    summary: "a comment begins with `<!--`",
    why: "`<-- … -->` is no comment: it is text, and the model reads it as an instruction.",
    bad: Example::Skill(with_body!(
        "<-- Sort by date? -->\n\nList every merged change.\n"
    )),
    marks: "<--",
    good: Example::Skill(with_body!(
        "<!-- Sort by date? -->\n\nList every merged change.\n"
    )),
    fix: FixKind::Unsafe,
    check: Check::Contents(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Some(document) = view.document() {
        let spans = marks(document.text, document.body).into_iter();
        let spans = spans.filter(|span| !view.markdown().is_code(span.start));
        found.extend(spans.map(|span| {
            view.at(RULE.id, span, "this is text, not a comment")
                .help("write `<!--`")
                .fix(Fix::guess(vec![Edit::replace(span, "<!--")]))
        }));
    }
    for page in view.marked_pages() {
        let all = Span::new(0, page.text.len());
        let spans = marks(page.text, all).into_iter();
        let spans = spans.filter(|span| !page.markdown().is_code(span.start));
        found.extend(spans.map(|span| {
            page.at(RULE.id, span, "this is text, not a comment")
                .help("write `<!--`")
        }));
    }
    found
}

/// Finds the misspelt marks at the beginning of lines that end with `-->`.
fn marks(text: &str, body: Span) -> Vec<Span> {
    let places = memchr::memchr_iter(b'<', body.of(text).as_bytes());
    let places = places.map(|at| body.start + at);
    let places = places.filter(|at| text.get(*at..).is_some_and(|rest| rest.starts_with("<-- ")));
    let spans = places.filter_map(|at| {
        let before = text.get(..at)?;
        let is_first = before.rsplit('\n').next()?.trim().is_empty();
        let line = line_at(text, at).of(text).trim_end();
        (is_first && line.ends_with("-->")).then(|| Span::new(at, at + "<--".len()))
    });
    spans.collect()
}
