//! Tests what a browser needs to call the server over HTTP.

use crate::client::bundled;
use crate::http::{message, request, server_with};
use serde_json::json;
use skills_server::http::HttpOptions;
use skills_server::{Skills, SkillsServer};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const APP: &str = "https://app.example";

async fn server() -> SocketAddr {
    let mut options = HttpOptions::default();
    options.allowed_origins = vec![APP.to_owned()];
    server_with(bundled(), options).await
}

/// Sends a request, and returns the status, the lines of the head in lower case, and the body.
pub(crate) async fn whole(address: SocketAddr, request: &str) -> (u16, Vec<String>, String) {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("written");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let head = head.lines().map(str::to_ascii_lowercase).collect();
    (status.expect("a status"), head, body.to_owned())
}

fn preflight(host: &str, origin: &str, more: &str) -> String {
    format!(
        "OPTIONS /mcp HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nOrigin: {origin}\r\n\
         Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n{more}\r\n"
    )
}

fn call(host: &str, origin: &str) -> String {
    let origin = format!("Origin: {origin}\r\n");
    request(
        "/mcp",
        host,
        &origin,
        "skills/list",
        &message("skills/list", json!({})),
    )
}

#[tokio::test]
async fn a_browser_asks_and_reads() {
    let address = server().await;
    let own = format!("127.0.0.1:{}", address.port());
    for origin in [APP.to_owned(), format!("http://{own}")] {
        let (status, head, body) = whole(address, &preflight(&own, &origin, "")).await;
        assert_eq!((status, body.as_str()), (200, ""));
        for line in [
            &format!("access-control-allow-origin: {origin}"),
            "access-control-allow-methods: get,post,delete",
            "access-control-allow-headers: content-type",
        ] {
            assert!(head.iter().any(|it| it == line), "{line}: {head:?}");
        }
        assert!(!head.iter().any(|line| line.contains("private-network")));
        let (status, head, body) = whole(address, &call(&own, &origin)).await;
        assert_eq!(status, 200, "{body}");
        for line in [
            &format!("access-control-allow-origin: {origin}"),
            "access-control-expose-headers: mcp-session-id",
        ] {
            assert!(head.iter().any(|it| it == line), "{line}: {head:?}");
        }
        // A page can read why its request is wrong.
        let wrong = call(&own, &origin).replace("Accept:", "No:");
        let (status, head, _) = whole(address, &wrong).await;
        assert_eq!(status, 406);
        assert!(head.contains(&format!("access-control-allow-origin: {origin}")));
    }
    let asks = "Access-Control-Request-Private-Network: true\r\n";
    let (_, head, _) = whole(address, &preflight(&own, APP, asks)).await;
    assert!(
        head.iter()
            .any(|line| line == "access-control-allow-private-network: true")
    );
}

#[tokio::test]
async fn other_pages_learn_nothing() {
    let address = server().await;
    let own = format!("127.0.0.1:{}", address.port());
    for (host, origin) in [
        (&*own, "https://evil.example"),
        (&own, "null"),
        (&own, "http://localhost:1"),
        (&own, "https://app.example.evil.example"),
        (&own, "https://app.example, https://evil.example"),
        (&own, "http://app.example"),
        (&own, ""),
        // The own origin of a page whose name resolves to this machine.
        ("evil.example", "http://evil.example"),
        ("evil.example", APP),
    ] {
        let (status, head, body) = whole(address, &call(host, origin)).await;
        assert_eq!(status, 403, "{host} {origin}: {body}");
        let (_, preflight, _) = whole(address, &preflight(host, origin, "")).await;
        // The browser refuses on its own; a name that resolves to this machine gets no further than the preflight.
        let allows = |line: &String| line.starts_with("access-control-allow-origin");
        if origin != APP {
            assert!(
                !head.iter().chain(&preflight).any(allows),
                "{host} {origin}: {head:?}"
            );
        }
    }
    // Two headers, of which one is allowed.
    for (first, second) in [
        (APP, "https://evil.example"),
        ("https://evil.example", APP),
        (APP, APP),
    ] {
        let request = call(&own, &format!("{first}\r\nOrigin: {second}"));
        assert_eq!(whole(address, &request).await.0, 400);
    }
    // A program asks without a page.
    let (status, head, _) = whole(address, &call(&own, "x").replace("Origin: x\r\n", "")).await;
    assert_eq!(status, 200);
    assert!(
        !head
            .iter()
            .any(|line| line.starts_with("access-control-allow-origin"))
    );
}

#[tokio::test]
async fn what_is_no_origin_is_not_allowed() {
    for wrong in ["*", "null", "app.example", "https://app.example/x"] {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let mut options = HttpOptions::default();
        options.allowed_origins = vec![wrong.to_owned()];
        let server = SkillsServer::of("test", "1.0.0", Skills::clone(&bundled()));
        let refused = server
            .serve_http(listener, &options)
            .await
            .expect_err("refused");
        assert_eq!(refused.kind(), std::io::ErrorKind::InvalidInput);
        assert!(refused.to_string().contains(wrong));
    }
}
