//! Definition and references of mentions and links.

use crate::documents::touch;
use crate::project::Project;
use crate::project::known::Skills;
use crate::references::{anchor, body, pages, references as of_text, skills};
use crate::state::State;
use crate::text::LineText;
use lsp_types::{Location, Position, Range, TextDocumentPositionParams};
use skills_format::yaml::{Style, Value};
use skills_format::{SkillFile, Span};
use skills_lint::Places;
use std::path::{Path, PathBuf};

/// Returns the place that a mention or a link leads to.
pub(crate) fn definition(state: &State, params: &TextDocumentPositionParams) -> Option<Location> {
    let (path, text, offset) = state.at(&params.text_document.uri, params.position)?;
    let project = state.project(&path)?;
    let known = skills(project, &path);
    let all = of_text(project, &path, &text, &known);
    let found = all
        .into_iter()
        .find(|it| touch(it.span, Span::at(offset)))?;
    let place = found.anchor.and_then(|wanted| {
        let text = String::from_utf8(state.bytes(&found.target)?).ok()?;
        let headings = Places::read(&text, body(&text)).headings;
        let heading = headings
            .into_iter()
            .find(|heading| anchor(heading.of(&text)) == wanted)?;
        Some(LineText::new(text.as_bytes()).range(heading, state.unit))
    });
    let start = Range::new(Position::new(0, 0), Position::new(0, 0));
    Some(Location::new(
        state.uri(&found.target)?,
        place.unwrap_or(start),
    ))
}

/// Returns the places that name the skill or the file at a place: of a mention or a link its target, of the front matter
/// of a `SKILL.md` the skill.
pub(crate) fn references(
    state: &State,
    params: &TextDocumentPositionParams,
    is_cancelled: &mut dyn FnMut() -> bool,
) -> Option<Vec<Location>> {
    let (path, text, offset) = state.at(&params.text_document.uri, params.position)?;
    let project = state.project(&path)?;
    let known = skills(project, &path);
    let target = target(project, &path, &text, offset, &known)?;
    let mut found = Vec::new();
    for (page, text) in pages(project, &path) {
        if is_cancelled() {
            return None;
        }
        let lines = LineText::new(text.as_bytes());
        let Some(uri) = state.uri(&page) else {
            continue;
        };
        let all = of_text(project, &page, &text, &known).into_iter();
        let all = all.filter(|it| it.target == target);
        found.extend(all.map(|it| Location::new(uri.clone(), lines.range(it.span, state.unit))));
    }
    Some(found)
}

/// Returns the file that the text at a place names.
pub(crate) fn target(
    project: &Project,
    path: &Path,
    text: &str,
    offset: usize,
    known: &Skills,
) -> Option<PathBuf> {
    let all = of_text(project, path, text, known);
    let found = all.into_iter().find(|it| touch(it.span, Span::at(offset)));
    let own = || {
        let is_own = known.values().any(|skill| skill.entry == path);
        (is_own && name_place(text).is_some_and(|(name, _)| touch(name, Span::at(offset))))
            .then(|| path.to_owned())
    };
    found.map(|it| it.target).or_else(own)
}

/// Returns the place of the value of `name`, within its quotation marks, and whether the value has none and is no block.
pub(crate) fn name_place(text: &str) -> Option<(Span, bool)> {
    let fields = SkillFile::read("", "", text.as_bytes())
        .front_matter?
        .ok()?;
    let node = fields.get("name")?;
    let Value::Scalar(scalar) = &node.value else {
        return None;
    };
    // The span of a block holds the end of its last line.
    let length = node.span.of(text).trim_end().len();
    let (start, end) = (node.span.start, node.span.start + length);
    Some(match scalar.style {
        Style::SingleQuoted | Style::DoubleQuoted => {
            (Span::new(start + 1, end.max(start + 2) - 1), false)
        }
        style => (Span::new(start, end), style == Style::Plain),
    })
}
