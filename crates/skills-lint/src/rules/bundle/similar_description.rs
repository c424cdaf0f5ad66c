use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::prose::Prose;
use skills_rank::alike::{Words, share};
use std::collections::BTreeSet;

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
    check: Check::Bundle(check),
};

/// The share of the words of two descriptions that both hold, in percent, from which the descriptions are similar.
const MAX_SHARE: usize = 85;
/// The maximum number of descriptions that a description is compared with: the descriptions that share its rarest
/// words.
const MAX_COMPARED: usize = 100;

fn check(bundle: &BundleView<'_>) -> Vec<Finding> {
    let described = bundle.skills.iter().map(|gist| gist.description.as_ref());
    let words: Vec<BTreeSet<String>> = described
        .clone()
        .map(|description| words(description.map_or("", |(text, _)| text)))
        .collect();
    let all = Words::by_rarity(
        &words
            .iter()
            .map(|words| words.iter().map(String::as_str).collect())
            .collect::<Vec<_>>(),
    );
    let mut found = Vec::new();
    for (i, description) in described.enumerate() {
        let Some((_, span)) = description else {
            continue;
        };
        let (others, _) = all.sharing(i, MAX_SHARE, MAX_COMPARED);
        // Only earlier skills: each pair is reported once.
        let mut earlier = others.iter().take_while(|other| **other < i);
        if let Some(other) = earlier.find(|other| are_similar(all.of(i), all.of(**other))) {
            let message = Prose::from("the description says nearly the same as that of ")
                .path(&bundle.path(*other));
            let described = bundle.skills.get(*other);
            let described = described.and_then(|gist| gist.description.as_ref());
            let finding = bundle.at(RULE.id, i, *span, message);
            let finding = finding.beside(*other, described.map(|(_, span)| *span));
            found.push(finding.help("say how the two differ, or merge them"));
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

/// Returns whether two texts share enough of their words.
fn are_similar(a: &[usize], b: &[usize]) -> bool {
    let (both, all) = share(a, b);
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
