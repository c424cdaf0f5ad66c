//! The edit that writes another value in the front matter.

use skills_format::diagnostic::Edit;
use skills_format::text::span::Span;
use skills_format::yaml::node::{Node, Style, Value};

/// Returns the edit that writes another value of a key, on one line. `None` if the edit would need more than the value:
/// it has a tag, an anchor, or a comment in the header of its block.
///
/// The span of a value is not enough. The span of a block text (`|`, `>`) does not hold the header, and holds the end of
/// the last line: without them, the next line would become a part of the value.
pub fn value_edit(text: &str, key: &Node, value: &Node, new: &str) -> Option<Edit> {
    let before = text.get(key.span.end..value.span.start.max(key.span.end))?;
    let is_block = matches!(&value.value, Value::Scalar(scalar)
        if matches!(scalar.style, Style::Literal | Style::Folded));
    if is_block {
        let header = before.trim_start().strip_prefix(':')?.trim_start();
        let start = key.span.end + before.len() - header.len();
        let is_sign = |c: char| matches!(c, '-' | '+') || c.is_ascii_digit();
        let marks = header.trim_end().strip_prefix(['|', '>'])?;
        // With the header: a block without a line can end where the next key begins.
        let end = without_line_end(text, Span::new(start, value.span.end.max(start))).end;
        return marks
            .chars()
            .all(is_sign)
            .then(|| Edit::replace(Span::new(start, end), new));
    }
    if value.span.is_empty() {
        // The place of an empty value can be on the next line.
        let after = text.get(key.span.end..)?.strip_prefix(':')?;
        let rest = after.lines().next().unwrap_or_default();
        let is_alone = rest.trim().is_empty() || rest.trim_start().starts_with('#');
        return is_alone.then(|| Edit::replace(Span::at(key.span.end + 1), format!(" {new}")));
    }
    let is_bare = before.lines().all(|line| {
        let line = line.trim_start_matches([' ', '\t', ':']);
        line.is_empty() || line.starts_with('#')
    });
    let space = if before.ends_with(':') { " " } else { "" };
    is_bare.then(|| Edit::replace(without_line_end(text, value.span), format!("{space}{new}")))
}

/// Returns a span without the line ends and the white space at its end.
pub fn without_line_end(text: &str, span: Span) -> Span {
    let length = span.of(text).trim_end().len();
    Span::new(span.start, span.start + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::yaml;

    /// Returns the front matter with `true` as the value of `k`.
    fn with_true(text: &str) -> Option<String> {
        let root = yaml::parse(text).expect("YAML").expect("a mapping");
        let (key, value) = root.entry("k").expect("the key");
        let edit = value_edit(text, key, value, "true")?;
        Some(Edit::apply(text, &[edit]))
    }

    #[test]
    fn every_style_of_a_value() {
        for value in [
            " yes",
            " 'yes'",
            " \"yes\"",
            "\n  yes",
            " |\n  yes",
            " |-\n  yes",
            " >-\n  yes",
            " |2-\n   yes",
            " |+\n  yes\n",
            " >\n\n  yes\n\n",
            " |- \n    yes\n  \n",
            " yes\n  and no",
            "",
            " ~",
            " [a, b]",
            "\n  - |\n    a",
            " {a: b}",
            "\n  a: >-\n    b",
        ] {
            for rest in ["", "z: 1\n", "# note\nz: 1\n", "\nz: 1\n"] {
                for first in ["", "a: 1\n", "a: |\n  b\n"] {
                    let text = format!("{first}k:{value}\n{rest}");
                    let new = with_true(&text).unwrap_or_else(|| panic!("{text:?}"));
                    let read = yaml::parse(&new).expect("YAML").expect("a mapping");
                    assert_eq!(
                        read.get("k").and_then(Node::as_bool),
                        Some(true),
                        "{text:?} -> {new:?}"
                    );
                    let count = |text: &str| {
                        yaml::parse(text)
                            .ok()
                            .flatten()
                            .map_or(0, |root| root.entries().len())
                    };
                    assert_eq!(count(&new), count(&text), "{text:?} -> {new:?}");
                    assert!(new.ends_with(rest), "{text:?} -> {new:?}");
                }
            }
        }
    }

    #[test]
    fn what_stands_before_a_value_stays() {
        assert_eq!(
            with_true("k: # why\n  yes\n").as_deref(),
            Some("k: # why\n  true\n")
        );
        assert_eq!(with_true("k: # why\n").as_deref(), Some("k: true # why\n"));
        assert_eq!(
            with_true("{\"k\":yes, b: c}").as_deref(),
            Some("{\"k\": true, b: c}")
        );
        assert_eq!(with_true("? k\n: yes\n").as_deref(), Some("? k\n: true\n"));
        // The span of a list at the column of its key begins after the first `- `.
        for text in [
            "k:\n- a\n- b\n",
            "k: !!str yes\n",
            "k: &a yes\n",
            "k: |- # why\n  yes\n",
            "k: !!str |\n  yes\n",
            "{k: , b: c}",
        ] {
            assert_eq!(with_true(text), None, "{text}");
        }
    }
}
