use crate::rules::example::{Example, with_body};
use crate::rules::links::script_missing::FOLDERS;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::scope::Surroundings;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::map::TextSet;
use skills_format::text::order::sort_by_span;
use skills_format::text::span::Span;
use skills_format::tree::{FileKind, join};

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
    let Some(around) = view.tree.scope.around else {
        return Vec::new();
    };
    let text = view.text();
    let mut seen = TextSet::default();
    let mut places = commands(view);
    sort_by_span(&mut places, |span| *span);
    let findings = places.into_iter().filter_map(|span| {
        let path = script(view, around, span.of(text))?;
        if !seen.insert(path.clone()) {
            return None;
        }
        let shown = view.tree.shown(&path);
        let message = format!("`{}` is not executable", span.of(text));
        Some(view.at(RULE.id, span, message).help(format!(
            "run `chmod +x {shown}`, or write its interpreter before it"
        )))
    });
    findings.collect()
}

/// Returns the first words of commands.
fn commands(view: &SkillView<'_>) -> Vec<Span> {
    let text = view.text();
    let markdown = view.markdown();
    let mut found = Vec::new();
    for block in &markdown.code_blocks {
        let inside = block.of(text).as_bytes();
        let mut start = block.start;
        for end in memchr::memchr_iter(b'\n', inside).chain([inside.len()]) {
            let end = block.start + end;
            found.extend(first_word(text, Span::new(start, end)));
            start = end + 1;
        }
    }
    for span in &markdown.code_spans {
        found.extend(first_word(text, *span).filter(|_| is_run(text, *span)));
    }
    found
}

/// Returns whether the word before a code span says to run the code.
fn is_run(text: &str, span: Span) -> bool {
    let before = text.get(..span.start).unwrap_or_default();
    let before = before.trim_end_matches(['`', ' ']);
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
    word.is_some_and(|word| matches!(word.to_lowercase().as_str(), "run" | "execute"))
}

/// Returns the first word of a command, after the prompt.
fn first_word(text: &str, line: Span) -> Option<Span> {
    // Every path that counts, and the prompt, begins with one of these characters. Most lines are not read further.
    let mut bytes = line.of(text).bytes();
    let is_blank = |byte: &u8| byte.is_ascii() && char::from(*byte).is_whitespace();
    let first = bytes.find(|byte| !is_blank(byte))?;
    if first.is_ascii() && !matches!(first, b'.' | b'{' | b'$') {
        return None;
    }
    let written = line.of(text).trim_start();
    if !written.starts_with(['.', '{', '$']) {
        return None;
    }
    let command = written.strip_prefix("$ ").unwrap_or(written).trim_start();
    let start = line.end - command.len();
    let word = command.split_whitespace().next()?;
    (word.starts_with("./") || FOLDERS.iter().any(|folder| word.starts_with(folder)))
        .then(|| Span::new(start, start + word.len()))
}

/// Returns the script that a command runs, if the script is a file of the skill that is not executable.
fn script(view: &SkillView<'_>, around: &dyn Surroundings, word: &str) -> Option<String> {
    let folders = FOLDERS.iter().find_map(|folder| word.strip_prefix(folder));
    let inside = folders.or_else(|| word.strip_prefix("./"))?;
    let path = join(view.skill.dir, inside);
    let file = view.tree.get(&path)?;
    let is_script = file.kind == FileKind::Regular && view.relative(&path).is_some();
    (is_script && around.is_runnable(&path) == Some(false)).then_some(path)
}
