//! The messages of a client, one after the other.

use crate::answer::diagnostic;
use crate::documents::Documents;
use crate::place::path_of;
use crate::project::Project;
use crate::state::{Refused, State};
use crate::text::{LineText, Unit};
use crate::wire::UNREAD;
use crate::{actions, complete, hover, navigate, outline, rename};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CompletionOptions, DidChangeTextDocumentParams,
    DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, DocumentLinkOptions,
    FoldingRangeProviderCapability, HoverProviderCapability, InitializeParams, OneOf,
    PositionEncodingKind, PublishDiagnosticsParams, RenameOptions, SaveOptions, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Uri, WorkDoneProgressOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use skills_format::{Diagnostic as Finding, Related};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Answers the messages of a connection until the client ends it. `working_folder` is the workspace of a client that
/// names none. Returns whether the client asked for the end first, as the protocol requires.
pub fn serve(connection: &Connection, working_folder: &Path) -> bool {
    let mut server: Option<Server<'_>> = None;
    let mut is_over = false;
    for message in &connection.receiver {
        match message {
            Message::Request(request) if is_over => {
                refuse(
                    connection,
                    request.id,
                    ErrorCode::InvalidRequest,
                    "the server is shut down",
                );
            }
            Message::Request(request) if server.is_some() && request.method == "shutdown" => {
                is_over = true;
                let _ = connection
                    .sender
                    .send(Response::new_ok(request.id, Value::Null).into());
            }
            Message::Request(request) if request.method == "initialize" => match &server {
                None => server = Server::new(connection, request, working_folder),
                Some(_) => refuse(
                    connection,
                    request.id,
                    ErrorCode::InvalidRequest,
                    "it is initialized",
                ),
            },
            Message::Request(request) => match &mut server {
                Some(server) => server.request(request),
                None => refuse(
                    connection,
                    request.id,
                    ErrorCode::ServerNotInitialized,
                    "`initialize` comes first",
                ),
            },
            Message::Notification(notification) if notification.method == "exit" => return is_over,
            Message::Notification(notification) => {
                if let Some(server) = server.as_mut().filter(|_| !is_over) {
                    server.notification(notification);
                }
            }
            // The answers to the requests of the server need nothing done.
            Message::Response(_) => {}
        }
        // A person types faster than messages are read: the check waits for the last of them.
        if let Some(server) = &mut server
            && !is_over
            && connection.receiver.is_empty()
        {
            server.publish();
        }
    }
    is_over
}

fn refuse(connection: &Connection, id: RequestId, code: ErrorCode, message: &str) {
    let answer = Response::new_err(id, code as i32, message.to_owned());
    // Fails only if the client has gone.
    let _ = connection.sender.send(answer.into());
}

struct Server<'c> {
    connection: &'c Connection,
    state: State,
    /// The published findings that the client shows, by the paths of their files.
    published: BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>>,
    /// The findings of files that are not open, and what was made of them: no file is read again for its lines.
    made: BTreeMap<PathBuf, (Vec<Finding>, Vec<lsp_types::Diagnostic>)>,
    next_request: i32,
}

impl<'c> Server<'c> {
    fn new(connection: &'c Connection, request: Request, working_folder: &Path) -> Option<Self> {
        let params: InitializeParams = match serde_json::from_value(request.params) {
            Ok(params) => params,
            Err(error) => {
                refuse(
                    connection,
                    request.id,
                    ErrorCode::InvalidParams,
                    &error.to_string(),
                );
                return None;
            }
        };
        let general = params.capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.as_deref());
        let has_utf8 = encodings.is_some_and(|known| known.contains(&PositionEncodingKind::UTF8));
        let unit = if has_utf8 { Unit::Utf8 } else { Unit::Utf16 };
        let mut server = Self {
            connection,
            state: State {
                unit,
                documents: Documents::default(),
                projects: roots(&params, working_folder)
                    .iter()
                    .filter_map(|root| Project::new(root, root))
                    .collect(),
                capabilities: params.capabilities,
            },
            published: BTreeMap::new(),
            made: BTreeMap::new(),
            next_request: 0,
        };
        let result = json!({
            "capabilities": capabilities(unit),
            "serverInfo": { "name": "skills", "version": env!("CARGO_PKG_VERSION") },
        });
        server.send(Response::new_ok(request.id, result));
        server.watch_files();
        Some(server)
    }

    fn send(&self, message: impl Into<Message>) {
        // Fails only if the client has gone, and then the input ends too.
        let _ = self.connection.sender.send(message.into());
    }

    /// Asks the client to report changes of files, if it can.
    fn watch_files(&mut self) {
        let workspace = self.state.capabilities.workspace.as_ref();
        let watched = workspace.and_then(|it| it.did_change_watched_files);
        if watched.and_then(|it| it.dynamic_registration) != Some(true) {
            return;
        }
        self.next_request += 1;
        let params = json!({ "registrations": [{
            "id": "files",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": { "watchers": [{ "globPattern": "**/*" }] },
        }] });
        let method = "client/registerCapability".to_owned();
        self.send(Request::new(self.next_request.into(), method, params));
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        // Answers are about the texts that the client has sent, and so are the findings that it sees beside them.
        self.publish();
        let answer = match method.as_str() {
            "textDocument/codeAction" => run(params, |params| {
                Ok(actions::actions(&mut self.state, &params))
            }),
            "textDocument/completion" => run(params, |params: lsp_types::CompletionParams| {
                Ok(complete::complete(
                    &self.state,
                    &params.text_document_position,
                ))
            }),
            "textDocument/hover" => run(params, |params: lsp_types::HoverParams| {
                Ok(hover::hover(
                    &self.state,
                    &params.text_document_position_params,
                ))
            }),
            "textDocument/definition" => run(params, |params: lsp_types::GotoDefinitionParams| {
                Ok(navigate::definition(
                    &self.state,
                    &params.text_document_position_params,
                ))
            }),
            "textDocument/references" => run(params, |params: lsp_types::ReferenceParams| {
                Ok(navigate::references(
                    &self.state,
                    &params.text_document_position,
                ))
            }),
            "textDocument/documentLink" => run(params, |params: lsp_types::DocumentLinkParams| {
                Ok(outline::links(&self.state, &params.text_document.uri))
            }),
            "textDocument/documentSymbol" => {
                run(params, |params: lsp_types::DocumentSymbolParams| {
                    Ok(outline::symbols(&self.state, &params.text_document.uri))
                })
            }
            "textDocument/foldingRange" => run(params, |params: lsp_types::FoldingRangeParams| {
                Ok(outline::folds(&self.state, &params.text_document.uri))
            }),
            "textDocument/prepareRename" => {
                run(params, |params| Ok(rename::prepare(&self.state, &params)))
            }
            "textDocument/rename" => run(params, |params| rename::rename(&self.state, &params)),
            _ => Err((
                ErrorCode::MethodNotFound,
                format!("`{method}` is not known"),
            )),
        };
        match answer {
            Ok(answer) => self.send(Response::new_ok(id, answer)),
            Err((code, message)) => self.send(Response::new_err(id, code as i32, message)),
        }
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let read = match method.as_str() {
            "textDocument/didOpen" => note(params, |params| self.open(params)),
            "textDocument/didChange" => note(params, |params| self.change(params)),
            "textDocument/didSave" => note(params, |params: DidSaveTextDocumentParams| {
                self.written(&params.text_document.uri);
            }),
            "textDocument/didClose" => note(params, |params| self.close(&params)),
            "workspace/didChangeWatchedFiles" => note(params, |params| self.watched(&params)),
            "workspace/didChangeWorkspaceFolders" => note(params, |params| self.folders(params)),
            UNREAD => note(params, |reason: String| {
                self.log(&format!("a message was not read: {reason}"));
            }),
            // `initialized`, `$/cancelRequest`, `$/setTrace` and others need nothing done.
            _ => Ok(()),
        };
        if let Err(error) = read {
            self.log(&format!("`{method}` was not read: {error}"));
        }
    }

    fn log(&self, message: &str) {
        let params = json!({ "type": 1, "message": message });
        self.send(Notification::new("window/logMessage".to_owned(), params));
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let Some(path) = path_of(&document.uri) else {
            return;
        };
        if !self
            .state
            .projects
            .iter()
            .any(|project| project.holds(&path))
        {
            let base = path.parent().unwrap_or(&path).to_owned();
            self.state.projects.extend(Project::new(&path, &base));
        }
        self.state
            .documents
            .open(path.clone(), document.uri, document.version, &document.text);
        self.replace(&path);
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let document = params.text_document;
        let Some(path) = path_of(&document.uri) else {
            return;
        };
        let changes = params.content_changes;
        if self
            .state
            .documents
            .change(&path, document.version, changes, self.state.unit)
        {
            self.replace(&path);
        } else {
            self.log(&format!(
                "{} was changed, and is not open",
                document.uri.as_str()
            ));
        }
    }

    fn close(&mut self, params: &DidCloseTextDocumentParams) {
        if let Some(path) = path_of(&params.text_document.uri) {
            self.made.remove(&path);
            self.state.documents.close(&path);
            self.replace(&path);
        }
    }

    /// Passes the text of a document to the projects that hold it.
    fn replace(&mut self, path: &Path) {
        let text: Option<Arc<str>> = self
            .state
            .documents
            .get(path)
            .map(|it| Arc::clone(&it.text));
        for project in &mut self.state.projects {
            if project.holds(path) {
                project.replace_text(path, text.as_ref());
            }
        }
    }

    /// A saved file can be the copy of another skill, or the cause of a fault elsewhere: everything is checked.
    fn written(&mut self, uri: &Uri) {
        let Some(path) = path_of(uri) else { return };
        self.made.remove(&path);
        for project in self
            .state
            .projects
            .iter_mut()
            .filter(|project| project.holds(&path))
        {
            project.walk_again();
        }
    }

    fn watched(&mut self, params: &DidChangeWatchedFilesParams) {
        for change in &params.changes {
            // A file that git writes is no file of a skill.
            if !change.uri.as_str().contains("/.git/") {
                self.written(&change.uri);
            }
        }
    }

    fn folders(&mut self, params: DidChangeWorkspaceFoldersParams) {
        for folder in params.event.removed {
            if let Some(path) = path_of(&folder.uri) {
                self.state.projects.retain(|project| project.base != path);
            }
        }
        for folder in params.event.added {
            if let Some(path) = path_of(&folder.uri) {
                self.state.projects.extend(Project::new(&path, &path));
            }
        }
    }

    fn refresh(&mut self) {
        let mut failures = Vec::new();
        for project in &mut self.state.projects {
            project.refresh(&self.state.documents);
            failures.extend(project.failure.take());
        }
        for failure in failures {
            let params = json!({ "type": 1, "message": failure });
            self.send(Notification::new("window/showMessage".to_owned(), params));
        }
    }

    /// Sends the findings of the files whose findings have changed.
    fn publish(&mut self) {
        self.refresh();
        let mut now: BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>> = BTreeMap::new();
        for project in &self.state.projects {
            for (path, findings) in &project.findings {
                let shown = project.shown_at(path);
                // A finding about a folder is shown at the start of its `SKILL.md`.
                let is_open = self.state.documents.get(path).is_some();
                let found = match self.made.get(path) {
                    Some((known, made)) if !is_open && known == findings => made.clone(),
                    _ => {
                        let bytes = self.state.bytes(path).unwrap_or_default();
                        let lines = LineText::new(&bytes);
                        let unit = self.state.unit;
                        let related = |it: &Related| self.state.location(project, it);
                        let found = findings
                            .iter()
                            .map(|it| diagnostic(it, &lines, unit, related));
                        let found: Vec<_> = found.collect();
                        let made = (findings.clone(), found.clone());
                        self.made.insert(path.clone(), made);
                        found
                    }
                };
                let all = now.entry(shown).or_default();
                for found in found {
                    // Two projects can hold one file.
                    if !all.contains(&found) {
                        all.push(found);
                    }
                }
            }
        }
        let gone = self
            .published
            .keys()
            .filter(|path| !now.contains_key(*path));
        let gone: Vec<PathBuf> = gone.cloned().collect();
        for path in gone {
            self.publish_one(&path, &[]);
        }
        for (path, found) in &now {
            if self.published.get(path) != Some(found) {
                self.publish_one(path, found);
            }
        }
        self.published = now;
    }

    fn publish_one(&self, path: &Path, found: &[lsp_types::Diagnostic]) {
        let Some(uri) = self.state.uri(path) else {
            return;
        };
        let version = self
            .state
            .documents
            .get(path)
            .map(|document| document.version);
        let params = PublishDiagnosticsParams::new(uri, found.to_vec(), version);
        self.send(Notification::new(
            "textDocument/publishDiagnostics".to_owned(),
            params,
        ));
    }
}

fn run<P: DeserializeOwned, R: serde::Serialize>(
    params: Value,
    answer: impl FnOnce(P) -> Result<R, Refused>,
) -> Result<Value, Refused> {
    let params = serde_json::from_value(params);
    let params = params.map_err(|error| (ErrorCode::InvalidParams, error.to_string()))?;
    serde_json::to_value(answer(params)?)
        .map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

fn note<P: DeserializeOwned>(params: Value, take: impl FnOnce(P)) -> Result<(), serde_json::Error> {
    serde_json::from_value(params).map(take)
}

/// Returns the folders that a client has open.
fn roots(params: &InitializeParams, working_folder: &Path) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten();
    let mut roots: Vec<PathBuf> = folders.filter_map(|folder| path_of(&folder.uri)).collect();
    if roots.is_empty() {
        #[expect(deprecated, reason = "older clients name no workspace folders")]
        let root = params.root_uri.as_ref();
        roots.extend(root.and_then(path_of));
    }
    // A client that names no folder opens single files, and then each file brings its own repository.
    if roots.is_empty() && params.workspace_folders.is_none() && params.process_id.is_none() {
        roots.push(working_folder.to_owned());
    }
    roots
}

fn capabilities(unit: Unit) -> ServerCapabilities {
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
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        document_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
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
