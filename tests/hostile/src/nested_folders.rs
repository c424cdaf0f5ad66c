//! Folders that are nested deeper than a process can open files.

use crate::attack::Outcome;
use crate::case::{Case, text};
use crate::process::Ran;
use std::ffi::OsStr;
use std::fs;
use std::time::Duration;

attacks![
    what_an_agent_nested_stops_no_later_command,
    what_is_trashed_is_removed_in_any_depth,
    a_removal_that_failed_is_finished,
    a_repair_with_nested_folders_is_refused,
];

/// More than a process may open in these attacks, and than a path holds.
const LEVELS: usize = 3_000;
const TEMPORARY: &str = "home/.local/share/skills/tmp";
const TRASH: &str = "home/.local/share/skills/trash";

/// Folders that an agent nested in a temporary folder are removed by the next command, with few open files.
fn what_an_agent_nested_stops_no_later_command() -> Outcome {
    let case = Case::new()?;
    case.skill("source/a", "", "Text.")?;
    git(&case, &["init", "-q", "."])?;
    git(&case, &["add", "."])?;
    git(&case, &["commit", "-q", "-m", "x"])?;
    nest(&case, &format!("{TEMPORARY}/1-0"), LEVELS)?;
    let url = format!("file://{}", case.path("source").display());
    let ran = few_files(&case, &["install", &url, "a", "--yes"])?;
    ran.expect(0)?;
    ensure!(
        !case.path(TEMPORARY).join("1-0").exists(),
        "it is left: {}",
        ran.shown()
    );
    // What cannot be removed is a warning.
    case.write(format!("{TEMPORARY}/2-0"), "in the way")?;
    let ran = few_files(&case, &["install", &url, "a", "--to", "project", "--yes"])?;
    ran.expect(0)?;
    ensure!(ran.stderr.contains("2-0"), "no warning: {}", ran.shown());
    Ok(())
}

/// `trash --empty` removes a skill in any depth.
fn what_is_trashed_is_removed_in_any_depth() -> Outcome {
    let case = Case::new()?;
    case.skill("home/.agents/skills/deep", "", "Text.")?;
    case.run(&["uninstall", "deep", "--yes", "--force"])?
        .expect(0)?;
    let trashed = only(&case, TRASH, "20")?;
    nest(&case, &format!("{TRASH}/{trashed}/skill"), LEVELS)?;
    let ran = few_files(&case, &["restore", "--empty", "--yes"])?;
    ran.expect(0)?;
    let left = fs::read_dir(case.path(TRASH))?.flatten();
    let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
    ensure!(left.iter().all(|name| name == ".lock"), "{left:?} is left");
    Ok(())
}

/// `trash` reports what is left of a removal that failed, and `trash --empty` finishes the removal, also if the trash
/// contains no skills.
fn a_removal_that_failed_is_finished() -> Outcome {
    let case = Case::new()?;
    nest(&case, &format!("{TRASH}/.gone-old"), LEVELS)?;
    let ran = few_files(&case, &["restore", "--list"])?;
    ensure!(ran.stderr.contains(".gone-old"), "{}", ran.shown());
    few_files(&case, &["restore", "--empty", "--yes"])?.expect(0)?;
    ensure!(!case.path(TRASH).join(".gone-old").exists(), "it is left");
    Ok(())
}

/// A repair that nests folders, or makes very many, is refused soon, and nothing is left of it.
fn a_repair_with_nested_folders_is_refused() -> Outcome {
    let nested = format!("mkdir -p {}", "d/".repeat(LEVELS));
    let many = "seq 0 20100 | xargs mkdir";
    for (agent, why) in [
        (nested.as_str(), "levels deep"),
        (many, "files and folders"),
    ] {
        let case = Case::new()?;
        case.write(
            "home/.agents/skills/find/SKILL.md",
            text("find", "", "Text."),
        )?;
        case.write(
            "project/agent.sh",
            format!("cat >/dev/null\n({agent})\necho changed: x\n"),
        )?;
        let trace = r#"{"skills":["find"],"steps":[{"tool":"x","error":"No such tool"}]}"#;
        case.write("project/trace.json", trace)?;
        let script = case.path("project/agent.sh");
        let agent = format!("sh {}", script.display());
        let ran = few_files(
            &case,
            &[
                "improve",
                "find",
                "--trace",
                "trace.json",
                "--agent",
                &agent,
            ],
        )?;
        ran.expect(1)?;
        ensure!(ran.printed().contains(why), "{}", ran.shown());
        ensure!(
            ran.computing < Duration::from_secs(10),
            "{:?}",
            ran.computing
        );
        let left = fs::read_dir(case.path(TEMPORARY)).map_or(0, Iterator::count);
        ensure!(left == 0, "{left} temporary folders are left");
    }
    Ok(())
}

/// Runs the program as a process that may open 256 files.
fn few_files(case: &Case, arguments: &[&str]) -> Outcome<Ran> {
    let mut command = case.command_of("sh");
    command.args(["-c", "ulimit -n 256; exec \"$@\"", "sh"]);
    command.arg(crate::program::file()?).args(arguments);
    Ran::of(&mut command)
}

/// Makes folders in each other. The path is longer than the system takes, so `mkdir` goes into each folder.
fn nest(case: &Case, folder: &str, levels: usize) -> Outcome {
    fs::create_dir_all(case.path(folder))?;
    let mut command = case.command_of("mkdir");
    command.arg("-p").arg("d/".repeat(levels));
    Ran::of(command.current_dir(case.path(folder)))?.expect(0)
}

/// The only entry of a folder whose name has a beginning.
fn only(case: &Case, folder: &str, begin: &str) -> Outcome<String> {
    let entries = fs::read_dir(case.path(folder))?.flatten();
    let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let name = names.find(|name| name.starts_with(begin));
    Ok(name.ok_or("nothing is there")?)
}

fn git(case: &Case, arguments: &[&str]) -> Outcome {
    let mut command = case.command_of(OsStr::new("git"));
    command.args([
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b.example",
        "-c",
        "init.defaultBranch=main",
    ]);
    command.args(arguments).current_dir(case.path("source"));
    Ran::of(&mut command)?.expect(0)
}
