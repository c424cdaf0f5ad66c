//! `skills completions` and `skills man`: completions for shells and manual pages, made from the
//! definitions of the arguments.

use crate::outcome::{Failure, Outcome};
use crate::output::Output;
use clap::Args;
use clap_complete::Shell;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  skills completions bash > ~/.local/share/bash-completion/completions/skills
  skills completions fish > ~/.config/fish/completions/skills.fish";

#[derive(Args, Debug)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct Man {
    /// The command; without it, the program itself
    command: Option<String>,
}

const MAN_EXAMPLES: &str = "\
Examples:
  skills man > skills.1
  skills man check | man -l -";

impl Completions {
    pub(crate) fn run(
        &self,
        mut program: clap::Command,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut program, "skills", &mut text);
        output.write_all(&text)?;
        Ok(Outcome::Done)
    }
}

impl Man {
    pub(crate) fn run(
        &self,
        mut program: clap::Command,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        program.build();
        let page = match &self.command {
            None => program,
            Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
                Failure::not_so(
                    format_args!("no command is called '{name}'"),
                    "`skills --help` lists the commands",
                )
            })?,
        };
        let mut text = Vec::new();
        clap_mangen::Man::new(page).render(&mut text)?;
        output.write_all(&text)?;
        Ok(Outcome::Done)
    }
}
