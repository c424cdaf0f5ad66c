//! Tests the printed tables: no line is wider than the terminal, at any width.

use crate::Test;
use crate::tmux::{Start, Terminal};

pub(crate) const TESTS: &[Test] = &[
    ("tables fit at 60 columns", || fits(60)),
    ("tables fit at 80 columns", || fits(80)),
    ("tables fit at 200 columns", || fits(200)),
    ("a long id leaves room for descriptions", room),
    ("fourteen skills take sixteen lines", fourteen),
];

/// What a person with fourteen skills sees at 80 columns, and at 60.
const AT_80: &str = "\
SKILL             SOURCE  STATE    DESCRIPTION
algorithmic-art   user    enabled  Does what algorithmic-art is for. Use when…
brand-guidelines  user    enabled  Does what brand-guidelines is for. Use when…
canvas-design     user    enabled  Does what canvas-design is for. Use when…
changelog         user    enabled  Does what changelog is for. Use when someone…
claude-api        user    enabled  Does what claude-api is for. Use when…
code-review       user    enabled  Does what code-review is for. Use when…
docx              user    enabled  Does what docx is for. Use when someone asks…
frontend-design   user    enabled  Does what frontend-design is for. Use when…
internal-comms    user    enabled  Does what internal-comms is for. Use when…
mcp-builder       user    enabled  Does what mcp-builder is for. Use when…
pdf               user    enabled  Does what pdf is for. Use when someone asks…
pptx              user    enabled  Does what pptx is for. Use when someone asks…
webapp-testing    user    enabled  Does what webapp-testing is for. Use when…
xlsx              user    enabled  Does what xlsx is for. Use when someone asks…
14 skills: 14 enabled
[exit 0]";
const AT_60: &str = "\
SKILL             SOURCE  STATE    DESCRIPTION
algorithmic-art   user    enabled  Does what algorithmic-ar…
brand-guidelines  user    enabled  Does what…
canvas-design     user    enabled  Does what canvas-design…
changelog         user    enabled  Does what changelog is…
claude-api        user    enabled  Does what claude-api is…
code-review       user    enabled  Does what code-review is…
docx              user    enabled  Does what docx is for.…
frontend-design   user    enabled  Does what frontend-desig…
internal-comms    user    enabled  Does what internal-comms…
mcp-builder       user    enabled  Does what mcp-builder is…
pdf               user    enabled  Does what pdf is for.…
pptx              user    enabled  Does what pptx is for.…
webapp-testing    user    enabled  Does what webapp-testing…
xlsx              user    enabled  Does what xlsx is for.…
14 skills: 14 enabled
[exit 0]";

fn fourteen() {
    for (columns, expected) in [(80, AT_80), (60, AT_60)] {
        let terminal = Terminal::new();
        for row in AT_80.lines().skip(1).take(14) {
            let name = row.split(' ').next().unwrap_or_default();
            let text = format!(
                "Does what {name} is for. Use when someone asks for {name}, or for something that is near to it."
            );
            terminal.skill("home/.agents/skills", name, &text);
        }
        let (screen, _) = shown(&terminal, columns, "list", 0);
        assert_eq!(screen.trim_end(), expected, "at {columns}");
    }
}

/// A name of 64 letters, the maximum length of a name.
const LONG: &str = "a-name-that-goes-on-and-on-and-on-and-on-until-the-very-end-xyzw";

/// Commands, each with its exit code.
const COMMANDS: &[(&str, u8)] = &[
    ("list", 0),
    ("list", 0),
    ("list nothing-like-this", 0),
    ("show 議事録", 0),
    ("show deplyo", 1),
    ("list --commands", 0),
    ("trust", 0),
    ("explain", 0),
    ("explain link-broken", 0),
    ("inspect profile", 0),
    ("check .", 1),
    ("install ./nowhere", 2),
    ("lock", 2),
    ("outdated", 0),
    ("improve history", 0),
    ("schedule", 0),
    ("--help", 0),
    ("check --help", 0),
];

fn terminal() -> Terminal {
    let terminal = Terminal::new();
    let skills = "home/.agents/skills";
    let text = "会議の内容を整理し、決定事項と担当者と期限を一覧にまとめるときに使います。";
    terminal.skill(skills, "議事録", &text.repeat(2));
    terminal.skill(skills, "翻訳", text);
    terminal.skill(
        skills,
        LONG,
        "🎉 Does 👩‍👩‍👧 things. Use when a long name is needed, and more words follow here.",
    );
    terminal.skill(
        "project/.agents/skills",
        "deploy",
        "Ships it. Use when asked to ship it.",
    );
    terminal.write("project/.agents/skills/bad/SKILL.md", "No front matter.\n");
    terminal
}

/// Returns the screen after a command, and the screen with lines that the terminal broke joined again.
fn shown(terminal: &Terminal, columns: u16, arguments: &str, code: u8) -> (String, String) {
    terminal.start(&Start {
        size: (columns, 400),
        arguments,
        variables: "",
    });
    let screen = terminal.shows(&format!("[exit {code}]"));
    (screen, terminal.joined())
}

fn fits(columns: u16) {
    for (arguments, code) in COMMANDS {
        let (screen, joined) = shown(&terminal(), columns, arguments, *code);
        let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
        for line in joined.lines().map(str::trim_end) {
            // A digest, a path or another word that is longer than the least last column is not broken, so that it can be copied.
            let has_long_word = line
                .split(' ')
                .any(|word| word.len() > 16 && word.is_ascii());
            // A line of an example file or of an excerpt is not broken.
            let is_of_file =
                line.starts_with("description: ") || line.trim_start().starts_with(['|', '=']);
            assert!(
                lines.contains(&line) || has_long_word || is_of_file,
                "`skills {arguments}` at {columns}: {line}"
            );
            let begins = line.trim_start().chars().next();
            assert!(
                !begins.is_some_and(|c| "、。".contains(c)),
                "`skills {arguments}` at {columns}: {line}"
            );
        }
    }
}

fn room() {
    let (screen, _) = shown(&terminal(), 80, "list", 0);
    for line in [
        "a-name-that-goes-on-and-on-and-on-and-on-…  user     enabled    🎉 Does",
        "deploy                                      project  untrusted  Ships it. Use…",
        "議事録                                      user     enabled    会議の内容を整…",
    ] {
        assert!(screen.contains(line), "{screen}");
    }
}
