use crate::diagnostic::Diagnostic;
use crate::diagnostic::rule_id::RuleId;
use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SimilarDescription,
    level: Level::Allow,
    group: Group::Bundle,
    summary: "no two descriptions say nearly the same",
    why: "A model picks a skill by its description. If two descriptions say the same, the model \
          guesses.",
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
    fix: FixKind::No,
    check: Check::Descriptions(check),
};

/// Of all words that two descriptions hold, the share that both hold, in hundredths.
const MAX_SHARE: usize = 85;
/// Most descriptions that a description is compared with: the descriptions that share its rarest
/// words.
const MAX_COMPARED: usize = 100;

fn check(bundle: &BundleView<'_>) -> Vec<Diagnostic> {
    let all: Vec<Vec<usize>> = by_rarity(bundle);
    // By word, the earlier descriptions that hold it among their rarest.
    let mut holders: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut found = Vec::new();
    for (i, own) in all.iter().enumerate() {
        let rarest = own.get(..rarest(own.len())).unwrap_or_default();
        let mut compared = BTreeSet::new();
        let similar = rarest
            .iter()
            .filter_map(|word| holders.get(word))
            .flatten()
            .take(MAX_COMPARED)
            .copied()
            .filter(|other| compared.insert(*other))
            .find(|other| all.get(*other).is_some_and(|other| are_similar(own, other)));
        let description = bundle
            .skills
            .get(i)
            .and_then(|gist| gist.description.as_ref());
        if let (Some(other), Some((_, span))) = (similar, description) {
            let message = format!(
                "the description says nearly the same as that of {}",
                bundle.path(other)
            );
            let finding = bundle.at(i, *span, message);
            found.push(finding.help("say what tells the two apart, or join them"));
        }
        for word in rarest {
            holders.entry(*word).or_default().push(i);
        }
    }
    found
}

/// The words of each description as numbers, the rarest words first.
fn by_rarity(bundle: &BundleView<'_>) -> Vec<Vec<usize>> {
    let all: Vec<BTreeSet<String>> = bundle
        .skills
        .iter()
        .map(|gist| {
            let description = gist.description.as_ref().map(|(text, _)| text.as_str());
            words(description.unwrap_or_default())
        })
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for word in all.iter().flatten() {
        *counts.entry(word).or_default() += 1;
    }
    let mut order: Vec<(usize, &str)> =
        counts.iter().map(|(word, count)| (*count, *word)).collect();
    order.sort_unstable();
    let numbers: BTreeMap<&str, usize> = order
        .iter()
        .enumerate()
        .map(|(number, (_, word))| (*word, number))
        .collect();
    all.iter()
        .map(|words| {
            let numbers = words.iter().filter_map(|word| numbers.get(word.as_str()));
            let mut numbers: Vec<usize> = numbers.copied().collect();
            numbers.sort_unstable();
            numbers
        })
        .collect()
}

/// Of so many words in order of rarity, how many come first that two similar descriptions cannot
/// both have without sharing one: they share all but the words of which one may lack
/// `100 - MAX_SHARE` in a hundred.
fn rarest(words: usize) -> usize {
    let shared = (words * MAX_SHARE).div_ceil(100);
    (words + 1 - shared).min(words)
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Whether two sorted lists of words share enough of them.
fn are_similar(a: &[usize], b: &[usize]) -> bool {
    let both = a
        .iter()
        .filter(|word| b.binary_search(word).is_ok())
        .count();
    let all = a.len() + b.len() - both;
    both > 3 && both * 100 >= all * MAX_SHARE
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told_of;

    fn told(count: usize, description: impl Fn(usize) -> String) -> usize {
        let files: Vec<(String, String)> = (0..count)
            .map(|i| {
                let text = format!(
                    "---\nname: s-{i}\ndescription: {}\n---\n\nGo.\n",
                    description(i)
                );
                (format!("s-{i:04}/SKILL.md"), text)
            })
            .collect();
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        told_of("similar-description", &files).len()
    }

    #[test]
    fn many_copies() {
        let copy = |_| "Writes release notes. Use when a version is published.".to_owned();
        assert_eq!(told(3000, copy), 2999);
        let nearly = |i| format!("{} Or for the team that is number {i}.", copy(i));
        assert_eq!(told(200, nearly), 199);
        let other = |i: usize| format!("Use when a{i} b{} c{} d{} is met.", i * 3, i * 7, i / 2);
        assert_eq!(told(3000, other), 0);
    }
}
