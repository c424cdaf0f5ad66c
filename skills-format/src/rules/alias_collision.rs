use super::example::with_fields;
use super::{BundleView, Check, Content, Example, Group, Mends, Rule};
use crate::check::CheckedSkill;
use crate::config::Level;
use crate::diagnostic::{Diagnostic, Severity};
use crate::name::nfc;
use crate::span::Span;
use crate::yaml::Value;
use std::collections::BTreeMap;

pub(crate) const RULE: Rule = Rule {
    id: "alias-collision",
    level: Level::Deny,
    group: Group::Bundle,
    summary: "an alias is no other skill's name or alias",
    why: "An alias finds one skill. One that two skills claim finds neither, and one that is another \
          skill's name never finds its own.",
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
    marks: "release-notes",
    good: Example::Skill(with_fields!("metadata:\n  aliases: rn\n")),
    mends: Mends::No,
    check: Check::Bundle(check),
};

fn check(bundle: &BundleView<'_>) -> Vec<Diagnostic> {
    let mut claimed: BTreeMap<String, &CheckedSkill<'_>> = BTreeMap::new();
    let mut found = Vec::new();
    for skill in bundle.skills {
        for (alias, span) in aliases(skill) {
            let named = bundle
                .names
                .get(&alias)
                .and_then(|named| named.iter().find(|named| named.skill.dir != skill.dir));
            let claimant = claimed.get(&alias).filter(|other| other.dir != skill.dir);
            let message = match (named, claimant) {
                (Some(other), _) => {
                    format!(
                        "the alias `{alias}` is the name of {}",
                        other.skill.file.path
                    )
                }
                (None, Some(other)) => {
                    format!("the alias `{alias}` is one of {} too", other.file.path)
                }
                (None, None) => {
                    claimed.entry(alias).or_insert(skill);
                    continue;
                }
            };
            let finding = skill.file.diagnostic("", Severity::Error, span, message);
            found.push(finding.help("choose another alias, or remove it"));
        }
    }
    found
}

/// The aliases of a skill, each at its place.
pub(super) fn aliases(skill: &CheckedSkill<'_>) -> Vec<(String, Span)> {
    let node = match &skill.file.front_matter {
        Some(Ok(node)) => node
            .get("metadata")
            .and_then(|metadata| metadata.get("aliases")),
        _ => None,
    };
    let text = skill.file.text.unwrap_or_default();
    let nodes = match node.map(|node| &node.value) {
        Some(Value::Sequence(items)) => items.iter().collect(),
        Some(Value::Scalar(_)) => node.into_iter().collect(),
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for node in nodes.into_iter().filter(|node| !node.is_null()) {
        let written = node.span.of(text);
        let mut from = 0;
        let words = node.as_str().unwrap_or_default();
        let words = words.split(|c: char| c.is_whitespace() || c == ',');
        for word in words.filter(|word| !word.is_empty()) {
            let rest = written.get(from..).unwrap_or_default();
            let span = rest.find(word).map_or(node.span, |at| {
                let start = node.span.start + from + at;
                from += at + word.len();
                Span::new(start, start + word.len())
            });
            found.push((nfc(word).into_owned(), span));
        }
    }
    found
}
