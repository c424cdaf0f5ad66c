//! The findings of the server are those of the check.

use crate::client::{Client, address};
use proptest::prelude::*;
use serde_json::json;
use skills_repository::check;
use skills_repository::repository::{Repository, Settings, Start};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const GREET: &str =
    "---\nname: greet\ndescription: Greets. Use when someone arrives.\n---\nSay good day.\n";

#[test]
fn a_finding_comes_and_goes_while_a_person_types() {
    let mut client = Client::new(&[("skills/greet/SKILL.md", GREET)]);
    let path = "skills/greet/SKILL.md";
    assert_eq!(client.rules(path), [""; 0]);
    client.open(path);
    let end = json!([{ "range": { "start": { "line": 4, "character": 99 }, "end": { "line": 4, "character": 99 } },
        "text": " \u{1F600} [it](no.md)" }]);
    client.change(path, &end);
    assert_eq!(client.rules(path), ["link-broken"]);
    // 13 letters, a space, a pair of surrogates, a space, `[it](`.
    let found = &client.findings[path][0];
    assert_eq!(
        found["range"]["start"],
        json!({ "line": 4, "character": 22 })
    );
    assert_eq!(found["range"]["end"], json!({ "line": 4, "character": 27 }));
    assert_eq!(found["source"], "skills");
    client.change(path, &json!([{ "text": GREET }]));
    assert_eq!(client.rules(path), [""; 0]);
    // The text of a closed document is that of the disk again.
    client.change(path, &json!([{ "text": "no front matter" }]));
    assert_eq!(client.rules(path), ["frontmatter-missing"]);
    client.notify(
        "textDocument/didClose",
        &json!({ "textDocument": { "uri": client.uri(path) } }),
    );
    client.settle();
    assert_eq!(client.rules(path), [""; 0]);
    assert!(client.end());
}

#[test]
fn a_change_of_one_skill_changes_the_findings_of_another() {
    let other = GREET.replace("greet", "wave").replace(
        "description: ",
        "metadata:\n  requires: {skills: [greet]}\ndescription: ",
    );
    let files = [
        ("skills/greet/SKILL.md", GREET),
        ("skills/wave/SKILL.md", &other),
    ];
    let mut client = Client::new(&files);
    let is_missed = |client: &mut Client| {
        let rules = client.rules("skills/wave/SKILL.md");
        rules.contains(&"needed-skill")
    };
    assert!(!is_missed(&mut client));
    client.open("skills/greet/SKILL.md");
    let changed = GREET.replace("name: greet", "name: bow");
    client.change("skills/greet/SKILL.md", &json!([{ "text": changed }]));
    assert_eq!(client.rules("skills/greet/SKILL.md"), ["name-mismatch"]);
    assert!(is_missed(&mut client));
    assert!(client.end());
}

#[test]
fn a_finding_about_two_skills_leads_to_the_other() {
    let skill = |name: &str, about: &str| {
        format!("---\nname: {name}\ndescription: {about}\n---\n\nDo it.\n")
    };
    let (first, second) = (
        skill("a", "Sorts lists. Use for lists."),
        skill("a", "Draws plans."),
    );
    let files = [
        ("skills/a/SKILL.md", &*first),
        ("skills/b/a/SKILL.md", &*second),
    ];
    let shown = json!({ "textDocument": { "publishDiagnostics": { "relatedInformation": true } } });
    let mut client = Client::with(&files, &shown);
    client.settle();
    let found = client.findings["skills/b/a/SKILL.md"].clone();
    let found = found
        .iter()
        .find(|it| it["code"] == "duplicate-name")
        .unwrap();
    let place = &found["relatedInformation"][0]["location"];
    assert_eq!(place["uri"], client.uri("skills/a/SKILL.md"));
    assert_eq!(
        place["range"]["start"],
        json!({ "line": 1, "character": 6 })
    );
    assert_eq!(place["range"]["end"], json!({ "line": 1, "character": 7 }));
    // A client that shows no such places gets none.
    let plain = Client::with(&files, &json!({}));
    assert!(
        !json!(plain.findings)
            .to_string()
            .contains("relatedInformation")
    );
}

#[test]
fn options_and_files_beside_the_skill_are_documents_too() {
    let files = [("skills/greet/SKILL.md", GREET), ("skills/skills.toml", "")];
    let mut client = Client::new(&files);
    client.open("skills/skills.toml");
    client.change(
        "skills/skills.toml",
        &json!([{ "text": "allow = [\"no-rule\"]\n" }]),
    );
    assert_eq!(client.rules("skills/skills.toml"), ["config-form"]);
    assert!(client.end());
}

#[test]
fn a_project_without_skills_has_no_findings() {
    let client = Client::new(&[("README.md", "# Read me\n")]);
    assert!(client.findings.is_empty(), "{:?}", client.findings);
    assert!(client.messages.is_empty(), "{:?}", client.messages);
    assert!(client.end());
}

#[test]
fn a_finding_about_a_folder_is_shown_at_the_next_skill() {
    let files = [
        ("skills/changelog/SKILLS.md", GREET),
        ("skills/greet/SKILL.md", GREET),
    ];
    let client = Client::new(&files);
    assert_eq!(
        client.rules("skills/greet/SKILL.md"),
        ["skill-file-missing"]
    );
    let message = &client.findings["skills/greet/SKILL.md"][0]["message"];
    let message = message.as_str().unwrap();
    assert!(message.starts_with("skills/changelog: "), "{message}");
    assert_eq!(client.findings.len(), 1);
    assert!(client.end());
}

#[test]
fn two_open_folders_show_a_finding_once() {
    let text = GREET.replace("Say", "[Say](no.md), [say](no.md)");
    let mut client = Client::new(&[("skills/greet/SKILL.md", &text)]);
    let inner = json!({ "uri": client.uri("skills/greet"), "name": "inner" });
    let event = json!({ "event": { "added": [inner], "removed": [] } });
    client.notify("workspace/didChangeWorkspaceFolders", &event);
    client.settle();
    client.open("skills/greet/SKILL.md");
    let found = client.rules("skills/greet/SKILL.md");
    assert_eq!(found, ["link-broken", "link-broken"]);
    assert!(client.end());
}

#[test]
fn findings_name_the_version_of_an_open_document() {
    let mut client = Client::new(&[("skills/greet/SKILL.md", GREET)]);
    client.open("skills/greet/SKILL.md");
    client.change("skills/greet/SKILL.md", &json!([{ "text": "x" }]));
    assert_eq!(client.versions["skills/greet/SKILL.md"], json!(2));
    // An editor drops what names an older version than its own, so the same findings are sent again.
    let uri = client.uri("skills/greet/SKILL.md");
    client.notify(
        "textDocument/didChange",
        &json!({ "textDocument": { "uri": uri, "version": 3 }, "contentChanges": [{ "text": "x\n" }] }),
    );
    client.settle();
    assert_eq!(client.versions["skills/greet/SKILL.md"], json!(3));
    assert!(client.end());
}

#[test]
fn a_document_that_is_too_long_is_that_of_the_disk() {
    let text = GREET.replace("Say", "[Say](no.md)");
    let path = "skills/greet/SKILL.md";
    let mut client = Client::new(&[(path, &text)]);
    let long = "x".repeat((16 << 20) + 1);
    client.open_as(path, &long);
    assert_eq!(client.messages.len(), 1);
    assert_eq!(client.rules(path), ["link-broken"]);
    let start = json!({ "line": 0, "character": 0 });
    let typed = json!([{ "range": { "start": start, "end": start }, "text": "y" }]);
    client.change(path, &typed);
    assert_eq!(client.rules(path), ["link-broken"]);
    client.open_as(path, GREET);
    assert_eq!(client.rules(path), [""; 0]);
    client.change(path, &json!([{ "text": long }]));
    assert_eq!(client.messages.len(), 2);
    assert_eq!(client.rules(path), ["link-broken"]);
    assert!(client.end());
}

#[test]
fn odd_messages_are_answered() {
    let mut client = Client::new(&[("skills/greet/SKILL.md", GREET)]);
    client.open("skills/greet/SKILL.md");
    for method in ["textDocument/hover", "textDocument/rename", "nothing/known"] {
        assert!(client.ask(method, &json!({ "textDocument": 1 })).is_err());
    }
    client.notify("textDocument/didChange", &json!([]));
    client.change("skills/never-opened", &json!([{ "text": "x" }]));
    assert_eq!(client.messages.len(), 2);
    assert_eq!(client.rules("skills/greet/SKILL.md"), [""; 0]);
    assert!(client.end());
}

/// Returns the findings of the check, at the lines and columns of the protocol.
fn of_check(root: &Path) -> BTreeSet<(String, String, u64)> {
    let start = Start::new(Path::new("."), Some(root)).unwrap();
    let repository = Repository::open(start, &Settings::default()).unwrap();
    let checked = check::check(&repository, &[], root);
    let found = checked.bundles.iter().flat_map(|found| &found.diagnostics);
    found
        .chain(&checked.others)
        .filter(|found| found.rule.as_str() != "bundle-empty")
        .map(|found| {
            let path = root.join(&found.path);
            let path = match shown(&path) {
                Some(entry) => entry,
                None => path,
            };
            let path = path.strip_prefix(root).unwrap().display().to_string();
            (
                path,
                found.rule.to_string(),
                u64::try_from(found.start.line).unwrap() - 1,
            )
        })
        .collect()
}

/// Returns the `SKILL.md` at which an editor shows a finding about a folder: its own, the first below, or that of the
/// next folder above.
fn shown(path: &Path) -> Option<PathBuf> {
    fn first(folder: &Path) -> Option<PathBuf> {
        if folder.join("SKILL.md").is_file() {
            return Some(folder.join("SKILL.md"));
        }
        let mut inner: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_dir() && !path.is_symlink())
            .collect();
        inner.sort();
        inner.iter().find_map(|inner| first(inner))
    }
    if path.is_symlink() || !path.is_dir() {
        return None;
    }
    path.ancestors().take(9).find_map(first)
}

fn of_server(root: &Path) -> BTreeSet<(String, String, u64)> {
    let client = Client::of(root);
    let prefix = address(root);
    let found = client.findings.iter().flat_map(|(uri, found)| {
        let path = percent(uri);
        let path = path
            .strip_prefix(&prefix)
            .unwrap()
            .trim_start_matches('/')
            .to_owned();
        found.iter().map(move |found| {
            let line = found["range"]["start"]["line"].as_u64().unwrap();
            (
                path.clone(),
                found["code"].as_str().unwrap().to_owned(),
                line,
            )
        })
    });
    let found = found.collect();
    assert!(client.end());
    found
}

fn percent(text: &str) -> String {
    skills_format::text::percent::decode(text).into_owned()
}

/// The examples of the rules, each a repository, and with `SKILLS_CORPUS` each folder of real skills.
#[test]
#[cfg_attr(windows, ignore = "Windows cannot hold every example")]
fn the_findings_are_those_of_the_check() {
    let mut roots: Vec<PathBuf> = Vec::new();
    let examples = tempfile::tempdir().unwrap();
    for rule in skills_lint::rules::RULES {
        for (name, example) in [("bad", &rule.bad), ("good", &rule.good)] {
            let root = examples.path().join(format!("{}-{name}", rule.id));
            for file in example.tree().files {
                let path = root.join("skills").join(&file.path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, file.bytes.unwrap_or_default()).unwrap();
            }
            std::fs::create_dir_all(&root).unwrap();
            std::fs::write(root.join("skills/skills.toml"), example.config()).unwrap_or_default();
            roots.push(root);
        }
    }
    if let Some(corpus) = std::env::var_os("SKILLS_CORPUS") {
        for part in ["repositories", "sample", "nasty", "faults"] {
            let folders = std::fs::read_dir(Path::new(&corpus).join(part)).unwrap();
            roots.extend(
                folders
                    .map(|entry| entry.unwrap().path())
                    .filter(|path| path.is_dir()),
            );
        }
    }
    let mut count = 0;
    for root in roots {
        let (server, check) = (of_server(&root), of_check(&root));
        count += check.len();
        let only_server: Vec<_> = server.difference(&check).collect();
        let only_check: Vec<_> = check.difference(&server).collect();
        assert!(
            only_server.is_empty() && only_check.is_empty(),
            "{}: server {only_server:#?}, check {only_check:#?}",
            root.display()
        );
    }
    assert!(count > 50);
}

const METHODS: &[&str] = &[
    "textDocument/codeAction",
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/prepareRename",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Typing any text gives the findings of a check of that text.
    #[test]
    fn typed_texts_are_checked(texts in proptest::collection::vec("[-a-z: \n$\\[\\]().\u{1F600}\r`#]{0,40}", 1..6), line in 0u32..9, character in 0u32..99) {
        let mut client = Client::new(&[("skills/greet/SKILL.md", GREET), ("skills/wave/SKILL.md", GREET)]);
        client.open("skills/greet/SKILL.md");
        for text in &texts {
            let place = json!({ "line": line, "character": character });
            let range = json!({ "start": place, "end": { "line": line, "character": character + 3 } });
            client.change("skills/greet/SKILL.md", &json!([{ "range": range, "text": text }]));
        }
        let typed = client.findings.clone();
        client.notify("textDocument/didSave", &json!({ "textDocument": { "uri": client.uri("skills/greet/SKILL.md") } }));
        client.settle();
        prop_assert_eq!(&typed, &client.findings);
        for method in METHODS {
            let mut params = client.at("skills/greet/SKILL.md", line, character);
            let place = params["position"].clone();
            params["range"] = json!({ "start": place, "end": place });
            if matches!(*method, "textDocument/codeAction" | "textDocument/references") {
                params["context"] = json!({ "diagnostics": [], "includeDeclaration": true });
            }
            prop_assert!(client.ask(method, &params).is_ok(), "{}", method);
        }
        prop_assert!(client.end());
    }

    /// Parameters of any kind are refused or answered, and end nothing.
    #[test]
    fn odd_parameters_end_nothing(
        method in proptest::sample::select(METHODS),
        note in proptest::sample::select(NOTES),
        odd in proptest::sample::select(ODD),
        key in proptest::sample::select(KEYS),
        number: u64,
    ) {
        let mut client = Client::new(&[("skills/greet/SKILL.md", GREET)]);
        client.open("skills/greet/SKILL.md");
        let mut params = client.at("skills/greet/SKILL.md", 1, 2);
        params["range"] = json!({ "start": { "line": 9, "character": 1 }, "end": { "line": 0, "character": 0 } });
        params["context"] = json!({ "diagnostics": [], "includeDeclaration": true });
        params["contentChanges"] = json!([{ "range": params["range"].clone(), "text": "x" }]);
        params[key] = serde_json::from_str(&odd.replace('N', &number.to_string())).unwrap();
        let _ = client.ask(method, &params);
        client.notify(note, &params);
        let _ = client.ask(method, &client.at("skills/greet/SKILL.md", 1, 2));
        prop_assert!(client.end());
    }
}

const NOTES: &[&str] = &[
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didSave",
    "textDocument/didClose",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
    "nothing/known",
];
const KEYS: &[&str] = &[
    "textDocument",
    "position",
    "range",
    "context",
    "contentChanges",
    "changes",
    "event",
];
const ODD: &[&str] = &[
    "null",
    "N",
    "[]",
    "{}",
    "{\"uri\":\"\"}",
    "{\"uri\":\"file:///%ff\",\"version\":N}",
    "{\"uri\":\"untitled:x\",\"version\":1,\"languageId\":\"\",\"text\":\"\"}",
    "{\"line\":N,\"character\":N}",
    "{\"start\":{\"line\":4294967295,\"character\":4294967295},\"end\":{\"line\":0,\"character\":0}}",
    "[{\"uri\":\"file:///\",\"type\":N}]",
    "[{\"range\":{\"start\":{\"line\":4294967295,\"character\":1},\"end\":{\"line\":0,\"character\":0}},\"text\":\"y\"}]",
];
