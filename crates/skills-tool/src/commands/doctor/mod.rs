//! `skills doctor`: what is wrong on this machine, with its cause and what helps.

mod checked;
mod circles;
mod folders;
mod left;
mod machine;
mod place;
mod programs;
mod records;
mod remedy;
mod skill_rights;
mod skills;

use crate::commands::doctor::checked::{Checked, Trouble};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::fit::wrapped;
use crate::output::style::{STATE_GOOD, WARNING};
use crate::output::{Format, Output, counted};
use clap::Args;
use serde::Serialize;
use skills_format::Prose;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills doctor\n  skills doctor --format json")]
pub(crate) struct Doctor {
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

/// `doctor --format json`
#[derive(Serialize)]
struct DoctorDocument {
    schema: u32,
    /// The number of checks that found something wrong.
    wrong: usize,
    checks: Vec<Checked>,
}

/// The columns before the text of a line: the state and the name.
const INDENT: usize = 21;

impl Doctor {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        if environment.working_folder.is_none() {
            return Err(Failure::no_working_folder());
        }
        let checks = [
            machine::checks(environment),
            folders::checks(environment),
            left::checks(environment),
            records::checks(environment),
        ];
        let checks = checks.into_iter().flatten().collect::<Vec<_>>();
        let document = DoctorDocument {
            schema: 1,
            wrong: checks
                .iter()
                .filter(|check| !check.troubles.is_empty())
                .count(),
            checks,
        };
        match self.format {
            Format::Json => output.json(&document)?,
            Format::Text => document.print(output)?,
        }
        Ok(match document.wrong {
            0 => Outcome::Done,
            _ => Outcome::Findings,
        })
    }
}

impl DoctorDocument {
    fn print(&self, output: &mut Output) -> Result<(), Failure> {
        for Checked {
            name,
            found,
            troubles,
        } in &self.checks
        {
            if troubles.is_empty() {
                let state = output.styled(STATE_GOOD, "in order").to_string();
                lines(&state, "in order", name, found, output)?;
            }
            for Trouble { message, help } in troubles {
                let state = output.styled(WARNING, "wrong").to_string();
                lines(&state, "wrong", name, message, output)?;
                lines("", "", "help", help, output)?;
            }
        }
        let all = counted(self.checks.len(), "check");
        match self.wrong {
            0 => writeln!(output, "\n{all}: all is in order")?,
            wrong => writeln!(output, "\n{all}: {wrong} found something wrong")?,
        }
        Ok(())
    }
}

/// Prints a text beside its state and its name, broken at words.
fn lines(
    state: &str,
    bare: &str,
    name: &str,
    text: &Prose,
    output: &mut Output,
) -> Result<(), Failure> {
    let text = output.on_one_line(text);
    let room = output.width().map(|width| width.saturating_sub(INDENT));
    let mut parts = wrapped(&text, room).into_iter();
    let first = parts.next().unwrap_or_default();
    let gap = 10_usize.saturating_sub(bare.len());
    writeln!(output, "{state}{:gap$}{name:<11}{first}", "")?;
    for part in parts {
        writeln!(output, "{:INDENT$}{part}", "")?;
    }
    Ok(())
}
