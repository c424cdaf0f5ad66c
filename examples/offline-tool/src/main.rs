//! Runbooks in one binary: found by name or by words, without a network and without a folder.
//!
//! `cargo run -p example-offline-tool -- the disk is full`
//!
//! `skills list`, `skills show NAME` and `skills export --to AGENT` pass the runbooks to agents: the ready
//! subcommand of `skills-host`. `mcp` serves the runbooks to any client of the Model Context Protocol.

use clap::{Parser, Subcommand};
use skills_host::export::Program;
use skills_host::export::command::SkillsCommand;
use skills_runtime::{Bundle, Catalog, Entry, include_skills};
use skills_server::{SkillsServer, serve_stdio};
use std::io::{self, Write as _};
use std::process::ExitCode;

static RUNBOOKS: Bundle = include_skills!("skills");

/// Finds the runbook for a question
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The name of a runbook, or words about what is wrong
    words: Vec<String>,
}

#[derive(Subcommand)]
enum Command {
    /// The runbooks as skills of an agent
    #[command(subcommand)]
    Skills(SkillsCommand),
    /// The runbooks as a server of the Model Context Protocol
    Mcp,
}

fn main() -> io::Result<ExitCode> {
    let arguments = Arguments::parse();
    if let Some(Command::Skills(skills)) = &arguments.command {
        return skills
            .run(&Program::new("runbooks", "1.0.0", &RUNBOOKS))
            .print();
    }
    let catalog = Catalog::builder()
        .bundle("runbooks", &RUNBOOKS)
        .load()
        .catalog;
    if let Some(Command::Mcp) = &arguments.command {
        serve_stdio(SkillsServer::new("runbooks", "1.0.0", catalog))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = io::stdout().lock();
    let words = arguments.words;
    if words.is_empty() {
        for entry in &catalog {
            writeln!(out, "{}\n    {}", entry.name(), entry.description())?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let question = words.join(" ");
    let Some(entry) = catalog
        .get(&question)
        .or_else(|| nearest(&catalog, &question))
    else {
        writeln!(out, "No runbook is about '{question}'.")?;
        return Ok(ExitCode::FAILURE);
    };
    let body = entry.body().map_err(io::Error::other)?;
    writeln!(out, "{}\n\n{body}", entry.name())?;
    for resource in entry.resources().map_err(io::Error::other)? {
        let text = entry.read(&resource.path).map_err(io::Error::other)?;
        writeln!(
            out,
            "\n--- {}\n{}",
            resource.path,
            String::from_utf8_lossy(&text)
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Finds the runbook whose name and description contain the most words of the question. The first of equal
/// runbooks wins.
fn nearest<'c>(catalog: &'c Catalog, question: &str) -> Option<Entry<'c>> {
    let question = question.to_lowercase();
    let words: Vec<&str> = question
        .split_whitespace()
        // Short words such as `the` are in most descriptions.
        .filter(|word| word.len() > 3)
        .collect();
    let score = |entry: &Entry<'_>| {
        let about = format!("{} {}", entry.name(), entry.description()).to_lowercase();
        words.iter().filter(|word| about.contains(**word)).count()
    };
    let best = catalog.iter().map(|entry| score(&entry)).max()?;
    catalog
        .iter()
        .find(|entry| best > 0 && score(entry) == best)
}
