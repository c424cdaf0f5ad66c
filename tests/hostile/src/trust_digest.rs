//! Entries of a skill's folder that a careless digest would leave out.

use crate::attack::{Outcome, sample_or_all, skipped};
use crate::case::{Case, trusting};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

attacks![
    an_editors_copy_is_covered,
    git_files_are_covered,
    hidden_and_ignored_files_are_covered,
    links_and_their_targets_are_covered,
    empty_folders_are_covered,
    names_that_are_not_utf8_are_covered,
    a_skill_with_a_pipe_cannot_be_trusted,
    a_skill_with_a_link_out_cannot_be_trusted,
    many_small_files_do_not_hang,
];

const SKILL: &str = "project/.agents/skills/a";

/// Trust ends when an editor's copy of a file is added or changed.
fn an_editors_copy_is_covered() -> Outcome {
    ends("x.sh~", |case| case.write(in_skill("x.sh~"), "rm"))
}

/// Trust ends when a file under `.git` is added or changed.
fn git_files_are_covered() -> Outcome {
    ends(".git/hooks/post-checkout", |case| {
        case.write(in_skill(".git/hooks/post-checkout"), "rm")
    })
}

/// Trust ends when a hidden file, or a file in a folder of build results, is added or changed.
fn hidden_and_ignored_files_are_covered() -> Outcome {
    for file in [
        ".DS_Store",
        ".env",
        ".hidden/x",
        "node_modules/x.js",
        "target/x",
        "__pycache__/x.pyc",
        ".#lock",
        "Thumbs.db",
        "x.swp",
        "nested/SKILL.md",
    ] {
        ends(file, |case| case.write(in_skill(file), "rm"))?;
    }
    Ok(())
}

/// Trust ends when a link is added, or leads to another place.
fn links_and_their_targets_are_covered() -> Outcome {
    let link = |case: &Case, to: &str| -> Outcome {
        let path = case.path(in_skill("link.sh"));
        // The link may exist already, when it is changed.
        let _ = fs::remove_file(&path);
        Ok(symlink(to, path)?)
    };
    changed(
        "a link that is added",
        |_| Ok(()),
        |case| link(case, "one.sh"),
    )?;
    changed(
        "a link that leads elsewhere",
        |case| link(case, "one.sh"),
        |case| link(case, "two.sh"),
    )?;
    changed(
        "a broken link",
        |case| link(case, "nowhere"),
        |case| link(case, "nowhere-else"),
    )?;
    changed(
        "a file that becomes a link to the same content",
        |case| case.write(in_skill("link.sh"), "the same\n"),
        |case| link(case, "one.sh"),
    )
}

/// Trust ends when a folder is added, even an empty one.
fn empty_folders_are_covered() -> Outcome {
    changed(
        "an empty folder",
        |_| Ok(()),
        |case| Ok(fs::create_dir(case.path(in_skill("empty")))?),
    )
}

/// Trust ends when files whose names are not UTF-8 exchange their contents.
fn names_that_are_not_utf8_are_covered() -> Outcome {
    let name = |byte: u8| PathBuf::from(SKILL).join(OsStr::from_bytes(&[b'x', byte]));
    let write = move |case: &Case, (one, other): (&str, &str)| {
        case.write(name(0xfe), one)?;
        case.write(name(0xff), other)
    };
    if write(&Case::new()?, ("", "")).is_err() {
        return skipped("the file system holds no such name");
    }
    changed(
        "contents that are exchanged",
        move |case| write(case, ("one", "two")),
        move |case| write(case, ("two", "one")),
    )
}

/// A skill whose folder holds a named pipe cannot be trusted, and says why.
fn a_skill_with_a_pipe_cannot_be_trusted() -> Outcome {
    let case = skill()?;
    let pipe = case.path(in_skill("pipe"));
    if !Command::new("mkfifo")
        .arg(pipe)
        .status()
        .is_ok_and(|status| status.success())
    {
        return skipped("mkfifo makes no pipe");
    }
    refused(&case, "pipe")
}

/// A skill whose folder holds a link that leads out cannot be trusted, and says why.
fn a_skill_with_a_link_out_cannot_be_trusted() -> Outcome {
    for to in ["../b/SKILL.md", "/etc/hostname", "../../../../outside"] {
        let case = skill()?;
        case.skill("project/.agents/skills/b", "", "Text.")?;
        case.write("outside", "x")?;
        symlink(to, case.path(in_skill("link-out")))?;
        refused(&case, "link-out").map_err(|error| format!("{to}: {error}"))?;
    }
    Ok(())
}

fn in_skill(path: &str) -> String {
    format!("{SKILL}/{path}")
}

fn skill() -> Outcome<Case> {
    let case = Case::new()?;
    case.skill(SKILL, "", "Text.")?;
    case.write(in_skill("one.sh"), "the same\n")?;
    case.write(in_skill("two.sh"), "the same\n")?;
    Ok(case)
}

/// Checks that trust ends for a file of the same length and time: added, and changed.
fn ends(file: &str, change: impl Fn(&Case) -> Outcome + Copy) -> Outcome {
    changed(&format!("{file} is added"), |_| Ok(()), change)?;
    changed(
        &format!("{file} is changed"),
        |case| case.write(in_skill(file), "ls"),
        change,
    )
}

/// Trusts a skill, changes it, and checks that trust has ended.
fn changed(
    what: &str,
    before: impl Fn(&Case) -> Outcome,
    change: impl Fn(&Case) -> Outcome,
) -> Outcome {
    let case = skill()?;
    before(&case)?;
    case.trust("a")
        .map_err(|error| format!("{what}: not trusted: {error}"))?;
    case.run(&["inspect", "activate", "a"])?.expect(0)?;
    change(&case)?;
    let ran = case.run(&["inspect", "activate", "a"])?;
    ensure!(
        ran.code == Some(1),
        "{what}: still started: {}",
        ran.shown()
    );
    Ok(())
}

fn refused(case: &Case, reason: &str) -> Outcome {
    let ran = case.run(&trusting("a"))?;
    ran.expect_any(&[1, 2])?;
    ensure!(
        ran.stderr.contains(reason),
        "the reason is not named: {}",
        ran.shown()
    );
    ensure!(!case.is_trusted("a")?, "it is trusted");
    Ok(())
}

/// A skill of very many small files is trusted and compared in a time that is linear in their number.
fn many_small_files_do_not_hang() -> Outcome {
    let case = Case::new()?;
    case.skill("project/.agents/skills/many", "", "Text.")?;
    let folder = case.path("project/.agents/skills/many");
    for n in 0..sample_or_all(4_000, 15_000) {
        fs::write(folder.join(format!("{n}.md")), format!("{n}"))?;
    }
    case.trust("many")?;
    case.trust("many")?;
    fs::write(folder.join("0.md"), "Another text.")?;
    let shown = case.run(&["trust", "--diff", "many"])?;
    shown.expect_any(&[0, 1])?;
    ensure!(
        shown.stdout.contains("Another text."),
        "--diff: {}",
        shown.shown()
    );
    Ok(())
}
