//! Checks that a parser reads the text back, and that the text stays within the budget.

use super::tests::{FORMATS, options, text};
use super::*;
use crate::fixture::{Fixture, skills};
use proptest::prelude::*;
use std::fmt::Write;

/// Reads the names and descriptions back, as a parser of the format does.
fn read_back(format: Format, text: &str) -> Vec<(String, String)> {
    match format {
        Format::Xml => xml(text),
        Format::Bullets | Format::Files | Format::Section => text
            .lines()
            .filter_map(|line| line.strip_prefix("- "))
            .map(|line| match format {
                Format::Files => line.rsplit_once(" (file: ").unwrap().0,
                _ => line,
            })
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

fn items(fixture: &Fixture) -> Vec<Item<'_>> {
    let skills = for_model(&fixture.catalog, Plugins::Merged);
    skills
        .map(|skill| {
            let location = fixture.catalog.places().file(&skill.entry).unwrap();
            Item::new(skill, location)
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
            options.budget = Budget::Characters(budget);
            let rendered = render(&fixture.catalog, &options, Plugins::Merged);
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
                Format::Section | Format::Files => budget >= 100,
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

/// Returns the number of lines for a reader that knows every kind of line end.
fn lines(text: &str) -> usize {
    let ends = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.split(ends).count()
}

/// Returns the number of lines that this many skills take.
fn lines_of(format: Format, skills: usize) -> usize {
    match format {
        Format::Xml => 2 + 5 * skills,
        Format::Bullets | Format::Files => skills,
        Format::Section => 2 * skills,
    }
}

/// Makes a skill `alpha` in a folder with this path below the source's root.
#[cfg(unix)]
fn in_folder(folder: &str) -> Fixture {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("user");
    let path = root.join(folder);
    std::fs::create_dir_all(&path).unwrap();
    let text = "---\nname: alpha\ndescription: Does alpha.\n---\n\nBody.\n";
    std::fs::write(path.join("SKILL.md"), text).unwrap();
    let catalog = Catalog::builder().directory("user", root).load().catalog;
    Fixture { _dir: dir, catalog }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // Windows does not allow these names.
    #[cfg(unix)]
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
            prop_assert_eq!(lines(&text), lines_of(format, 1), "{:?}", text);
        }
    }

    #[test]
    fn no_description_changes_the_structure(
        description in "([a-z\"'&;,{}\\[\\]:\\\\-]|<|>|</description>|</skill>|]]>|<!--|\n- x: y|\n  path: z|\u{202e}|\u{2028}|\r|\u{85}|é|日| ){1,30}",
    ) {
        let fixture = with_description(&description);
        // Some descriptions are not valid, and such a skill is not loaded.
        prop_assume!(fixture.catalog.get("alpha").is_some());
        let line = skills_format::text::shorten::one_line(fixture.catalog.get("alpha").unwrap().description()).into_owned();
        prop_assert!(!line.contains('\n'));
        for format in FORMATS {
            let text = text(&fixture, format);
            let expected = vec![("alpha".to_owned(), line.clone()), ("omega".to_owned(), "Does omega.".to_owned())];
            prop_assert_eq!(read_back(format, &text), expected, "{}", text);
            prop_assert_eq!(lines(&text), lines_of(format, 2), "{:?}", text);
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
        let described: Vec<(String, String)> = words
            .iter()
            .enumerate()
            .map(|(i, words)| (format!("skill-{i:02}"), words.trim().to_owned()))
            .collect();
        let fixture = all(&described);
        for format in FORMATS {
            let mut options = options(format);
            options.budget = if unit == 0 { Budget::Characters(budget) } else { Budget::Tokens(budget / 4) };
            if format != Format::Xml {
                options.heading = &heading;
                options.intro = &intro;
            }
            let rendered = render(&fixture.catalog, &options, Plugins::Merged);
            prop_assert_eq!(&rendered, &render(&fixture.catalog, &options, Plugins::Merged), "the same bytes");
            prop_assert!(cost(&options, &rendered.text) <= most(&options), "{}", rendered.text);
            let shown = if rendered.text.is_empty() { Vec::new() } else { read_back(format, &rendered.text) };
            told_of_each(&described, &shown, &rendered)?;
            nothing_more_fits(&fixture, &options, &described, &shown)?;
        }
    }
}

/// Makes skills with these names and descriptions.
fn all(described: &[(String, String)]) -> Fixture {
    let fields: Vec<String> = described
        .iter()
        .map(|(_, words)| format!("description: {}", serde_json::to_string(words).unwrap()))
        .collect();
    let list: Vec<(&str, &str, &str)> = described
        .iter()
        .zip(&fields)
        .map(|((name, _), fields)| (name.as_str(), fields.as_str(), ""))
        .collect();
    skills(&list)
}

fn cost(options: &ListText<'_>, text: &str) -> usize {
    match options.budget {
        Budget::Tokens(_) => estimate_tokens(text),
        _ => text.chars().count(),
    }
}

fn most(options: &ListText<'_>) -> usize {
    match options.budget {
        Budget::Characters(most) | Budget::Tokens(most) => most,
        Budget::Unlimited => usize::MAX,
    }
}

/// Checks that every skill is in the text, whole or shortened, or is listed as omitted.
fn told_of_each(
    described: &[(String, String)],
    shown: &[(String, String)],
    rendered: &Rendered,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(shown.len() + rendered.omitted.len(), described.len());
    for (i, (name, words)) in described.iter().enumerate() {
        let (omitted, shortened) = (
            rendered.omitted.contains(name),
            rendered.shortened.contains(name),
        );
        let Some((shown, description)) = shown.get(i) else {
            prop_assert!(omitted && !shortened);
            continue;
        };
        prop_assert_eq!(shown, name);
        prop_assert!(!omitted);
        match description.strip_suffix('…') {
            Some(start) => prop_assert!(shortened && words.starts_with(start)),
            None => prop_assert!(!shortened && description == words),
        }
    }
    Ok(())
}

/// Checks that one length applies to all descriptions, and that neither a larger length nor another
/// skill fits.
fn nothing_more_fits(
    fixture: &Fixture,
    options: &ListText<'_>,
    described: &[(String, String)],
    shown: &[(String, String)],
) -> Result<(), TestCaseError> {
    let whole = || described.iter().map(|(_, words)| words);
    let is_alike = |length: &usize| {
        let descriptions = shown.iter().map(|(_, shown)| shown);
        descriptions
            .zip(whole())
            .all(|(shown, words)| *shown == skills_format::text::shorten::shortened(words, *length))
    };
    let length = (32..=600).rev().find(is_alike);
    prop_assert!(length.is_some(), "one length for all: {:?}", shown);
    let items = items(fixture);
    let fits = |skills: usize, length| {
        let text = write(options, &items[..skills], length, items.len() - skills);
        cost(options, &text) <= most(options)
    };
    if shown.len() < described.len() {
        prop_assert!(!fits(shown.len() + 1, 32), "another skill");
    }
    if shown.iter().any(|(_, shown)| shown.ends_with('…')) {
        prop_assert!(
            !fits(shown.len(), length.unwrap_or_default() + 1),
            "longer descriptions"
        );
    }
    Ok(())
}
