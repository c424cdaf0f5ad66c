use crate::rules::example::{Example, with_body};
use crate::rules::links::file_unused::is_named;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::search::find_all;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::Unfinished,
    level: Level::Warn,
    group: Group::Body,
    summary: "no template placeholder and no leftover of an edit or merge remains",
    why: "An unfilled placeholder of a template reaches the model as an instruction. So do conflict markers, an \
          unclosed comment and a second front matter. A file such as `SKILL.md.orig`, `.rej` or `.bak`, beside the \
          file that it is named after, is a leftover of an edit or a merge. It is still part of the skill: it is \
          baked, installed and read. It is not reported if the skill names it.",
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
const BACKUPS: [(&str, &str); 3] = [
    (".orig", "a backup"),
    (".bak", "a backup"),
    (".rej", "the rest of a patch"),
];
/// The beginnings of a placeholder in brackets, in lower case.
///
/// `[insert the date]` is not a placeholder: the agent fills the slot.
const BRACKETED: [&str; 3] = ["todo", "tbd", "fixme"];
/// The maximum length of a placeholder in brackets, in bytes.
const MAX_PLACEHOLDER: usize = 300;
/// Placeholders without brackets, in lower case.
const PHRASES: [&str; 3] = [
    "lorem ipsum dolor sit amet",
    "replace with description of",
    "description of what this skill does",
];
/// The line that begins a conflict.
const CONFLICT: &str = "<<<<<<< ";

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = backups(view);
    if let Some((value, written)) = view.text_field("description")
        && is_mark(written)
    {
        found.push(placeholder(view, value.span));
    }
    if view.concerns(RULE.id) {
        found.extend(placeholders(view));
        found.extend(leftovers(view));
        found.extend(open_comment(view));
    }
    found
}

/// Reports a comment that hides the rest of the instructions.
fn open_comment(view: &SkillView<'_>) -> Option<Finding> {
    let body = view.document()?.body;
    let written = body.of(view.text());
    let at = find_all(written, "<!--").last()?;
    let place = Span::new(body.start + at, body.start + at + "<!--".len());
    let is_open = !written[at..].contains("-->") && !view.markdown().is_code(place.start);
    is_open.then(|| {
        let finding = view.at(
            RULE.id,
            place,
            "the comment is never closed: the rest is not checked",
        );
        finding.help("write `-->` where it ends")
    })
}

/// Reports what an edit or a merge left in a `SKILL.md`.
fn leftovers(view: &SkillView<'_>) -> Vec<Finding> {
    let Some(document) = view.document() else {
        return Vec::new();
    };
    let text = view.text();
    let body = document.body;
    let mut found = Vec::new();
    let mut at_line = |start: usize, message: &str, help: &str| {
        let line = text.get(start..).unwrap_or_default().lines().next();
        let span = Span::new(start, start + line.unwrap_or_default().len());
        found.push(view.at(RULE.id, span, message).help(help));
    };
    // Returns the first line of the body that begins with a text, outside of code.
    let line_of = |begin: &str| {
        let written = body.of(text);
        let at = if written.starts_with(begin) {
            Some(0)
        } else {
            find_all(written, &format!("\n{begin}"))
                .next()
                .map(|at| at + 1)
        };
        at.map(|at| body.start + at)
            .filter(|at| !view.markdown().is_code(*at))
    };
    if let Some(at) = line_of(CONFLICT) {
        at_line(
            at,
            "the body has conflict markers of git",
            "resolve the conflict",
        );
    }
    let again = line_of("---\nname:").or_else(|| line_of("---\ndescription:"));
    if let Some(at) = again {
        let message = "a second front matter begins here, and is text of the skill";
        at_line(at, message, "keep one of the two");
    }
    found
}

/// Reports the backups of files of the skill.
fn backups(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in view.skill.files {
        let path = view.relative(&file.path).unwrap_or_default();
        // Some programs write `.BAK`.
        let lower = path.to_ascii_lowercase();
        let Some((end, what)) = BACKUPS.iter().find(|(end, _)| lower.ends_with(end)) else {
            continue;
        };
        // The ending is ASCII, so the rest is a text.
        let of = &path[..path.len() - end.len()];
        let mut others = view.skill.files.iter();
        let is_there = others.any(|other| view.relative(&other.path) == Some(of));
        if is_there && !is_named(view, path) {
            let message = format!("the file is {what} of `{of}`, and is shipped with the skill");
            let help = "remove it, or name it in the skill if it belongs there";
            found.push(Finding::new(RULE.id, &file.path, message).help(help));
        }
    }
    found
}

/// Reports the placeholders of a `SKILL.md`.
fn placeholders(view: &SkillView<'_>) -> Vec<Finding> {
    let text = view.text();
    let lower = text.to_ascii_lowercase();
    let mut places: Vec<Span> = Vec::new();
    let description = view.text_field("description").map(|(value, _)| value.span);
    for span in description
        .into_iter()
        .chain(view.markdown().prose.iter().copied())
    {
        let written = span.of(&lower);
        let mut add = |place: Span| {
            places.push(Span::new(span.start + place.start, span.start + place.end));
        };
        in_brackets(written).into_iter().for_each(&mut add);
        for phrase in PHRASES {
            for (at, _) in written.match_indices(phrase) {
                add(Span::new(at, at + phrase.len()));
            }
        }
    }
    let found = places.into_iter().map(|place| placeholder(view, place));
    found.collect()
}

fn placeholder(view: &SkillView<'_>, place: Span) -> Finding {
    let message = format!("`{}` is a placeholder", place.of(view.text()));
    let finding = view.at(RULE.id, place, message);
    finding.help("write what belongs here, or remove it")
}

/// Whether a text is `TODO`, or begins with `TODO:`.
fn is_mark(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    let mut after = BRACKETED.iter().filter_map(|mark| text.strip_prefix(mark));
    after.any(|after| after.is_empty() || after.starts_with([':', '.']))
}

/// Returns the placeholders in brackets of a text in lower case.
fn in_brackets(written: &str) -> Vec<Span> {
    let mut found = Vec::new();
    for (at, _) in written.match_indices('[') {
        let inside = &written[at + 1..];
        if !BRACKETED.iter().any(|begin| inside.starts_with(begin)) {
            continue;
        }
        let mut bytes = inside.bytes().take(MAX_PLACEHOLDER);
        let end = bytes.position(|byte| matches!(byte, b']' | b'\n'));
        if let Some(end) = end.filter(|end| inside[*end..].starts_with(']')) {
            // The text of a link is not a placeholder.
            if !inside[end + 1..].starts_with(['(', '[']) {
                found.push(Span::new(at, at + end + 2));
            }
        }
    }
    found
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
                "---\nname: a\ndescription: TODO\n---\n\nGo.\n".to_owned(),
                "`TODO` is a placeholder",
            ),
            (
                format!("{front}---\n\n<!-- draft\nGo.\n"),
                "the comment is never closed",
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
            format!("{front}---\n\n<!-- a -->\n`<!-- b`\n"),
            "---\nname: a\ndescription: Todo lists are kept. Use when asked.\n---\n\nGo.\n"
                .to_owned(),
            format!("{front}---\n\n```\n<<<<<<< HEAD\n```\n\n---\n\nname: b\n"),
        ] {
            assert_eq!(of(&text), [""; 0], "{text}");
        }
    }
}
