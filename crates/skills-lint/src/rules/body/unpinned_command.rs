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
    why: "`npx x` runs the version of `x` that is newest at that moment. A fixed version is the \
          version that was reviewed.",
    bad: Example::Skill(with_body!("```sh\nnpx changelog-maker --all\n```\n")),
    marks: "changelog-maker",
    good: Example::Skill(with_body!("```sh\nnpx changelog-maker@2.1.0 --all\n```\n")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

/// The commands, and the separator between a package and its version.
const RUNNERS: [(&[&str], &str); 6] = [
    (&["npx"], "@"),
    (&["bunx"], "@"),
    (&["uvx"], "=="),
    (&["pnpm", "dlx"], "@"),
    (&["yarn", "dlx"], "@"),
    (&["pipx", "run"], "=="),
];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let text = view.text();
    let markdown = view.markdown();
    let code = markdown.code_blocks.iter().chain(&markdown.code_spans);
    code.flat_map(|code| packages(text, *code))
        .map(|(span, pin)| {
            let package = span.of(text);
            view.at(
                RULE.id,
                span,
                format!("the command runs the newest version of `{package}`"),
            )
            .help(format!("write `{package}{pin}` and a version"))
        })
        .collect()
}

/// Returns the packages without a version, each with the separator before a version.
fn packages(text: &str, code: Span) -> Vec<(Span, &'static str)> {
    let words = words(text, code);
    let mut found = Vec::new();
    for i in 0..words.len() {
        let after = words.get(i..).unwrap_or_default();
        let runner = RUNNERS.iter().find(|(runner, _)| {
            let begins = after.iter().map(|word| word.of(text)).take(runner.len());
            begins.eq(runner.iter().copied())
        });
        let Some((runner, pin)) = runner else {
            continue;
        };
        let mut rest = after.iter().skip(runner.len());
        let package = rest.find(|word| !word.of(text).starts_with('-'));
        if let Some(package) = package.filter(|word| is_unpinned(word.of(text))) {
            found.push((*package, *pin));
        }
    }
    found
}

fn is_unpinned(package: &str) -> bool {
    let name = package.strip_prefix('@').unwrap_or(package);
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.contains(['@', '=', '<', '$', ':', '{'])
}

/// Returns the words of the code, without quotation marks, parentheses and separators.
fn words(text: &str, code: Span) -> Vec<Span> {
    let mut words = Vec::new();
    let mut start = None;
    for (i, c) in code.of(text).char_indices().chain([(code.len(), '\n')]) {
        let at = code.start + i;
        if c.is_whitespace() || matches!(c, '`' | ';' | '"' | '\'' | '(' | ')') {
            words.extend(start.take().map(|start| Span::new(start, at)));
        } else {
            start.get_or_insert(at);
        }
    }
    words
}
