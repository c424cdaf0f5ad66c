//! Front matter that does not parse as YAML, read field by field.
//!
//! Most of these files have one bad line: an unquoted `: `, a value that begins with `*`, `@` or a backtick, text after a
//! closing quote. So each field at the margin is parsed alone. The value of a field that does not parse is the text of its
//! lines.
//!
//! A line that begins a known field, or a key that restrains a skill, is never part of another value: a restraint must not
//! become text.

use crate::diagnostic::Edit;
use crate::skill::document::Document;
use crate::skill::known_fields::is_spelling;
use crate::skill::restraint::keys::restrains;
use crate::text::lines::lines_in;
use crate::text::span::Span;
use crate::text::work;
use crate::yaml;
use crate::yaml::node::{Node, Style, Value};
use std::collections::BTreeSet;

/// The levels of `metadata` that are read key by key: what a skill needs stands in `metadata`, `openclaw`, `requires`.
const MAX_DEPTH: usize = 3;

/// Front matter, as far as it can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// The recovered mapping.
    pub node: Node,
    /// The faults that keep the front matter from parsing.
    pub faults: Vec<Fault>,
    /// The fields that were meant as more than a text, and the lines that were left out.
    pub broken: Vec<Span>,
}

/// One fault that keeps front matter from parsing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The place of the fault.
    pub span: Span,
    /// The fact.
    pub message: String,
    /// The text to write instead.
    pub help: &'static str,
    /// The edit that writes the value as it was read.
    pub edit: Option<Edit>,
}

/// Reads the YAML at `yaml` of `text` as far as it can be read.
///
/// # Cost
///
/// Each line is parsed at most four times, a line of `metadata` four times for each of three levels.
pub fn front_matter(text: &str, yaml: Span) -> Recovered {
    read(text, yaml, 0)
}

/// Reads the mapping that is `depth` levels below the front matter.
fn read(text: &str, yaml: Span, depth: usize) -> Recovered {
    let fields = fields(text, yaml);
    let keys = fields
        .iter()
        .filter_map(|field| Key::of(cut(field.of(text)).1));
    let mut reading = Reading {
        text,
        depth,
        margin: keys.map(|key| key.text).collect(),
        entries: Vec::new(),
        faults: Vec::new(),
        broken: Vec::new(),
    };
    for field in fields {
        reading.field(field);
    }
    // Fields can parse alone, and not together.
    if reading.faults.is_empty()
        && let Err((at, message)) = parsed(text, yaml)
    {
        let start = text[..at].rfind('\n').unwrap_or(0);
        let line = first_line(text, Span::new(start, yaml.end));
        let message = format!("this is not valid YAML together with the lines above: {message}");
        reading.fault(line, message, "begin every key at the margin");
    }
    Recovered {
        node: Node {
            span: yaml,
            value: Value::Mapping(reading.entries),
        },
        faults: reading.faults,
        broken: reading.broken,
    }
}

/// Reads front matter that is one text in YAML because no space follows its colons: `name:x`. Returns `None` if the text
/// holds no name and no description.
pub fn joined(document: &Document<'_>, node: &Node) -> Option<Recovered> {
    if !matches!(node.value, Value::Scalar(_)) {
        return None;
    }
    let recovered = front_matter(document.text, document.yaml);
    let is_known = ["name", "description"].map(|key| recovered.node.get(key).is_some());
    is_known.contains(&true).then_some(recovered)
}

/// Cuts front matter into its fields: a line at the margin with a key, and the lines below it without one. Lines of
/// dashes and conflict markers stand alone.
fn fields(text: &str, yaml: Span) -> Vec<Span> {
    let mut fields: Vec<Span> = Vec::new();
    let mut margin = None;
    let mut is_after_mark = false;
    for line in lines_in(text, yaml) {
        let (indent, content) = cut(line.of(text));
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let begins = indent <= *margin.get_or_insert(indent) && Key::of(content).is_some();
        let is_mark = indent == 0 && mark(content).is_some();
        match fields.last_mut() {
            Some(field) if !begins && !is_mark && !is_after_mark => field.end = line.end,
            _ => fields.push(line),
        }
        is_after_mark = is_mark;
    }
    fields
}

struct Reading<'t> {
    text: &'t str,
    /// The levels of `metadata` above.
    depth: usize,
    /// The keys at the margin.
    margin: BTreeSet<&'t str>,
    entries: Vec<(Node, Node)>,
    faults: Vec<Fault>,
    broken: Vec<Span>,
}

impl Reading<'_> {
    fn fault(&mut self, span: Span, message: impl Into<String>, help: &'static str) {
        self.faults.push(Fault {
            span,
            message: message.into(),
            help,
            edit: None,
        });
    }

    fn field(&mut self, field: Span) {
        let text = self.text;
        if let Some((message, help)) = mark(field.of(text).trim_end()) {
            return self.fault(trimmed(text, field), message, help);
        }
        let (at, error) = match parsed(text, field) {
            Ok(found) => return self.entries.extend(found),
            Err(error) => error,
        };
        let Some((key, start)) = key_of(text, field) else {
            self.broken.push(field);
            let help = "indent it if it continues the line above, or put it into the body";
            return self.fault(
                first_line(text, field),
                "the line is not `key: value`",
                help,
            );
        };
        let value = trimmed(text, Span::new(start + key.length, field.end));
        let scalar = |span, text: &str| Node::scalar(span, Style::DoubleQuoted, text);
        let key_span = trimmed(text, Span::new(start, start + key.length - 1));
        let entry = (
            scalar(key_span, key.text),
            scalar(value, unquoted(&one_line(value.of(text)))),
        );
        // `metadata` can hold any key.
        let is_open = self.depth > 0 || key.text == "metadata";
        let begins_other = |line: &Span| {
            let key = Key::of(cut(line.of(text)).1).map_or("", |key| key.text);
            restrains(key) || !is_open && is_spelling(key) && !self.margin.contains(key)
        };
        let inner: Vec<Span> = lines_in(text, field).skip(1).filter(begins_other).collect();
        if !inner.is_empty() {
            return self.split(field, inner, entry);
        }
        // A mapping, a list or a block text: its lines joined say less.
        let rest = text[start + key.length..field.end]
            .lines()
            .next()
            .unwrap_or_default();
        if rest
            .chars()
            .all(|c| c.is_whitespace() || "|>+-".contains(c))
        {
            let line = first_line(text, Span::new(at.min(field.end), field.end));
            let help = if field.of(text).contains("\n\t") {
                "indent it by spaces, and not by tabs"
            } else {
                "put the value in quotes, or write it another way"
            };
            self.fault(line, format!("this is not valid YAML: {error}"), help);
            let below = Span::new(lines_in(text, field).next().unwrap_or(field).end, field.end);
            let is_mapping = rest.trim().is_empty() && key_of(text, below).is_some();
            if is_open && self.depth < MAX_DEPTH && is_mapping {
                // What the skill needs is found beside the fault, which is reported above.
                let inner = read(text, below, self.depth + 1);
                self.broken.extend(inner.broken);
                return self.entries.push((entry.0, inner.node));
            }
            self.broken.push(field);
        } else {
            self.quote(&key, value);
        }
        self.entries.push(entry);
    }

    /// Reports a value that is a text, and needs quotes or a space before it.
    fn quote(&mut self, key: &Key<'_>, value: Span) {
        let written = value.of(self.text);
        let (span, message) = if key.is_joined {
            let message = format!("a space is missing after `{}:`", key.text);
            (Span::new(value.start - 1, value.start), message)
        } else {
            reason(self.text, value)
        };
        work::done(written.len());
        let is_text =
            |node: &Node| matches!(node.entries(), [(_, value)] if value.kind() == "text");
        let alone = yaml::parse(&format!("k: {written}"));
        let new = match alone {
            Ok(Some(node)) if is_text(&node) => written.to_owned(),
            _ => quoted(written),
        };
        let space = if key.is_joined { " " } else { "" };
        let new = format!("{space}{new}");
        // A value that is right by itself, at a wrong place, stays.
        let edit = (new != written).then(|| Edit::replace(value, new));
        self.faults.push(Fault {
            span,
            message,
            help: if key.is_joined {
                "write a space after it"
            } else {
                "put the value in quotes"
            },
            edit,
        });
    }

    /// Reads a field whose lines `inner` begin other fields.
    fn split(&mut self, field: Span, inner: Vec<Span>, entry: (Node, Node)) {
        let text = self.text;
        // A list of tools without its lines would allow every tool.
        let (above, below) = text[field.start..field.end].split_at(inner[0].start - field.start);
        let is_list = below
            .lines()
            .any(|line| line.trim_start().starts_with("- "));
        let is_cut = is_list || above.trim_end().ends_with(':');
        if is_cut && entry.0.as_str().is_some_and(restrains) {
            self.entries.push(entry);
        }
        let mut start = field.start;
        for line in inner {
            self.field(Span::new(start, line.start));
            start = line.start;
            let key = trimmed(text, line);
            let length = key.of(text).find(':').unwrap_or(key.len());
            let key = Span::new(key.start, key.start + length);
            let message = format!(
                "`{}` is indented below a value, so it is not a field",
                key.of(text)
            );
            self.fault(key, message, "indent it as the other fields");
        }
        self.field(Span::new(start, field.end));
    }
}

/// Parses a part of a text. Returns the entries of the mapping, or where and why it is not a mapping.
fn parsed(text: &str, part: Span) -> Result<Vec<(Node, Node)>, (usize, String)> {
    work::done(part.len());
    match yaml::parse_at(part.of(text), part.start) {
        Ok(None) => Ok(Vec::new()),
        Ok(Some(node)) => match node.value {
            Value::Mapping(entries) => Ok(entries),
            _ => Err((part.start, "it is not `key: value`".to_owned())),
        },
        Err(error) => Err((error.offset, error.message)),
    }
}

/// The key that begins a line.
struct Key<'t> {
    text: &'t str,
    /// The bytes up to the end of the colon.
    length: usize,
    /// No space follows the colon: `name:x`.
    is_joined: bool,
}

impl<'t> Key<'t> {
    fn of(line: &'t str) -> Option<Self> {
        if line.starts_with(['#', '{', '[']) || line.starts_with("- ") {
            return None;
        }
        // A key in quotes can hold a colon. Only a known key can miss its closing quote: text begins with quotes too.
        let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (from, is_open) = match quote.map(|quote| line[1..].find(quote)) {
            Some(Some(closing)) => (closing + 2, false),
            Some(None) => (0, true),
            None => (0, false),
        };
        let is_key = |at: usize| matches!(line.as_bytes().get(at + 1), None | Some(b' ' | b'\t'));
        let mut colons = line[from..].match_indices(':').map(|(at, _)| from + at);
        let spaced = colons.find(|at| is_key(*at)).filter(|at| *at <= 128);
        let (at, is_joined) = match (spaced, line.find(':')) {
            (Some(at), _) => (at, false),
            (None, Some(at)) if !line[at..].starts_with("://") => (at, true),
            _ => return None,
        };
        let text = line[..at].trim().trim_matches(['"', '\'']);
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
        let is_word = text.chars().all(is_part);
        let is_text = text.is_empty() || is_joined && !is_word || is_open && !is_spelling(text);
        (!is_text).then_some(Self {
            text,
            length: at + 1,
            is_joined,
        })
    }
}

/// Returns the key that begins a field, and its place.
fn key_of(text: &str, field: Span) -> Option<(Key<'_>, usize)> {
    let line = first_line(text, field);
    Some((Key::of(line.of(text))?, line.start))
}

/// Returns the message and the help about a line that is no field, and no part of one: a conflict marker of git, or
/// dashes.
fn mark(line: &str) -> Option<(&'static str, &'static str)> {
    const MERGE: [&str; 4] = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"];
    if line.contains('\n') {
        return None;
    }
    if MERGE.iter().any(|mark| line.starts_with(mark)) {
        return Some(("unresolved merge conflict marker", "resolve the merge"));
    }
    let rest = line.trim_start_matches(['-', '\u{2013}', '\u{2014}', '\u{2212}']);
    let is_comment = rest.starts_with([' ', '\t']) && rest.trim_start().starts_with('#');
    let is_dashes = line.len() >= rest.len() + "---".len() && (rest.is_empty() || is_comment);
    (is_dashes || line == "...").then_some((
        "a line of dashes or dots is between fields, and some clients end the front matter there",
        "remove it: the fields below it are lost in these clients",
    ))
}

/// Returns the place and the likely reason why a value is not YAML.
fn reason(text: &str, value: Span) -> (Span, String) {
    let written = value.of(text);
    let message = if written.starts_with(['"', '\'']) {
        "the quotes do not enclose the value as YAML reads them"
    } else if let Some(colon) = written.find(": ")
        && !written.starts_with(['[', '{'])
    {
        let colon = value.start + colon;
        let message = "a colon and a space in an unquoted value start another key";
        return (Span::new(colon, colon + 1), message.to_owned());
    } else {
        "the value is not valid YAML without quotes"
    };
    (first_line(text, value), message.to_owned())
}

/// Returns a value as one quoted text, its lines joined by spaces.
fn quoted(value: &str) -> String {
    let line = one_line(value);
    let value = unquoted(&line);
    if value.contains(['"', '\\']) {
        format!("'{}'", value.replace('\'', "''"))
    } else {
        format!("\"{value}\"")
    }
}

/// Returns a value without the quotes around it, or without a quote that is not closed. The quotes were meant as a pair in
/// `"say "hello" first"` and `'don't'`, and not in `"a" or "b"`.
fn unquoted(value: &str) -> &str {
    let Some(quote @ ('"' | '\'')) = value.chars().next() else {
        return value;
    };
    let inner = &value[1..];
    let Some(at) = inner.find(quote) else {
        return inner;
    };
    let before = inner[..at].chars().next_back();
    let opens = before.is_some_and(|c| c.is_whitespace() || matches!(c, '(' | '[' | '/'));
    let in_word = before.is_some_and(char::is_alphanumeric)
        && inner[at + 1..].starts_with(char::is_alphanumeric);
    match inner.strip_suffix(quote) {
        Some(inner) if opens || in_word || at == inner.len() => inner,
        _ => value,
    }
}

/// Returns the lines of a text joined by spaces, without the mark of a block and without control characters.
fn one_line(text: &str) -> String {
    let block = text.trim_start_matches(['|', '>', '-', '+']);
    let is_block =
        text.starts_with(['|', '>']) && block.trim_start_matches([' ', '\r']).starts_with('\n');
    let text = if is_block { block } else { text };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut line = lines.collect::<Vec<_>>().join(" ");
    line.retain(|c| !c.is_control());
    line.trim().to_owned()
}

/// Returns the length of the white space before the content of a line, and the content without white space at its end.
fn cut(line: &str) -> (usize, &str) {
    let content = line.trim_start();
    (line.len() - content.len(), content.trim_end())
}

fn trimmed(text: &str, span: Span) -> Span {
    let written = span.of(text);
    let start = span.start + (written.len() - written.trim_start().len());
    Span::new(start, start + written.trim().len())
}

/// Returns the first line of a span, trimmed.
fn first_line(text: &str, span: Span) -> Span {
    let span = trimmed(text, span);
    let length = span.of(text).find('\n').unwrap_or(span.len());
    trimmed(text, Span::new(span.start, span.start + length))
}

#[cfg(test)]
mod tests;
