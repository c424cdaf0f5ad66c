use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::DescriptionCut,
    level: Level::Warn,
    group: Group::Fields,
    summary: "a description ends where its sentence ends",
    why: "A program that shortened a description cut it in the middle: what follows, often the part that \
          says when to use the skill, never reaches the model.",
    bad: Example::Skill(
        "---\nname: release-notes\n\
         description: Writes the release notes of a version from the merged changes. Use when a version is ab...\n\
         ---\n\nList every merged change.\n",
    ),
    marks: "ab...",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

/// The lengths at which programs cut descriptions.
const LENGTHS: [usize; 10] = [1024, 1023, 1021, 1000, 512, 500, 256, 255, 250, 200];
/// The maximum length of a word. A longer run of characters only fills the field to its limit.
const LONGEST_WORD: usize = 40;
/// The minimum length of a description that a program shortens.
const SHORTEST: usize = 60;

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((value, description)) = view.text_field("description") else {
        return Vec::new();
    };
    let text = description.trim();
    let length = text.chars().count();
    let stem = text.strip_suffix("...").or_else(|| text.strip_suffix('…'));
    let is_shortened = stem.is_some_and(|stem| {
        let word = stem.split_whitespace().next_back().unwrap_or_default();
        let ends_in_word = word.ends_with(char::is_alphanumeric);
        let is_open_list =
            ["etc", "more", "others", "on", "like", "as"].contains(&word.to_lowercase().as_str());
        ends_in_word && !is_open_list && length >= SHORTEST
    });
    let word = text.split_whitespace().next_back().unwrap_or_default();
    let is_cut = LENGTHS.contains(&length)
        && text.ends_with(char::is_alphanumeric)
        && word.chars().count() <= LONGEST_WORD;
    if !is_shortened && !is_cut {
        return Vec::new();
    }
    let written = value.span.of(view.text());
    let at = written.rfind(word).unwrap_or_default();
    let start = value.span.start + at;
    let span = Span::new(start, start + word.len().min(written.len() - at));
    let message = "the description ends in the middle";
    vec![
        view.at(RULE.id, span, message)
            .help("write the rest of the sentence"),
    ]
}
