//! A client that writes JSON line by line, and so can also write lines that no SDK would write.

#![allow(clippy::disallowed_methods, reason = "tests make folders")]

use serde_json::{Value, json};
use skills_runtime::{Catalog, CatalogBuilder};
use skills_server::{Skills, SkillsServer};
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;

/// A maximum time for every answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// The version of the protocol that a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// 2026-07-28: each request describes its client.
    Modern,
    /// 2025-11-25: with a handshake.
    Legacy,
}

pub(crate) struct Client {
    era: Era,
    next: u64,
    pub(crate) write: WriteHalf<DuplexStream>,
    pub(crate) read: BufReader<ReadHalf<DuplexStream>>,
    pub(crate) server: JoinHandle<std::io::Result<()>>,
}

impl Client {
    pub(crate) async fn connect(skills: Skills) -> Self {
        Self::of(Era::Modern, skills).await
    }

    pub(crate) async fn of(era: Era, skills: Skills) -> Self {
        let mut client = Self::silent(era, skills);
        client.greet().await;
        client
    }

    /// Introduces the client, if the version of the protocol requires it.
    pub(crate) async fn greet(&mut self) {
        if self.era == Era::Legacy {
            let about = json!({ "name": "test", "version": "1" });
            let hello =
                json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about });
            self.ask("initialize", hello).await.expect("a handshake");
            self.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
                .await;
        }
    }

    /// Opens a connection without a first message.
    pub(crate) fn silent(era: Era, skills: Skills) -> Self {
        let (here, there) = tokio::io::duplex(64 * 1024);
        let (input, output) = tokio::io::split(there);
        let server = SkillsServer::of("test", "1.0.0", skills);
        let server = tokio::spawn(server.serve_streams(input, output));
        let (read, write) = tokio::io::split(here);
        let read = BufReader::new(read);
        Self {
            era,
            next: 0,
            write,
            read,
            server,
        }
    }

    /// Returns the result of a request, or its error.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.send(method, params).await;
        let mut answer = self.answer(&json!(id)).await;
        match answer.get_mut("result") {
            Some(result) => Ok(result.take()),
            None => Err(answer["error"].take()),
        }
    }

    /// Returns the code and the message of a request's error.
    pub(crate) async fn refused(&mut self, method: &str, params: Value) -> (i64, String) {
        let asked = self.ask(method, params.clone()).await;
        let Err(error) = asked else {
            panic!("{method} {params} is not refused");
        };
        let message = error["message"].as_str().unwrap_or_default().to_owned();
        (error["code"].as_i64().expect("a code"), message)
    }

    pub(crate) async fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let id = self.next;
        let request = self.request(id, method, params);
        self.write(&request).await;
        id
    }

    /// Renders a request as a line.
    pub(crate) fn request(&self, id: u64, method: &str, mut params: Value) -> String {
        if self.era == Era::Modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
    }

    pub(crate) async fn write(&mut self, line: &str) {
        self.write_part(&format!("{line}\n")).await;
    }

    /// Writes a part of a line.
    pub(crate) async fn write_part(&mut self, part: &str) {
        self.write
            .write_all(part.as_bytes())
            .await
            .expect("the server reads");
    }

    /// Returns the next message with this id, and skips other messages.
    pub(crate) async fn answer(&mut self, id: &Value) -> Value {
        loop {
            let message = self.message().await.expect("the server answers");
            if message.get("id") == Some(id) && message.get("method").is_none() {
                return message;
            }
        }
    }

    /// Returns the next message; `None` if the server has closed the connection.
    pub(crate) async fn message(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read = tokio::time::timeout(PATIENCE, self.read.read_line(&mut line)).await;
        match read.expect("an answer in time").expect("a line") {
            0 => None,
            _ => Some(serde_json::from_str(&line).expect("JSON")),
        }
    }

    /// Returns the items of all pages of a list.
    pub(crate) async fn all(&mut self, method: &str, key: &str) -> Vec<Value> {
        let (mut items, mut cursor) = (Vec::new(), None);
        loop {
            let params = match &cursor {
                Some(cursor) => json!({ "cursor": cursor }),
                None => json!({}),
            };
            let mut page = self.ask(method, params).await.expect("a page");
            items.append(page[key].as_array_mut().expect("items"));
            cursor = page
                .get("nextCursor")
                .and_then(Value::as_str)
                .map(str::to_owned);
            if cursor.is_none() {
                return items;
            }
        }
    }
}

/// A folder with skills.
pub(crate) struct Folder {
    pub(crate) dir: TempDir,
}

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self {
            dir: TempDir::new().expect("a folder"),
        };
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    /// Makes a skill in the source `user`.
    pub(crate) fn skill(name: &str) -> Self {
        Self::new(&[(&format!("user/{name}/SKILL.md"), &skill(name))])
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }

    pub(crate) fn path(&self, path: &str) -> std::path::PathBuf {
        self.dir.path().join(path)
    }

    /// Returns a builder with the source `user`, and the bundled skills below it.
    pub(crate) fn builder(&self) -> CatalogBuilder {
        builder(self.dir.path())
    }

    pub(crate) fn skills(&self) -> Skills {
        Skills::new(self.builder().load())
    }

    /// Returns the skills with some of them disabled.
    pub(crate) fn skills_without(&self, disabled: &[&str]) -> Skills {
        Skills::new(self.builder().disabled(disabled).load())
    }
}

fn builder(dir: &Path) -> CatalogBuilder {
    Catalog::builder()
        .directory("user", dir.join("user"))
        .bundle("bundled", &bundled_skills::SKILLS)
}

/// Returns only the bundled skills.
pub(crate) fn bundled() -> Skills {
    Skills::new(
        Catalog::builder()
            .bundle("bundled", &bundled_skills::SKILLS)
            .load(),
    )
}

/// Returns the text of a valid skill.
pub(crate) fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}. Use it to test.\n---\nDo {name}.\n")
}
