//! `skills completions` and `skills man`: the scripts by which shells ask for completions, and manual pages
//! from the definitions of the arguments.

use crate::outcome::{Failure, Outcome};
use crate::output::Output;
use crate::shell::Shell;
use clap::Args;
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
  skills completions zsh > ~/.zfunc/_skills
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
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        output.write_all(&self.shell.script()?)?;
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
