//! The host holds a conversation of twelve turns against a scripted model.

use skills_session::options::Options;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use std::{fs, thread};

/// The answers of the model, in order.
const ANSWERS: &str = r#"call read {"path":"notes.txt"}
call shell {"command":"rm notes.txt"}
call telescope {"at":"the moon"}
Good day, Ada.
Good day, Bob.
call skill {"name":"greet","arguments":"Eve"}
call skill {"name":"gret"}
Good day, Eve.
I cannot.
Shipped.
It is off. I look for $fresh-air, and then $deploy again.
It is fresh. Next comes $greet, then $run.
"#;

/// The lines that the person types. The answers to questions are not turns.
const LINES: [&str; 16] = [
    "no",
    "$greet Ada",
    "no",
    "/greet Bob",
    "say good day to Eve",
    "/run rm -rf .",
    "no",
    "/run echo it ran",
    "yes",
    "$deploy it",
    "/skill trust deploy",
    "yes",
    "$deploy it",
    "/skill disable greet",
    "/greet Ada",
    "/skill stop",
];

fn skill(folder: &Path, name: &str, more: &str, body: &str) -> io::Result<()> {
    let folder = folder.join(name);
    fs::create_dir_all(&folder)?;
    let text =
        format!("---\nname: {name}\ndescription: Does it. Use when asked to.\n{more}---\n{body}\n");
    fs::write(folder.join("SKILL.md"), text)
}

#[test]
fn twelve_turns() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let (user, project) = (
        folder.path().join("home/.minimal-agent/skills"),
        folder.path().join("project-skills"),
    );
    skill(&user, "greet", "allowed-tools: Read\n", "Greet.")?;
    skill(
        &user,
        "run",
        "command-dispatch: tool\ncommand-tool: Bash\n",
        "Run.",
    )?;
    skill(&project, "deploy", "", "Ship it.")?;
    fs::write(folder.path().join("replies.txt"), ANSWERS)?;
    fs::write(folder.path().join("notes.txt"), "The notes.")?;
    let mut program = agent(folder.path())
        .args(["main", "replies.txt"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = program.stdin.take().expect("it is piped");
    let output = BufReader::new(program.stdout.take().expect("it is piped"));
    input.write_all((LINES.join("\n") + "\n").as_bytes())?;
    let (send, lines) = mpsc::channel();
    let reader = thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    let mut shown = Vec::new();
    let next = || lines.recv_timeout(Duration::from_secs(60)).ok();
    while let Some(line) = next() {
        let stopped = line.starts_with("! Stopped");
        shown.push(line);
        if stopped {
            break;
        }
    }
    // The twelfth turn needs the new skill: the catalog is read again.
    skill(&user, "fresh", "", "A new skill.")?;
    input.write_all(b"$fresh\n")?;
    drop(input);
    while let Some(line) = next() {
        shown.push(line);
    }
    assert!(program.wait()?.success());
    reader.join().expect("it has read all");
    // Paths are shown with `/` on every system.
    let root = folder.path().to_string_lossy().replace('\\', "/");
    let shown = shown.join("\n").replace(&root, "FOLDER");
    let (before, prompt) = shown.split_once("[system prompt] ").expect("a prompt");
    let (_, after) = prompt
        .split_once("</available_skills>\n")
        .expect("the catalog text");
    let turns = format!("{before}[system prompt] SKILLS\n{after}");
    let preamble = Options::DEFAULT.preamble;
    let expected = EXPECTED.replace("PREAMBLE", &preamble);
    assert_eq!(turns, expected.trim_end(), "{turns}");
    let shown = again(folder.path())?;
    assert!(shown.contains("! Stopped: fresh, run."), "{shown}");
    assert!(shown.contains("[user] Ada\n"), "the first turn: {shown}");
    Ok(())
}

/// The host in a folder that holds a project and a home.
fn agent(folder: &Path) -> Command {
    let mut agent = Command::new(env!("CARGO_BIN_EXE_example-minimal-agent"));
    let home = folder.join("home");
    agent.env("HOME", &home).env("USERPROFILE", &home);
    agent.current_dir(folder);
    agent
}

/// The output of the host when it starts again: it continues the conversation.
fn again(folder: &Path) -> io::Result<String> {
    let mut program = agent(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let input = program.stdin.take();
    input
        .expect("it is piped")
        .write_all(b"/skill stop\nhello\n/quit\n")?;
    let output = program.wait_with_output()?;
    let shown = String::from_utf8_lossy(&output.stdout);
    Ok(shown.trim_end().to_owned())
}

/// The output, without the catalog text.
const EXPECTED: &str = include_str!("twelve-turns.txt");

#[test]
fn the_host_is_short() {
    let program = include_str!("../src/main.rs").lines();
    let lines = program.filter(|line| !line.trim().is_empty()).count();
    assert!(lines <= 105, "{lines} lines");
}

/// The guide shows the whole program, beside `model.rs`.
#[test]
fn the_guide_shows_this_program() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = fs::read_to_string(folder.join("src/main.rs"))?;
    let guide = fs::read_to_string(folder.join("../../docs/guide/host.md"))?;
    // Without the lines about this package.
    let shown = program.find("mod model;").and_then(|at| program.get(at..));
    let block = guide.split("```rust,ignore\n").nth(1);
    let block = block.and_then(|rest| rest.split("```").next());
    assert_eq!(block, shown, "copy `src/main.rs` to `docs/guide/host.md`");
    Ok(())
}
