//! Code actions.

use crate::client::Client;
use serde_json::{Value, json};

fn actions(client: &mut Client, path: &str, line: u32, only: Option<&str>) -> Vec<Value> {
    let place = json!({ "line": line, "character": 0 });
    let end = json!({ "line": line, "character": 999 });
    let mut context = json!({ "diagnostics": [] });
    if let Some(only) = only {
        context["only"] = json!([only]);
    }
    let params = json!({ "textDocument": { "uri": client.uri(path) }, "range": { "start": place, "end": end }, "context": context });
    let answer = client.request("textDocument/codeAction", &params);
    answer.as_array().unwrap().clone()
}

fn edit<'v>(actions: &'v [Value], title: &str) -> &'v Value {
    let found = actions
        .iter()
        .find(|action| action["title"].as_str().unwrap().starts_with(title));
    &found.unwrap_or_else(|| panic!("{title}: {actions:#?}"))["edit"]["documentChanges"][0]["edits"]
        [0]
}

const PATH: &str = "skills/greet/SKILL.md";

#[test]
fn a_safe_fix_a_guess_and_everything() {
    let text = "---\nname: greet\ndescripton: Greets people well.\nuser-invocable: yes\n---\nSee [it](scripts/run.sh).\n";
    let mut client = Client::new(&[(PATH, text), ("skills/greet/scripts/run.sh", "#!/bin/sh\n")]);
    client.open(PATH);
    let found = actions(&mut client, PATH, 2, Some("quickfix"));
    assert_eq!(edit(&found, "Fix, a guess: ")["newText"], "description");
    assert!(found.iter().all(|action| action["isPreferred"] != true));
    let found = actions(&mut client, PATH, 3, Some("quickfix"));
    let fix = found
        .iter()
        .find(|action| action["title"].as_str().unwrap().starts_with("Fix: "))
        .unwrap();
    assert_eq!(fix["isPreferred"], true);
    assert_eq!(fix["diagnostics"][0]["code"], "field-type");
    let found = actions(&mut client, PATH, 0, Some("source.fixAll"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["kind"], "source.fixAll.skills");
    let new = edit(&found, "Fix everything")["newText"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(new, "true");
    assert!(client.end());
}

#[test]
fn allow_here_and_in_the_options() {
    let text = "---\nname: greet\ndescription: Greets. Use when someone arrives.\n---\nSay good day.\n\nThen read\n[it](no.md).\n";
    let mut client = Client::new(&[
        (PATH, text),
        ("skills/skills.toml", "warn = []\nallow = [\"secret\"]\n"),
    ]);
    client.open(PATH);
    let found = actions(&mut client, PATH, 7, None);
    let here = edit(&found, "Allow `link-broken` here");
    assert_eq!(here["newText"], "<!-- skills: allow link-broken -->\n");
    assert_eq!(here["range"]["start"], json!({ "line": 6, "character": 0 }));
    let options = edit(&found, "Allow `link-broken` in skills.toml");
    assert_eq!(options["newText"], "\"link-broken\", ");
    assert_eq!(
        options["range"]["start"],
        json!({ "line": 1, "character": 9 })
    );
    // Asking changes no finding.
    client.settle();
    assert_eq!(client.rules(PATH), ["link-broken"]);
    assert!(client.end());
}

#[test]
fn a_finding_in_the_front_matter_is_allowed_in_the_file() {
    let text =
        "---\nname: bow\ndescription: Greets. Use when someone arrives.\n---\nSay good day.\n";
    let mut client = Client::new(&[(PATH, text)]);
    client.open(PATH);
    let found = actions(&mut client, PATH, 1, None);
    assert_eq!(
        edit(&found, "Allow `name-mismatch` in this file")["newText"],
        "<!-- skills: allow-file name-mismatch -->\n\n"
    );
    // Without `skills.toml`, the file is created.
    let create = found
        .iter()
        .find(|action| action["title"] == "Allow `name-mismatch` in skills.toml")
        .unwrap();
    assert_eq!(create["edit"]["documentChanges"][0]["kind"], "create");
    assert!(client.end());
}
