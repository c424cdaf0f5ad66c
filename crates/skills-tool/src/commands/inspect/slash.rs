//! `skills inspect commands`: lists the slash commands.

use crate::catalog::arguments::{CatalogArguments, OpenCatalog};
use crate::outcome::{Failure, Outcome};
use crate::output::fit::hanging;
use crate::output::{Ctx, one_line};
use clap::Args;
use serde::Serialize;
use skills_session::commands::CommandSpec;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Commands {
    #[command(flatten)]
    pub(crate) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills inspect commands
  skills inspect commands --profile openclaw --format json";

/// `inspect commands --format json`
#[derive(Serialize)]
struct SlashDocument {
    commands: Vec<CommandSpec>,
}

impl Commands {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let OpenCatalog { catalog, profile } = self.catalog.open(&[], cx)?;
        let commands = profile.commands(&catalog);
        if cx.is_json {
            cx.json(&SlashDocument { commands })?;
        } else {
            print(&commands, cx)?;
        }
        Ok(Outcome::Done)
    }
}

/// Prints the commands, or a note when no command exists.
pub(crate) fn print(commands: &[CommandSpec], cx: &mut Ctx) -> Result<(), Failure> {
    for command in commands {
        line(command, cx)?;
    }
    if commands.is_empty() {
        cx.note("no skill has a slash command here");
    }
    Ok(())
}

/// Prints a command. On a terminal the text is broken at words.
fn line(command: &CommandSpec, cx: &mut Ctx) -> Result<(), Failure> {
    let name = format!("/{}", one_line(&command.name));
    let mut text = name.clone();
    if let Some(hint) = &command.argument_hint {
        text.extend([" ", &one_line(hint)]);
    }
    text.extend([" — ", &one_line(&command.description)]);
    if let Some(tool) = &command.tool {
        text.extend([" (calls ", &one_line(tool), ")"]);
    }
    let lines = hanging(&text, cx.width());
    for (at, line) in lines.iter().enumerate() {
        match line.strip_prefix(&name).filter(|_| at == 0) {
            Some(rest) if command.scheduled => writeln!(cx, "{}{rest}", cx.careful(&name))?,
            Some(rest) => writeln!(cx, "{}{rest}", cx.strong(&name))?,
            None => writeln!(cx, "{line}")?,
        }
    }
    Ok(())
}
