//! Tests what a person reads and waits for: long texts in the pager, manual pages, and the words while an agent works.

use crate::Test;
use crate::tmux::{Start, Terminal};
use std::fmt::Write as _;

pub(crate) const TESTS: &[Test] = &[
    ("a long skill is read in the pager", long),
    ("a short skill needs no pager", short),
    ("the agent of a run is waited for", run),
    ("the agent of the prompt is waited for", chat),
    ("what reads standard input says so on a terminal", waiting),
];

fn waiting() {
    for (arguments, shown) in [
        ("lsp", "an editor starts this server"),
        ("mcp", "a client starts this server"),
        ("resolve", "reading the message from standard input"),
    ] {
        let here = terminal();
        start(&here, arguments, "");
        here.shows(shown);
        here.end_program();
    }
}

fn terminal() -> Terminal {
    let terminal = Terminal::new();
    let mut text = "---\nname: long\ndescription: Is long. Use when asked.\n---\n".to_owned();
    for at in 0..100 {
        // Writing to a string does not fail.
        let _ = writeln!(text, "- rule {at} of the house");
    }
    terminal.write("home/.agents/skills/long/SKILL.md", &text);
    terminal.skill("home/.agents/skills", "brief", "Is short. Use when asked.");
    terminal
}

fn start(terminal: &Terminal, arguments: &str, variables: &str) {
    terminal.start(&Start {
        size: (80, 24),
        arguments,
        variables,
    });
}

fn long() {
    let here = terminal();
    start(&here, "show long", "PAGER='less -X'");
    // The first screen, and not the end.
    here.until("the pager", |screen| {
        screen.contains("description   Is long") && !screen.contains("rule 99 ")
    });
    here.keys(&["G"]);
    here.shows("- rule 99 of the house");
    // Ctrl-C is for the pager: the program does not end before it.
    here.keys(&["C-c"]);
    // `less` drops a key that it has read when the signal arrives: `q` could be that key. So another key is pressed until it
    // works, and the signal is past then.
    here.until("the first page again", |screen| {
        here.keys(&["g"]);
        screen.contains("description   Is long")
    });
    here.keys(&["q"]);
    here.shows("[exit 0]");
    for (variables, shown) in [
        ("PAGER=cat", "- rule 99 of the house\n[exit 0]"),
        (
            "PAGER=gone-pager",
            "the pager `gone-pager` cannot be started",
        ),
        ("TERM=dumb", "- rule 99 of the house\n[exit 0]"),
    ] {
        let other = terminal();
        start(&other, "show long", variables);
        other.shows(shown);
        other.shows("- rule 99 of the house");
        other.shows("[exit 0]");
    }
}

fn short() {
    let terminal = terminal();
    // A pager would not end by itself.
    start(&terminal, "show brief", "PAGER='sleep 1000'");
    terminal.shows("Do brief.\n[exit 0]");
}

fn run() {
    let terminal = terminal();
    let add = "schedule tick --cron '0 9 * * 1-5' --timezone UTC --task 'Say it.'";
    start(&terminal, add, "");
    terminal.shows("[exit 0]");
    terminal.end();
    let agent = "schedule run tick --agent \"sh -c 'echo half way >&2; sleep 1000'\"";
    start(&terminal, agent, "");
    terminal.shows("waiting for sh, ");
    terminal.shows(" (Ctrl-C ends it): half way");
    terminal.keys(&["C-c"]);
    terminal.until("the end", |screen| {
        screen.contains("[exit ") && !screen.contains("waiting for")
    });
}

fn chat() {
    let terminal = terminal();
    let agent = "chat --agent \"sh -c 'sleep 1000 & wait'\"";
    start(&terminal, agent, "");
    terminal.ends(">");
    terminal.text("hello");
    terminal.keys(&["Enter"]);
    terminal.shows("waiting for sh, ");
    terminal.shows(" s (Ctrl-C ends it)");
    terminal.keys(&["C-c"]);
    terminal.until("the prompt", |screen| {
        screen.ends_with("(interrupted)\n>") && !screen.contains("waiting for")
    });
}
