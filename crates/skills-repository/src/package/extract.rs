//! The rule `needs-extract`: reports commands that need the folder of a bundled skill.

use skills_compiler::{BundleModel, FileModel, Folder, SkillModel};
use skills_format::mention::mask::are_code;
use skills_format::text::order::sort_by_span;
use skills_format::{Diagnostic, RuleId, SKILL_FILE, Severity, Span, join};
use skills_lint::rules::{self, RUNNERS};

const PLACEHOLDERS: [&str; 2] = ["${CLAUDE_SKILL_DIR}", "${SKILL_DIR}"];

/// Reports the first such command of each skill.
pub(crate) fn check(folder: &Folder, model: &BundleModel<'_>) -> Vec<Diagnostic> {
    let severity =
        rules::find(RuleId::NeedsExtract.as_str()).and_then(|rule| folder.config.severity(rule));
    let Some(severity) = severity else {
        return Vec::new();
    };
    let found = model.skills.iter();
    found
        .filter_map(|skill| finding(folder, skill, severity))
        .collect()
}

fn finding(folder: &Folder, skill: &SkillModel<'_>, severity: Severity) -> Option<Diagnostic> {
    let document = &skill.document;
    let body = document.body.of(document.text);
    let mut places: Vec<Span> = Vec::new();
    // Most bodies have no placeholder, and a search for one byte is the fastest.
    if body.contains('$') {
        let found = PLACEHOLDERS
            .iter()
            .flat_map(|name| body.match_indices(name));
        places.extend(found.map(|(at, name)| Span::new(at, at + name.len())));
    }
    for file in skill.files.iter().filter(|file| is_script(file)) {
        let found = body.match_indices(file.path);
        let found = found.map(|(at, path)| Span::new(at, at + path.len()));
        places.extend(found.filter(|place| is_run(body, *place)));
    }
    sort_by_span(&mut places, |place| *place);
    let code = are_code(body, places.iter().map(|place| place.start));
    let mut in_code = places.iter().zip(code).filter(|(_, is_code)| *is_code);
    let (place, _) = in_code.next()?;
    let path = join(&folder.path, &join(skill.dir, SKILL_FILE));
    let message = format!(
        "a bundled skill has no folder: a shell cannot run `{}`",
        place.of(body)
    );
    let help = "a host that extracts the bundle has a folder: then `allow = [\"needs-extract\"]`";
    let finding = Diagnostic::new(RuleId::NeedsExtract, severity, path, message).help(help);
    let start = document.body.start;
    Some(finding.at(
        document.text.as_bytes(),
        Span::new(start + place.start, start + place.end),
    ))
}

/// Returns whether a file is a program that a shell can run.
fn is_script(file: &FileModel<'_>) -> bool {
    file.path != SKILL_FILE && (file.path.starts_with("scripts/") || file.bytes.starts_with(b"#!"))
}

/// Returns whether the code around a path runs the file: after a program that runs scripts, as the first word of a
/// command, or alone after a word such as `run`. What reads the file, as `cat` or a sentence, needs no shell.
fn is_run(body: &str, place: Span) -> bool {
    let (before, after) = (body.get(..place.start), body.get(place.end..));
    let (Some(before), Some(after)) = (before, after) else {
        return false;
    };
    let before = before.strip_suffix("./").unwrap_or(before);
    let is_whole = !before.ends_with(|c: char| c.is_alphanumeric() || "/._-{}$".contains(c))
        && !after.starts_with(|c: char| c.is_alphanumeric() || "/_-".contains(c));
    if !is_whole {
        return false;
    }
    let line = before.rsplit('\n').next().unwrap_or_default();
    let after = after.split('\n').next().unwrap_or_default();
    let (prose, command, end) = match line.rsplit_once('`') {
        Some((prose, command)) => (Some(prose), command, after.split('`').next()),
        None => (None, line, Some(after)),
    };
    let words: Vec<&str> = command.split_whitespace().collect();
    if !words.is_empty() {
        return words.iter().all(|word| {
            let name = word.rsplit('/').next().unwrap_or(word);
            RUNNERS.contains(&name)
                || word.starts_with('-')
                || ["$", ">", "time", "sudo"].contains(word)
        });
    }
    // A comment after a path in a block of code is a listing of files.
    let has_arguments = end.is_some_and(|end| {
        let end = end.trim_start();
        !end.is_empty() && !end.starts_with('#')
    });
    has_arguments || prose.map_or_else(|| is_shell(before), is_order)
}

/// Returns whether the words before a code span say to run the code.
fn is_order(prose: &str) -> bool {
    const NEAR: usize = 4;
    let sentence = prose.rsplit(['.', ';', ':']).next().unwrap_or_default();
    let words = sentence
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.rev().take(NEAR).any(|word| {
        let word = word.to_lowercase();
        [
            "run",
            "runs",
            "running",
            "execute",
            "executes",
            "executing",
            "call",
            "invoke",
        ]
        .contains(&&*word)
    })
}

/// Returns whether the block of code that is open at the end of a text is of a shell.
fn is_shell(before: &str) -> bool {
    let mut lines = before.lines().rev().map(str::trim_start);
    let fence = lines.find_map(|line| {
        line.strip_prefix("```")
            .or_else(|| line.strip_prefix("~~~"))
    });
    let language = fence.and_then(|info| info.split_whitespace().next());
    language.is_some_and(|name| ["sh", "bash", "shell", "zsh", "console"].contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_a_file() {
        const PATH: &str = "scripts/x.sh";
        for (body, expected) in [
            ("Run `scripts/x.sh`.", true),
            ("Then execute the script `./scripts/x.sh` once.", true),
            ("Run `bash -e scripts/x.sh now`.", true),
            ("The list: `scripts/x.sh --all`", true),
            ("```sh\nscripts/x.sh\n```", true),
            ("```\n$ scripts/x.sh\n```", true),
            ("```\nuv run scripts/x.sh\n```", true),
            ("See `scripts/x.sh`.", false),
            ("Run the tests. The order is in `scripts/x.sh`.", false),
            ("Read it: `cat scripts/x.sh`", false),
            ("Run `other/scripts/x.sh`.", false),
            ("Run `scripts/x.sh-old`.", false),
            ("```text\nscripts/x.sh   # sorts\n```", false),
            ("```text\nscripts/x.sh\n```", false),
        ] {
            let at = body.find(PATH).expect("the path");
            let place = Span::new(at, at + PATH.len());
            assert_eq!(is_run(body, place), expected, "{body}");
        }
    }
}
