//! YAML as a tree in which every key and value knows its bytes.
//!
//! Anchors and aliases are refused: front matter does not need them, and with them a small file can
//! become a large value. Private tags (`!name`) and keys that are lists or mappings are refused too,
//! as other readers do. Nesting is limited to 64 levels.

use crate::text::span::Span;
use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, StructureStyle, Tag};
use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Deepest nesting of lists and mappings that is read.
pub const MAX_DEPTH: usize = 64;
/// How the message about a list or mapping as a key ends.
pub(crate) const NO_KEY: &str = "cannot be a key here";
/// The message about deeper nesting.
pub(crate) const TOO_DEEP: &str = "the values are nested more than 64 deep";

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// From the first to the last byte of the value, quotes included.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// The value of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text, written in one of five styles.
    Scalar(Scalar),
    /// `- a` lines or `[a, b]`.
    Sequence(Vec<Node>),
    /// `key: value` lines or `{key: value}`, in the order written, repeated keys included.
    Mapping(Vec<(Node, Node)>),
}

/// A value that is one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text after quotes, escapes and folds are resolved.
    pub text: String,
    /// How it was written.
    pub style: Style,
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes. Only plain text can mean a number, a truth value or null.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

/// Why a text is not valid YAML that we read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct YamlError {
    /// Bytes from the start of the text.
    pub offset: usize,
    /// The message of the parser.
    pub message: String,
}

/// Parses one document. `Ok(None)` if it holds only white space and comments.
///
/// # Errors
///
/// The text is not YAML, or holds anchors, aliases, other tags, or nesting deeper than
/// [`MAX_DEPTH`]. The error has the place.
///
/// # Cost
///
/// Linear in the text.
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
    let mut options = granit_parser::options! {
        disallow_directives: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
        simple_key_max_lookahead: 1024,
    };
    options.set_emit_comments(false);
    Tree {
        events: Parser::new_from_str_with_options(text, options),
        base,
        end: text.len(),
    }
    .document()
}

/// Folds the parser's events.
struct Tree<I> {
    events: I,
    base: usize,
    end: usize,
}

impl<'t, I: Iterator<Item = Result<(Event<'t>, granit_parser::Span), ScanError>>> Tree<I> {
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
        if event.tag().is_some_and(|tag| !is_known(tag)) {
            return Err(error(span, "tags (`!name`) are not read here"));
        }
        match event {
            Event::Scalar(_, _, 1.., _)
            | Event::SequenceStart(_, 1.., _)
            | Event::MappingStart(_, 1.., _) => {
                Err(error(span, "anchors (`&name`) are not read here"))
            }
            Event::Alias(_) => Err(error(span, "aliases (`*name`) are not read here")),
            Event::Scalar(text, style, _, _) => {
                let text = text.into_owned();
                Ok(Node {
                    span,
                    value: Value::Scalar(Scalar {
                        text,
                        style: style.into(),
                    }),
                })
            }
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

/// A block collection ends with its last entry, a flow collection with its bracket.
fn collection_span(start: Span, style: StructureStyle, last: Option<usize>, end: Span) -> Span {
    match (style, last) {
        (StructureStyle::Block, Some(last)) => Span::new(start.start, last),
        _ => Span::new(start.start, end.end),
    }
}

/// Other readers do not accept a list, a mapping or nothing as a key.
fn refuse_key(key: &Node) -> Result<(), YamlError> {
    match &key.value {
        Value::Scalar(_) if !key.span.is_empty() => Ok(()),
        Value::Scalar(_) => Err(error(key.span, "no key stands before the colon")),
        _ => Err(error(key.span, &format!("{} {NO_KEY}", key.kind()))),
    }
}

/// Whether every reader knows a tag: the tags of YAML's own type repository.
fn is_known(tag: &Tag) -> bool {
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

/// What the parser met, in words of our own where its words are for programmers.
fn message(error: &ScanError) -> String {
    match error.kind() {
        ErrorKind::RecursionLimitExceeded => TOO_DEEP.to_owned(),
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

impl Node {
    /// A mapping with no entry, at a place.
    pub fn empty_mapping(at: usize) -> Self {
        Self {
            span: Span::at(at),
            value: Value::Mapping(Vec::new()),
        }
    }

    /// The text of a scalar, as it was written between its quotes: `1.10` stays `1.10`.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    /// The entries of a mapping.
    pub fn entries(&self) -> &[(Node, Node)] {
        match &self.value {
            Value::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The value of a key. Of a repeated key the last one, as most YAML readers have it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|(_, value)| value)
    }

    /// A key and its value, by the key.
    pub fn entry(&self, key: &str) -> Option<(&Node, &Node)> {
        self.entries()
            .iter()
            .rev()
            .find(|(k, _)| k.as_str() == Some(key))
            .map(|(k, v)| (k, v))
    }

    /// Whether it is null: nothing, `~` or `null` in plain style.
    pub fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar(scalar) if scalar.resolve() == Core::Null)
    }

    /// A truth value of YAML 1.2: `true` or `false`, in three spellings each.
    pub fn as_bool(&self) -> Option<bool> {
        match &self.value {
            Value::Scalar(scalar) => match scalar.resolve() {
                Core::Bool(value) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// What it is, for a message: `a list`.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
            Value::Scalar(scalar) => match scalar.resolve() {
                Core::Null => "empty",
                Core::Bool(_) => "a truth value",
                Core::Int(_) | Core::Float(_) => "a number",
                Core::Text => "text",
            },
        }
    }

    /// The value as JSON, scalars by YAML 1.2's core schema, keys in the order written.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// What a scalar means by YAML 1.2's core schema.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Core {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text,
}

impl Scalar {
    fn resolve(&self) -> Core {
        if self.style != Style::Plain {
            return Core::Text;
        }
        match self.text.as_str() {
            "" | "~" | "null" | "Null" | "NULL" => return Core::Null,
            "true" | "True" | "TRUE" => return Core::Bool(true),
            "false" | "False" | "FALSE" => return Core::Bool(false),
            _ => {}
        }
        if !self
            .text
            .starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
        {
            return Core::Text;
        }
        self.integer()
            .map(Core::Int)
            .or_else(|| self.float().map(Core::Float))
            .unwrap_or(Core::Text)
    }

    fn integer(&self) -> Option<i128> {
        let text = &self.text;
        if let Some(octal) = text.strip_prefix("0o") {
            return digits(octal, |b| matches!(b, b'0'..=b'7'))
                .and_then(|d| i128::from_str_radix(d, 8).ok());
        }
        if let Some(hex) = text.strip_prefix("0x") {
            return digits(hex, u8::is_ascii_hexdigit)
                .and_then(|d| i128::from_str_radix(d, 16).ok());
        }
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        digits(unsigned, u8::is_ascii_digit).and_then(|_| text.parse().ok())
    }

    /// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
    fn float(&self) -> Option<f64> {
        let unsigned = self.text.strip_prefix(['-', '+']).unwrap_or(&self.text);
        let (mantissa, exponent) = unsigned
            .split_once(['e', 'E'])
            .map_or((unsigned, None), |(m, e)| (m, Some(e)));
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        let exponent_is_right = exponent.is_none_or(|e| {
            digits(e.strip_prefix(['-', '+']).unwrap_or(e), u8::is_ascii_digit).is_some()
        });
        let right = all_digits(whole) && all_digits(part) && !(whole.is_empty() && part.is_empty());
        (right && exponent_is_right)
            .then(|| self.text.parse().ok())
            .flatten()
    }
}

fn digits(text: &str, is_digit: impl Fn(&u8) -> bool) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|b| is_digit(&b))).then_some(text)
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::Scalar(scalar) => match scalar.resolve() {
                Core::Null => serializer.serialize_unit(),
                Core::Bool(value) => serializer.serialize_bool(value),
                Core::Int(value) => match (i64::try_from(value), u64::try_from(value)) {
                    (Ok(value), _) => serializer.serialize_i64(value),
                    (_, Ok(value)) => serializer.serialize_u64(value),
                    #[expect(clippy::cast_precision_loss, reason = "JSON has no larger integers")]
                    _ => serializer.serialize_f64(value as f64),
                },
                Core::Float(value) if value.is_finite() => serializer.serialize_f64(value),
                Core::Float(_) | Core::Text => serializer.serialize_str(&scalar.text),
            },
            Value::Sequence(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items
                    .iter()
                    .try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Value::Mapping(entries) => {
                let mut map = serializer.serialize_map(None)?;
                let last: BTreeMap<_, _> = entries
                    .iter()
                    .enumerate()
                    .map(|(i, (key, _))| (key_text(key), i))
                    .collect();
                for (i, (key, value)) in entries.iter().enumerate() {
                    let text = key_text(key);
                    if last.get(&text) == Some(&i) {
                        map.serialize_entry(text.as_ref(), value)?;
                    }
                }
                map.end()
            }
        }
    }
}

/// A JSON key is text. A key of another kind is written as its JSON.
fn key_text(key: &Node) -> Cow<'_, str> {
    key.as_str()
        .map_or_else(|| key.to_json().into(), Into::into)
}

#[cfg(test)]
mod tests;
