//! Skills over the limits: their sizes are checked before a byte is read.

use crate::attack::Outcome;
use crate::case::{Case, trusting};
use crate::process::Ran;
use std::fs::File;

attacks![
    a_huge_file_is_not_read,
    many_large_files_are_not_read,
    too_many_files_are_reported,
    a_huge_resource_is_not_read,
    trust_does_not_read_a_huge_file,
    trust_and_show_read_no_skill_that_is_too_large,
    arguments_do_not_multiply,
];

/// Maximum memory of a refusal in bytes.
const MOST: u64 = 200 * 1024 * 1024;
/// The rule that reports a skill over the limits.
const RULE: &str = "skill-too-large";
const MEBIBYTE: u64 = 1024 * 1024;
const READING: &[&[&str]] = &[&["check", "skills"], &["lock", "skills"]];

/// A skill of more than 16 MiB is reported and not read: one file of 1 GiB.
fn a_huge_file_is_not_read() -> Outcome {
    let case = Case::new()?;
    case.skill("project/skills/big", "", "See [it](data.bin).")?;
    case.sparse("project/skills/big/data.bin", 1024 * MEBIBYTE)?;
    all_refuse(&case)
}

/// A skill of more than 16 MiB is reported and not read: 40 files of 15 MiB.
fn many_large_files_are_not_read() -> Outcome {
    let case = Case::new()?;
    case.skill("project/skills/big", "", "See [them](data).")?;
    for n in 0..40 {
        case.sparse(&format!("project/skills/big/data/{n}.bin"), 15 * MEBIBYTE)?;
    }
    all_refuse(&case)
}

/// A skill of more than 512 files is reported.
fn too_many_files_are_reported() -> Outcome {
    let case = Case::new()?;
    of_many_files(&case, 10_001)?;
    all_refuse(&case)?;
    // A check reads a skill of a few more files than a build takes, and warns.
    let case = Case::new()?;
    of_many_files(&case, 600)?;
    let ran = case.run(&["check", "skills"])?;
    ran.expect(0)?;
    small(&ran)?;
    case.run(&["lock", "skills"])?.expect_any(&[1, 2])?;
    Ok(())
}

/// Adds a skill of a number of small files.
fn of_many_files(case: &Case, files: usize) -> Outcome {
    case.skill("project/skills/big", "", "See [them](data).")?;
    for n in 0..files {
        case.write(format!("project/skills/big/data/{n}.txt"), "x")?;
    }
    Ok(())
}

/// A resource that is too large is refused to a model, and not read.
fn a_huge_resource_is_not_read() -> Outcome {
    let case = Case::new()?;
    case.skill("home/.agents/skills/big", "", "See [it](data.txt).")?;
    case.sparse("home/.agents/skills/big/data.txt", 1024 * MEBIBYTE)?;
    let ran = case.run(&[
        "inspect",
        "tools",
        "read_skill_resource",
        r#"{"name":"big","path":"data.txt"}"#,
    ])?;
    ran.expect(1)?;
    small(&ran)?;
    small(&case.run(&["list"])?)?;
    small(&case.run(&["show", "big"])?)?;
    small(&case.run(&["inspect", "activate", "big"])?)
}

/// A skill that is too large cannot be trusted, and is not read to find that out.
fn trust_does_not_read_a_huge_file() -> Outcome {
    let case = Case::new()?;
    case.skill("project/.agents/skills/big", "", "See [it](data.bin).")?;
    case.sparse("project/.agents/skills/big/data.bin", 1024 * MEBIBYTE)?;
    let ran = case.run(&trusting("big"))?;
    ran.expect_any(&[1, 2])?;
    small(&ran)?;
    ensure!(!case.is_trusted("big")?, "it is trusted");
    Ok(())
}

/// A skill with too many large files is not read: not to trust it, not to show its digest, and not to check earlier
/// trust.
fn trust_and_show_read_no_skill_that_is_too_large() -> Outcome {
    const TOO_MANY: &str = "268435456";
    let case = Case::new()?;
    for skill in ["project/.agents/skills/big", "home/.agents/skills/own"] {
        case.skill(skill, "", "See [them](data).")?;
    }
    case.trust("big")?;
    for skill in ["project/.agents/skills/big", "home/.agents/skills/own"] {
        for n in 0..512 {
            case.sparse(&format!("{skill}/data/{n}.bin"), 16 * MEBIBYTE)?;
        }
    }
    for command in [
        &["show", "big"][..],
        &["show", "own"],
        &["show", "own", "--format", "json"],
        &["trust", "big", "--yes"],
        &["trust", "--diff", "big"],
        &["trust"],
    ] {
        let ran = case.run(command)?;
        ran.expect_any_code()?;
        small(&ran)?;
        let said = ran.printed();
        ensure!(
            said.contains(TOO_MANY),
            "{command:?} does not say why: {}",
            ran.shown()
        );
    }
    for command in [
        &["list"][..],
        &["prompt"],
        &["inspect", "activate", "own"],
        &["inspect", "tools", "skill", r#"{"name":"own"}"#],
        &[
            "inspect",
            "tools",
            "read_skill_resource",
            r#"{"name":"own","path":"data/1.bin"}"#,
        ],
    ] {
        let ran = case.run(command)?;
        ran.expect_any_code()?;
        small(&ran)?;
    }
    case.run(&["inspect", "activate", "big"])?.expect(1)?;
    ensure!(!case.is_trusted("big")?, "it is still trusted");
    Ok(())
}

/// Instructions with ninety thousand `$ARGUMENTS` do not turn long arguments into gigabytes.
fn arguments_do_not_multiply() -> Outcome {
    let case = Case::new()?;
    let body = "$ARGUMENTS ".repeat(90_000);
    case.skill("home/.agents/skills/many", "", &body)?;
    let arguments = "x".repeat(60_000);
    let call = serde_json::json!({ "name": "many", "arguments": arguments }).to_string();
    let message = format!("$many {arguments}");
    for command in [
        &["inspect", "activate", "many", &arguments][..],
        &["inspect", "tools", "skill", &call],
        &["resolve", &message],
    ] {
        let ran = case.run(command)?;
        ran.expect_any_code()?;
        let name = command[0];
        ensure!(ran.peak < MOST, "`{name}` holds {} bytes", ran.peak);
        ensure!(
            ran.printed().contains("1048576 bytes"),
            "`{name}` does not say why: {}",
            ran.shown()
        );
    }
    let ran = case.run(&["inspect", "activate", "many", "ten bytes!"])?;
    ran.expect(0)
}

fn all_refuse(case: &Case) -> Outcome {
    let mut broken = Vec::new();
    for command in READING {
        let refused = case.run(command).and_then(|ran| {
            ran.expect_any(&[1, 2])?;
            // The other commands refer to `check`.
            let is_told = command.first() != Some(&"check") || ran.printed().contains(RULE);
            ensure!(is_told, "{RULE} is not reported: {}", ran.shown());
            small(&ran)
        });
        if let Err(error) = refused {
            broken.push(format!("{}: {error}", command.join(" ")));
        }
    }
    ensure!(broken.is_empty(), "{}", broken.join("\n"));
    Ok(())
}

fn small(ran: &Ran) -> Outcome {
    ensure!(
        ran.peak < MOST,
        "{} MiB of memory: {}",
        ran.peak / MEBIBYTE,
        ran.shown()
    );
    Ok(())
}

impl Case {
    /// Makes a sparse file, which takes no room on the disk.
    fn sparse(&self, path: &str, length: u64) -> Outcome {
        self.write(path, "")?;
        let file = File::options().write(true).open(self.path(path))?;
        Ok(file.set_len(length)?)
    }
}
