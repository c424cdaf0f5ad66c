use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use skills_check::check::files::{OTHER_ALIAS, collision};
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;
use std::collections::BTreeMap;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::AliasCollision,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "an alias is not the name or the alias of another skill",
    why: "An alias of two skills finds neither. An alias that is the name of another skill always finds that other \
          skill.",
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
            let place_of_name = |other| bundle.place_of_name(other);
            let path = |other| bundle.path(other);
            let collision = collision(alias, named, claimant.copied(), place_of_name, path);
            let Some((other, place, message)) = collision else {
                claimed.insert(alias, (*span, skill));
                continue;
            };
            let finding = bundle.at(RULE.id, skill, *span, message);
            let finding = finding.beside(other, place);
            found.push(finding.help(OTHER_ALIAS));
        }
    }
    found
}
