use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::name::command_base;
use skills_format::text::span::Span;
use std::collections::HashMap;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::CommandCollision,
    level: Level::Warn,
    group: Group::Bundle,
    summary: "no two skills get the same slash command where commands are plain ASCII",
    why: "Some clients allow only `a` to `z`, digits and `_` in slash commands, and change names \
          to that form. If two skills get the same command, the second command gets an unexpected \
          number.",
    bad: Example::Files(&[
        (
            "release-not\u{E9}s/SKILL.md",
            Content::Text(
                "---\nname: release-not\u{E9}s\n\
                 description: Sorts changes. Use when a version is made.\n---\n\nSort every change.\n",
            ),
        ),
        (
            "release-not\u{F6}s/SKILL.md",
            Content::Text(
                "---\nname: release-not\u{F6}s\n\
                 description: Lists changes. Use when a version is made.\n---\n\nList every change.\n",
            ),
        ),
    ]),
    marks: "release-not\u{F6}s",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Bundle(check),
};

/// The maximum number of characters of such a command.
const LONGEST: usize = 32;

fn check(bundle: &BundleView<'_>) -> Vec<Finding> {
    let mut taken: HashMap<String, (usize, &str, Span)> = HashMap::new();
    let mut found = Vec::new();
    for (skill, gist) in bundle.skills.iter().enumerate() {
        let Some((name, span)) = gist.name.as_ref().filter(|_| gist.is_command) else {
            continue;
        };
        let command = command_base(name);
        match taken.get(&command) {
            // `duplicate-name` reports equal names.
            Some((first, other, place)) if other != name => {
                // The limit is named where it counts: elsewhere the letters are the reason.
                let limit = if name.chars().count() > LONGEST || other.chars().count() > LONGEST {
                    format!(", {LONGEST} at most")
                } else {
                    String::new()
                };
                let message = format!(
                    "`{name}` and `{other}` are both the command `/{command}` where a client, such as OpenClaw, keeps \
                     only `a` to `z`, digits and `_`{limit}"
                );
                let finding = bundle.at(RULE.id, skill, *span, message);
                let finding = finding.beside(*first, Some(*place));
                found.push(finding.help("give one of the two another name"));
            }
            Some(_) => {}
            None => {
                taken.insert(command, (skill, name, *span));
            }
        }
    }
    found
}
