//! Many skills with one description, and texts of maximum length.

use crate::folder::Folder;
use crate::program::{program, run};
use std::fmt::Write as _;
use std::fs;
#[cfg(target_os = "linux")]
use std::process::Command;

/// The number of skills.
const MANY: usize = 2_000;

/// Skills that cannot be distinguished are counted, and the others are named with their folders.
pub(crate) fn one_description() -> Result<(), String> {
    let folder = Folder::new(&[])?;
    let skills = folder.project().join("skills");
    for number in 0..MANY {
        let skill = skills.join(format!("k-{number:04}"));
        fs::create_dir_all(&skill).map_err(|error| error.to_string())?;
        let text = format!(
            "---\nname: k-{number:04}\ndescription: Tidies the desk. Use when it is full.\n---\nGo.\n"
        );
        fs::write(skill.join("SKILL.md"), text).map_err(|error| error.to_string())?;
    }
    let mut triggers = "skill: k-1999\nshould:\n".to_owned();
    for number in 0..1_000 {
        writeln!(triggers, "- tidy the desk {number}").map_err(|error| error.to_string())?;
    }
    fs::write(skills.join("triggers.yaml"), triggers).map_err(|error| error.to_string())?;
    let layer = "--layer=many=skills";
    let words = "tidy the desk ".repeat(300_000);
    for (arguments, input, said) in [
        (
            &["overlap", "skills"][..],
            "",
            "2000 skills: 1999 pairs cannot be distinguished",
        ),
        (&["overlap", "skills"], "", "1949 more pairs"),
        (&["prompt", layer, "--client", "codex"], "", "left out"),
        (&["resolve", "--rank", layer], &words, "k-0000"),
        (&["test", "skills"], "", "1000 prompts: 0 passed"),
    ] {
        says(&folder, arguments, input, said)?;
    }
    Ok(())
}

/// The calls that open, list and read files.
#[cfg(target_os = "linux")]
const READING: &str = "trace=open,openat,openat2,close,read,pread64,stat,lstat,newfstatat,statx,getdents64,readlink,readlinkat";
/// The most system calls of a list for one skill of a project: 8 folders and files that are opened and closed, 2 listings,
/// and the questions for what most skills do not have.
#[cfg(target_os = "linux")]
const MOST_CALLS: usize = 26;

/// `list` repeats no system call for nothing. Without `strace`, the calls are not counted.
#[cfg(target_os = "linux")]
pub(crate) fn few_calls() -> Result<(), String> {
    let count = |skills: usize| -> Result<Option<usize>, String> {
        let folder = Folder::new(&[])?;
        for number in 0..skills {
            let skill = folder.project().join(format!(".agents/skills/k-{number}"));
            fs::create_dir_all(&skill).map_err(|error| error.to_string())?;
            let text = format!(
                "---\nname: k-{number}\ndescription: Tidies desk {number}. Use for it.\n---\nGo.\n"
            );
            fs::write(skill.join("SKILL.md"), text).map_err(|error| error.to_string())?;
        }
        let log = folder.home().join("calls");
        let of_program = program(&folder)?;
        let mut traced = Command::new("strace");
        traced.args(["-f", "-qq", "-e", READING, "-o"]).arg(&log);
        traced.arg(of_program.get_program()).arg("list");
        traced.env_clear().current_dir(folder.project());
        let variables = of_program.get_envs();
        traced.envs(variables.filter_map(|(name, value)| Some((name, value?))));
        match traced.output() {
            Ok(output) if output.status.success() => {
                let calls = fs::read_to_string(log).map_err(|error| error.to_string())?;
                Ok(Some(calls.lines().count()))
            }
            _ => Ok(None),
        }
    };
    let (Some(few), Some(more)) = (count(20)?, count(60)?) else {
        return Ok(());
    };
    let calls = (more - few) / 40;
    if more > few && calls <= MOST_CALLS {
        return Ok(());
    }
    Err(format!("{calls} system calls for a skill"))
}

fn says(folder: &Folder, arguments: &[&str], input: &str, said: &str) -> Result<(), String> {
    let output = run(program(folder)?.args(arguments), input.as_bytes())?;
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed);
    if printed.contains(said) && output.status.code().is_some_and(|code| code < 2) {
        return Ok(());
    }
    let start: String = printed.chars().take(2_000).collect();
    Err(format!("{arguments:?} did not say `{said}`: {start}"))
}
