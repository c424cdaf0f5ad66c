//! Finds front matter in an invalid place: in a code fence, without its `---` lines, or never closed.

use crate::skill::document::{Document, closing, trimmed};
use crate::skill::known_fields::{FIELDS, meant};
use crate::text::lines::{line_after, line_at};
use crate::text::span::Span;

/// Returns the parts of a file that were probably meant, and the words that describe the text taken for
/// front matter. Returns `None` if no line in the expected place begins with `name:` or `description:`.
pub(crate) fn document(text: &str) -> Option<(Document<'_>, &'static str)> {
    let first = first_line(text)?;
    let line = first.of(text).trim();
    if line.starts_with("```") || line.starts_with("~~~") {
        return in_fence(text, first).map(|document| (document, "the content of the code fence"));
    }
    let start = if is_rule(line) {
        line_after(text, first)
    } else {
        first.start
    };
    let end = fields_end(text, start);
    if !names_something(text, Span::new(start, end)) {
        return None;
    }
    let closed = Some(line_at(text, end)).filter(|line| is_rule(line.of(text)));
    let body = closed.map_or(end, |line| line_after(text, line));
    let document = parts(text, Span::new(start, end), trimmed(text, body));
    Some((document, "text that looks like fields"))
}

/// Returns a file as a body without front matter.
pub(crate) fn without_front_matter(text: &str) -> Document<'_> {
    parts(text, Span::at(0), trimmed(text, 0))
}

fn parts(text: &str, yaml: Span, body: Span) -> Document<'_> {
    Document {
        text,
        yaml,
        body,
        forms: Vec::new(),
    }
}

/// Returns the first line that is not blank, after a byte-order mark.
fn first_line(text: &str) -> Option<Span> {
    let mut at = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
    while at < text.len() {
        let line = line_at(text, at);
        if !line.of(text).trim().is_empty() {
            return Some(line);
        }
        at = line_after(text, line);
    }
    None
}

/// Reads a file whose first fence encloses the whole file, or only the front matter.
fn in_fence(text: &str, fence: Span) -> Option<Document<'_>> {
    let opening = fence.of(text).trim();
    let mark = opening.chars().next()?;
    let length = opening.len() - opening.trim_start_matches(mark).len();
    let closes = |line: &str| {
        let line = line.trim();
        line.len() >= length && line.chars().all(|c| c == mark)
    };
    let inside = line_after(text, fence);
    let first = line_at(text, inside);
    let has_dashes = first.of(text).trim_end() == "---";
    let start = if has_dashes {
        line_after(text, first)
    } else {
        inside
    };
    let mut lines = lines_from(text, start);
    let end = if has_dashes {
        closing(text, start)?
    } else {
        lines.find(|line| closes(line.of(text)))?
    };
    let yaml = Span::new(start, end.start);
    if !names_something(text, yaml) {
        return None;
    }
    let body = trimmed(text, line_after(text, end));
    let fence = opening.get(..length)?;
    Some(parts(text, yaml, without_fence(text, body, fence)))
}

/// Removes the line that closes the outer fence: at the start of the body if the fence held only the
/// front matter, else at the end.
fn without_fence(text: &str, body: Span, fence: &str) -> Span {
    let closes = |line: &str| line.trim() == fence;
    let written = body.of(text);
    let last = written.rfind('\n').map_or(0, |newline| newline + 1);
    let fences = lines_from(text, body.start)
        .take_while(|line| line.start < body.end)
        .filter(|line| line.of(text).trim_start().starts_with(fence))
        .count();
    let first = line_at(text, body.start);
    if closes(first.of(text)) {
        trimmed(text, line_after(text, first))
    } else if fences % 2 == 1 && closes(written.get(last..).unwrap_or_default()) {
        // An odd number of fence lines: the last line closes the outer fence, not a fence of the body.
        let kept = written.get(..last).unwrap_or_default().trim_end();
        Span::new(body.start, body.start + kept.len())
    } else {
        body
    }
}

fn lines_from(text: &str, start: usize) -> impl Iterator<Item = Span> + '_ {
    let mut at = start;
    std::iter::from_fn(move || {
        let line = (at < text.len()).then(|| line_at(text, at))?;
        at = line_after(text, line).max(at + 1);
        Some(line)
    })
}

/// Returns the end of the lines that look like fields: before an empty line, a heading or a rule.
///
/// Fields go on behind empty lines if a known field follows: a restraint must not be lost because its author left a
/// line empty.
fn fields_end(text: &str, start: usize) -> usize {
    let mut end = None;
    for line in lines_from(text, start) {
        let content = line.of(text).trim_end();
        if content.is_empty() {
            end = end.or(Some(line.start));
        } else if content.starts_with("# ") || is_rule(content) {
            return end.unwrap_or(line.start);
        } else {
            let is_field =
                |end| is_known_field(content) && names_something(text, Span::new(start, end));
            if !end.is_none_or(is_field) {
                break;
            }
            end = None;
        }
    }
    end.unwrap_or(text.len())
}

/// Returns whether a line begins with the key of a known field, or with a key that resembles one.
fn is_known_field(line: &str) -> bool {
    line.split_once(':')
        .is_some_and(|(key, _)| FIELDS.iter().any(|known| known.key == key) || meant(key).is_some())
}

/// Returns whether a line is a thematic break: `---`, `***`, `___` or longer. Markdown renders all of
/// them as one line, so a file that was copied from a page can have any of them.
fn is_rule(line: &str) -> bool {
    let line = line.trim_end();
    let of = |mark: char| line.chars().all(|c| c == mark);
    line.len() >= 3 && (of('-') || of('*') || of('_'))
}

fn names_something(text: &str, yaml: Span) -> bool {
    yaml.of(text)
        .lines()
        .any(|line| line.starts_with("name:") || line.starts_with("description:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found() {
        for (text, yaml, body) in [
            (
                "```markdown\n---\nname: x\n---\n\nGo.\n```\n",
                "name: x\n",
                "Go.",
            ),
            (
                "```yaml\n---\nname: x\n---\n```\n\nGo.\n",
                "name: x\n",
                "Go.",
            ),
            ("~~~yaml\nname: x\n~~~\nGo.", "name: x\n", "Go."),
            (
                "```\n---\nname: x\n---\nA\n```sh\nls\n```\n```",
                "name: x\n",
                "A\n```sh\nls\n```",
            ),
            (
                "name: x\ndescription: y\n\nGo.",
                "name: x\ndescription: y\n",
                "Go.",
            ),
            ("\n\u{20}\nname: x\n---\nGo.", "name: x\n", "Go."),
            (
                "---\nname: x\n\n\ndisable-model-invocation: true\n\nGo: on.\n",
                "name: x\n\n\ndisable-model-invocation: true\n",
                "Go: on.",
            ),
            (
                "name: x\n\nGo.\nuser-invocable: no\n",
                "name: x\n",
                "Go.\nuser-invocable: no",
            ),
            ("---\nname: x\n# Title\nGo.", "name: x\n", "# Title\nGo."),
            ("***\nname: x\n***\nGo.", "name: x\n", "Go."),
            ("***\nname: x\n***\n\nGo.\n***\n", "name: x\n", "Go.\n***"),
            ("-----\nname: x\n___ \nGo.", "name: x\n", "Go."),
        ] {
            let (document, _) = document(text).expect(text);
            assert_eq!(document.yaml.of(text), yaml, "{text}");
            assert_eq!(document.body(), body, "{text}");
        }
        for text in [
            "",
            "# Title\n",
            "Some text\n\nname: x",
            "```\nls\n```",
            "---\n# x\nname: y",
            "***\n# x\nname: y",
        ] {
            assert!(document(text).is_none(), "{text}");
        }
    }
}
