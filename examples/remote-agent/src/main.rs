//! Lists and starts the skills of another MCP server.
//!
//! In this folder: `cargo run -- list acme skills mcp`, or with an address for the command:
//! `cargo run -- start code-review acme http://127.0.0.1:8000/mcp`.

use example_remote_agent::{Failure, Remote};
use std::ffi::OsString;
use std::io::{self, Write as _};

const USAGE: &str = "usage: example-remote-agent list LABEL SERVER… | start SKILL LABEL SERVER…
SERVER is an address (http://127.0.0.1:8000/mcp) or a command";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args_os().skip(1);
    let mut word = || arguments.next().and_then(|word| word.into_string().ok());
    let skill = match word().as_deref() {
        Some("list") => None,
        Some("start") => Some(word().ok_or(USAGE)?),
        _ => return Err(USAGE.into()),
    };
    let label = word().ok_or(USAGE)?;
    let target: Vec<OsString> = arguments.collect();
    // Outside of every project: a file that comes with a project would approve the skills of servers.
    let home = std::env::home_dir().ok_or("no home folder")?;
    let kept = home.join(".remote-agent.json");
    let mut remote = Remote::connect(&label, &target, &kept).await?;
    let mut output = io::stdout();
    for reason in remote.declined() {
        writeln!(output, "declined: {reason}")?;
    }
    match skill {
        None => {
            for (skill, is_approved) in remote.skills() {
                let state = if is_approved {
                    "approved"
                } else {
                    "not approved"
                };
                let (name, files) = (&skill.name, skill.files.len());
                writeln!(
                    output,
                    "{name} ({state}, {files} files): {}",
                    skill.description
                )?;
            }
        }
        Some(name) => {
            if !is_approved(&remote, &name)? {
                if !trusts(&remote, &name, &label)? {
                    return Err("the skill was not started: a person has not approved it".into());
                }
                remote.approve(&name)?;
            }
            writeln!(output, "{}", remote.start(&name, "").await?)?;
        }
    }
    remote.end().await
}

fn is_approved(remote: &Remote, name: &str) -> Result<bool, Failure> {
    let skills = remote.skills().into_iter();
    let found = skills
        .filter(|(skill, _)| skill.name == name)
        .map(|(_, is_approved)| is_approved);
    found
        .last()
        .ok_or_else(|| format!("the server has no skill '{name}'").into())
}

/// Shows a person what would be approved, and asks.
fn trusts(remote: &Remote, name: &str, label: &str) -> io::Result<bool> {
    let mut output = io::stdout();
    for (skill, _) in remote
        .skills()
        .iter()
        .filter(|(skill, _)| skill.name == name)
    {
        writeln!(
            output,
            "{name}, of the server '{label}': {}",
            skill.description
        )?;
        for uri in skill.files.iter().map(|file| file.uri.as_str()) {
            writeln!(output, "  {uri}")?;
        }
    }
    writeln!(
        output,
        "Its text becomes instructions for the model. Approve these files? (yes, no)"
    )?;
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(line.trim() == "yes")
}
