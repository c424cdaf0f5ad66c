//! YAML as other programs read it: aliases, tags and merge keys mean something.
//!
//! `skills-format` refuses all three. A simulation that refuses them too would list less than the program does.

use granit_parser::{Event, Parser};
use skills_format::text::span::Span;
use skills_format::yaml::{MAX_DEPTH, Node, Scalar, Style, Value, is_known_tag};
use std::collections::BTreeMap;

/// The most values of a front matter, with those that aliases repeat: a small text with aliases can be a large value.
const VALUES: usize = 20_000;

/// The parts of YAML in which the parsers of programs differ.
#[derive(Clone, Copy)]
pub(super) struct Dialect {
    /// True if a tag that the parser does not know is read over. Otherwise the text is refused.
    pub(super) reads_over_tags: bool,
    /// What `<<` does.
    merges: Merges,
    /// True if a mapping at any depth with a repeated key is refused.
    pub(super) refuses_repeats: bool,
}

/// What a merge key `<<` does: it takes the entries of a mapping, or of each mapping of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Merges {
    /// It is a key as any other.
    Never,
    /// In every style; any other value means nothing.
    Lenient,
    /// In plain style; any other value is refused.
    Strict,
}

/// The parser of Claude Code.
pub(super) const BUN: Dialect = Dialect {
    reads_over_tags: true,
    merges: Merges::Lenient,
    refuses_repeats: false,
};
/// The parser of Codex.
pub(super) const SERDE: Dialect = Dialect {
    reads_over_tags: true,
    merges: Merges::Never,
    refuses_repeats: false,
};
/// The parser of Gemini CLI and `OpenCode`.
pub(super) const JS_YAML: Dialect = Dialect {
    reads_over_tags: false,
    merges: Merges::Strict,
    refuses_repeats: true,
};

impl Dialect {
    /// Parses the mapping of a front matter. Returns `None` if the text is not YAML; an empty text is an empty mapping.
    /// The values have no places.
    pub(super) fn parse(self, text: &str) -> Option<Node> {
        let mut options = granit_parser::options! {
            disallow_directives: true,
            flow_nesting_limit: MAX_DEPTH,
            block_nesting_limit: MAX_DEPTH,
            simple_key_max_lookahead: 1024,
        };
        options.set_emit_comments(false);
        let events = Parser::new_from_str_with_options(text, options);
        let mut tree = Tree {
            events: events.map(|event| event.ok().map(|(event, _)| event)),
            dialect: self,
            anchors: BTreeMap::new(),
            left: VALUES,
        };
        tree.document()
    }
}

struct Tree<I> {
    events: I,
    dialect: Dialect,
    anchors: BTreeMap<usize, Node>,
    left: usize,
}

impl<'t, I: Iterator<Item = Option<Event<'t>>>> Tree<I> {
    fn document(&mut self) -> Option<Node> {
        let mut root = None;
        loop {
            match self.next()? {
                Event::StreamEnd => return Some(root.unwrap_or_else(|| Node::empty_mapping(0))),
                Event::StreamStart | Event::DocumentEnd => {}
                Event::DocumentStart(..) if root.is_none() => {
                    let event = self.next()?;
                    root = Some(self.node(event)?);
                }
                _ => return None,
            }
        }
    }

    fn next(&mut self) -> Option<Event<'t>> {
        self.events.next().unwrap_or(Some(Event::StreamEnd))
    }

    fn node(&mut self, event: Event<'t>) -> Option<Node> {
        self.left = self.left.checked_sub(1)?;
        let tag = event.tag();
        if tag.is_some_and(|tag| !self.dialect.reads_over_tags && !is_known_tag(tag)) {
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
            Event::SequenceStart(_, anchor, _) => (self.sequence()?, anchor),
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

    fn sequence(&mut self) -> Option<Value> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                Event::SequenceEnd => return Some(Value::Sequence(items)),
                event => items.push(self.node(event)?),
            }
        }
    }

    fn mapping(&mut self) -> Option<Value> {
        let mut entries: Vec<(Node, Node)> = Vec::new();
        let mut taken: Vec<Node> = Vec::new();
        loop {
            let event = self.next()?;
            if matches!(event, Event::MappingEnd) {
                break;
            }
            let key = self.node(event)?;
            let written = key.as_str()?;
            let is_plain =
                matches!(&key.value, Value::Scalar(scalar) if scalar.style == Style::Plain);
            let is_merge = written == "<<"
                && match self.dialect.merges {
                    Merges::Never => false,
                    Merges::Lenient => true,
                    Merges::Strict => is_plain,
                };
            let is_repeated = || {
                entries
                    .iter()
                    .any(|(other, _)| other.as_str() == Some(written))
            };
            if self.dialect.refuses_repeats && is_repeated() {
                return None;
            }
            let event = self.next()?;
            let value = self.node(event)?;
            if is_merge {
                let begin = taken.len();
                match value.value {
                    Value::Sequence(items) => taken.extend(items),
                    _ => taken.push(value),
                }
                let is_mapping = |node: &Node| matches!(node.value, Value::Mapping(_));
                let mut sources = taken.iter().skip(begin);
                if self.dialect.merges == Merges::Strict && !sources.all(is_mapping) {
                    return None;
                }
            } else {
                entries.push((key, value));
            }
        }
        // Of a repeated key the last counts: what the mapping itself says wins over what it takes, and of two that it
        // takes the first wins.
        let taken = taken.iter().rev().flat_map(Node::entries);
        Some(Value::Mapping(taken.cloned().chain(entries).collect()))
    }
}

/// Returns the number of values in a value.
fn size(node: &Node) -> usize {
    let inside: usize = match &node.value {
        Value::Scalar(_) => 0,
        Value::Sequence(items) => items.iter().map(size).sum(),
        Value::Mapping(entries) => entries
            .iter()
            .map(|(key, value)| size(key) + size(value))
            .sum(),
    };
    inside + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn description(dialect: Dialect, text: &str) -> Option<String> {
        let root = dialect.parse(text)?;
        Some(root.get("description")?.as_str()?.to_owned())
    }

    #[test]
    fn aliases_tags_and_merge_keys() {
        let alias = "x: &a Text.\ndescription: *a";
        let merge = "x: &a {description: Text.}\n<<: *a";
        let tag = "description: !foo Text.";
        for (dialect, merged, tagged) in [
            (BUN, Some("Text."), Some("Text.")),
            (SERDE, None, Some("Text.")),
            (JS_YAML, Some("Text."), None),
        ] {
            assert_eq!(description(dialect, alias).as_deref(), Some("Text."));
            assert_eq!(description(dialect, merge).as_deref(), merged);
            assert_eq!(description(dialect, tag).as_deref(), tagged);
        }
        for (text, by_bun, by_js_yaml) in [
            (
                "<<: [{description: A.}, {description: B.}]",
                Some("A."),
                Some("A."),
            ),
            (
                "<<: {description: A.}\n<<: {description: B.}",
                Some("A."),
                Some("A."),
            ),
            ("\"<<\": {description: A.}", Some("A."), None),
            ("description: A.\n<<: text", Some("A."), None),
            ("description: A.\n<<: [text]", Some("A."), None),
            ("description: A.\n<<:", Some("A."), None),
        ] {
            assert_eq!(description(BUN, text).as_deref(), by_bun, "{text}");
            assert_eq!(description(JS_YAML, text).as_deref(), by_js_yaml, "{text}");
        }
        let own = "x: &a {description: Text.}\ndescription: Own.\n<<: *a";
        assert_eq!(description(BUN, own).as_deref(), Some("Own."));
        assert_eq!(description(BUN, "description: *a"), None);
    }

    #[test]
    fn repeated_keys_at_any_depth() {
        let text = "description: Text.\nmetadata:\n  a: 1\n  a: 2";
        assert!(JS_YAML.parse(text).is_none());
        assert!(SERDE.parse(text).is_some() && BUN.parse(text).is_some());
    }

    #[test]
    fn aliases_of_aliases_have_an_end() {
        let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..20 {
            let before = format!("*a{}, ", level - 1).repeat(10);
            let line = format!("a{level}: &a{level} [{before}]\n");
            text.push_str(&line);
        }
        assert!(BUN.parse(&text).is_none());
    }
}
