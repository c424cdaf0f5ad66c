//! Finds front matter without its `---` lines, or never closed.

use crate::skill::document::{Document, is_key, trimmed};
use crate::skill::known_fields::{begins_field, meant};
use crate::text::lines::{line_after, line_at, lines_in};
use crate::text::span::Span;

/// Returns the parts of a file that were probably meant. Returns `None` if no line in the expected place begins with
/// `name:` or `description:`.
pub(crate) fn document(text: &str) -> Option<Document<'_>> {
    let mut start = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
    loop {
        let line = line_at(text, start);
        let content = line.of(text).trim();
        if start >= text.len() || !content.is_empty() && !is_rule(content) {
            break;
        }
        start = line_after(text, line);
    }
    let end = fields_end(text, start);
    if !is_key(line_at(text, start).of(text)) || !names_something(text, Span::new(start, end)) {
        return None;
    }
    let closed = Some(line_at(text, end)).filter(|line| is_rule(line.of(text)));
    let body = closed.map_or(end, |line| line_after(text, line));
    Some(parts(text, Span::new(start, end), trimmed(text, body)))
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

/// Returns whether a line was meant to close the front matter: dashes, with other text behind them too, or a thematic break.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let of = |marks: [char; 3]| line.len() >= 3 && line.chars().all(|c| marks.contains(&c));
    line.starts_with("---") || of(['*'; 3]) || of(['_'; 3]) || of(['\u{2013}', '\u{2014}', '-'])
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
        ] {
            let document = document(text).expect(text);
            assert_eq!(document.yaml.of(text), yaml, "{text}");
            assert_eq!(document.body(), body, "{text}");
        }
        for text in [
            "",
            "# Title\n",
            "Some text\n\nname: x",
            "```\nname: x\n```",
            "---\n# x\nname: y",
            "***\n# x\nname: y",
        ] {
            assert!(document(text).is_none(), "{text}");
        }
    }
}
