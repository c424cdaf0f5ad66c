//! The whole output of the host: one line of input for each kind of notice.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const INPUT: &str = include_str!("input.txt");
const OUTPUT: &str = include_str!("output.txt");

#[test]
fn what_each_notice_looks_like() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mentions");
    for (path, more) in [
        (".agents/skills/deploy", ""),
        ("skills/style", "user-invocable: false\n"),
        (
            "skills/video-cut",
            "metadata: {\"openclaw\": {\"requires\": {\"bins\": [\"ffmpeg\"]}}}\n",
        ),
    ] {
        let dir = folder.join(path);
        let name = path.rsplit('/').next().unwrap_or_default();
        fs::create_dir_all(&dir)?;
        let text = format!("---\nname: {name}\ndescription: Does {name}.\n{more}---\nDo it.\n");
        fs::write(dir.join("SKILL.md"), text)?;
    }
    let mut host = Command::new(env!("CARGO_BIN_EXE_example-mentions"))
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    host.stdin
        .take()
        .ok_or("no standard input")?
        .write_all(INPUT.as_bytes())?;
    let output = host.wait_with_output()?;
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout)?, OUTPUT);
    Ok(())
}
