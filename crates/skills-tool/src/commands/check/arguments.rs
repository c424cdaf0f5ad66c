//! The arguments of `skills check`.

use crate::commands::check::findings::CheckFormat;
use crate::commands::check::levels::Levels;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use skills_lint::ALL_CLIENTS;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct Check {
    /// Repositories, folders of skills, skills or files of skills; `-` is a SKILL.md on standard input;
    /// without a PATH the working folder
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
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
    #[arg(long, conflicts_with_all = ["fix", "watch", "format", "output_file"])]
    pub(super) diff: bool,
    /// Check again after every change, until interrupted
    #[arg(long, conflicts_with = "fix")]
    pub(super) watch: bool,
    #[command(flatten)]
    pub(super) levels: Levels,
    /// Check the skills for this client; `all` is every client. Repeatable
    #[arg(long, value_name = "NAME", value_parser = clients())]
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
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fix", "diff", "watch"])]
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

/// Returns the names of the clients whose behaviour is known, and `all`.
fn clients() -> PossibleValuesParser {
    let clients = skills_clients::check::clients().iter();
    // Without facts the check would be silent, as if nothing were wrong.
    let clients = clients.filter(|client| !client.facts.is_empty());
    let names = clients.map(|client| {
        let others = client.names.iter().map(String::as_str);
        PossibleValue::new(client.name.as_str()).aliases(others)
    });
    let all = [PossibleValue::new(ALL_CLIENTS)];
    PossibleValuesParser::new(names.chain(all).collect::<Vec<_>>())
}

const EXAMPLES: &str = "\
Examples:
  skills check .agents/skills
  skills check                                     the repository of the working folder
  skills check my-skill other-skill --deny body-length
  skills check --fix skills
  skills check --client codex --client claude-code skills
  skills check --deny warnings --format github     in CI

The nearest `skills.toml` above a skill sets the levels of rules for it, up to the root of the repository \
(docs/configuration.md). These options override that file.";
