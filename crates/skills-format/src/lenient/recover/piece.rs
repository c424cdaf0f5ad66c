//! The faults that keep a piece of front matter from parsing, and the edits that fix them.
//!
//! A parser reports where it failed, which is often far from the mistake. So every likely cause near
//! that place is tried. A cause counts if the piece parses further with its edits than without.

use crate::diagnostic::Edit;
use crate::diagnostic::patch::Patch;
use crate::lenient::recover::fault::{Fault, no_key};
use crate::lenient::recover::lines::{self, is_conflict_mark};
use crate::lenient::recover::margin::Margin;
use crate::lenient::recover::unit::{self, Unit};
use crate::lenient::recover::{causes, misplaced, spaces};
use crate::text::span::Span;
use crate::text::work;
use crate::yaml;
use crate::yaml::node::{Node, Value};

/// The maximum number of faults of one piece that are recovered. Each fault parses the piece again for
/// every possible cause.
const MAX_FAULTS: usize = 16;
/// The maximum number of units before the failure that can hold the cause.
const MAX_BEFORE: usize = 3;

/// A piece of front matter with its faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecoveredPiece {
    pub(crate) faults: Vec<Fault>,
    /// The entries, at their places in the original text. `None` if no edits make the piece parse.
    pub(crate) entries: Option<Vec<(Node, Node)>>,
}

/// Reads `chunk` of `text` as a mapping, with `edits` applied first.
pub(crate) fn recover(
    text: &str,
    chunk: Span,
    edits: Vec<Edit>,
    margin: &Margin<'_>,
) -> RecoveredPiece {
    if is_conflict_mark(chunk.of(text)) {
        return RecoveredPiece {
            faults: vec![no_key(text, chunk)],
            entries: None,
        };
    }
    let mut piece = Piece {
        text,
        chunk,
        margin,
        units: unit::units(text, chunk, margin),
        edits,
        faults: Vec::new(),
    };
    let entries = piece.run();
    // Beside another fault, the width of a tab is a guess.
    if let [_, _, ..] = piece.faults.as_slice() {
        let tabs = piece.faults.iter_mut();
        tabs.for_each(|fault| fault.is_safe &= !fault.is_of_tabs(text));
    }
    if entries.is_none() {
        // The caller reads the piece as text. A part of its fixes would change that text.
        for fault in &mut piece.faults {
            fault.edits.clear();
        }
    }
    RecoveredPiece {
        faults: piece.faults,
        entries,
    }
}

struct Piece<'t> {
    text: &'t str,
    chunk: Span,
    margin: &'t Margin<'t>,
    units: Vec<Unit>,
    edits: Vec<Edit>,
    faults: Vec<Fault>,
}

/// The result of parsing a piece.
enum ParsedPiece {
    Entries(Vec<(Node, Node)>),
    /// The piece parses, but not as a mapping.
    Other,
    Failed {
        at: usize,
        message: String,
    },
}

impl ParsedPiece {
    fn is_too_deep(&self) -> bool {
        matches!(self, Self::Failed { message, .. } if message == yaml::TOO_DEEP)
    }
}

impl Piece<'_> {
    fn run(&mut self) -> Option<Vec<(Node, Node)>> {
        let mut parsed = self.parse(&[]);
        loop {
            let failed_at = match parsed {
                ParsedPiece::Entries(entries) => return Some(entries),
                ParsedPiece::Other => self.chunk.start,
                ParsedPiece::Failed { at, .. } => at,
            };
            let found = (self.faults.len() < MAX_FAULTS && !parsed.is_too_deep())
                .then(|| self.cause_near(failed_at))
                .flatten();
            let Some((fault, next)) = found else {
                self.faults.push(self.unexplained(&parsed));
                return None;
            };
            self.edits.extend(fault.edits.iter().cloned());
            self.faults.push(fault);
            parsed = next;
        }
    }

    /// Returns the first likely cause whose edits let the piece parse further.
    fn cause_near(&self, failed_at: usize) -> Option<(Fault, ParsedPiece)> {
        let tabs = spaces::indents(self.text, self.chunk, failed_at);
        let controls = spaces::control_characters(self.text, self.chunk);
        let reached = self
            .units
            .partition_point(|unit| unit.line_start <= failed_at)
            .saturating_sub(1);
        let near = (reached.saturating_sub(MAX_BEFORE)..=reached + 1).rev();
        let mut order: Vec<usize> = near.collect();
        // The unit where the parser failed comes first, then the units before, then the next unit.
        order.rotate_left(1);
        let of_units = order
            .into_iter()
            .filter_map(|index| self.units.get(index))
            .flat_map(|unit| causes::causes(self.text, unit));
        // An edit below the next unit cannot move the failure.
        let units = self.units.get(..reached + 2).unwrap_or(&self.units);
        let misplaced = misplaced::faults(self.text, units, self.margin);
        tabs.into_iter()
            .chain(controls)
            .chain(misplaced)
            .chain(of_units)
            .filter(|fault| !self.is_edited(fault))
            .find_map(|fault| {
                let parsed = self.parse(&fault.edits);
                let is_better = match &parsed {
                    ParsedPiece::Entries(_) => true,
                    ParsedPiece::Other => false,
                    ParsedPiece::Failed { at, .. } => *at > failed_at.max(fault.span.end),
                };
                is_better.then_some((fault, parsed))
            })
    }

    /// Returns whether the fault has no edits, or an edit at a place that is already edited.
    fn is_edited(&self, fault: &Fault) -> bool {
        fault.edits.is_empty()
            || fault.edits.iter().any(|edit| {
                self.edits.iter().any(|done| {
                    edit.start == done.start || edit.start < done.end && done.start < edit.end
                })
            })
    }

    fn parse(&self, more: &[Edit]) -> ParsedPiece {
        let base = self.chunk.start;
        let edits: Vec<Edit> = self
            .edits
            .iter()
            .chain(more)
            .map(|edit| Edit {
                start: edit.start.saturating_sub(base),
                end: edit.end.saturating_sub(base),
                text: edit.text.clone(),
            })
            .collect();
        let patch = Patch::new(self.chunk.of(self.text), &edits);
        work::done(patch.text.len());
        match yaml::parse(&patch.text) {
            Ok(Some(Node {
                value: Value::Mapping(entries),
                ..
            })) => ParsedPiece::Entries(
                entries
                    .into_iter()
                    .map(|(key, value)| (placed(key, &patch, base), placed(value, &patch, base)))
                    .collect(),
            ),
            Ok(_) => ParsedPiece::Other,
            Err(error) => ParsedPiece::Failed {
                at: base + patch.old_start(error.offset),
                message: error.message,
            },
        }
    }

    fn unexplained(&self, parsed: &ParsedPiece) -> Fault {
        match parsed {
            ParsedPiece::Failed { at, message } => {
                let line = lines::line_around(self.text, *at, self.chunk);
                let (message, help) = if parsed.is_too_deep() {
                    (message.clone(), "write it flatter, or as one text")
                } else if message.ends_with(yaml::NO_KEY) {
                    (message.clone(), "write a text as the key")
                } else if message == yaml::NO_ANCHOR {
                    (message.clone(), "write the value itself in its place")
                } else {
                    let message = format!("this is not valid YAML: {message}");
                    (message, "put the value in quotes, or write it another way")
                };
                Fault {
                    span: line,
                    message,
                    help: help.to_owned(),
                    edits: Vec::new(),
                    is_safe: false,
                }
            }
            _ => no_key(self.text, self.chunk),
        }
    }
}

/// Moves a node of the edited text to its place in the original text.
fn placed(node: Node, patch: &Patch, base: usize) -> Node {
    let span = Span::new(
        base + patch.old_start(node.span.start),
        base + patch.old_end(node.span.end),
    );
    let value = match node.value {
        Value::Sequence(items) => Value::Sequence(
            items
                .into_iter()
                .map(|item| placed(item, patch, base))
                .collect(),
        ),
        Value::Mapping(entries) => Value::Mapping(
            entries
                .into_iter()
                .map(|(key, value)| (placed(key, patch, base), placed(value, patch, base)))
                .collect(),
        ),
        scalar @ Value::Scalar(_) => scalar,
    };
    Node { span, value }
}
