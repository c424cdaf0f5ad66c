use std::path::Path;
use std::process::Command;

/// Instructions of a program from its start to its end, as callgrind counts them; 0 where there is
/// no valgrind.
pub fn instructions(program: &Path, arguments: &[&str]) -> u64 {
    let Ok(output) = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments)
        .output()
    else {
        return 0;
    };
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find_map(|line| line.split_once("Collected :"));
    line.and_then(|(_, number)| number.trim().parse().ok())
        .unwrap_or(0)
}
