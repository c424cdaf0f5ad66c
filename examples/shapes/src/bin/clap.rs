//! A program whose skills name its commands, and the test that they exist.
//!
//! `cargo test -p example-shapes --bin clap`

#![expect(clippy::print_stdout, reason = "what the program says")]

use clap::{Parser, Subcommand};
use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("skills/plain");

#[derive(Parser)]
#[command(name = "acme")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show the release that runs
    Status,
    /// Bring a release to a place
    Deploy {
        #[arg(long)]
        to: String,
    },
}

fn main() {
    match Cli::parse().command {
        Command::Status => println!("{} skills", SKILLS.iter().count()),
        Command::Deploy { to } => println!("to {to}"),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_skills_name_commands_that_exist() -> Result<(), skills_clap::Faults> {
        skills_clap::check(&super::SKILLS, &super::Cli::command())
    }
}
