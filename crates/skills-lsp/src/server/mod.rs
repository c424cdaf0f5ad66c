//! The messages of a client, one after the other.

mod capabilities;
mod inbox;

use crate::actions::actions;
use crate::complete::complete;
use crate::documents::{Changed, Documents, LONGEST};
use crate::hover::hover;
use crate::navigate::{definition, references};
use crate::place::path_of;
use crate::project::Project;
use crate::project::scan::Scanned;
use crate::published::Published;
use crate::rename;
use crate::server::capabilities::{capabilities, roots, unit};
use crate::server::inbox::{CANCELLED, Event, Inbox};
use crate::state::{Refused, State};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CompletionParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, GotoDefinitionParams, HoverParams, InitializeParams, MessageType,
    ReferenceParams, Uri, WorkspaceFolder,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

/// Answers the messages of a connection until the client ends it. `working_folder` is the workspace of a client that
/// names none. Returns whether the client asked for the end first, as the protocol requires.
pub fn serve(connection: &Connection, working_folder: &Path) -> bool {
    let mut inbox = Inbox::new(connection);
    let mut server: Option<Server<'_>> = None;
    let mut is_over = false;
    loop {
        match inbox.next() {
            Event::End => return is_over,
            Event::Scanned(number, scanned) => {
                if let Some(server) = server.as_mut().filter(|_| !is_over) {
                    server.scanned(number, *scanned);
                }
            }
            Event::Message(Message::Request(request)) => {
                let id = request.id.clone();
                let refused = match (&mut server, request.method.as_str()) {
                    _ if is_over => Some((ErrorCode::InvalidRequest, "the server is shut down")),
                    (Some(_), "shutdown") => {
                        is_over = true;
                        let done = Response::new_ok(request.id, Value::Null);
                        let _ = connection.sender.send(done.into());
                        None
                    }
                    (Some(_), "initialize") => {
                        Some((ErrorCode::InvalidRequest, "it is initialized"))
                    }
                    (Some(server), _) => {
                        server.request(request, &mut inbox);
                        None
                    }
                    (None, "initialize") => {
                        server = Server::new(connection, inbox.sender(), request, working_folder);
                        // Before `initialized` a client takes no other message.
                        continue;
                    }
                    (None, _) => {
                        Some((ErrorCode::ServerNotInitialized, "`initialize` comes first"))
                    }
                };
                if let Some((code, message)) = refused {
                    refuse(connection, id, code, message);
                }
            }
            Event::Message(Message::Notification(notification))
                if notification.method == "exit" =>
            {
                return is_over;
            }
            Event::Message(Message::Notification(notification)) => {
                if let Some(server) = server.as_mut().filter(|_| !is_over) {
                    server.notification(notification);
                }
            }
            // The answers to the requests of the server need nothing done.
            Event::Message(Message::Response(_)) => {}
        }
        // A person types faster than messages are read: the check waits for the last of them.
        if let Some(server) = &mut server
            && !is_over
            && inbox.is_empty()
        {
            server.publish();
        }
    }
}

fn refuse(connection: &Connection, id: RequestId, code: ErrorCode, message: &str) {
    let answer = Response::new_err(id, code as i32, message.to_owned());
    // Fails only if the client has gone.
    let _ = connection.sender.send(answer.into());
}

struct Server<'c> {
    connection: &'c Connection,
    state: State,
    published: Published,
    /// True if the published findings may not be those of the projects.
    is_stale: bool,
    /// Where scans report their results.
    events: Sender<Event>,
    /// The number of the last request, and of the last scan.
    last: i32,
    can_show_progress: bool,
}

impl<'c> Server<'c> {
    fn new(
        connection: &'c Connection,
        events: Sender<Event>,
        request: Request,
        working_folder: &Path,
    ) -> Option<Self> {
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
        let unit = unit(&params);
        let window = params.capabilities.window.as_ref();
        let can_show_progress = window.and_then(|it| it.work_done_progress) == Some(true);
        let server = Self {
            connection,
            state: State {
                unit,
                documents: Documents::default(),
                projects: roots(&params, working_folder)
                    .iter()
                    .filter_map(|root| Project::new(root))
                    .collect(),
                capabilities: params.capabilities,
            },
            published: Published::default(),
            is_stale: false,
            events,
            last: 0,
            can_show_progress,
        };
        let result = json!({
            "capabilities": capabilities(unit),
            "serverInfo": { "name": "skills", "version": env!("CARGO_PKG_VERSION") },
        });
        server.send(Response::new_ok(request.id, result));
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
        let params = json!({ "registrations": [{
            "id": "files",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": { "watchers": [{ "globPattern": "**/*" }] },
        }] });
        self.ask("client/registerCapability", params);
    }

    /// Sends a request whose answer needs nothing done.
    fn ask(&mut self, method: &str, params: Value) {
        self.last += 1;
        self.send(Request::new(self.last.into(), method.to_owned(), params));
    }

    fn notify(&self, method: &str, params: impl serde::Serialize) {
        self.send(Notification::new(method.to_owned(), params));
    }

    fn request(&mut self, request: Request, inbox: &mut Inbox<'_>) {
        let Request { id, method, params } = request;
        inbox.begin(id.clone());
        let mut is_cancelled = || inbox.is_cancelled();
        // Answers are about the texts that the client has sent, and so are the findings that it sees beside them.
        self.publish();
        let answer = match method.as_str() {
            "textDocument/codeAction" => run(params, |params| {
                Ok(actions(&mut self.state, &params, &mut is_cancelled))
            }),
            "textDocument/completion" => run(params, |params: CompletionParams| {
                Ok(complete(&self.state, &params.text_document_position))
            }),
            "textDocument/hover" => run(params, |params: HoverParams| {
                Ok(hover(&self.state, &params.text_document_position_params))
            }),
            "textDocument/definition" => run(params, |params: GotoDefinitionParams| {
                Ok(definition(
                    &self.state,
                    &params.text_document_position_params,
                ))
            }),
            "textDocument/references" => run(params, |params: ReferenceParams| {
                let place = &params.text_document_position;
                Ok(references(&self.state, place, &mut is_cancelled))
            }),
            "textDocument/prepareRename" => {
                run(params, |params| Ok(rename::prepare(&self.state, &params)))
            }
            "textDocument/rename" => run(params, |params| {
                rename::rename(&self.state, &params, &mut is_cancelled)
            }),
            _ => Err((
                ErrorCode::MethodNotFound,
                format!("`{method}` is not known"),
            )),
        };
        let answer = if is_cancelled() {
            Err((ErrorCode::RequestCanceled, CANCELLED.to_owned()))
        } else {
            answer
        };
        inbox.end();
        match answer {
            Ok(answer) => self.send(Response::new_ok(id, answer)),
            Err((code, message)) => self.send(Response::new_err(id, code as i32, message)),
        }
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let read = match method.as_str() {
            "initialized" => {
                self.watch_files();
                Ok(())
            }
            "textDocument/didOpen" => note(params, |params| self.open(params)),
            "textDocument/didChange" => note(params, |params| self.change(params)),
            "textDocument/didSave" => note(params, |params: DidSaveTextDocumentParams| {
                self.written(&params.text_document.uri);
            }),
            "textDocument/didClose" => note(params, |params| self.close(&params)),
            "workspace/didChangeWatchedFiles" => note(params, |params| self.watched(&params)),
            "workspace/didChangeWorkspaceFolders" => note(params, |params| self.folders(params)),
            // `$/cancelRequest` of an answered request, `$/setTrace` and others need nothing done.
            _ => Ok(()),
        };
        if let Err(error) = read {
            self.log(&format!("`{method}` was not read: {error}"));
        }
    }

    fn log(&self, message: &str) {
        self.notify(
            "window/logMessage",
            json!({ "type": MessageType::ERROR, "message": message }),
        );
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let Some(path) = path_of(&document.uri) else {
            return;
        };
        self.hold(&path);
        let (uri, text) = (document.uri.clone(), &document.text);
        let documents = &mut self.state.documents;
        if !documents.open(path.clone(), uri, document.version, text) {
            self.too_long(document.uri.as_str());
        }
        self.replace(&path);
        for project in &mut self.state.projects {
            project.opened(&path);
        }
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let document = params.text_document;
        let Some(path) = path_of(&document.uri) else {
            return;
        };
        let changes = params.content_changes;
        let uri = document.uri.as_str();
        let documents = &mut self.state.documents;
        match documents.change(&path, document.version, changes, self.state.unit) {
            Changed::Done => self.replace(&path),
            Changed::Grown => {
                self.too_long(uri);
                self.replace(&path);
            }
            Changed::TooLong => {}
            Changed::NotOpen => self.log(&format!("{uri} was changed, and is not open")),
        }
    }

    /// Tells that what a person types into a document is not checked.
    fn too_long(&self, uri: &str) {
        self.log(&format!(
            "{uri} has more than {LONGEST} bytes: until it is opened again, the file on the disk is checked"
        ));
    }

    fn close(&mut self, params: &DidCloseTextDocumentParams) {
        if let Some(path) = path_of(&params.text_document.uri) {
            self.published.forget(&path);
            self.state.documents.close(&path);
            self.replace(&path);
            self.close_projects();
        }
    }

    /// Opens the skill of a document that no project checks.
    fn hold(&mut self, path: &Path) {
        let mut folders = self.state.projects.iter().filter(|it| !it.is_of_documents);
        if folders.any(|folder| folder.checks(path)) {
            return;
        }
        let Some(new) = Project::of_document(path) else {
            return;
        };
        if !self.state.projects.iter().any(|known| known.covers(&new)) {
            self.state.projects.push(new);
        }
    }

    /// Closes the projects of documents that are closed.
    fn close_projects(&mut self) {
        let State {
            documents,
            projects,
            ..
        } = &mut self.state;
        let before = projects.len();
        projects.retain(|project| project.is_open(documents));
        self.is_stale |= projects.len() < before;
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
        self.published.forget(&path);
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
        // A file that git writes is no file of a skill.
        let changes = params.changes.iter().map(|change| &change.uri);
        let changes = changes.filter(|uri| !uri.as_str().contains("/.git/"));
        let paths: Vec<PathBuf> = changes.filter_map(path_of).collect();
        for path in &paths {
            self.published.forget(path);
        }
        for project in &mut self.state.projects {
            project.changed(&paths);
        }
    }

    fn folders(&mut self, params: DidChangeWorkspaceFoldersParams) {
        self.is_stale = true;
        let paths = |folders: Vec<WorkspaceFolder>| {
            let paths = folders.into_iter().filter_map(|it| path_of(&it.uri));
            paths.collect::<Vec<PathBuf>>()
        };
        let projects = &mut self.state.projects;
        for path in paths(params.event.removed) {
            projects.retain(|project| !project.is_folder(&path));
        }
        for path in paths(params.event.added) {
            if !projects.iter().any(|project| project.is_folder(&path))
                && let Some(new) = Project::new(&path)
            {
                // A document of the folder can be open since before.
                projects.retain(|project| !project.is_of_documents_in(&new));
                projects.push(new);
            }
        }
        let open: Vec<PathBuf> = self
            .state
            .documents
            .iter()
            .map(|(path, _)| path.to_owned())
            .collect();
        for path in open {
            self.hold(&path);
        }
    }

    /// Sends the findings of the files whose findings have changed.
    fn publish(&mut self) {
        self.refresh();
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        let told = self.published.without_file.clone();
        for params in self.published.update(&self.state) {
            self.notify("textDocument/publishDiagnostics", params);
        }
        for finding in self.published.without_file.difference(&told) {
            self.log(finding);
        }
    }

    /// Checks what has changed, and begins the scans that are due.
    fn refresh(&mut self) {
        let State {
            documents,
            projects,
            ..
        } = &mut self.state;
        let mut scans = Vec::new();
        let mut failures = Vec::new();
        for project in projects {
            self.is_stale |= project.refresh(documents);
            failures.extend(project.failure.take());
            let is_first = project.repository.is_none();
            if let Some(scan) = project.due_scan(self.last + 1, documents) {
                self.last += 1;
                scans.push((self.last, scan, is_first.then(|| project.shown())));
            }
        }
        for message in failures {
            self.notify(
                "window/showMessage",
                json!({ "type": MessageType::ERROR, "message": message }),
            );
        }
        for (number, scan, first) in scans {
            self.begin(number, first);
            let events = self.events.clone();
            // Fails only if the server has ended.
            scan.begin(move |scanned| drop(events.send(Event::Scanned(number, Box::new(scanned)))));
        }
    }

    fn scanned(&mut self, number: i32, scanned: io::Result<Scanned>) {
        let mut projects = self.state.projects.iter_mut();
        // The folder may be closed since.
        if let Some(project) = projects.find(|project| project.scan == Some(number)) {
            project.take(scanned, &self.state.documents);
            self.is_stale = true;
        }
        self.publish();
        self.progress(number, &json!({ "kind": "end" }));
    }

    /// Tells that a scan begins. A client without progress is told of the first scan of a folder alone, `first`.
    fn begin(&mut self, number: i32, first: Option<String>) {
        if self.can_show_progress {
            self.ask("window/workDoneProgress/create", json!({ "token": number }));
            self.progress(
                number,
                &json!({ "kind": "begin", "title": "Checking skills" }),
            );
        } else if let Some(folder) = first {
            let message =
                format!("checking the skills of {folder}: findings come when all are read");
            self.notify(
                "window/logMessage",
                json!({ "type": MessageType::INFO, "message": message }),
            );
        }
    }

    fn progress(&self, number: i32, value: &Value) {
        if self.can_show_progress {
            self.notify("$/progress", json!({ "token": number, "value": value }));
        }
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
