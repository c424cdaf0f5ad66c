//! Completion of the arguments in a shell: commands, options, and values such as the ids of skills.
//!
//! The script of a shell starts the program with a variable, and passes the words of the line.

use crate::catalog::options::CatalogOptions;
use crate::commands::inspect::print::script;
use crate::commands::{Arguments, line};
use crate::environment::Environment;
use crate::output::one_line;
use clap::{Arg, Command, CommandFactory as _, Parser};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _, complete,
};
use skills_host::lock;
use skills_host::places::Agent;
use skills_lint::rules::RULES;
use skills_profiles::Profile;
use skills_runtime::Skill;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::sync::Arc;

/// Answers a shell: its script, or the candidates for the last word.
pub(crate) fn answer(
    shell: &str,
    mut words: Vec<OsString>,
    env: &Environment,
) -> io::Result<Vec<u8>> {
    if words.is_empty() {
        return script(shell);
    }
    let index = Environment::of_completing_shell("_CLAP_COMPLETE_INDEX");
    let index = index.and_then(|index| index.parse().ok());
    let index = index.unwrap_or(words.len() - 1);
    line::replace_in_place(&mut words);
    words.resize(index + 1, OsString::new());
    // After one hyphen, the long options are candidates: `--verbose` and not `-v`.
    if words[index] == "-" {
        words[index].push("-");
    }
    let typed = words[index].to_string_lossy().into_owned();
    let line = Arc::new(Line {
        env: env.clone(),
        options: options(&words[..index]),
    });
    let mut program = Arguments::command();
    // Deferred arguments are defined when their command is built.
    program.build();
    program = with_values(program, "", &line);
    let folder = env.working_folder.as_deref();
    let mut found = complete(&mut program, words, index, folder)?;
    found.retain(|candidate| is_safe(candidate, &typed));
    Ok(lines(shell, &found).into_bytes())
}

/// Returns whether a shell takes the candidate as one word: a shell inserts it as it is, and would run `$(…)` in the
/// name of a file. Options are no candidates before a hyphen is typed.
fn is_safe(candidate: &CompletionCandidate, typed: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "._/:-,=~".contains(c);
    let value = candidate.get_value().to_str();
    value.is_some_and(|value| {
        value.chars().all(is_plain) && (typed.starts_with('-') || !value.starts_with('-'))
    })
}

/// Formats the candidates for the script of the shell.
fn lines(shell: &str, candidates: &[CompletionCandidate]) -> String {
    let lines = candidates.iter().map(|candidate| {
        let value = candidate.get_value().to_string_lossy().into_owned();
        let help = candidate.get_help().map(ToString::to_string);
        let help = one_line(help.unwrap_or_default().lines().next().unwrap_or_default());
        match shell {
            "fish" | "powershell" if !help.is_empty() => format!("{value}\t{help}"),
            "zsh" => {
                let value = value.replace(':', r"\:");
                format!("{value}:{}", help.replace('\\', r"\\"))
            }
            _ => value,
        }
    });
    let separator = Environment::of_completing_shell("_CLAP_IFS");
    let mut text = lines
        .collect::<Vec<_>>()
        .join(separator.as_deref().unwrap_or("\n"));
    text.push('\n');
    text
}

/// The line that is completed.
struct Line {
    env: Environment,
    /// The catalog options that the line already has.
    options: CatalogOptions,
}

/// Parses the catalog options of a line. For an invalid line the default options apply.
fn options(words: &[OsString]) -> CatalogOptions {
    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        catalog: CatalogOptions,
    }
    let mut line = vec![OsStr::new("skills")];
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        match text.split_once('=').map_or(&*text, |(name, _)| name) {
            "--bundled" => line.push(word),
            "--layer" | "--state" | "--profile" => {
                line.push(word);
                if !text.contains('=') {
                    line.extend(words.next().map(OsString::as_os_str));
                }
            }
            _ => {}
        }
    }
    CommandLine::try_parse_from(line)
        .map_or_else(|_| CatalogOptions::default(), |line| line.catalog)
}

/// Adds completers to the arguments of a command and of its subcommands. `of` is the command below the program.
fn with_values(command: Command, of: &str, line: &Arc<Line>) -> Command {
    command
        .mut_args(|arg| match source(of, &arg) {
            Some(source) => {
                let line = Arc::clone(line);
                arg.add(ArgValueCompleter::new(move |typed: &OsStr| {
                    let typed = typed.to_string_lossy();
                    let mut found = source(&line, &typed);
                    found.retain(|it| it.get_value().to_string_lossy().starts_with(&*typed));
                    found
                }))
            }
            None => arg,
        })
        .mut_subcommands(|command| {
            let name = command.get_name().to_owned();
            let below = if of.is_empty() || of == "inspect" {
                &name
            } else {
                of
            };
            with_values(command, below, line)
        })
}

type Source = fn(&Line, &str) -> Vec<CompletionCandidate>;

/// Returns what completes an argument of a command.
fn source(of: &str, arg: &Arg) -> Option<Source> {
    if !arg.get_action().takes_values() || !arg.get_possible_values().is_empty() {
        return None;
    }
    let source: Source = match (of, arg.get_id().as_str()) {
        (_, "profile") => |_, _| Profile::all().iter().map(|it| bare(it.name)).collect(),
        ("trust", "skills") => |line, typed| line.skills(typed, |it| it.source().asks_for_trust()),
        ("enable", "ids") => |line, typed| line.skills(typed, |it: &Skill<'_>| !it.is_enabled()),
        ("disable", "ids") => |line, typed| line.skills(typed, |it: &Skill<'_>| it.is_enabled()),
        ("update" | "uninstall", "name" | "names") => |line, _| line.installed(),
        ("restore", "name") => |line, _| line.trashed(),
        (_, "rule" | "deny" | "warn" | "allow") => |_, _| {
            let rules = RULES.iter();
            rules
                .map(|rule| described(rule.id.as_str(), rule.summary))
                .collect()
        },
        ("schedule", "name") => |line, _| line.schedules(),
        // These names are of a source or of a new skill, and not of the catalog.
        ("install" | "new", "name" | "names") => return None,
        ("install", "source") => |line, typed| line.paths(typed),
        (_, "to" | "from") => |line, typed| {
            let mut found: Vec<_> = ["user", "project", "all"].map(bare).into();
            found.extend(Agent::all().map(|agent| bare(&agent.client.name)));
            found.extend(line.paths(typed));
            found
        },
        (_, "id" | "ids" | "log" | "name" | "names" | "pattern") => {
            |line, typed| line.skills(typed, |_| true)
        }
        _ => return None,
    };
    Some(source)
}

impl Line {
    /// Returns the ids of skills. After a colon the ids are qualified.
    fn skills(
        &self,
        typed: &str,
        is_wanted: impl Fn(&Skill<'_>) -> bool,
    ) -> Vec<CompletionCandidate> {
        let Ok(loaded) = self.options.load(&self.env) else {
            return Vec::new();
        };
        let wanted = loaded.catalog.iter().filter(is_wanted);
        wanted
            .map(|entry| {
                let id = if typed.contains(':') {
                    entry.qualified_id()
                } else {
                    entry.id().into_owned()
                };
                described(&id, entry.description())
            })
            .collect()
    }

    #[cfg(not(feature = "agent"))]
    fn schedules(&self) -> Vec<CompletionCandidate> {
        Vec::new()
    }

    #[cfg(feature = "agent")]
    fn schedules(&self) -> Vec<CompletionCandidate> {
        let file = self.options.schedule_file(&self.env);
        let Some(Ok(stored)) = file.map(|file| file.read()) else {
            return Vec::new();
        };
        stored.value.keys().map(|name| bare(name)).collect()
    }

    /// Returns the skills that the locks of this machine's folders name.
    fn installed(&self) -> Vec<CompletionCandidate> {
        let known = self.env.data_folder().map(|data| data.known());
        let known = known.and_then(Result::ok).unwrap_or_default();
        let names = known.iter().filter_map(|folder| lock::names(folder).ok());
        let names: BTreeSet<String> = names.flatten().collect();
        names.iter().map(|name| bare(name)).collect()
    }

    fn trashed(&self) -> Vec<CompletionCandidate> {
        let data = self.env.data_folder();
        let trash = data.and_then(|data| data.trash().list().ok());
        let trash = trash.unwrap_or_default().into_iter();
        let names: BTreeSet<String> = trash.map(|trashed| trashed.record.name).collect();
        names.iter().map(|name| bare(name)).collect()
    }

    fn paths(&self, typed: &str) -> Vec<CompletionCandidate> {
        let mut paths = PathCompleter::any();
        if let Some(folder) = &self.env.working_folder {
            paths = paths.current_dir(folder);
        }
        paths.complete(typed.as_ref())
    }
}

fn bare(value: &str) -> CompletionCandidate {
    CompletionCandidate::new(value)
}

fn described(value: &str, help: &str) -> CompletionCandidate {
    bare(value).help(Some(one_line(help).into()))
}
