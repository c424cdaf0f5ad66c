//! Folders and files that become links, or pipes, between a look at them and their use.

use crate::attack::{Outcome, skipped};
use crate::case::{Case, text};
use crate::swapper::Swapper;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

attacks![
    check_reads_nothing_outside,
    bundle_reads_nothing_outside,
    fix_writes_nothing_outside,
    a_file_that_becomes_a_pipe_does_not_hang,
];

/// Runs of one race.
const RUNS: usize = 60;
/// Stands in every file outside.
const OUTSIDE: &str = "outside-secret";

/// `check` prints nothing of a file outside the checked folder, whatever becomes a link while it
/// runs.
fn check_reads_nothing_outside() -> Outcome {
    for format in ["full", "json"] {
        raced(&["check", "skills", "--format", format])?;
    }
    Ok(())
}

/// `bundle` prints nothing of a file outside the folder, whatever becomes a link while it runs.
fn bundle_reads_nothing_outside() -> Outcome {
    raced(&["bundle", "skills", "--format", "json"])
}

/// `check --fix` changes no file outside the checked folder, whatever becomes a link while it runs.
fn fix_writes_nothing_outside() -> Outcome {
    let case = swapped()?;
    let faulty = faulty("inside");
    let outside = case.path("outside/SKILL.md");
    let before = fs::read(&outside)?;
    let _swapper = Swapper::new(case.path("project/skills/greet"), case.path("project/link"));
    for run in 0..2 * RUNS {
        // Which of the two is the folder at this moment does not matter: one of them is.
        for folder in ["project/skills/greet", "project/link"] {
            if case.path(folder).symlink_metadata().is_ok_and(|found| found.is_dir()) {
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

/// A file that becomes a named pipe while the program runs does not make it wait.
fn a_file_that_becomes_a_pipe_does_not_hang() -> Outcome {
    let case = Case::new()?;
    case.skill("project/skills/greet", "", "Read [the list](list.md).")?;
    case.write("project/skills/greet/list.md", "A list.\n")?;
    let pipe = case.path("project/pipe");
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        return skipped("mkfifo makes no pipe");
    }
    for name in ["list.md", "SKILL.md"] {
        let _swapper = Swapper::new(case.path("project/skills/greet").join(name), pipe.clone());
        for _ in 0..RUNS / 4 {
            for command in [
                &["check", "skills"][..],
                &["bundle", "skills"],
                &["check", "--fix", "skills"],
                &["show", "greet", "--file", "list.md", "--layer", "user=skills"],
                &["activate", "greet", "--layer", "user=skills"],
            ] {
                case.run(command)?.expect_any_code()?;
            }
        }
    }
    Ok(())
}

/// Runs a command while a skill's folder is exchanged with a link that leads out.
fn raced(arguments: &[&str]) -> Outcome {
    let case = swapped()?;
    let _swapper = Swapper::new(case.path("project/skills/greet"), case.path("project/link"));
    for run in 0..RUNS {
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

/// `skills/greet`, and a link to a folder outside to exchange it with.
fn swapped() -> Outcome<Case> {
    let case = Case::new()?;
    case.write("project/skills/greet/SKILL.md", faulty("inside"))?;
    case.write("outside/SKILL.md", faulty(OUTSIDE))?;
    symlink(case.path("outside"), case.path("project/link"))?;
    Ok(case)
}

/// A skill with a fault that is shown with its line, and can be fixed.
fn faulty(word: &str) -> String {
    text("greet", "", &format!("See [{word}]({word}.md)."))
        .replace("description: Does greet.", &format!("description: Greets: {word}."))
}

/// Writes a skill again through the folder itself, never through the link that may take its place.
fn rewrite(case: &Case, folder: &str, text: &str) {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY;
    let Ok(folder) = openat(CWD, case.path(folder), flags, Mode::empty()) else {
        return;
    };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW;
    if let Ok(file) = openat(&folder, "SKILL.md", flags, Mode::from_raw_mode(0o644)) {
        // A text that is not written again has been fixed already: this run attacks nothing.
        let _ = rustix::io::write(&file, text.as_bytes());
    }
}
