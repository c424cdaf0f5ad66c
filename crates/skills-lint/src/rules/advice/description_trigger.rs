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
    why: "A model needs to know what a skill does, and also when to use it.",
    bad: Example::Skill(
        "---\nname: release-notes\ndescription: Writes release notes.\n---\n\n\
         List every merged change.\n",
    ),
    marks: "Writes release notes.",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

const TRIGGERS: &[&str] = &[
    "when",
    "proactively",
    "must be used",
    "use to ",
    "whenever",
    "any time",
    "anytime",
    "while ",
    "as soon as",
    "user asks",
    "user wants",
    "user says",
    "asked to",
    "使用",
    "时",
    "時に",
    "際に",
    "경우",
    "사용",
    "cuándo",
    "utiliser",
    "utilis",
    "verwende",
    "nutze",
    "usar ",
    "usare",
    "используй",
    "если",
    "коли",
    "kdy",
    "gdy",
    "wanneer",
    "khi ",
    "เมื่อ",
    "عند",
    "जब",
    "use this",
    "use it",
    "use for",
    "used for",
    "used to",
    "use to",
    "trigger",
    "if the user",
    "if you",
    "before ",
    "after ",
    "during ",
    "invoke",
    "activate",
    "should be used",
    "applies to",
    "for tasks",
    "用于",
    "当",
    "适用",
    "使用场景",
    "触发",
    "とき",
    "場合",
    "때",
    "cuando",
    "lorsque",
    "wenn",
    "quando",
    "когда",
    "при ",
];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((value, description)) = view.text_field("description") else {
        return Vec::new();
    };
    let lower = description.to_lowercase();
    let says_when = TRIGGERS.iter().any(|trigger| lower.contains(trigger))
        || view.has("when-to-use")
        || view.has("when_to_use");
    if says_when {
        return Vec::new();
    }
    vec![
        view.at(
            RULE.id,
            value.span,
            "the description does not say when to use the skill",
        )
        .help("add `Use when …`"),
    ]
}
