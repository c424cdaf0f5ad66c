//! Tests of names and addresses.

use super::{agent, mcp};

#[test]
fn names_of_agent_plugins() {
    for name in ["my-plugin", "acme.tools", "lint3r", "a", "a.-b"] {
        assert!(agent::is_name(name), "{name}");
    }
    let long = "a".repeat(65);
    for name in [
        "My-Plugin",
        "-start",
        "has--double",
        "too.many..dots",
        "",
        "end.",
        "é",
        "a b",
        &long,
    ] {
        assert!(!agent::is_name(name), "{name}");
    }
}

#[test]
fn addresses_of_servers() {
    for url in [
        "https://a.example/mcp",
        "http://localhost:1/x",
        "http://127.0.0.1",
        "http://[::1]:8/x",
    ] {
        assert!(mcp::is_url(url), "{url}");
    }
    for url in [
        "http://a.example",
        "https://u@a.example",
        "https://a.example/#x",
        "ftp://a",
        "a",
        "https://",
        "http://localhost.example",
        "https://a .example",
    ] {
        assert!(!mcp::is_url(url), "{url}");
    }
}
