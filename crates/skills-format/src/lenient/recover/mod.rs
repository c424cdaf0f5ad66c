//! Front matter that does not parse as YAML, read key by key.
//!
//! Most of these files have one bad line: an unquoted `: `, a value that begins with `*`, `@` or a
//! backtick, text after a closing quote, a conflict marker. So each top-level key is parsed
//! separately. A key that does not parse is recovered by edits. If no edits help, the text of its
//! lines is its value.

mod causes;
mod chunks;
pub mod fault;
mod flow;
mod lines;
mod margin;
mod misplaced;
mod piece;
mod quote;
mod quoted;
mod spaces;
mod unit;

use crate::diagnostic::Edit;
use crate::diagnostic::patch::Patch;
use crate::lenient::recover::chunks::chunks;
use crate::lenient::recover::fault::{Fault, dashes, no_key};
use crate::lenient::recover::lines::{is_conflict_mark, is_dashes};
use crate::lenient::recover::margin::Margin;
use crate::lenient::recover::piece::RecoveredPiece;
use crate::skill::document::Document;
use crate::text::lines::{line_after, line_at};
use crate::text::span::Span;
use crate::yaml;
use crate::yaml::node::{Node, Scalar, Style, Value};

/// Front matter, as far as it can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// The recovered mapping.
    pub node: Node,
    /// The faults that keep the front matter from parsing.
    pub faults: Vec<Fault>,
    /// The chunks that no edits recover: their lines were taken as text or left out.
    pub broken: Vec<Span>,
}

/// Reads the YAML at `yaml` of `text` as far as it can be read.
pub fn front_matter(text: &str, yaml: Span) -> Recovered {
    let mut reader = Recovery {
        text,
        margin: Margin::of(text, yaml.start),
        attempts: MAX_ATTEMPTS.saturating_mul(yaml.len()),
        entries: Vec::new(),
        faults: Vec::new(),
        broken: Vec::new(),
        last: None,
    };
    let chunks = chunks(text, yaml);
    let mut rest = chunks.as_slice();
    while let Some((chunk, following)) = rest.split_first() {
        let taken = reader.loose_lines(*chunk, following);
        rest = following
            .get(taken.unwrap_or_default()..)
            .unwrap_or_default();
        if taken.is_none() {
            reader.chunk(*chunk);
        }
    }
    let mut recovered = Recovered {
        node: Node {
            span: yaml,
            value: Value::Mapping(reader.entries),
        },
        faults: reader.faults,
        broken: reader.broken,
    };
    verify(text, yaml, &mut recovered);
    recovered
}

/// Reads front matter that is one text in YAML because no space follows its colons: `name:x`. Returns `None` if the text
/// holds no name and no description.
pub fn joined(document: &Document<'_>, node: &Node) -> Option<Recovered> {
    if !matches!(node.value, Value::Scalar(_)) {
        return None;
    }
    let recovered = front_matter(document.text, document.yaml);
    let is_field = |key: &&str| recovered.node.get(key).is_some();
    let has_field = ["name", "description"].iter().any(is_field);
    has_field.then_some(recovered)
}

/// Leaves fixes marked as safe only if the front matter with all fixes applied parses to the recovered
/// values. Reports the fault of keys that parse one by one, but not together.
fn verify(text: &str, yaml: Span, recovered: &mut Recovered) {
    let faults = &mut recovered.faults;
    let mut is_verified = faults.iter().all(|fault| fault.is_safe);
    if recovered.broken.is_empty() {
        match edited(text, yaml, faults) {
            Ok(Some(node)) => is_verified &= same(&node, &recovered.node),
            Ok(None) => is_verified = false,
            Err(fault) => {
                is_verified = false;
                faults.push(fault);
            }
        }
    }
    is_verified &= recovered.broken.is_empty();
    for fault in faults {
        fault.is_safe &= is_verified;
    }
}

/// Parses the front matter with all edits applied. Fails with the fault that keeps it from parsing.
fn edited(text: &str, yaml: Span, faults: &[Fault]) -> Result<Option<Node>, Fault> {
    let edits = faults.iter().flat_map(|fault| &fault.edits);
    let edits: Vec<Edit> = edits
        .map(|edit| Edit {
            start: edit.start.saturating_sub(yaml.start),
            end: edit.end.saturating_sub(yaml.start),
            text: edit.text.clone(),
        })
        .collect();
    let patch = Patch::new(yaml.of(text), &edits);
    yaml::parse(&patch.text).map_err(|error| {
        let at = yaml.start + patch.old_start(error.offset);
        let before = text.get(..at).unwrap_or_default();
        let line = line_at(text, before.rfind('\n').map_or(0, |newline| newline + 1));
        let content = line.of(text).trim_end();
        let start = line.start + (content.len() - content.trim_start().len());
        Fault {
            span: Span::new(start.min(at), line.start + content.len()),
            message: format!("this is not valid YAML together with the lines above: {error}"),
            help: "begin every key at the margin".to_owned(),
            edits: Vec::new(),
            is_safe: false,
        }
    })
}

/// Returns whether two nodes hold the same values. Their places do not count.
fn same(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Value::Sequence(a), Value::Sequence(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Mapping(a), Value::Mapping(b)) => {
            let same_entry =
                |(a, b): (&(Node, Node), &(Node, Node))| same(&a.0, &b.0) && same(&a.1, &b.1);
            a.len() == b.len() && a.iter().zip(b).all(same_entry)
        }
        (a, b) => a == b,
    }
}

/// How often, on average, a line is read together with the lines above it.
const MAX_ATTEMPTS: usize = 8;

struct Recovery<'t> {
    text: &'t str,
    margin: Margin<'t>,
    /// The number of bytes that can still be read together with the lines above them.
    attempts: usize,
    entries: Vec<(Node, Node)>,
    faults: Vec<Fault>,
    broken: Vec<Span>,
    /// The chunk above, and the number of entries before that chunk. `None` if the chunk did not parse
    /// without edits.
    last: Option<(Span, usize)>,
}

impl Recovery<'_> {
    fn chunk(&mut self, chunk: Span) {
        let before = self.entries.len();
        let blank = chunk
            .of(self.text)
            .lines()
            .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
        if blank {
            return;
        }
        if is_dashes(chunk.of(self.text).trim()) {
            self.last = None;
            self.faults.push(dashes(self.text, chunk));
            return;
        }
        if let Ok(Some(Node {
            value: Value::Mapping(found),
            ..
        })) = yaml::parse_at(chunk.of(self.text), chunk.start)
        {
            self.entries.extend(found);
            self.last = Some((chunk, before));
            return;
        }
        let piece = piece::recover(self.text, chunk, Vec::new(), &self.margin);
        self.faults.extend(piece.faults);
        // No lines are joined to a recovered piece: with more lines, the piece would need other edits.
        self.last = None;
        if let Some(found) = piece.entries {
            self.entries.extend(found);
        } else {
            self.broken.push(chunk);
            self.entries.extend(as_text(self.text, chunk));
        }
    }

    /// Reads lines at the margin that are not keys as a continuation of the chunk above, if both parse
    /// together once the lines are indented. Returns the number of chunks read beside the first.
    fn loose_lines(&mut self, chunk: Span, following: &[Span]) -> Option<usize> {
        let text = self.text;
        let (last, before) = self.last?;
        if !is_loose(text, chunk) {
            return None;
        }
        // One attempt for all loose chunks below one chunk: an attempt for each would be quadratic.
        self.last = None;
        if self.attempts == 0 {
            return None;
        }
        let later = following.iter().take_while(|span| is_loose(text, **span));
        let ends: Vec<usize> = std::iter::once(chunk.end)
            .chain(later.map(|span| span.end))
            .collect();
        let both = Span::new(last.start, *ends.last()?);
        // Lines that parse alone, as with a byte-order mark before each, are tried with all lines below, again and again.
        self.attempts = self.attempts.saturating_sub(both.len());
        let edits = indenting(text, Span::new(chunk.start, both.end));
        let RecoveredPiece { faults, entries } =
            piece::recover(text, both, edits.clone(), &self.margin);
        let entries = entries.filter(|_| faults.is_empty())?;
        self.entries.truncate(before);
        self.entries.extend(entries);
        self.faults.push(Fault {
            edits,
            ..no_key(text, chunk)
        });
        Some(ends.len() - 1)
    }
}

/// Returns the edits that indent the lines of a span. Lines that are already indented stay.
fn indenting(text: &str, lines: Span) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut at = lines.start;
    while at < lines.end {
        let line = line_at(text, at);
        if line.of(text).starts_with(|c: char| !c.is_whitespace()) {
            edits.push(Edit::replace(Span::at(at), "  "));
        }
        at = line_after(text, line).max(at + 1);
    }
    edits
}

/// Returns whether a chunk is text without a key.
fn is_loose(text: &str, chunk: Span) -> bool {
    let content = chunk.of(text);
    !content.starts_with(['#', '{', '['])
        && !content.trim().is_empty()
        && !is_conflict_mark(content)
        && !is_dashes(content.trim())
        && as_text(text, chunk).is_none()
}

/// Reads a chunk as `key: any text`, with its lines joined by spaces. Returns `None` if no key begins
/// the chunk.
fn as_text(text: &str, chunk: Span) -> Option<(Node, Node)> {
    let content = chunk.of(text);
    let colon = content.find(':')?;
    let before = content.get(..colon)?;
    let key = before.trim().trim_matches(['"', '\'']);
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
    let indent = before.len() - before.trim_start().len();
    let key_span = Span::new(chunk.start + indent, chunk.start + colon);
    Some((
        scalar(key, key_span),
        scalar(&joined, Span::new(start, start + value.len())),
    ))
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
mod tests;
