use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::DescriptionTrigger,
    level: Level::Allow,
    group: Group::Other,
    summary: "a description says when to use the skill",
    why: "A model needs to know not only what a skill does, but also when to use it.",
    bad: Example::Skill(
        "---\nname: release-notes\ndescription: Writes release notes.\n---\n\n\
         List every merged change.\n",
    ),
    marks: "Writes release notes.",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

/// Words that say when, in some languages.
const WORDS: [&str; 50] = [
    "when",
    "use to ",
    "use this",
    "use it",
    "use for",
    "used for",
    "used to",
    "any time",
    "anytime",
    "while ",
    "asked to",
    "trigger",
    "if you",
    "before ",
    "after ",
    "during ",
    "invoke",
    "activate",
    "使用",
    "时",
    "時に",
    "際に",
    "경우",
    "사용",
    "用于",
    "当",
    "适用",
    "触发",
    "とき",
    "場合",
    "때",
    "cuándo",
    "cuando",
    "utilis",
    "lorsque",
    "verwende",
    "nutze",
    "wenn",
    "usar ",
    "usare",
    "quando",
    "если",
    "когда",
    "при ",
    "коли",
    "kdy",
    "gdy",
    "wanneer",
    "khi ",
    "عند",
];
/// Longer phrases that say when.
const PHRASES: [&str; 9] = [
    "proactively",
    "must be used",
    "as soon as",
    "user asks",
    "user wants",
    "user says",
    "if the user",
    "applies to",
    "for tasks",
];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((value, description)) = view.text_field("description") else {
        return Vec::new();
    };
    let lower = description.to_lowercase();
    let mut triggers = WORDS.iter().chain(&PHRASES);
    let says_when = triggers.any(|trigger| lower.contains(trigger))
        || view.has("when-to-use")
        || view.has("when_to_use");
    if says_when {
        return Vec::new();
    }
    let message = "the description does not say when to use the skill";
    let finding = view.at(RULE.id, value.span, message);
    vec![finding.help("add `Use when …`")]
}
