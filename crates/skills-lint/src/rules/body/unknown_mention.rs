use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::mention::mask::place::Mask;
use skills_format::mention::variables::is_in_capitals;
use skills_format::mention::{CandidateKind, scan};
use skills_format::skill::fields::Fields;
use skills_format::text::distance;
use skills_format::text::map::TextMap;
use skills_format::text::order::sort_by_text;
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::UnknownMention,
    level: Level::Warn,
    group: Group::Body,
    summary: "a `$name` that is close to the name of another skill of the bundle is that name",
    why: "`$name` in a body starts another skill. A misspelt name is an unknown name and starts \
          nothing. A `$x` that does not resemble a skill of the bundle is a variable and is not \
          reported.",
    bad: Example::Files(&[
        (
            "changelog/SKILL.md",
            Content::Text(
                "---\nname: changelog\ndescription: Sorts changes. Use when a version is made.\n\
                 ---\n\nThen use $release-note for the text.\n",
            ),
        ),
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Set $notes.\n")),
        ),
    ]),
    marks: "$release-note",
    good: Example::Files(&[
        (
            "changelog/SKILL.md",
            Content::Text(
                "---\nname: changelog\ndescription: Sorts changes. Use when a version is made.\n\
                 ---\n\nThen use $release-notes for the text.\n",
            ),
        ),
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Set $notes.\n")),
        ),
    ]),
    fix: FixKind::No,
    check: Check::Siblings {
        concerns: has_mentions,
        check,
    },
};

fn has_mentions(view: &SkillView<'_>) -> bool {
    view.has_dollar() && view.document().is_some()
}

fn check(view: &SkillView<'_>, bundle: &BundleView<'_>) -> Vec<Finding> {
    let Some(document) = view.document() else {
        return Vec::new();
    };
    let body = document.body.of(document.text);
    let arguments = view.fields().map(|fields| Fields::read(fields).arguments);
    let arguments = arguments.unwrap_or_default();
    let schema = view.skill.arguments.as_ref().map(|file| &file.schema);
    let is_argument = |name| {
        arguments
            .iter()
            .any(|it| it.strip_prefix('$').unwrap_or(it) == name)
            || schema.is_some_and(|schema| schema.find(name).is_some())
    };
    let mut near = Near {
        bundle,
        known: TextMap::default(),
    };
    scan(body, &|id| bundle.answers_to(id))
        .into_iter()
        .filter(|candidate| match candidate.kind {
            CandidateKind::Bare => match candidate.masked {
                None => true,
                Some(Mask::CodeSpan) => is_alone(body, candidate.span),
                Some(_) => false,
            },
            _ => false,
        })
        .filter_map(|candidate| {
            let (source, name) = candidate.parts();
            // In a body, capitals are a variable of a command, even if a skill has the name.
            if is_in_capitals(name) {
                return None;
            }
            let is_known = || bundle.answers_to(candidate.key().as_ref()) || is_argument(name);
            if source.is_some() || is_known() {
                return None;
            }
            let near = near.to(name)?;
            let start = document.body.start;
            let span = Span::new(start + candidate.span.start, start + candidate.span.end);
            let message = format!("no skill of the bundle is named `{name}`");
            Some(
                view.at(RULE.id, span, message)
                    .help(format!("write `${near}`")),
            )
        })
        .collect()
}

/// The maximum number of different names of one body that are compared with the names of the bundle. No person
/// writes a body with more names.
const MAX_COMPARED: usize = 1000;

/// The known names that unknown names resemble, each computed once.
struct Near<'b, 'a> {
    bundle: &'b BundleView<'a>,
    known: TextMap<'static, Option<&'a str>>,
}

impl<'a> Near<'_, 'a> {
    /// Returns the name of the bundle that this name resembles.
    fn to(&mut self, name: &str) -> Option<&'a str> {
        if let Some(near) = self.known.get(name) {
            return *near;
        }
        if self.known.len() == MAX_COMPARED {
            return None;
        }
        let mut answers = self.bundle.answers();
        let near = answers.find(|known| is_near(name, known));
        self.known.insert(name.to_owned(), near);
        near
    }
}

/// Returns whether a code span holds nothing else.
fn is_alone(body: &str, span: Span) -> bool {
    let before = body.get(..span.start).unwrap_or_default();
    let after = body.get(span.end..).unwrap_or_default();
    before.trim_end_matches(' ').ends_with('`') && after.trim_start_matches(' ').starts_with('`')
}

fn is_near(name: &str, known: &str) -> bool {
    let limit = match name.chars().count() {
        0..3 => return false,
        3..6 => 1,
        _ => 2,
    };
    if name.len().abs_diff(known.len()) > 8 {
        return false;
    }
    let (name, known) = (name.to_lowercase(), known.to_lowercase());
    let sorted = |text: &str| {
        let mut words: Vec<String> = text.split(['-', '_']).map(str::to_owned).collect();
        sort_by_text(&mut words, |word| word.as_bytes());
        words
    };
    distance::of_words(&name, &known, limit).is_some() || sorted(&name) == sorted(&known)
}
