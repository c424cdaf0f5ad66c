//! Front matter that does not parse as YAML, read field by field.
//!
//! Most of these files have one bad line: an unquoted `: `, a value that begins with `*`, `@` or a backtick, text after a
//! closing quote, a tab. So each field at the margin is parsed alone. A field that does not parse is tried once more with
//! the values of its bad lines in quotes. If that does not help, the text of its lines is its value.
//!
//! A line that begins a known field, or a key that restrains a skill, is never part of another value: a restraint must not
//! become text.

use crate::diagnostic::Edit;
use crate::diagnostic::patch::Patch;
use crate::skill::document::Document;
use crate::skill::known_fields::is_spelling;
use crate::skill::restraint::keys::restrains;
use crate::text::lines::lines_in;
use crate::text::span::Span;
use crate::text::work;
use crate::yaml;
use crate::yaml::node::{Node, Scalar, Style, Value};
use std::collections::BTreeSet;

/// Front matter, as far as it can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// The recovered mapping.
    pub node: Node,
    /// The faults that keep the front matter from parsing.
    pub faults: Vec<Fault>,
    /// The fields whose lines were taken as text or left out.
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
    pub help: String,
    /// The edits with which the lines were read; empty if none help.
    pub edits: Vec<Edit>,
}

/// Reads the YAML at `yaml` of `text` as far as it can be read.
///
/// # Cost
///
/// Each line is parsed at most five times.
pub fn front_matter(text: &str, yaml: Span) -> Recovered {
    let fields = fields(text, yaml);
    let keys = fields
        .iter()
        .filter_map(|field| Key::of(cut(field.of(text)).1));
    let mut reading = Reading {
        text,
        margin: keys.map(|key| key.text).collect(),
        entries: Vec::new(),
        faults: Vec::new(),
        broken: Vec::new(),
    };
    for field in fields {
        reading.field(field);
    }
    // Fields can parse alone, and not together.
    let edits = reading.faults.iter().flat_map(|fault| fault.edits.clone());
    let edits: Vec<Edit> = edits.collect();
    if reading.faults.iter().all(|fault| !fault.edits.is_empty())
        && let Err((at, message)) = parsed(text, yaml, &edits)
    {
        let before = text.get(..at).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = first_line(text, Span::new(start, yaml.end));
        let message = format!("this is not valid YAML together with the lines above: {message}");
        let help = "begin every key at the margin";
        reading.faults.push(Fault::new(line, message, help));
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

impl Fault {
    fn new(span: Span, message: impl Into<String>, help: &str) -> Self {
        Self {
            span,
            message: message.into(),
            help: help.to_owned(),
            edits: Vec::new(),
        }
    }
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
    /// The keys at the margin.
    margin: BTreeSet<&'t str>,
    entries: Vec<(Node, Node)>,
    faults: Vec<Fault>,
    broken: Vec<Span>,
}

impl Reading<'_> {
    fn field(&mut self, field: Span) {
        let text = self.text;
        if let Some((message, help)) = mark(field.of(text).trim_end()) {
            let fault = Fault::new(trimmed(text, field), message, help);
            return self.faults.push(fault);
        }
        let (at, error) = match parsed(text, field, &[]) {
            Ok(found) => return self.entries.extend(found),
            Err(error) => error,
        };
        let bad_lines = faults(text, field);
        let edits = bad_lines.iter().flat_map(|fault| fault.edits.clone());
        let edits: Vec<Edit> = edits.collect();
        if !edits.is_empty()
            && let Ok(found) = parsed(text, field, &edits)
        {
            self.entries.extend(found);
            return self.faults.extend(bad_lines);
        }
        let begins_other = |line: &Span| {
            let key = Key::of(cut(line.of(text)).1).map_or("", |key| key.text);
            restrains(key) || is_spelling(key) && !self.margin.contains(key)
        };
        let inner: Vec<Span> = lines_in(text, field).skip(1).filter(begins_other).collect();
        let entry = as_text(text, field);
        if let Some(first) = inner.first() {
            // A list of tools without its lines would allow every tool.
            let (above, below) = text[field.start..field.end].split_at(first.start - field.start);
            let is_list = below
                .lines()
                .any(|line| line.trim_start().starts_with("- "));
            let is_cut = is_list || above.trim_end().ends_with(':');
            let whole = entry.filter(|(key, _)| is_cut && key.as_str().is_some_and(restrains));
            self.entries.extend(whole);
            let mut start = field.start;
            for line in inner {
                self.field(Span::new(start, line.start));
                start = line.start;
                let key = trimmed(text, line);
                let length = key.of(text).find(':').unwrap_or(key.len());
                let key = Span::new(key.start, key.start + length);
                let message = format!(
                    "`{}` is indented below a value, and is no field there",
                    key.of(text)
                );
                let help = "indent it as the other fields";
                self.faults.push(Fault::new(key, message, help));
            }
            return self.field(Span::new(start, field.end));
        }
        self.faults.push(if entry.is_some() {
            let line = first_line(text, Span::new(at.min(field.end), field.end));
            let message = format!("this is not valid YAML: {error}");
            Fault::new(
                line,
                message,
                "put the value in quotes, or write it another way",
            )
        } else {
            let help = "indent it if it continues the line above, or put it into the body";
            Fault::new(
                first_line(text, field),
                "the line is not `key: value`",
                help,
            )
        });
        self.broken.push(field);
        self.entries.extend(entry);
    }
}

/// Parses `part` of `text` with `edits` applied. Returns the entries of the mapping at their places in `text`, or where and
/// why it is not a mapping.
fn parsed(text: &str, part: Span, edits: &[Edit]) -> Result<Vec<(Node, Node)>, (usize, String)> {
    work::done(part.len());
    let mut edits = edits.to_vec();
    for edit in &mut edits {
        edit.start -= part.start;
        edit.end -= part.start;
    }
    let patch = Patch::new(part.of(text), &edits);
    match yaml::parse(&patch.text) {
        Ok(Some(mut node)) if matches!(node.value, Value::Mapping(_)) => {
            place(&mut node, &patch, part.start);
            match node.value {
                Value::Mapping(entries) => Ok(entries),
                Value::Scalar(_) | Value::Sequence(_) => Ok(Vec::new()),
            }
        }
        Ok(None) => Ok(Vec::new()),
        Ok(_) => Err((part.start, "it is not `key: value`".to_owned())),
        Err(error) => Err((part.start + patch.old_start(error.offset), error.message)),
    }
}

/// Moves a node of the edited text to its place in the original text.
fn place(node: &mut Node, patch: &Patch, base: usize) {
    let (start, end) = (
        patch.old_start(node.span.start),
        patch.old_end(node.span.end),
    );
    node.span = Span::new(base + start, base + end);
    match &mut node.value {
        Value::Scalar(_) => {}
        Value::Sequence(items) => items.iter_mut().for_each(|item| place(item, patch, base)),
        Value::Mapping(entries) => {
            for (key, value) in entries {
                place(key, patch, base);
                place(value, patch, base);
            }
        }
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
        // A key in quotes can hold a colon.
        let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
        let from = match quote {
            Some(quote) => line[1..].find(quote)? + 2,
            None => 0,
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
        (!text.is_empty() && (is_word || !is_joined)).then_some(Self {
            text,
            length: at + 1,
            is_joined,
        })
    }
}

/// Returns whether a line begins with a known field, in any spelling, or with a key that restrains a skill.
fn begins_field(line: &str) -> bool {
    Key::of(line).is_some_and(|key| is_spelling(key.text) || restrains(key.text))
}

/// Returns the message and the help about a line that is no field, and no part of one: a conflict marker of git, or
/// dashes.
fn mark(line: &str) -> Option<(&'static str, &'static str)> {
    const MERGE: [&str; 4] = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"];
    if line.contains('\n') {
        return None;
    }
    if MERGE.iter().any(|mark| line.starts_with(mark)) {
        return Some((
            "a mark of an unresolved merge stands here",
            "resolve the merge",
        ));
    }
    let help = "remove it: the fields below it are lost in these clients";
    if line == "..." {
        let message =
            "`...` stands between fields, and some clients do not read the front matter then";
        return Some((message, help));
    }
    let rest = line.trim_start_matches(['-', '\u{2013}', '\u{2014}', '\u{2212}']);
    let is_comment = rest.starts_with([' ', '\t']) && rest.trim_start().starts_with('#');
    let is_dashes = line.len() >= rest.len() + "---".len() && (rest.is_empty() || is_comment);
    is_dashes.then_some((
        "a line of dashes stands between fields, and some clients end the front matter there",
        help,
    ))
}

/// A value, with the lines that continue it.
struct Unit {
    indent: usize,
    span: Span,
    is_joined: bool,
}

/// Returns the faults of the lines of a field, each with the edit with which the line is read again.
fn faults(text: &str, field: Span) -> Vec<Fault> {
    let mut units: Vec<Unit> = Vec::new();
    for line in lines_in(text, field) {
        let (indent, content) = cut(line.of(text));
        let start = line.start + indent;
        let end = start + content.len();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let mut item = content;
        while let Some(inner) = item.strip_prefix("- ") {
            item = inner.trim_start();
        }
        let key = Key::of(item);
        let is_item = item.len() < content.len();
        let column = indent + (content.len() - item.len());
        if let Some(unit) = units.last_mut() {
            let goes_on = match key {
                None => !is_item,
                Some(_) => !unit.span.is_empty() && column > unit.indent && !begins_field(content),
            };
            if goes_on {
                if unit.span.is_empty() {
                    unit.span.start = start;
                }
                unit.span.end = end;
                continue;
            }
        }
        let after = key.as_ref().map_or(item, |key| &item[key.length..]);
        units.push(Unit {
            indent: column,
            span: Span::new(end - after.trim_start().len(), end),
            is_joined: key.is_some_and(|key| key.is_joined),
        });
    }
    let faults = units.iter().filter_map(|unit| fault(text, unit));
    indents(text, field).into_iter().chain(faults).collect()
}

/// Returns the fault of a field that is indented by tabs, or by spaces of other kinds. A tab is as wide as the first indent
/// by spaces.
fn indents(text: &str, field: Span) -> Option<Fault> {
    let mut lines = lines_in(text, field);
    let spaces = lines.find(|line| line.of(text).starts_with(' '));
    let tab = " ".repeat(spaces.map_or(2, |line| cut(line.of(text)).0));
    let white =
        lines_in(text, field).map(|line| Span::new(line.start, line.start + cut(line.of(text)).0));
    let odd = white.filter(|white| white.of(text).bytes().any(|byte| byte != b' '));
    let edits = odd.map(|white| {
        let plain = white.of(text).replace('\t', &tab);
        Edit::replace(
            white,
            plain.replace(|c: char| c.is_whitespace() && c != ' ', " "),
        )
    });
    let edits: Vec<Edit> = edits.collect();
    let first = edits.first()?;
    let span = Span::new(first.start, first.end);
    let is_tab = span.of(text).contains('\t');
    let kind = if is_tab {
        "a tab"
    } else {
        "a space of another kind"
    };
    let message = format!("{kind} is used where YAML requires a plain space");
    Some(Fault {
        edits,
        ..Fault::new(span, message, "write plain spaces")
    })
}

/// Returns the fault of a value that is not YAML by itself.
fn fault(text: &str, unit: &Unit) -> Option<Fault> {
    let value = unit.span.of(text);
    work::done(value.len());
    let plain: String = value.chars().filter(|c| !is_control(*c)).collect();
    let alone = format!("{:1$}k: {plain}", "", unit.indent);
    let is_yaml = plain.is_empty()
        || matches!(yaml::parse(&alone), Ok(Some(node)) if node.entries().len() == 1);
    let quoted = if is_yaml {
        plain.clone()
    } else {
        quoted(&plain)
    };
    let (mut fault, space) = if unit.is_joined {
        let colon = Span::new(unit.span.start - 1, unit.span.start);
        let above = &text[..colon.start];
        let line = above.rfind('\n').map_or(above, |at| &above[at + 1..]);
        let key = line.trim_start_matches([' ', '\t', '-']);
        let message = format!("a space is missing after `{key}:`");
        (Fault::new(colon, message, "write a space after it"), " ")
    } else if !is_yaml {
        let (place, message) = reason(text, unit.span);
        (Fault::new(place, message, "put the value in quotes"), "")
    } else if plain.len() < value.len() {
        let message = "a control character is in the value";
        (Fault::new(unit.span, message, "remove it"), "")
    } else {
        return None;
    };
    fault.edits = vec![Edit::replace(unit.span, format!("{space}{quoted}"))];
    Some(fault)
}

fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}')
}

/// Returns the place and the likely reason why a value is not YAML.
fn reason(text: &str, value: Span) -> (Span, String) {
    let written = value.of(text);
    let message = match written.chars().next() {
        Some(quote @ ('"' | '\'')) if !written[1..].contains(quote) => {
            format!("the quote `{quote}` is never closed")
        }
        Some('"' | '\'') => "the quotes do not enclose the value as YAML reads them".to_owned(),
        Some('[' | '{') => "the brackets do not hold a YAML list or mapping".to_owned(),
        Some(
            mark @ ('*' | '@' | '`' | '%' | '&' | '!' | '|' | '>' | ']' | '}' | ',' | '?' | '-'),
        ) => format!("a value without quotes cannot begin with `{mark}`"),
        _ => match written.find(": ") {
            Some(colon) => {
                let colon = value.start + colon;
                let message = "a colon and a space begin another key in a value without quotes";
                return (Span::new(colon, colon + 1), message.to_owned());
            }
            None => "the value is not valid YAML without quotes".to_owned(),
        },
    };
    (first_line(text, value), message)
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

/// Reads a field as `key: any text`, with its lines joined by spaces. Returns `None` if no key begins the field.
fn as_text(text: &str, field: Span) -> Option<(Node, Node)> {
    let (indent, _) = cut(field.of(text));
    let key = Key::of(field.of(text)[indent..].lines().next()?)?;
    let start = field.start + indent;
    let value = trimmed(text, Span::new(start + key.length, field.end));
    let line = one_line(value.of(text));
    let key_span = Span::new(start, start + key.length - 1);
    Some((scalar(key.text, key_span), scalar(unquoted(&line), value)))
}

fn scalar(text: &str, span: Span) -> Node {
    let text = text.to_owned();
    let style = Style::DoubleQuoted;
    Node {
        span,
        value: Value::Scalar(Scalar { text, style }),
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
