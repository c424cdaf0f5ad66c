//! The runbooks, served over the Model Context Protocol.

use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Stdio};

#[test]
fn the_bundle_is_served() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_example-offline-tool"))
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let about = json!({ "name": "test", "version": "1" });
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about });
    let lines = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "skills/list" }),
    ];
    let mut input = server.stdin.take().expect("a pipe");
    for line in lines {
        writeln!(input, "{line}").expect("written");
    }
    drop(input);
    let output = server.wait_with_output().expect("the program ends");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    let answers: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "runbooks");
    let skills = answers[1]["result"]["skills"].as_array().expect("skills");
    assert!(!skills.is_empty());
    for skill in skills {
        let uri = skill["uri"].as_str().expect("an address");
        assert!(uri.starts_with("skill://runbooks/"), "{uri}");
    }
}
