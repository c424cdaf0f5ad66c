//! `editor [N [M]]`: the time from a key to its findings in `skills lsp`, in a repository of N skills (1,000), of which M
//! (none) have a finding of their own: the median, and the slowest of 95 in 100.
//!
//! Needs ours: `cargo build --release -p skills-tool` in the workspace above.

use serde_json::{Value, json};
use skills_benches::{Temporary, skills_program, synth};
use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The keys that are typed. Each changes the findings.
const KEYS: usize = 200;
/// The line of the skill in which they are typed.
const LINE: usize = 8;

fn main() -> Result<()> {
    let count: usize = match env::args().nth(1) {
        Some(count) => count.parse()?,
        None => 1_000,
    };
    let folder = Temporary::new("editor")?;
    synth(folder.path(), count)?;
    let faulty: usize = env::args().nth(2).map_or(Ok(0), |count| count.parse())?;
    for number in 0..faulty.min(count) {
        let path = folder.path().join(format!("skill-{number:05}/SKILL.md"));
        let text = fs::read_to_string(&path)?;
        fs::write(&path, format!("{text}\nSee [this](gone.md).\n"))?;
    }
    let path = folder
        .path()
        .join(format!("skill-{:05}/SKILL.md", count / 2));
    let uri = format!("file://{}", path.display());
    let mut child = Command::new(skills_program())
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let mut editor = Editor {
        input: input.ok_or("no input")?,
        output: BufReader::new(output.ok_or("no output")?),
    };
    let folders = json!([{ "uri": format!("file://{}", folder.path().display()), "name": "it" }]);
    let params = json!({ "processId": null, "capabilities": {}, "workspaceFolders": folders });
    editor.send(&json!({ "id": 1, "method": "initialize", "params": params }))?;
    editor.until(|message| message["id"] == 1)?;
    let document = json!({ "uri": uri, "languageId": "markdown", "version": 1, "text": fs::read_to_string(&path)? });
    editor.note("didOpen", &json!({ "textDocument": document }))?;
    let mut times: Vec<f64> = Vec::new();
    for key in 0..=KEYS {
        // A link that leads to no file comes and goes.
        let link = format!("[x](gone{}.md) ", key / 2);
        let (new, end) = if key % 2 == 0 {
            (link.as_str(), 0)
        } else {
            ("", link.len())
        };
        let range = json!({
            "start": { "line": LINE, "character": 0 },
            "end": { "line": LINE, "character": end },
        });
        let start = Instant::now();
        editor.note(
            "didChange",
            &json!({
                "textDocument": { "uri": uri, "version": key + 2 },
                "contentChanges": [{ "range": range, "text": new }],
            }),
        )?;
        let of_document = |message: &Value| message["params"]["uri"] == uri;
        editor.until(|message| {
            message["method"] == "textDocument/publishDiagnostics" && of_document(message)
        })?;
        // The first key waits for the check of all skills.
        if key > 0 {
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: usize| {
        times
            .get(times.len() * share / 100)
            .copied()
            .unwrap_or(f64::NAN)
    };
    println!(
        "{count} skills: a key needs {:.1} ms, and 95 of 100 keys at most {:.1} ms",
        at(50),
        at(95)
    );
    editor.send(&json!({ "id": 2, "method": "shutdown", "params": null }))?;
    editor.until(|message| message["id"] == 2)?;
    editor.send(&json!({ "method": "exit", "params": null }))?;
    child.wait()?;
    Ok(())
}

struct Editor {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Editor {
    fn note(&mut self, method: &str, params: &Value) -> Result<()> {
        let method = format!("textDocument/{method}");
        self.send(&json!({ "method": method, "params": params }))
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let mut message = message.clone();
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        Ok(self.input.flush()?)
    }

    /// Reads messages up to one of a kind.
    fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Result<()> {
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                if self.output.read_line(&mut line)? == 0 {
                    return Err("the server ended".into());
                }
                let Some((name, value)) = line.trim().split_once(':') else {
                    break;
                };
                if name.eq_ignore_ascii_case("Content-Length") {
                    length = value.trim().parse()?;
                }
            }
            let mut body = vec![0; length];
            self.output.read_exact(&mut body)?;
            if is_it(&serde_json::from_slice(&body)?) {
                return Ok(());
            }
        }
    }
}
