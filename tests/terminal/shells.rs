//! Tests completion in real shells. A missing shell is skipped.

use crate::Test;
use crate::tmux::Terminal;
use std::process::Command;

pub(crate) const TESTS: &[Test] = &[
    ("shells::bash completes values", bash),
    ("shells::zsh completes values", zsh),
    ("shells::fish completes values", fish),
];

/// Starts a terminal with a shell in which completion is set up; `None` if the shell is missing.
fn terminal(shell: &str, arguments: &str, set_up: &str) -> Option<Terminal> {
    if Command::new(shell).arg("--version").output().is_err() {
        #[expect(clippy::print_stdout, reason = "a test says what it skips")]
        {
            println!("skipped: {shell} is not here");
        }
        return None;
    }
    let terminal = Terminal::new();
    terminal.skill("home/.agents/skills", "deploy", "Ships it. Use when asked.");
    terminal.skill("home/.agents/skills", "depart", "Leaves. Use when asked.");
    terminal.skill("home/.agents/skills", "議事録", "Minutes. Use when asked.");
    terminal.write("home/.agents/skills/deploy/references/styles.md", "x");
    terminal.write("project/notes.md", "x");
    // A name that the shell would execute must be quoted.
    terminal.write("project/run$(touch ran).md", "x");
    terminal.start_shell(&format!("{shell} {arguments}"));
    terminal.text(&format!("{set_up}; clear; echo re''ady\n"));
    terminal.shows("ready");
    Some(terminal)
}

/// Types a line, presses Tab, waits for the completed line, then drops the line.
fn completes(terminal: &Terminal, typed: &str, whole: &str) {
    terminal.text(typed);
    terminal.keys(&["Tab"]);
    terminal.shows(whole);
    terminal.keys(&["C-u"]);
    terminal.text("clear\n");
    // Text that is typed before the shell reads it is echoed twice.
    terminal.until("an empty line of the shell", |screen| {
        !screen.contains(typed) && screen.trim_end().ends_with(['$', '#', '%', '>'])
    });
}

/// Checks the completions that every shell has.
fn values(terminal: &Terminal) {
    for (typed, whole) in [
        ("skills sho", "skills show"),
        ("skills show depl", "skills show deploy"),
        ("skills explain name-mism", "skills explain name-mismatch"),
        ("skills list --profile ou", "skills list --profile ouro"),
        ("skills check no", "skills check notes.md"),
        ("skills list --form", "skills list --format"),
        ("skills show 議", "skills show 議事録"),
    ] {
        completes(terminal, typed, whole);
    }
    // Only a disabled skill can be enabled.
    terminal.text("skills disable depart 議事録; clear\n");
    terminal.hides("disable");
    completes(terminal, "skills enable de", "skills enable depart");
    completes(terminal, "skills enable 議", "skills enable 議事録");
    // After one hyphen the long options are listed.
    terminal.text("skills list -");
    terminal.keys(&["Tab", "Tab", "Tab"]);
    let screen = terminal.shows("--verbose");
    assert!(screen.contains("--format"), "{screen}");
    terminal.keys(&["C-u"]);
    terminal.text("clear\n");
    terminal.hides("--verbose");
    // Several candidates are listed, without options.
    terminal.text("skills show de");
    terminal.keys(&["Tab", "Tab", "Tab"]);
    let screen = terminal.shows("depart");
    assert!(screen.contains("deploy"), "{screen}");
    assert!(!screen.contains("--body"), "an option:\n{screen}");
    terminal.keys(&["C-u"]);
    terminal.text("clear\n");
    // A name that a shell would execute is not offered, and was not executed.
    terminal.text("skills check run");
    terminal.keys(&["Tab"]);
    // A key that drops the line is lost while the shell searches for candidates.
    terminal.text("=");
    terminal.shows("=");
    terminal.keys(&["C-u"]);
    terminal.text("echo do''ne\n");
    terminal.shows("done");
    assert!(!terminal.path("project/ran").exists(), "it was run");
}

const BASH: &str = "source <(skills inspect completions bash)";

fn bash() {
    if let Some(terminal) = terminal("bash", "--norc -i", BASH) {
        values(&terminal);
    }
}

fn zsh() {
    let set_up = "autoload -U compinit; compinit -u -D; source <(skills inspect completions zsh)";
    if let Some(terminal) = terminal("zsh", "-f -i", set_up) {
        values(&terminal);
        completes(
            &terminal,
            "skills show user:depl",
            "skills show user:deploy",
        );
    }
}

fn fish() {
    let set_up = "skills inspect completions fish | source";
    if let Some(terminal) = terminal("fish", "--no-config -i", set_up) {
        values(&terminal);
        completes(
            &terminal,
            "skills show user:depl",
            "skills show user:deploy",
        );
    }
}
