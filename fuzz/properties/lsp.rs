//! Any messages of an editor: each request has one answer, the findings are those of the text as the editor has it, edits
//! lie in the text, and no file is written.
//!
//! The text is a list of messages between U+001E. Of a message, the first character is the kind, four characters are
//! numbers (two positions), and the rest is a text.

use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs, process, thread};

const SKILL: &str = "---\nname: deploy\ndescription: Deploys. Use when a release is due.\n---\n\n# Steps\n\nRead [it](a.md#x), \
                     then $test.\n";

/// A project of two skills.
static PROJECT: LazyLock<PathBuf> = LazyLock::new(|| {
    let root = env::temp_dir().join(format!("skills-lsp-{}", process::id()));
    for (path, text) in [
        ("skills/deploy/SKILL.md", SKILL),
        ("skills/deploy/a.md", "# X\n"),
        (
            "skills/test/SKILL.md",
            "---\nname: test\ndescription: Tests. Use before $deploy.\n---\n\nTest it.\n",
        ),
        ("skills.toml", "[rules]\nbody-length = \"warn\"\n"),
    ] {
        let path = root.join(path);
        let written = fs::create_dir_all(path.parent().expect("a folder"))
            .and_then(|()| fs::write(&path, text));
        assert!(written.is_ok(), "{written:?}");
    }
    root
});

/// Panics when it does not hold.
pub(crate) fn hold(input: &str) {
    let mut editor = Editor::new();
    let mut text: Option<String> = None;
    for message in input.split('\u{1E}').take(40) {
        let mut letters = message.chars();
        let kind = letters.next().unwrap_or_default();
        // Most numbers are small: they lie in the text.
        let mut number = || {
            letters
                .next()
                .map_or(0, |c| u32::from(c).saturating_sub(u32::from('0')))
        };
        let (start, end) = ((number(), number()), (number(), number()));
        let (start, end) = (start.min(end), start.max(end));
        let rest = letters.as_str();
        match kind {
            'o' => {
                editor.open(rest);
                text = Some(rest.to_owned());
            }
            'c' => {
                let range = json!({ "start": position(start), "end": position(end) });
                editor.change(&json!([{ "range": range, "text": rest }]));
                text = text.map(|text| replaced(&text, start, end, rest));
            }
            'f' => {
                editor.change(&json!([{ "text": rest }]));
                text = text.map(|_| rest.to_owned());
            }
            'x' => {
                editor.notify(
                    "textDocument/didClose",
                    &json!({ "textDocument": { "uri": uri() } }),
                );
                text = None;
            }
            's' => editor.notify(
                "textDocument/didSave",
                &json!({ "textDocument": { "uri": uri() } }),
            ),
            'j' => {
                let (method, params) = rest.split_once('\n').unwrap_or((rest, "null"));
                let params: Value = serde_json::from_str(params).unwrap_or_default();
                // These end the session, or begin another.
                if !matches!(method, "shutdown" | "exit")
                    && !method.starts_with("workspace/didChange")
                {
                    editor.notify(method, &params);
                    editor.ask(method, &params);
                }
            }
            kind => editor.ask_at(kind, start, end, rest, text.as_deref()),
        }
    }
    let now = editor.findings();
    editor.end();
    if let Some(text) = text {
        let mut fresh = Editor::new();
        fresh.open(&text);
        assert_eq!(now, fresh.findings(), "{text:?}");
        fresh.end();
    }
    let on_disk = fs::read_to_string(PROJECT.join("skills/deploy/SKILL.md"));
    assert_eq!(on_disk.ok().as_deref(), Some(SKILL));
}

fn position((line, character): (u32, u32)) -> Value {
    json!({ "line": line, "character": character })
}

/// Returns the byte of a position: lines end at LF, CR LF and CR, and characters are counted in UTF-16.
fn byte(text: &str, (line, character): (u32, u32)) -> usize {
    let mut at = 0;
    for _ in 0..line {
        let Some(end) = text.get(at..).and_then(|rest| rest.find(['\n', '\r'])) else {
            return text.len();
        };
        at += end;
        at += if text[at..].starts_with("\r\n") { 2 } else { 1 };
    }
    let mut left = character as usize;
    for c in text[at..].chars() {
        if matches!(c, '\n' | '\r') || c.len_utf16() > left {
            break;
        }
        left -= c.len_utf16();
        at += c.len_utf8();
    }
    at
}

fn replaced(text: &str, start: (u32, u32), end: (u32, u32), new: &str) -> String {
    let (start, end) = (byte(text, start), byte(text, end));
    format!("{}{new}{}", &text[..start], &text[end..])
}

/// The URI of the document.
fn root() -> String {
    let root = PROJECT.to_str().expect("a path").replace('\\', "/");
    let start = if root.starts_with('/') { "" } else { "/" };
    format!("file://{start}{root}")
}

fn uri() -> String {
    format!("{}/skills/deploy/SKILL.md", root())
}

struct Editor {
    connection: Connection,
    server: thread::JoinHandle<bool>,
    next: i32,
    findings: Value,
    /// The number of scans that the server has begun and not ended.
    scans: i32,
}

impl Editor {
    fn new() -> Self {
        let (ours, theirs) = Connection::memory();
        let server = thread::spawn(move || skills_lsp::serve(&theirs, Path::new("/")));
        let mut editor = Self {
            connection: ours,
            server,
            next: 0,
            findings: json!([]),
            scans: 0,
        };
        let root = root();
        let folders = json!([{ "uri": root, "name": "it" }]);
        let capabilities = json!({ "window": { "workDoneProgress": true } });
        editor.ask(
            "initialize",
            &json!({ "capabilities": capabilities, "workspaceFolders": folders }),
        );
        editor
    }

    fn notify(&self, method: &str, params: &Value) {
        let message = Notification::new(method.to_owned(), params);
        self.connection
            .sender
            .send(message.into())
            .expect("a server");
    }

    /// Sends a request and returns its answer, the only one.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let request = Request::new(self.next.into(), method.to_owned(), params);
        self.connection
            .sender
            .send(request.into())
            .expect("a server");
        loop {
            match self.connection.receiver.recv().expect("an answer") {
                Message::Response(answer) => {
                    assert_eq!(answer.id, self.next.into());
                    return answer.response_result.unwrap_or_default();
                }
                other => self.note(other),
            }
        }
    }

    fn note(&mut self, message: Message) {
        let Message::Notification(told) = message else {
            return;
        };
        if told.method == "textDocument/publishDiagnostics" && told.params["uri"] == uri() {
            self.findings = told.params["diagnostics"].clone();
        }
        if told.method == "$/progress" {
            self.scans += if told.params["value"]["kind"] == "begin" {
                1
            } else {
                -1
            };
        }
    }

    fn open(&self, text: &str) {
        let document =
            json!({ "uri": uri(), "languageId": "markdown", "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    fn change(&self, changes: &Value) {
        let document = json!({ "uri": uri(), "version": 2 });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", &params);
    }

    fn ask_at(
        &mut self,
        kind: char,
        start: (u32, u32),
        end: (u32, u32),
        rest: &str,
        text: Option<&str>,
    ) {
        let mut params = json!({ "textDocument": { "uri": uri() }, "position": position(start) });
        let method = match kind {
            'h' => "textDocument/hover",
            'p' => "textDocument/completion",
            'd' => "textDocument/definition",
            'r' => {
                params["context"] = json!({ "includeDeclaration": true });
                "textDocument/references"
            }
            'R' => {
                params["newName"] = json!(rest);
                "textDocument/rename"
            }
            'n' => "textDocument/prepareRename",
            'a' => {
                params["range"] = json!({ "start": position(start), "end": position(end) });
                params["context"] = json!({ "diagnostics": [] });
                "textDocument/codeAction"
            }
            'l' => "textDocument/documentLink",
            'y' => "textDocument/documentSymbol",
            'z' => "textDocument/foldingRange",
            _ => return,
        };
        let answer = self.ask(method, &params);
        let Some(text) = text else { return };
        for edit in edits(&answer, &uri()) {
            let place = |of: &Value| {
                let number =
                    |name| u32::try_from(of[name].as_u64().expect("a number")).expect("a number");
                (number("line"), number("character"))
            };
            let (start, end) = (place(&edit["range"]["start"]), place(&edit["range"]["end"]));
            assert!(start <= end, "{edit}");
            let lines = text.replace("\r\n", "\n").split(['\n', '\r']).count();
            // A position behind the end of its line, or within a character, leads back to the one before.
            let is_in = |(line, character): (u32, u32)| {
                let before = character.checked_sub(1);
                (line as usize) < lines
                    && before.is_none_or(|before| {
                        byte(text, (line, before)) < byte(text, (line, character))
                    })
            };
            assert!(is_in(start) && is_in(end), "{edit} {text:?}");
        }
    }

    /// Returns the findings after every message and every scan.
    fn findings(&mut self) -> Value {
        self.ask(
            "textDocument/hover",
            &json!({ "textDocument": { "uri": uri() }, "position": position((0, 0)) }),
        );
        while self.scans > 0 {
            let message = self.connection.receiver.recv().expect("a scan");
            self.note(message);
        }
        self.findings.take()
    }

    fn end(mut self) {
        self.ask("shutdown", &Value::Null);
        self.notify("exit", &Value::Null);
        assert!(self.server.join().expect("no panic"));
    }
}

/// Returns the edits of the document in an answer.
fn edits(answer: &Value, uri: &str) -> Vec<Value> {
    match answer {
        Value::Object(fields) if fields.contains_key("newText") => vec![answer.clone()],
        Value::Object(fields) => fields
            .iter()
            .filter(|(key, _)| !key.starts_with("file:") || *key == uri)
            .flat_map(|(_, value)| edits(value, uri))
            .collect(),
        Value::Array(items) => items.iter().flat_map(|item| edits(item, uri)).collect(),
        _ => Vec::new(),
    }
}
