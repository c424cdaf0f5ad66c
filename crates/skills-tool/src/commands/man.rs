//! `skills man`: manual pages, generated from the definitions of the arguments.

use crate::catalog::find::did_you_mean;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Output, counted, one_line, roff};
use clap::{Arg, ArgAction, Args, Command, ValueHint};
use clap_mangen::Man as Page;
use skills_format::disk::Folder;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Man {
    /// The command, and the command of that command; without it, the program itself
    #[arg(conflicts_with = "into")]
    command: Vec<String>,
    /// Write a page for the program and for each command into this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    into: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  skills man check               the page on a terminal
  skills man check | man -l -
  skills man schedule add | man -l -
  skills man --into ~/.local/share/man/man1";

/// The heading of the synopsis in a page.
const SYNOPSIS: &str = ".SH SYNOPSIS\n";

impl Man {
    pub(crate) fn run(
        &self,
        mut program: Command,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        program.build();
        let version = program.get_version().unwrap_or_default().to_owned();
        if let Some(folder) = &self.into {
            return write(&program, &version, folder, environment, output);
        }
        let mut page = &program;
        for name in &self.command {
            page = page
                .find_subcommand(name)
                .ok_or_else(|| unknown(page, name))?;
        }
        let page = rendered(page, &version)?;
        if output.is_terminal() {
            let page = String::from_utf8_lossy(&page);
            output.paged(|output| Ok(roff::print(&page, output)?))?;
        } else {
            output.write_all(&page)?;
        }
        Ok(Outcome::Done)
    }
}

fn unknown(above: &Command, name: &str) -> Failure {
    let above_name = above.get_bin_name().unwrap_or("skills");
    let fact = format!("`{above_name}` has no command '{}'", one_line(name));
    let near = did_you_mean(name, commands(above).map(Command::get_name));
    let help = if above.has_subcommands() {
        format!("`{above_name} --help` lists the commands")
    } else {
        format!("`{above_name} --help` shows what it takes")
    };
    Failure::not_so(fact, near.unwrap_or(help))
}

/// Returns the commands that have pages.
fn commands(above: &Command) -> impl Iterator<Item = &Command> {
    let commands = above.get_subcommands();
    commands.filter(|command| command.get_name() != "help" && !command.is_hide_set())
}

/// Writes the page of a command, and the pages of all its subcommands.
fn write(
    program: &Command,
    version: &str,
    folder: &Path,
    environment: &Environment,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    let cannot = |error: &io::Error| {
        Failure::unwritten(folder, error, "name a folder that you can write to")
    };
    let absolute = environment.absolute(folder);
    let made = fs::create_dir_all(&absolute).and_then(|()| Folder::open(&absolute));
    let opened = made.map_err(|error| cannot(&error))?;
    let mut waiting = vec![program];
    let mut count = 0;
    while let Some(command) = waiting.pop() {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let text = rendered(command, version)?;
        let file = format!("{name}.1");
        let written = opened.replace(file.as_ref(), &text, None);
        written.map_err(|error| cannot(&error))?;
        waiting.extend(commands(command));
        count += 1;
    }
    writeln!(
        output,
        "{} in {}",
        counted(count, "page"),
        environment.shown(&absolute)
    )?;
    Ok(Outcome::Done)
}

/// Renders the page of a command, with the version of the program in the footer.
fn rendered(command: &Command, version: &str) -> Result<Vec<u8>, Failure> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let source = format!("skills {version}");
    let page = Page::new(command.clone()).title(name).source(source);
    let mut text = Vec::new();
    page.render(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let Some((before, rest)) = text.split_once(SYNOPSIS) else {
        return Ok(text.into_owned().into());
    };
    // The synopsis of clap_mangen has options without their values.
    let after = rest
        .find("\n.SH ")
        .and_then(|at| rest.get(at..))
        .unwrap_or_default();
    Ok([before, SYNOPSIS, &synopsis(command), after]
        .concat()
        .into())
}

/// Formats the synopsis: every option with its values.
fn synopsis(command: &Command) -> String {
    let bin = command.get_bin_name().unwrap_or("skills");
    let mut parts = vec![format!("\\fB{}\\fR", plain(bin))];
    let shown = || command.get_arguments().filter(|arg| !arg.is_hide_set());
    parts.extend(shown().filter(|arg| !arg.is_positional()).map(option));
    parts.extend(shown().filter(|arg| arg.is_positional()).map(positional));
    if command.has_subcommands() {
        let name = if command.is_subcommand_required_set() {
            "\\fICOMMAND\\fR"
        } else {
            "[\\fICOMMAND\\fR]"
        };
        parts.push(name.to_owned());
    }
    parts.join(" ")
}

/// Formats an option: `[--format {text|json}]`.
fn option(arg: &Arg) -> String {
    let name = match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(long)) => format!("\\fB\\-{short}\\fR|\\fB\\-\\-{}\\fR", plain(long)),
        (Some(short), None) => format!("\\fB\\-{short}\\fR"),
        (None, long) => format!("\\fB\\-\\-{}\\fR", plain(long.unwrap_or_default())),
    };
    let value = if arg.get_action().takes_values() {
        format!(" {}", value(arg))
    } else {
        String::new()
    };
    bracketed(arg, &format!("{name}{value}"))
}

/// Formats a positional argument: `[PATH]...`.
fn positional(arg: &Arg) -> String {
    bracketed(arg, &value(arg))
}

/// Formats the possible values of an argument, or the name of its value.
fn value(arg: &Arg) -> String {
    let possible = arg.get_possible_values();
    let names: Vec<String> = possible
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| plain(value.get_name()))
        .collect();
    if !names.is_empty() {
        return format!("{{{}}}", names.join("|"));
    }
    let names = arg.get_value_names().unwrap_or_default();
    let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let name = if names.is_empty() {
        plain(&arg.get_id().as_str().to_uppercase())
    } else {
        names.join(" ")
    };
    format!("\\fI{name}\\fR")
}

fn bracketed(arg: &Arg, text: &str) -> String {
    let is_many = matches!(arg.get_action(), ArgAction::Append)
        || arg
            .get_num_args()
            .is_some_and(|range| range.max_values() > 1);
    let more = if is_many { "..." } else { "" };
    if arg.is_required_set() {
        format!("{text}{more}")
    } else {
        format!("[{text}]{more}")
    }
}

/// Escapes text for roff.
fn plain(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-")
}
