//! `skills check --watch`: prints the right findings when files change.

use crate::folder::Folder;
use crate::program::program;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// Maximum time of a test, far more than needed.
const LIMIT: Duration = Duration::from_secs(60);

/// A check that watches the skill `greet`, ended on drop.
struct Watching {
    folder: Folder,
    child: Child,
}

impl Watching {
    fn new(arguments: &[&str]) -> Result<Self, String> {
        let folder = Folder::new(&[])?;
        let skill = folder.project().join("skills/greet");
        fs::create_dir_all(&skill).map_err(text)?;
        fs::write(skill.join("SKILL.md"), skill_file("greet")).map_err(text)?;
        let child = program(&folder)?
            .args(["check", "skills", "--watch"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(text)?;
        Ok(Self { folder, child })
    }

    /// Opens the `SKILL.md` for writing.
    fn skill(&self) -> Result<File, String> {
        let path = self.folder.project().join("skills/greet/SKILL.md");
        File::create(path).map_err(text)
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn skill_file(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Greets. Use when asked.\n---\nHello.\n")
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn text(error: std::io::Error) -> String {
    error.to_string()
}

pub(crate) fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    lines
}

/// Reads lines up to one with a text, and returns them.
pub(crate) fn up_to(lines: &Receiver<String>, what: &str) -> Result<Vec<String>, String> {
    let mut read = Vec::new();
    loop {
        let line = lines.recv_timeout(LIMIT);
        let line = line.map_err(|error| format!("no `{what}` after {read:?}: {error}"))?;
        let is_last = line.contains(what);
        read.push(line);
        if is_last {
            return Ok(read);
        }
    }
}

pub(crate) fn sees_a_change() -> Result<(), String> {
    let mut watching = Watching::new(&["--format", "concise"])?;
    let notes = lines(watching.child.stderr.take().ok_or("no standard error")?);
    let first = up_to(&notes, "1 skill checked: 0 errors")?;
    let [begin, round, _] = first.as_slice() else {
        return Err(format!("{first:?}"));
    };
    let is_time = |line: &str| {
        line.strip_suffix(": checked")
            .is_some_and(|time| time.split(':').count() == 3)
    };
    if begin != "watching; Ctrl-C ends the watch" || !is_time(round) {
        return Err(format!("{first:?}"));
    }
    let mut file = watching.skill()?;
    file.write_all(skill_file("other").as_bytes())
        .map_err(text)?;
    drop(file);
    let second = up_to(&notes, "1 skill checked: 1 error")?;
    match second.first() {
        Some(round) if is_time(round) => Ok(()),
        _ => Err(format!("{second:?}")),
    }
}

/// Only some systems report that a file was closed.
pub(crate) fn reports_whole_files() -> Result<(), String> {
    let mut watching = Watching::new(&["--format", "json"])?;
    let documents = lines(watching.child.stdout.take().ok_or("no standard output")?);
    up_to(&documents, "\"errors\":0")?;
    let mut file = watching.skill()?;
    let whole = skill_file("other");
    let (first, rest) = whole.split_at(10);
    file.write_all(first.as_bytes()).map_err(text)?;
    if cfg!(target_os = "linux") {
        // Longer than a change takes to settle: a check that ignored the open file would report it.
        std::thread::sleep(Duration::from_millis(500));
    }
    file.write_all(rest.as_bytes()).map_err(text)?;
    drop(file);
    let next = up_to(&documents, "}")?;
    match next.as_slice() {
        [document] if document.contains("is named `other`") && document.starts_with('{') => Ok(()),
        _ => Err(format!("{next:?}")),
    }
}
