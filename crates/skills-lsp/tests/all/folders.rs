//! Folders and documents that come and go.

use crate::client::Client;
use serde_json::json;

const GREET: &str =
    "---\nname: greet\ndescription: Greets. Use when someone arrives.\n---\n[It](no.md).\n";
const PATHS: [&str; 2] = ["skills/greet/SKILL.md", "skills/wave/SKILL.md"];

fn client() -> Client {
    let wave = GREET.replace("greet", "wave");
    Client::new(&[(PATHS[0], GREET), (PATHS[1], &wave)])
}

/// Reports folders to the server: those that are added, and those that are removed.
fn folders(client: &mut Client, added: &[&str], removed: &[&str]) {
    let of = |paths: &[&str]| {
        let folder = |path: &&str| {
            let uri = client.uri(path);
            json!({ "uri": uri.trim_end_matches('/'), "name": "it" })
        };
        paths.iter().map(folder).collect::<Vec<_>>()
    };
    let event = json!({ "event": { "added": of(added), "removed": of(removed) } });
    client.notify("workspace/didChangeWorkspaceFolders", &event);
    client.settle();
}

fn close(client: &mut Client, path: &str) {
    let document = json!({ "textDocument": { "uri": client.uri(path) } });
    client.notify("textDocument/didClose", &document);
    client.settle();
}

#[test]
fn a_document_outlives_its_folder() {
    let mut client = client();
    client.open(PATHS[0]);
    folders(&mut client, &[], &[""]);
    assert_eq!(client.rules(PATHS[0]), ["link-broken"]);
    // No document of the other skill is open.
    assert_eq!(client.rules(PATHS[1]), [""; 0]);
    client.change(
        PATHS[0],
        &json!([{ "text": GREET.replace("[It](no.md)", "It") }]),
    );
    assert_eq!(client.rules(PATHS[0]), [""; 0]);
    client.change(PATHS[0], &json!([{ "text": "x" }]));
    assert_eq!(client.rules(PATHS[0]), ["frontmatter-missing"]);
    close(&mut client, PATHS[0]);
    assert_eq!(client.rules(PATHS[0]), [""; 0]);
    assert!(client.end());
}

#[test]
fn each_document_without_a_folder_is_checked() {
    let mut client = client();
    folders(&mut client, &[], &[""]);
    for path in PATHS {
        client.open(path);
    }
    for path in PATHS {
        assert_eq!(client.rules(path), ["link-broken"], "{path}");
        let answer = client.request("textDocument/hover", &client.at(path, 4, 6));
        assert!(
            answer.to_string().contains("link-broken"),
            "{path}: {answer}"
        );
    }
    close(&mut client, PATHS[0]);
    assert_eq!(client.rules(PATHS[0]), [""; 0]);
    assert_eq!(client.rules(PATHS[1]), ["link-broken"]);
    // The folder takes the document over, and shows a finding once.
    folders(&mut client, &["", ""], &[]);
    assert_eq!(client.rules(PATHS[0]), ["link-broken"]);
    assert_eq!(client.rules(PATHS[1]), ["link-broken"]);
    folders(&mut client, &[], &[""]);
    assert_eq!(client.rules(PATHS[0]), [""; 0]);
    assert_eq!(client.rules(PATHS[1]), ["link-broken"]);
    assert!(client.end());
}

#[test]
fn a_document_without_a_folder_need_not_be_saved() {
    let mut client = client();
    folders(&mut client, &[], &[""]);
    std::fs::create_dir_all(client.root().join("skills/bow")).unwrap();
    let path = "skills/bow/SKILL.md";
    client.open_as(path, "---\nname: bow\n---\nBow.\n");
    assert_eq!(client.messages, [""; 0]);
    assert_eq!(client.rules(path), ["description-missing"]);
    assert!(client.end());
}
