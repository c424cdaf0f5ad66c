//! Tests the sessions of older clients over HTTP.

#![allow(clippy::disallowed_methods, reason = "tests make folders")]

use crate::client::{Folder, bundled, skill};
use crate::http::server;
use crate::origins::whole;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

const PATIENCE: Duration = Duration::from_secs(60);

/// An older client over HTTP.
struct Older {
    address: SocketAddr,
    version: &'static str,
    session: String,
}

impl Older {
    async fn greet(address: SocketAddr, version: &'static str) -> Self {
        let mut client = Self {
            address,
            version,
            session: String::new(),
        };
        let params = json!({
            "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
        });
        let (status, head, _) = client.post(&call("initialize", &params)).await;
        assert_eq!(status, 200);
        let id = head
            .iter()
            .find_map(|line| line.strip_prefix("mcp-session-id: "));
        id.expect("a session").clone_into(&mut client.session);
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(client.post(&ready).await.0, 202);
        client
    }

    fn head(&self, method: &str, more: &str) -> String {
        let named = match (self.version, self.session.is_empty()) {
            (_, true) => String::new(),
            // That version does not know the header of the version.
            ("2025-03-26", _) => format!("Mcp-Session-Id: {}\r\n", self.session),
            (version, _) => format!(
                "Mcp-Session-Id: {}\r\nMCP-Protocol-Version: {version}\r\n",
                self.session
            ),
        };
        format!(
            "{method} /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Accept: application/json, text/event-stream\r\n{named}{more}\r\n"
        )
    }

    async fn post(&self, body: &Value) -> (u16, Vec<String>, String) {
        let body = body.to_string();
        let more = format!(
            "Content-Type: application/json\r\nContent-Length: {}\r\n",
            body.len()
        );
        whole(self.address, &format!("{}{body}", self.head("POST", &more))).await
    }

    /// Returns the status of an answer, and its body as JSON.
    async fn ask(&self, method: &str, params: Value) -> (u16, Value) {
        let (status, _, body) = self.post(&call(method, &params)).await;
        // The answer is the last event of a stream.
        let mut events = body.lines().filter_map(|line| line.strip_prefix("data: "));
        let last = events.rfind(|event| !event.is_empty());
        (
            status,
            last.map(|event| serde_json::from_str(event).expect("JSON"))
                .unwrap_or_default(),
        )
    }

    /// Opens the stream, and returns its reader after the first bytes.
    async fn listen(&self) -> (u16, BufReader<TcpStream>) {
        let mut stream = TcpStream::connect(self.address)
            .await
            .expect("a connection");
        stream
            .write_all(self.head("GET", "").as_bytes())
            .await
            .expect("written");
        let mut stream = BufReader::new(stream);
        let mut line = String::new();
        stream.read_line(&mut line).await.expect("a line");
        let status = line
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let status = status.expect("a status");
        while status == 200 && !line.starts_with("retry:") {
            line.clear();
            stream.read_line(&mut line).await.expect("a line");
        }
        (status, stream)
    }

    /// Asks for changes until the stream tells one: a folder is watched some time after its server has begun.
    async fn event(stream: &mut BufReader<TcpStream>) -> Option<Value> {
        let mut line = String::new();
        loop {
            line.clear();
            let read = tokio::time::timeout(PATIENCE, stream.read_line(&mut line)).await;
            if read.expect("in time").expect("a line") == 0 {
                return None;
            }
            if let Some(event) = line.strip_prefix("data: ").filter(|event| event.len() > 2) {
                return Some(serde_json::from_str(event).expect("JSON"));
            }
        }
    }
}

fn call(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

#[tokio::test]
async fn an_older_client_is_told_of_its_files() {
    let folder = Folder::skill("a");
    folder.write("user/a/notes/x.md", "x");
    let skills = folder.skills();
    let _watch = skills.watch().expect("a watch");
    let client = Older::greet(server(skills).await, "2025-11-25").await;
    let uri = json!({ "uri": "skill://user/a/notes/x.md" });
    let (status, answer) = client.ask("resources/subscribe", uri.clone()).await;
    assert_eq!((status, &answer["result"]), (200, &json!({})), "{answer}");
    let (status, mut stream) = client.listen().await;
    assert_eq!(status, 200);
    // Not SKILL.md: only the file has changed.
    folder.write("user/a/notes/x.md", "y");
    for list in ["tools", "prompts", "resources"] {
        let told = Older::event(&mut stream).await.expect("a change");
        assert_eq!(told["method"], format!("notifications/{list}/list_changed"));
    }
    let told = Older::event(&mut stream).await.expect("a change");
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"], uri);
    let (_, read) = client.ask("resources/read", uri.clone()).await;
    assert_eq!(
        read["result"]["contents"][0]["text"], "y",
        "read without an error: {read}"
    );
    // Without the subscription only the list changes.
    assert_eq!(client.ask("resources/unsubscribe", uri).await.0, 200);
    folder.write("user/a/notes/x.md", "z");
    folder.write("user/b/SKILL.md", skill("b"));
    let mut methods = Vec::new();
    while methods
        .last()
        .is_none_or(|last| last != "notifications/prompts/list_changed")
    {
        let told = Older::event(&mut stream).await.expect("a change");
        methods.push(told["method"].as_str().unwrap_or_default().to_owned());
    }
    assert!(
        !methods.contains(&"notifications/resources/updated".to_owned()),
        "{methods:?}"
    );
}

#[tokio::test]
async fn a_session_ends() {
    let address = server(bundled()).await;
    let client = Older::greet(address, "2025-06-18").await;
    let (status, mut first) = client.listen().await;
    assert_eq!(status, 200);
    assert!([202, 204].contains(&whole(address, &client.head("DELETE", "")).await.0));
    assert_eq!(Older::event(&mut first).await, None);
    assert_eq!(client.ask("skills/list", json!({})).await.0, 404);
    assert_eq!(client.listen().await.0, 404);
    let none = Older {
        session: String::new(),
        ..client
    };
    assert_eq!(none.listen().await.0, 400);
    assert_eq!(none.ask("skills/list", json!({})).await.0, 400);
}

#[tokio::test]
async fn what_one_client_asks_for_is_limited() {
    let folder = Folder::skill("a");
    for number in 0..70 {
        folder.write(&format!("user/a/files/{number}"), "x");
    }
    let address = server(folder.skills()).await;
    let client = Older::greet(address, "2025-11-25").await;
    let uri = |number: usize| json!({ "uri": format!("skill://user/a/files/{number}") });
    for number in 0..64 {
        let (_, answer) = client.ask("resources/subscribe", uri(number)).await;
        assert!(answer["result"].is_object(), "{number}: {answer}");
    }
    let (_, answer) = client.ask("resources/subscribe", uri(64)).await;
    assert_eq!(answer["error"]["code"], -32600);
    let why = answer["error"]["message"].as_str().expect("a message");
    assert!(why.contains("has 64 subscriptions already"), "{why}");
    // A file that is subscribed already needs no further place.
    assert!(client.ask("resources/subscribe", uri(1)).await.1["result"].is_object());
    client.ask("resources/unsubscribe", uri(1)).await;
    assert!(client.ask("resources/subscribe", uri(64)).await.1["result"].is_object());
    // Addresses that are no file.
    for unknown in [
        "skill://user/a/none",
        "skill://user/a",
        "skill://none/a/x",
        "file:///etc/passwd",
        "",
    ] {
        let (_, answer) = client
            .ask("resources/subscribe", json!({ "uri": unknown }))
            .await;
        assert_eq!(answer["error"]["code"], -32002, "{unknown}: {answer}");
        assert_eq!(answer["error"]["data"]["uri"], unknown);
        assert!(
            client
                .ask("resources/unsubscribe", json!({ "uri": unknown }))
                .await
                .1["result"]
                .is_object()
        );
    }
    // Sessions that have ended count no more. A refused request ends none, and keeps none.
    for _ in 0..100 {
        let other = Older::greet(address, "2025-11-25").await;
        let refused = other
            .head("DELETE", "")
            .replace("localhost", "evil.example");
        assert_eq!(whole(address, &refused).await.0, 403);
        assert!([202, 204].contains(&whole(address, &other.head("DELETE", "")).await.0));
    }
    assert_eq!(client.ask("skills/list", json!({})).await.0, 200);
    // More sessions than are kept.
    let mut streams = Vec::new();
    for _ in 0..32 {
        let (status, stream) = Older::greet(address, "2025-11-25").await.listen().await;
        assert_eq!(status, 200);
        streams.push(stream);
    }
    assert_eq!(
        Older::greet(address, "2025-11-25").await.listen().await.0,
        503
    );
    for _ in 0..100 {
        Older::greet(address, "2025-11-25").await;
    }
    assert_eq!(client.ask("skills/list", json!({})).await.0, 404);
}
