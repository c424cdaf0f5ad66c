//! Tests that a safe fix changes nothing that a client reads, and that a file without findings is read as it is written.

use proptest::prelude::*;
use skills_clients::check::clients;
use skills_format::yaml::Node;
use skills_format::{FileKind, RuleId, SkillFile, Tree, TreeFile};
use skills_lint::{Clients, Config, FixLevel, Reading, Scope, SkillText, check_bundle, fix};
use std::collections::BTreeSet;

/// Fields whose values rules look at, in many styles.
const FIELDS: &[&str] = &[
    "description: Does it. Use when asked.",
    "description: Does it # TODO: better words",
    "description: Sorts issues, #1 first",
    "description: Does it. # internal",
    "description: 'Does it.' # note",
    "description: Does it\n  when asked # note",
    "description: &d Does it",
    "description: >-\n  Does it.\n  license: MIT",
    "description: |\n  Does it.\n  disable-model-invocation: true",
    "description: \"Does it.\n  license: MIT\"",
    "description: Does it.\n  disable-model-invocation: true",
    "description: Does it.\n    license: MIT",
    "description: \"Does it.\"\n  user-invocable: false",
    "description: Use it: now. # note",
    "description: Use it: now\n  paths: x",
    "description: \"Does\tit.\"",
    "description: Does\tit.",
    "description:\tDoes it.",
    "description: [Does, it]",
    "name: release",
    "name: Release Notes",
    "name: cafe\u{301}",
    "name: &n release # note",
    "short: *d",
    "metadata:\n  short: *d",
    "metadata:\n  opencode/autoinvoke: false",
    "disable-model-invocation: true",
    "disable-model-invocation: yes",
    "disable-model-invocation: on # note",
    "disable_model_invocation: true",
    "user-invocable: no",
    "when_to_use: On Mondays # note",
    "license: 1.10",
    "license: MIT # note",
    "version: 2026-01-02",
    "argument-hint: [file]",
    "allowed-tools: [Read, &x Bash(git *), *x]",
    "allowed-tools:\n  - Read\n  -\n  - My Tool",
    "allowed-tools: [Read]",
    "compatibility: yes",
    "# note",
    "",
];

fn file() -> impl Strategy<Value = String> {
    (
        prop::collection::vec(prop::sample::select(FIELDS), 1..5),
        prop::sample::select(&["---\n", "---  \n", "...\n"][..]),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(fields, close, has_name, cr)| {
            let fields: String = fields.iter().flat_map(|field| [*field, "\n"]).collect();
            let name = if has_name { "name: release\n" } else { "" };
            let text = format!("---\n{name}{fields}{close}\nText.\n");
            if cr { text.replace('\n', "\r\n") } else { text }
        })
}

fn tree(text: &str) -> Tree {
    let file = TreeFile {
        path: "release/SKILL.md".to_owned(),
        utf8: true,
        kind: FileKind::Regular,
        size: text.len() as u64,
        bytes: Some(text.as_bytes().to_vec()),
    };
    Tree {
        files: vec![file],
        faults: Vec::new(),
    }
}

fn scope(named: &[String]) -> Scope<'_> {
    Scope {
        clients: Clients::new(clients(), named),
        ..Scope::default()
    }
}

fn fixed(text: &str) -> String {
    let mut tree = tree(text);
    let named = ["all".to_owned()];
    let config = Config::default();
    fix("", &mut tree, FixLevel::Safe, &|tree| {
        check_bundle(None, "", tree, &config, scope(&named)).diagnostics
    });
    let file = tree.get("release/SKILL.md");
    let bytes = file.and_then(|file| file.bytes.clone());
    String::from_utf8(bytes.unwrap_or_default()).expect("UTF-8")
}

proptest! {
    #![proptest_config(ProptestConfig::default())]

    /// A sound file in which nothing is odd is not given to the readers. They take it as it is written.
    #[test]
    fn a_file_without_a_finding_is_read_as_it_is_written(text in file()) {
        let file = SkillFile::read("SKILL.md", "release", text.as_bytes());
        let named = ["all".to_owned()];
        let found = check_bundle(None, "", &tree(&text), &Config::default(), scope(&named)).diagnostics;
        let is_lost = found.iter().any(|one| one.is(RuleId::ClientDrops));
        let node = file.front_matter.as_ref().and_then(|node| node.as_ref().ok());
        // A repeated key has a finding of its own.
        let is_once = |node: &&Node| {
            let keys: BTreeSet<_> = node.entries().iter().map(|(key, _)| key.as_str()).collect();
            keys.len() == node.entries().len()
        };
        let description = node.filter(is_once).and_then(|node| node.get("description")?.as_str());
        let Some(description) = description.filter(|_| !is_lost && file.strict().is_some()) else {
            return Ok(());
        };
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        for client in clients() {
            let Some(reads) = &client.reads else { continue };
            let read = (reads.read)(&SkillText { folder: "release", text: &text, policy: None });
            let is_same = match &read {
                Reading::Listed(read) => letters(read) == letters(description),
                read => *read == Reading::Closed,
            };
            prop_assert!(is_same, "{}\n{}\n{:?}", client.name, text, read);
        }
    }

    /// A client that read the description, or the restraint, reads the same after the fix.
    #[test]
    fn safe_fixes_keep_what_clients_read(text in file()) {
        let new = fixed(&text);
        let file = SkillFile::read("SKILL.md", "release", text.as_bytes());
        let described = match &file.front_matter {
            Some(Ok(node)) => node.get("description").and_then(|node| node.as_str()),
            _ => None,
        };
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        for client in clients() {
            let Some(reads) = &client.reads else { continue };
            let read = |text: &str| {
                let (folder, policy) = ("release", None);
                (reads.read)(&SkillText { folder, text, policy })
            };
            match read(&text) {
                Reading::Closed => {
                    prop_assert_eq!(read(&new), Reading::Closed, "{}\n{}\n-->\n{}", client.name, text, new);
                }
                Reading::Listed(before) if described.is_some_and(|text| words(text) == words(&before)) => {
                    let after = read(&new);
                    let is_same = matches!(&after, Reading::Listed(after) if words(after) == words(&before));
                    prop_assert!(is_same, "{}\n{}\n-->\n{}\n{:?}", client.name, text, new, after);
                }
                _ => {}
            }
        }
    }
}
