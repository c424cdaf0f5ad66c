//! YAML as other programs read it: aliases, tags and merge keys mean something.
//!
//! `skills-format` refuses all three. A reader that refuses them too would list less than the program does.

use crate::reading::file::Reader;
use granit_parser::Event;
use skills_format::text::span::Span;
use skills_format::yaml::{Node, Scalar, Style, Value, events, is_known_tag};
use std::collections::BTreeMap;

/// The most values of a front matter, with those that aliases repeat: a small text with aliases can be a large value.
const VALUES: usize = 20_000;

/// Parses the mapping of a front matter. Returns `None` if the text is not YAML; an empty text is an empty mapping. The
/// values have no places.
pub(super) fn parse(text: &str, reader: Reader) -> Option<Node> {
    let mut tree = Tree {
        events: events(text).map(|event| event.ok().map(|(event, _)| event)),
        reader,
        anchors: BTreeMap::new(),
        left: VALUES,
    };
    let mut root = None;
    loop {
        match tree.next()? {
            Event::StreamEnd => return Some(root.unwrap_or_else(|| Node::empty_mapping(0))),
            Event::StreamStart | Event::DocumentEnd => {}
            Event::DocumentStart(..) if root.is_none() => {
                let event = tree.next()?;
                root = Some(tree.node(event)?);
            }
            _ => return None,
        }
    }
}

struct Tree<I> {
    events: I,
    /// The program, whose parser differs from others in tags, in keys that are there twice, and in `<<`.
    reader: Reader,
    anchors: BTreeMap<usize, Node>,
    left: usize,
}

impl<'t, I: Iterator<Item = Option<Event<'t>>>> Tree<I> {
    fn next(&mut self) -> Option<Event<'t>> {
        self.events.next().unwrap_or(Some(Event::StreamEnd))
    }

    fn is_js_yaml(&self) -> bool {
        matches!(self.reader, Reader::GeminiCli | Reader::Opencode)
    }

    fn node(&mut self, event: Event<'t>) -> Option<Node> {
        self.left = self.left.checked_sub(1)?;
        let tag = event.tag();
        if self.is_js_yaml() && tag.is_some_and(|tag| !is_known_tag(tag)) {
            return None;
        }
        let is_text = tag.is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
        let (value, anchor) = match event {
            Event::Alias(anchor) => {
                let node = self.anchors.get(&anchor)?.clone();
                self.left = self.left.checked_sub(size(&node))?;
                return Some(node);
            }
            Event::Scalar(text, style, anchor, _) => {
                let style = if is_text {
                    Style::DoubleQuoted
                } else {
                    style.into()
                };
                let text = text.into_owned();
                (Value::Scalar(Scalar { text, style }), anchor)
            }
            Event::SequenceStart(_, anchor, _) => {
                let mut items = Vec::new();
                loop {
                    match self.next()? {
                        Event::SequenceEnd => break (Value::Sequence(items), anchor),
                        event => items.push(self.node(event)?),
                    }
                }
            }
            Event::MappingStart(_, anchor, _) => (self.mapping()?, anchor),
            _ => return None,
        };
        let node = Node {
            span: Span::at(0),
            value,
        };
        // A value without an anchor has the number 0.
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Some(node)
    }

    fn mapping(&mut self) -> Option<Value> {
        let mut entries: Vec<(Node, Node)> = Vec::new();
        let mut merged: Vec<Node> = Vec::new();
        loop {
            let event = self.next()?;
            if matches!(event, Event::MappingEnd) {
                break;
            }
            let key = self.node(event)?;
            let written = key.as_str()?;
            let mut keys = entries.iter().map(|(other, _)| other.as_str());
            if self.is_js_yaml() && keys.any(|other| other == Some(written)) {
                return None;
            }
            // Codex takes it for a key as any other.
            let is_merge = self.reader != Reader::Codex && written == "<<";
            let event = self.next()?;
            let value = self.node(event)?;
            match value.value {
                Value::Sequence(items) if is_merge => merged.extend(items),
                _ if is_merge => merged.push(value),
                _ => entries.push((key, value)),
            }
        }
        // Of a repeated key the last counts: what the mapping itself says wins over what it takes, and of two that it
        // takes the first wins.
        let merged = merged.iter().rev().flat_map(Node::entries);
        Some(Value::Mapping(merged.cloned().chain(entries).collect()))
    }
}

/// Returns the number of values in a value.
fn size(node: &Node) -> usize {
    let inside: usize = match &node.value {
        Value::Scalar(_) => 0,
        Value::Sequence(items) => items.iter().map(size).sum(),
        Value::Mapping(entries) => entries.iter().map(|(key, it)| size(key) + size(it)).sum(),
    };
    inside + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn description(reader: Reader, text: &str) -> Option<String> {
        let root = parse(text, reader)?;
        Some(root.get("description")?.as_str()?.to_owned())
    }

    #[test]
    fn aliases_tags_and_merge_keys() {
        let alias = "x: &a Text.\ndescription: *a";
        let merge = "x: &a {description: Text.}\n<<: *a";
        let tag = "description: !foo Text.";
        for (reader, merged, tagged) in [
            (Reader::ClaudeCode, Some("Text."), Some("Text.")),
            (Reader::Codex, None, Some("Text.")),
            (Reader::Opencode, Some("Text."), None),
        ] {
            assert_eq!(description(reader, alias).as_deref(), Some("Text."));
            assert_eq!(description(reader, merge).as_deref(), merged);
            assert_eq!(description(reader, tag).as_deref(), tagged);
        }
        for (text, expected) in [
            ("<<: [{description: A.}, {description: B.}]", "A."),
            ("<<: {description: A.}\n<<: {description: B.}", "A."),
            ("description: A.\n<<: text", "A."),
            (
                "x: &a {description: Text.}\ndescription: Own.\n<<: *a",
                "Own.",
            ),
        ] {
            assert_eq!(
                description(Reader::Opencode, text).as_deref(),
                Some(expected),
                "{text}"
            );
        }
        assert_eq!(description(Reader::ClaudeCode, "description: *a"), None);
    }

    #[test]
    fn repeated_keys_at_any_depth() {
        let text = "description: Text.\nmetadata:\n  a: 1\n  a: 2";
        assert!(parse(text, Reader::Opencode).is_none());
        assert!(parse(text, Reader::Codex).is_some() && parse(text, Reader::ClaudeCode).is_some());
    }

    #[test]
    fn aliases_of_aliases_have_an_end() {
        let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..20 {
            let before = format!("*a{}, ", level - 1).repeat(10);
            let line = format!("a{level}: &a{level} [{before}]\n");
            text.push_str(&line);
        }
        assert!(parse(&text, Reader::ClaudeCode).is_none());
    }
}
