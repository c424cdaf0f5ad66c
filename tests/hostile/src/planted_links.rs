//! Links in the places of the program's temporary files and locks.

use crate::attack::{Outcome, skipped};
use crate::case::Case;
use crate::deeds::{DEEDS, Deed};
use crate::process::Ran;
use crate::program;
use crate::strace;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;

attacks![
    links_to_a_file_are_not_written_through,
    links_to_nothing_are_not_written_through,
    what_is_installed_into_a_project_stays_in_it,
    a_new_skill_stays_in_the_project,
];

/// Stands for the number of the process in a file name, in shell syntax.
const PROCESS: &str = "$$";
const KEPT: &str = "kept";

/// No file outside is changed through a link in the place of a temporary file or a lock.
fn links_to_a_file_are_not_written_through() -> Outcome {
    planted(|case| case.write("outside/file", KEPT))
}

/// No file outside is created through a dangling link in the place of a temporary file or a lock.
fn links_to_nothing_are_not_written_through() -> Outcome {
    planted(|case| Ok(fs::create_dir_all(case.path("outside"))?))
}

/// `install --to project` writes nothing outside of the project, wherever a link of the project leads.
fn what_is_installed_into_a_project_stays_in_it() -> Outcome {
    for (link, target) in [
        (".agents/skills", "../../outside"),
        (".agents", "../outside"),
        (".agents/skills", "../../home/.agents/skills"),
    ] {
        let case = Case::new()?;
        case.skill("source/a", "", "Text.")?;
        for folder in ["project/.git", "outside", "home/.agents/skills"] {
            fs::create_dir_all(case.path(folder))?;
        }
        let link = case.path("project").join(link);
        fs::create_dir_all(link.parent().ok_or("no folder")?)?;
        symlink(target, &link)?;
        let ran = case.run(&["install", "../source", "a", "--to", "project", "--yes"])?;
        ran.expect_any(&[1, 2])?;
        for folder in ["outside", "home/.agents/skills"] {
            let made = fs::read_dir(case.path(folder))?.count();
            ensure!(made == 0, "{target}: something was installed into {folder}");
        }
    }
    Ok(())
}

/// `new` makes nothing outside of the project, wherever a link of the project leads. Links that stay in the project
/// are followed.
fn a_new_skill_stays_in_the_project() -> Outcome {
    for (link, target, folder) in [
        (".agents", "../outside", None),
        (".agents/skills", "../../outside", None),
        (".agents/skills", "../../outside/gone", None),
        (".agents/skills", "../../home/.agents/skills", None),
        ("sub/skills", "../../outside", Some("sub/skills")),
        ("sub/skills", "../../outside", Some("x/../sub/skills/deep")),
        ("sub/skills", "../inside", Some("sub/skills")),
    ] {
        for is_repository in [true, false] {
            let case = Case::new()?;
            for folder in [
                "outside",
                "home/.agents/skills",
                "project/inside",
                "project/x",
            ] {
                fs::create_dir_all(case.path(folder))?;
            }
            if is_repository {
                fs::create_dir(case.path("project/.git"))?;
            }
            let link = case.path("project").join(link);
            fs::create_dir_all(link.parent().ok_or("no folder")?)?;
            symlink(target, &link)?;
            let mut arguments = vec!["new", "fresh"];
            arguments.extend(folder.map_or(["--to", "project"], |folder| ["--to", folder]));
            let ran = case.run(&arguments)?;
            ran.expect(if target == "../inside" { 0 } else { 2 })?;
            for folder in ["outside", "home/.agents/skills"] {
                let made = fs::read_dir(case.path(folder))?.count();
                ensure!(made == 0, "{target}: something was made in {folder}");
            }
        }
    }
    Ok(())
}

fn planted(outside: fn(&Case) -> Outcome) -> Outcome {
    if let Some(reason) = strace::missing() {
        return skipped(&reason);
    }
    let case = Case::new()?;
    let mut broken = Vec::new();
    for deed in DEEDS {
        // No link can wait at a name that differs each time.
        let names: BTreeSet<String> = made(&case, deed)?
            .intersection(&made(&case, deed)?)
            .cloned()
            .collect();
        for name in names {
            case.clear()?;
            (deed.prepare)(&case)?;
            outside(&case)?;
            let ran = run_over(&case, deed, &name)?;
            if let Err(error) = is_untouched(&case, &ran) {
                broken.push(format!("{} over {name}: {error}", deed.arguments.join(" ")));
            }
        }
    }
    ensure!(broken.is_empty(), "{}", broken.join("\n"));
    Ok(())
}

/// Returns the files that a command opens for writing, relative to the case's folder.
fn made(case: &Case, deed: &Deed) -> Outcome<BTreeSet<String>> {
    case.clear()?;
    (deed.prepare)(case)?;
    let (ran, calls) = strace::writing_calls(case, deed.arguments)?;
    ran.expect(0)?;
    let folder = format!("{}/", case.path("").to_string_lossy().trim_end_matches('/'));
    let opens = calls
        .iter()
        .filter(|call| call.name == "openat" || call.name == "open");
    let names = opens.filter_map(|call| {
        // `= 3</path/of/the/file>`
        let (_, opened) = call.line.rsplit_once('<')?;
        let path = opened
            .trim_end()
            .trim_end_matches('>')
            .strip_prefix(&folder)?;
        Some(path.replace(&call.process, PROCESS))
    });
    Ok(names.collect())
}

/// Runs a command with a link in the place of the process's file. The shell that makes the link becomes the program,
/// and keeps its process number.
fn run_over(case: &Case, deed: &Deed, name: &str) -> Outcome<Ran> {
    let script = format!(
        "rm -f \"$CASE/{name}\"; ln -s \"$CASE/outside/file\" \"$CASE/{name}\"; exec \"$@\""
    );
    let mut command = case.command_of("sh");
    command
        .env("CASE", case.path(""))
        .args(["-c", &script, "sh"])
        .arg(program::file()?)
        .args(deed.arguments);
    Ran::of(&mut command)
}

fn is_untouched(case: &Case, ran: &Ran) -> Outcome {
    ran.expect_any_code()?;
    let made = fs::read_dir(case.path("outside"))?.count();
    let file = fs::read(case.path("outside/file"));
    let is_kept = file.map_or(made == 0, |bytes| made == 1 && bytes == KEPT.as_bytes());
    ensure!(is_kept, "the file outside was changed or made");
    Ok(())
}
