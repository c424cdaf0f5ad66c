//! Kept answers of an agent: a message is sent again only when the message, the skills or the agent's command
//! have changed.

use crate::outcome::Failure;
use serde::{Deserialize, Serialize};
use skills_format::{Digest, prose};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, create_dir_all};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The maximum number of bytes of kept answers that are read.
const MOST: u64 = 256 * 1024 * 1024;

/// The answers of one agent about one list of skills: a file of JSON lines.
#[derive(Debug, Default)]
pub(super) struct Answers {
    known: HashMap<(String, u16), String>,
    file: Option<(PathBuf, File)>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct AnswerLine {
    message: String,
    run: u16,
    answer: String,
}

impl Answers {
    /// Opens the answers in a folder. The digest of the agent's command and of the list of skills is the name
    /// of the file. Without a folder, answers are kept in memory only.
    pub(super) fn open(
        folder: Option<&Path>,
        command: &[String],
        skills: &str,
    ) -> Result<Self, Failure> {
        let Some(folder) = folder else {
            return Ok(Self::default());
        };
        // No word contains NUL, so two commands never share a name.
        let mut asked = command.join("\0");
        asked.push_str("\0\0");
        asked.push_str(skills);
        let name = format!(
            "{}.jsonl",
            Digest::of(asked.as_bytes()).to_string().replace(':', "-")
        );
        let path = folder.join(name);
        let open = || -> io::Result<(File, String)> {
            create_dir_all(folder)?;
            let mut file = OpenOptions::new()
                .create(true)
                .append(true)
                .read(true)
                .open(&path)?;
            // Reading a pipe would wait for what this process writes itself.
            if !file.metadata()?.is_file() {
                let what = "it is not a file";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
            }
            let mut text = Vec::new();
            (&mut file).take(MOST).read_to_end(&mut text)?;
            if text.last().is_some_and(|last| *last != b'\n') {
                // A process was killed during a write: the next answer needs a line of its own.
                file.write_all(b"\n")?;
            }
            Ok((file, String::from_utf8_lossy(&text).into_owned()))
        };
        let (file, text) = open().map_err(|error| unwritten(&path, &error))?;
        // A line that is not JSON was cut by a kill, and its text is sent again.
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str::<AnswerLine>(line).ok());
        let known = lines
            .map(|line| ((line.message, line.run), line.answer))
            .collect();
        let file = Some((path, file));
        Ok(Self { known, file })
    }

    pub(super) fn get(&self, message: &str, run: u16) -> Option<&str> {
        self.known
            .get(&(message.to_owned(), run))
            .map(String::as_str)
    }

    /// Stores an answer at once: a test that is stopped keeps the answers so far.
    pub(super) fn keep(&mut self, message: &str, run: u16, answer: &str) -> Result<(), Failure> {
        let line = AnswerLine {
            message: message.to_owned(),
            run,
            answer: answer.to_owned(),
        };
        if let Some((path, file)) = &mut self.file {
            let text = serde_json::to_string(&line).unwrap_or_default() + "\n";
            file.write_all(text.as_bytes())
                .map_err(|error| unwritten(path, &error))?;
        }
        self.known.insert((line.message, run), line.answer);
        Ok(())
    }
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    Failure::unwritten(
        prose!("the answers {}", path),
        error,
        "name another folder with --cache, or use --no-cache",
    )
}
