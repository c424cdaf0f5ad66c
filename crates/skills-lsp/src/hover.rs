//! Hover: the rule of a finding, a field by client, a skill, the target of a link.

use crate::documents::touch;
use crate::front::{self, Place};
use crate::project::known::Known;
use crate::references::{ReferenceKind, references, skills};
use crate::state::State;
use crate::text::LineText;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, TextDocumentPositionParams};
use skills_clients::client::listings;
use skills_clients::listing::{Listed, Shown};
use skills_format::{SKILL_FILE, Span, estimate_tokens};
use skills_lint::rules;
use std::fmt::Write as _;
use std::path::Path;

/// The context in tokens for which the lists of clients are cut.
const CONTEXT: u64 = 200_000;

pub(crate) fn hover(state: &State, params: &TextDocumentPositionParams) -> Option<Hover> {
    let (path, text, offset) = state.at(&params.text_document.uri, params.position)?;
    let project = state.project(&path)?;
    let mut parts = Vec::new();
    let mut span = None;
    for finding in project.findings.get(&path).into_iter().flatten() {
        let place = finding.span();
        if !place.is_empty()
            && touch(place, Span::at(offset))
            && let Some(rule) = rules::find(finding.rule.as_str())
        {
            span = span.or(Some(place));
            parts.push(format!("**`{}`** {}", rule.id, rules::explain(rule)));
        }
    }
    let is_entry = path
        .file_name()
        .is_some_and(|name| name.eq_ignore_ascii_case(SKILL_FILE));
    if let Some(Place::Key(key)) = front::place(&text, offset).filter(|_| is_entry) {
        span = span.or(Some(key));
        parts.extend(front::about(key.of(&text)));
    } else {
        let known = skills(project, &path);
        let all = references(project, &path, &text, &known);
        if let Some(found) = all.iter().find(|it| touch(it.span, Span::at(offset))) {
            span = span.or(Some(found.span));
            let skill = known.iter().find(|(_, skill)| skill.entry == found.target);
            match skill {
                Some((name, skill)) => parts.push(about(name, skill, project.read(&skill.entry))),
                None if found.kind != ReferenceKind::Mention => {
                    parts.push(target(&found.target, project.read(&found.target)));
                }
                None => {}
            }
        }
    }
    let lines = LineText::new(text.as_bytes());
    (!parts.is_empty()).then(|| Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: parts.join("\n\n---\n\n"),
        }),
        range: span.map(|span| lines.range(span, state.unit)),
    })
}

/// Describes a skill: its description, its length, and what each client shows of it.
fn about(name: &str, skill: &Known, bytes: Option<Vec<u8>>) -> String {
    let text = bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .unwrap_or_default();
    let mut about = format!(
        "**{name}**\n\n{}\n\nAbout {} tokens.\n",
        skill.description,
        estimate_tokens(&text)
    );
    if !skill.is_for_model {
        about.push_str("\nClosed to the model.\n");
    }
    for client in listings().filter(|_| skill.is_for_model) {
        let location = skill.entry.to_string_lossy();
        let listed = Listed {
            name,
            description: &skill.description,
            when_to_use: &skill.when_to_use,
            location: &location,
            root: "",
        };
        let cut = client.cut(Some(CONTEXT), &[listed]);
        let Some(kept) = cut.skills.first() else {
            continue;
        };
        let shown = match kept.shown {
            Shown::Whole => "the whole description".to_owned(),
            Shown::Gone => "nothing".to_owned(),
            _ => format!("{} characters", kept.description.chars().count()),
        };
        let _ = write!(about, "\n- {} shows {shown}", client.title);
    }
    about
}

/// Describes a file.
fn target(path: &Path, bytes: Option<Vec<u8>>) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let bytes = bytes.unwrap_or_default();
    match String::from_utf8(bytes) {
        Ok(text) => format!(
            "`{name}`: {} lines, about {} tokens",
            text.lines().count(),
            estimate_tokens(&text)
        ),
        Err(error) => format!("`{name}`: {} bytes", error.as_bytes().len()),
    }
}
