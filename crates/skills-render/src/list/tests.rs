//! Checks that a parser reads the text back, and that the text stays within the budget.

use super::*;
use proptest::prelude::*;
use skills_format::text::shorten::one_line;

const BULLETS: &str = "- {name}: {description}";
const SECTION: &str = "- {name}: {description}\n  path: {location}";

/// The forms: XML, bullets, and two lines a skill.
fn forms() -> [ListText<'static>; 3] {
    let plain = |skill| ListText {
        budget: Budget::Unlimited,
        heading: "",
        intro: "",
        skill,
        is_xml: false,
    };
    let xml = ListText {
        budget: Budget::Unlimited,
        ..ListText::default()
    };
    [xml, plain(BULLETS), plain(SECTION)]
}

fn items(described: &[(String, String)]) -> Vec<Item<'_>> {
    described
        .iter()
        .map(|(name, words)| Item::new(name.as_str().into(), words, format!("~/{name}/SKILL.md")))
        .collect()
}

fn list(form: &ListText<'_>, described: &[(String, String)]) -> List {
    form.list(items(described))
}

/// Reads the names and descriptions back, as a parser of the form does.
fn read_back(form: &ListText<'_>, text: &str) -> Vec<(String, String)> {
    if form.is_xml {
        return xml(text);
    }
    text.lines()
        .filter_map(|line| line.strip_prefix("- ")?.split_once(": "))
        .map(|(name, description)| (name.to_owned(), description.to_owned()))
        .collect()
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

#[test]
fn ten_thousand_skills_in_a_hundred_characters() {
    let described: Vec<(String, String)> = (0..10_000)
        .map(|n| (format!("s{n}"), format!("Does s{n}.")))
        .collect();
    for (form, least) in forms().into_iter().zip([1_000, 75, 100]) {
        for budget in [0, 60, 75, 100, 1_000] {
            let budgeted = ListText {
                budget: Budget::Characters(budget),
                ..form
            };
            let found = list(&budgeted, &described);
            assert!(found.text.chars().count() <= budget, "{found:?}");
            let shown = match found.text.as_str() {
                "" => Vec::new(),
                text => read_back(&form, text),
            };
            let shown = shown.iter().map(|(name, _)| name);
            let all = shown.chain(&found.omitted);
            assert!(all.eq(described.iter().map(|(name, _)| name)));
            let any = budget >= least;
            assert_eq!(found.omitted.len() < 10_000, any, "{form:?} in {budget}");
            assert_eq!(found.tokens > 0, any);
        }
    }
}

#[test]
fn heading_and_intro() {
    let form = ListText {
        heading: "## Skills",
        intro: "Use them.",
        ..forms()[2]
    };
    let described = [("alpha".to_owned(), "Does alpha.".to_owned())];
    assert_eq!(
        list(&form, &described).text,
        "## Skills\n\nUse them.\n\n- alpha: Does alpha.\n  path: ~/alpha/SKILL.md"
    );
    assert_eq!(list(&form, &[]), List::default());
}

#[test]
fn shortens_all_alike_then_leaves_out_from_below() {
    let long =
        "Reviews a change for faults, for style and for what it leaves undone, in that order.";
    let described = [("a", long), ("b", "Short."), ("c", long), ("d", long)]
        .map(|(name, words)| (name.to_owned(), words.to_owned()));
    let with = |characters| {
        let form = ListText {
            budget: Budget::Characters(characters),
            ..forms()[1]
        };
        list(&form, &described)
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

/// Returns the number of lines for a reader that knows every kind of line end.
fn lines(text: &str) -> usize {
    let ends = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.split(ends).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_description_changes_the_structure(
        description in "([a-z\"'&;,{}\\[\\]:\\\\-]|<|>|</description>|</skill>|]]>|<!--|\n- x: y|\n  path: z|\u{202e}|\u{2028}|\r|\u{85}|é|日| ){1,30}",
    ) {
        let line = one_line(&description).into_owned();
        prop_assert!(!line.contains('\n'));
        prop_assume!(line.len() <= 1_024);
        let described = [("alpha".to_owned(), description), ("omega".to_owned(), "Does omega.".to_owned())];
        for (form, expected_lines) in forms().into_iter().zip([12, 2, 4]) {
            let text = list(&form, &described).text;
            let expected = vec![("alpha".to_owned(), line.clone()), ("omega".to_owned(), "Does omega.".to_owned())];
            prop_assert_eq!(read_back(&form, &text), expected, "{}", text);
            prop_assert_eq!(lines(&text), expected_lines, "{:?}", text);
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
        for form in forms() {
            let mut options = form;
            options.budget = if unit == 0 { Budget::Characters(budget) } else { Budget::Tokens(budget / 4) };
            if !form.is_xml {
                options.heading = &heading;
                options.intro = &intro;
            }
            let rendered = list(&options, &described);
            prop_assert_eq!(&rendered, &list(&options, &described), "the same bytes");
            prop_assert!(cost(&options, &rendered.text) <= most(&options), "{}", rendered.text);
            let shown = if rendered.text.is_empty() { Vec::new() } else { read_back(&form, &rendered.text) };
            told_of_each(&described, &shown, &rendered)?;
            nothing_more_fits(&options, &described, &shown)?;
        }
    }
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
    rendered: &List,
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
    let items = items(described);
    let fits = |skills: usize, length| {
        let text = Form::new(options).write(&items[..skills], length, items.len() - skills);
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
