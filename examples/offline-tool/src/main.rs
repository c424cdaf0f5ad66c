//! Runbooks in one binary: found by name or by words, without a network and without a folder.
//!
//! `cargo run -p example-offline-tool -- the disk is full`
//!
//! `export FOLDER` keeps the runbooks in an agent's folder of skills. `mcp` serves the runbooks to any client of the
//! Model Context Protocol.

use clap::{Parser, Subcommand};
use skills_provision::Provision as _;
use skills_runtime::{Catalog, Skill, include_skills};
use skills_server::{SkillsServer, serve_stdio};
use skills_session::activation::activate_bundled;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

include_skills! {
    /// The runbooks, by name: `restart-service` takes arguments, and its module has their types.
    mod runbook in "skills"
}

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
    /// Write the runbooks to a folder of skills, such as ~/.agents/skills
    Export { folder: PathBuf },
    /// The runbooks as a server of the Model Context Protocol
    Mcp,
    /// The steps to restart a service
    Restart {
        /// The machines of production, not those of staging
        #[arg(long)]
        production: bool,
        /// Seconds until a machine must be healthy
        #[arg(long, default_value_t = 30)]
        wait: i64,
    },
}

fn main() -> io::Result<ExitCode> {
    let arguments = Arguments::parse();
    if let Some(Command::Export { folder }) = &arguments.command {
        let done = runbook::bundle().provision(folder).run();
        let done = done.map_err(io::Error::other)?;
        for path in &done.kept {
            writeln!(io::stderr(), "{path} was edited and stays as it is")?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let catalog = Catalog::builder()
        .bundle("runbooks", runbook::bundle())
        .load();
    if let Some(Command::Mcp) = &arguments.command {
        serve_stdio(SkillsServer::new("runbooks", "1.0.0", catalog))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = io::stdout().lock();
    if let Some(Command::Restart { production, wait }) = arguments.command {
        let text = restart(production, wait).map_err(io::Error::other)?;
        writeln!(out, "{text}")?;
        return Ok(ExitCode::SUCCESS);
    }
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
    for resource in entry.files().map_err(io::Error::other)?.iter().skip(1) {
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

/// Returns the runbook `restart-service` with its arguments filled in. A site that the schema does not list does not
/// compile; a number outside of its bounds is an error.
fn restart(production: bool, wait: i64) -> Result<String, skills_runtime::Error> {
    use runbook::restart_service::{Arguments, Site};
    let site = if production {
        Site::Production
    } else {
        Site::Staging
    };
    let arguments = Arguments { site, wait };
    let started = activate_bundled(runbook::RESTART_SERVICE, &arguments)?;
    Ok(started.text)
}

/// Finds the runbook whose name and description contain the most words of the question. The first of equal
/// runbooks wins.
fn nearest<'c>(catalog: &'c Catalog, question: &str) -> Option<Skill<'c>> {
    let question = question.to_lowercase();
    let words: Vec<&str> = question
        .split_whitespace()
        // Short words such as `the` are in most descriptions.
        .filter(|word| word.len() > 3)
        .collect();
    let score = |entry: &Skill<'_>| {
        let about = format!("{} {}", entry.name(), entry.description()).to_lowercase();
        words.iter().filter(|word| about.contains(**word)).count()
    };
    let best = catalog.iter().map(|entry| score(&entry)).max()?;
    catalog
        .iter()
        .find(|entry| best > 0 && score(entry) == best)
}
