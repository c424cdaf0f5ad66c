//! Each program, run as its first lines say.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

type Tested = Result<(), Box<dyn Error>>;

fn run(program: &str, arguments: &[&Path], input: &str) -> Result<String, Box<dyn Error>> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    stdin.write_all(input.as_bytes())?;
    drop(stdin);
    let output = child.wait_with_output()?;
    assert!(output.status.success());
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn provision() -> Tested {
    let program = env!("CARGO_BIN_EXE_provision");
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let first = run(program, &[folder], "")?;
    assert_eq!(
        first,
        "wrote code-review/SKILL.md\nwrote deploy/SKILL.md\nwrote deploy/scripts/smoke.sh\n"
    );
    fs::write(folder.join("deploy/SKILL.md"), "mine")?;
    let second = run(program, &[folder], "")?;
    assert_eq!(second, "deploy/SKILL.md was edited and stays as it is\n");
    Ok(())
}

#[test]
fn flat() -> Tested {
    let text = run(
        env!("CARGO_BIN_EXE_flat"),
        &[],
        "please $tidy-up the garage\n",
    )?;
    assert!(text.contains("Put things that belong together"), "{text}");
    Ok(())
}

#[test]
fn fields() -> Tested {
    let program = env!("CARGO_BIN_EXE_fields");
    let folder = tempfile::tempdir()?;
    let skill = folder.path().join("mine");
    fs::create_dir(&skill)?;
    let text = "---\nname: mine\ndescription: Mine.\nactivation:\n  keywords: mail\n---\nGo.\n";
    fs::write(skill.join("SKILL.md"), text)?;
    let text = run(program, &[folder.path()], "sort my mail\n")?;
    let file = skill.join("SKILL.md");
    let file = file.display();
    assert_eq!(
        text,
        format!(
            "{file}:5:13: error[field-type]: activation.keywords: invalid type: string \"mail\", expected a sequence\n\
             triage starts, with Some(400) tokens at most\n"
        )
    );
    Ok(())
}

#[test]
fn enumerated() -> Tested {
    let text = run(env!("CARGO_BIN_EXE_enum"), &[Path::new("deploy")], "")?;
    assert!(text.starts_with("🚀 1. Run `acme status`."), "{text}");
    assert_eq!(
        run(env!("CARGO_BIN_EXE_enum"), &[], "")?,
        "🔎 code-review\n🚀 deploy\n"
    );
    Ok(())
}

#[test]
fn category() -> Tested {
    let folder = tempfile::tempdir()?;
    let skill = folder.path().join("mail/triage");
    fs::create_dir_all(&skill)?;
    let text = "---\nname: triage\ndescription: Sorts.\n---\nSort.\n";
    fs::write(skill.join("SKILL.md"), text)?;
    assert_eq!(
        run(env!("CARGO_BIN_EXE_category"), &[folder.path()], "")?,
        "mail: triage\nquality: code-review\nrelease: deploy\n"
    );
    Ok(())
}

/// The program that `cargo skills init` writes.
#[test]
fn init() -> Tested {
    let words = [Path::new("$deploy"), Path::new("now")];
    let text = run(env!("CARGO_BIN_EXE_init"), &words, "")?;
    assert!(text.contains("<name>triage</name>"), "{text}");
    assert!(text.contains("<skill_content name=\"deploy\""), "{text}");
    Ok(())
}

#[test]
fn store() -> Tested {
    let acme = [Path::new("acme")];
    let text = run(
        env!("CARGO_BIN_EXE_store"),
        &acme,
        "$refund order 12\n$secret x\n",
    )?;
    assert!(text.contains("Ask for the number of the order."), "{text}");
    assert!(!text.contains("Hush"), "{text}");
    Ok(())
}
