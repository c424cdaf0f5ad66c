//! Folders and files that become links or pipes between a check and their use.

use crate::attack::{Outcome, sample_or_all, skipped};
use crate::case::{Case, text};
use crate::snapshot::snapshot;
use crate::swapper::Swapper;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

attacks![
    check_reads_nothing_outside,
    bundle_reads_nothing_outside,
    fix_writes_nothing_outside,
    install_reads_nothing_outside,
    changes_write_nothing_outside,
    files_that_become_pipes_do_not_hang,
];

/// Number of runs of one race, in the sample and of all.
const RUNS: (usize, usize) = (20, 60);
/// The content of every file outside.
const OUTSIDE: &str = "outside-secret";

/// `check` prints nothing of a file outside the checked folder, whatever is replaced by a link meanwhile.
fn check_reads_nothing_outside() -> Outcome {
    for format in ["full", "json"] {
        raced(&["check", "skills", "--format", format])?;
    }
    Ok(())
}

/// `bundle` takes no file from outside the folder, whatever is replaced by a link meanwhile.
fn bundle_reads_nothing_outside() -> Outcome {
    let case = swapped(good)?;
    let bundle = ["lock", "skills", "--format", "json"];
    let digest = case.json(&["lock", "skills"])?["digest"].clone();
    let _swapper = case.swapper();
    for run in 0..2 * runs() {
        let ran = case.run(&bundle)?;
        ran.expect_any_code()?;
        let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        ensure!(
            ran.code != Some(0) || document["digest"] == digest,
            "run {run} bundled a file from outside"
        );
    }
    Ok(())
}

/// `check --fix` changes no file outside the checked folder, whatever is replaced by a link meanwhile.
fn fix_writes_nothing_outside() -> Outcome {
    let case = swapped(faulty)?;
    let faulty = faulty("inside");
    let outside = case.path("outside/SKILL.md");
    let before = fs::read(&outside)?;
    let _swapper = case.swapper();
    for run in 0..2 * runs() {
        // One of the two paths is the folder at this moment, no matter which.
        for folder in ["project/skills/greet", "project/link"] {
            if case
                .path(folder)
                .symlink_metadata()
                .is_ok_and(|found| found.is_dir())
            {
                rewrite(&case, folder, &faulty);
            }
        }
        fs::write(&outside, &before)?;
        case.run(&["check", "--fix", "skills"])?.expect_any_code()?;
        let now = fs::read(&outside)?;
        ensure!(
            now == before,
            "run {run} changed the file outside: {}",
            String::from_utf8_lossy(&now)
        );
        let names = fs::read_dir(case.path("outside"))?.count();
        ensure!(names == 1, "run {run} made a file outside");
    }
    Ok(())
}

/// `install` takes no file from outside its source, whatever is replaced by a link meanwhile.
fn install_reads_nothing_outside() -> Outcome {
    let case = Case::new()?;
    let mut links = String::new();
    for n in 0..50 {
        case.write(format!("project/source/greet/list/{n}.md"), "inside\n")?;
        case.write(format!("outside/{n}.md"), OUTSIDE)?;
        write!(links, "[it](list/{n}.md) ")?;
    }
    case.skill("project/source/greet", "", &links)?;
    symlink(case.path("outside"), case.path("project/link"))?;
    let _swapper = Swapper::new(
        case.path("project/source/greet/list"),
        case.path("project/link"),
    );
    for run in 0..runs() {
        let to = format!("to-{run}");
        let ran = case.run(&["install", "./source", "greet", "--to", &to, "--yes"])?;
        ran.expect_any_code()?;
        for n in 0..50 {
            let path = case.path(format!("project/{to}/greet/list/{n}.md"));
            let text = fs::read_to_string(path).unwrap_or_default();
            ensure!(text != OUTSIDE, "run {run} installed a file from outside");
        }
    }
    Ok(())
}

/// Commands that change a project's folder of skills. Each starts from the result of the previous command.
const CHANGES: [&[&str]; 5] = [
    &["install", "./source", "--all", "--to", "project", "--yes"],
    &["update", "--force", "--to", "project", "--yes"],
    &["uninstall", "greet", "--force", "--to", "project", "--yes"],
    &["restore", "greet", "--to", "project"],
    &[
        "install",
        "bundled",
        "code-review",
        "--to",
        "project",
        "--force",
        "--yes",
    ],
];

/// A change of a project's folder of skills empties, writes and creates nothing outside, even if that folder or its
/// hidden work folder is replaced by a link meanwhile.
fn changes_write_nothing_outside() -> Outcome {
    for place in [".agents/skills/.skills-work", ".agents/skills"] {
        for run in 0..runs().div_ceil(6) {
            let case = Case::new()?;
            fs::create_dir_all(case.path("project/.git"))?;
            fs::create_dir_all(case.path("project/.agents/skills"))?;
            for n in 0..30 {
                case.write(format!("project/source/greet/list/{n}.md"), "inside\n")?;
                case.write(format!("outside/new-greet/{n}"), OUTSIDE)?;
            }
            case.skill("project/source/greet", "", "See `list/1.md`.")?;
            // Names that a change creates, empties or removes in its folders.
            for name in ["lock", "journal.json", "greet/list/1.md", "old-greet/kept"] {
                case.write(format!("outside/{name}"), OUTSIDE)?;
            }
            let outside = snapshot(&case.path("outside"))?;
            for change in CHANGES {
                put_back(&case, place)?;
                let swapper =
                    Swapper::new(case.path("project").join(place), case.path("project/link"));
                let ran = case.run(change)?;
                drop(swapper);
                ran.expect_any_code()?;
                let now = snapshot(&case.path("outside"))?;
                ensure!(
                    now == outside,
                    "run {run}: {} with a link at {place} changed what is outside: {:?}",
                    change.join(" "),
                    now.keys().collect::<Vec<_>>()
                );
            }
        }
    }
    Ok(())
}

/// Restores a folder that was exchanged with the link.
fn put_back(case: &Case, place: &str) -> Outcome {
    let (place, link) = (case.path("project").join(place), case.path("project/link"));
    for path in [&place, &link] {
        if path.is_symlink() {
            fs::remove_file(path)?;
        }
    }
    if link.is_dir() {
        if place.is_dir() {
            fs::remove_dir_all(&place)?;
        }
        fs::rename(&link, &place)?;
    }
    Ok(symlink(case.path("outside"), link)?)
}

/// Files that become named pipes while the program runs do not make it wait.
fn files_that_become_pipes_do_not_hang() -> Outcome {
    let case = Case::new()?;
    let names: Vec<String> = (0..100).map(|n| format!("{n}.md")).collect();
    let links: Vec<String> = names
        .iter()
        .map(|name| format!("[{name}](list/{name})"))
        .collect();
    case.skill(
        "project/skills/greet",
        "",
        &format!("Read {}.", links.join(", ")),
    )?;
    for name in &names {
        case.write(format!("project/skills/greet/list/{name}"), "A list.\n")?;
    }
    let pipes = case.path("project/pipes");
    fs::create_dir(&pipes)?;
    let made = Command::new("mkfifo")
        .args(names.iter().map(|name| pipes.join(name)))
        .status();
    if !made.is_ok_and(|status| status.success()) {
        return skipped("mkfifo makes no pipe");
    }
    let _swapper = Swapper::new(case.path("project/skills/greet/list"), pipes);
    let layer = ["--layer", "user=skills"];
    for _ in 0..runs() / 2 {
        for command in [
            &["check", "skills"][..],
            &["lock", "skills"],
            &["check", "--fix", "skills"],
            &[&["show", "greet"][..], &layer].concat(),
            &[&["show", "greet", "--file", "list/50.md"][..], &layer].concat(),
        ] {
            let ran = case
                .run(command)
                .map_err(|error| format!("{}: {error}", command.join(" ")))?;
            ran.expect_any_code()?;
        }
    }
    Ok(())
}

/// Runs a command while a skill's folder is exchanged with a link that leads outside.
fn raced(arguments: &[&str]) -> Outcome {
    let case = swapped(faulty)?;
    let _swapper = case.swapper();
    for run in 0..runs() {
        let ran = case.run(arguments)?;
        ran.expect_any_code()?;
        ensure!(
            !ran.printed().contains(OUTSIDE),
            "run {run} of {} printed a text from outside",
            arguments.join(" ")
        );
    }
    Ok(())
}

/// Makes `skills/greet`, and a link to a folder outside for the exchange.
fn swapped(text: fn(&str) -> String) -> Outcome<Case> {
    let case = Case::new()?;
    case.write("project/skills/greet/SKILL.md", text("inside"))?;
    case.write("outside/SKILL.md", text(OUTSIDE))?;
    symlink(case.path("outside"), case.path("project/link"))?;
    Ok(case)
}

impl Case {
    fn swapper(&self) -> Swapper {
        Swapper::new(self.path("project/skills/greet"), self.path("project/link"))
    }
}

/// Returns a valid skill.
fn good(word: &str) -> String {
    text("greet", "", &format!("Say {word}."))
}

/// Returns a skill with a fault that is shown with its line, and can be fixed.
fn faulty(word: &str) -> String {
    text("greet", "", &format!("See [{word}]({word}.md).")).replace(
        "description: Does greet.",
        &format!("description: Greets: {word}."),
    )
}

/// Writes a skill again through the folder itself, never through a link in its place.
fn rewrite(case: &Case, folder: &str, text: &str) {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY;
    let Ok(folder) = openat(CWD, case.path(folder), flags, Mode::empty()) else {
        return;
    };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW;
    if let Ok(file) = openat(&folder, "SKILL.md", flags, Mode::from_raw_mode(0o644)) {
        // If the write fails, the text was fixed already, and this run attacks nothing.
        let _ = rustix::io::write(&file, text.as_bytes());
    }
}

fn runs() -> usize {
    sample_or_all(RUNS.0, RUNS.1)
}
