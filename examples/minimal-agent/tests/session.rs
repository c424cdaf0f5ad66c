//! Runs the program on a few lines.

use skills_runtime::Profile;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::{fs, io};

#[test]
fn a_session() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let skill = folder.path().join("greet");
    fs::create_dir(&skill)?;
    let text =
        "---\nname: greet\ndescription: Greets. Use when asked to.\n---\nGreet $ARGUMENTS.\n";
    fs::write(skill.join("SKILL.md"), text)?;
    let mut program = Command::new(env!("CARGO_BIN_EXE_example-minimal-agent"))
        .arg(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let lines = "hello\n$greet Ada\n/greet Ada\n/skill list\n$gret Bob\n";
    let mut input = program.stdin.take().expect("it is piped");
    input.write_all(lines.as_bytes())?;
    drop(input);
    let output = program.wait_with_output()?;
    let shown = String::from_utf8(output.stdout).expect("it is text");
    let (system, rest) = shown
        .split_once("\n[user] hello\n")
        .expect("the first line");
    assert!(system.starts_with("[system] <available_skills>\n"));
    assert!(system.contains("<name>greet</name>") && system.contains("<name>code-review</name>"));
    let place = skill.display();
    let preamble = Profile::DEFAULT.preamble;
    assert_eq!(
        rest,
        format!(
            "! Using skill: greet\n\
             [user] {preamble}\n\n<skill_content name=\"greet\" source=\"user\" directory=\"{place}\">\n\
             Greet Ada.\n</skill_content>\n\
             [user] Ada\n\
             ! Using skill: greet\n\
             [user] {preamble}\n\nThe skill greet is active already: follow its instructions above.\n\
             [user] Ada\n\
             ! for the host to do: List\n\
             ! No exact skill 'gret'. Did you mean $greet?\n\
             [user] $gret Bob\n"
        )
    );
    Ok(())
}
