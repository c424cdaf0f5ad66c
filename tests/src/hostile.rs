//! Tests that no document can show: closed pipes, unusual bytes, and other items in the place of files.

use crate::folder::Folder;
use crate::program::{program, run};
#[cfg(unix)]
use crate::ways;
use crate::{many, served};
use std::fs;
use std::process::{Command, Output, Stdio};

/// A test. The error shows the actual result.
pub(crate) type Test = fn() -> Result<(), String>;

/// The tests, by name. Tests that need Unix are listed only there.
pub const HOSTILE: &[(&str, Test)] = &[
    ("a closed pipe ends the program quietly", closed_pipe),
    ("a full disk is told", full_disk),
    ("colour is a choice", colour),
    ("a message that is no UTF-8", no_utf8_message),
    #[cfg(unix)]
    ("an argument that is no UTF-8", no_utf8_argument),
    #[cfg(unix)]
    ("a folder whose name is no UTF-8", no_utf8_folder),
    ("a megabyte of dollars", many_dollars),
    (
        "two thousand skills with one description",
        many::one_description,
    ),
    #[cfg(target_os = "linux")]
    ("a list asks for each skill a few times", many::few_calls),
    ("a pipe where a SKILL.md should be", fifo),
    (
        "a file where the folder of skills should be",
        file_for_folder,
    ),
    #[cfg(unix)]
    ("links to nowhere and in a circle", links),
    #[cfg(unix)]
    ("a working folder that is gone", no_working_folder),
    #[cfg(unix)]
    ("a pipe in the place of a SKILL.md", pipe),
    ("any bytes in a SKILL.md", any_bytes),
    #[cfg(unix)]
    ("a file that cannot be written is not lost", unwritable),
    (
        "a server follows what a person decides",
        served::follows_decisions,
    ),
    (
        "a server keeps what a person decided when folders change",
        served::keeps_decisions_when_folders_change,
    ),
    (
        "a server that other machines can reach prints a warning",
        served::warns_where_others_reach,
    ),
    #[cfg(unix)]
    (
        "typed arguments give the same text, whatever starts the skill",
        ways::give_the_same_text,
    ),
];

/// Compares the exit code and a part of standard error with the expected values.
fn expect(output: &Output, code: i32, told: &str) -> Result<(), String> {
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.code() != Some(code) || !stderr.contains(told) {
        return Err(format!(
            "expected {code} and `{told}`, came {}\n{stderr}",
            output.status
        ));
    }
    if stderr.contains("panicked") {
        return Err(stderr.into_owned());
    }
    Ok(())
}

fn closed_pipe() -> Result<(), String> {
    let folder = Folder::new(&[])?;
    let output = with_closed_pipe(
        &folder,
        &[
            "show",
            "code-review",
            "--layer",
            "bundled",
            "--format",
            "json",
        ],
    )?;
    if !output.stderr.is_empty() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    expect(&output, 0, "")?;
    // A reader that stops early does not change the findings.
    let skill = folder.project().join("skills/x");
    let written = fs::create_dir_all(&skill)
        .and_then(|()| fs::write(skill.join("SKILL.md"), "No front matter.\n"));
    written.map_err(|error| error.to_string())?;
    let output = with_closed_pipe(&folder, &["check", "skills"])?;
    expect(&output, 1, "1 skill checked: 1 error")?;
    // Also where the lines are more than a pipe holds, and the verdict comes after them.
    for at in 0..2_000 {
        fs::write(skill.join(format!("{at}.py")), "1").map_err(|error| error.to_string())?;
    }
    let empty = folder.project().join("empty");
    fs::create_dir(&empty).map_err(|error| error.to_string())?;
    for format in ["text", "full", "markdown", "json", "github"] {
        let arguments = ["diff", "empty", "skills", "--deny=widening", "-f", format];
        let output = with_closed_pipe(&folder, &arguments)?;
        expect(&output, 1, "")?;
    }
    Ok(())
}

/// Runs the program with a standard output that nobody reads.
fn with_closed_pipe(folder: &Folder, arguments: &[&str]) -> Result<Output, String> {
    let mut child = program(folder)?
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    drop(child.stdout.take());
    child.wait_with_output().map_err(|error| error.to_string())
}

fn full_disk() -> Result<(), String> {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
        return Ok(());
    };
    let folder = Folder::new(&[])?;
    let output = program(&folder)?
        .args(["list", "--layer", "bundled"])
        .stdin(Stdio::null())
        .stdout(full)
        .output()
        .map_err(|error| error.to_string())?;
    expect(
        &output,
        2,
        "cannot write to standard output: no space left on the disk",
    )
}

fn colour() -> Result<(), String> {
    let folder = Folder::new(&[])?;
    for (arguments, variable, is_coloured) in [
        (["--color", "always", "list"], None, true),
        (["--color", "auto", "list"], None, false),
        (["--color", "never", "list"], None, false),
        (["--color", "auto", "list"], Some("CLICOLOR_FORCE"), true),
        (["--color", "auto", "list"], Some("NO_COLOR"), false),
    ] {
        let mut command = program(&folder)?;
        command
            .args(arguments)
            .args(["--layer", "bundled"])
            .envs(variable.map(|name| (name, "1")));
        let output = run(&mut command, b"")?;
        expect(&output, 0, "")?;
        if output.stdout.contains(&0x1b) != is_coloured {
            return Err(format!(
                "{arguments:?} {variable:?}: colour where none is due, or none where it is"
            ));
        }
    }
    Ok(())
}

fn no_utf8_message() -> Result<(), String> {
    let folder = Folder::new(&[])?;
    let output = run(program(&folder)?.arg("resolve"), b"$a \xff")?;
    expect(&output, 2, "not UTF-8: byte 3 is invalid")
}

#[cfg(unix)]
fn no_utf8_argument() -> Result<(), String> {
    use std::os::unix::ffi::OsStrExt as _;
    let odd = std::ffi::OsStr::from_bytes(b"$a \xff");
    let folder = Folder::new(&[])?;
    let output = run(program(&folder)?.arg("resolve").arg(odd), b"")?;
    expect(&output, 2, "invalid UTF-8")
}

#[cfg(unix)]
fn no_utf8_folder() -> Result<(), String> {
    use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
    let folder = Folder::new(&[])?;
    let odd = std::ffi::OsStr::from_bytes(b"odd\xff");
    let skill = folder.project().join(odd).join("greet");
    if fs::create_dir_all(&skill).is_err() {
        // Some file systems do not support such a name.
        return Ok(());
    }
    let text = "---\nname: greet\ndescription: Greets. Use when asked.\n---\nHello.\n";
    fs::write(skill.join("SKILL.md"), text).map_err(|error| error.to_string())?;
    let layer = std::ffi::OsString::from_vec([b"mine=", odd.as_bytes()].concat());
    let mut command = program(&folder)?;
    command
        .arg("show")
        .arg("greet")
        .arg("--body")
        .arg("--layer")
        .arg(layer);
    let output = run(&mut command, b"")?;
    expect(&output, 0, "")?;
    expect(
        &run(program(&folder)?.arg("check").arg(odd), b"")?,
        0,
        "1 skill checked",
    )
}

fn many_dollars() -> Result<(), String> {
    let folder = Folder::new(&[])?;
    for (text, exit) in [
        ("$".repeat(1 << 20), 0),
        ("$a ".repeat(1 << 18), 1),
        ("$code-review ".repeat(1 << 16), 0),
    ] {
        let mut command = program(&folder)?;
        command.args(["resolve", "--layer", "bundled", "--format", "json"]);
        expect(&run(&mut command, text.as_bytes())?, exit, "")?;
    }
    Ok(())
}

fn fifo() -> Result<(), String> {
    let folder = Folder::new(&[])?;
    let skill = folder.home().join(".agents/skills/pipe");
    fs::create_dir_all(&skill).map_err(|error| error.to_string())?;
    let made = Command::new("mkfifo").arg(skill.join("SKILL.md")).status();
    if !made.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    expect(
        &run(program(&folder)?.args(["list", "-v"]), b"")?,
        0,
        "SKILL.md",
    )?;
    let output = run(program(&folder)?.arg("check").arg(&skill), b"")?;
    expect(&output, 1, "")?;
    let config = folder.project().join("skills");
    fs::create_dir_all(config.join("a")).map_err(|error| error.to_string())?;
    fs::write(config.join("a/SKILL.md"), "").map_err(|error| error.to_string())?;
    let made = Command::new("mkfifo")
        .arg(config.join("skills.toml"))
        .status();
    if made.is_ok_and(|status| status.success()) {
        let output = run(program(&folder)?.arg("check").arg(&config), b"")?;
        expect(&output, 2, "it is not a file")?;
    }
    Ok(())
}

fn file_for_folder() -> Result<(), String> {
    let folder = Folder::new(&[])?;
    let agents = folder.home().join(".agents");
    fs::create_dir_all(&agents).map_err(|error| error.to_string())?;
    fs::write(agents.join("skills"), "no folder").map_err(|error| error.to_string())?;
    expect(&run(program(&folder)?.arg("list"), b"")?, 0, "skills")
}

#[cfg(unix)]
fn links() -> Result<(), String> {
    use std::os::unix::fs::symlink;
    let folder = Folder::new(&[])?;
    let skills = folder.home().join(".agents/skills");
    fs::create_dir_all(skills.join("real")).map_err(|error| error.to_string())?;
    for (to, at) in [
        ("nowhere", "lost"),
        (".", "circle"),
        ("../skills", "real/up"),
    ] {
        symlink(to, skills.join(at)).map_err(|error| error.to_string())?;
    }
    expect(&run(program(&folder)?.arg("list"), b"")?, 0, "")?;
    expect(
        &run(program(&folder)?.arg("check").arg(&skills), b"")?,
        1,
        "",
    )?;
    let (project, stranger) = (folder.project(), folder.home().join("stranger"));
    for path in [project.join(".agents"), stranger.clone()] {
        fs::create_dir_all(path).map_err(|error| error.to_string())?;
    }
    symlink(stranger, project.join(".agents/skills")).map_err(|error| error.to_string())?;
    expect(
        &run(program(&folder)?.args(["trust", "project"]), b"")?,
        1,
        "the link leads out of",
    )
}

#[cfg(unix)]
fn no_working_folder() -> Result<(), String> {
    let calls = [
        ("resolve --layer bundled '$code-review'", 0, ""),
        ("doctor", 2, "the working folder does not exist"),
        ("new tidy", 2, "the working folder does not exist"),
        (
            "new tidy --to project",
            2,
            "the working folder does not exist",
        ),
        ("check", 2, "change to a folder that exists"),
    ];
    for (call, code, text) in calls {
        let folder = Folder::new(&[])?;
        let gone = folder.project().join("gone");
        fs::create_dir(&gone).map_err(|error| error.to_string())?;
        let program = program(&folder)?;
        let mut command = Command::new("sh");
        for (name, value) in program.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        command
            .args(["-c", &format!("rmdir \"$PWD\" && exec \"$0\" {call}")])
            .arg(program.get_program())
            .current_dir(&gone);
        expect(&run(&mut command, b"")?, code, text)?;
    }
    Ok(())
}

#[cfg(unix)]
fn pipe() -> Result<(), String> {
    let folder = Folder::new(&[])?;
    let skill = folder.project().join("skills/tidy");
    fs::create_dir_all(&skill).map_err(|error| error.to_string())?;
    let made = Command::new("mkfifo").arg(skill.join("SKILL.md")).status();
    made.map_err(|error| error.to_string())?;
    for (path, code, text) in [
        ("skills/tidy/SKILL.md", 2, "a pipe, a socket or a device"),
        ("skills/tidy", 1, ""),
        ("skills", 1, ""),
    ] {
        let mut command = program(&folder)?;
        command.args(["check", path]);
        expect(&run(&mut command, b"")?, code, text)?;
    }
    Ok(())
}

fn any_bytes() -> Result<(), String> {
    let texts: &[&[u8]] = &[
        b"",
        b"---",
        b"---\n---",
        b"\xff\xfe---\n",
        b"---\nname: \xff\n---\n",
        b"---\nname: [\n---\n",
        b"---\nname: &a [*a]\ndescription: x\n---\n",
        b"---\nname: b\ndescription: x\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n\
          d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n---\n",
        b"---\nname: x\0y\ndescription: \x1b[31m\n---\n\x1b[2J",
        b"\r\r\n---\r\nname: a\r\ndescription: b\r\n---\r\n",
    ];
    let folder = Folder::new(&[])?;
    for (i, text) in texts.iter().enumerate() {
        let skill = folder.project().join("skills").join(format!("s{i}"));
        fs::create_dir_all(&skill).map_err(|error| error.to_string())?;
        fs::write(skill.join("SKILL.md"), text).map_err(|error| error.to_string())?;
    }
    for format in ["full", "concise", "json", "sarif", "github"] {
        let mut command = program(&folder)?;
        command.args(["check", "skills", "--format", format]);
        expect(&run(&mut command, b"")?, 1, "")?;
    }
    let mut command = program(&folder)?;
    command.args(["list", "--layer", "odd=skills", "--format", "json"]);
    expect(&run(&mut command, b"")?, 0, "")
}

#[cfg(unix)]
fn unwritable() -> Result<(), String> {
    use std::io::Read as _;
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new(&[])?;
    let skill = folder.project().join("skills/greet");
    let text = "---\nname: greet\ndescription: Greets: always. Use when asked.\n---\nHello.\n";
    let file = skill.join("SKILL.md");
    fs::create_dir_all(&skill).map_err(|error| error.to_string())?;
    fs::write(&file, text).map_err(|error| error.to_string())?;
    let set = |mode| fs::set_permissions(&skill, fs::Permissions::from_mode(mode));
    set(0o555).map_err(|error| error.to_string())?;
    // Root can write everywhere.
    let is_kept_out = fs::write(skill.join("probe"), "").is_err();
    let output = run(program(&folder)?.args(["check", "--fix", "skills"]), b"")?;
    set(0o755).map_err(|error| error.to_string())?;
    if !is_kept_out {
        return Ok(());
    }
    expect(&output, 2, "cannot mend")?;
    let mut now = String::new();
    fs::File::open(&file)
        .and_then(|mut file| file.read_to_string(&mut now))
        .map_err(|error| error.to_string())?;
    if now == text { Ok(()) } else { Err(now) }
}
