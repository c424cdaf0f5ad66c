//! Lines that a running program prints.

use std::io::{BufRead as _, BufReader, Read};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// Maximum time of a test, far more than needed.
const LIMIT: Duration = Duration::from_secs(60);

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
