//! `skills completions`: the scripts with which shells request completions.

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

impl Completions {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        output.write_all(&self.shell.script()?)?;
        Ok(Outcome::Done)
    }
}
