use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::prose::Prose;
use skills_format::text::span::Span;
use std::collections::BTreeMap;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::AliasCollision,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "an alias is not the name or the alias of another skill",
    why: "An alias finds one skill. An alias of two skills finds neither. An alias that is the \
          name of another skill always finds that other skill.",
    bad: Example::Files(&[
        (
            "changelog/SKILL.md",
            Content::Text(
                "---\nname: changelog\ndescription: Sorts changes. Use when a version is made.\n\
                 metadata:\n  aliases: cl release-notes\n---\n\nSort every change.\n",
            ),
        ),
        (
            "release-notes/SKILL.md",
            Content::Text(with_fields!("metadata:\n  aliases: rn\n")),
        ),
    ]),
    marks: "cl release-notes",
    good: Example::Skill(with_fields!("metadata:\n  aliases: rn\n")),
    fix: FixKind::No,
    check: Check::Bundle(check),
};

fn check(bundle: &BundleView<'_>) -> Vec<Finding> {
    let mut claimed: BTreeMap<&str, (Span, usize)> = BTreeMap::new();
    let mut found = Vec::new();
    for (skill, gist) in bundle.skills.iter().enumerate() {
        for (alias, span) in &gist.aliases {
            let named = bundle.named(alias).find(|other| *other != skill);
            let claimant = claimed
                .get(alias.as_str())
                .filter(|(_, other)| *other != skill);
            let (other, place, message) = match (named, claimant) {
                (Some(other), _) => {
                    let message = Prose::from(format!("the alias `{alias}` is the name of "));
                    let message = message.path(&bundle.path(other));
                    (other, bundle.place_of_name(other), message)
                }
                (None, Some((place, other))) => {
                    let message = Prose::from(format!("the alias `{alias}` is one of "));
                    let message = message.path(&bundle.path(*other)).words(" too");
                    (*other, Some(*place), message)
                }
                (None, None) => {
                    claimed.insert(alias, (*span, skill));
                    continue;
                }
            };
            let finding = bundle.at(RULE.id, skill, *span, message);
            let finding = finding.beside(other, place);
            found.push(finding.help("choose another alias, or remove it"));
        }
    }
    found
}
