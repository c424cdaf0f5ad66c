//! Compares the text of a started skill with what Claude Code sent (`kept/placeholders.txt`).

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use skills_tests::own_program;
use std::fs;
use std::io;
use std::path::Path;

const KEPT: &str = include_str!("kept/placeholders.txt");
const START: &str = "The text begins.";

/// The differences between the program and the profile: a part of the body, what the program sends, what the profile gives.
const DIFFERENCES: &[(&str, &str, &str)] = &[
    // The empty line at the end of a body is removed here.
    ("", "\n\n\nARGUMENTS:", "\n\nARGUMENTS:"),
    // The program reads the inserted `$ARGUMENTS` again. Here nothing that is inserted is read again.
    ("Itself $ARGUMENTS", "; $1; $1.", "; $1; $ARGUMENTS."),
    // `$1st` is no placeholder in either of the two, so the backslash before it stays here.
    ("\\$1st", ", $1st, $9", ", \\$1st, $9"),
    // The program takes the last three marks of a longer fence for a fence. A longer fence shows a block as text.
    ("````!", "`two`", "````!\necho two\n````"),
];

/// A skill, what a person wrote, and what the program sent.
struct Case {
    fields: String,
    body: String,
    prompt: String,
    sent: String,
}

/// Returns a trial for each kept case.
pub(crate) fn trials() -> impl Iterator<Item = Trial> {
    cases().into_iter().enumerate().map(|(number, case)| {
        let name = format!("placeholders::{number}: {}", case.prompt);
        let trial = Trial::test(name, move || {
            let ours = ours(&case).map_err(|error| Failed::from(error.to_string()))?;
            let mut theirs = case.sent.clone();
            for (body, sent, given) in DIFFERENCES {
                if case.body.contains(body) {
                    theirs = theirs.replace(sent, given);
                }
            }
            if ours == theirs {
                return Ok(());
            }
            Err(format!("ours:\n{ours}\n\nkept:\n{theirs}").into())
        });
        trial.with_ignored_flag(cfg!(windows))
    })
}

/// Reads the kept cases: the lines of a skill, `> ` and the message, and the text that was sent, up to the next skill. The lines
/// of a skill hold no empty line.
fn cases() -> Vec<Case> {
    let lines: Vec<&str> = KEPT.lines().collect();
    let prompts = (0..lines.len()).filter(|at| lines[*at].starts_with("> /"));
    let prompts: Vec<usize> = prompts.collect();
    let start = |prompt: usize| {
        let before = lines[..prompt].iter().rev();
        prompt - before.take_while(|line| !line.is_empty()).count()
    };
    let mut cases = Vec::new();
    for (number, prompt) in prompts.iter().enumerate() {
        let end = prompts
            .get(number + 1)
            .map_or(lines.len(), |next| start(*next));
        let skill = &lines[start(*prompt)..*prompt];
        let is_field = |line: &&&str| line.starts_with("arguments:");
        let (fields, body): (Vec<&str>, Vec<&str>) = skill.iter().partition(|line| is_field(line));
        cases.push(Case {
            fields: fields.join("\n"),
            body: body.join("\n"),
            prompt: lines[*prompt].trim_start_matches("> ").to_owned(),
            sent: lines[prompt + 1..end].join("\n").trim().to_owned(),
        });
    }
    cases
}

/// Returns the text of the skill in the profile `claude-code`. The commands of the body are `echo`, and stand as if they
/// were run: the runtime lists them, and runs none.
fn ours(case: &Case) -> io::Result<String> {
    let temporary = tempfile::tempdir()?;
    let base = temporary.path().canonicalize()?;
    let (home, project) = (base.join("home"), base.join("project"));
    let skill = home.join(".claude/skills/try");
    fs::create_dir_all(&skill)?;
    fs::create_dir_all(&project)?;
    let Case { fields, body, .. } = case;
    let fields = if fields.is_empty() {
        String::new()
    } else {
        format!("{fields}\n")
    };
    let text = format!("---\nname: try\ndescription: Tries.\n{fields}---\n{START}\n{body}\n");
    fs::write(skill.join("SKILL.md"), text)?;
    let arguments = case.prompt.trim_start_matches("/try").trim();
    let mut program = own_program(&home, &project)?;
    program.args(["inspect", "activate", "try", "--profile", "claude-code"]);
    program.args([
        "--variable",
        &format!("CLAUDE_PROJECT_DIR={}", project.display()),
    ]);
    program.args([
        "--variable",
        "CLAUDE_EFFORT=high",
        "--format",
        "json",
        "--",
        arguments,
    ]);
    let output = program.output()?;
    let document: Value = serde_json::from_slice(&output.stdout).map_err(|error| {
        io::Error::other(format!(
            "{error}: {}",
            String::from_utf8_lossy(&output.stderr)
        ))
    })?;
    let text = document["text"].as_str().unwrap_or_default();
    let (_, text) = text.split_once(START).unwrap_or_default();
    let mut text = text.to_owned();
    for command in document["commands"].as_array().into_iter().flatten() {
        let command = command["command"].as_str().unwrap_or_default();
        text = run(&text, &command.replace("$ARGUMENTS", arguments));
    }
    let text = text.replace(&*shown(&base.join("home")), "[BASE]/project");
    Ok(text.replace(&*shown(&base), "[BASE]").trim().to_owned())
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Replaces a command by what it prints.
fn run(text: &str, command: &str) -> String {
    let printed = command
        .lines()
        .map(|line| line.trim().trim_start_matches("echo "));
    let printed = printed.collect::<Vec<_>>().join("\n");
    let span = format!("!`{command}`");
    if text.contains(&span) {
        return text.replacen(&span, &printed, 1);
    }
    for (at, _) in text.match_indices("```!\n") {
        let inside = text.get(at + "```!\n".len()..).unwrap_or_default();
        let Some((inside, rest)) = inside.split_once("```") else {
            continue;
        };
        let trimmed = |block: &str| {
            block
                .trim()
                .lines()
                .map(str::trim)
                .collect::<Vec<_>>()
                .join("\n")
        };
        if trimmed(inside) == trimmed(command) {
            return format!("{}{printed}{rest}", text.get(..at).unwrap_or_default());
        }
    }
    text.to_owned()
}
