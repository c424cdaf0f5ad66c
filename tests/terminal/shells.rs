//! Tests completion in real shells. A missing shell is skipped.

use crate::Test;
use crate::tmux::Terminal;
use std::process::Command;

pub(crate) const TESTS: &[Test] = &[
    ("shells::bash completes words", bash),
    ("shells::zsh completes words", zsh),
    ("shells::fish completes words", fish),
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
fn words(terminal: &Terminal) {
    for (typed, whole) in [
        ("skills sho", "skills show"),
        ("skills list --form", "skills list --format"),
        (
            "skills inspect completions el",
            "skills inspect completions elvish",
        ),
        (
            "skills prompt --client gem",
            "skills prompt --client gemini-cli",
        ),
    ] {
        completes(terminal, typed, whole);
    }
}

const BASH: &str = "source <(skills inspect completions bash)";

fn bash() {
    if let Some(terminal) = terminal("bash", "--norc -i", BASH) {
        words(&terminal);
    }
}

fn zsh() {
    let set_up = "autoload -U compinit; compinit -u -D; source <(skills inspect completions zsh)";
    if let Some(terminal) = terminal("zsh", "-f -i", set_up) {
        words(&terminal);
    }
}

fn fish() {
    let set_up = "skills inspect completions fish | source";
    if let Some(terminal) = terminal("fish", "--no-config -i", set_up) {
        words(&terminal);
    }
}
