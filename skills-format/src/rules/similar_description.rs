use super::example::with_fields;
use super::{BundleView, Check, Content, Example, Group, Mends, Rule};
use crate::config::Level;
use crate::diagnostic::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const RULE: Rule = Rule {
    id: "similar-description",
    level: Level::Allow,
    group: Group::Bundle,
    summary: "no two descriptions say nearly the same",
    why: "A model picks a skill by its description. Between two that say the same it guesses.",
    bad: Example::Files(&[
        (
            "changelog/SKILL.md",
            Content::Text(
                "---\nname: changelog\n\
                 description: Writes release notes. Use when a version is about to be published.\n\
                 ---\n\nSort every change.\n",
            ),
        ),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    marks: "Writes release notes. Use when a version is about to be published.",
    good: Example::Skill(with_fields!("")),
    mends: Mends::No,
    check: Check::Bundle(check),
};

/// Of all words that two descriptions hold, the share that both hold, in hundredths.
const MAX_SHARE: usize = 85;
/// A word that more skills than this hold tells none from another.
const MAX_COMMON: usize = 50;

fn check(bundle: &BundleView<'_>) -> Vec<Diagnostic> {
    let words: Vec<BTreeSet<String>> = bundle
        .skills
        .iter()
        .map(|gist| {
            let description = gist.description.as_ref().map(|(text, _)| text.as_str());
            words(description.unwrap_or_default())
        })
        .collect();
    let mut holders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, words) in words.iter().enumerate() {
        for word in words {
            holders.entry(word).or_default().push(i);
        }
    }
    let mut found = Vec::new();
    for (i, (gist, own)) in bundle.skills.iter().zip(&words).enumerate() {
        let earlier: BTreeSet<usize> = own
            .iter()
            .filter_map(|word| holders.get(word.as_str()))
            .filter(|holders| holders.len() <= MAX_COMMON)
            .flatten()
            .copied()
            .filter(|other| *other < i)
            .collect();
        let similar = earlier.into_iter().find(|other| {
            words
                .get(*other)
                .is_some_and(|other| are_similar(own, other))
        });
        if let (Some(other), Some((_, span))) = (similar, &gist.description) {
            let message = format!(
                "the description says nearly the same as that of {}",
                bundle.path(other)
            );
            let finding = bundle.at(i, *span, message);
            found.push(finding.help("say what tells the two apart, or join them"));
        }
    }
    found
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn are_similar(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    let both = a.intersection(b).count();
    let all = a.len() + b.len() - both;
    both > 3 && both * 100 >= all * MAX_SHARE
}
