use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::address::{before, is_of_results, resource_folder};
use crate::view::finding::Finding;
use crate::view::search::find_all;
use crate::view::skill::SkillView;
use skills_check::check::links::is_illustration;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;
use skills_format::tree::join;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ScriptMissing,
    level: Level::Warn,
    group: Group::Links,
    summary: "a command that runs a script of the skill names an existing file",
    why: "A model runs a skill's commands as written, and a command whose script is missing fails. The rule covers \
          commands in code blocks and code spans with a path below a folder that the skill has, and paths that \
          begin with `{baseDir}/` or `${CLAUDE_SKILL_DIR}/`. A path that a command writes, or that the first \
          comment of a block names, is a file to create.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!(
                "```sh\npython3 scripts/lst.py\npython3 scripts/sort.py\n```\n"
            )),
        ),
        ("release-notes/scripts/sort.py", Content::Text("# Sorts.\n")),
    ]),
    marks: "scripts/lst.py",
    good: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("```sh\npython3 scripts/sort.py\n```\n")),
        ),
        ("release-notes/scripts/sort.py", Content::Text("# Sorts.\n")),
    ]),
    fix: FixKind::No,
    check: Check::Skill(check),
};

/// The placeholders of the skill's folder in commands.
pub(super) const FOLDERS: [&str; 4] = [
    "{baseDir}/",
    "${CLAUDE_SKILL_DIR}/",
    "$CLAUDE_SKILL_DIR/",
    "${SKILL_DIR}/",
];
/// The folder of scripts.
const SCRIPTS: &str = "scripts/";

/// The programs and words that run a script.
const RUNNERS: [&str; 17] = [
    "python", "python3", "bash", "sh", "zsh", "node", "bun", "deno", "ruby", "perl", "php", "tsx",
    "uv", "npx", "run", "source", "pwsh",
];

/// The maximum number of bytes that are read before a path or a block.
const NEAR: usize = 300;

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let text = view.text();
    let mut places: Vec<Span> = Vec::new();
    if let Some(document) = view.document() {
        for folder in FOLDERS.iter().filter(|_| view.concerns(RULE.id)) {
            for at in find_all(document.body.of(text), folder) {
                places.extend(after_folder(view, document.body.start + at + folder.len()));
            }
        }
    }
    if view.has_folder("scripts") && !view.is_about_skills() {
        for block in &view.markdown().code_blocks {
            if !is_conditional(text, *block) {
                places.extend(lines(text, *block).filter_map(|line| run_by(view, line)));
            }
        }
        for span in &view.markdown().code_spans {
            let is_command = span.of(text).contains(' ') && !span.of(text).contains('\n');
            if is_command && !is_conditional(text, *span) {
                places.extend(run_by(view, *span));
            }
        }
    }
    places.sort_by_key(|span| (span.start, span.end));
    places.dedup_by(|next, first| next.start < first.end);
    let mut found = Vec::new();
    for span in places {
        let message = format!("`{}` is not a file of the skill", span.of(text));
        let help = "add the file, or write the path of an existing file";
        found.push(view.at(RULE.id, span, message).help(help));
    }
    found
}

/// Returns the lines of a block, without their ends.
pub(super) fn lines(text: &str, block: Span) -> impl Iterator<Item = Span> {
    let mut start = block.start;
    block.of(text).split('\n').map(move |line| {
        let span = Span::new(start, start + line.len());
        start = span.end + 1;
        span
    })
}

/// Returns whether the text before a code block says that its files may be missing.
fn is_conditional(text: &str, block: Span) -> bool {
    let before = before(text, block.start, NEAR);
    let words = ["exist", "create", "write ", "save", "your "];
    words.iter().any(|word| before.contains(word))
}

/// Returns the path after a placeholder of the skill's folder, if it names a missing file.
fn after_folder(view: &SkillView<'_>, start: usize) -> Option<Span> {
    let rest = &view.text()[start..];
    let is_end = |c: char| c.is_whitespace() || "\"'`)],;|&:".contains(c);
    let path = &rest[..rest.find(is_end).unwrap_or(rest.len())];
    let path = path.trim_end_matches('.');
    let name = path.rsplit('/').next().unwrap_or(path);
    // A name with an extension is a file. Another name can be a folder that the agent creates.
    let is_file = name.contains('.')
        && !path.contains(['<', '>', '{', '}', '*', '$', '…'])
        && !is_illustration(path);
    let span = Span::new(start, start + path.len());
    let line = before(view.text(), start, NEAR).rsplit('\n').next();
    let line = line.unwrap_or_default();
    // The comment that begins a block names the file to make.
    let is_result = matches!(line.split('{').next(), Some("# " | "// "))
        || line.contains("saved to ")
        || is_of_results(view.text(), Span::new(start - line.len(), start));
    (is_file && is_missing(view, path) && !view.makes(path) && !is_result).then_some(span)
}

/// Returns the missing script that a line runs.
fn run_by(view: &SkillView<'_>, line: Span) -> Option<Span> {
    let written = line.of(view.text());
    for word in written.split_whitespace() {
        let path = word.trim_start_matches("./");
        if !path.starts_with(SCRIPTS) {
            let name = word.rsplit('/').next().unwrap_or(word);
            if !RUNNERS.contains(&name) && !matches!(word, "$" | ">" | "time" | "sudo") {
                return None;
            }
            continue;
        }
        let is_file =
            resource_folder(word).is_some() && path.contains('.') && !is_illustration(word);
        // A skill for work on its repository runs the repository's scripts.
        if !is_file || !is_missing(view, word) || view.is_in_a_folder_above(path) {
            return None;
        }
        let start = line.start + written.find(word)?;
        return Some(Span::new(start, start + word.len()));
    }
    None
}

fn is_missing(view: &SkillView<'_>, path: &str) -> bool {
    let path = join(view.skill.dir, path.trim_start_matches("./"));
    let is_above = path.split('/').any(|part| part == "..");
    !is_above && view.tree.get(&path).is_none()
}
