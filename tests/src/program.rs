//! The program in a process of its own: the test's binary again, as `skills`.

use crate::folder::Folder;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The variable that makes a process the program.
const SWITCH: &str = "SKILLS_TESTS_PROGRAM";
/// The variables that a system needs to start a program.
const KEPT: &[&str] = &[
    "PATH",
    "SystemRoot",
    "TEMP",
    "TMP",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    // `cargo` on the search path is rustup's, which otherwise looks into the home folder of the case.
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
];

/// Returns whether this process must be the program: its `main` then returns `skills_tool::run()`.
pub fn is_program() -> bool {
    std::env::var_os(SWITCH).is_some()
}

/// Makes a command of the program in the folders of a case, with a minimal environment.
pub(crate) fn program(folder: &Folder) -> Result<Command, String> {
    own_program(&folder.home(), &folder.project()).map_err(|error| format!("own program: {error}"))
}

/// Makes a command of the program for a home folder and a working folder, with a minimal environment.
pub fn own_program(home: &Path, project: &Path) -> io::Result<Command> {
    let program = std::env::current_exe()?;
    let mut command = Command::new(program);
    command
        .env_clear()
        .envs(
            KEPT.iter()
                .filter_map(|name| Some((name, std::env::var_os(name)?))),
        )
        .env(SWITCH, "1")
        .env("HOME", home)
        .env("USERPROFILE", home)
        // The folder of settings and data on Windows.
        .env("APPDATA", home.join(".config"))
        .current_dir(project);
    Ok(command)
}

/// Returns a variable as this system names it.
fn named<'v>(name: &'v str, value: &str) -> Vec<(&'v str, String)> {
    match name {
        "HOME" if cfg!(windows) => vec![
            (name, value.to_owned()),
            ("USERPROFILE", value.to_owned()),
            ("APPDATA", format!("{value}/.config")),
        ],
        _ => vec![(name, value.to_owned())],
    }
}

/// One call of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) arguments: Vec<String>,
    pub(crate) variables: Vec<(String, String)>,
    /// The file for standard input, relative to the working folder; `None` for empty input.
    pub(crate) input: Option<PathBuf>,
}

/// The output of a call.
pub(crate) struct Printed {
    pub(crate) stdout: String,
    /// The lines of standard output, of standard error, and `? CODE`.
    pub(crate) lines: Vec<String>,
}

impl Call {
    /// Returns the format that the call asks for on the standard output.
    pub(crate) fn format(&self) -> Option<&str> {
        let words: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let format = words.iter().enumerate().find_map(|(at, word)| match *word {
            "--format" | "-f" => words.get(at + 1).copied(),
            word => ["--format=", "-f"]
                .iter()
                .find_map(|begin| word.strip_prefix(begin)),
        });
        let is_other = |word: &&str| matches!(*word, "--help" | "-h");
        format.filter(|_| !words.iter().any(is_other))
    }

    /// Runs the call.
    pub(crate) fn run(&self, folder: &Folder) -> Result<Printed, String> {
        let input = match &self.input {
            None => Stdio::null(),
            Some(path) => std::fs::File::open(folder.project().join(path))
                .map_err(|error| format!("{}: {error}", path.display()))?
                .into(),
        };
        let case = folder.written();
        let variables = self
            .variables
            .iter()
            .flat_map(|(name, value)| named(name, value));
        let output = program(folder)?
            .args(
                self.arguments
                    .iter()
                    .map(|word| word.replace("[CASE]", &case)),
            )
            .envs(variables.map(|(name, value)| (name, value.replace("[CASE]", &case))))
            .stdin(input)
            .output()
            .map_err(|error| format!("the program does not start: {error}"))?;
        let [stdout, stderr] = [output.stdout, output.stderr]
            .map(|bytes| folder.hidden(&String::from_utf8_lossy(&bytes)));
        let lines = stdout.lines().chain(stderr.lines());
        let mut lines: Vec<String> = lines.map(str::to_owned).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        match output.status.code() {
            Some(0) => {}
            Some(code) => lines.push(format!("? {code}")),
            None => lines.push(format!("? {}", output.status)),
        }
        Ok(Printed { stdout, lines })
    }
}

/// Maximum time of a call, far more than needed: a program that hangs is reported.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs a command to its end, or until the limit.
pub(crate) fn run(command: &mut Command, input: &[u8]) -> Result<Output, String> {
    let fail = |error: std::io::Error| format!("the program cannot be run: {error}");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(fail)?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    let mut stdout = child.stdout.take().ok_or("no standard output")?;
    let mut stderr = child.stderr.take().ok_or("no standard error")?;
    std::thread::scope(|scope| {
        // A program that does not read its input closes the pipe, which is not an error.
        scope.spawn(move || stdin.write_all(input));
        let out = scope.spawn(move || read(&mut stdout));
        let err = scope.spawn(move || read(&mut stderr));
        let start = Instant::now();
        let status = loop {
            match child.try_wait().map_err(fail)? {
                Some(status) => break status,
                None if start.elapsed() > LIMIT => {
                    let _ = child.kill();
                    return Err("the program hangs".to_owned());
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        Ok(Output {
            status,
            stdout: out.join().unwrap_or_default(),
            stderr: err.join().unwrap_or_default(),
        })
    })
}

fn read(stream: &mut impl std::io::Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    bytes
}
