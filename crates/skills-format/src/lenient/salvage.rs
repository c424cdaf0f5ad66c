//! Finds front matter without its `---` lines, never closed, or in a code fence.

use crate::skill::document::{Document, is_key, trimmed};
use crate::skill::known_fields::{begins_field, meant};
use crate::text::lines::{line_after, line_at, lines_in};
use crate::text::span::Span;

/// Returns the parts of a file that were probably meant. Returns `None` if no line in the expected place begins with
/// `name:` or `description:`.
pub(crate) fn document(text: &str) -> Option<Document<'_>> {
    let mut start = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
    let mut is_fenced = false;
    loop {
        let line = line_at(text, start);
        let content = line.of(text).trim();
        if start >= text.len() || !content.is_empty() && !is_rule(content) {
            break;
        }
        is_fenced |= is_fence(content);
        start = line_after(text, line);
    }
    let end = fields_end(text, start);
    if !is_key(line_at(text, start).of(text)) || !names_something(text, Span::new(start, end)) {
        return None;
    }
    let last = line_at(text, end);
    let is_closed = is_rule(last.of(text)) && (is_fenced || !is_fence(last.of(text)));
    let body = trimmed(
        text,
        if is_closed {
            line_after(text, last)
        } else {
            end
        },
    );
    let body = if is_fenced {
        without_fence(text, body)
    } else {
        body
    };
    Some(parts(text, Span::new(start, end), body))
}

/// Removes the line that closes a fence around the front matter, or around the whole file.
fn without_fence(text: &str, body: Span) -> Span {
    let fences = lines_in(text, body).filter(|line| is_fence(line.of(text)));
    let fences: Vec<Span> = fences.collect();
    match *fences {
        // Fences of the body itself come in pairs.
        _ if fences.len().is_multiple_of(2) => body,
        [first, ..] if first.start == body.start => trimmed(text, line_after(text, first)),
        [.., last] if last.end == body.end => {
            let kept = text[..last.start].trim_end().len();
            Span::new(body.start, kept.max(body.start))
        }
        _ => body,
    }
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

/// Returns the end of the lines that look like fields: before an empty line, a heading or a rule.
///
/// Fields go on behind empty lines if a known field follows: a restraint must not be lost because its author left a
/// line empty.
fn fields_end(text: &str, start: usize) -> usize {
    let mut end = None;
    for line in lines_in(text, Span::new(start, text.len())) {
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
    begins_field(line)
        || line
            .split_once(':')
            .is_some_and(|(key, _)| meant(key).is_some())
}

/// Returns whether a line was meant to open or close the front matter: dashes, with other text behind them too, a thematic
/// break, or a code fence.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let of = |marks: [char; 3]| line.len() >= 3 && line.chars().all(|c| marks.contains(&c));
    is_fence(line)
        || line.starts_with("---")
        || of(['*'; 3])
        || of(['_'; 3])
        || of(['\u{2013}', '\u{2014}', '-'])
}

fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
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
            (
                "```markdown\n---\nname: x\n---\n\nGo.\n```\n",
                "name: x\n",
                "Go.",
            ),
            (
                "~~~\n---\nname: x\n---\nA\n```sh\nls\n```\n~~~",
                "name: x\n",
                "A\n```sh\nls\n```",
            ),
            (
                "```yaml\n---\nname: x\n---\n```\n\nGo.\n",
                "name: x\n",
                "Go.",
            ),
            ("```yaml\nname: x\n```\nGo.\n", "name: x\n", "Go."),
            (
                "```yaml\nname: x\n---\nA\n```\nGo.\n",
                "name: x\n",
                "A\n```\nGo.",
            ),
            (
                "```yaml\nname: x\n```\n```sh\nls\n```\n",
                "name: x\n",
                "```sh\nls\n```",
            ),
            (
                "---\nname: x\n```\nls\n```\nGo.",
                "name: x\n",
                "```\nls\n```\nGo.",
            ),
            (
                "---\nname: x\n\n```\nls\n```\nGo.",
                "name: x\n",
                "```\nls\n```\nGo.",
            ),
        ] {
            let document = document(text).expect(text);
            assert_eq!(document.yaml.of(text), yaml, "{text}");
            assert_eq!(document.body(), body, "{text}");
        }
        for text in [
            "",
            "# Title\n",
            "Some text\nname: x",
            "Some text\n\nname: x",
            "```\nls\n```\nname: x",
            "---\n# x\nname: y",
            "***\n# x\nname: y",
        ] {
            assert!(document(text).is_none(), "{text}");
        }
    }
}
