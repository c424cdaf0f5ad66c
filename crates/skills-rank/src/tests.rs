use crate::{Hit, SkillWords, WordIndex};
use proptest::prelude::*;

fn described(name: &str, description: &str) -> SkillWords {
    SkillWords::new([name], description, "", [])
}

fn words(hit: &Hit) -> Vec<&str> {
    hit.words().collect()
}

fn skills(hits: &[Hit]) -> Vec<usize> {
    hits.iter().map(|hit| hit.skill).collect()
}

#[test]
fn the_rarer_word_counts_more() {
    let index = WordIndex::new(&[
        described("one", "Checks a file."),
        described("two", "Checks a schema."),
        described("three", "Checks a file."),
    ]);
    let hits = index.rank("check the schema file");
    assert_eq!(skills(&hits), [1, 0, 2]);
    assert_eq!(words(&hits[0]), ["schema", "check"]);
}

#[test]
fn names_aliases_and_tags_count_more() {
    let index = WordIndex::new(&[
        described("one", "Makes slides."),
        SkillWords::new(["two", "slides"], "Makes more.", "", []),
        SkillWords::new(["three"], "Makes more.", "", ["slides"]),
    ]);
    assert_eq!(skills(&index.rank("slides")), [1, 2, 0]);
}

#[test]
fn nothing_is_found() {
    assert!(WordIndex::new(&[]).rank("review").is_empty());
    let index = WordIndex::new(&[described("one", "Reviews.")]);
    for text in ["", "the", "!?", "\0", "unknown words"] {
        assert!(index.rank(text).is_empty(), "{text:?}");
    }
    assert!(WordIndex::new(&[described("", "")]).rank("a").is_empty());
}

#[test]
fn equal_skills_stay_in_order() {
    let index = WordIndex::new(&vec![described("same", "Says the same."); 10_000]);
    let hits = index.rank("same");
    assert_eq!(skills(&hits), (0..10_000).collect::<Vec<_>>());
    assert!(hits.iter().all(|hit| hit.score > 0.0));
}

#[test]
fn a_long_text_of_one_word_is_that_word() {
    let index = WordIndex::new(&[described("one", "Reviews."), described("two", "Deploys.")]);
    let hits = index.rank(&"deploy ".repeat(200_000));
    assert_eq!(skills(&hits), [1]);
    assert_eq!(words(&hits[0]), ["deploy"]);
}

proptest! {
    #[test]
    fn any_text_over_any_skills(
        descriptions in prop::collection::vec("(\\PC|[a-e 代码]){0,12}", 0..8),
        text in "(\\PC|[a-e 代码]){0,12}",
    ) {
        let list: Vec<_> = descriptions.iter().map(|text| described("", text)).collect();
        let hits = WordIndex::new(&list).rank(&text);
        prop_assert!(hits.iter().all(|hit| hit.score.is_finite() && hit.score > 0.0));
        prop_assert!(hits.iter().all(|hit| hit.words().next().is_some() && hit.skill < list.len()));
        prop_assert!(hits.is_sorted_by(|a, b| a.score >= b.score));
    }
}
