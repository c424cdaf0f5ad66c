//! `list`, `show` and `export` for any program that carries skills.
//!
//! ```
//! use clap::Parser;
//! use skills_host::export::Program;
//! use skills_host::export::command::SkillsCommand;
//!
//! #[derive(Parser)]
//! enum Command {
//!     #[command(subcommand)]
//!     Skills(SkillsCommand),
//! }
//!
//! static SKILLS: skills_runtime::Bundle = skills_runtime::Bundle::empty();
//!
//! let Command::Skills(skills) = Command::parse_from(["mytool", "skills", "list"]);
//! let output = skills.run(&Program::new("mytool", "1.0.0", &SKILLS));
//! assert_eq!((output.text.as_str(), output.code), ("", 0));
//! ```

use crate::export::agents::Agent;
use crate::export::list::list_document;
use crate::export::process::{SystemClock, absolute, data_folder, user_folder};
use crate::export::program::{Program, no_such};
use crate::export::{Direction, ExportAction, ExportPlan, ExportState, Others, plan};
use clap::{Subcommand, ValueEnum};
use skills_format::text::control::shown;
use skills_format::text::path::PathText as _;
use skills_store::{Error, ErrorKind};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

/// The skills in this program
#[derive(Clone, Debug, Subcommand)]
#[non_exhaustive]
pub enum SkillsCommand {
    /// The skills in this program
    List {
        /// The output format
        #[arg(short, long, value_enum, default_value_t)]
        format: ListFormat,
    },
    /// One skill's instructions
    Show {
        /// The skill
        name: String,
    },
    /// Write the skills into the folder in which an agent looks for skills
    Export {
        /// The skills; by default all
        names: Vec<String>,
        /// An agent such as `claude-code`, `agents` for the folder that many share, `all`, or a folder
        #[arg(long, value_name = "AGENT|FOLDER", default_value = "agents")]
        to: String,
        /// Remove the exported skills from the folder
        #[arg(long)]
        remove: bool,
        /// Replace skills with local changes and foreign skills, which go to the trash
        #[arg(long)]
        force: bool,
    },
}

/// The form of the printed list of skills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
#[non_exhaustive]
pub enum ListFormat {
    /// For people
    #[default]
    Text,
    /// For programs, with sizes and digests
    Json,
}

/// The output of a command, with its exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The text for standard output, or for standard error if the code is 2.
    pub text: String,
    /// 0: done; 1: a skill was left as it is, or does not exist; 2: failed.
    pub code: u8,
}

impl Output {
    /// Prints the text to the right stream, and returns the exit code: the last call of a `main`.
    ///
    /// # Errors
    ///
    /// If standard output or standard error cannot be written.
    pub fn print(&self) -> io::Result<ExitCode> {
        if self.code == 2 {
            let text = self.printed(io::stderr().is_terminal());
            io::stderr().write_all(text.as_bytes())?;
        } else {
            let text = self.printed(io::stdout().is_terminal());
            io::stdout().write_all(text.as_bytes())?;
        }
        Ok(self.code.into())
    }

    /// Returns the text. For a terminal, control characters are replaced: a path or an argument can contain them.
    fn printed(&self, is_terminal: bool) -> Cow<'_, str> {
        if !is_terminal {
            return self.text.as_str().into();
        }
        let printed = |c| {
            if matches!(c, '\n' | '\t') {
                c
            } else {
                shown(c)
            }
        };
        self.text.chars().map(printed).collect::<String>().into()
    }
}

impl SkillsCommand {
    /// Runs the command, with the home folder, the working folder and the clock of the process.
    pub fn run(&self, program: &Program) -> Output {
        let done = match self {
            Self::List { format } => list(program, *format),
            Self::Show { name } => show(program, name),
            Self::Export {
                names,
                to,
                remove,
                force,
            } => {
                let direction = if *remove {
                    Direction::Remove
                } else {
                    Direction::Export
                };
                let others = if *force { Others::Force } else { Others::Leave };
                export(program, names, to, direction, others)
            }
        };
        done.unwrap_or_else(|error| Output {
            code: if error.kind() == ErrorKind::NotFound {
                1
            } else {
                2
            },
            text: match error.remedy() {
                Some(help) => format!("error: {error:#}\n help: {help}\n"),
                None => format!("error: {error:#}\n"),
            },
        })
    }
}

fn list(program: &Program, format: ListFormat) -> Result<Output, Error> {
    if format == ListFormat::Json {
        let text = list_document(program)? + "\n";
        return Ok(Output { text, code: 0 });
    }
    let mut text = String::new();
    for skill in program.skills {
        let _ = writeln!(text, "{}\n    {}", skill.name(), skill.description());
    }
    Ok(Output { text, code: 0 })
}

fn show(program: &Program, name: &str) -> Result<Output, Error> {
    let skill = program
        .skills
        .get(name)
        .ok_or_else(|| no_such(program, name))?;
    let text = format!(
        "{}\n{}\n\n{}",
        skill.name(),
        skill.description(),
        skill.body()
    );
    Ok(Output { text, code: 0 })
}

fn export(
    program: &Program,
    names: &[String],
    to: &str,
    direction: Direction,
    others: Others,
) -> Result<Output, Error> {
    let (data, mut output) = (
        data_folder(),
        Output {
            text: String::new(),
            code: 0,
        },
    );
    for target in targets(to)? {
        let plan = plan(program, names, &target, direction, others, &data)?;
        plan.apply(program, &data, &SystemClock)?;
        output.text += &summary(&plan);
        output.code = output.code.max(u8::from(plan.leaves()));
    }
    Ok(output)
}

fn targets(to: &str) -> Result<Vec<PathBuf>, Error> {
    let agents: Vec<Agent> = match to {
        "all" => Agent::of_all().collect(),
        name => Agent::named(name)?.into_iter().collect(),
    };
    if agents.is_empty() {
        let folder = absolute(to.as_ref());
        return match Agent::unknown(to, &folder) {
            Some(error) => Err(error),
            None => Ok(vec![folder]),
        };
    }
    let folder = |agent: Agent| {
        user_folder(agent).ok_or_else(|| {
            let message = format!(
                "the folder of {} is not known: there is no home folder",
                agent.client.name
            );
            Error::new(ErrorKind::NotFound, message).help("name a folder with --to")
        })
    };
    agents.into_iter().map(folder).collect()
}

/// Writes a line for each skill, with its action.
pub fn summary(plan: &ExportPlan) -> String {
    let mut text = String::new();
    for skill in &plan.skills {
        let what = match (skill.action, skill.state) {
            (ExportAction::Write, ExportState::Missing) => "written",
            (ExportAction::Write, ExportState::Outdated) if !skill.goes_to_trash() => "updated",
            (ExportAction::Write, _) => "replaced; the old skill is in the trash",
            (ExportAction::Remove, _) if skill.goes_to_trash() => "removed; it is in the trash",
            (ExportAction::Remove, _) => "removed",
            (ExportAction::Leave, ExportState::Changed) => {
                "left: it has local changes (--force replaces it)"
            }
            (ExportAction::Leave, _) => "left: another skill has the name (--force replaces it)",
            (_, ExportState::Missing) => "not there",
            _ => "up to date",
        };
        let _ = writeln!(text, "{}: {what}", plan.target.join(&skill.name).shown());
    }
    text
}
