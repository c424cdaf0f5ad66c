//! The help of the program: its commands in groups, a line each.

use crate::output::fit::wrapped;
use crate::output::style::STRONG;
use clap::Command;
use clap::builder::StyledStr;
use std::fmt::Write as _;

/// The groups of the help. A row has one command, or two opposite commands with the text of the first. A command that
/// `--help` does not hide is in exactly one row.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Use",
        &[
            "list", "show", "chat", "resolve", "trust", "enable", "disable",
        ],
    ),
    (
        "Install",
        &[
            "install",
            "update",
            "uninstall",
            "restore",
            "pin, unpin",
            "export",
            "deps",
        ],
    ),
    (
        "Write",
        &[
            "new", "check", "test", "explain", "diff", "powers", "lock", "page", "lsp",
        ],
    ),
    ("Choose", &["select", "overlap", "prompt"]),
    ("Run", &["schedule", "improve", "history", "rollback"]),
    (
        "Programs",
        &["mcp", "doctor", "inspect", "completions", "man"],
    ),
];

/// The columns before the text of a command.
const INDENT: usize = 21;

/// Gives a program its help with groups.
pub(crate) fn grouped(program: Command) -> Command {
    let width = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let commands = listed(&program, width);
    program.help_template(StyledStr::from(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{{after-help}}",
        commands.trim_end()
    )))
}

/// Writes the lines of the commands. The group stands before its first command: a heading would take a line.
fn listed(program: &Command, width: Option<usize>) -> String {
    let mut text = String::new();
    for (group, names) in GROUPS {
        let mut group = *group;
        for row in *names {
            let first = row.split(", ").next().unwrap_or(row);
            let Some(command) = program.find_subcommand(first) else {
                continue;
            };
            let about = command.get_about();
            let about = about.map(ToString::to_string).unwrap_or_default();
            let room = width.map(|width| width.saturating_sub(INDENT));
            let lines = wrapped(&about, room);
            let mut lines = lines.iter();
            let first = lines.next().copied().unwrap_or_default();
            // A write to a string does not fail.
            let _ = writeln!(
                text,
                "{STRONG}{group:<9}{STRONG:#}{STRONG}{row:<12}{STRONG:#}{first}"
            );
            for line in lines {
                let _ = writeln!(text, "{:INDENT$}{line}", "");
            }
            group = "";
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Arguments;
    use clap::CommandFactory as _;

    #[test]
    fn every_command_is_in_one_group() {
        let program = Arguments::command();
        let mut shown: Vec<&str> = program
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(Command::get_name)
            .collect();
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .flat_map(|names| names.split(", "))
            .collect();
        shown.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(shown, grouped);
        let help = listed(&program, None);
        let rows = GROUPS.iter().map(|(_, names)| names.len());
        assert_eq!(help.lines().count(), rows.sum::<usize>(), "{help}");
    }

    #[test]
    fn the_help_fits_a_small_terminal() {
        let program = Arguments::command().term_width(80);
        for help in [
            grouped(program.clone()).render_help(),
            grouped(program).render_long_help(),
        ] {
            let help = help.to_string();
            let long: Vec<&str> = help
                .lines()
                .filter(|line| line.chars().count() > 80)
                .collect();
            assert_eq!(long, Vec::<&str>::new());
            assert!(
                help.lines().count() <= 45,
                "{} lines:\n{help}",
                help.lines().count()
            );
        }
    }
}
