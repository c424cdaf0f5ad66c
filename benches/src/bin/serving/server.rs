//! A server, and the client that measures it.

use crate::Result;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The messages with which a client begins.
pub const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;
pub const READY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A server that was started.
pub struct Server {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a program with its arguments.
    pub fn start(program: &[String]) -> Result<Self> {
        let (program, arguments) = program.split_first().ok_or("no program")?;
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = process.stdin.take().ok_or("no input")?;
        let output = process.stdout.take().ok_or("no output")?;
        let output = BufReader::new(output);
        Ok(Self {
            process,
            input,
            output,
        })
    }

    /// Writes a message.
    pub fn write(&mut self, message: &str) -> Result<()> {
        Ok(self.input.write_all(format!("{message}\n").as_bytes())?)
    }

    /// Writes a request, and reads the answer. Notifications are passed over.
    pub fn ask(&mut self, request: &str) -> Result<serde_json::Value> {
        self.write(request)?;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err("the server has ended".into());
            }
            let message: serde_json::Value = serde_json::from_str(&line)?;
            if message.get("id").is_some() {
                return Ok(message);
            }
        }
    }

    /// The most memory that the process has had, in megabytes.
    pub fn most_memory(&self) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next());
        Ok(kilobytes.ok_or("no VmHWM")?.parse::<f64>()? / 1024.0)
    }

    /// Closes the input, and waits for the end of the process.
    pub fn end(mut self) -> Result<()> {
        drop(self.input);
        self.process.wait()?;
        Ok(())
    }
}

/// A request, as a line.
pub fn request(id: u64, method: &str, params: &serde_json::Value) -> String {
    serde_json::json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
        .to_string()
}
