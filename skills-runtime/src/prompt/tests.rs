use super::*;
use crate::fixture::{Fixture, Sources, skills};
use proptest::prelude::*;
use std::fmt::Write;

fn options(format: Format) -> PromptOptions {
    PromptOptions {
        heading: "".into(),
        intro: "".into(),
        budget: Budget::Unlimited,
        ..PromptOptions::new(format)
    }
}

fn text(fixture: &Fixture, format: Format) -> String {
    let mut options = options(format);
    options.places.home = Some(fixture.dir.path().to_owned());
    fixture.catalog.prompt(&options).text
}

#[test]
fn formats() {
    let fixture = skills(&[
        ("alpha", "description: A <b> & \"c\".", ""),
        ("beta", "", ""),
    ]);
    assert_eq!(
        text(&fixture, Format::Xml),
        "<available_skills>\n\
         <skill>\n<name>alpha</name>\n<description>A &lt;b&gt; &amp; \"c\".</description>\n\
         <location>~/user/alpha/SKILL.md</location>\n</skill>\n\
         <skill>\n<name>beta</name>\n<description>Does beta.</description>\n\
         <location>~/user/beta/SKILL.md</location>\n</skill>\n\
         </available_skills>"
    );
    assert_eq!(
        text(&fixture, Format::Bullets),
        "- alpha: A <b> & \"c\".\n- beta: Does beta."
    );
    assert_eq!(
        text(&fixture, Format::Section),
        "- alpha: A <b> & \"c\".\n  path: ~/user/alpha/SKILL.md\n\
         - beta: Does beta.\n  path: ~/user/beta/SKILL.md"
    );
    assert_eq!(
        text(&fixture, Format::Json),
        "{\"skills\":[\n\
         {\"name\":\"alpha\",\"description\":\"A <b> & \\\"c\\\".\",\"location\":\"~/user/alpha/SKILL.md\"},\n\
         {\"name\":\"beta\",\"description\":\"Does beta.\",\"location\":\"~/user/beta/SKILL.md\"}\n]}"
    );
}

#[test]
fn heading_and_intro() {
    let fixture = skills(&[("alpha", "", "")]);
    let text = fixture
        .catalog
        .prompt(&PromptOptions::new(Format::Section))
        .text;
    assert!(
        text.starts_with("## Skills\n\nHow to use skills:\n- "),
        "{text}"
    );
    assert!(
        text.contains("\n\n- alpha: Does alpha.\n  path: /"),
        "{text}"
    );
}

#[test]
fn only_what_the_model_may_start() {
    let fixture = Sources::new()
        .untrusted("project", &[("secret", "", ""), ("shared", "", "")])
        .source(
            "user",
            &[
                ("off", "", ""),
                ("hidden", "disable-model-invocation: true", ""),
                ("shared", "", ""),
                ("silent", "user-invocable: false", ""),
            ],
        )
        .source("low", &[("shared", "", ""), ("off", "", "")])
        .disabled(&["user:off"])
        .load();
    assert_eq!(
        text(&fixture, Format::Bullets),
        "- shared: Does shared.\n- silent: Does silent."
    );
}

#[test]
fn no_skill_is_no_text() {
    let fixture = skills(&[("hidden", "disable-model-invocation: true", "")]);
    for format in [Format::Xml, Format::Bullets, Format::Section, Format::Json] {
        assert_eq!(
            fixture.catalog.prompt(&PromptOptions::new(format)),
            Rendered::default()
        );
    }
}

#[test]
fn shortens_all_alike_then_leaves_out_from_below() {
    let long = "description: Reviews a change for faults, for style and for what it leaves undone, in that order.";
    let fixture = Sources::new()
        .source(
            "high",
            &[
                ("a", long, ""),
                ("b", "description: Short.", ""),
                ("c", long, ""),
            ],
        )
        .source("low", &[("d", long, "")])
        .load();
    let with = |characters| {
        let mut options = options(Format::Bullets);
        options.budget = Budget::Characters(characters);
        fixture.catalog.prompt(&options)
    };
    let whole = with(10_000);
    assert_eq!((whole.shortened.len(), whole.omitted.len()), (0, 0));
    let shorter = with(200);
    assert_eq!(
        shorter.text,
        "- a: Reviews a change for faults, for style and for what it…\n- b: Short.\n\
         - c: Reviews a change for faults, for style and for what it…\n\
         - d: Reviews a change for faults, for style and for what it…"
    );
    assert_eq!(shorter.shortened, ["a", "c", "d"]);
    let fewer = with(100);
    assert_eq!(
        fewer.text,
        "- a: Reviews a change for faults,…\n- b: Short.\n\n\
         2 more skills are not shown; list_skills shows them."
    );
    assert_eq!(
        (fewer.shortened, fewer.omitted),
        (vec!["a".to_owned()], vec!["c".to_owned(), "d".to_owned()])
    );
    let none = with(20);
    assert_eq!((none.text.as_str(), none.tokens), ("", 0));
    assert_eq!(none.omitted, ["a", "b", "c", "d"]);
}

#[test]
fn without_a_path() {
    let fixture = Sources::new()
        .source("user", &[("mine", "", "")])
        .with(|builder| builder.bundle("bundled", &crate::fixture::BUNDLE))
        .load();
    let mut options = options(Format::Section);
    options.places.bundled = crate::places::BundledPlace::Nowhere;
    let rendered = fixture.catalog.prompt(&options);
    assert!(
        rendered.text.ends_with("list_skills shows them."),
        "{}",
        rendered.text
    );
    assert_eq!(rendered.without_path, rendered.omitted);
    assert_eq!(rendered.omitted.len(), crate::fixture::BUNDLE.len());
    options.places.extracted = vec![("bundled".to_owned(), "/data/skills".into())];
    let rendered = fixture.catalog.prompt(&options);
    assert!(
        rendered
            .text
            .contains("\n  path: /data/skills/code-review/SKILL.md")
    );
    assert!(rendered.omitted.is_empty());
}

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_description_changes_the_structure(
        description in "([a-z\"'&;,{}\\[\\]:\\\\-]|<|>|</description>|</skill>|]]>|<!--|\n- x: y|\n  path: z|\u{202e}|\u{2028}|\r|\u{85}|é|日| ){1,30}",
    ) {
        let fixture = with_description(&description);
        // What is no description is no skill.
        prop_assume!(fixture.catalog.get("alpha").is_some());
        let line = crate::line::one_line(fixture.catalog.get("alpha").unwrap().description()).into_owned();
        prop_assert!(!line.contains('\n'));
        for format in [Format::Xml, Format::Bullets, Format::Section, Format::Json] {
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
    ) {
        let sources: Vec<(String, String)> = words
            .iter()
            .enumerate()
            .map(|(i, words)| (format!("skill-{i:02}"), format!("description: {}", serde_json::to_string(words.trim()).unwrap())))
            .collect();
        let list: Vec<(&str, &str, &str)> = sources.iter().map(|(name, more)| (name.as_str(), more.as_str(), "")).collect();
        let fixture = skills(&list);
        for format in [Format::Xml, Format::Bullets, Format::Section, Format::Json] {
            let mut options = options(format);
            options.budget = if unit == 0 { Budget::Characters(budget) } else { Budget::Tokens(budget / 4) };
            let rendered = fixture.catalog.prompt(&options);
            let cost = if unit == 0 { rendered.text.chars().count() } else { rendered.tokens * 4 };
            prop_assert!(cost <= budget, "{} of {}", cost, budget);
            let shown = if rendered.text.is_empty() { Vec::new() } else { read_back(format, &rendered.text) };
            prop_assert_eq!(shown.len() + rendered.omitted.len(), list.len());
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
