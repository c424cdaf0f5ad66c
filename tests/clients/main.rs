//! Compares what `skills prompt --client` lists with what the programs themselves send.
//!
//! `.ci/parts/clients` runs the programs in the folders of `folders.rs`, and writes their lists into `kept`.
//! `SKILLS_CLIENTS_FOLDERS=DIR` writes the folders into DIR for it, and compares nothing; `SKILLS_LAYOUTS=DIR` does so
//! with the repositories of `layouts.rs`.

mod folders;
mod layouts;
mod placeholders;
mod places;

use folders::{Folder, folders};
use libtest_mimic::{Arguments, Failed, Trial};
use skills_tests::{is_program, own_program};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The number of bytes in the path of the temporary folder: the lists of Codex depend on the length of paths.
const LENGTH: usize = 100;

fn main() -> ExitCode {
    if is_program() {
        return skills_tool::run();
    }
    if let Some(at) = std::env::var_os("SKILLS_CLIENTS_FOLDERS") {
        let at = Path::new(&at);
        let mut written = folders().into_iter();
        let written =
            written.try_for_each(|folder| folder.write(&at.join(folder.name).join("skills")));
        return written.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    if let Some(at) = std::env::var_os("SKILLS_LAYOUTS") {
        let written = layouts::write_all(Path::new(&at));
        return written.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    let trials = folders().into_iter().flat_map(|folder| {
        let lists = lists(folder.name).unwrap_or_default();
        assert!(!lists.is_empty(), "no list of {} is kept", folder.name);
        lists.into_iter().map(move |list| trial(&folder, list))
    });
    let trials = trials
        .chain(layouts::trials())
        .chain(placeholders::trials())
        .chain(places::trials())
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Returns the kept lists of a folder.
fn lists(folder: &str) -> io::Result<Vec<PathBuf>> {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/kept");
    let lists = fs::read_dir(kept.join(folder))?;
    let mut lists: Vec<PathBuf> = lists
        .map(|list| Ok(list?.path()))
        .collect::<io::Result<_>>()?;
    lists.sort();
    Ok(lists)
}

fn trial(folder: &Folder, list: PathBuf) -> Trial {
    let name = list
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let folder = folder.clone();
    let trial = Trial::test(format!("{}::{name}", folder.name), move || {
        let ours = ours(&folder, &name).map_err(|error| Failed::from(error.to_string()))?;
        let theirs = fs::read_to_string(&list).map_err(|error| Failed::from(error.to_string()))?;
        first_difference(&ours, &theirs).map_or(Ok(()), |message| Err(Failed::from(message)))
    });
    // Windows has other names of files, and a link needs a right.
    trial.with_ignored_flag(cfg!(windows))
}

/// Returns what our program prints of a folder, with `[BASE]` for the path of the temporary folder.
fn ours(folder: &Folder, name: &str) -> io::Result<String> {
    let (client, context) = name.split_once('.').unwrap_or((name, ""));
    let temporary = tempfile::tempdir()?;
    let made = temporary.path().canonicalize()?;
    let rest = LENGTH.checked_sub(made.as_os_str().len() + 1);
    let rest =
        rest.ok_or_else(|| io::Error::other("the path of the temporary folder is too long"))?;
    let base = made.join("x".repeat(rest));
    let skills = match client {
        "claude-code" => ".claude/skills",
        _ => ".agents/skills",
    };
    let (home, project) = (base.join("home"), base.join("project"));
    fs::create_dir_all(&home)?;
    folder.write(&project.join(skills))?;
    let mut program = own_program(&home, &project)?;
    program.args(["prompt", skills, "--client", client]);
    if !context.is_empty() {
        program.args(["--context", context]);
    }
    let printed = String::from_utf8_lossy(&program.output()?.stdout).into_owned();
    Ok(printed.replace(&*base.to_string_lossy(), "[BASE]"))
}

/// Returns a message about the first line that differs.
fn first_difference(ours: &str, theirs: &str) -> Option<String> {
    if ours == theirs {
        return None;
    }
    let (mut ours, mut theirs) = (ours.lines(), theirs.lines());
    for number in 1.. {
        let pair = (ours.next(), theirs.next());
        if pair.0 != pair.1 || pair == (None, None) {
            return Some(format!(
                "line {number}\n  ours: {:?}\n  kept: {:?}",
                pair.0, pair.1
            ));
        }
    }
    None
}
