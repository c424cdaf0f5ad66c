//! `skills inspect schema`, `completions` and `man`: texts for editors, shells and `man`.

use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, counted};
use clap::{Args, Command, ValueHint};
use clap_complete::env::Shells;
use clap_mangen::Man as Page;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = SCHEMA_EXAMPLES)]
pub(crate) struct Schema {
    /// Of `skills.toml`
    #[arg(long)]
    config: bool,
    /// Of `triggers.yaml`
    #[arg(long, conflicts_with = "config")]
    triggers: bool,
}

const SCHEMA_EXAMPLES: &str = "\
Examples:
  skills inspect schema > skill.schema.json
  skills inspect schema --config > skills-toml.schema.json
  skills inspect schema --triggers > triggers.schema.json";

impl Schema {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let schema = if self.config {
            skills_lint::config_schema()
        } else if self.triggers {
            skills_clients::triggers_schema()
        } else {
            skills_lint::json_schema()
        };
        writeln!(cx, "{}", schema.trim_end())?;
        Ok(Outcome::Done)
    }
}

#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_parser = ["bash", "elvish", "fish", "powershell", "zsh"])]
    shell: String,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  skills inspect completions bash > ~/.local/share/bash-completion/completions/skills
  skills inspect completions zsh > ~/.zfunc/_skills
  skills inspect completions fish > ~/.config/fish/completions/skills.fish";

impl Completions {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        cx.write_all(&script(&self.shell)?)?;
        Ok(Outcome::Done)
    }
}

#[derive(Args, Debug)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct Man {
    /// The folder of the pages
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    into: PathBuf,
}

const MAN_EXAMPLES: &str = "Examples:\n  skills inspect man ~/.local/share/man/man1";

impl Man {
    pub(crate) fn run(&self, mut program: Command, cx: &mut Ctx) -> Result<Outcome, Failure> {
        program.build();
        let version = program.get_version().unwrap_or_default().to_owned();
        let folder = cx.env.absolute(&self.into);
        let count = write(&program, &version, &folder).map_err(|error| {
            Failure::unwritten(&*folder, &error, "name a folder that you can write to")
        })?;
        let folder = cx.env.shown(&folder);
        writeln!(cx, "{} in {folder}", counted(count, "page"))?;
        Ok(Outcome::Done)
    }
}

/// Writes the page of a command, and the pages of its subcommands. Returns the number of pages.
fn write(command: &Command, version: &str, folder: &Path) -> std::io::Result<usize> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let page = Page::new(command.clone()).source(format!("skills {version}"));
    let mut text = Vec::new();
    page.title(name).render(&mut text)?;
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join(format!("{name}.1")), text)?;
    let mut count = 1;
    for below in command.get_subcommands() {
        if below.get_name() != "help" {
            count += write(below, version, folder)?;
        }
    }
    Ok(count)
}

/// Returns the script that a shell reads once.
pub(crate) fn script(shell: &str) -> io::Result<Vec<u8>> {
    let shells = Shells::builtins();
    let shell = shells.completer(shell).ok_or(io::ErrorKind::NotFound)?;
    let mut script = Vec::new();
    shell.write_registration("SKILLS_COMPLETE", "skills", "skills", "skills", &mut script)?;
    Ok(script)
}
