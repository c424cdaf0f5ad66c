//! Tests the line editor, its list and its history.

use crate::Test;
use crate::tmux::{Start, Terminal, until_gone};

pub(crate) const TESTS: &[Test] = &[
    ("the list narrows, and a row is chosen", narrows),
    ("what was typed is never lost", never_lost),
    ("widths, and names of two cells a letter", widths),
    ("colours by their codes", colours),
    ("no colour, and a terminal that cannot be steered", plain),
    ("pasted texts", pasted),
    ("history", history),
    ("an answer is ended, and the prompt goes on", answer),
    (
        "what is typed while an agent answers is sent after it",
        typed_while_answering,
    ),
    ("a message that is not sent comes back", not_sent),
    (
        "the line stays visible below the list",
        higher_than_the_window,
    ),
    ("what others change is said", watched),
    ("a signal ends the program", ended),
    ("the program ends with its terminal", hung_up),
];

/// Starts a terminal with five skills, one of them disabled.
fn terminal() -> Terminal {
    let terminal = Terminal::new();
    let skills = "home/.agents/skills";
    for (name, description) in [
        (
            "lint",
            "Runs the linters. Use when asked to lint, to tidy up, or before a merge.",
        ),
        (
            "lift",
            "Lifts what is heavy. Use when something stands in the way.",
        ),
        ("code-review", "Reviews a change. Use before a merge."),
        ("検査", "コードを検査する。レビューの前に使う。"),
        ("deploy", "Deploys. Use when asked to deploy."),
    ] {
        terminal.skill(skills, name, description);
    }
    terminal.write(
        "home/.config/skills/skills.json",
        "{\"schema\": 1, \"disabled\": [\"deploy\"]}",
    );
    terminal
}

fn started(size: (u16, u16), arguments: &str, variables: &str) -> Terminal {
    let terminal = terminal();
    terminal.start(&Start {
        size,
        arguments: &format!("chat --no-bundled {arguments}"),
        variables,
    });
    terminal.ends("\n>");
    terminal
}

fn narrows() {
    let terminal = started((80, 24), "", "");
    terminal.text("$");
    terminal.ends(
        "\
> $
  $code-review  Reviews a change. Use before a merge.
  $deploy       (disabled) Deploys. Use when asked to deploy.
  $lift         Lifts what is heavy. Use when something stands in the way.
  $lint         Runs the linters. Use when asked to lint, to tidy up, or…
  $検査         コードを検査する。レビューの前に使う。",
    );
    terminal.text("li");
    terminal.ends(
        "\
> $li
  $lift  Lifts what is heavy. Use when something stands in the way.
  $lint  Runs the linters. Use when asked to lint, to tidy up, or before a…",
    );
    terminal.keys(&["Down", "Down"]);
    terminal.shows("> $lint  Runs");
    terminal.keys(&["Enter"]);
    terminal.ends("\n> $lint");
    terminal.text("src/");
    terminal.keys(&["Enter"]);
    terminal.shows("Using skill: lint");
    terminal.shows("user    src/");
    // Tab accepts the first row.
    terminal.text("please $cod");
    terminal.shows("  $code-review  Reviews");
    terminal.keys(&["Tab"]);
    terminal.ends("\n> please $code-review");
    terminal.drop_line();
    // Commands.
    terminal.text("/skill");
    terminal.shows("  /skill ");
}

fn never_lost() {
    let terminal = started((80, 24), "", "");
    // Enter sends the typed text if no row is chosen.
    terminal.text("give $li");
    terminal.shows("  $lint");
    terminal.keys(&["Enter"]);
    terminal.shows("user    give $li");
    // Esc closes the list, and it stays closed for this word.
    terminal.text("$l");
    terminal.shows("  $lint");
    terminal.keys(&["Escape"]);
    terminal.hides("  $lint");
    terminal.text("in");
    terminal.ends("\n> $lin");
    terminal.keys(&["BSpace", "BSpace", "BSpace"]);
    terminal.shows("  $検査");
    // The row replaces the word, and the text after it stays.
    terminal.text("co the rest");
    terminal.keys(&["C-a", "Right", "Right", "Right"]);
    terminal.shows("  $code-review");
    terminal.keys(&["Tab"]);
    terminal.ends("\n> $code-review the rest");
    terminal.drop_line();
    // Ctrl-C removes the list together with the line.
    terminal.text("$l");
    terminal.shows("  $lint");
    terminal.drop_line();
    terminal.until("a line without a list", |screen| {
        screen.ends_with("\n>") && !screen.contains("  $lint")
    });
    // In code and after a backslash no list opens.
    terminal.text("`$l` and \\$l");
    terminal.ends("\n> `$l` and \\$l");
    terminal.drop_line();
    // A resize while the list is open.
    terminal.text("$l");
    terminal.shows("  $lint");
    terminal.resize(60, 20);
    terminal.text("in");
    terminal.ends("\n> $lin\n  $lint  Runs the linters. Use when asked to lint, to tidy…");
}

fn widths() {
    for (width, line) in [
        (40, "> $検査         コードを検査する。レビ"),
        (80, "> $検査         コードを検査する。レビューの前に使う。"),
        (
            200,
            "> $検査         コードを検査する。レビューの前に使う。",
        ),
    ] {
        let terminal = started((width, 20), "", "");
        terminal.text("$");
        terminal.shows("  $検査");
        terminal.keys(&["Up"]);
        terminal.shows(line);
        terminal.keys(&["Enter"]);
        terminal.ends("\n> $検査");
        terminal.text("この変更");
        terminal.keys(&["Enter"]);
        terminal.shows("Using skill: 検査");
        let screen = terminal.shows("user    この変更");
        let fits = |line: &str| line.chars().count() <= width.into();
        assert!(screen.lines().all(fits), "{screen}");
    }
}

fn colours() {
    let terminal = started((80, 24), "", "COLORTERM=truecolor");
    terminal.text("$li");
    terminal.shows("  $lint");
    let screen = terminal.colours();
    assert!(screen.contains("\u{1b}[2m"), "{screen:?}");
    terminal.keys(&["BSpace", "BSpace"]);
    terminal.shows("(disabled)");
    let screen = terminal.colours();
    let row = screen
        .lines()
        .find(|line| line.contains("deploy"))
        .unwrap_or_default();
    assert!(row.contains("\u{1b}[2m"), "{row:?}");
}

fn plain() {
    let terminal = started((80, 24), "", "NO_COLOR=1");
    terminal.text("$li");
    terminal.shows("  $lint");
    terminal.keys(&["Down", "Enter", "Enter"]);
    terminal.shows("Using skill: lift");
    let screen = terminal.colours();
    assert!(!screen.contains("\u{1b}["), "{screen:?}");
    let terminal = started((80, 24), "", "TERM=dumb");
    terminal.text("$lint x");
    terminal.keys(&["Enter"]);
    terminal.shows("Using skill: lint");
    terminal.text("/skills");
    terminal.keys(&["Enter"]);
    terminal.shows("Number, or an empty line to go back:");
}

fn pasted() {
    let terminal = started((80, 24), "", "");
    terminal.paste("one\ntwo\u{1b}[2Jthree\t!\n");
    terminal.shows("> one\n  two␛[2Jthree");
    terminal.keys(&["M-Enter"]);
    terminal.text("four");
    terminal.keys(&["Enter"]);
    terminal.shows("user    one\n        two␛[2Jthree");
    terminal.shows("        four");
}

fn not_sent() {
    let arguments = "--profile codewhale --layer user=../home/.agents/skills";
    let terminal = started((80, 24), arguments, "");
    terminal.text("do $lint and $lift");
    terminal.keys(&["Enter"]);
    terminal.shows("Choose one skill to lead this turn: $lint or $lift.\n(not sent)");
    terminal.ends("\n> do $lint and $lift");
    terminal.drop_line();
    terminal.text("/hel x");
    terminal.keys(&["Enter"]);
    terminal.shows("error: no command is called /hel\n help: /help lists the commands");
    // The misspelt command is not on the line: what is typed next would be sent with it.
    terminal.ends("\n>");
    terminal.text("hello");
    terminal.keys(&["Enter"]);
    terminal.shows("user    hello\n");
}

fn higher_than_the_window() {
    let terminal = started((40, 10), "", "");
    for _ in 0..12 {
        terminal.text("a line");
        terminal.keys(&["C-j"]);
    }
    terminal.text("end $li");
    terminal.ends("\n  end $li");
}

fn history() {
    let terminal = started((80, 24), "", "");
    for text in ["first message", " a secret", "second message"] {
        terminal.text(text);
        terminal.keys(&["Enter"]);
        terminal.until("the turn", |screen| {
            screen.ends_with("\n>") && screen.contains(text)
        });
    }
    terminal.keys(&["Up", "Up"]);
    terminal.ends("\n> first message");
    terminal.drop_line();
    terminal.keys(&["C-d"]);
    terminal.shows("[exit 0]");
    let file = terminal.path("home/.local/share/skills/chat-history.txt");
    let kept = std::fs::read_to_string(&file).expect("a history");
    assert_eq!(kept, "first message\nsecond message\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&file)
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let terminal = started((80, 24), "--no-history", "");
    terminal.text("not kept");
    terminal.keys(&["Enter"]);
    terminal.shows("user    not kept");
    terminal.keys(&["C-d"]);
    terminal.shows("[exit 0]");
    assert!(
        !terminal
            .path("home/.local/share/skills/chat-history.txt")
            .exists()
    );
}

fn answer() {
    let agent = "--agent \"sh -c 'echo begun; sleep 1000 & wait; echo never'\"";
    let terminal = started((80, 24), agent, "");
    for _ in 0..2 {
        terminal.text("hello");
        terminal.keys(&["Enter"]);
        terminal.until("begun", |screen| screen.ends_with("begun"));
        terminal.keys(&["C-c"]);
        terminal.until("the prompt", |screen| screen.ends_with("(interrupted)\n>"));
    }
}

fn typed_while_answering() {
    let agent = "--agent \"sh -c 'echo begun; sleep 2; echo ended'\"";
    let terminal = started((80, 24), agent, "");
    terminal.text("hello");
    terminal.keys(&["Enter"]);
    terminal.until("begun", |screen| screen.ends_with("begun"));
    terminal.text("next");
    terminal.keys(&["Enter"]);
    terminal.until("the answer alone", |screen| {
        screen.contains("begun\nended\n> next\n")
    });
    terminal.until("the second answer", |screen| {
        screen.matches("ended").count() == 2
    });
}

fn watched() {
    let terminal = started((80, 24), "", "");
    terminal.skill("home/.agents/skills", "newcomer", "Has come. Use never.");
    terminal.text("hello");
    terminal.keys(&["Enter"]);
    terminal.shows("(new skill: user:newcomer)");
    terminal.text("$newc");
    terminal.ends("\n> $newc\n  $newcomer  Has come. Use never.");
    terminal.keys(&["Tab"]);
    std::fs::remove_dir_all(terminal.path("home/.agents/skills/newcomer")).expect("a folder");
    terminal.keys(&["Enter"]);
    terminal.shows("(removed skill: user:newcomer)");
    terminal.shows("No skill named 'newcomer'.");
}

fn ended() {
    let terminal = started((80, 24), "", "");
    terminal.text("half a message");
    terminal.ends("\n> half a message");
    terminal.end_program();
    terminal.shows("[exit 143]");
    let terminal = started((80, 24), "--agent 'sleep 1000'", "");
    terminal.text("hello");
    terminal.keys(&["Enter"]);
    terminal.shows("waiting for sleep");
    terminal.end_program();
    terminal.shows("[exit 143]");
}

fn hung_up() {
    let terminal = started((80, 24), "", "");
    terminal.text("half a message");
    terminal.ends("\n> half a message");
    terminal.hang_up();
    let terminal = started((80, 24), "", "");
    terminal.text("/skills");
    terminal.keys(&["Enter"]);
    terminal.shows("Esc goes back");
    terminal.hang_up();
    let file = terminal.path("agent");
    let agent = format!(
        "--agent \"sh -c 'echo $$ > {}; exec sleep 1000'\"",
        file.display()
    );
    let terminal = started((80, 24), &agent, "");
    terminal.text("hello");
    terminal.keys(&["Enter"]);
    let agent = loop {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if let Ok(agent) = text.trim().parse() {
            break agent;
        }
    };
    terminal.hang_up();
    until_gone(agent);
}
