//! Completion, hover, navigation and renaming.

use crate::client::Client;
use serde_json::{Value, json};

const GREET: &str = "skills/greet/SKILL.md";
const WAVE: &str = "skills/wave/SKILL.md";

fn client() -> Client {
    let greet = "---\nname: greet\ndescription: Greets. Use when someone arrives.\narguments: guest\n---\n# Greet\n\nSay good day, then $wave.\n\n## More here\n\nSee [more](notes/more.md#last-one) and `notes/more.md`.\n";
    let wave = "---\nname: wave\ndescription: Waves. Use when someone leaves.\n---\nAs $greet, or [greet](../greet/SKILL.md).\n";
    let mut client = Client::new(&[
        (GREET, greet),
        ("skills/greet/notes/more.md", "# More\n\n## Last one\n"),
        (WAVE, wave),
        (
            "skills/skills.toml",
            "[[override]]\npaths = [\"greet/**\"]\nallow = [\"body-length\"]\n",
        ),
    ]);
    client.open(GREET);
    client.open(WAVE);
    client
}

fn labels(answer: &Value) -> Vec<&str> {
    let items = answer.as_array().unwrap();
    items
        .iter()
        .map(|item| item["label"].as_str().unwrap())
        .collect()
}

/// Types a line in place of the last, and asks at its end.
fn complete(client: &mut Client, text: &str) -> Value {
    client.change(GREET, &json!([{ "text": text }]));
    let line = u32::try_from(text.matches('\n').count()).unwrap();
    client.request("textDocument/completion", &client.at(GREET, line, 999))
}

#[test]
fn keys_and_values_are_completed() {
    let mut client = client();
    let keys = complete(&mut client, "---\nname: greet\nallowed-");
    let known = labels(&keys);
    assert!(
        known.contains(&"allowed-tools")
            && known.contains(&"user-invocable")
            && !known.contains(&"name")
    );
    let item = keys
        .as_array()
        .unwrap()
        .iter()
        .find(|item| item["label"] == "allowed-tools")
        .unwrap();
    assert_eq!(item["textEdit"]["newText"], "allowed-tools: ");
    assert_eq!(
        item["textEdit"]["range"]["start"],
        json!({ "line": 2, "character": 0 })
    );
    assert!(
        item["documentation"]["value"]
            .as_str()
            .unwrap()
            .contains("Claude Code")
    );
    let values = complete(&mut client, "---\nuser-invocable: ");
    assert_eq!(labels(&values), ["false", "true"]);
    let tools = complete(&mut client, "---\nallowed-tools: Ba");
    assert!(labels(&tools).contains(&"Bash"));
    assert_eq!(labels(&complete(&mut client, "---\nname: ")), ["greet"]);
    assert!(client.end());
}

#[test]
fn mentions_and_links_are_completed() {
    let mut client = client();
    let head = "---\nname: greet\ndescription: Greets. Use when someone arrives.\narguments: guest\n---\n## A place\n";
    let mentions = complete(&mut client, &format!("{head}First $w"));
    let known = labels(&mentions);
    assert!(known.contains(&"$wave") && known.contains(&"$guest") && known.contains(&"$ARGUMENTS"));
    assert!(!known.contains(&"$greet"));
    assert_eq!(
        labels(&complete(&mut client, &format!("{head}See [it](no"))),
        ["notes/more.md"]
    );
    assert_eq!(
        labels(&complete(
            &mut client,
            &format!("{head}See [it](notes/more.md#")
        )),
        ["more", "last-one"]
    );
    assert_eq!(
        labels(&complete(&mut client, &format!("{head}See [it](#"))),
        ["a-place"]
    );
    assert_eq!(
        complete(&mut client, &format!("{head}Plain text")),
        Value::Null
    );
    assert!(client.end());
}

#[test]
fn hover_explains() {
    let mut client = client();
    let text = |client: &mut Client, line, character| {
        let answer = client.request("textDocument/hover", &client.at(GREET, line, character));
        answer["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let field = text(&mut client, 3, 2);
    assert!(
        field.contains("arguments") && field.contains("Claude Code"),
        "{field}"
    );
    let skill = text(&mut client, 7, 20);
    assert!(
        skill.contains("Waves.")
            && skill.contains("tokens")
            && skill.contains("Codex shows the whole description"),
        "{skill}"
    );
    assert!(text(&mut client, 11, 14).contains("3 lines"));
    assert_eq!(text(&mut client, 7, 2), "");
    client.change(GREET, &json!([{ "text": "---\nname: greet\ndescription: Greets. Use when someone arrives.\n---\n[it](no.md)\n" }]));
    assert!(text(&mut client, 4, 6).contains("link-broken"));
    assert!(client.end());
}

#[test]
fn definition_and_references() {
    let mut client = client();
    let place = client.request("textDocument/definition", &client.at(GREET, 7, 20));
    assert_eq!(place["uri"], client.uri(WAVE));
    let place = client.request("textDocument/definition", &client.at(GREET, 11, 14));
    assert_eq!(place["uri"], client.uri("skills/greet/notes/more.md"));
    assert_eq!(place["range"]["start"]["line"], 2);
    let mut params = client.at(GREET, 1, 8);
    params["context"] = json!({ "includeDeclaration": true });
    let found = client.request("textDocument/references", &params);
    let found = found.as_array().unwrap();
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|it| it["uri"] == client.uri(WAVE)));
    assert!(client.end());
}

#[test]
fn a_skill_is_renamed_as_a_whole() {
    let mut client = client();
    let prepared = client.request("textDocument/prepareRename", &client.at(WAVE, 4, 5));
    assert_eq!(prepared["placeholder"], "greet");
    assert_eq!(prepared["range"]["start"]["character"], 4);
    let mut params = client.at(WAVE, 4, 5);
    params["newName"] = json!("welcome");
    let answer = client.request("textDocument/rename", &params);
    let changes = answer["documentChanges"].as_array().unwrap();
    assert_eq!(changes.len(), 3, "{changes:#?}");
    let edits = |path: &str| {
        let file = changes
            .iter()
            .find(|it| it["textDocument"]["uri"] == client.uri(path))
            .unwrap();
        let edits = file["edits"].as_array().unwrap().iter();
        edits
            .map(|it| {
                (
                    it["range"]["start"]["line"].as_u64().unwrap(),
                    it["range"]["start"]["character"].as_u64().unwrap(),
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(edits(GREET), [(1, 6)]);
    assert_eq!(edits(WAVE), [(4, 4), (4, 25)]);
    assert_eq!(changes[2]["kind"], "rename");
    assert_eq!(changes[2]["newUri"], client.uri("skills/welcome"));
    for (name, reason) in [("wave", "already"), ("No Name", "")] {
        params["newName"] = json!(name);
        let refused = client.ask("textDocument/rename", &params).unwrap_err();
        assert!(refused.as_str().unwrap().contains(reason));
    }
    assert!(client.end());
}

/// Renames a skill, and returns the text and the range of the edit of its `name`.
fn name_edit(name: &str, new: &str) -> (String, u64, u64) {
    let text =
        format!("---\nname: {name}\ndescription: Greets. Use when someone arrives.\n---\nGo.\n");
    let mut client = Client::new(&[(GREET, &text)]);
    client.open(GREET);
    let line = if name.contains('\n') { 2 } else { 1 };
    let mut params = client.at(GREET, line, 8);
    params["newName"] = json!(new);
    let answer = client.request("textDocument/rename", &params);
    let edit = &answer["documentChanges"][0]["edits"][0];
    let character = |place: &str| edit["range"][place]["character"].as_u64().unwrap();
    let new = edit["newText"].as_str().unwrap().to_owned();
    let found = (new, character("start"), character("end"));
    assert_eq!(edit["range"]["start"]["line"], edit["range"]["end"]["line"]);
    assert!(client.end());
    found
}

#[test]
fn a_new_name_is_written_as_a_text() {
    for (name, new, written, start, end) in [
        ("greet", "welcome", "welcome", 6, 11),
        ("greet # why", "null", "\"null\"", 6, 11),
        ("greet", "2024-01-01", "\"2024-01-01\"", 6, 11),
        ("\"greet\" # why", "null", "null", 7, 12),
        ("'greet'", "welcome", "welcome", 7, 12),
        (">-\n  greet", "null", "null", 2, 7),
    ] {
        let edit = name_edit(name, new);
        assert_eq!(edit, (written.to_owned(), start, end), "{name} {new}");
    }
}

#[test]
fn a_skill_is_not_renamed_onto_a_folder() {
    let text = "---\nname: greet\ndescription: Greets. Use when someone arrives.\n---\nGo.\n";
    let mut client = Client::new(&[(GREET, text), ("skills/welcome/notes.txt", "x")]);
    client.open(GREET);
    let mut params = client.at(GREET, 1, 8);
    params["newName"] = json!("welcome");
    let refused = client.ask("textDocument/rename", &params).unwrap_err();
    let refused = refused.as_str().unwrap();
    assert!(refused.ends_with("welcome is there already"), "{refused}");
    assert!(client.end());
}

#[test]
fn an_editor_that_cannot_rename_folders_is_told() {
    let text =
        "---\nname: greet\ndescription: Greets. Use when someone arrives.\n---\nSay good day.\n";
    let mut client = Client::with(&[(GREET, text)], &json!({}));
    client.open(GREET);
    let mut params = client.at(GREET, 1, 8);
    params["newName"] = json!("welcome");
    let refused = client.ask("textDocument/rename", &params).unwrap_err();
    assert!(
        refused.as_str().unwrap().contains("cannot rename folders"),
        "{refused}"
    );
    assert!(client.end());
}
