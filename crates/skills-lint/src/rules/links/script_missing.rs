use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::address::resource_folder;
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use memchr::memmem;
use skills_check::check::links::is_illustration;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::order::sort_by_span;
use skills_format::text::span::Span;
use skills_format::tree::join;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ScriptMissing,
    level: Level::Warn,
    group: Group::Links,
    summary: "a command that runs a script of the skill names an existing file",
    why: "A model runs the commands of a skill as they are written. A command whose script is missing \
          fails. Counted are commands in code blocks with a path below a folder that the skill has, and \
          paths that begin with `{baseDir}/` or `${CLAUDE_SKILL_DIR}/`.",
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
const SCRIPTS: &str = "scripts";

/// The programs and words that run a script.
pub const RUNNERS: [&str; 17] = [
    "python", "python3", "bash", "sh", "zsh", "node", "bun", "deno", "ruby", "perl", "php", "tsx",
    "uv", "npx", "run", "source", "pwsh",
];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let text = view.text();
    let mut places: Vec<Span> = Vec::new();
    // Most texts have no variables, and need no further search.
    if view.has_dollar() || memchr::memchr(b'{', text.as_bytes()).is_some() {
        places.extend(FOLDERS.iter().flat_map(|folder| in_folder(view, folder)));
    }
    if view.has_folder(SCRIPTS) && !view.is_about_skills() {
        for block in &view.markdown().code_blocks {
            if !is_conditional(text, *block) {
                places.extend(commands(view, *block));
            }
        }
    }
    sort_by_span(&mut places, |span| *span);
    places.dedup_by(|next, first| next.start < first.end);
    let findings = places.into_iter().map(|span| {
        let message = format!("`{}` is not a file of the skill", span.of(text));
        view.at(RULE.id, span, message)
            .help("add the file, or write the path of an existing file")
    });
    findings.collect()
}

/// Returns whether the text before a code block says that its files may be missing.
fn is_conditional(text: &str, block: Span) -> bool {
    const NEAR: usize = 300;
    let mut start = block.start.saturating_sub(NEAR);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let before = text.get(start..block.start).unwrap_or_default();
    ["exist", "create", "write ", "save", "your "]
        .iter()
        .any(|word| memmem::find(before.as_bytes(), word.as_bytes()).is_some())
}

/// Finds the paths after a placeholder of the skill's folder.
fn in_folder(view: &SkillView<'_>, folder: &str) -> Vec<Span> {
    let text = view.text();
    let Some(document) = view.document() else {
        return Vec::new();
    };
    let body = document.body;
    let places = memmem::find_iter(body.of(text).as_bytes(), folder.as_bytes());
    let paths = places.map(|at| {
        let start = body.start + at + folder.len();
        let rest = text.get(start..).unwrap_or_default();
        let is_end = |c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '"' | '\'' | '`' | ')' | ']' | ',' | ';' | '|' | '&' | ':'
                )
        };
        let length = rest.find(is_end).unwrap_or(rest.len());
        let path = rest.get(..length).unwrap_or_default().trim_end_matches('.');
        Span::new(start, start + path.len())
    });
    let is_path = |span: &Span| {
        let path = span.of(text);
        let name = path.rsplit('/').next().unwrap_or(path);
        // A name with an extension is a file. Another name can be a folder that the agent creates.
        name.contains('.')
            && !path.contains(['<', '>', '{', '}', '*', '$', '…'])
            && !is_illustration(path)
    };
    paths
        .filter(is_path)
        .filter(|span| is_missing(view, span.of(text)) && !view.makes(span.of(text)))
        .collect()
}

/// Finds the scripts that the lines of a code block run.
fn commands(view: &SkillView<'_>, block: Span) -> Vec<Span> {
    let text = view.text();
    let mut found = Vec::new();
    let mut start = block.start;
    for line in block.of(text).split('\n') {
        let at = start;
        start += line.len() + 1;
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(index) = words
            .iter()
            .position(|word| resource_folder(word).is_some())
        else {
            continue;
        };
        let before = words.get(..index).unwrap_or_default();
        let is_run = before.iter().all(|word| {
            let name = word.rsplit('/').next().unwrap_or(word);
            RUNNERS.contains(&name) || matches!(*word, "$" | ">" | "time" | "sudo")
        });
        let Some(word) = words.get(index).filter(|_| is_run) else {
            continue;
        };
        let is_counted = resource_folder(word) == Some(SCRIPTS);
        let name = word.rsplit('/').next().unwrap_or(word);
        let is_counted = is_counted && name.contains('.') && !is_illustration(word);
        // A skill for work on its repository runs the repository's scripts.
        let is_of_repository = || view.is_in_a_folder_above(word.trim_start_matches("./"));
        if is_counted && is_missing(view, word) && !is_of_repository() {
            let from = at + line.find(word).unwrap_or_default();
            found.push(Span::new(from, from + word.len()));
        }
    }
    found
}

fn is_missing(view: &SkillView<'_>, path: &str) -> bool {
    let path = path.trim_start_matches("./");
    let path = join(view.skill.dir, path);
    let is_above = path.split('/').any(|part| part == "..");
    !is_above && view.tree.get(&path).is_none()
}
