use super::*;
use crate::reading::Found;
use crate::source::Source;
use std::collections::BTreeSet;
use std::path::Path;

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the test compares the table with its folder"
)]
fn every_file_is_read() {
    let known: BTreeSet<String> = FILES
        .iter()
        .map(|text| match parse(text) {
            Ok(client) => format!("{}.toml", client.name),
            Err(error) => panic!("{error}\n{text}"),
        })
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients");
    let files = std::fs::read_dir(folder).expect("the folder of the table");
    let files: BTreeSet<String> = files
        .map(|file| {
            file.expect("a file")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert_eq!(files, known);
}

#[test]
fn each_name_belongs_to_one_client() {
    let mut seen = BTreeSet::new();
    for client in all() {
        for name in std::iter::once(&client.name).chain(&client.names) {
            assert!(seen.insert(name), "{name} is there twice");
            let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(name.chars().all(is_word), "{name}");
            // Words that `--to` takes for other folders.
            assert!(
                !matches!(name.as_str(), "all" | "user" | "project"),
                "{name}"
            );
            assert_eq!(named(name).map(|it| &it.name), Some(&client.name));
        }
    }
    assert!(named("").is_none() && named("claude code").is_none());
}

#[test]
fn each_fact_has_its_source_and_its_day() {
    for (client, table) in all().iter().zip(tables()) {
        let sources = table
            .iter()
            .filter_map(|(section, it)| Some((section, it.get("source")?)));
        let mut count = 0;
        for (section, source) in sources {
            count += 1;
            let place = format!("{}, {section}", client.name);
            let source: Source = source.clone().try_into().expect(&place);
            assert!(!source.at.trim().is_empty(), "{place}");
            let day: Vec<Option<u32>> = source.seen.split('-').map(|it| it.parse().ok()).collect();
            assert!(
                matches!(day[..], [Some(2026..), Some(1..=12), Some(1..=31)])
                    && source.seen.len() == 10,
                "{place}: {}",
                source.seen
            );
            // A program that was run has a version, and the kept results are named.
            assert_eq!(
                source.version.is_some(),
                source.at.contains("tests/clients") && !source.at.contains("was not run"),
                "{place}"
            );
        }
        assert!(count > 0, "{} has no facts", client.name);
    }
}

#[test]
fn folders_are_relative_and_name_clients() {
    for client in all() {
        let Some(folders) = &client.folders else {
            continue;
        };
        for folder in folders.project.iter().chain(&folders.person) {
            let is_plain = !folder.starts_with(['/', '~'])
                && !folder.contains(['\\', ' '])
                && !folder.contains("..");
            assert!(
                is_plain && folder.ends_with("skills"),
                "{}: {folder}",
                client.name
            );
        }
        assert!(!folders.person.is_empty(), "{}", client.name);
        // Without a folder of its own, a program could not be found on a machine.
        assert_eq!(
            folders.settings.is_empty(),
            client.name == "default",
            "{}",
            client.name
        );
        let shared = [".agents", ".config", ".config/agents"];
        let is_shared = |folder: &String| shared.contains(&&**folder);
        assert!(!folders.settings.iter().any(is_shared), "{}", client.name);
        for other in &folders.also {
            let other = named(other).and_then(|other| other.folders.as_ref());
            assert!(other.is_some(), "{}", client.name);
        }
    }
    let person = |name: &str, variable: Option<&str>| {
        let folders = named(name)
            .and_then(|client| client.folders.as_ref())
            .expect(name);
        folders
            .of_person(Path::new("/h"), variable.map(Path::new))
            .expect(name)
    };
    assert_eq!(person("claude-code", Some("/c")), Path::new("/c/skills"));
    assert_eq!(person("agents", Some("/c")), Path::new("/h/.agents/skills"));
    assert_eq!(person("codex", None), person("default", None));
    let own = |name: &str| {
        let folders = named(name).and_then(|client| client.folders.as_ref());
        folders.and_then(|folders| folders.own(Path::new("/h"), None))
    };
    assert_eq!(own("codex"), Some("/h/.codex/skills".into()));
    assert_eq!(own("zed"), Some("/h/.agents/skills".into()));
}

/// What a client reads cannot contradict how its program was seen to read.
#[test]
fn the_facts_agree_with_the_simulations() {
    for client in all() {
        let (Some(listing), Some(discovery)) = (&client.listing, &client.discovery) else {
            continue;
        };
        let Some(reader) = listing.reads else {
            continue;
        };
        let reads = |path: &str| {
            let text = "---\nname: tidy\ndescription: Sorts files.\n---\nDo it.\n";
            let found = Found {
                path: path.to_owned(),
                resolved: path.to_owned(),
                text: text.into(),
                ..Found::default()
            };
            !reader.read(vec![found]).is_empty()
        };
        let at = |depth: usize| "a/".repeat(depth) + "SKILL.md";
        assert_eq!(
            reads("SKILL.md"),
            discovery.also.contains(&Also::Root),
            "{}",
            client.name
        );
        assert_eq!(
            reads(".a/SKILL.md"),
            discovery.also.contains(&Also::Hidden),
            "{}",
            client.name
        );
        let deepest = discovery.depth.unwrap_or(12);
        assert!(reads(&at(deepest)), "{}", client.name);
        assert_eq!(
            reads(&at(deepest + 1)),
            discovery.depth.is_none(),
            "{}",
            client.name
        );
        for name in &discovery.reserved {
            assert!(!reads(&format!("{name}/SKILL.md")), "{}", client.name);
        }
    }
}

/// A form of a file has a fact exactly if the simulation of the program loses the skill.
#[test]
fn the_forms_agree_with_the_simulations() {
    use skills_lint::Condition;
    let forms = [
        (
            Condition::ByteOrderMark,
            "\u{feff}---\nname: tidy\ndescription: Sorts.\n---\nDo it.\n",
        ),
        (
            Condition::SpaceBefore,
            " ---\nname: tidy\ndescription: Sorts.\n---\nDo it.\n",
        ),
        (
            Condition::TextBefore,
            "\n---\nname: tidy\ndescription: Sorts.\n---\nDo it.\n",
        ),
        (
            Condition::Dots,
            "---\nname: tidy\ndescription: Sorts.\n...\nDo it.\n",
        ),
        (
            Condition::DashesInside,
            "---\nname: tidy\ndescription: Sorts --- files.\n---\nDo it.\n",
        ),
        (
            Condition::DashesInBlock,
            "---\nname: tidy\ndescription: |\n  Sorts\n  ---\n  files.\n---\nDo it.\n",
        ),
        (
            Condition::PlainName,
            "---\nname: 12\ndescription: Sorts.\n---\nDo it.\n",
        ),
        (
            Condition::PlainDescription,
            "---\nname: tidy\ndescription: 12\n---\nDo it.\n",
        ),
        (Condition::HiddenFolder, ""),
        (
            Condition::Closed,
            "---\nname: tidy\ndescription: Sorts.\ndisable-model-invocation: true\n---\nDo it.\n",
        ),
    ];
    for client in all() {
        let Some(reader) = client.listing.as_ref().and_then(|listing| listing.reads) else {
            continue;
        };
        let facts = crate::check::clients();
        let facts = facts.iter().find(|known| known.name == client.name);
        let facts = facts.expect("every client is known to the rules").facts;
        for (form, text) in forms {
            let (path, text) = match form {
                Condition::HiddenFolder => (
                    ".tidy/SKILL.md",
                    "---\nname: tidy\ndescription: Sorts.\n---\nDo it.\n",
                ),
                _ => ("tidy/SKILL.md", text),
            };
            let found = Found {
                path: path.to_owned(),
                resolved: path.to_owned(),
                text: text.into(),
                ..Found::default()
            };
            let read = reader.read(vec![found]);
            let meant = match form {
                Condition::DashesInside => "Sorts --- files.",
                Condition::DashesInBlock => "Sorts\n---\nfiles.",
                Condition::PlainDescription => "12",
                _ => "Sorts.",
            };
            let is_whole = read
                .first()
                .is_some_and(|skill| skill.description.trim() == meant);
            let fact = facts.iter().find(|fact| fact.on == form);
            if form == Condition::Closed {
                let reads =
                    fact.is_some_and(|fact| fact.values.contains(&"disable-model-invocation"));
                assert_eq!(reads, read.is_empty(), "{}: {read:?}", client.name);
            } else {
                assert_eq!(
                    fact.is_none(),
                    is_whole,
                    "{} {form:?}: {read:?}",
                    client.name
                );
            }
        }
    }
}

/// A skill in a folder `skills` belongs to no client, and what a client has no fact for is not asked.
#[test]
fn the_facts_of_the_rules_come_from_the_sections() {
    let known = |name: &str| {
        let known = crate::check::clients()
            .iter()
            .find(|client| client.name == name);
        known.expect("every client is known to the rules")
    };
    assert_eq!(known("openclaw").folders, [".agents/skills"]);
    assert_eq!(
        known("opencode").folders,
        [".opencode/skills", ".claude/skills", ".agents/skills"]
    );
    let common: Vec<&str> = crate::check::clients()
        .iter()
        .filter(|it| it.common)
        .map(|it| it.name)
        .collect();
    assert_eq!(
        common,
        [
            "claude-code",
            "codex",
            "gemini-cli",
            "opencode",
            "copilot",
            "cursor"
        ]
    );
    for fact in crate::check::clients()
        .iter()
        .flat_map(|client| client.facts)
    {
        assert!(
            !fact.does.is_empty() && !fact.source.is_empty() && fact.seen.len() == 10,
            "{fact:?}"
        );
    }
}
