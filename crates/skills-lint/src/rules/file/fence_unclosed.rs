use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::markdown::Markdown;
use crate::view::search::find_all;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::FenceUnclosed,
    level: Level::Warn,
    group: Group::File,
    summary: "every code block is closed",
    why: "A code fence that is never closed turns the rest of the file into code. An escaped fence does not begin a code block. If a fence with a language appears inside a block without a language, either the \
          closing fence before it is missing, or the outer fence needs more characters.",
    bad: Example::Skill(with_body!(
        "```sh\ngit log --merges\n\nList every merged change.\n"
    )),
    marks: "```sh",
    good: Example::Skill(with_body!(
        "```sh\ngit log --merges\n```\n\nList every merged change.\n"
    )),
    fix: FixKind::No,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Some(document) = view.document() {
        for (span, message, help) in faults(document.text, document.body, view.markdown()) {
            found.push(view.at(RULE.id, span, message).help(help));
        }
    }
    for page in view.marked_pages() {
        let all = Span::new(0, page.text.len());
        for (span, message, help) in faults(page.text, all, page.markdown()) {
            found.push(page.at(RULE.id, span, message).help(help));
        }
    }
    found
}

type Fault = (Span, &'static str, &'static str);

fn faults(text: &str, body: Span, markdown: &Markdown) -> Vec<Fault> {
    let mut found = Vec::new();
    let last = markdown.fences.last();
    if let Some(span) = last.and_then(|fence| unclosed(text, body, *fence)) {
        let message = "the code block is never closed: the rest of the file is code";
        let help = "write the closing fence; a fence inside another needs fewer characters than the outer one";
        found.push((span, message, help));
    }
    if let Some(span) = markdown.mistaken_fence(text) {
        let message = "a code block begins here, and contains a fence with a language";
        let help = "write the missing fence above, or give the outer block more characters than the inner one";
        found.push((span, message, help));
    }
    // Few texts have a backslash, and all are searched.
    let escaped = memchr::memchr(b'\\', body.of(text).as_bytes());
    let escaped = escaped.map(|_| find_all(body.of(text), "\\`\\`\\`"));
    for at in escaped.into_iter().flatten() {
        let at = body.start + at;
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        if line.trim().is_empty() && !markdown.is_code(at) {
            let message = "the fence is escaped: no code begins here";
            found.push((Span::new(at, at + 6), message, "remove the backslashes"));
        }
    }
    found
}

/// Returns the opening line of a fence that continues to the end of the file.
fn unclosed(text: &str, body: Span, fence: Span) -> Option<Span> {
    let rest = Span::new(fence.end, body.end.max(fence.end)).of(text);
    if !rest.trim().is_empty() {
        return None;
    }
    let block = fence.of(text).trim_end();
    let opening = block.lines().next()?;
    let mark = opening.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = opening.chars().take_while(|c| *c == mark).count();
    let last = block.lines().skip(1).last().unwrap_or_default();
    let last = last.trim_matches([' ', '\t', '>']);
    let is_closed = last.chars().count() >= length && last.chars().all(|c| c == mark);
    (!is_closed).then(|| Span::new(fence.start, fence.start + opening.len()))
}
