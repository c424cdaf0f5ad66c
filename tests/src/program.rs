//! The program as a process of its own: the test's binary again, as `skills`.

use crate::folder::Folder;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Set for the processes that are to be the program.
const SWITCH: &str = "SKILLS_TESTS_PROGRAM";
/// The variables that systems need to start a program.
const KEPT: &[&str] = &[
    "PATH",
    "SystemRoot",
    "TEMP",
    "TMP",
    "TMPDIR",
    "LD_LIBRARY_PATH",
];

/// Whether this process is to be the program: then its `main` returns `skills_tool::run()`.
pub fn is_program() -> bool {
    std::env::var_os(SWITCH).is_some()
}

/// The program in the folders of a case, with no other environment than it needs to start.
pub(crate) fn program(folder: &Folder) -> Result<Command, String> {
    let program = std::env::current_exe().map_err(|error| format!("own program: {error}"))?;
    let mut command = Command::new(program);
    command
        .env_clear()
        .envs(
            KEPT.iter()
                .filter_map(|name| Some((name, std::env::var_os(name)?))),
        )
        .env(SWITCH, "1")
        .env("HOME", folder.home())
        .env("USERPROFILE", folder.home())
        // Settings and data on Windows.
        .env("APPDATA", folder.home().join(".config"))
        .current_dir(folder.project());
    Ok(command)
}

/// A variable as this system names it.
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

/// One run of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) arguments: Vec<String>,
    pub(crate) variables: Vec<(String, String)>,
    /// Standard input, relative to the working folder; empty when not given.
    pub(crate) input: Option<PathBuf>,
}

/// What a run printed.
pub(crate) struct Printed {
    pub(crate) stdout: String,
    /// The lines of standard output, those of standard error, and `? CODE`.
    pub(crate) lines: Vec<String>,
}

impl Call {
    /// Runs it.
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

/// Far more than any of these takes; a program that hangs is told instead of waited for.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs to the end, but not for ever.
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
        // A program that does not read its input closes the pipe: no fault.
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
