//! Commands for the runner of GitHub Actions, in names and texts that a step prints.

use crate::attack::Outcome;
use crate::case::Case;
use crate::terminal::on_terminal;
use std::fmt::Write as _;

attacks![
    nothing_foreign_is_a_workflow_command,
    errors_are_no_workflow_command,
    a_terminal_of_a_step_gets_no_command,
    a_file_gets_what_a_skill_holds,
];

/// The forms that the runner executes: at the beginning of a line, after white space, after a carriage return, and
/// the older form anywhere.
const COMMANDS: &str =
    "::error::a\n  ::add-mask::b\rx\r::debug::c\n\u{b}::debug::d ##[error]e\n\u{200b}::debug::f\n";

/// No format of any command prints a line that a folder, a message or a skill's text turned into a workflow command.
fn nothing_foreign_is_a_workflow_command() -> Outcome {
    let mut calls: Vec<Vec<&str>> = Vec::new();
    for format in ["full", "concise", "json", "sarif", "github"] {
        calls.push(vec!["check", ".", "--format", format]);
        calls.push(vec!["check", "skills/::error::x", "--format", format]);
    }
    calls.push(vec!["check", ".", "--fix", "--diff"]);
    for command in [
        &["list"][..],
        &["list", "-v"],
        &["overlap"],
        &["overlap", "--near", "1"],
        &["overlap", "skills"],
        &["show", "::error::x"],
        &["show", "a"],
        &["resolve", "$a ::error::x"],
        &["inspect", "activate", "a"],
        &["prompt"],
        &["prompt", "skills", "--client", "codex"],
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
        &["inspect", "complete", "$"],
        &["resolve", "--rank", "::error::x"],
        &["test", "skills"],
        &["lock", "skills"],
        &["outdated"],
        &["install", "skills/a", "--list"],
    ] {
        let layer: &[&str] = match command[0] {
            "inspect" if command[1] == "bundle" => &[],
            "overlap" | "test" | "lock" | "outdated" | "install" => &[],
            "prompt" if command.len() > 1 => &[],
            _ => &["--layer", "user=skills"],
        };
        let command = [command, layer].concat();
        calls.push([&command[..], &["--format", "json"]].concat());
        calls.push(command);
    }
    calls.push(vec!["show", "a", "--body", "--layer", "user=skills"]);
    calls.push(vec![
        "show",
        "a",
        "--file",
        "notes.md",
        "--layer",
        "user=skills",
    ]);
    none_is_carried_out(&hostile()?, &calls)
}

/// An error about an argument, a path or a file is not a workflow command.
fn errors_are_no_workflow_command() -> Outcome {
    let calls = ["show", "check", "trust", "new", "resolve", "install"];
    let calls = calls.map(|command| vec![command, COMMANDS]);
    let mut calls = calls.to_vec();
    calls.push(vec!["inspect", "activate", COMMANDS]);
    calls.push(vec!["lock", COMMANDS]);
    calls.push(vec!["activate", COMMANDS]);
    calls.push(vec![COMMANDS]);
    calls.push(vec!["list", "--format", COMMANDS]);
    none_is_carried_out(&hostile()?, &calls)
}

/// A step can give the program a terminal (`script`), whose output the runner reads.
fn a_terminal_of_a_step_gets_no_command() -> Outcome {
    let case = hostile()?;
    for arguments in [
        &["show", "a", "--layer", "user=skills"][..],
        &["show", "a", "--layer", "user=skills", "--format", "json"],
        &["inspect", "activate", "a", "--layer", "user=skills"],
        &["check", "."],
    ] {
        let mut command = case.command()?;
        command.env("GITHUB_ACTIONS", "true").args(arguments);
        let bytes = on_terminal(command)?;
        let text = String::from_utf8_lossy(&bytes);
        let shown = text
            .split(['\n', '\r'])
            .find(|line| is_command(line, false));
        ensure!(shown.is_none(), "{arguments:?}: {shown:?}");
    }
    Ok(())
}

/// A file with redirected output is not read by the runner, and has the bytes of the skill.
fn a_file_gets_what_a_skill_holds() -> Outcome {
    let case = hostile()?;
    let out = case.path("home/out.md");
    let mut command = case.command()?;
    command
        .env("GITHUB_ACTIONS", "true")
        .args(["show", "a", "--file", "notes.md", "--layer", "user=skills"])
        .stdout(std::fs::File::create(&out)?);
    ensure!(command.output()?.status.success(), "the file is not shown");
    ensure!(
        std::fs::read(&out)? == std::fs::read(case.path("project/skills/a/notes.md"))?,
        "the bytes differ"
    );
    Ok(())
}

/// Makes skills with workflow commands in names of folders and files, in fields, bodies and configuration.
fn hostile() -> Outcome<Case> {
    let case = Case::new()?;
    case.write("project/.git/HEAD", "ref: refs/heads/main\n")?;
    case.write("project/skills/a/notes.md", COMMANDS)?;
    let front = "argument-hint: \"::error::x ##[error]y\"\nlicense: |\n  ::error::x\n  ##[error]y\n\"::odd::x ##[error]\": y\n";
    let body = format!("See [it](::error::x.md) and [that](missing.md).\n{COMMANDS}");
    let text = format!(
        "---\nname: a\ndescription: |\n  ::error::x does it.\n  ##[error]y\n{front}---\n{body}\n"
    );
    case.write("project/skills/a/SKILL.md", text)?;
    for folder in [
        "::error::x",
        "  ::error::y",
        "##[error]z",
        "w\n::error::w",
        "v\r::error::v",
    ] {
        let text = "---\nname: b\ndescription: '::error::x does it.'\n---\n::error::x [x](y.md)\n";
        case.write(format!("project/skills/{folder}/SKILL.md"), text)?;
        case.write(format!("project/{folder}/skills/c/SKILL.md"), text)?;
    }
    case.write(
        "project/skills/triggers.yaml",
        "skill: a\nshould: [\"::error::x\", \"##[error]y\"]\n",
    )?;
    Ok(case)
}

fn none_is_carried_out(case: &Case, calls: &[Vec<&str>]) -> Outcome {
    let mut broken = String::new();
    for arguments in calls {
        let mut command = case.command()?;
        let output = command
            .env("GITHUB_ACTIONS", "true")
            .args(arguments)
            .output()?;
        let is_ours = arguments.ends_with(&["github"]);
        for (stream, bytes) in [("out", &output.stdout), ("err", &output.stderr)] {
            let text = String::from_utf8_lossy(bytes);
            let is_ours = is_ours && stream == "out";
            for line in text
                .split(['\n', '\r'])
                .filter(|line| is_command(line, is_ours))
            {
                writeln!(broken, "{} ({stream}): {line:?}", arguments.join(" "))?;
            }
            if text.contains("panicked") {
                writeln!(broken, "{}: {text}", arguments.join(" "))?;
            }
        }
    }
    ensure!(broken.is_empty(), "{}", broken.trim_end());
    Ok(())
}

/// Returns whether the runner executes a line as a command. The annotations of a check are our own commands, with a
/// file of the project and a rule.
fn is_command(line: &str, is_ours: bool) -> bool {
    let unseen = |c: char| c.is_whitespace() || c.is_control() || c == '\u{200b}';
    let start = line.trim_start_matches(unseen);
    if is_ours && line.starts_with("::") {
        let ours = ["::error file=", "::warning file=", "::notice file="];
        return !ours.iter().any(|ours| line.starts_with(ours)) || !line.contains(",title=");
    }
    start.starts_with("::") || line.contains("##[")
}
