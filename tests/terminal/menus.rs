//! Tests the menus of `/skills`.

use crate::Test;
use crate::tmux::{Start, Terminal};

pub(crate) const TESTS: &[Test] = &[
    ("the menu of the skills", tree),
    ("install from a repository, and uninstall", install),
    (
        "trust of a skill of the project, with its difference",
        trust,
    ),
    ("scheduled skills are last, in a warning colour", scheduled),
];

const MENU: &str = "\
Skills
Choose an action

> 1. List skills          Tip: press $ to open this list directly.
  2. Install skill        Install from local path or git URL.
  3. Uninstall skill      Remove an installed skill.
";

fn started(terminal: &Terminal, size: (u16, u16)) {
    terminal.start(&Start {
        size,
        arguments: "chat --no-bundled",
        variables: "",
    });
    terminal.ends("\n>");
    terminal.text("/skills");
    terminal.keys(&["Enter"]);
}

fn tree() {
    let terminal = Terminal::new();
    terminal.skill(
        "home/.agents/skills",
        "lint",
        "Runs the linters. Use when asked to lint.",
    );
    terminal.skill(
        "home/.agents/skills",
        "検査",
        "コードを検査する。レビューの前に使う。",
    );
    started(&terminal, (80, 30));
    terminal.shows(MENU);
    terminal.keys(&["Down"]);
    terminal.shows("> 2. Install skill        Install from local path or git URL.");
    terminal.keys(&["Up", "Enter"]);
    terminal.shows("Choose a skill\n\n> 1. lint");
    terminal.keys(&["2"]);
    terminal.shows("  description   コードを検査する。レビューの前に使う。");
    terminal.shows("検査\nChoose an action\n\n> 1. Show instructions");
    // Another width while the menu is open.
    terminal.resize(40, 30);
    terminal.shows("> 1. Show instructions  Print what a…");
    terminal.keys(&["2"]);
    terminal.shows("Skill 'user:検査' is disabled.");
    terminal.shows("  2. Enable skill");
    terminal.keys(&["Escape"]);
    terminal.shows("> 2. 検査  (disabled)");
    terminal.text("li");
    terminal.shows("Choose a skill: li\n\n> 1. lint");
    terminal.hides("検査  (disabled)");
    terminal.text("x");
    terminal.shows("  nothing matches; Backspace removes a…");
    terminal.keys(&["Escape"]);
    terminal.shows("  2. 検査  (disabled)");
    terminal.keys(&["Down"]);
    // The skill disappears while its menu is shown.
    terminal.keys(&["Up", "Enter"]);
    terminal.shows("lint\nChoose an action");
    std::fs::remove_dir_all(terminal.path("home/.agents/skills/lint")).expect("a folder");
    terminal.keys(&["1"]);
    terminal.shows("error: ");
    terminal.until("the prompt", |screen| {
        let is_left = screen.ends_with("\n>");
        if !is_left {
            terminal.keys(&["Escape"]);
        }
        is_left
    });
}

fn install() {
    let terminal = Terminal::new();
    terminal.skill(
        "repository/skills",
        "wash",
        "Washes. Use when something is dirty.",
    );
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git")
            .arg("-C")
            .arg(terminal.path("repository"))
            .args(["-c", "user.name=a", "-c", "user.email=a@b.c"])
            .args(arguments)
            .output()
            .expect("git is here");
        assert!(output.status.success(), "{output:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "one"]);
    started(&terminal, (120, 40));
    terminal.shows(MENU);
    terminal.keys(&["2"]);
    terminal.shows("Path or git URL:");
    terminal.text(&format!("file://{}", terminal.path("repository").display()));
    terminal.keys(&["Enter"]);
    terminal.shows("Install 1 skill in ~/.agents/skills? [y/N]");
    terminal.shows("    Washes. Use when something is dirty.");
    terminal.text("y");
    terminal.keys(&["Enter"]);
    terminal.shows("installed wash");
    terminal.shows("> 2. Install skill");
    // The change has an effect at once, without a restart.
    terminal.keys(&["Escape"]);
    // A key that comes with Escape would be another key, as Alt sends it.
    terminal.hides("> 2. Install skill");
    terminal.text("$wa");
    terminal.shows("  $wash  Washes.");
    terminal.drop_line();
    terminal.text("/skills");
    terminal.keys(&["Enter"]);
    terminal.shows(MENU);
    terminal.keys(&["3"]);
    terminal.shows("> 1. wash      ~/.agents/skills");
    terminal.keys(&["Enter"]);
    terminal.shows("Move wash to the trash? [y/N]");
    terminal.text("y");
    terminal.keys(&["Enter"]);
    terminal.shows("uninstalled wash");
    terminal.shows("brings it back");
    assert!(!terminal.path("home/.agents/skills/wash").exists());
}

fn trust() {
    let terminal = Terminal::new();
    terminal.skill(
        "project/.agents/skills",
        "deploy",
        "Deploys. Use when asked to deploy.",
    );
    started(&terminal, (80, 40));
    terminal.shows(MENU);
    terminal.keys(&["1"]);
    terminal.shows("> 1. deploy      (untrusted) Deploys.");
    terminal.keys(&["Enter"]);
    terminal.shows("  3. Trust skill");
    terminal.keys(&["3"]);
    terminal.shows("Trust it? [y/N]");
    terminal.keys(&["Enter"]);
    terminal.shows("Skill 'deploy' is not trusted.");
    terminal.shows("  3. Trust skill");
    terminal.keys(&["3"]);
    terminal.until("the question again", |screen| {
        screen.matches("Trust it? [y/N]").count() == 2
    });
    terminal.text("y");
    terminal.keys(&["Enter"]);
    terminal.shows("Trusted: deploy.");
    terminal.keys(&["Escape"]);
    terminal.shows("> 1. deploy      Deploys.");
    let changed =
        "---\nname: deploy\ndescription: Deploys. Use when asked to deploy.\n---\nDo it twice.\n";
    terminal.write("project/.agents/skills/deploy/SKILL.md", changed);
    terminal.keys(&["Escape"]);
    terminal.shows(MENU);
    terminal.keys(&["Escape"]);
    terminal.ends("\n>");
    // The folders are read again before each message.
    terminal.text("/skills");
    terminal.keys(&["Enter"]);
    terminal.shows(MENU);
    terminal.keys(&["1"]);
    terminal.shows("untrusted; changed");
    terminal.keys(&["Enter"]);
    terminal.shows("  3. Show difference");
    terminal.keys(&["3"]);
    terminal.shows("    -Do deploy.\n    +Do it twice.");
}

fn scheduled() {
    let terminal = Terminal::new();
    let skills = "home/.config/agenvoy/skills";
    terminal.skill(skills, "zip", "Zips. Use when asked to zip.");
    let folder = format!("{skills}/scheduler");
    terminal.skill(&folder, "daily-1a2b3c4d", "Reports every day.");
    terminal.start(&Start {
        size: (80, 30),
        arguments: "chat --no-bundled --profile agenvoy",
        variables: "",
    });
    terminal.ends("\n>");
    terminal.text("/");
    let screen = terminal.shows("  /sched-daily-1a2b3c4d  Reports every day.");
    let place = |text: &str| screen.find(text).unwrap_or(usize::MAX);
    assert!(place("/zip") < place("/sched-"), "{screen}");
    assert!(screen.ends_with("Reports every day."), "{screen}");
    let colours = terminal.colours();
    let row = |text: &str| colours.lines().find(|line| line.contains(text));
    let row = |text| row(text).unwrap_or_default();
    assert!(row("daily-1a2b3c4d").contains("\u{1b}[35m"), "{colours:?}");
    assert!(!row("zip").contains("\u{1b}[35m"), "{colours:?}");
    // A chosen scheduled skill runs manually.
    terminal.text("sched-d");
    terminal.hides("/zip");
    terminal.keys(&["Down", "Enter", "Enter"]);
    terminal.shows("This is the existing scheduled skill daily-1a2b3c4d, run by hand now.");
    terminal.shows("Do daily-1a2b3c4d.");
}
