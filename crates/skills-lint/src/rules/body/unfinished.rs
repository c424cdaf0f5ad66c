use crate::rules::example::{Example, with_body};
use crate::rules::links::file_unused::is_named;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use memchr::memmem::Finder;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::known_fields::begins_field;
use skills_format::text::order::sort_by_span;
use skills_format::text::span::Span;
use std::sync::LazyLock;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::Unfinished,
    level: Level::Warn,
    group: Group::Body,
    summary: "no placeholder of a template, and nothing of an edit or a merge, is left",
    why: "A skill is often begun from a template. A placeholder that was never filled in reaches \
          the model as an instruction. A file such as `SKILL.md.orig`, `.rej` or `.bak` beside the \
          file of its name is the rest of an edit or a merge. Such a name can be meant, so the file \
          is a part of the skill: it is baked, installed and read. It is not reported if the skill \
          names it. Conflict markers, a second front matter, a heading that a lost `---` left in the front matter, and \
          curly quotes around a whole description reach the model as they are.",
    bad: Example::Skill(with_body!("[TODO: say how versions are numbered]\n")),
    marks: "[TODO: say how versions are numbered]",
    good: Example::Skill(with_body!(
        "Look for `TODO` comments. Versions are numbered by date.\n"
    )),
    fix: FixKind::No,
    check: Check::Files(check),
};

/// The endings of what editors, `git` and `patch` leave beside a file. Unlike the names of
/// [`is_litter`](skills_format::is_litter), a skill may use these.
const BACKUPS: [&str; 2] = [".orig", ".bak"];
const REJECTED: &str = ".rej";

/// The beginnings of a placeholder in brackets, in lower case.
///
/// `[insert the date]` is not a placeholder: the agent fills the slot.
const BRACKETED: [&str; 3] = ["todo", "tbd", "fixme"];
/// The maximum length of a placeholder in brackets, in bytes.
const MAX_PLACEHOLDER: usize = 300;
/// The marks at the beginning of an unwritten line.
const MARKS: [&str; 3] = ["TODO:", "TBD:", "FIXME:"];
/// Placeholders without brackets. Their first letter is left out, since it can be a capital.
static PHRASES: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| ["orem ipsum dolor sit amet", "eplace with description of"].map(Finder::new));

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = placeholders(view);
    found.extend(backups(view));
    found.extend(leftovers(view));
    found
}

/// Reports what an edit or a merge left in a `SKILL.md`.
fn leftovers(view: &SkillView<'_>) -> Vec<Finding> {
    let Some(document) = view.document() else {
        return Vec::new();
    };
    let text = view.text();
    let (front, body) = (document.yaml, document.body);
    let line = |start: usize| {
        let rest = text.get(start..).unwrap_or_default();
        Span::new(start, start + rest.lines().next().unwrap_or_default().len())
    };
    let mut found = Vec::new();
    let written = body.of(text);
    let mark = written.starts_with(CONFLICT).then_some(0);
    let mark = mark.or_else(|| written.find(&format!("\n{CONFLICT}")).map(|at| at + 1));
    if let Some(at) = mark.filter(|at| !view.markdown().is_code(body.start + at)) {
        let message = "the body has conflict markers of git";
        found.push(
            view.at(RULE.id, line(body.start + at), message)
                .help("resolve the conflict"),
        );
    }
    let again = ["---\nname:", "---\ndescription:"]
        .iter()
        .find_map(|start| {
            let first = written.starts_with(start).then_some(0);
            first.or_else(|| written.find(&format!("\n{start}")).map(|at| at + 1))
        });
    if let Some(at) = again.filter(|at| !view.markdown().is_code(body.start + at)) {
        let message = "a second front matter begins here, and is text of the skill";
        found.push(
            view.at(RULE.id, line(body.start + at), message)
                .help("keep one of the two"),
        );
    }
    // A comment is followed by a field.
    let heading = front.of(text).find("\n\n# ").map(|at| front.start + at + 2);
    if let Some(at) = heading {
        let below = text.get(at..front.end).unwrap_or_default();
        if !below.lines().any(begins_field) {
            let message = "a heading stands in the front matter: the `---` above it may be lost";
            found.push(
                view.at(RULE.id, line(at), message)
                    .help("write `---` above it"),
            );
        }
    }
    if let Some((value, description)) = view.text_field("description")
        && description.starts_with(['\u{201C}', '\u{2018}', '\u{201E}'])
        && description.ends_with(['\u{201C}', '\u{201D}', '\u{2019}'])
    {
        let message = "the curly quotes around the description are a part of it";
        found.push(
            view.at(RULE.id, value.span, message)
                .help("write straight quotes, or none"),
        );
    }
    found
}

/// The line that begins a conflict.
const CONFLICT: &str = "<<<<<<< ";

/// Reports the backups of files of the skill.
fn backups(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in view.skill.files {
        let path = view.relative(&file.path).unwrap_or_default();
        let backup = BACKUPS.iter().find_map(|end| without(path, end));
        let Some(of) = backup.or_else(|| without(path, REJECTED)) else {
            continue;
        };
        let mut others = view.skill.files.iter();
        let is_there = others.any(|other| view.relative(&other.path) == Some(of));
        if !is_there || is_named(view, path) {
            continue;
        }
        let what = if backup.is_some() {
            "a backup"
        } else {
            "the rest of a patch"
        };
        let message = format!("the file is {what} of `{of}`, and is shipped with the skill");
        let help = "remove it, or name it in the skill if it belongs there";
        found.push(Finding::new(RULE.id, &file.path, message).help(help));
    }
    found
}

/// Returns a path without its ending, which counts in every case: some programs write `.BAK`.
fn without<'p>(path: &'p str, end: &str) -> Option<&'p str> {
    let (rest, found) = path.split_at_checked(path.len().checked_sub(end.len())?)?;
    found.eq_ignore_ascii_case(end).then_some(rest)
}

/// Reports the placeholders of a `SKILL.md`.
fn placeholders(view: &SkillView<'_>) -> Vec<Finding> {
    let text = view.text();
    let phrases = phrases(text);
    let has_brackets = has_brackets(text);
    let has_marks = has_marks(text);
    if phrases.is_empty() && !has_brackets && !has_marks {
        return Vec::new();
    }
    let mut places: Vec<Span> = Vec::new();
    let description = view.text_field("description").map(|(value, _)| value.span);
    let prose = view.markdown().prose.iter().copied();
    for span in description.into_iter().chain(prose) {
        if has_brackets {
            places.extend(in_brackets(text, span));
        }
        if has_marks {
            places.extend(marked_lines(text, span));
        }
        let first = phrases.partition_point(|phrase| phrase.start < span.start);
        let rest = phrases.get(first..).unwrap_or_default().iter();
        places.extend(rest.take_while(|phrase| phrase.end <= span.end));
    }
    places
        .into_iter()
        .map(|span| {
            let message = format!("`{}` is a placeholder", span.of(text));
            view.at(RULE.id, span, message)
                .help("write what belongs here, or remove it")
        })
        .collect()
}

/// Returns whether the text holds a placeholder in brackets. A cheap test before the Markdown is parsed.
fn has_brackets(text: &str) -> bool {
    let mut brackets = memchr::memchr_iter(b'[', text.as_bytes());
    brackets.any(|at| is_bracketed(text.get(at + 1..).unwrap_or_default()))
}

/// Returns whether the text after a bracket is a placeholder.
fn is_bracketed(inside: &str) -> bool {
    BRACKETED.iter().any(|begin| begins_with(inside, begin))
}

/// Returns whether the text holds a mark. The search is for the colon of the mark, which is rare after a capital.
fn has_marks(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b':', bytes).any(|at| {
        let before = bytes.get(..at).unwrap_or_default();
        before.last().is_some_and(u8::is_ascii_uppercase)
            && MARKS.iter().any(|mark| {
                let mark = mark.as_bytes().strip_suffix(b":");
                mark.is_some_and(|mark| before.ends_with(mark))
            })
    })
}

fn in_brackets(text: &str, span: Span) -> Vec<Span> {
    let written = span.of(text);
    let mut found = Vec::new();
    for at in memchr::memchr_iter(b'[', written.as_bytes()) {
        let inside = written.get(at + 1..).unwrap_or_default();
        if !is_bracketed(inside) {
            continue;
        }
        let end = inside
            .bytes()
            .take(MAX_PLACEHOLDER)
            .position(|byte| matches!(byte, b']' | b'\n'));
        if let Some(end) = end.filter(|end| inside.as_bytes().get(*end) == Some(&b']')) {
            // The text of a link is not a placeholder.
            let after = inside.get(end + 1..).unwrap_or_default();
            if !after.starts_with(['(', '[']) {
                found.push(Span::new(span.start + at, span.start + at + end + 2));
            }
        }
    }
    found
}

/// Returns the lines that begin with a mark.
fn marked_lines(text: &str, span: Span) -> Vec<Span> {
    let written = span.of(text);
    let mut found = Vec::new();
    for line in lines(written) {
        let content = line.of(written);
        if MARKS.iter().any(|mark| content.starts_with(mark)) {
            let end = line.start + content.trim_end().len();
            found.push(Span::new(span.start + line.start, span.start + end));
        }
    }
    found
}

/// Returns the phrases, in order. Phrases do not overlap, so their ends are in order too.
fn phrases(text: &str) -> Vec<Span> {
    let places = PHRASES.iter().flat_map(|phrase| {
        let places = phrase.find_iter(text.as_bytes());
        let length = phrase.needle().len();
        places.map(move |at| Span::new(at.saturating_sub(1), at + length))
    });
    let mut places: Vec<Span> = places.collect();
    sort_by_span(&mut places, |span| *span);
    places
}

fn lines(text: &str) -> Vec<Span> {
    let mut start = 0;
    text.split('\n')
        .map(|line| {
            let span = Span::new(start, start + line.len());
            start = span.end + 1;
            span
        })
        .collect()
}

/// Returns whether `text` begins with `begin` in any case. `begin` is ASCII in lower case.
fn begins_with(text: &str, begin: &str) -> bool {
    let start = text.as_bytes().get(..begin.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(begin.as_bytes()))
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told_of;

    #[test]
    fn what_an_edit_left() {
        let of = |text: &str| told_of("unfinished", &[("a/SKILL.md", text)]);
        let front = "---\nname: a\ndescription: Does a. Use when asked.\n";
        for (text, expected) in [
            (
                format!("{front}---\n\nGo.\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b\n"),
                "conflict markers",
            ),
            (
                format!("{front}---\n\nGo.\n{front}---\n\nGo.\n"),
                "a second front matter",
            ),
            (
                format!("{front}---\n{front}---\n\nGo.\n"),
                "a second front matter",
            ),
            (
                format!("{front}\n# A\n\n1. Say it: now.\n\n---\n\nEnd.\n"),
                "a heading stands in the front matter",
            ),
            (
                "---\nname: a\ndescription: \u{201C}Does a.\u{201D}\n---\n\nGo.\n".to_owned(),
                "curly quotes",
            ),
        ] {
            let told = of(&text);
            assert!(
                told.iter().any(|it| it.contains(expected)),
                "{expected}: {told:?}"
            );
        }
        for text in [
            format!("{front}\n# Optional\nlicense: MIT\n---\n\nGo.\n"),
            format!("{front}---\n\n```\n<<<<<<< HEAD\n```\n\n---\n\nname: b\n"),
        ] {
            assert_eq!(of(&text), [""; 0], "{text}");
        }
    }
}
