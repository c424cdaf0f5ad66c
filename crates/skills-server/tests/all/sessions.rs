//! Tests the sessions of older clients over HTTP, and their batches.

#![allow(clippy::disallowed_methods, reason = "tests make folders")]

use crate::client::{Folder, bundled, skill};
use crate::http::server;
use crate::origins::whole;
use serde_json::{Value, json};
use skills_server::Skills;
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
        (status, serde_json::from_str(&body).unwrap_or_default())
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
        while status == 200 && line.trim_end() != ":" {
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
            if let Some(event) = line.strip_prefix("data: ") {
                return Some(serde_json::from_str(event).expect("JSON"));
            }
        }
    }
}

fn call(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

#[tokio::test]
async fn an_older_client_is_told_of_its_files_and_messages() {
    let folder = Folder::skill("a");
    folder.write("user/a/notes/x.md", "x");
    folder.write(
        "user/left/SKILL.md",
        "---\nname: left\ndescription: Use: this\n---\nx\n",
    );
    let skills = folder.skills();
    let _watch = skills.watch(Clone::clone).expect("a watch");
    let client = Older::greet(server(skills).await, "2025-11-25").await;
    let uri = json!({ "uri": "skill://user/a/notes/x.md" });
    let (status, answer) = client.ask("resources/subscribe", uri.clone()).await;
    assert_eq!((status, &answer["result"]), (200, &json!({})), "{answer}");
    let level = client
        .ask("logging/setLevel", json!({ "level": "warning" }))
        .await;
    assert_eq!((level.0, &level.1["result"]), (200, &json!({})));
    let (status, mut stream) = client.listen().await;
    assert_eq!(status, 200);
    // A message for each skill that is not served, once.
    for _ in 0..2 {
        client.ask("skills/list", json!({})).await;
    }
    let told = Older::event(&mut stream).await.expect("a message");
    assert_eq!(told["method"], "notifications/message");
    assert_eq!(
        (&told["params"]["level"], &told["params"]["logger"]),
        (&json!("warning"), &json!("skills"))
    );
    assert_eq!(told["params"]["data"]["skill"], "user:left");
    // Not SKILL.md: only the file has changed.
    folder.write("user/a/notes/x.md", "y");
    let told = Older::event(&mut stream).await.expect("a change");
    assert_eq!(told["method"], "notifications/resources/list_changed");
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
    // The next stream ends the one before.
    let (status, mut second) = client.listen().await;
    assert_eq!(status, 200);
    assert_eq!(Older::event(&mut first).await, None);
    assert_eq!(whole(address, &client.head("DELETE", "")).await.0, 204);
    assert_eq!(Older::event(&mut second).await, None);
    for (status, body) in [
        client.ask("skills/list", json!({})).await,
        client.ask("initialize", json!({})).await,
    ] {
        assert_eq!(status, 404, "{body}");
        let why = body["error"]["message"].as_str().expect("a message");
        assert!(
            why.contains("call initialize without the header Mcp-Session-Id"),
            "{why}"
        );
    }
    assert_eq!(whole(address, &client.head("DELETE", "")).await.0, 404);
    assert_eq!(client.listen().await.0, 404);
    // Without a session: nothing could tell the client.
    let none = Older {
        session: String::new(),
        ..client
    };
    assert_eq!(none.listen().await.0, 405);
    let uri = json!({ "uri": "skill://bundled/code-review/SKILL.md" });
    for (method, params) in [
        ("resources/subscribe", uri),
        ("logging/setLevel", json!({ "level": "info" })),
    ] {
        let (_, answer) = none.ask(method, params).await;
        assert_eq!(answer["error"]["code"], -32600, "{answer}");
        let why = answer["error"]["message"].as_str().expect("a message");
        assert!(why.contains("needs a session"), "{why}");
    }
    assert!(none.ask("skills/list", json!({})).await.1["result"].is_object());
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
    // Addresses that are no file, and levels that are none.
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
    for level in [
        json!("INFO"),
        json!("loud"),
        json!(""),
        json!(4),
        Value::Null,
        json!({}),
    ] {
        let (_, answer) = client
            .ask("logging/setLevel", json!({ "level": level }))
            .await;
        assert_eq!(answer["error"]["code"], -32602, "{level}: {answer}");
    }
    // More sessions than are kept.
    let mut streams = Vec::new();
    for _ in 0..16 {
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

fn skills() -> Skills {
    Folder::skill("a").skills()
}

#[tokio::test]
async fn batches_belong_to_one_version() {
    let address = server(skills()).await;
    let client = Older::greet(address, "2025-03-26").await;
    let get = |id: u8, uri: &str| json!({ "jsonrpc": "2.0", "id": id, "method": "skills/get", "params": { "uri": uri } });
    let uri = "skill://bundled/code-review/SKILL.md";
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let batch = json!([
        get(1, uri), notification, get(2, "skill://x/y/SKILL.md"), 7, [get(3, uri)], {},
        { "jsonrpc": "2.0", "id": 4, "method": "initialize", "params": {
            "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } } },
        { "jsonrpc": "2.0", "id": 5, "result": {} }, get(6, uri),
    ]);
    let (status, head, body) = client.post(&batch).await;
    assert_eq!(status, 200, "{body}");
    assert!(
        head.iter()
            .any(|line| line == "content-type: application/json")
    );
    let answers = unchunked(&body);
    let summary: Vec<_> = answers
        .as_array()
        .expect("an array")
        .iter()
        .map(|answer| (answer["id"].as_u64(), answer["error"]["code"].as_i64()))
        .collect();
    let wrong = (None, Some(-32600));
    assert_eq!(
        summary,
        [
            (Some(1), None),
            (Some(2), Some(-32602)),
            wrong,
            wrong,
            wrong,
            (Some(4), Some(-32600)),
            (Some(6), None)
        ],
        "{answers}"
    );
    for quiet in [
        json!([notification, notification]),
        json!([{ "jsonrpc": "2.0", "id": 5, "result": {} }]),
    ] {
        let (status, _, body) = client.post(&quiet).await;
        assert_eq!((status, body.as_str()), (202, ""));
    }
    let giant = json!(vec![get(1, uri); 101]);
    for (batch, why) in [
        (json!([]), "at least one message"),
        (giant, "101 messages, and at most 100"),
    ] {
        let (status, _, body) = client.post(&batch).await;
        assert_eq!(status, 400);
        assert!(body.contains("-32600") && body.contains(why), "{body}");
    }
    let all = client.post(&json!(vec![get(1, uri); 100])).await.2;
    assert_eq!(unchunked(&all).as_array().map(Vec::len), Some(100));
    // In every other version a batch is not a message.
    for version in ["2025-06-18", "2025-11-25"] {
        let other = Older::greet(address, version).await;
        let (status, _, body) = other.post(&json!([get(1, uri)])).await;
        assert_eq!(status, 400);
        assert!(
            body.contains("only version 2025-03-26 of the protocol has batches"),
            "{body}"
        );
    }
}

/// Joins the parts of a body whose length was not known.
fn unchunked(mut body: &str) -> Value {
    let mut whole = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).expect("a length");
        if length == 0 {
            break;
        }
        whole.push_str(&rest[..length]);
        body = &rest[length + 2..];
    }
    serde_json::from_str(&whole).unwrap_or_else(|error| panic!("{error}: {whole}"))
}

/// An answer of a batch is made when the client has read the answer before, so one is in memory.
#[tokio::test]
async fn an_answer_of_a_batch_is_made_when_it_is_read() {
    use tokio::io::AsyncReadExt as _;

    let folder = Folder::skill("a");
    let large = |letter: &str| letter.repeat(8 * 1024 * 1024);
    folder.write("user/a/large", large("x"));
    let address = server(folder.skills()).await;
    let client = Older::greet(address, "2025-03-26").await;
    // The digests are listed, so that a changed file is noticed.
    client.ask("skills/list", json!({})).await;
    let read = call("resources/read", &json!({ "uri": "skill://user/a/large" }));
    let batch = json!([read, read, read]).to_string();
    let more = format!(
        "Content-Type: application/json\r\nContent-Length: {}\r\n",
        batch.len()
    );
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let request = format!("{}{batch}", client.head("POST", &more));
    stream.write_all(request.as_bytes()).await.expect("written");
    let mut begin = [0; 4096];
    stream.read_exact(&mut begin).await.expect("a part");
    folder.write("user/a/large", large("y"));
    let mut rest = String::new();
    stream.read_to_string(&mut rest).await.expect("the rest");
    let whole = format!("{}{rest}", String::from_utf8_lossy(&begin));
    let (_, body) = whole.split_once("\r\n\r\n").expect("a head");
    let answers = unchunked(body);
    let code = |at: usize| answers[at]["error"]["code"].as_i64();
    assert_eq!([code(0), code(1), code(2)], [None, Some(-32603), None]);
}
