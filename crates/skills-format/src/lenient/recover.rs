//! Front matter that does not parse as YAML, read field by field.
//!
//! Most of these files have one bad line: an unquoted `: `, a value that begins with `*`, `@` or a backtick, text after a
//! closing quote, a tab. So each field at the margin is parsed alone. A field that does not parse is tried once more with
//! the values of its bad lines in quotes, which is also the fix that the linter offers. If that does not help, the text of
//! its lines is its value.
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
    /// The edits that fix the fault. Empty if no fix is known.
    pub edits: Vec<Edit>,
    /// True if the edits keep the meaning.
    pub is_safe: bool,
}

impl Fault {
    fn new(span: Span, message: impl Into<String>, help: &str) -> Self {
        Self {
            span,
            message: message.into(),
            help: help.to_owned(),
            edits: Vec::new(),
            is_safe: false,
        }
    }
}

/// Reads the YAML at `yaml` of `text` as far as it can be read.
///
/// # Cost
///
/// Each line is parsed at most five times.
pub fn front_matter(text: &str, yaml: Span) -> Recovered {
    let mut reading = Reading {
        text,
        yaml,
        margin: BTreeSet::new(),
        entries: Vec::new(),
        faults: Vec::new(),
        broken: Vec::new(),
    };
    let fields = fields(text, yaml);
    let keys = fields
        .iter()
        .filter_map(|field| Key::of(cut(field.of(text)).1));
    reading.margin = keys.map(|key| key.text).collect();
    for field in fields {
        reading.field(field);
    }
    reading.verify();
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
    let mut fields = ["name", "description"].into_iter();
    fields
        .any(|key| recovered.node.get(key).is_some())
        .then_some(recovered)
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
    yaml: Span,
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
            self.faults
                .push(Fault::new(trimmed(text, field), message, help));
            return;
        }
        let error = match parsed(text, field, &[]) {
            Ok(found) => return self.entries.extend(found),
            Err(error) => error,
        };
        let faults = faults(text, field, self.yaml.end);
        let edits: Vec<Edit> = faults.iter().flat_map(|it| it.edits.clone()).collect();
        if !edits.is_empty()
            && let Ok(found) = parsed(text, field, &edits)
        {
            self.entries.extend(found);
            self.faults.extend(faults);
            return;
        }
        let is_lost = |line: &Span| {
            let key = Key::of(cut(line.of(text)).1).map_or("", |key| key.text);
            restrains(key) || is_spelling(key) && !self.margin.contains(key)
        };
        let inner: Vec<Span> = lines_in(text, field).skip(1).filter(is_lost).collect();
        if let Some(first) = inner.first() {
            let mut start = field.start;
            // A list of tools without its lines would allow every tool.
            let (head, items) = (
                Span::new(start, first.start),
                Span::new(first.start, field.end),
            );
            let begins_item = |line: &str| line.trim_start().starts_with("- ");
            let is_cut =
                items.of(text).lines().any(begins_item) || head.of(text).trim_end().ends_with(':');
            let whole = as_text(text, field).filter(|(key, _)| key.as_str().is_some_and(restrains));
            self.entries.extend(whole.filter(|_| is_cut));
            for line in inner {
                self.field(Span::new(start, line.start));
                start = line.start;
                let key = Span::new(line.start + cut(line.of(text)).0, line.end);
                let length = key.of(text).find(':').unwrap_or(key.len());
                let key = Span::new(key.start, key.start + length);
                let message = format!(
                    "`{}` is indented below a value, and is no field there",
                    key.of(text)
                );
                self.faults
                    .push(Fault::new(key, message, "indent it as the other fields"));
            }
            return self.field(Span::new(start, field.end));
        }
        let entry = as_text(text, field);
        let fault = match (&entry, error) {
            (None, _) => Fault::new(
                first_line(text, field),
                "the line is not `key: value`",
                "indent it if it continues the line above, or put it into the body",
            ),
            (Some(_), (at, message)) => Fault::new(
                first_line(text, Span::new(at.min(field.end), field.end)),
                format!("this is not valid YAML: {message}"),
                "put the value in quotes, or write it another way",
            ),
        };
        self.faults.push(fault);
        self.broken.push(field);
        self.entries.extend(entry);
    }

    /// Leaves fixes marked as safe only if the front matter with all fixes applied parses to the values that were read.
    /// Reports the fault of fields that parse alone, but not together.
    fn verify(&mut self) {
        let edits: Vec<Edit> = self.faults.iter().flat_map(|it| it.edits.clone()).collect();
        let is_fixed = match parsed(self.text, self.yaml, &edits) {
            Ok(entries) => self.broken.is_empty() && same_entries(&entries, &self.entries),
            Err((at, message)) => {
                if self.faults.iter().all(|fault| !fault.edits.is_empty()) {
                    let before = self.text.get(..at).unwrap_or_default();
                    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
                    let line = first_line(self.text, Span::new(start, self.yaml.end));
                    let message =
                        format!("this is not valid YAML together with the lines above: {message}");
                    self.faults
                        .push(Fault::new(line, message, "begin every key at the margin"));
                }
                false
            }
        };
        let is_safe = is_fixed && self.faults.iter().all(|fault| fault.is_safe);
        for fault in &mut self.faults {
            fault.is_safe = is_safe;
            // Read as a text, a mapping is not lost; written as one, it would be.
            fault.edits.retain(|edit| {
                let replaced = Span::new(edit.start, edit.end).of(self.text);
                !(replaced.starts_with('{') && replaced.ends_with('}'))
            });
        }
    }
}

/// Parses `part` of `text` with `edits` applied. Returns the entries of the mapping at their places in `text`, or where and
/// why it is not a mapping.
fn parsed(text: &str, part: Span, edits: &[Edit]) -> Result<Vec<(Node, Node)>, (usize, String)> {
    work::done(part.len());
    let edits: Vec<Edit> = edits
        .iter()
        .map(|edit| Edit {
            start: edit.start - part.start,
            end: edit.end - part.start,
            text: edit.text.clone(),
        })
        .collect();
    let patch = Patch::new(part.of(text), &edits);
    match yaml::parse(&patch.text) {
        Ok(Some(Node {
            value: Value::Mapping(mut entries),
            ..
        })) => {
            for (key, value) in &mut entries {
                place(key, &patch, part.start);
                place(value, &patch, part.start);
            }
            Ok(entries)
        }
        Ok(None) => Ok(Vec::new()),
        Ok(_) => Err((part.start, "it is not `key: value`".to_owned())),
        Err(error) => Err((part.start + patch.old_start(error.offset), error.message)),
    }
}

/// Moves a node of the edited text to its place in the original text.
fn place(node: &mut Node, patch: &Patch, base: usize) {
    node.span = Span::new(
        base + patch.old_start(node.span.start),
        base + patch.old_end(node.span.end),
    );
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

/// Returns whether two nodes hold the same values. Their places do not count.
fn same(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Value::Sequence(a), Value::Sequence(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Mapping(a), Value::Mapping(b)) => same_entries(a, b),
        (a, b) => a == b,
    }
}

fn same_entries(a: &[(Node, Node)], b: &[(Node, Node)]) -> bool {
    let mut pairs = a.iter().zip(b);
    a.len() == b.len() && pairs.all(|(a, b)| same(&a.0, &b.0) && same(&a.1, &b.1))
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
        let is_quoted = line.starts_with(['"', '\'']);
        let from = if is_quoted { closing(line)? + 1 } else { 0 };
        let is_key = |at: usize| {
            let after = &line[at + 1..];
            after.is_empty() || after.starts_with([' ', '\t'])
        };
        let mut colons = line[from..].match_indices(':').map(|(at, _)| from + at);
        let spaced = colons.find(|at| is_key(*at)).filter(|at| *at <= 128);
        let (at, is_joined) = match (spaced, line.find(':')) {
            (Some(at), _) => (at, false),
            (None, Some(at)) if !line[at..].starts_with("://") => (at, true),
            _ => return None,
        };
        let text = line[..at].trim().trim_matches(['"', '\'']);
        let is_word = text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/'));
        (!text.is_empty() && (is_word || !is_joined)).then_some(Self {
            text,
            length: at + 1,
            is_joined,
        })
    }
}

/// Returns whether a line begins with a known field, in any spelling, or with a key that restrains a skill.
fn begins_field(line: &str) -> bool {
    Key::of(cut(line).1).is_some_and(|key| is_spelling(key.text) || restrains(key.text))
}

/// Returns the message and the help about a line that is no field, and no part of one: a conflict marker of git, or
/// dashes.
fn mark(line: &str) -> Option<(&'static str, &'static str)> {
    if line.contains('\n') {
        return None;
    }
    if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"]
        .iter()
        .any(|mark| line.starts_with(mark))
    {
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

/// Returns the faults of the lines of a field, each with its edits. `end` is the end of the front matter.
fn faults(text: &str, field: Span, end: usize) -> Vec<Fault> {
    let mut faults = indents(text, field);
    faults.extend(control_characters(text, field));
    for unit in units(text, field) {
        let value = unit.value.of(text);
        work::done(value.len());
        let is_readable = value.is_empty() || {
            let mut alone = format!("{:1$}k: {value}", "", unit.indent);
            alone.retain(|c| !is_control(c));
            matches!(yaml::parse(&alone), Ok(Some(node)) if node.entries().len() == 1)
        };
        if is_readable && !unit.is_joined {
            continue;
        }
        let mut fault = if unit.is_joined {
            let colon = unit.value.start - 1;
            let key = trimmed(text, Span::new(unit.line, colon)).of(text);
            let help = format!("write `{key}: {value}`");
            let message = format!("a space is missing after `{key}:`");
            Fault::new(Span::new(colon, colon + 1), message, &help)
        } else {
            let (span, message) = reason(text, &unit);
            let mut fault = Fault::new(span, message, "put the value in quotes");
            // A later quote may be the one that closes the value.
            let later = Span::new(field.end, end).of(text);
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
            let is_open = quote.is_some_and(|c| closing(value).is_none() && later.contains(c));
            fault.is_safe = keeps_meaning(value) && !is_open;
            fault
        };
        let space = if unit.is_joined { " " } else { "" };
        let brackets = if value.starts_with('{') {
            missing_brackets(value)
        } else {
            String::new()
        };
        fault.edits.push(if is_readable {
            Edit::replace(Span::at(unit.value.start), space)
        } else if !brackets.is_empty() && yaml::parse(&format!("{value}{brackets}")).is_ok() {
            fault.message = format!("`{brackets}` is missing at the end");
            Edit::replace(Span::at(unit.value.end), brackets)
        } else {
            Edit::replace(unit.value, format!("{space}{}", quoted(value)))
        });
        faults.push(fault);
    }
    faults
}

/// Returns the fault of a field that is indented by tabs or by spaces of other kinds. How wide they are is known only if
/// nothing is indented by spaces.
fn indents(text: &str, field: Span) -> Vec<Fault> {
    let mut edits = Vec::new();
    let mut is_mixed = false;
    let mut tab = "  ".to_owned();
    for line in lines_in(text, field) {
        let (indent, content) = cut(line.of(text));
        let span = Span::new(line.start, line.start + indent);
        if span.of(text).starts_with(' ') && !is_mixed {
            is_mixed = true;
            tab = " ".repeat(indent);
        }
        if !span.of(text).bytes().all(|byte| byte == b' ') {
            let plain = span.of(text).replace('\t', &tab);
            let plain = plain.replace(|c: char| c.is_whitespace() && c != ' ', " ");
            edits.push(Edit::replace(span, plain));
        }
        let end = Span::new(span.end + content.len(), line.end);
        if !end.of(text).is_ascii() {
            edits.push(Edit::replace(end, ""));
        }
    }
    let Some(first) = edits.first() else {
        return Vec::new();
    };
    let span = Span::new(first.start, first.end);
    let at = span.of(text).find(|c| c != ' ').unwrap_or_default();
    let kind = if span.of(text)[at..].starts_with('\t') {
        "a tab"
    } else {
        "a space of another kind"
    };
    let message = format!("{kind} is used where YAML requires a plain space");
    vec![Fault {
        edits,
        is_safe: !is_mixed,
        ..Fault::new(
            Span::new(span.start + at, span.end),
            message,
            "write plain spaces",
        )
    }]
}

/// Returns the faults of characters that YAML does not allow. They are removed.
fn control_characters(text: &str, field: Span) -> Vec<Fault> {
    let found = field.of(text).match_indices(is_control);
    let faults = found.map(|(at, written)| {
        let span = Span::new(field.start + at, field.start + at + written.len());
        let code = written.chars().next().map_or(0, u32::from);
        let message = format!("the control character U+{code:04X} stands here");
        Fault {
            edits: vec![Edit::replace(span, "")],
            is_safe: true,
            ..Fault::new(span, message, "remove it")
        }
    });
    faults.collect()
}

fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}')
}

/// Returns the brackets that are missing at the end of a mapping.
fn missing_brackets(value: &str) -> String {
    let mut missing = Vec::new();
    let mut at = 0;
    while let Some(c) = value[at..].chars().next() {
        match c {
            '"' | '\'' => at += closing(&value[at..]).unwrap_or_default(),
            '[' => missing.push(']'),
            '{' => missing.push('}'),
            ']' | '}' => drop(missing.pop()),
            _ => {}
        }
        at += c.len_utf8();
    }
    missing.iter().rev().collect()
}

/// A value, with the lines that continue it.
struct Unit {
    /// The start of its first line.
    line: usize,
    indent: usize,
    value: Span,
    /// The quote that closes a value in quotes; 0 without one.
    quote_end: usize,
    is_joined: bool,
}

fn units(text: &str, field: Span) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for line in lines_in(text, field) {
        let (indent, content) = cut(line.of(text));
        let end = line.start + indent + content.len();
        if content.is_empty() {
            continue;
        }
        let mut item = content;
        while let Some(inner) = item.strip_prefix("- ") {
            item = inner.trim_start();
        }
        let key = Key::of(item);
        let indent = indent + (content.len() - item.len());
        if let Some(unit) = units.last_mut() {
            let value = unit.value.of(text);
            let is_in_block =
                value.starts_with(['|', '>']) && indent > unit.indent && !begins_field(content);
            // A value in quotes goes on up to the quote, but never over a field.
            let is_quoted = line.start < unit.quote_end && !begins_field(content);
            let is_item = item.len() < content.len();
            let is_text = match key {
                None => !is_item,
                Some(_) => !value.is_empty() && indent > unit.indent && !begins_field(content),
            };
            if is_in_block || is_quoted || is_text {
                if unit.value.is_empty() {
                    unit.value.start = end - content.len();
                }
                if !content.starts_with('#') || is_in_block || is_quoted {
                    unit.value.end = end;
                }
                continue;
            }
        }
        let after = key.as_ref().map_or(item, |key| &item[key.length..]);
        let value = Span::new(end - after.trim_start().len(), end);
        let rest = Span::new(value.start, field.end).of(text);
        let close = rest.starts_with(['"', '\'']).then(|| closing(rest));
        let close = close.flatten();
        units.push(Unit {
            line: line.start,
            indent,
            value,
            quote_end: close.map_or(0, |close| value.start + close),
            is_joined: key.is_some_and(|key| key.is_joined),
        });
    }
    units
}

/// Returns the place and the likely reason why a value is not YAML.
fn reason(text: &str, unit: &Unit) -> (Span, String) {
    let written = unit.value.of(text);
    let at = |offset: usize| {
        let rest = Span::new(unit.value.start + offset, unit.value.end);
        first_line(text, rest)
    };
    let later = lines_in(text, unit.value).skip(1);
    let loose = later
        .into_iter()
        .find(|line| cut(line.of(text)).0 <= unit.indent);
    match written.chars().next() {
        Some(quote @ ('"' | '\'')) => match closing(written) {
            None => (at(0), format!("the quote `{quote}` is never closed")),
            Some(close) if close + 1 < written.len() => (
                at(close + 1),
                "text stands after the closing quote".to_owned(),
            ),
            Some(_) => (
                at(0),
                "the quoted text has a line or an escape that YAML does not allow".to_owned(),
            ),
        },
        Some('[' | '{') => (
            at(0),
            "the brackets do not hold a YAML list or mapping".to_owned(),
        ),
        Some(
            mark @ ('*' | '@' | '`' | '%' | '&' | '!' | '|' | '>' | ']' | '}' | ',' | '?' | '-'),
        ) => (
            at(0),
            format!("a value without quotes cannot begin with `{mark}`"),
        ),
        _ => {
            let colon = written.match_indices(':').find(|(at, _)| {
                let after = &written[at + 1..];
                after.is_empty() || after.starts_with([' ', '\t', '\n', '\r'])
            });
            match (colon, loose) {
                (Some((colon, _)), _) => {
                    let colon = unit.value.start + colon;
                    let message = "a colon and a space begin another key in a value without quotes";
                    (Span::new(colon, colon + 1), message.to_owned())
                }
                (None, Some(line)) => (
                    first_line(text, line),
                    "the line is not `key: value`".to_owned(),
                ),
                (None, None) => (
                    at(0),
                    "the value is not valid YAML without quotes".to_owned(),
                ),
            }
        }
    }
}

/// Returns whether quotes around a value surely say what was meant: not if the value has a comment, lines below it, an
/// escape, or the form of a list, a block or an alias.
fn keeps_meaning(value: &str) -> bool {
    let has_comment = value
        .match_indices('#')
        .any(|(at, _)| value[..at].ends_with([' ', '\t']));
    if has_comment || value.contains(['\n', '\\']) {
        return false;
    }
    match value.chars().next() {
        Some('&' | '!' | '|' | '>' | '{') => false,
        // `*bold*` and `*.rs` are text; `*base` can be an alias.
        Some('*') => {
            value.contains(|c: char| !c.is_alphanumeric() && !matches!(c, '*' | '-' | '_'))
                || value[1..].contains('*')
        }
        // `[file] [flags]` is text.
        Some('[') => value.split_once(']').is_some_and(|(_, after)| {
            let after = after.trim_start();
            !after.is_empty() && !after.starts_with([',', ']'])
        }),
        Some(quote @ ('"' | '\'')) => {
            // Some readers see a comment in `"a"# b`.
            let is_comment = closing(value).is_some_and(|at| value[at + 1..].starts_with('#'));
            !is_comment
                && (!value[1..].contains(quote)
                    || outer(value).is_some_and(|inner| !inner.contains(" '")))
        }
        _ => true,
    }
}

/// Returns a value as one quoted text: its lines joined by spaces, without quotes that were meant to enclose it.
fn quoted(value: &str) -> String {
    let mut value = one_line(value);
    if let Some(inner) = outer(&value) {
        if value.starts_with('"') {
            // The escapes between the quotes were meant as such, if they are valid.
            let escaped = format!("\"{}\"", escaped(inner));
            if yaml::parse(&escaped).is_ok() {
                return escaped;
            }
            value = inner.to_owned();
        } else {
            value = inner.replace("''", "'");
        }
    } else if value.starts_with(['"', '\'']) && closing(&value).is_none() {
        value.remove(0);
    }
    if value.contains(['"', '\\']) {
        format!("'{}'", value.replace('\'', "''"))
    } else {
        format!("\"{value}\"")
    }
}

/// Returns the text between the first and the last quote, if they were meant as a pair: `"say "hello" first"` and
/// `'don't'`, but not `"a" or "b"`.
fn outer(value: &str) -> Option<&str> {
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = value.get(1..)?.strip_suffix(quote)?;
    let Some(close) = closing(value).filter(|close| close + 1 < value.len()) else {
        return Some(inner);
    };
    let before = value[..close].chars().next_back()?;
    let after = value[close + 1..].chars().next()?;
    let opens = close > 1 && (before.is_whitespace() || matches!(before, '(' | '[' | '/' | ','));
    let is_in_word = after.is_alphanumeric() && (quote == '"' || before.is_alphanumeric());
    (opens || is_in_word).then_some(inner)
}

/// Escapes the double quotes that no backslash escapes.
fn escaped(inner: &str) -> String {
    let mut text = String::with_capacity(inner.len() + 8);
    let mut is_escaped = false;
    for c in inner.chars() {
        if c == '"' && !is_escaped {
            text.push('\\');
        }
        is_escaped = c == '\\' && !is_escaped;
        text.push(c);
    }
    text
}

/// Returns the byte of the quote that closes the quote at the start of a text.
fn closing(written: &str) -> Option<usize> {
    let quote = written.chars().next()?;
    let mut chars = written.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        work::done(1);
        if c == '\\' && quote == '"' {
            chars.next();
        } else if c == quote
            && (quote == '"' || chars.next_if(|(_, next)| *next == quote).is_none())
        {
            return Some(at);
        }
    }
    None
}

/// Reads a field as `key: any text`, with its lines joined by spaces. Returns `None` if no key begins the field.
fn as_text(text: &str, field: Span) -> Option<(Node, Node)> {
    let (indent, _) = cut(field.of(text));
    let content = &field.of(text)[indent..];
    let key = Key::of(content.lines().next()?)?;
    let value = trimmed(
        text,
        Span::new(field.start + indent + key.length, field.end),
    );
    let joined = one_line(value.of(text));
    let key_start = field.start + indent;
    let key_span = Span::new(key_start, key_start + key.length - 1);
    Some((
        scalar(key.text, key_span),
        scalar(outer(&joined).unwrap_or(&joined), value),
    ))
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
    let lines = if is_block {
        block.lines()
    } else {
        text.lines()
    };
    let lines: Vec<&str> = lines
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let mut line = lines.join(" ");
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
