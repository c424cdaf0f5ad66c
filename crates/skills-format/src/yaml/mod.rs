//! YAML as a tree in which every key and value has its bytes.
//!
//! An alias is read as the value of its anchor, at the place of the alias. What aliases repeat is limited, since a small
//! file with aliases can become a large value. Merge keys (`<<`) mean something only in the front matter of a skill:
//! `agents/openai.yaml` is read by a program that does not know them. Private tags (`!name`) and keys that are lists or
//! mappings are refused, as by other readers. Nesting is limited to 64 levels.

pub mod json;
mod lines;
pub mod node;
pub(crate) mod to_json;

pub use node::{Node, Scalar, Style, Value};

use crate::text::span::Span;
use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, StructureStyle, Tag};
use std::fmt;

/// The maximum nesting of lists and mappings. `TreeBuilder::node` recurses once for each level, so the limit bounds the
/// stack.
pub const MAX_DEPTH: usize = 64;
/// The maximum size of what all aliases of a text repeat: the bytes of its scalars, and one for each value.
const MAX_REPEATED: usize = 64 * 1024;
/// The end of the message about a list or mapping as a key.
pub(crate) const NO_KEY: &str = "cannot be a key here";
/// The message about an alias without an anchor.
pub(crate) const NO_ANCHOR: &str = "no anchor above has the name of this alias";
/// The message about nesting beyond [`MAX_DEPTH`].
pub(crate) const TOO_DEEP: &str = "the values are nested more than 64 deep";

/// The reason why a text is not read as YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct YamlError {
    /// The offset of the fault, in bytes from the start of the text.
    pub offset: usize,
    /// The message of the parser.
    pub message: String,
}

impl std::error::Error for YamlError {}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Parses one document. Returns `Ok(None)` if the text holds only white space and comments.
///
/// # Errors
///
/// The text is not YAML, or holds directives, a second document, private tags, a key that is not a scalar, nesting
/// deeper than [`MAX_DEPTH`], or aliases that repeat more than 64 KiB.
///
/// # Cost
///
/// Linear in the text and in what aliases repeat.
pub fn parse(text: &str) -> Result<Option<Node>, YamlError> {
    parse_at(text, 0)
}

/// Parses one document that begins at byte `base` of a larger text. All places count from the start
/// of the larger text.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_at(text: &str, base: usize) -> Result<Option<Node>, YamlError> {
    match lines::mapping(text, base) {
        Some(node) => Ok(Some(node)),
        None => parse_whole(text, base),
    }
}

/// Parses one document with the parser, of whatever form it is.
fn parse_whole(text: &str, base: usize) -> Result<Option<Node>, YamlError> {
    TreeBuilder {
        events: events(text),
        base,
        end: text.len(),
        anchors: Vec::new(),
        depth: 0,
        left: MAX_REPEATED,
    }
    .document()
}

/// Returns the parser's events of a text, within the bounds of front matter.
pub fn events(
    text: &str,
) -> impl Iterator<Item = Result<(Event<'_>, granit_parser::Span), ScanError>> {
    let mut options = granit_parser::options! {
        disallow_directives: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
        simple_key_max_lookahead: 1024,
    };
    options.set_emit_comments(false);
    Parser::new_from_str_with_options(text, options)
}

/// Builds the tree from the parser's events.
struct TreeBuilder<I> {
    events: I,
    base: usize,
    end: usize,
    /// The values of anchors at the numbers that the parser gives them: 1, 2, and so on. An outer value ends last.
    anchors: Vec<Option<Node>>,
    /// The number of open lists and mappings.
    depth: usize,
    /// The size that aliases can still repeat.
    left: usize,
}

impl<'t, I: Iterator<Item = Result<(Event<'t>, granit_parser::Span), ScanError>>> TreeBuilder<I> {
    fn document(&mut self) -> Result<Option<Node>, YamlError> {
        let mut root = None;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => return Ok(root),
                Event::StreamStart | Event::DocumentEnd => {}
                Event::DocumentStart(..) if root.is_none() => {
                    let (event, span) = self.next()?;
                    root = Some(self.node(event, span)?);
                }
                _ => return Err(error(span, "a second document begins here")),
            }
        }
    }

    fn next(&mut self) -> Result<(Event<'t>, Span), YamlError> {
        match self.events.next() {
            None => Ok((Event::StreamEnd, Span::at(self.base + self.end))),
            Some(Ok((event, span))) => Ok((
                event,
                Span::new(self.offset(&span.start), self.offset(&span.end)),
            )),
            Some(Err(e)) => Err(YamlError {
                offset: self.offset(e.marker()),
                message: message(&e),
            }),
        }
    }

    fn offset(&self, marker: &granit_parser::Marker) -> usize {
        self.base + marker.byte_offset().unwrap_or(self.end).min(self.end)
    }

    fn node(&mut self, event: Event<'t>, span: Span) -> Result<Node, YamlError> {
        if event.tag().is_some_and(|tag| !is_known_tag(tag)) {
            return Err(error(span, "tags (`!name`) are not read here"));
        }
        // A value without an anchor has the number 0.
        let anchor = event.anchor_id().unwrap_or_default();
        if let Event::Alias(anchor) = event {
            return self.repeated(anchor, span);
        }
        self.depth += 1;
        let node = self.value(event, span)?;
        self.depth -= 1;
        if anchor > 0 {
            self.anchors
                .resize(self.anchors.len().max(anchor + 1), None);
            self.anchors[anchor] = Some(node.clone());
        }
        Ok(node)
    }

    /// Returns the value of an anchor at the place of its alias.
    fn repeated(&mut self, anchor: usize, span: Span) -> Result<Node, YamlError> {
        // The parser knows an anchor from its begin on: `&a [*a]` would have no end.
        let Some(Some(node)) = self.anchors.get(anchor) else {
            return Err(error(
                span,
                "the alias refers to the value that contains it",
            ));
        };
        let Size { bytes, depth } = Size::of(node);
        if self.depth + depth > MAX_DEPTH {
            return Err(error(span, TOO_DEEP));
        }
        self.left = self
            .left
            .checked_sub(bytes)
            .ok_or_else(|| error(span, "the aliases repeat more than 64 KiB"))?;
        let value = node.value.clone();
        Ok(Node { span, value })
    }

    fn value(&mut self, event: Event<'t>, span: Span) -> Result<Node, YamlError> {
        match event {
            Event::Scalar(text, style, _, _) => Ok(Node::scalar(span, style.into(), text)),
            Event::SequenceStart(style, ..) => {
                let mut items = Vec::new();
                let end = loop {
                    match self.next()? {
                        (Event::SequenceEnd, end) => break end,
                        (event, span) => items.push(self.node(event, span)?),
                    }
                };
                let last = items.last().map(|node| node.span.end);
                Ok(Node {
                    span: collection_span(span, style, last, end),
                    value: Value::Sequence(items),
                })
            }
            Event::MappingStart(style, ..) => {
                let mut entries = Vec::new();
                let end = loop {
                    match self.next()? {
                        (Event::MappingEnd, end) => break end,
                        (event, span) => {
                            let key = self.node(event, span)?;
                            refuse_key(&key)?;
                            let (event, span) = self.next()?;
                            entries.push((key, self.node(event, span)?));
                        }
                    }
                };
                let last = entries
                    .last()
                    .map(|(key, value)| value.span.end.max(key.span.end));
                Ok(Node {
                    span: collection_span(span, style, last, end),
                    value: Value::Mapping(entries),
                })
            }
            _ => Err(error(span, "a value is missing here")),
        }
    }
}

/// The size of a value that an alias repeats.
#[derive(Default)]
struct Size {
    bytes: usize,
    /// The nesting of lists and mappings, with the value itself.
    depth: usize,
}

impl Size {
    fn of(node: &Node) -> Self {
        let mut all = Self { bytes: 1, depth: 0 };
        match &node.value {
            Value::Scalar(scalar) => all.bytes += scalar.text.len(),
            Value::Sequence(items) => items.iter().for_each(|item| all.add(item)),
            Value::Mapping(entries) => entries.iter().for_each(|(key, value)| {
                all.add(key);
                all.add(value);
            }),
        }
        all.depth += 1;
        all
    }

    fn add(&mut self, node: &Node) {
        let Self { bytes, depth } = Self::of(node);
        self.bytes += bytes;
        self.depth = self.depth.max(depth);
    }
}

/// Returns the span of a collection. A block collection ends with its last entry, since the parser's end event can
/// stand after comments and blank lines. A flow collection ends with its bracket.
fn collection_span(start: Span, style: StructureStyle, last: Option<usize>, end: Span) -> Span {
    match (style, last) {
        (StructureStyle::Block, Some(last)) => Span::new(start.start, last),
        _ => Span::new(start.start, end.end),
    }
}

/// Refuses a list, a mapping or nothing as a key, as other readers do.
fn refuse_key(key: &Node) -> Result<(), YamlError> {
    match &key.value {
        Value::Scalar(_) if !key.span.is_empty() => Ok(()),
        Value::Scalar(_) => Err(error(key.span, "the key before the colon is missing")),
        _ => Err(error(key.span, &format!("{} {NO_KEY}", key.kind()))),
    }
}

/// Returns whether every reader supports a tag: the tags of YAML's own type repository.
pub fn is_known_tag(tag: &Tag) -> bool {
    const KNOWN: [&str; 12] = [
        "str",
        "int",
        "float",
        "bool",
        "null",
        "seq",
        "map",
        "binary",
        "timestamp",
        "omap",
        "pairs",
        "set",
    ];
    KNOWN.iter().any(|known| tag.is_yaml_core_schema_tag(known))
}

/// Returns the parser's message, or a clearer message if the parser's message is for programmers.
fn message(error: &ScanError) -> String {
    match error.kind() {
        ErrorKind::RecursionLimitExceeded => TOO_DEEP.to_owned(),
        ErrorKind::UnknownAnchor => NO_ANCHOR.to_owned(),
        ErrorKind::UnexpectedCharacter { character } => {
            let code = u32::from(*character);
            format!("the character U+{code:04X} cannot stand here")
        }
        _ => error.info(),
    }
}

fn error(span: Span, message: &str) -> YamlError {
    YamlError {
        offset: span.start,
        message: message.to_owned(),
    }
}

impl From<ScalarStyle> for Style {
    fn from(style: ScalarStyle) -> Self {
        match style {
            ScalarStyle::Plain => Self::Plain,
            ScalarStyle::SingleQuoted => Self::SingleQuoted,
            ScalarStyle::DoubleQuoted => Self::DoubleQuoted,
            ScalarStyle::Literal => Self::Literal,
            ScalarStyle::Folded => Self::Folded,
        }
    }
}

#[cfg(test)]
mod tests;
