//! A terminal for tests: `tmux`, with a server of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Maximum time for the expected screen to appear.
const PATIENCE: Duration = Duration::from_secs(30);
/// The pause between two looks at the screen.
const PAUSE: Duration = Duration::from_millis(20);

/// Returns whether tmux is installed.
pub(crate) fn is_here() -> bool {
    Command::new("tmux")
        .arg("-V")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// The program in a terminal, with its own folders.
pub(crate) struct Terminal {
    folder: tempfile::TempDir,
    /// The socket of the server.
    socket: PathBuf,
}

/// The settings for a start of the program.
pub(crate) struct Start<'s> {
    /// The columns and rows of the terminal.
    pub(crate) size: (u16, u16),
    /// The arguments after `skills`, as a shell reads them.
    pub(crate) arguments: &'s str,
    /// Variables for the program, as a shell reads them: `NAME=value …`.
    pub(crate) variables: &'s str,
}

impl Terminal {
    /// Makes the folders: `project` is the working folder, `home` the home folder.
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("t-")
            .tempdir()
            .expect("a temporary folder");
        for name in ["project", "home"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        let socket = folder.path().join("tmux");
        Self { folder, socket }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// Writes a skill into a folder of skills.
    pub(crate) fn skill(&self, folder: &str, name: &str, description: &str) {
        let text = format!("---\nname: {name}\ndescription: {description}\n---\nDo {name}.\n");
        self.write(&format!("{folder}/{name}/SKILL.md"), &text);
    }

    /// Starts the program.
    pub(crate) fn start(&self, start: &Start<'_>) {
        let program = std::env::current_exe().expect("the test's own program");
        let program = program.display();
        let home = self.path("home");
        let path = std::env::var("PATH").unwrap_or_default();
        // The shell waits at the end, so that the last screen stays readable.
        let command = format!(
            "cd '{}' && env -i PATH='{path}' HOME='{}' TERM=tmux-256color LANG=C.UTF-8 SKILLS_TESTS_PROGRAM=1 {} '{program}' {}; echo \"[exit $?]\"; sleep 1000",
            self.path("project").display(),
            home.display(),
            start.variables,
            start.arguments,
        );
        self.run(start.size, &command);
    }

    /// Starts a shell in which `skills` is the program.
    pub(crate) fn start_shell(&self, shell: &str) {
        let program = std::env::current_exe().expect("the test's own program");
        let program = program.display();
        self.write(
            "bin/skills",
            &format!("#!/bin/sh\nSKILLS_TESTS_PROGRAM=1 exec '{program}' \"$@\"\n"),
        );
        let skills = self.path("bin/skills");
        let done = Command::new("chmod").arg("+x").arg(skills).status();
        assert!(done.is_ok_and(|status| status.success()), "no program");
        let path = std::env::var("PATH").unwrap_or_default();
        let command = format!(
            "cd '{}' && exec env -i PATH='{}:{path}' HOME='{}' TERM=tmux-256color LANG=C.UTF-8 {shell}",
            self.path("project").display(),
            self.path("bin").display(),
            self.path("home").display(),
        );
        self.run((80, 24), &command);
    }

    fn run(&self, (columns, rows): (u16, u16), command: &str) {
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let size = ["-x", &columns, "-y", &rows];
        let mut arguments = vec!["-u", "-f", "/dev/null", "new-session", "-d", "-s", "t"];
        arguments.extend(size);
        arguments.push(command);
        self.tmux(&arguments);
    }

    /// Ends the terminal, so that another one can start in the same folders.
    pub(crate) fn end(&self) {
        tmux(&self.socket, &["kill-server"]);
        // A new session would still be sent to the old server while that one ends.
        #[cfg(unix)]
        let since = Instant::now();
        #[cfg(unix)]
        while std::os::unix::net::UnixStream::connect(&self.socket).is_ok() {
            assert!(
                since.elapsed() < PATIENCE,
                "the server of tmux does not end"
            );
            sleep(PAUSE);
        }
    }

    /// Types a text.
    pub(crate) fn text(&self, text: &str) {
        self.tmux(&["send-keys", "-t", "t", "-l", "--", text]);
    }

    /// Presses keys, by their names in tmux.
    pub(crate) fn keys(&self, keys: &[&str]) {
        let mut arguments = vec!["send-keys", "-t", "t"];
        arguments.extend(keys);
        self.tmux(&arguments);
    }

    /// Presses Ctrl-C, and waits for the next line: the line editor drops keys that arrive together with Ctrl-C.
    #[track_caller]
    pub(crate) fn drop_line(&self) {
        self.keys(&["C-c"]);
        self.ends("\n>");
    }

    /// Pastes a text as a bracketed paste.
    pub(crate) fn paste(&self, text: &str) {
        let file = self.path("pasted");
        std::fs::write(&file, text).expect("a file");
        let file = file.to_string_lossy();
        self.tmux(&["load-buffer", "-b", "b", &file]);
        self.tmux(&["paste-buffer", "-p", "-r", "-b", "b", "-t", "t"]);
    }

    /// Sends SIGTERM to the program.
    pub(crate) fn end_program(&self) {
        let program = self.program().expect("the program runs").to_string();
        let done = Command::new("kill").args(["-TERM", &program]).status();
        assert!(done.is_ok_and(|status| status.success()), "no signal");
    }

    /// Closes the terminal, and waits until the program has ended.
    pub(crate) fn hang_up(&self) {
        let program = self.program().expect("the program runs");
        tmux(&self.socket, &["kill-server"]);
        until_gone(program);
    }

    /// Returns the process number of the program, which is the child of the shell in the terminal.
    fn program(&self) -> Option<u32> {
        let panes = tmux(
            &self.socket,
            &["list-panes", "-t", "t", "-F", "#{pane_pid}"],
        );
        let shell = String::from_utf8(panes.stdout).ok()?.trim().to_owned();
        let children = Command::new("pgrep").args(["-P", &shell]).output().ok()?;
        let children = String::from_utf8(children.stdout).ok()?;
        children.lines().next()?.parse().ok()
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        let (columns, rows) = (columns.to_string(), rows.to_string());
        self.tmux(&["resize-window", "-t", "t", "-x", &columns, "-y", &rows]);
    }

    /// Returns the screen as text, without empty lines at the end.
    pub(crate) fn screen(&self) -> String {
        let output = self.tmux(&["capture-pane", "-p", "-t", "t"]);
        String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned()
    }

    /// Returns the screen, with lines that the terminal broke joined again.
    pub(crate) fn joined(&self) -> String {
        let output = self.tmux(&["capture-pane", "-p", "-J", "-t", "t"]);
        String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned()
    }

    /// Returns the screen with its colour codes.
    pub(crate) fn colours(&self) -> String {
        let output = self.tmux(&["capture-pane", "-p", "-e", "-t", "t"]);
        String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned()
    }

    /// Waits until the screen satisfies a condition.
    #[track_caller]
    pub(crate) fn until(&self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if holds(&screen) {
                return screen;
            }
            assert!(
                start.elapsed() < PATIENCE,
                "no {what} on this screen:\n{screen}"
            );
            sleep(PAUSE);
        }
    }

    /// Waits until the screen contains a text.
    #[track_caller]
    pub(crate) fn shows(&self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    /// Waits until the screen no longer contains a text.
    #[track_caller]
    pub(crate) fn hides(&self, text: &str) -> String {
        self.until(&format!("screen without {text}"), |screen| {
            !screen.contains(text)
        })
    }

    /// Waits until the screen ends with these lines.
    #[track_caller]
    pub(crate) fn ends(&self, text: &str) -> String {
        self.until(&format!("end\n{text}\n"), |screen| {
            screen.ends_with(text.trim_end())
        })
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        let output = tmux(&self.socket, arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tmux {arguments:?}: {errors}");
        output
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let program = self.program().map(|program| program.to_string());
        tmux(&self.socket, &["kill-server"]);
        // A program that does not end with its terminal must not outlive its test.
        if let Some(program) = program {
            let _ = Command::new("kill").args(["-KILL", &program]).output();
        }
    }
}

/// Waits until a process has ended. The process may be reaped later.
#[track_caller]
pub(crate) fn until_gone(process: u32) {
    let start = Instant::now();
    let file = format!("/proc/{process}/stat");
    // The state follows the name, which is in parentheses.
    let is_ended = |stat: &str| {
        stat.rsplit(") ")
            .next()
            .is_some_and(|rest| rest.starts_with('Z'))
    };
    while std::fs::read_to_string(&file).is_ok_and(|stat| !is_ended(&stat)) {
        assert!(start.elapsed() < PATIENCE, "process {process} goes on");
        sleep(PAUSE);
    }
}

fn tmux(socket: &Path, arguments: &[&str]) -> Output {
    Command::new("tmux")
        .arg("-S")
        .arg(socket)
        .args(arguments)
        .output()
        .expect("tmux is here")
}
