//! What a parser reads back, and what stays within the budget.

use super::tests::{FORMATS, options, text};
use super::*;
use crate::fixture::{Fixture, skills};
use proptest::prelude::*;
use std::fmt::Write;

/// Names and descriptions as a parser of the format reads them back.
fn read_back(format: Format, text: &str) -> Vec<(String, String)> {
    match format {
        Format::Xml => xml(text),
        Format::Json => {
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            let skills = value["skills"].as_array().unwrap().iter();
            let member =
                |skill: &serde_json::Value, key: &str| skill[key].as_str().unwrap().to_owned();
            skills
                .map(|skill| (member(skill, "name"), member(skill, "description")))
                .collect()
        }
        Format::Bullets | Format::Section => text
            .lines()
            .filter_map(|line| line.strip_prefix("- "))
            .filter_map(|line| line.split_once(": "))
            .map(|(name, description)| (name.to_owned(), description.to_owned()))
            .collect(),
    }
}

fn xml(text: &str) -> Vec<(String, String)> {
    let document = roxmltree::Document::parse(text).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "available_skills");
    let skills = root.children().filter(roxmltree::Node::is_element);
    skills
        .map(|skill| {
            let members: Vec<_> = skill
                .children()
                .filter(roxmltree::Node::is_element)
                .collect();
            let names: Vec<_> = members.iter().map(|node| node.tag_name().name()).collect();
            assert_eq!(names, ["name", "description", "location"]);
            let of = |at: usize| members[at].text().unwrap_or_default().to_owned();
            (of(0), of(1))
        })
        .collect()
}

fn with_description(description: &str) -> Fixture {
    let mut quoted = String::from("description: ");
    write!(quoted, "{}", serde_json::to_string(description).unwrap()).unwrap();
    skills(&[("alpha", &quoted, ""), ("omega", "", "")])
}

#[test]
fn ten_thousand_skills_in_a_hundred_characters() {
    let names: Vec<String> = (0..10_000).map(|n| format!("s{n}")).collect();
    let list: Vec<(&str, &str, &str)> = names.iter().map(|name| (name.as_str(), "", "")).collect();
    let fixture = skills(&list);
    let ids: Vec<&str> = fixture.catalog.iter().map(|entry| entry.name()).collect();
    for format in FORMATS {
        for budget in [0, 60, 75, 100, 1_000] {
            let mut options = options(format);
            options.places.home = Some(fixture.dir.path().to_owned());
            options.budget = Budget::Characters(budget);
            let rendered = fixture.catalog.prompt(&options);
            assert!(rendered.text.chars().count() <= budget, "{rendered:?}");
            let shown = match rendered.text.as_str() {
                "" => Vec::new(),
                text => read_back(format, text),
            };
            let shown = shown.iter().map(|(name, _)| name.as_str());
            let omitted = rendered.omitted.iter().map(String::as_str);
            assert!(shown.chain(omitted).eq(ids.iter().copied()));
            let any = match format {
                Format::Bullets => budget >= 75,
                Format::Section => budget >= 100,
                _ => budget >= 1_000,
            };
            assert_eq!(
                rendered.omitted.len() < 10_000,
                any,
                "{format:?} in {budget}"
            );
            assert_eq!(rendered.tokens > 0, any);
        }
    }
}

/// A skill `alpha` in a folder of this path below the source's.
fn in_folder(folder: &str) -> Fixture {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("user");
    let path = root.join(folder);
    std::fs::create_dir_all(&path).unwrap();
    let text = "---\nname: alpha\ndescription: Does alpha.\n---\n\nBody.\n";
    std::fs::write(path.join("SKILL.md"), text).unwrap();
    let catalog = Catalog::builder().directory("user", root).load().catalog;
    Fixture { dir, catalog }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_path_changes_the_structure(
        folder in "([a-z\"'&;,{}\\[\\]:\\\\]|<|>|</location>|</skill>|-->|\n- x: y|\u{2028}|\r|\u{85}|\u{fffe}|\u{ffff}|\u{1}|\u{7f}|é|日| ){1,12}",
    ) {
        let fixture = in_folder(&folder);
        prop_assume!(fixture.catalog.get("alpha").is_some());
        for format in FORMATS {
            let text = text(&fixture, format);
            let expected = vec![("alpha".to_owned(), "Does alpha.".to_owned())];
            prop_assert_eq!(read_back(format, &text), expected, "{}", text);
            let lines = match format {
                Format::Xml => 7,
                Format::Bullets => 1,
                Format::Section => 2,
                Format::Json => 3,
            };
            prop_assert_eq!(text.split(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')).count(), lines, "{:?}", text);
        }
    }

    #[test]
    fn no_description_changes_the_structure(
        description in "([a-z\"'&;,{}\\[\\]:\\\\-]|<|>|</description>|</skill>|]]>|<!--|\n- x: y|\n  path: z|\u{202e}|\u{2028}|\r|\u{85}|é|日| ){1,30}",
    ) {
        let fixture = with_description(&description);
        // What is no description is no skill.
        prop_assume!(fixture.catalog.get("alpha").is_some());
        let line = crate::line::one_line(fixture.catalog.get("alpha").unwrap().description()).into_owned();
        prop_assert!(!line.contains('\n'));
        for format in FORMATS {
            let text = text(&fixture, format);
            let expected = vec![("alpha".to_owned(), line.clone()), ("omega".to_owned(), "Does omega.".to_owned())];
            prop_assert_eq!(read_back(format, &text), expected, "{}", text);
        }
    }

    #[test]
    fn every_skill_is_whole_shortened_or_omitted(
        words in prop::collection::vec("([a-z&\"é日]{1,12} ){1,40}", 1..12),
        budget in 0_usize..1500,
        unit in 0..2,
        heading in "(## Skills)?",
        intro in "(Use them\\.\n- well)?",
    ) {
        let sources: Vec<(String, String)> = words
            .iter()
            .enumerate()
            .map(|(i, words)| (format!("skill-{i:02}"), format!("description: {}", serde_json::to_string(words.trim()).unwrap())))
            .collect();
        let list: Vec<(&str, &str, &str)> = sources.iter().map(|(name, more)| (name.as_str(), more.as_str(), "")).collect();
        let fixture = skills(&list);
        for format in FORMATS {
            let mut options = options(format);
            options.budget = if unit == 0 { Budget::Characters(budget) } else { Budget::Tokens(budget / 4) };
            if format != Format::Xml {
                options.heading = heading.clone().into();
                options.intro = intro.clone().into();
            }
            let rendered = fixture.catalog.prompt(&options);
            prop_assert_eq!(&rendered, &fixture.catalog.prompt(&options), "the same bytes");
            let cost = if unit == 0 { rendered.text.chars().count() } else { rendered.tokens * 4 };
            prop_assert!(cost <= budget, "{} of {}", cost, budget);
            let shown = if rendered.text.is_empty() { Vec::new() } else { read_back(format, &rendered.text) };
            prop_assert_eq!(shown.len() + rendered.omitted.len(), list.len());
            let alike = |length| shown.iter().zip(&words).all(|((_, shown), words)| {
                *shown == crate::line::shortened(words.trim(), length)
            });
            prop_assert!((32..=600).any(alike), "one length for all: {:?}", shown);
            for (i, (name, words)) in sources.iter().zip(&words).map(|((name, _), words)| (name, words.trim())).enumerate() {
                match shown.get(i) {
                    None => prop_assert!(rendered.omitted.contains(name)),
                    Some((shown, description)) => {
                        prop_assert_eq!(shown, name);
                        prop_assert!(!rendered.omitted.contains(name));
                        match description.strip_suffix('…') {
                            Some(start) => {
                                prop_assert!(rendered.shortened.contains(name) && words.starts_with(start));
                            }
                            None => prop_assert!(!rendered.shortened.contains(name) && description == words),
                        }
                    }
                }
            }
        }
    }
}
