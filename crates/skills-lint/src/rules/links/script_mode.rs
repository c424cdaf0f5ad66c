use crate::rules::example::{Example, with_body};
use crate::rules::links::script_missing::{FOLDERS, lines};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;
use skills_format::tree::{FileKind, join};
use std::collections::BTreeSet;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ScriptMode,
    level: Level::Warn,
    group: Group::Links,
    summary: "a script that is run by its path is executable",
    why: "A model runs the commands of a skill as they are written. A shell refuses to run \
          `./scripts/list.sh` if the file is not executable. Counted are commands in code blocks that \
          begin with `./`, `{baseDir}/` or `${CLAUDE_SKILL_DIR}/`, and such paths in code after `run`. \
          For a tracked file the mode in git's index counts, since others get that one. Only `skills \
          check` of a folder knows the modes of files.",
    bad: Example::Skill(with_body!("List every merged change.\n")),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::InRepository(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let text = view.text();
    let markdown = view.markdown();
    let blocks = markdown
        .code_blocks
        .iter()
        .flat_map(|block| lines(text, *block));
    let spans = markdown
        .code_spans
        .iter()
        .copied()
        .filter(|span| is_run(text, *span));
    let mut places: Vec<Span> = blocks
        .chain(spans)
        .filter_map(|line| first_word(text, line))
        .collect();
    places.sort_by_key(|span| span.start);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for span in places {
        let path = script(view, span.of(text));
        if let Some(path) = path.filter(|path| seen.insert(path.clone())) {
            let message = format!("`{}` is not executable", span.of(text));
            let help = format!(
                "run `chmod +x {}`, or write its interpreter before it",
                view.tree.shown(&path)
            );
            found.push(view.at(RULE.id, span, message).help(help));
        }
    }
    found
}

/// Returns whether the word before a code span says to run the code.
fn is_run(text: &str, span: Span) -> bool {
    let before = text[..span.start].trim_end_matches(['`', ' ']);
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
    word.is_some_and(|word| matches!(word.to_lowercase().as_str(), "run" | "execute"))
}

/// Returns the first word of a command, after the prompt, if the word is a path in the skill.
fn first_word(text: &str, line: Span) -> Option<Span> {
    let written = line.of(text).trim_start();
    let command = written.strip_prefix("$ ").unwrap_or(written).trim_start();
    let start = line.end - command.len();
    let word = command.split_whitespace().next()?;
    (word.starts_with("./") || FOLDERS.iter().any(|folder| word.starts_with(folder)))
        .then(|| Span::new(start, start + word.len()))
}

/// Returns the script that a command runs, if the script is a file of the skill that is not executable.
fn script(view: &SkillView<'_>, word: &str) -> Option<String> {
    let folder = FOLDERS.iter().find_map(|folder| word.strip_prefix(folder));
    let inside = folder.or_else(|| word.strip_prefix("./"))?;
    let path = join(view.skill.dir, inside);
    let file = view.tree.get(&path)?;
    let is_script = file.kind == FileKind::Regular && view.relative(&path).is_some();
    let is_runnable = view.tree.scope.around?.is_runnable(&path);
    (is_script && is_runnable == Some(false)).then_some(path)
}
