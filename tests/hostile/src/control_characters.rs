//! Control characters in a skill, and a terminal that would act on them.

use crate::attack::Outcome;
use crate::case::Case;
use crate::terminal::on_terminal;
use std::fmt::Write as _;

attacks![
    check_sends_no_control_character,
    show_sends_no_control_character,
    listings_send_no_control_character,
    errors_send_no_control_character,
    foreign_colours_reach_no_terminal,
];

/// DEL, a one-character CSI, a change of direction, and escape sequences that clear the screen and set a colour.
const HOSTILE: &str = "\u{7f}\u{9b}31m\u{202e}\u{1b}[2J\u{8}\u{2066}\u{1b}[1;95m";

/// `check` sends no control character of a skill to a terminal, in any format.
fn check_sends_no_control_character() -> Outcome {
    let case = hostile()?;
    let formats = ["full", "concise", "json", "sarif", "github"];
    let calls = formats.map(|format| vec!["check", "skills", "--format", format]);
    all_clean(&case, &calls)
}

/// `show` sends no control character of a skill or of its files to a terminal.
fn show_sends_no_control_character() -> Outcome {
    let layer = ["--layer", "user=skills"];
    let show = |arguments: &[&'static str]| [&["show", "a"], arguments, &layer].concat();
    all_clean(
        &hostile()?,
        &[
            show(&[]),
            show(&["--body"]),
            show(&["--file", "notes.md"]),
            show(&["--format", "json"]),
        ],
    )
}

/// `list`, `resolve`, `activate`, `prompt`, `commands` and `tools` send no control character of a
/// skill to a terminal.
fn listings_send_no_control_character() -> Outcome {
    let mut calls = Vec::new();
    for command in [
        &["list"][..],
        &["resolve", "$a x"],
        &["inspect", "activate", "a"],
        &["prompt"],
        &["list", "--commands"],
        &["inspect", "tools"],
        &["inspect", "tools", "list_skills", "{}"],
        &["inspect", "tools", "skill", r#"{"name":"a"}"#],
        &[
            "inspect",
            "tools",
            "read_skill_resource",
            r#"{"name":"a","path":"notes.md"}"#,
        ],
        &["inspect", "complete", "$a"],
    ] {
        let command = [command, &["--layer", "user=skills"]].concat();
        calls.push([&command[..], &["--format", "json"]].concat());
        calls.push(command);
    }
    all_clean(&hostile()?, &calls)
}

/// An error sends no control character of an argument or a path to a terminal.
fn errors_send_no_control_character() -> Outcome {
    all_clean(
        &hostile()?,
        &[
            vec!["show", HOSTILE],
            vec!["inspect", "activate", HOSTILE],
            vec!["check", HOSTILE],
            vec!["resolve", HOSTILE],
            vec!["trust", HOSTILE],
            vec!["lock", HOSTILE],
            vec!["new", HOSTILE],
            vec![HOSTILE],
            vec!["list", "--format", HOSTILE],
        ],
    )
}

/// A colour of a skill, of an argument or of an agent's answer is not sent to a terminal, also where the program
/// writes colours of its own: faint text is as good as hidden, and red text looks as if the program had written it.
fn foreign_colours_reach_no_terminal() -> Outcome {
    let case = hostile()?;
    case.write(
        "project/agent.sh",
        "printf '\\033[1;95mout\\033[0m\\n'\nprintf '\\033[1;95merr' >&2\n",
    )?;
    let layer = ["--layer", "user=skills"];
    let mut broken = String::new();
    for arguments in [
        &["check", "skills"][..],
        &["show", "a", layer[0], layer[1]],
        &["list", layer[0], layer[1]],
        &["list", "--format", HOSTILE],
        &[HOSTILE],
        &["show", HOSTILE],
    ] {
        let mut command = case.command()?;
        command.args(["--color", "always"]).args(arguments);
        let text = String::from_utf8_lossy(&on_terminal(command)?).into_owned();
        // Without a colour of the program's own, the run would prove nothing.
        if text.contains("\u{1b}[1;95m") || text.trim().is_empty() {
            writeln!(broken, "{}", escaped(&format!("{arguments:?}: {text}")))?;
        }
    }
    let mut chat = case.command_of("sh");
    let line = r#"printf 'Say hello.\n' | "$0" chat --agent 'sh agent.sh' --color always"#;
    chat.arg("-c").arg(line).arg(crate::program::file()?);
    let text = String::from_utf8_lossy(&on_terminal(chat)?).into_owned();
    ensure!(
        text.contains("out") && text.contains("err"),
        "the agent was not asked: {text}"
    );
    ensure!(
        !text.contains("\u{1b}[1;95m"),
        "an agent's colours: {}",
        escaped(&text)
    );
    ensure!(broken.is_empty(), "{}", broken.trim_end());
    Ok(())
}

/// A folder of skills with hostile characters in fields, bodies, files and paths.
fn hostile() -> Outcome<Case> {
    let case = Case::new()?;
    let front = format!(
        "argument-hint: \"{HOSTILE}\"\nlicense: x{HOSTILE}\nodd{HOSTILE}: y\nallowed-tools: Read{HOSTILE}\n"
    );
    let body =
        format!("Text {HOSTILE} of a. See [it]({HOSTILE}.md) and [that](missing.md). {HOSTILE}");
    let text = format!("---\nname: a\ndescription: 'Does {HOSTILE} it.'\n{front}---\n{body}\n");
    case.write("project/skills/a/SKILL.md", text)?;
    case.write("project/skills/a/notes.md", format!("Notes {HOSTILE}\n"))?;
    case.write(format!("project/skills/a/odd{HOSTILE}.md"), "Odd.\n")?;
    let text = "---\nname: b\ndescription: Does b: it.\n---\nText [x](y.md)\n";
    case.write(format!("project/skills/b{HOSTILE}/SKILL.md"), text)?;
    Ok(case)
}

fn all_clean(case: &Case, calls: &[Vec<&str>]) -> Outcome {
    let mut broken = String::new();
    for arguments in calls {
        let mut command = case.command()?;
        command.args(["--color", "never"]).args(arguments);
        let bytes = on_terminal(command)?;
        let text = String::from_utf8_lossy(&bytes);
        let call = escaped(&arguments.join(" "));
        if text.contains("panicked") || bytes.is_empty() {
            writeln!(broken, "{call}: {text}")?;
        }
        let sent: Vec<char> = text.chars().filter(|&c| steers(c)).collect();
        if let Some(first) = sent.first() {
            writeln!(broken, "{call}: {} such as {first:?}", sent.len())?;
        }
    }
    ensure!(broken.is_empty(), "{}", broken.trim_end());
    Ok(())
}

/// Returns whether a character steers a terminal, or changes the direction of text.
fn steers(c: char) -> bool {
    let is_line = matches!(c, '\n' | '\r' | '\t');
    (c.is_control() && !is_line)
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes control characters as Rust escapes.
fn escaped(text: &str) -> String {
    let shown = |c: char| {
        if steers(c) {
            c.escape_unicode().to_string()
        } else {
            c.to_string()
        }
    };
    text.chars().map(shown).collect()
}
