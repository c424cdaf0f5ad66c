//! Completion of the arguments in a shell: commands, options, and values such as the ids of skills.
//!
//! The shell's script ([`Shell::script`](crate::shell::Shell::script)) starts the program with a variable,
//! and passes the words of the line. No other start of the program runs this code.

use crate::catalog::options::CatalogOptions;
use crate::commands::outdated;
use crate::environment::Environment;
use crate::output::one_line;
use crate::shell::{Candidate, ShellRequest};
use clap::{Arg, Command, Parser, ValueHint};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter, complete,
};
use jiff::tz::TimeZoneDatabase;
use skills_host::export::agents::Agent;
use skills_host::install::Pins;
use skills_host::lock;
use skills_lint::rules::RULES;
use skills_runtime::source::SkillTrust;
use skills_runtime::{Catalog, Entry, Profile};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

/// The data from which values are completed.
struct Values {
    environment: Environment,
    /// The catalog options that the line already has.
    options: CatalogOptions,
    /// The words before the completed word.
    words: Vec<String>,
}

/// A kind of completed values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Skills,
    /// Skills that require trust.
    Trustable,
    /// Disabled skills; all skills if no skill is disabled.
    Disabled,
    /// The files of the skills named in the line.
    Files,
    Sources,
    Profiles,
    Rules,
    Tools,
    Schedules,
    /// Folders of skills, by the values of `--to`.
    Targets,
    /// Folders of skills of a project.
    Project,
    Commands,
    Paths,
    /// Skills that a lock names.
    Installed,
    /// Pinned skills.
    Pinned,
    /// Sources that a lock names.
    Origins,
    /// Skills in the trash.
    Trashed,
    /// Enabled skills.
    Enabled,
    /// Names of time zones.
    Zones,
}

/// Writes the answer to a shell: its script, or the candidates for the word.
pub(crate) fn answer(
    request: ShellRequest,
    mut program: Command,
    environment: &Environment,
) -> std::io::Result<Vec<u8>> {
    let ShellRequest {
        shell,
        mut words,
        index,
    } = request;
    if words.is_empty() {
        return shell.script();
    }
    let index = index.unwrap_or(words.len() - 1);
    outdated::replace_in_place(&mut words);
    words.resize(index + 1, OsString::new());
    // After one hyphen, the long options are candidates too: `--verbose` and not `-v`.
    if let Some(word) = words.last_mut().filter(|word| *word == "-") {
        word.push("-");
    }
    let typed = words.last().cloned().unwrap_or_default();
    let values = Arc::new(Values {
        environment: environment.clone(),
        options: options(&words),
        words: words
            .iter()
            .take(index)
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
    });
    // Deferred arguments are defined when their command is built.
    program.build();
    let names = pages(&program, words.iter().take(index));
    program = with_values(program, &[], &values, &names);
    let folder = environment.working_folder.as_deref();
    let found = complete(&mut program, words, index, folder)?;
    let typed = typed.to_string_lossy();
    let found: Vec<Candidate> = found.iter().filter_map(|it| plain(it, &typed)).collect();
    Ok(shell.lines(&found).into_bytes())
}

/// Builds the candidate for a shell. Returns `None` for a candidate with a character that a shell
/// interprets, or for an option before a hyphen was typed. Letters of every script are safe.
fn plain(candidate: &CompletionCandidate, typed: &str) -> Option<Candidate> {
    let value = candidate.get_value().to_str()?;
    // The part of the word before the value: earlier rules of a list, or `--option=`.
    let begun = typed.rfind([',', '=']).and_then(|at| typed.get(..=at));
    let bare = begun
        .and_then(|begun| value.strip_prefix(begun))
        .unwrap_or(value);
    let bare = bare.strip_prefix("~/").unwrap_or(bare);
    let is_plain = |c: char| c.is_alphanumeric() || "._/:-".contains(c);
    if !bare.chars().all(is_plain) || value.starts_with('-') && !typed.starts_with('-') {
        return None;
    }
    let help = candidate
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    Some(Candidate {
        value: value.to_owned(),
        help: one_line(help.lines().next().unwrap_or_default()),
    })
}

/// Parses the catalog options of a line. An unfinished line may be invalid; then the default options
/// apply.
fn options(words: &[OsString]) -> CatalogOptions {
    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        catalog: CatalogOptions,
    }
    let mut line = vec![OsStr::new("skills")];
    let complete = words.len().saturating_sub(1);
    let mut words = words.iter().take(complete);
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        match text.split_once('=').map_or(&*text, |(name, _)| name) {
            "--no-bundled" | "--bundled" => line.push(word),
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

/// Returns the names that can follow the words of `skills man`.
fn pages<'w>(program: &Command, words: impl Iterator<Item = &'w OsString>) -> Arc<[String]> {
    let path = words.skip_while(|word| *word != "man").skip(1);
    let called = path.fold(program, |above, word| {
        above.find_subcommand(word).unwrap_or(above)
    });
    let names = called.get_subcommands().map(Command::get_name);
    names
        .filter(|it| *it != "help")
        .map(str::to_owned)
        .collect()
}

/// Adds completers to the arguments of a command and of its subcommands. `path` has the names of the
/// commands above.
fn with_values(
    command: Command,
    path: &[&str],
    values: &Arc<Values>,
    names: &Arc<[String]>,
) -> Command {
    let name = command.get_name().to_owned();
    let path: Vec<&str> = path.iter().copied().chain([&*name]).collect();
    command
        .mut_args(|arg| match kind(&path, &arg) {
            Some(kind) => {
                let (values, names) = (Arc::clone(values), Arc::clone(names));
                let completer = move |typed: &OsStr| values.candidates(kind, typed, &names);
                arg.add(ArgValueCompleter::new(completer))
            }
            None => arg,
        })
        .mut_subcommands(|command| with_values(command, &path, values, names))
}

/// Returns the kind of an argument's values, or `None` without a completion.
fn kind(path: &[&str], arg: &Arg) -> Option<Kind> {
    if !arg.get_action().takes_values() || !arg.get_possible_values().is_empty() {
        return None;
    }
    let mut below = path.iter().skip(1).filter(|name| **name != "inspect");
    let of = below.next().copied().unwrap_or_default();
    Some(match (of, arg.get_id().as_str()) {
        (_, "profile") => Kind::Profiles,
        ("trust", "skills") => Kind::Trustable,
        ("enable", "ids") => Kind::Disabled,
        ("disable", "ids") => Kind::Enabled,
        ("update" | "uninstall" | "pin", "name" | "names") => Kind::Installed,
        ("unpin", "names") => Kind::Pinned,
        ("update", "source") => Kind::Origins,
        ("restore", "name") => Kind::Trashed,
        (_, "timezone") => Kind::Zones,
        ("show", "file") => Kind::Files,
        ("trust", "all") | ("list", "source") => Kind::Sources,
        (_, "rule" | "deny" | "warn" | "allow") => Kind::Rules,
        (_, "tool") => Kind::Tools,
        ("schedule", "name") => Kind::Schedules,
        // These names are of a source, of a new skill, or of the trash, and not of the catalog.
        ("install" | "new", "name" | "names") => return None,
        ("man", "command") => Kind::Commands,
        ("install", "source") => Kind::Paths,
        // Any other word of `--to` is refused there.
        ("deps", "to") => Kind::Project,
        (_, "to" | "from") => Kind::Targets,
        (_, "id" | "ids" | "disable" | "log" | "name" | "names" | "pattern") => Kind::Skills,
        _ => match arg.get_value_hint() {
            ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath => Kind::Paths,
            _ => return None,
        },
    })
}

impl Values {
    /// Returns the values of a kind that begin with the typed text.
    fn candidates(&self, kind: Kind, typed: &OsStr, names: &[String]) -> Vec<CompletionCandidate> {
        let Some(text) = typed.to_str() else {
            return Vec::new();
        };
        let mut found = match kind {
            Kind::Paths => return self.paths(typed),
            Kind::Project => {
                let mut found = vec![bare("project")];
                found.extend(self.paths(typed));
                found
            }
            Kind::Targets => {
                let mut found: Vec<_> = ["user", "project", "all"].map(bare).into();
                found.extend(Agent::all().map(|agent| bare(&agent.client.name)));
                found.extend(self.paths(typed));
                found
            }
            Kind::Commands => names.iter().map(|name| bare(name)).collect(),
            Kind::Profiles => Profile::ALL.iter().map(|it| bare(&it.name)).collect(),
            Kind::Rules => {
                let rules = RULES.iter();
                let found = rules.map(|rule| described(rule.id.as_str(), rule.summary));
                found.collect()
            }
            Kind::Installed => self.of_locks(lock::names),
            Kind::Pinned => self.pinned(),
            Kind::Origins => self.of_locks(lock::sources),
            Kind::Trashed => self.trashed(),
            Kind::Zones => TimeZoneDatabase::from_env()
                .available()
                .map(|zone| bare(zone.as_str()))
                .collect(),
            Kind::Skills
            | Kind::Enabled
            | Kind::Trustable
            | Kind::Disabled
            | Kind::Files
            | Kind::Sources
            | Kind::Tools
            | Kind::Schedules => self.of_catalog(kind, text).unwrap_or_default(),
        };
        found.retain(|it| it.get_value().to_string_lossy().starts_with(text));
        found
    }

    /// Returns what the locks of this machine's folders name: skills or sources. Writes nothing.
    fn of_locks<E>(&self, read: fn(&Path) -> Result<Vec<String>, E>) -> Vec<CompletionCandidate> {
        let known = self.environment.data_folder().map(|data| data.known());
        let known = known.and_then(Result::ok).unwrap_or_default();
        let names = known
            .iter()
            .filter_map(|folder| read(folder).ok())
            .flatten();
        let names: BTreeSet<String> = names.collect();
        names.iter().map(|name| bare(name)).collect()
    }

    /// Returns the pinned skills of all folders.
    fn pinned(&self) -> Vec<CompletionCandidate> {
        let data = self.environment.data_folder();
        let names = data.and_then(|data| Pins::of(&data).all().ok());
        let names = names.unwrap_or_default();
        names.iter().map(|name| bare(name)).collect()
    }

    /// Returns the skills in the trash.
    fn trashed(&self) -> Vec<CompletionCandidate> {
        let trash = self
            .environment
            .data_folder()
            .map(|data| data.trash().list());
        let trash = trash.and_then(Result::ok).unwrap_or_default();
        let names: BTreeSet<String> = trash
            .into_iter()
            .map(|trashed| trashed.record.name)
            .collect();
        names.iter().map(|name| bare(name)).collect()
    }

    fn paths(&self, typed: &OsStr) -> Vec<CompletionCandidate> {
        let mut paths = PathCompleter::any();
        if let Some(folder) = &self.environment.working_folder {
            paths = paths.current_dir(folder);
        }
        paths.complete(typed)
    }

    /// Returns the values from the skills of this machine, or `None` if the skills cannot be read.
    fn of_catalog(&self, kind: Kind, typed: &str) -> Option<Vec<CompletionCandidate>> {
        if kind == Kind::Schedules {
            let schedules = self.options.schedule_file(&self.environment)?.read().ok()?;
            return Some(schedules.value.keys().map(|name| bare(name)).collect());
        }
        let catalog = self.options.load(&self.environment).ok()?.catalog;
        Some(match kind {
            Kind::Sources => {
                let sources = catalog.sources().iter();
                sources.map(|source| bare(source.name())).collect()
            }
            Kind::Tools => {
                let tools = catalog.tools(self.options.profile());
                tools.iter().map(|tool| bare(&tool.name)).collect()
            }
            Kind::Files => {
                // The words after `skills show`.
                let words = self.words.iter().skip(2);
                let entries = words.filter_map(|word| catalog.get(word));
                let files = entries
                    .filter_map(|entry| entry.resources().ok())
                    .flatten()
                    .map(|file| bare(&file.path));
                std::iter::once(bare("SKILL.md")).chain(files).collect()
            }
            Kind::Disabled if catalog.iter().any(|entry| !entry.is_enabled()) => {
                skills(&catalog, typed, |entry| !entry.is_enabled())
            }
            kind => skills(&catalog, typed, |entry| match kind {
                Kind::Trustable => entry.trust() != SkillTrust::Always,
                Kind::Enabled => entry.is_enabled(),
                _ => true,
            }),
        })
    }
}

/// Returns the ids of skills. After a colon the ids are qualified.
fn skills(
    catalog: &Catalog,
    typed: &str,
    is_wanted: impl Fn(&Entry<'_>) -> bool,
) -> Vec<CompletionCandidate> {
    let of = |entry: Entry<'_>| {
        let id = if typed.contains(':') {
            entry.qualified_id()
        } else {
            entry.id().into_owned()
        };
        described(&id, entry.description())
    };
    catalog.iter().filter(is_wanted).map(of).collect()
}

fn bare(value: &str) -> CompletionCandidate {
    CompletionCandidate::new(value)
}

fn described(value: &str, help: &str) -> CompletionCandidate {
    bare(value).help(Some(one_line(help).into()))
}
