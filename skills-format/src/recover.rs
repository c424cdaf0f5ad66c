//! Front matter that does not parse as YAML, read key by key.
//!
//! Most such files have one bad line: an unquoted `: `, a value that begins with `*`, `@` or a
//! backtick, text after a closing quote, a conflict marker. So each top-level key is parsed by
//! itself, and a value that does not parse is taken as the text of its lines.

use crate::document::{line_after, line_at};
use crate::span::Span;
use crate::yaml::{self, Node, Scalar, Style, Value};

/// Front matter as far as it can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recovered {
    /// Always a mapping.
    pub(crate) node: Node,
    /// The lines that were taken as text or left out.
    pub(crate) broken: Vec<Span>,
}

/// Reads the YAML at `yaml` of `text` as far as it can be.
pub(crate) fn front_matter(text: &str, yaml: Span) -> Recovered {
    let mut entries = Vec::new();
    let mut broken = Vec::new();
    for chunk in chunks(text, yaml) {
        match yaml::parse_at(chunk.of(text), chunk.start) {
            Ok(Some(Node {
                value: Value::Mapping(found),
                ..
            })) => entries.extend(found),
            _ => {
                broken.push(chunk);
                entries.extend(as_text(text, chunk));
            }
        }
    }
    Recovered {
        node: Node {
            span: yaml,
            value: Value::Mapping(entries),
        },
        broken,
    }
}

/// A top-level line and the indented or blank lines after it.
pub(crate) fn chunks(text: &str, yaml: Span) -> Vec<Span> {
    let mut chunks: Vec<Span> = Vec::new();
    let mut at = yaml.start;
    while at < yaml.end {
        let line = line_at(text, at);
        let content = line.of(text);
        let continues = content.trim().is_empty()
            || content.starts_with([' ', '\t', '#'])
            || content.starts_with("- ");
        match chunks.last_mut() {
            Some(chunk) if continues => chunk.end = line.end.min(yaml.end),
            _ => chunks.push(Span::new(line.start, line.end.min(yaml.end))),
        }
        at = line_after(text, line).max(at + 1);
    }
    chunks
}

/// `key: any text at all`, its continuation lines joined by blanks.
fn as_text(text: &str, chunk: Span) -> Option<(Node, Node)> {
    let content = chunk.of(text);
    let colon = content.find(':')?;
    let key = content.get(..colon)?.trim_end().trim_matches(['"', '\'']);
    if key.is_empty()
        || !key
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
    {
        return None;
    }
    let rest = content.get(colon + 1..)?;
    let value = rest.trim();
    let start = chunk.start + colon + 1 + (rest.len() - rest.trim_start().len());
    let joined = value
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let key_span = Span::new(chunk.start, chunk.start + colon);
    Some((
        scalar(key, key_span),
        scalar(unquoted(&joined), Span::new(start, start + value.len())),
    ))
}

fn unquoted(text: &str) -> &str {
    ['"', '\'']
        .iter()
        .find_map(|&q| text.strip_prefix(q)?.strip_suffix(q))
        .unwrap_or(text)
}

fn scalar(text: &str, span: Span) -> Node {
    Node {
        span,
        value: Value::Scalar(Scalar {
            text: text.to_owned(),
            style: Style::DoubleQuoted,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(text: &str, key: &str) -> Option<String> {
        front_matter(text, Span::new(0, text.len()))
            .node
            .get(key)
            .and_then(Node::as_str)
            .map(str::to_owned)
    }

    #[test]
    fn bad_lines_are_text() {
        let text = "name: x\ndescription: Use when: a\n  and b\n<<<<<<< HEAD\nargument-hint: [a] [b]\nglob: *.rs\nok: 'it''s'\n";
        assert_eq!(get(text, "name").as_deref(), Some("x"));
        assert_eq!(
            get(text, "description").as_deref(),
            Some("Use when: a and b")
        );
        assert_eq!(get(text, "argument-hint").as_deref(), Some("[a] [b]"));
        assert_eq!(get(text, "glob").as_deref(), Some("*.rs"));
        assert_eq!(get(text, "ok").as_deref(), Some("it's"));
    }
}
