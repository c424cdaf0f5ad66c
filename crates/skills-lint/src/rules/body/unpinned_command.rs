use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::UnpinnedCommand,
    level: Level::Allow,
    group: Group::Body,
    summary: "a command that fetches a package names its version",
    why: "`npx x` runs the newest version of `x`. A fixed version is the version that was reviewed.",
    bad: Example::Skill(with_body!("```sh\nnpx changelog-maker --all\n```\n")),
    marks: "changelog-maker",
    good: Example::Skill(with_body!("```sh\nnpx changelog-maker@2.1.0 --all\n```\n")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

/// The commands, and the separator between a package and its version.
const RUNNERS: [(&str, &str); 6] = [
    ("npx ", "@"),
    ("bunx ", "@"),
    ("uvx ", "=="),
    ("pnpm dlx ", "@"),
    ("yarn dlx ", "@"),
    ("pipx run ", "=="),
];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let text = view.text();
    let markdown = view.markdown();
    let mut found = Vec::new();
    for code in markdown.code_blocks.iter().chain(&markdown.code_spans) {
        for (runner, pin) in RUNNERS {
            for (at, _) in code.of(text).match_indices(runner) {
                let at = code.start + at;
                let is_begun =
                    !text[..at].ends_with(|c: char| c.is_alphanumeric() || "-_/.@".contains(c));
                let package = package(text, Span::new(at + runner.len(), code.end));
                if let Some(span) = package.filter(|span| is_begun && is_unpinned(span.of(text))) {
                    let package = span.of(text);
                    let message = format!("the command runs the newest version of `{package}`");
                    let help = format!("write `{package}{pin}` and a version");
                    found.push(view.at(RULE.id, span, message).help(help));
                }
            }
        }
    }
    found
}

/// Returns the first word that is not an option.
fn package(text: &str, command: Span) -> Option<Span> {
    let is_end = |c: char| c.is_whitespace() || "`;\"'()".contains(c);
    let line = command.of(text).lines().next()?;
    let mut start = command.start;
    for word in line.split(is_end) {
        let span = Span::new(start, start + word.len());
        start = span.end + 1;
        if !word.is_empty() && !word.starts_with('-') {
            return Some(span);
        }
    }
    None
}

fn is_unpinned(package: &str) -> bool {
    let name = package.strip_prefix('@').unwrap_or(package);
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.contains(['@', '=', '<', '$', ':', '{'])
}
