//! Tests the questions about the conflicts of a merge.

use crate::Test;
use crate::tmux::{Start, Terminal};

pub(crate) const TESTS: &[Test] = &[
    ("each conflict of a merge is asked", each),
    ("a merge asks again while a marker is left", edited),
    ("a merge leaves the skill as it is", left),
    ("Ctrl-C at a question ends the program", interrupted),
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

fn each() {
    let terminal = world();
    let editor = "EDITOR='sed -i -e /^[<=>]/d'";
    run(&terminal, "update --merge", editor);
    terminal.shows("plan/a.md: take [m]ine, [t]heirs, [e]dit, or [l]eave the skill as it is?");
    terminal.text("x\n");
    terminal.shows("answer m, t, e or l");
    terminal.text("m\n");
    terminal.shows("plan/b.md: take [m]ine");
    terminal.text("t\n");
    terminal.shows("plan/c.md: take [m]ine");
    terminal.text("e\n");
    terminal.shows("Update 1 skill? [y/N]");
    terminal.text("y\n");
    terminal.shows("merged plan\n[exit 0]");
    assert_eq!(text(&terminal, "a.md"), "one\nmine\n");
    assert_eq!(text(&terminal, "b.md"), "one\nnew\n");
    assert_eq!(text(&terminal, "c.md"), "one\nmine\nnew\n");
}

fn edited() {
    let terminal = world();
    run(&terminal, "update --merge", "EDITOR='sed -i -e 1,3d'");
    terminal.shows("plan/a.md: take [m]ine");
    terminal.text("e\n");
    terminal.shows("line 3 is still a conflict marker");
    // The editor goes on with the edited text, and removes the rest.
    terminal.text("e\n");
    terminal.shows("plan/b.md: take [m]ine");
    terminal.text("l\n");
    terminal.shows("[exit 1]");
    assert_eq!(text(&terminal, "a.md"), "one\nmine\n");
}

fn left() {
    let terminal = world();
    run(&terminal, "update --merge", "EDITOR='rm'");
    terminal.shows("plan/a.md: take [m]ine");
    terminal.text("e\n");
    terminal.shows("the editor left no file at");
    terminal.text("m\n");
    terminal.shows("plan/b.md: take [m]ine");
    // The end of the input is no answer.
    terminal.keys(&["C-d"]);
    terminal.shows("[exit 1]");
    assert_eq!(text(&terminal, "a.md"), "one\nmine\n");
}

fn interrupted() {
    let terminal = world();
    run(&terminal, "update --merge", "");
    terminal.shows("plan/a.md: take [m]ine");
    terminal.keys(&["C-c"]);
    terminal.shows("[exit 130]");
    assert_eq!(text(&terminal, "a.md"), "one\nmine\n");
}
