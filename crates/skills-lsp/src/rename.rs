//! Renames a skill: its folder, its name, and the places that name it.

use crate::actions::{Changes, text_edit};
use crate::navigate::{name_place, target};
use crate::place::path_of;
use crate::project::Project;
use crate::project::known::Skills;
use crate::references::{ReferenceKind, pages, references, skills};
use crate::state::{Refused, State};
use crate::text::LineText;
use lsp_server::ErrorCode;
use lsp_types::{
    PrepareRenameResponse, RenameFile, RenameParams, ResourceOp, ResourceOperationKind,
    TextDocumentPositionParams, WorkspaceEdit,
};
use skills_format::name::in_yaml;
use skills_format::{Edit, SkillName, Span};
use std::path::{Path, PathBuf};

/// Returns the name that can be changed at a place.
pub(crate) fn prepare(
    state: &State,
    params: &TextDocumentPositionParams,
) -> Option<PrepareRenameResponse> {
    let (placeholder, _) = skill_at(state, params)?;
    let (path, text, offset) = state.at(&params.text_document.uri, params.position)?;
    let project = state.project(&path)?;
    let all = references(project, &path, &text, &skills(project, &path));
    let named = all
        .iter()
        .find(|it| it.span.start <= offset && offset <= it.span.end);
    let span = match named {
        Some(it) if it.kind == ReferenceKind::Mention => Span::new(it.span.start + 1, it.span.end),
        // An address is not the name.
        Some(_) => return None,
        None => name_place(&text)?.0,
    };
    Some(PrepareRenameResponse::RangeWithPlaceholder {
        range: LineText::new(text.as_bytes()).range(span, state.unit),
        placeholder,
    })
}

/// Returns the skill that the text at a place names, and its `SKILL.md`.
fn skill_at(state: &State, params: &TextDocumentPositionParams) -> Option<(String, PathBuf)> {
    let (path, text, offset) = state.at(&params.text_document.uri, params.position)?;
    let project = state.project(&path)?;
    let known = skills(project, &path);
    let target = target(project, &path, &text, offset, &known)?;
    let skill = known.values().find(|skill| skill.entry == target)?;
    Some((skill.name.clone(), skill.entry.clone()))
}

fn refused(message: impl Into<String>) -> Refused {
    (ErrorCode::RequestFailed, message.into())
}

pub(crate) fn rename(
    state: &State,
    params: &RenameParams,
    is_cancelled: &mut dyn FnMut() -> bool,
) -> Result<Option<WorkspaceEdit>, Refused> {
    let place = &params.text_document_position;
    let Some((name, entry)) = skill_at(state, place) else {
        let path = path_of(&place.text_document.uri);
        let project = path.and_then(|path| state.project(&path));
        return Err(refused(
            if project.is_some_and(|project| project.repository.is_none()) {
                "the skills of the folder are not read yet: rename again when they are"
            } else {
                "no skill is named here"
            },
        ));
    };
    let new = SkillName::new(&params.new_name).map_err(|error| refused(error.to_string()))?;
    let project = state
        .project(&entry)
        .ok_or_else(|| refused("the skill is in no open folder"))?;
    let known = skills(project, &entry);
    if known.contains_key(new.as_str()) {
        return Err(refused(format!("a skill is named `{new}` already")));
    }
    let folder = entry.parent().unwrap_or(&entry);
    let moves = folder
        .file_name()
        .is_some_and(|it| it.to_str() == Some(&*name))
        && known
            .values()
            .any(|skill| skill.entry == entry && !skill.dir.is_empty());
    let edits = state
        .capabilities
        .workspace
        .as_ref()
        .and_then(|it| it.workspace_edit.as_ref());
    let operations = edits
        .and_then(|it| it.resource_operations.as_deref())
        .unwrap_or_default();
    if moves && !operations.contains(&ResourceOperationKind::Rename) {
        return Err(refused(format!(
            "the editor cannot rename folders: rename {} first, then the name",
            folder.display()
        )));
    }
    let new_folder = folder.with_file_name(new.as_str());
    let repository = project.repository.as_ref();
    let is_taken = || {
        let inside =
            repository.and_then(|it| it.path_in(&new_folder).map(|path| !it.is_absent(&path)));
        inside.unwrap_or_default()
    };
    // The editor would fail at the folder, after the edits.
    if moves && is_taken() {
        return Err(refused(format!(
            "{} is there already",
            new_folder.display()
        )));
    }
    let mut changes = Changes::default();
    for (page, text) in pages(project, &entry) {
        if is_cancelled() {
            return Ok(None);
        }
        let lines = LineText::new(text.as_bytes());
        let edits = in_page(
            project,
            &known,
            (&page, &text),
            (&entry, new.as_str(), moves),
        );
        let edits = edits
            .iter()
            .map(|edit| text_edit(state, &lines, edit))
            .collect();
        changes.edit(state, &page, edits);
    }
    if moves {
        let uris = state.uri(folder).zip(state.uri(&new_folder));
        let (old_uri, new_uri) = uris.ok_or_else(|| refused("the path is not UTF-8"))?;
        // Last: the edits before it name the files by their old paths.
        changes.operation(ResourceOp::Rename(RenameFile {
            old_uri,
            new_uri,
            options: None,
            annotation_id: None,
        }));
    }
    Ok(changes.edit_of(state))
}

/// Returns the edits of a page: of the old name and of the folder, if the folder moves.
fn in_page(
    project: &Project,
    known: &Skills,
    (page, text): (&Path, &str),
    (entry, new, moves): (&Path, &str, bool),
) -> Vec<Edit> {
    let folder = entry.parent().unwrap_or(entry);
    let mut edits = Vec::new();
    if page == entry
        && let Some((span, is_plain)) = name_place(text)
    {
        let name = if is_plain { in_yaml(new) } else { new.into() };
        edits.push(Edit::replace(span, name));
    }
    for it in references(project, page, text, known) {
        edits.extend(match it.kind {
            ReferenceKind::Mention if it.target == entry => {
                // `$source:name` keeps its source.
                let start = it.span.end
                    - it.span
                        .of(text)
                        .rsplit([':', '$'])
                        .next()
                        .map_or(0, str::len);
                Some(Edit::replace(Span::new(start, it.span.end), new))
            }
            ReferenceKind::Mention => None,
            _ => component(page, folder, it.span, text)
                .filter(|_| moves)
                .map(|span| Edit::replace(span, new)),
        });
    }
    edits
}

/// Returns the component of an address that is the name of a folder, if the address leads through the folder by its name.
fn component(page: &Path, folder: &Path, span: Span, text: &str) -> Option<Span> {
    let mut at = page.parent()?.to_owned();
    let mut start = span.start;
    for part in span.of(text).split('/') {
        match part {
            "" | "." => {}
            ".." => {
                at.pop();
            }
            part => {
                at.push(part);
                if at == folder {
                    return Some(Span::new(start, start + part.len()));
                }
            }
        }
        start += part.len() + 1;
    }
    None
}
