//! A client of the server, in memory.

use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

pub(crate) struct Client {
    connection: Connection,
    server: Option<JoinHandle<bool>>,
    folder: tempfile::TempDir,
    next: i32,
    /// The published findings, by paths relative to the folder.
    pub(crate) findings: BTreeMap<String, Vec<Value>>,
    /// The versions of the published findings.
    pub(crate) versions: BTreeMap<String, Value>,
    pub(crate) messages: Vec<String>,
    /// The number of scans that the server has begun and not ended.
    scans: i32,
}

/// Returns the address of a path, as Visual Studio Code writes it.
pub(crate) fn address(path: &Path) -> String {
    let path = path.to_str().unwrap().replace('\\', "/");
    let path = path.replace(':', "%3A");
    let start = if path.starts_with('/') { "" } else { "/" };
    format!("file://{start}{path}")
}

impl Client {
    /// Writes files into a new folder, and starts a server for it.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self::with(
            files,
            &json!({ "workspace": { "workspaceEdit": {
            "documentChanges": true, "resourceOperations": ["create", "rename", "delete"],
        } } }),
        )
    }

    pub(crate) fn with(files: &[(&str, &str)], capabilities: &Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self::over(folder, None, capabilities)
    }

    /// Starts a server for an existing folder.
    pub(crate) fn of(root: &Path) -> Self {
        Self::over(tempfile::tempdir().unwrap(), Some(root), &json!({}))
    }

    fn over(folder: tempfile::TempDir, root: Option<&Path>, capabilities: &Value) -> Self {
        let (ours, theirs) = Connection::memory();
        let server = thread::spawn(move || skills_lsp::serve(&theirs, Path::new("/")));
        let mut client = Self {
            connection: ours,
            server: Some(server),
            folder,
            next: 0,
            findings: BTreeMap::new(),
            versions: BTreeMap::new(),
            messages: Vec::new(),
            scans: 0,
        };
        let mut capabilities = capabilities.clone();
        capabilities["window"]["workDoneProgress"] = json!(true);
        let root = root.unwrap_or(client.folder.path()).to_owned();
        let uri = address(&root);
        let folders = json!([{ "uri": uri, "name": "it" }]);
        client.request(
            "initialize",
            &json!({ "capabilities": capabilities, "workspaceFolders": folders }),
        );
        client.notify("initialized", &json!({}));
        client.settle();
        client
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    pub(crate) fn uri(&self, path: &str) -> String {
        format!("{}/{path}", address(self.folder.path()))
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        let message = Notification::new(method.to_owned(), params);
        self.connection.sender.send(message.into()).unwrap();
    }

    /// Sends a request, and returns its result or its error.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        self.next += 1;
        let id = self.next.into();
        let message = Request::new(self.next.into(), method.to_owned(), params);
        self.connection.sender.send(message.into()).unwrap();
        loop {
            match self.connection.receiver.recv().unwrap() {
                Message::Response(answer) if answer.id == id => {
                    return answer.response_result.map_err(|error| json!(error.message));
                }
                other => self.note(other),
            }
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.ask(method, params).unwrap()
    }

    fn note(&mut self, message: Message) {
        let Message::Notification(message) = message else {
            return;
        };
        let params = message.params;
        if message.method == "textDocument/publishDiagnostics" {
            let uri = params["uri"].as_str().unwrap();
            let root = format!("{}/", address(self.folder.path()));
            let path = uri.strip_prefix(&root).unwrap_or(uri).to_owned();
            let found = params["diagnostics"].as_array().unwrap().clone();
            self.versions
                .insert(path.clone(), params["version"].clone());
            self.findings.insert(path, found);
        } else if message.method == "$/progress" {
            match params["value"]["kind"].as_str() {
                Some("begin") => self.scans += 1,
                _ => self.scans -= 1,
            }
        } else {
            self.messages
                .push(params["message"].as_str().unwrap_or_default().to_owned());
        }
    }

    /// Waits until every message is answered, and every scan is done.
    pub(crate) fn settle(&mut self) {
        // The findings of what was sent before are published, and scans begun, before the answer.
        let params = self.at("none", 0, 0);
        self.request("textDocument/hover", &params);
        while self.scans > 0 {
            let message = self.connection.receiver.recv().unwrap();
            self.note(message);
        }
    }

    pub(crate) fn open(&mut self, path: &str) {
        let text = std::fs::read_to_string(self.root().join(path)).unwrap_or_default();
        self.open_as(path, &text);
    }

    pub(crate) fn open_as(&mut self, path: &str, text: &str) {
        let document =
            json!({ "uri": self.uri(path), "languageId": "markdown", "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
        self.settle();
    }

    pub(crate) fn change(&mut self, path: &str, changes: &Value) {
        let document = json!({ "uri": self.uri(path), "version": 2 });
        self.notify(
            "textDocument/didChange",
            &json!({ "textDocument": document, "contentChanges": changes }),
        );
        self.settle();
    }

    /// Returns the rules of the findings about a file.
    pub(crate) fn rules(&self, path: &str) -> Vec<&str> {
        let found = self.findings.get(path).into_iter().flatten();
        found.map(|found| found["code"].as_str().unwrap()).collect()
    }

    pub(crate) fn at(&self, path: &str, line: u32, character: u32) -> Value {
        json!({ "textDocument": { "uri": self.uri(path) }, "position": { "line": line, "character": character } })
    }

    pub(crate) fn end(mut self) -> bool {
        self.request("shutdown", &json!(null));
        self.notify("exit", &json!(null));
        self.server.take().unwrap().join().unwrap()
    }
}
