//! Tests the question of a merge.

use crate::Test;
use crate::tmux::{Start, Terminal};

pub(crate) const TESTS: &[Test] = &[
    ("Ctrl-C at a question ends the program", interrupted),
    ("a key before the question is not its answer", typed_ahead),
];

/// Installs `plan`, and changes three files on both sides.
fn world() -> Terminal {
    let terminal = Terminal::new();
    terminal.skill("source", "plan", "Plans. Use when asked for a plan.");
    let files = |folder: &str, text: &str| {
        for name in ["a.md", "b.md", "c.md"] {
            terminal.write(&format!("{folder}/plan/{name}"), text);
        }
    };
    files("source", "one\ntwo\n");
    run(&terminal, "install ../source --yes", "");
    terminal.shows("[exit 0]");
    terminal.end();
    files("home/.agents/skills", "one\nmine\n");
    files("source", "one\nnew\n");
    terminal
}

fn run(terminal: &Terminal, arguments: &str, variables: &str) {
    terminal.start(&Start {
        size: (100, 60),
        arguments,
        variables,
    });
}

fn text(terminal: &Terminal, file: &str) -> String {
    let path = terminal.path(&format!("home/.agents/skills/plan/{file}"));
    std::fs::read_to_string(path).expect("a file")
}

fn interrupted() {
    let terminal = world();
    run(&terminal, "update --merge", "");
    terminal.shows("Update 1 skill in ~/.agents/skills? [y/N]");
    terminal.keys(&["C-c"]);
    terminal.shows("[exit 130]");
    assert_eq!(text(&terminal, "a.md"), "one\nmine\n");
}

fn typed_ahead() {
    let terminal = world();
    // The shell takes the first line, and the second waits for the program.
    let shell = "sh -c 'read first; exec \"$0\" \"$@\"'";
    run(&terminal, "update --merge", shell);
    terminal.text("first\ny\n");
    terminal.shows("Update 1 skill in ~/.agents/skills? [y/N]");
    terminal.keys(&["Enter"]);
    terminal.shows("nothing was changed in");
    assert_eq!(text(&terminal, "a.md"), "one\nmine\n");
}
