//! What the server can do, and what it reads of the first message of a client.

use crate::place::path_of;
use crate::text::Unit;
use lsp_types::{
    CodeActionKind, CodeActionOptions, CompletionOptions, HoverProviderCapability,
    InitializeParams, OneOf, PositionEncodingKind, RenameOptions, SaveOptions, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkDoneProgressOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use std::path::{Path, PathBuf};

/// Returns the unit in which a client counts characters.
pub(crate) fn unit(params: &InitializeParams) -> Unit {
    let general = params.capabilities.general.as_ref();
    let encodings = general.and_then(|general| general.position_encodings.as_deref());
    let has_utf8 = encodings.is_some_and(|known| known.contains(&PositionEncodingKind::UTF8));
    if has_utf8 { Unit::Utf8 } else { Unit::Utf16 }
}

/// Returns the folders that a client has open.
pub(crate) fn roots(params: &InitializeParams, working_folder: &Path) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten();
    let mut roots: Vec<PathBuf> = folders.filter_map(|folder| path_of(&folder.uri)).collect();
    // A client that names no folder opens single files, and then each file brings its own repository.
    if roots.is_empty() && params.workspace_folders.is_none() && params.process_id.is_none() {
        roots.push(working_folder.to_owned());
    }
    roots
}

pub(crate) fn capabilities(unit: Unit) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(match unit {
            Unit::Utf8 => PositionEncodingKind::UTF8,
            Unit::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
                    include_text: Some(false),
                })),
                ..TextDocumentSyncOptions::default()
            },
        )),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(vec![
                    CodeActionKind::QUICKFIX,
                    CodeActionKind::SOURCE_FIX_ALL,
                ]),
                ..CodeActionOptions::default()
            }
            .into(),
        ),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(["$", ":", "/", "(", "#"].map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    }
}
