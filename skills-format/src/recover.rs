//! Front matter that does not parse as YAML, read key by key.
//!
//! Most such files have one bad line: an unquoted `: `, a value that begins with `*`, `@` or a
//! backtick, text after a closing quote, a conflict marker. So each top-level key is parsed by
//! itself, mended where it does not parse, and taken as the text of its lines where nothing mends it.

use crate::diagnostic::Edit;
use crate::document::{line_after, line_at};
use crate::mend::{Fault, Mended, closing, is_conflict_mark, mend, no_key};
use crate::patch::Patch;
use crate::span::Span;
use crate::yaml::{self, Node, Scalar, Style, Value};

/// Front matter as far as it can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recovered {
    /// Always a mapping.
    pub(crate) node: Node,
    /// What keeps it from parsing.
    pub(crate) faults: Vec<Fault>,
    /// The lines that were taken as text or left out.
    pub(crate) broken: Vec<Span>,
}

/// Reads the YAML at `yaml` of `text` as far as it can be.
pub(crate) fn front_matter(text: &str, yaml: Span) -> Recovered {
    let mut reader = Reader {
        text,
        entries: Vec::new(),
        faults: Vec::new(),
        broken: Vec::new(),
        last: None,
    };
    let chunks = chunks(text, yaml);
    let mut rest = chunks.as_slice();
    while let Some((chunk, following)) = rest.split_first() {
        let taken = reader
            .quote_over_lines(*chunk, following)
            .or_else(|| reader.loose_lines(*chunk, following));
        rest = following
            .get(taken.unwrap_or_default()..)
            .unwrap_or_default();
        if taken.is_none() {
            reader.chunk(*chunk);
        }
    }
    if reader.broken.is_empty() {
        reader.faults.extend(whole(text, yaml, &reader.faults));
    }
    Recovered {
        node: Node {
            span: yaml,
            value: Value::Mapping(reader.entries),
        },
        faults: reader.faults,
        broken: reader.broken,
    }
}

/// What keeps keys that parse one by one from parsing together.
fn whole(text: &str, yaml: Span, faults: &[Fault]) -> Option<Fault> {
    let edits = faults.iter().flat_map(|fault| &fault.edits);
    let edits: Vec<Edit> = edits
        .map(|edit| Edit {
            start: edit.start.saturating_sub(yaml.start),
            end: edit.end.saturating_sub(yaml.start),
            text: edit.text.clone(),
        })
        .collect();
    let patch = Patch::new(yaml.of(text), &edits);
    let error = yaml::parse(&patch.text).err()?;
    let at = yaml.start + patch.old_start(error.offset);
    let before = text.get(..at).unwrap_or_default();
    let line = line_at(text, before.rfind('\n').map_or(0, |newline| newline + 1));
    let content = line.of(text).trim_end();
    let start = line.start + (content.len() - content.trim_start().len());
    Some(Fault {
        span: Span::new(start.min(at), line.start + content.len()),
        message: format!("this is no YAML together with what stands above: {error}"),
        help: "begin every key at the margin".to_owned(),
        edits: Vec::new(),
        is_safe: false,
    })
}

struct Reader<'t> {
    text: &'t str,
    entries: Vec<(Node, Node)>,
    faults: Vec<Fault>,
    broken: Vec<Span>,
    /// The chunk above and how many entries there were before it, where it parsed.
    last: Option<(Span, usize)>,
}

impl Reader<'_> {
    fn chunk(&mut self, chunk: Span) {
        let before = self.entries.len();
        let blank = chunk
            .of(self.text)
            .lines()
            .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
        if blank {
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
        let mended = mend(self.text, chunk, Vec::new());
        self.faults.extend(mended.faults);
        if let Some(found) = mended.entries {
            self.entries.extend(found);
            self.last = Some((chunk, before));
        } else {
            self.last = None;
            self.broken.push(chunk);
            self.entries.extend(as_text(self.text, chunk));
        }
    }

    /// A quoted value whose later lines stand at the margin: how many chunks it takes besides its
    /// own. Some readers accept it, the YAML specification does not.
    fn quote_over_lines(&mut self, chunk: Span, following: &[Span]) -> Option<usize> {
        let text = self.text;
        let content = chunk.of(text);
        let (_, value) = content.split_once(": ")?;
        if !value.starts_with(['"', '\'']) || yaml::parse(content).is_ok() {
            return None;
        }
        let later = following.iter().take_while(|span| is_loose(text, **span));
        let ends: Vec<usize> = later.map(|span| span.end).collect();
        let start = chunk.end - value.len();
        let close = start + closing(Span::new(start, *ends.last()?).of(text))?;
        let taken = 1 + ends.iter().position(|end| close < *end)?;
        let end = *ends.get(taken - 1)?;
        let both = Span::new(chunk.start, end);
        let edits = indenting(
            text,
            Span::new(line_after(text, line_at(text, chunk.start)), end),
        );
        let first = edits.first()?.start;
        let Mended { faults, entries } = mend(text, both, edits.clone());
        let entries = entries.filter(|_| faults.is_empty())?;
        let line = line_at(text, first);
        self.faults.push(Fault {
            span: Span::new(first, first + line.of(text).trim_end().len()),
            message: "a line of a quoted value is not indented".to_owned(),
            help: "indent it by two blanks".to_owned(),
            edits,
            is_safe: true,
        });
        self.last = None;
        self.entries.extend(entries);
        Some(taken)
    }

    /// Lines at the margin that are no keys continue the text above when indenting them makes all
    /// of it parse as one entry: how many chunks they take besides the first.
    fn loose_lines(&mut self, chunk: Span, following: &[Span]) -> Option<usize> {
        let text = self.text;
        let (last, before) = self.last?;
        if !is_loose(text, chunk) {
            return None;
        }
        // One attempt for all of them.
        self.last = None;
        let later = following.iter().take_while(|span| is_loose(text, **span));
        let ends: Vec<usize> = std::iter::once(chunk.end)
            .chain(later.map(|span| span.end))
            .collect();
        let both = Span::new(last.start, *ends.last()?);
        let edits = indenting(text, Span::new(chunk.start, both.end));
        let Mended { faults, entries } = mend(text, both, edits.clone());
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

/// The edits that indent the lines of a span that begin at the margin.
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

/// Whether a chunk is text with no key.
fn is_loose(text: &str, chunk: Span) -> bool {
    let content = chunk.of(text);
    !content.starts_with(['#', '{', '['])
        && !content.trim().is_empty()
        && !is_conflict_mark(content)
        && as_text(text, chunk).is_none()
}

/// A top-level line and the indented or blank lines after it.
pub(crate) fn chunks(text: &str, yaml: Span) -> Vec<Span> {
    let mut chunks: Vec<Span> = Vec::new();
    let mut at = yaml.start;
    while at < yaml.end {
        let line = line_at(text, at);
        let content = line.of(text);
        let continues = content.trim().is_empty()
            || content.starts_with(|c: char| c.is_whitespace() || matches!(c, '#' | '}' | ']'))
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
