use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::fields::Fields;
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::NeededSkill,
    level: Level::Warn,
    group: Group::Fields,
    summary: "the skills that a skill needs lie beside it",
    why: "A skill that sends the model to another skill fails where only the first is installed. Authors name the \
          other in `metadata.requires.skills`, as a list or as a text with commas. The same is reported where the \
          skills are loaded, and when the skill is started: this finding is for the repository that ships them.",
    bad: Example::Skill(with_fields!(
        "metadata:\n  requires: '{\"skills\": \"changelog\"}'\n"
    )),
    marks: "changelog",
    good: Example::Files(&[
        (
            "changelog/SKILL.md",
            Content::Text(
                "---\nname: changelog\ndescription: Sorts changes. Use when a version is made.\n---\n\nSort them.\n",
            ),
        ),
        (
            "release-notes/SKILL.md",
            Content::Text(with_fields!(
                "metadata:\n  requires: '{\"skills\": \"changelog\"}'\n"
            )),
        ),
    ]),
    fix: FixKind::No,
    check: Check::Siblings {
        concerns: |view| !needed(view).is_empty(),
        check,
    },
};

/// The maximum number of needed skills of one skill that are looked up.
const MAX_NEEDED: usize = 100;

fn needed(view: &SkillView<'_>) -> Vec<String> {
    let fields = view.fields().map(Fields::read);
    let needed = fields
        .map(|fields| fields.requires.skills)
        .unwrap_or_default();
    needed
        .iter()
        .take(MAX_NEEDED)
        .map(ToString::to_string)
        .collect()
}

fn check(view: &SkillView<'_>, bundle: &BundleView<'_>) -> Vec<Finding> {
    let text = view.text();
    let missing = needed(view).into_iter().filter(|name| {
        let name = name.rsplit(':').next().unwrap_or(name);
        !bundle.answers_to(name.trim_start_matches('$'))
    });
    missing
        .map(|name| {
            let message = format!("no skill here is named `{name}`, which this skill needs");
            // After the word `requires`, where the name stands: it can be a word of the description too.
            let from = text.find("requires").unwrap_or_default();
            let at = text.get(from..).and_then(|text| text.find(&*name));
            let at = at.map_or(0, |at| from + at);
            let span = Span::new(at, at + if at > 0 { name.len() } else { 0 });
            view.at(RULE.id, span, message)
                .help("ship the skill beside this one, or correct the name")
        })
        .collect()
}
