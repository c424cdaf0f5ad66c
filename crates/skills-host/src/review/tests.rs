//! The changes of `tests/changes`: hidden gains are found, and harmless changes gain nothing.

use crate::review::difference::compare;
use crate::review::side::{ReviewedSkill, Side};
use skills_store::files::snapshot::FileBytes;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// One change of a document.
#[derive(Default)]
struct Change {
    name: String,
    /// The power that the change gains: `hosts: a.org`. The power may continue.
    gains: Option<String>,
    sides: [BTreeMap<String, FileBytes>; 2],
}

impl Change {
    /// Returns the gained powers as `kind: text`.
    fn gained(&self) -> Vec<String> {
        let [old, new] = &self.sides;
        let side = |files: &BTreeMap<String, FileBytes>| Side {
            skills: vec![ReviewedSkill {
                folder: "x".to_owned(),
                files: files.clone(),
                links: BTreeMap::new(),
            }],
            ..Side::default()
        };
        let found = compare(&side(old), &side(new));
        let gained = found.into_iter().flat_map(|skill| skill.powers.gained);
        gained
            .map(|power| format!("{}: {}", power.kind.as_str(), power.text))
            .collect()
    }
}

/// Reads the changes of a document of `tests/changes`.
fn changes(name: &str) -> Vec<Change> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/changes");
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let mut all: Vec<Change> = Vec::new();
    let mut open: Option<(usize, String, String)> = None;
    for line in text.lines() {
        if let Some((side, info, content)) = &mut open {
            if line == "`````" {
                let change = all.last_mut().unwrap();
                let (path, file) = file(info, content);
                change.sides[*side].insert(path, file);
                open = None;
            } else {
                content.push_str(line);
                content.push('\n');
            }
            continue;
        }
        if let Some(name) = line.strip_prefix("## ") {
            let name = name.to_owned();
            all.push(Change {
                name,
                ..Change::default()
            });
        } else if let Some(gains) = line.strip_prefix("gains `") {
            all.last_mut().unwrap().gains = Some(gains.trim_end_matches('`').to_owned());
        } else if let Some(info) = line.strip_prefix("`````") {
            let (side, info) = info.split_once(' ').unwrap();
            open = Some((usize::from(side == "new"), info.to_owned(), String::new()));
        }
    }
    all
}

fn file(info: &str, content: &str) -> (String, FileBytes) {
    let executable = info.ends_with(" executable");
    let path = info.trim_end_matches(" executable");
    let (path, front) = match path.strip_suffix(" body") {
        Some(path) => (
            path,
            "---\nname: x\ndescription: Does x. Use for x.\n---\n\n",
        ),
        None => (path, ""),
    };
    let text = format!("{front}{}", content.replace("<CR>", "\r"));
    let bytes = match text.strip_prefix("<binary>") {
        Some(_) => vec![0x7F, 0xFF, 0xFE, 0],
        None => text.into_bytes(),
    };
    (path.to_owned(), FileBytes::new(bytes, executable))
}

#[test]
fn hidden_gains_are_found() {
    for document in ["gains.md", "further-gains.md"] {
        let all = changes(document);
        assert!(all.len() >= 30);
        // Windows has no permission to execute.
        let all = all.iter().filter(|change| {
            cfg!(unix)
                || !change
                    .gains
                    .as_ref()
                    .is_some_and(|gains| gains.contains("executable"))
        });
        let missed: Vec<String> = all
            .filter_map(|change| {
                let gained = change.gained();
                let expected = change.gains.as_ref().unwrap();
                let is_found = gained.iter().any(|power| power.starts_with(expected));
                (!is_found).then(|| format!("{}: {expected}: {gained:?}", change.name))
            })
            .collect();
        assert!(
            missed.is_empty(),
            "{document}: {}\n{}",
            missed.len(),
            missed.join("\n")
        );
    }
}

#[test]
fn harmless_changes_gain_nothing() {
    let all = changes("harmless.md");
    assert!(all.len() >= 30);
    let wrong: Vec<String> = all
        .iter()
        .filter_map(|change| {
            let gained = change.gained();
            (!gained.is_empty()).then(|| format!("{}: {gained:?}", change.name))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_power_that_moves_is_told_as_moved() {
    let all = changes("harmless.md");
    let moved = all
        .iter()
        .find(|change| change.name.contains("moved into a reference"))
        .unwrap();
    let [old, new] = &moved.sides;
    let side = |files: &BTreeMap<String, FileBytes>| Side {
        skills: vec![ReviewedSkill {
            folder: "x".to_owned(),
            files: files.clone(),
            links: BTreeMap::new(),
        }],
        ..Side::default()
    };
    let found = compare(&side(old), &side(new));
    let powers = &found[0].powers;
    let texts: Vec<&str> = powers
        .moved
        .iter()
        .map(|power| power.text.as_str())
        .collect();
    assert_eq!(texts, ["git log"]);
}
