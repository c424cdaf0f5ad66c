//! Files that are replaced after they were trusted, with the same length and time.

use crate::attack::{Outcome, sample_or_all};
use crate::case::{Case, text};
use crate::process::Ran;
use crate::swapper::Swapper;
use serde_json::Value;
use std::os::unix::fs::symlink;

attacks![
    a_replaced_text_is_not_started,
    a_replaced_command_is_not_dispatched,
    a_replaced_restraint_does_not_open,
    a_replaced_resource_is_not_read,
    swaps_never_start_a_replaced_text,
    swaps_never_dispatch_a_replaced_command,
    swaps_never_open_a_restraint,
    swaps_never_read_a_replaced_resource,
];

const SKILL: &str = "project/.agents/skills/a/SKILL.md";
const RESOURCE: &str = "project/.agents/skills/a/notes.md";
const GENUINE: &str = "genuine";
/// A word of the same length as the genuine word.
const REPLACED: &str = "swapped";
const COMMAND: &str = "command-dispatch: tool\ncommand-tool: read\n";
const TOOLS: &str = "allowed-tools: Read\n";
/// Number of runs of one race, in the sample and of all.
const RUNS: (usize, usize) = (20, 60);
const RESOLVE: &[&str] = &["resolve", "/a rm -rf x", "--format", "json"];
const MENTION: &[&str] = &["resolve", "$a x", "--format", "json"];
const ACTIVATE: &[&str] = &["inspect", "activate", "a", "--format", "json"];
const READ: &[&str] = &[
    "inspect",
    "tools",
    "read_skill_resource",
    r#"{"name":"a","path":"notes.md"}"#,
];

/// A text that was replaced after it was trusted is not started, although its length and time are unchanged.
fn a_replaced_text_is_not_started() -> Outcome {
    let case = trusted("")?;
    case.write(SKILL, text("a", "", REPLACED))?;
    for command in [ACTIVATE, MENTION] {
        let ran = case.run(command)?;
        ensure!(!ran.stdout.contains(REPLACED), "started: {}", ran.shown());
    }
    let ran = case.run(ACTIVATE)?;
    ran.expect(1)?;
    ensure!(
        ran.stderr.contains("changed"),
        "the change is not reported: {}",
        ran.shown()
    );
    Ok(())
}

/// A slash command that was replaced after it was trusted is not dispatched.
fn a_replaced_command_is_not_dispatched() -> Outcome {
    let case = trusted(COMMAND)?;
    let replaced = COMMAND.replace("read", "exec");
    case.write(SKILL, text("a", &replaced, GENUINE))?;
    not_dispatched(&case.run(RESOLVE)?)
}

/// A restraint that was removed after the skill was trusted opens nothing.
fn a_replaced_restraint_does_not_open() -> Outcome {
    let case = trusted(TOOLS)?;
    case.write(
        SKILL,
        text("a", &TOOLS.replace("allowed", "ignored"), GENUINE),
    )?;
    restrained(&case.run(ACTIVATE)?)
}

/// A resource that was replaced after it was trusted is not read.
fn a_replaced_resource_is_not_read() -> Outcome {
    let case = trusted("")?;
    case.write(RESOURCE, REPLACED)?;
    let ran = case.run(READ)?;
    ran.expect(1)?;
    ensure!(!ran.printed().contains(REPLACED), "read: {}", ran.shown());
    Ok(())
}

/// A text that is replaced while the program runs is not started.
fn swaps_never_start_a_replaced_text() -> Outcome {
    for command in [ACTIVATE, MENTION] {
        raced("", SKILL, &text("a", "", REPLACED), command, |ran| {
            ensure!(!ran.stdout.contains(REPLACED), "started: {}", ran.shown());
            Ok(())
        })?;
    }
    Ok(())
}

/// A slash command that is replaced while the program runs is not dispatched.
fn swaps_never_dispatch_a_replaced_command() -> Outcome {
    let replaced = text("a", &COMMAND.replace("read", "exec"), GENUINE);
    raced(COMMAND, SKILL, &replaced, RESOLVE, not_dispatched)
}

/// A skill is started with the restraints of exactly the trusted bytes, although they are replaced while the program
/// runs.
fn swaps_never_open_a_restraint() -> Outcome {
    let replaced = text("a", &TOOLS.replace("allowed", "ignored"), GENUINE);
    raced(TOOLS, SKILL, &replaced, ACTIVATE, restrained)
}

/// A resource that is replaced while the program runs is not read.
fn swaps_never_read_a_replaced_resource() -> Outcome {
    raced("", RESOURCE, REPLACED, READ, |ran| {
        ensure!(!ran.stdout.contains(REPLACED), "read: {}", ran.shown());
        Ok(())
    })?;
    // A link that leads outside replaces the file.
    let case = trusted("")?;
    case.write("outside", REPLACED)?;
    symlink(case.path("outside"), case.path("project/link"))?;
    let _swapper = Swapper::new(case.path(RESOURCE), case.path("project/link"));
    for run in 0..runs() {
        let ran = case.run(READ)?;
        ensure!(
            !ran.stdout.contains(REPLACED),
            "run {run} read outside: {}",
            ran.shown()
        );
    }
    Ok(())
}

/// Makes a trusted skill of a project.
fn trusted(front: &str) -> Outcome<Case> {
    let case = Case::new()?;
    case.write(SKILL, text("a", front, GENUINE))?;
    case.write(RESOURCE, GENUINE)?;
    case.trust("a")?;
    case.run(ACTIVATE)?.expect(0)?;
    Ok(case)
}

/// Repeatedly exchanges a file with another while the program runs.
fn raced(
    front: &str,
    path: &str,
    replaced: &str,
    command: &[&str],
    hold: impl Fn(&Ran) -> Outcome,
) -> Outcome {
    let case = trusted(front)?;
    case.write("project/other", replaced)?;
    let _swapper = Swapper::new(case.path(path), case.path("project/other"));
    for run in 0..runs() {
        let ran = case.run(command)?;
        ran.expect_any_code()?;
        hold(&ran).map_err(|error| format!("run {run} of {}: {error}", command.join(" ")))?;
    }
    Ok(())
}

fn not_dispatched(ran: &Ran) -> Outcome {
    let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    let tool = &document["command"]["dispatch"]["tool"];
    ensure!(*tool != "exec", "dispatched to `exec`");
    Ok(())
}

/// Checks that the restraint is in force if the skill was started.
fn restrained(ran: &Ran) -> Outcome {
    if ran.code != Some(0) {
        return Ok(());
    }
    let document: Value = serde_json::from_str(&ran.stdout)?;
    let tools = document["allowed_tools"].as_array().ok_or("no tools")?;
    ensure!(
        tools.len() == 1,
        "started without its restraint: {}",
        document["allowed_tools"]
    );
    Ok(())
}

fn runs() -> usize {
    sample_or_all(RUNS.0, RUNS.1)
}
