//! Checks in a test that the commands in a program's skills are commands of that program.
//!
//! A skill that ships with a program tells a model to run it: `tracker issue close 12 --quiet`. When the option is
//! renamed, nothing fails but the model's call. One test finds it:
//!
//! ```
//! # use clap::{Arg, ArgAction, Command};
//! # fn command() -> Command {
//! #     let close = Command::new("close").arg(Arg::new("id")).arg(Arg::new("quiet").long("quiet").action(ArgAction::SetTrue));
//! #     Command::new("tracker").subcommand(Command::new("issue").subcommand(close))
//! # }
//! # static SKILLS: skills_runtime::Bundle = skills_runtime::include_skills!("tests/one");
//! // #[test]
//! fn skills_name_real_commands() -> Result<(), skills_clap::Faults> {
//!     skills_clap::check(&SKILLS, &command()) // with the derive of clap: `&Cli::command()`
//! }
//! # let faults = skills_name_real_commands().unwrap_err();
//! # assert_eq!(
//! #     faults.to_string(),
//! #     "tracker/SKILL.md:8:29: 'tracker issue close' has no option '--silent'. Did you mean '--quiet'?\n",
//! # );
//! ```
//!
//! # What is read
//!
//! Every Markdown file of every skill: code spans, and code blocks that name a shell or no language. A command counts if its
//! first word is the program's name, after a prompt (`$ `, `> `), variables (`A=1`), `sudo`, or at the start of `$(…)`.
//! In a block where some lines have a prompt, the others are output.
//!
//! # What is a fault
//!
//! A sub-command, an option, a value of a closed list, or a further argument that the program does not take. Words with
//! `<NAME>`, `[…]`, `{…}`, `$NAME`, `*` or `...` stand for something else and fit everywhere. Missing arguments are no
//! fault: a text may speak of `tracker issue close` alone. A name is written in full: what clap would complete
//! (`infer_subcommands`) is a fault. Scripts and other files are not read.

mod shell;
mod text;
mod walk;

use clap::Command;
use skills_runtime::Bundle;
use std::error::Error;
use std::fmt;

/// One command in a skill that the program does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The file, from the folder of the skills: `tracker/SKILL.md`.
    pub path: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What the program does not have, as a sentence.
    pub message: String,
}

/// Every fault, in the order of the skills and their lines.
///
/// Both of its texts are one line for each fault, so that `?` and `unwrap` in a test print the list.
#[derive(Clone, PartialEq, Eq)]
pub struct Faults {
    /// Never empty.
    pub list: Vec<Fault>,
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.list {
            let Fault {
                path,
                line,
                column,
                message,
            } = fault;
            writeln!(f, "{path}:{line}:{column}: {message}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the skills name commands that the program does not have\n{self}"
        )
    }
}

impl Error for Faults {}

/// Whether each command of the program in its skills is one that it has.
///
/// # Errors
///
/// Every [`Fault`] of every skill.
///
/// # Cost
///
/// Linear in the bundle's Markdown: a test of thirty skills takes some milliseconds.
pub fn check(skills: &'static Bundle, command: &Command) -> Result<(), Faults> {
    // With it, global options and `help` stand in each sub-command, as they do when the program runs.
    let mut command = command.clone();
    command.build();
    let mut list = Vec::new();
    for skill in skills {
        let files = skill.files().into_iter().flatten();
        for file in files.filter(|file| file.path.to_ascii_lowercase().ends_with(".md")) {
            let Ok(bytes) = skill.read(&file.path) else {
                continue;
            };
            let Ok(text) = str::from_utf8(&bytes) else {
                continue;
            };
            for problem in text::faults(&command, text) {
                let (line, column) = text::place(text, problem.at);
                let path = format!("{}/{}", skill.dir(), file.path);
                list.push(Fault {
                    path,
                    line,
                    column,
                    message: problem.message,
                });
            }
        }
    }
    if list.is_empty() {
        Ok(())
    } else {
        Err(Faults { list })
    }
}
