//! Completion: keys and values of the front matter, mentions, placeholders, links.

use crate::front::{self, Place};
use crate::references::{anchor, body, skills};
use crate::state::State;
use crate::text::LineText;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, MarkupContent,
    MarkupKind, TextDocumentPositionParams, TextEdit,
};
use skills_clients::client::all;
use skills_format::{SKILL_FILE, SkillFile, Span};
use skills_lint::Places;
use skills_permit::ToolKind;
use std::collections::BTreeSet;
use std::path::Path;

/// Returns the completions at a place. Returns `None` if nothing can be completed there.
pub(crate) fn complete(
    state: &State,
    params: &TextDocumentPositionParams,
) -> Option<Vec<CompletionItem>> {
    let (path, text, offset) = state.at(&params.text_document.uri, params.position)?;
    let lines = LineText::new(text.as_bytes());
    let maker = Maker {
        state,
        lines: &lines,
    };
    let is_entry = path
        .file_name()
        .is_some_and(|name| name.eq_ignore_ascii_case(SKILL_FILE));
    if !is_entry
        && path
            .extension()
            .is_none_or(|it| !it.eq_ignore_ascii_case("md"))
    {
        return None;
    }
    if is_entry && let Some(place) = front::place(&text, offset) {
        return Some(match place {
            Place::Key(span) => maker.keys(&text, span),
            Place::Value { key, word } => maker.values(&path, key, word),
        });
    }
    let line = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
    let before = text.get(line..offset)?;
    if let Some(at) = before.rfind('$') {
        let typed = before.get(at + 1..)?;
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '{');
        if typed.chars().all(is_name) {
            return Some(maker.mentions(&path, &text, Span::new(line + at, offset)));
        }
    }
    let open = before.rfind("](")? + "](".len();
    let address = before.get(open..)?;
    (!address.contains([')', ' ']))
        .then(|| maker.addresses(&path, &text, address, line + open, offset))
}

struct Maker<'s> {
    state: &'s State,
    lines: &'s LineText<'s>,
}

impl Maker<'_> {
    fn item(
        &self,
        label: &str,
        new: String,
        span: Span,
        kind: CompletionItemKind,
        about: Option<String>,
    ) -> CompletionItem {
        let range = self.lines.range(span, self.state.unit);
        CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            // Editors filter by the text that is replaced.
            filter_text: Some(label.to_owned()),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, new))),
            documentation: about.map(|value| {
                Documentation::MarkupContent(MarkupContent {
                    kind: MarkupKind::Markdown,
                    value,
                })
            }),
            ..CompletionItem::default()
        }
    }

    /// The keys that the front matter does not have.
    fn keys(&self, text: &str, span: Span) -> Vec<CompletionItem> {
        let written = front::written_keys(text, span.start);
        let has = |key: &str| written.contains(key);
        let is_written = text
            .get(span.end..)
            .is_some_and(|rest| rest.starts_with(':'));
        let new = |key: &str| {
            if is_written {
                key.to_owned()
            } else {
                format!("{key}: ")
            }
        };
        let keys = front::keys().into_iter().filter(|key| !has(key));
        keys.map(|key| {
            self.item(
                key,
                new(key),
                span,
                CompletionItemKind::PROPERTY,
                front::about(key),
            )
        })
        .collect()
    }

    fn values(&self, path: &Path, key: &str, word: Span) -> Vec<CompletionItem> {
        let mut values = front::values(key);
        match key {
            "name" => values.extend(
                path.parent()
                    .and_then(Path::file_name)
                    .map(|name| name.to_string_lossy().into_owned()),
            ),
            "allowed-tools" | "disallowed-tools" | "command-tool" => {
                let names = ToolKind::ALL.into_iter().flat_map(ToolKind::names);
                values.extend(names.map(|name| (*name).to_owned()));
            }
            _ => {}
        }
        let values = values.into_iter();
        values
            .map(|value| self.item(&value, value.clone(), word, CompletionItemKind::VALUE, None))
            .collect()
    }

    /// The skills of the bundle, the arguments of the skill, and the placeholders of clients.
    fn mentions(&self, path: &Path, text: &str, span: Span) -> Vec<CompletionItem> {
        let known = self
            .state
            .project(path)
            .map(|project| skills(project, path));
        let known = known.unwrap_or_default();
        let others = known.iter().filter(|(_, skill)| skill.entry != path);
        let others = others.map(|(name, skill)| {
            let label = format!("${name}");
            self.item(
                &label,
                label.clone(),
                span,
                CompletionItemKind::MODULE,
                Some(skill.description.clone()),
            )
        });
        let mut items: Vec<CompletionItem> = others.collect();
        let file = SkillFile::read("", "", text.as_bytes());
        let (skill, _) = file.lenient();
        let names = skill
            .map(|skill| skill.fields.arguments)
            .unwrap_or_default();
        let mut placeholders: BTreeSet<String> =
            names.iter().map(|name| format!("${name}")).collect();
        placeholders.insert("$ARGUMENTS".to_owned());
        let of_clients = all()
            .iter()
            .filter_map(|client| client.placeholders.as_ref());
        placeholders.extend(of_clients.flat_map(|known| known.variables.iter().cloned()));
        items.extend(placeholders.into_iter().map(|name| {
            self.item(
                &name,
                name.clone(),
                span,
                CompletionItemKind::VARIABLE,
                None,
            )
        }));
        items
    }

    /// The files of the skill, and the anchors of a file.
    fn addresses(
        &self,
        path: &Path,
        text: &str,
        address: &str,
        start: usize,
        end: usize,
    ) -> Vec<CompletionItem> {
        let Some(project) = self.state.project(path) else {
            return Vec::new();
        };
        if let Some((file, _)) = address.split_once('#') {
            let target = path.parent().unwrap_or(path).join(file);
            let other = if file.is_empty() {
                Some(text.to_owned())
            } else {
                project
                    .read(&target)
                    .and_then(|it| String::from_utf8(it).ok())
            };
            let other = other.unwrap_or_default();
            let places = Places::read(&other, body(&other));
            let span = Span::new(start + file.len() + 1, end);
            let anchors = places
                .headings
                .iter()
                .map(|heading| anchor(heading.of(&other)));
            return anchors
                .map(|name| {
                    self.item(
                        &name,
                        name.clone(),
                        span,
                        CompletionItemKind::REFERENCE,
                        None,
                    )
                })
                .collect();
        }
        let (Some(bundle), Some(dir)) = (project.bundle_of(path), project.skill_of(path)) else {
            return Vec::new();
        };
        let inside = project
            .repository
            .as_ref()
            .and_then(|it| it.path_in(path))
            .unwrap_or_default();
        let folder = inside.rsplit_once('/').map_or("", |(folder, _)| folder);
        let depth = folder
            .get(dir.len()..)
            .unwrap_or_default()
            .split('/')
            .filter(|part| !part.is_empty())
            .count();
        let files = bundle.tree.files.iter().filter(|file| file.path != inside);
        let files = files.filter_map(|file| {
            let below = match folder {
                "" => Some(file.path.as_str()),
                folder => file
                    .path
                    .strip_prefix(folder)
                    .and_then(|rest| rest.strip_prefix('/')),
            };
            if let Some(below) = below {
                return Some(below.to_owned());
            }
            let rest = file.path.strip_prefix(&dir)?.trim_start_matches('/');
            Some(format!("{}{rest}", "../".repeat(depth)))
        });
        files
            .map(|name| {
                // A space would end the address.
                let new = name.replace('%', "%25").replace(' ', "%20");
                self.item(
                    &name,
                    new,
                    Span::new(start, end),
                    CompletionItemKind::FILE,
                    None,
                )
            })
            .collect()
    }
}
