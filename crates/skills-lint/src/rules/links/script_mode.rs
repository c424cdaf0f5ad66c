use crate::rules::example::{Example, with_body};
use crate::rules::links::file_unused::extension;
use crate::rules::links::script_missing::{FOLDERS, lines};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_check::check::links::joined;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;
use skills_format::tree::{FileKind, join};
use std::collections::BTreeSet;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ScriptMode,
    level: Level::Warn,
    group: Group::Links,
    summary: "a script that is run by its path is executable",
    why: "A model runs a skill's commands as written. A shell refuses to run `./scripts/list.sh` if the file is not \
          executable. The rule covers commands in code blocks that begin with `./`, `{baseDir}/` or \
          `${CLAUDE_SKILL_DIR}/`, and such paths in code after `run` or with arguments. In shell blocks, it also \
          covers paths without `./`, such as `scripts/list.sh`, if the file begins with `#!`. For a tracked file, \
          the mode in git's index decides, since other people get that mode. Only `skills check` of a folder knows \
          the modes of files.",
    bad: Example::Skill(with_body!("List every merged change.\n")),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::InRepository(check),
};

/// The languages of blocks whose lines are commands.
const SHELLS: [&str; 5] = ["sh", "bash", "shell", "zsh", "console"];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    if !has_candidates(view) {
        return Vec::new();
    }
    let text = view.text();
    let mut commands = Vec::new();
    for block in &view.markdown().code_blocks {
        // Elsewhere a path without `./` can be a line of a listing.
        let is_shell = view
            .language(*block)
            .is_some_and(|language| SHELLS.contains(&language.as_str()));
        let mut folder = String::new();
        for line in lines(text, *block) {
            for word in first_words(text, line, is_shell, &mut folder) {
                commands.push((word, is_shell, folder.clone()));
            }
        }
    }
    for span in &view.markdown().code_spans {
        let is_command = is_run(text, *span) || span.of(text).contains(' ');
        let words = first_words(text, *span, true, &mut String::new());
        commands.extend(
            words
                .into_iter()
                .filter(|_| is_command)
                .map(|word| (word, true, String::new())),
        );
    }
    commands.sort_by_key(|(word, ..)| word.start);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (word, is_bare, folder) in commands {
        let path = script(view, word.of(text), is_bare, &folder);
        if let Some(path) = path.filter(|path| seen.insert(path.clone())) {
            let message = format!("`{}` is not executable", word.of(text));
            let help = format!(
                "run `chmod +x {}`, or write its interpreter before it",
                view.tree.shown(&path)
            );
            found.push(view.at(RULE.id, word, message).help(help));
        }
    }
    found
}

/// Returns whether the skill has a file beside its texts that is not executable.
fn has_candidates(view: &SkillView<'_>) -> bool {
    let Some(around) = view.tree.scope.around else {
        return false;
    };
    let mut files = view.skill.files.iter();
    files.any(|file| {
        !matches!(extension(&file.path), "md" | "txt")
            && around.is_runnable(&file.path) == Some(false)
    })
}

/// Returns whether the word before a code span says to run the code.
fn is_run(text: &str, span: Span) -> bool {
    let before = text[..span.start].trim_end_matches(['`', ' ']);
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
    word.is_some_and(|word| matches!(word.to_lowercase().as_str(), "run" | "execute"))
}

/// Returns the first word of each command of a line, without quotes; of a line that may be no shell's, the first word
/// alone. `folder` is the folder of the last `cd`.
fn first_words(text: &str, line: Span, is_shell: bool, folder: &mut String) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = line.start;
    let parts = |c: char| is_shell && matches!(c, '|' | '&' | ';' | '(');
    for part in line.of(text).split(parts) {
        let command = part.trim_start();
        let command = command.strip_prefix("$ ").unwrap_or(command).trim_start();
        let mut words = command.split_whitespace();
        let word = words.next().unwrap_or_default();
        if word == "cd" {
            words.next().unwrap_or_default().clone_into(folder);
        } else {
            let at = start + part.len() - command.len();
            let bare = word.trim_start_matches(['"', '\'']);
            let at = at + word.len() - bare.len();
            let bare = bare.trim_end_matches(['"', '\'', ')']);
            found.push(Span::new(at, at + bare.len()));
        }
        start += part.len() + 1;
    }
    found
}

/// Returns the script that a command runs, if the script is a file of the skill that is not executable.
fn script(view: &SkillView<'_>, word: &str, is_bare: bool, folder: &str) -> Option<String> {
    let inside = FOLDERS.iter().find_map(|folder| word.strip_prefix(folder));
    let inside = match inside {
        Some(inside) => inside.to_owned(),
        None if word.starts_with("./") || is_bare && word.contains('/') => joined(folder, word)?,
        None => return None,
    };
    let path = join(view.skill.dir, &inside);
    let file = view.skill.files.iter().find(|file| file.path == path)?;
    // A model runs a file without `#!` by its interpreter.
    let is_named = word.starts_with('.') || word.starts_with(['$', '{']);
    let is_script =
        file.kind == FileKind::Regular && (is_named || file.bytes.as_deref()?.starts_with(b"#!"));
    let is_runnable = view.tree.scope.around?.is_runnable(&path);
    (is_script && is_runnable == Some(false)).then_some(path)
}
