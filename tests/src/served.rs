//! `skills mcp`: serves the right skills after a skill is disabled or trusted in another terminal.

use crate::folder::Folder;
use crate::program::program;
use crate::watch::{lines, text, up_to};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Stdio};
use std::sync::mpsc::Receiver;

const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"me","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const CHANGED: &str = "notifications/resources/list_changed";

/// A server of one skill of the user and one skill of the project, ended on drop.
struct Serving {
    folder: Folder,
    child: Child,
    answers: Receiver<String>,
    next: u32,
}

impl Serving {
    fn new() -> Result<Self, String> {
        let folder = Folder::new(&[])?;
        for (below, name) in [(folder.home(), "mine"), (folder.project(), "theirs")] {
            let skill = below.join(".agents/skills").join(name);
            fs::create_dir_all(&skill).map_err(text)?;
            let file =
                format!("---\nname: {name}\ndescription: Does it. Use when asked.\n---\nDo.\n");
            fs::write(skill.join("SKILL.md"), file).map_err(text)?;
        }
        let mut child = program(&folder)?
            .args(["mcp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(text)?;
        let answers = lines(child.stdout.take().ok_or("no standard output")?);
        let mut serving = Self {
            folder,
            child,
            answers,
            next: 0,
        };
        serving.write(HELLO)?;
        up_to(&serving.answers, "\"id\":0")?;
        Ok(serving)
    }

    fn write(&mut self, message: &str) -> Result<(), String> {
        let input = self.child.stdin.as_mut().ok_or("no standard input")?;
        writeln!(input, "{message}").map_err(text)
    }

    /// Returns for both skills whether they are served.
    fn serves(&mut self) -> Result<[bool; 2], String> {
        self.next += 1;
        let id = self.next;
        self.write(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"skills/list"}}"#
        ))?;
        let answer = up_to(&self.answers, &format!("\"id\":{id}"))?.pop();
        let answer = answer.unwrap_or_default();
        Ok(["skill://user/mine/", "skill://project/theirs/"].map(|uri| answer.contains(uri)))
    }

    /// Runs the program like in another terminal, and waits until the client is notified of a change.
    fn after(&mut self, command: &[&str]) -> Result<[bool; 2], String> {
        let done = program(&self.folder)?
            .args(command)
            .output()
            .map_err(text)?;
        if !done.status.success() {
            return Err(format!(
                "{command:?}: {}",
                String::from_utf8_lossy(&done.stderr)
            ));
        }
        up_to(&self.answers, CHANGED)?;
        self.serves()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server over HTTP at every address of this machine, ended on drop.
struct Reachable {
    child: Child,
    _folder: Folder,
}

impl Drop for Reachable {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server that other machines can reach prints a warning and the name by which they can call it, and answers under
/// that name. The test sends its request to the loopback address only.
pub(crate) fn warns_where_others_reach() -> Result<(), String> {
    let folder = Folder::new(&[])?;
    let mut child = program(&folder)?
        .args([
            "mcp",
            "--http",
            "0.0.0.0:0",
            "--allow-host",
            "skills.example",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(text)?;
    let notes = lines(child.stderr.take().ok_or("no standard error")?);
    let _server = Reachable {
        child,
        _folder: folder,
    };
    let printed = up_to(&notes, "serving at")?;
    let [warning, serving] = printed.as_slice() else {
        return Err(format!("{printed:?}"));
    };
    if warning
        != "warning: --http 0.0.0.0:0: every machine that reaches this address can read the skills; there is no \
            password; use 127.0.0.1, or put a server with a password in front"
    {
        return Err(warning.clone());
    }
    let port = serving.strip_prefix("serving at http://0.0.0.0:");
    let port = port.and_then(|port| port.strip_suffix("/mcp")?.parse().ok());
    let port: u16 = port.ok_or_else(|| serving.clone())?;
    for (host, status) in [("skills.example", "200"), ("evil.example", "403")] {
        let answer = posted(SocketAddr::from(([127, 0, 0, 1], port)), host)?;
        if !answer.starts_with(&format!("HTTP/1.1 {status} ")) {
            return Err(format!("{host}: {answer}"));
        }
    }
    Ok(())
}

/// Sends a greeting that calls the server by a name, and returns the answer.
fn posted(address: SocketAddr, host: &str) -> Result<String, String> {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
    let mut stream = TcpStream::connect(address).map_err(text)?;
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .map_err(text)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(text)?;
    Ok(answer)
}

/// Disabling, enabling, trusting and distrusting change the served skills, and the client is notified.
pub(crate) fn follows_decisions() -> Result<(), String> {
    let mut serving = Serving::new()?;
    let mut found = vec![serving.serves()?];
    for command in [
        &["disable", "mine"][..],
        &["trust", "theirs", "--yes"],
        &["enable", "mine"],
        &["trust", "--remove", "theirs"],
    ] {
        found.push(serving.after(command)?);
    }
    let expected = [
        [true, false],
        [false, false],
        [false, true],
        [true, true],
        [true, false],
    ];
    if found == expected {
        return Ok(());
    }
    Err(format!("{found:?} instead of {expected:?}"))
}

/// A change of a folder does not bring back a skill that was disabled while the server runs.
pub(crate) fn keeps_decisions_when_folders_change() -> Result<(), String> {
    let mut serving = Serving::new()?;
    if serving.after(&["disable", "mine"])? != [false, false] {
        return Err("a disabled skill is served".to_owned());
    }
    let skill = serving.folder.home().join(".agents/skills/new");
    fs::create_dir_all(&skill).map_err(text)?;
    let file = "---\nname: new\ndescription: Does it. Use when asked.\n---\nDo.\n";
    fs::write(skill.join("SKILL.md"), file).map_err(text)?;
    up_to(&serving.answers, CHANGED)?;
    match serving.serves()? {
        [false, false] => Ok(()),
        found => Err(format!("{found:?} after a change of a folder")),
    }
}
