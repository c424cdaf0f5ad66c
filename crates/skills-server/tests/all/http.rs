//! Tests the server over HTTP, with raw requests.

#![allow(clippy::disallowed_methods, reason = "tests make folders")]

use crate::client::{Folder, bundled, skill};
use serde_json::{Value, json};
use skills_server::http::HttpOptions;
use skills_server::{Skills, SkillsServer};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// Starts a server, which ends with the test.
pub(crate) async fn server(skills: Skills) -> SocketAddr {
    server_with(skills, HttpOptions::default()).await
}

pub(crate) async fn server_with(skills: Skills, options: HttpOptions) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = SkillsServer::of("test", "1.0.0", skills);
    tokio::spawn(async move { server.serve_http(listener, &options).await });
    address
}

pub(crate) fn message(method: &str, mut params: Value) -> String {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

pub(crate) fn request(path: &str, host: &str, more: &str, method: &str, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: {method}\r\n{more}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Sends a request, and returns the status and the body of the answer.
pub(crate) async fn exchange(address: SocketAddr, request: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    // A server that refuses a request early closes the connection before the request is written.
    let _ = stream.write_all(request.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status.unwrap_or_default(), body.to_owned())
}

pub(crate) async fn ask(address: SocketAddr, method: &str, params: Value) -> Value {
    let name = params["uri"]
        .as_str()
        .map(|uri| format!("Mcp-Name: {uri}\r\n"));
    let body = message(method, params);
    let request = request(
        "/mcp",
        "127.0.0.1",
        &name.unwrap_or_default(),
        method,
        &body,
    );
    let (status, body) = exchange(address, &request).await;
    assert!([200, 400, 404].contains(&status), "{status} {body}");
    serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body}"))
}

#[tokio::test]
async fn two_clients_at_once() {
    let folder = Folder::skill("a");
    let address = server(folder.skills()).await;
    let uri = json!({ "uri": "skill://user/a/SKILL.md" });
    let (one, other) = tokio::join!(
        ask(address, "skills/list", json!({})),
        ask(address, "skills/get", uri.clone()),
    );
    assert_eq!(one["result"]["skills"].as_array().map(Vec::len), Some(14));
    assert_eq!(other["result"]["skill"]["uri"], uri["uri"]);
    // Each request checks its files by the digests that the server holds.
    folder.write("user/a/SKILL.md", skill("a").replace("Do", "Now do"));
    let again = ask(address, "skills/get", uri.clone()).await;
    let digest = |answer: &Value| answer["result"]["skill"]["resources"][0]["digest"].clone();
    assert_ne!(digest(&again), digest(&other));
    let read = ask(address, "resources/read", uri).await;
    let text = read["result"]["contents"][0]["text"]
        .as_str()
        .expect("a text");
    assert_eq!(
        rmcp::model::sha256_digest(text.as_bytes()),
        digest(&again).as_str().expect("a text")
    );
}

#[tokio::test]
async fn web_pages_and_other_names_are_refused() {
    let address = server(bundled()).await;
    let body = message("skills/list", json!({}));
    let status = async |path: &str, host: &str, more: &str| {
        exchange(address, &request(path, host, more, "skills/list", &body))
            .await
            .0
    };
    assert_eq!(status("/mcp", "127.0.0.1", "").await, 200);
    assert_eq!(status("/mcp", "localhost:8000", "").await, 200);
    assert_eq!(status("/mcp", "evil.example", "").await, 403);
    for origin in ["https://evil.example", "http://localhost:3000", "null", "x"] {
        let origin = format!("Origin: {origin}\r\n");
        assert_eq!(status("/mcp", "127.0.0.1", &origin).await, 403, "{origin}");
    }
    for path in ["/", "/mcp/", "/mcp/x", "/../mcp", "/MCP"] {
        assert_eq!(status(path, "127.0.0.1", "").await, 404, "{path}");
    }
}

#[tokio::test]
async fn an_address_that_others_reach_needs_a_name() {
    let listener = TcpListener::bind("0.0.0.0:0").await.expect("a port");
    let server = SkillsServer::of("test", "1.0.0", bundled());
    let refused = server.serve_http(listener, &HttpOptions::default()).await;
    let error = refused.expect_err("refused");
    assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied);
}

#[tokio::test]
async fn what_is_no_request_ends_only_its_connection() {
    let address = server(bundled()).await;
    let large = "x".repeat(5 * 1024 * 1024);
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    for (body, status) in [
        ("", 415),
        ("{", 415),
        ("[]", 415),
        ("7", 415),
        (&deep, 415),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"skills/list"}]"#, 415),
        (large.as_str(), 413),
    ] {
        let (got, answer) = exchange(
            address,
            &request("/mcp", "localhost", "", "skills/list", body),
        )
        .await;
        assert_eq!(got, status, "{answer}");
    }
    for (method, params, code) in [
        ("nope", json!({}), -32601),
        ("skills/get", json!({}), -32602),
    ] {
        let answer = ask(address, method, params).await;
        assert_eq!(answer["error"]["code"], code, "{method}: {answer}");
    }
    for raw in [
        "\r\n\r\n",
        "x\r\n\r\n",
        "POST /mcp HTTP/9.9\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\nx",
        "GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.write_all(raw.as_bytes()).await.expect("written");
        stream.shutdown().await.expect("closed");
        let mut answer = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer));
        let _ = read.await.expect("the connection ends");
        assert!(
            !String::from_utf8_lossy(&answer).starts_with("HTTP/1.1 200"),
            "{raw}"
        );
    }
    assert!(ask(address, "skills/list", json!({})).await["result"].is_object());
}

/// What the SDK refuses before it reads a message.
#[tokio::test]
async fn what_the_head_of_a_request_does_wrong() {
    let address = server(bundled()).await;
    let body = message("skills/list", json!({}));
    let whole = request("/mcp", "localhost", "", "skills/list", &body);
    for (part, other, status) in [
        ("POST", "PUT", 405),
        ("POST", "NONE", 405),
        ("Accept:", "No:", 406),
        (", text/event-stream", "", 406),
        ("Type: application/json", "Type: text/plain", 415),
        ("Content-Type", "Other", 415),
        ("localhost", "evil.example", 403),
        ("localhost", "localhost\r\nOrigin: http://evil.example", 403),
        ("localhost", "localhost\r\nOrigin: \u{e9}", 403),
        ("Host", "Other", 400),
        ("localhost", "a b", 400),
        (" /mcp", " /other", 404),
    ] {
        let (got, answer) = exchange(address, &whole.replacen(part, other, 1)).await;
        assert_eq!(got, status, "{part} {other}: {answer}");
    }
}

/// Connections that send nothing, or do not read, leave room for others.
#[tokio::test]
async fn idle_connections_leave_room() {
    let address = server(bundled()).await;
    let mut idle = Vec::new();
    for number in 0..40 {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        if number % 2 == 0 {
            let request = request(
                "/mcp",
                "localhost",
                "",
                "skills/list",
                &message("skills/list", json!({})),
            );
            stream.write_all(request.as_bytes()).await.expect("written");
        }
        idle.push(stream);
    }
    let answer = tokio::time::timeout(
        Duration::from_secs(20),
        ask(address, "skills/list", json!({})),
    );
    assert!(answer.await.expect("in time")["result"].is_object());
    drop(idle);
    for _ in 0..200 {
        let _ = TcpStream::connect(address).await;
    }
    assert!(ask(address, "skills/list", json!({})).await["result"].is_object());
}

/// More connections than the maximum, all without a whole request, do not keep a client waiting.
#[tokio::test]
async fn half_open_connections_leave_room() {
    let address = server(bundled()).await;
    let body = message("skills/list", json!({}));
    let whole = request("/mcp", "localhost", "", "skills/list", &body);
    let parts = [0, 1, 40, whole.len() - body.len(), whole.len() - 1];
    let mut open = Vec::new();
    for number in 0..200 {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let part = parts[number % parts.len()];
        // An evicted connection is closed.
        let _ = stream.write_all(&whole.as_bytes()[..part]).await;
        open.push(stream);
    }
    // Well below the 30 seconds for which the server waits for a request.
    let answer = tokio::time::timeout(
        Duration::from_secs(15),
        ask(address, "skills/list", json!({})),
    );
    assert!(answer.await.expect("in time")["result"].is_object());
    drop(open);
}

/// A repeated header that names the host or the call: a proxy before the server could use the other value.
#[tokio::test]
async fn a_header_that_decides_stands_once() {
    let address = server(bundled()).await;
    let body = message("skills/list", json!({}));
    let whole = request("/mcp", "localhost", "", "skills/list", &body);
    assert_eq!(exchange(address, &whole).await.0, 200);
    for (name, first, second) in [
        ("Host", "localhost", "evil.example"),
        ("Host", "localhost", "localhost"),
        ("Host", "evil.example", "localhost"),
        ("Mcp-Method", "skills/list", "skills/get"),
        ("Content-Length", "1", "2"),
    ] {
        let without = whole
            .split("\r\n")
            .filter(|line| !line.starts_with(&format!("{name}:")))
            .collect::<Vec<_>>()
            .join("\r\n");
        let twice = format!("\r\n{name}: {first}\r\n{name}: {second}\r\n");
        let twice = without.replacen("\r\n", &twice, 1);
        let (status, answer) = exchange(address, &twice).await;
        assert_eq!(status, 400, "{name}: {answer}");
    }
    for host in [
        "localhost:80,evil.example",
        "user@localhost",
        "evil.example@localhost",
    ] {
        let other = whole.replacen("Host: localhost", &format!("Host: {host}"), 1);
        let (status, answer) = exchange(address, &other).await;
        assert_eq!(status, 400, "{host}: {answer}");
    }
    // A message with two methods: the header and the body may mean different methods.
    let method = "\"method\":\"skills/list\"";
    let twice = body.replacen(method, &format!("\"method\":\"skills/get\",{method}"), 1);
    let twice = request("/mcp", "localhost", "", "skills/list", &twice);
    let (status, answer) = exchange(address, &twice).await;
    assert!([400, 415].contains(&status), "{status}: {answer}");
    // The host in the first line takes precedence, and differs.
    let other = whole.replacen("POST /mcp", "POST http://evil.example/mcp", 1);
    let (status, answer) = exchange(address, &other).await;
    assert!([400, 403].contains(&status), "{status}: {answer}");
}

/// Few unread answers are in memory, and leave room for others.
#[tokio::test]
async fn large_answers_that_are_not_read() {
    let folder = Folder::skill("a");
    folder.write("user/a/large", "x".repeat(8 * 1024 * 1024));
    let address = server(folder.skills()).await;
    let uri = "skill://user/a/large";
    let method = "resources/read";
    let body = message(method, json!({ "uri": uri }));
    let name = format!("Mcp-Name: {uri}\r\n");
    let read = request("/mcp", "localhost", &name, method, &body);
    let mut unread = Vec::new();
    for _ in 0..7 {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.write_all(read.as_bytes()).await.expect("written");
        unread.push(stream);
    }
    let (status, whole) = exchange(address, &read).await;
    assert_eq!(status, 200);
    assert!(whole.len() > 8 * 1024 * 1024);
    assert!(serde_json::from_str::<Value>(&whole).is_ok());
    // A client that disconnects during an answer frees its place.
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(read.as_bytes()).await.expect("written");
    stream.read_exact(&mut [0; 1000]).await.expect("a part");
    drop(stream);
    assert!(ask(address, "skills/list", json!({})).await["result"].is_object());
    drop(unread);
    assert!(ask(address, "skills/list", json!({})).await["result"].is_object());
}

/// A server that other machines can reach. Requests go to the loopback address only.
#[tokio::test]
async fn only_the_allowed_names_reach_a_server_at_every_address() {
    let listener = TcpListener::bind("0.0.0.0:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let mut options = HttpOptions::default();
    options.allowed_hosts = vec!["skills.example".to_owned()];
    options.allowed_origins = vec!["https://app.example:8000".to_owned()];
    let server = SkillsServer::of("test", "1.0.0", bundled());
    tokio::spawn(async move { server.serve_http(listener, &options).await });
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let body = message("skills/list", json!({}));
    let status = async |host: &str, origin: Option<&str>| {
        let origin = origin.map(|origin| format!("Origin: {origin}\r\n"));
        let request = request(
            "/mcp",
            host,
            &origin.unwrap_or_default(),
            "skills/list",
            &body,
        );
        exchange(address, &request).await.0
    };
    for host in [
        "skills.example",
        "skills.example:8000",
        "SKILLS.example",
        "localhost",
        "127.0.0.1",
        "[::1]:80",
    ] {
        assert_eq!(status(host, None).await, 200, "{host}");
    }
    // A page of evil.example, whose name resolves to this machine, sends its own name.
    for host in [
        "evil.example",
        "skills.example.evil.example",
        "evil.skills.example",
        "0.0.0.0",
        "127.0.0.1.evil.example",
        "localhost.",
        "skills.example@evil.example",
        "evil.example:80",
        "169.254.169.254",
    ] {
        let got = status(host, None).await;
        assert!([400, 403].contains(&got), "{host}: {got}");
    }
    for (host, origin) in [
        ("skills.example", "https://app.example:8000"),
        ("localhost", "https://app.example:8000"),
    ] {
        assert_eq!(status(host, Some(origin)).await, 200, "{origin}");
    }
    let own = format!("http://skills.example:{port}");
    assert_eq!(status("skills.example", Some(&own)).await, 200);
    for origin in [
        "https://skills.example",
        "http://skills.example:1",
        "http://app.example:8000",
        "https://app.example:8443",
        "https://app.example.evil.example:8000",
        "http://localhost:1",
        "null",
        "",
    ] {
        assert_eq!(
            status("skills.example", Some(origin)).await,
            403,
            "{origin}"
        );
        assert_eq!(status("localhost", Some(origin)).await, 403, "{origin}");
    }
    // An older form of a request names its host in its first line.
    let (got, _) = exchange(
        address,
        "POST http://evil.example/mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    )
    .await;
    assert!([400, 403, 406].contains(&got), "{got}");
}
