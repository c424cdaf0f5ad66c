use super::*;
use crate::overlap::differing::{Differing, DistinctWords};
use proptest::prelude::*;

fn pairs(texts: &[&str], least: u8) -> Vec<(usize, usize, u8, Relation)> {
    let found = overlaps(texts, least);
    found
        .pairs
        .iter()
        .map(|pair| (pair.first, pair.second, pair.likeness, pair.relation))
        .collect()
}

#[test]
fn the_same_one_in_the_other_and_near() {
    let texts = [
        "Deploys to the cloud.",
        "",
        "To the CLOUD deploys!",
        "Deploys to the cloud and watches.",
        "Deploys to the moon and watches.",
        "Reads.",
    ];
    assert_eq!(
        pairs(&texts, 50),
        [
            (0, 2, 100, Relation::Same),
            (0, 3, 66, Relation::FirstInSecond),
            (3, 4, 50, Relation::Near),
        ]
    );
    assert_eq!(pairs(&["and the", "of"], 0), []);
}

#[test]
fn many_texts() {
    let copies = vec!["Writes the notes of a version."; 10_000];
    assert_eq!(overlaps(&copies, 50).pairs.len(), 9_999);
    let nearly: Vec<String> = (0..3_000)
        .map(|i| format!("Writes the notes of a version, for team x{i}."))
        .collect();
    let nearly: Vec<&str> = nearly.iter().map(String::as_str).collect();
    let found = overlaps(&nearly, 50);
    assert!(found.is_partial);
    assert!(found.pairs.len() >= 2_999);
}

#[test]
fn words_in_which_texts_differ() {
    let words = DistinctWords::new(&["Reads a, b and PDF files.", "Reads zip, tar, pdf.", ""]);
    let (first, second) = words.differing(0, 1, 9);
    assert_eq!((first.words, first.more), (vec!["b", "files"], 0));
    assert_eq!((second.words, second.more), (vec!["tar", "zip"], 0));
    let (first, second) = words.differing(1, 2, 1);
    assert_eq!((first.words, first.more), (vec!["pdf"], 3));
    assert_eq!(second, Differing::default());
    assert_eq!(words.differing(2, 7, 9), Default::default());
}

proptest! {
    /// Every pair that a comparison of all texts finds is found.
    #[test]
    fn all_are_found(
        texts in proptest::collection::vec("([a-f] ){0,6}", 0..20),
        least in 1..=100_u8,
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let sets: Vec<BTreeSet<String>> = texts.iter().map(|text| words(text)).collect();
        let found = overlaps(&texts, least);
        let is_first = |i: usize| !sets[i].is_empty() && !sets[..i].contains(&sets[i]);
        for i in 0..texts.len() {
            for j in i + 1..texts.len() {
                let both = sets[i].intersection(&sets[j]).count();
                let union = sets[i].union(&sets[j]).count();
                let is_alike = both * 100 >= union * usize::from(least) || both == sets[i].len() || both == sets[j].len();
                let expected = is_first(i) && !sets[j].is_empty() && is_alike && (is_first(j) || sets[i] == sets[j]);
                let is_found = found.pairs.iter().any(|pair| (pair.first, pair.second) == (i, j));
                prop_assert_eq!(is_found, expected, "{} {}", i, j);
            }
        }
    }
}

/// A sentence that says when not to use a skill makes two skills distinct.
#[test]
fn sentences_that_exclude() {
    let of = |what: &str, not: &str| {
        format!("Shows {what} ads. Use for {what} ads. Don't use for {not} ads.")
    };
    let (first, second) = (
        of("interstitial", "rewarded interstitial"),
        of("rewarded", "rewarded interstitial"),
    );
    let found = overlaps(&[&first, &second], 0);
    assert!(!found.pairs[0].relation.is_inseparable(), "{found:?}");
    // A text that only excludes keeps its words.
    let found = overlaps(&["Not for lists.", "Not for lists."], 50);
    assert_eq!(found.pairs[0].relation, Relation::Same);
}
