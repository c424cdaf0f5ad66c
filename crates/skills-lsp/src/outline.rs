//! Links, symbols and folds of a document.

use crate::place::path_of;
use crate::references::{ReferenceKind, body, references, skills};
use crate::state::State;
use crate::text::LineText;
use lsp_types::{DocumentLink, DocumentSymbol, FoldingRange, FoldingRangeKind, SymbolKind, Uri};
use skills_format::{Document, Span};
use skills_lint::Places;
use std::path::PathBuf;
use std::sync::Arc;

fn document(state: &State, uri: &Uri) -> Option<(PathBuf, Arc<str>)> {
    let path = path_of(uri)?;
    let is_markdown = path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("md"));
    let text = Arc::clone(&state.documents.get(&path)?.text);
    is_markdown.then_some((path, text))
}

/// Returns the links whose files are there.
pub(crate) fn links(state: &State, uri: &Uri) -> Option<Vec<DocumentLink>> {
    let (path, text) = document(state, uri)?;
    let project = state.project(&path)?;
    let lines = LineText::new(text.as_bytes());
    let all = references(project, &path, &text, &skills(project, &path)).into_iter();
    let files = all.filter(|it| it.kind != ReferenceKind::Mention);
    let found = files.map(|it| DocumentLink {
        range: lines.range(it.span, state.unit),
        target: state.uri(&it.target),
        tooltip: None,
        data: None,
    });
    Some(found.collect())
}

/// A heading with its section: the text up to the next heading that is not below it.
struct Section {
    level: usize,
    heading: Span,
    whole: Span,
}

fn sections(text: &str) -> Vec<Section> {
    let headings = Places::read(text, body(text)).headings;
    let level = |heading: &Span| {
        let written = heading.of(text).trim_start();
        let marks = written.len() - written.trim_start_matches('#').len();
        // A heading with a line below it: `===` is the first level.
        if marks > 0 {
            marks
        } else {
            2 - usize::from(written.trim_end().ends_with('='))
        }
    };
    let levels: Vec<usize> = headings.iter().map(level).collect();
    let all = headings.iter().zip(&levels).enumerate();
    all.map(|(index, (heading, level))| {
        let mut rest = headings.iter().zip(&levels).skip(index + 1);
        let next = rest.find(|(_, other)| *other <= level);
        let end = next.map_or(text.len(), |(next, _)| next.start);
        Section {
            level: *level,
            heading: *heading,
            whole: Span::new(heading.start, end),
        }
    })
    .collect()
}

/// Returns the headings, each below the heading above it.
pub(crate) fn symbols(state: &State, uri: &Uri) -> Option<Vec<DocumentSymbol>> {
    let (_, text) = document(state, uri)?;
    let lines = LineText::new(text.as_bytes());
    let mut open: Vec<(usize, DocumentSymbol)> = Vec::new();
    let mut done: Vec<DocumentSymbol> = Vec::new();
    for section in sections(&text) {
        close(&mut open, &mut done, section.level);
        let name = section
            .heading
            .of(&text)
            .trim_matches(|c: char| c == '#' || c.is_whitespace());
        #[expect(deprecated, reason = "the type has no other constructor")]
        let symbol = DocumentSymbol {
            name: if name.is_empty() {
                "#".to_owned()
            } else {
                name.to_owned()
            },
            detail: None,
            kind: SymbolKind::STRING,
            tags: None,
            deprecated: None,
            range: lines.range(section.whole, state.unit),
            selection_range: lines.range(section.heading, state.unit),
            children: None,
        };
        open.push((section.level, symbol));
    }
    close(&mut open, &mut done, 0);
    Some(done)
}

/// Closes the open headings that are not above a level.
fn close(open: &mut Vec<(usize, DocumentSymbol)>, done: &mut Vec<DocumentSymbol>, level: usize) {
    while open.last().is_some_and(|(other, _)| *other >= level) {
        let Some((_, symbol)) = open.pop() else {
            return;
        };
        match open.last_mut() {
            Some((_, above)) => above.children.get_or_insert_default().push(symbol),
            None => done.push(symbol),
        }
    }
}

/// Returns the front matter and the sections.
pub(crate) fn folds(state: &State, uri: &Uri) -> Option<Vec<FoldingRange>> {
    let (_, text) = document(state, uri)?;
    let lines = LineText::new(text.as_bytes());
    let front = Document::split(&text).ok().map(|document| document.yaml);
    let front = front.map(|yaml| Span::new(yaml.start.saturating_sub(1), yaml.end));
    let sections = sections(&text).into_iter().map(|section| {
        let whole = section.whole;
        Span::new(whole.start, whole.start + whole.of(&text).trim_end().len())
    });
    let folds = front.into_iter().chain(sections).filter_map(|span| {
        let range = lines.range(span, state.unit);
        (range.start.line < range.end.line).then(|| FoldingRange {
            start_line: range.start.line,
            end_line: range.end.line,
            kind: Some(FoldingRangeKind::Region),
            ..FoldingRange::default()
        })
    });
    Some(folds.collect())
}
