use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;

use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;
use skills_format::tree::TreeFile;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::InteractiveScript,
    level: Level::Allow,
    group: Group::Body,
    summary: "no script of the skill waits for input at a prompt",
    why: "An agent runs scripts with no person at the keyboard. A script that waits for input \
          waits until it is stopped. Only files whose bytes were read are searched.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Run `scripts/publish.sh`.\n")),
        ),
        (
            "release-notes/scripts/publish.sh",
            Content::Text("#!/bin/sh\nread -p \"Which version? \" version\n"),
        ),
    ]),
    marks: "read",
    good: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Run `scripts/publish.sh VERSION`.\n")),
        ),
        (
            "release-notes/scripts/publish.sh",
            Content::Text("#!/bin/sh\nversion=$1\n"),
        ),
    ]),
    fix: FixKind::No,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let scripts = view.skill.files.iter();
    scripts
        .filter_map(|file| {
            let text = std::str::from_utf8(file.bytes.as_deref()?).ok()?;
            let span = prompt(file, text)?;
            let finding = Finding::new(RULE.id, &file.path, "the script asks at a prompt");
            Some(finding.at(span).help("take it as an argument"))
        })
        .collect()
}

fn prompt(file: &TreeFile, text: &str) -> Option<Span> {
    let (_, extension) = file.path.rsplit_once('.')?;
    let calls: &[&str] = match extension {
        "sh" | "bash" | "zsh" => return shell_read(text),
        "py" => &["input(", "getpass.getpass("],
        "js" | "mjs" | "cjs" | "ts" => &[".question(", "prompt("],
        "rb" => &["STDIN.gets", "$stdin.gets"],
        "ps1" => &["Read-Host"],
        _ => return None,
    };
    calls.iter().find_map(|call| {
        text.match_indices(call).find_map(|(at, _)| {
            let before = text.get(..at)?.chars().next_back();
            let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
            let is_free = call.starts_with('.') || !before.is_some_and(joins);
            is_free.then(|| Span::new(at, at + call.trim_end_matches('(').len()))
        })
    })
}

/// Finds a `read name` without piped or redirected input.
fn shell_read(text: &str) -> Option<Span> {
    let mut start = 0;
    text.split('\n').find_map(|line| {
        let at = start;
        start += line.len() + 1;
        let command = line.trim_start();
        let is_fed = line.contains(['|', '<']) || line.contains("while") || line.contains("done");
        let reads = command.starts_with("read ") && !is_fed;
        let place = at + (line.len() - command.len());
        reads.then(|| Span::new(place, place + "read".len()))
    })
}
