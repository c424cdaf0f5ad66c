//! The arguments of `skills check`.

use crate::catalog::clients::ClientParser;
use crate::catalog::find::near_client;
use crate::commands::check::findings::CheckFormat;
use crate::commands::check::levels::Levels;
use clap::Args;
use skills_lint::ALL_CLIENTS;
use std::path::PathBuf;

#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct Check {
    /// Repositories, folders of skills, skills (also by name) or files of skills; `-` is a SKILL.md on standard input;
    /// without a PATH the working folder
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Check the folders of every client on this machine, and report skills with several versions
    #[arg(long, conflicts_with_all = ["paths", "stdin_path"])]
    pub(super) everywhere: bool,
    /// With `-`: the path that the SKILL.md has
    #[arg(long, value_name = "PATH")]
    pub(super) stdin_path: Option<PathBuf>,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) format: CheckFormat,
    /// Fix what can be fixed without changing the meaning
    #[arg(long)]
    pub(super) fix: bool,
    /// With --fix or --diff: also apply fixes that are guesses (a name, a path, a misspelt key)
    #[arg(long)]
    pub(super) r#unsafe: bool,
    /// Show what --fix would write, and write nothing
    #[arg(long, conflicts_with_all = ["format", "output_file"])]
    pub(super) diff: bool,
    #[command(flatten)]
    pub(super) levels: Levels,
    /// Check the skills for these clients, with commas or the option again; `all` is every client
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = CHECKED)]
    pub(super) client: Vec<String>,
    /// Read the configuration from this file, and from no `skills.toml`
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Exclude matching paths. Repeatable
    #[arg(long, value_name = "GLOB")]
    pub(super) exclude: Vec<String>,
    /// Also check skills that git ignores
    #[arg(long)]
    pub(super) no_ignore: bool,
    /// Do not report the findings that this file lists
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,
    /// Write the present findings to a file, for --baseline
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fix", "diff"])]
    pub(super) write_baseline: Option<PathBuf>,
    /// Print the number of findings of each rule instead of the findings
    #[arg(long, conflicts_with_all = ["diff", "format", "output_file", "write_baseline"])]
    pub(super) statistics: bool,
    /// Print the findings without totals
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Write the findings to a file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(super) output_file: Option<PathBuf>,
}

/// The clients whose behaviour is known, and `all`.
const CHECKED: ClientParser<String> = ClientParser {
    parse: named,
    names,
};

/// Returns the names of the clients whose behaviour is known, and `all`.
fn names() -> Vec<&'static str> {
    let clients = skills_clients::check::clients().iter();
    // Without facts the check would be silent, as if nothing were wrong.
    let clients = clients.filter(|client| !client.facts.is_empty());
    let names = clients.map(|client| client.name);
    names.chain([ALL_CLIENTS]).collect()
}

/// Finds a client. The error names the nearest clients, or all of them.
fn named(name: &str) -> Result<String, String> {
    // `a, b` is accepted.
    let name = name.trim();
    let mut clients = skills_clients::check::clients().iter();
    let client = clients.find(|client| client.name == name || client.names.contains(&name));
    let found = client.map_or(name, |client| client.name);
    if names().contains(&found) {
        return Ok(found.to_owned());
    }
    let all = || format!("write one of {}", names().join(", "));
    Err(match client {
        Some(client) => format!("no rule knows a fact about {}; {}", client.title, all()),
        None => match near_client(name, names()) {
            Some(question) => format!("no client of this name is known. {question}"),
            None => format!("no client of this name is known; {}", all()),
        },
    })
}

const EXAMPLES: &str = "\
Examples:
  skills check .agents/skills
  skills check                                     the repository of the working folder
  skills check my-skill other-skill --deny body-length
  skills check --fix skills
  skills check --select link-broken skills         one rule alone
  skills check --client codex,claude-code skills
  skills check --deny warnings --format github     in CI

The nearest `skills.toml` above a skill sets the levels of rules for it, up to the root of the repository \
(docs/configuration.md). These options override that file.";
