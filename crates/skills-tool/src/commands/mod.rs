//! The arguments of the program, and its commands.

mod activate;
mod agent_plugin;
mod agent_settings;
mod bundle;
mod chat;
mod check;
mod complete;
mod completions;
mod deferred;
mod deps;
mod diff;
mod enable;
mod improve;
mod install;
pub(crate) mod line;
mod list;
mod lock;
mod lsp;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod new;
mod overlap;
mod page;
pub(crate) mod powers;
mod profile;
mod prompt;
mod resolve;
mod rules;
mod schedule;
mod schema;
mod select;
mod show;
mod slash;
mod state;
pub(crate) mod supervisor;
mod test;
mod tools;
mod trust;

use crate::catalog::options::CatalogOptions;
use crate::commands::activate::Activate;
use crate::commands::bundle::BundleCommand;
use crate::commands::chat::Chat;
use crate::commands::check::Check;
use crate::commands::complete::Complete;
use crate::commands::completions::Completions;
use crate::commands::deferred::Deferred;
use crate::commands::deps::Deps;
use crate::commands::diff::DiffCommand;
use crate::commands::enable::{Disable, Enable};
use crate::commands::improve::Improve;
use crate::commands::improve::history::History;
use crate::commands::improve::rollback::Rollback;
use crate::commands::install::Install;
use crate::commands::install::export::Export;
use crate::commands::install::pin::{Pin, Unpin};
use crate::commands::install::remove::{Move, Restore, Uninstall};
use crate::commands::install::store::StoreCommand;
use crate::commands::install::trash::TrashCommand;
use crate::commands::install::update::{Outdated, Update};
use crate::commands::line::{is_json, misspelt};
use crate::commands::list::List;
use crate::commands::lock::LockCommand;
use crate::commands::lsp::Lsp;
use crate::commands::man::Man;
#[cfg(feature = "mcp")]
use crate::commands::mcp::Mcp;
use crate::commands::new::New;
use crate::commands::overlap::Overlap;
use crate::commands::page::PageCommand;
use crate::commands::powers::PowersCommand;
use crate::commands::profile::ProfileCommand;
use crate::commands::prompt::Prompt;
use crate::commands::resolve::Resolve;
use crate::commands::rules::{Explain, Rules};
use crate::commands::schedule::ScheduleCommand;
use crate::commands::schema::Schema;
use crate::commands::select::Select;
use crate::commands::show::Show;
use crate::commands::slash::Commands;
use crate::commands::state::StateCommand;
use crate::commands::test::Test;
use crate::commands::tools::{Call, Tools};
use crate::commands::trust::TrustCommand;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::Output;
use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

/// Check, list and install Agent Skills, and see what a model receives.
#[derive(Debug, Parser)]
#[command(name = "skills", bin_name = "skills", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// When to use colour [default: auto]
    // Not a default of clap, which would be copied into every command at each start.
    #[arg(long, global = true, value_name = "WHEN")]
    pub(crate) color: Option<ColorChoice>,
    /// Report every problem of every skill, not only the number of faulty skills
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
    /// True if a program reads the result: `--format json`.
    #[arg(skip)]
    pub(crate) is_json: bool,
}

const EXAMPLES: &str = "\
Examples:
  skills resolve '$code-review the parser'   the matched skill, the task and what a model receives
  skills list                                every skill, and what shadows it
  skills check .agents/skills                every problem of the skills in a folder

Environment:
  SKILLS_LOG=debug   print each decision of installs, schedules, repairs and servers to standard error

Exit code: 0 done; 1 errors were found, or the requested item does not exist or is not allowed;
2 wrong usage, or an operation that failed.";

/// A command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Chat with an agent that has skills, or see what it would be sent; $ and / complete as you type
    ///
    /// Without --agent, each message shows what a host would do with it. Without a terminal, each line of
    /// standard input is a message.
    Chat(Deferred<Chat>),
    /// Resolve a message: print the matched skills or slash command, the notices and what a model receives
    Resolve(Deferred<Resolve>),
    /// Print what enters the conversation when a skill starts
    Activate(Deferred<Activate>),
    /// List the skills of every source, with their state and what shadows them
    ///
    /// The sources, in order of precedence: `project`, the .agents/skills of the working folder and of the
    /// folders above it up to the root of the repository (these skills start only after `skills trust`);
    /// `user`, ~/.agents/skills; each plugin, ~/.agents/plugins/PLUGIN/skills; `bundled`, the skills in the
    /// program. A profile or --layer can choose other folders.
    #[command(visible_alias = "ls")]
    List(Deferred<List>),
    /// Show the fields, files and instructions of skills
    Show(Deferred<Show>),
    /// Enable disabled skills
    Enable(Deferred<Enable>),
    /// Disable skills: they stay listed, and are never started
    Disable(Deferred<Disable>),
    /// Show the files of the disabled skills, of trust and of the schedules; reset an unreadable file
    ///
    /// A file is unreadable if it is damaged, or if a newer version of this program wrote it. If the file
    /// of the disabled skills is unreadable, no skill of a folder starts. If the trust file is, no skill
    /// that needs trust starts. If the schedule file is, no schedule runs.
    State(Deferred<StateCommand>),
    /// Trust the present version of skills of a project; without an ID, list the skills and their trust
    ///
    /// Anyone can write the skills of a project: they are listed, but start only after a person trusts
    /// them. Trust covers one skill, with every entry of its folder. If an entry changes, the skill must be
    /// trusted again.
    Trust(Deferred<TrustCommand>),
    /// List the slash commands
    Commands(Deferred<Commands>),
    /// List the completions of the $name or /name at the cursor
    Complete(Deferred<Complete>),
    /// Print the catalog text: the list of skills that a model reads
    Prompt(Deferred<Prompt>),
    /// Rank the skills for a message, by words alone
    Select(Deferred<Select>),
    /// Find the skills that a model cannot distinguish by their descriptions
    Overlap(Deferred<Overlap>),
    /// Print the definitions of the skill tools that a model gets
    Tools(Deferred<Tools>),
    /// Call a skill tool, and print its result; exit code 1 if the tool reports an error
    Call(Deferred<Call>),
    /// Serve the skills over the Model Context Protocol, on standard input and output or over HTTP
    ///
    /// Skills that are enabled, trusted and eligible are served. Folders are read again when they change.
    #[cfg(feature = "mcp")]
    Mcp(Deferred<Mcp>),
    /// Show how hosts name, read and store skills
    Profile(Deferred<ProfileCommand>),
    /// Check skills strictly, and report every problem with its place and its fix
    Check(Deferred<Check>),
    /// Test whether the prompts in triggers.yaml find their skills
    Test(Deferred<Test>),
    /// List the rules of `skills check`, with their default levels
    Rules(Deferred<Rules>),
    /// Explain one rule: what it finds, why, and an example
    ///
    /// Also explains the ids that are printed in brackets when skills are loaded, such as `trust-changed`.
    Explain(Deferred<Explain>),
    /// Print the JSON Schema of the front matter, of skills.toml or of triggers.yaml, for editors
    Schema(Deferred<Schema>),
    /// Create a skill that passes `skills check`
    New(Deferred<New>),
    /// Install skills from a folder, an archive or a git repository
    ///
    /// SOURCE is a folder, an archive (.tar.gz, .tgz, .zip, .skill) or the URL of a git repository (https,
    /// ssh, file, host:path), written URL[//FOLDER][#REVISION]. Without SOURCE, every missing skill of the
    /// folder's skills.lock is restored. No code of a source is run, and the plan is shown first.
    /// Installing into a project trusts nothing: `skills trust` does.
    Install(Deferred<Install>),
    /// Update installed skills from their sources
    ///
    /// A branch is followed; a tag or a commit stays, and a newer tag is reported. Local changes are never
    /// lost: a skill with local changes is refused, merged with --merge, or moved to the trash with
    /// --force. Added files are kept.
    Update(Deferred<Update>),
    /// List the installed skills that an update would change
    Outdated(Deferred<Outdated>),
    /// Pin installed skills: `update` passes over them
    Pin(Deferred<Pin>),
    /// Unpin skills, so that `update` updates them again
    Unpin(Deferred<Unpin>),
    /// Move installed skills to the trash
    Uninstall(Deferred<Uninstall>),
    /// Restore the skill that was moved to the trash last
    ///
    /// Skills that `install --force`, `update --force` and `export --force` replaced are in the trash too.
    /// An existing skill at the place goes to the trash.
    Restore(Deferred<Restore>),
    /// List or empty the trash
    Trash(Deferred<TrashCommand>),
    /// Move a skill to another folder of skills, with its local changes
    Move(Deferred<Move>),
    /// Export the skills of this program to a folder in which an agent looks for skills
    ///
    /// Missing skills, and skills of another version of this program, are written. Exported skills that
    /// this program no longer has are removed. Skills with local changes and foreign skills are left.
    Export(Deferred<Export>),
    /// List and install the skills that the dependencies of a cargo workspace ship
    ///
    /// A crate ships its skills in the folder `skills` of its package, or in the folder that `path` of
    /// [package.metadata.skills] names. The versions are those of Cargo.lock. `cargo metadata --frozen` finds
    /// the packages, and runs what the configuration of cargo in this folder names. Also `cargo skills deps`.
    Deps(Deferred<Deps>),
    /// Manage the store of installed versions
    Store(Deferred<StoreCommand>),
    /// Run skills on a schedule
    ///
    /// A schedule is a skill of its own, with a task, and the times at which it runs. `skills schedule
    /// daemon` waits for these times and passes the skill to an agent. Each run is recorded: ok, failed,
    /// no-output, timed-out, missed or refused.
    Schedule(Deferred<ScheduleCommand>),
    /// Repair a skill after a run in which tools failed; show, approve or reject pending repairs
    ///
    /// An agent gets the trace of the run and a copy of the skill. Its changes are checked: only files of
    /// this skill, the same name and fields, no further tools, no new findings of a check. A change is a
    /// proposal until a person approves it.
    Improve(Deferred<Box<Improve>>),
    /// Show the versions of a skill, or of every skill of a folder, the latest first
    ///
    /// The versions are the commits of the folder of skills, if the folder has a git repository of its own.
    /// Otherwise they are the versions that `skills improve` kept in the store.
    History(Deferred<History>),
    /// Restore an earlier version of a skill; the present version goes to the trash
    Rollback(Deferred<Rollback>),
    /// Show what changed between two versions of skills, in words and in what the skills may do
    ///
    /// The versions are revisions of git, folders, or an installed skill and its source. Each skill that was
    /// added, removed, renamed or changed is shown with the words that differ, and with the powers that it
    /// gained and lost: programs, hosts, packages, variables, files, restraints. `skills powers` lists them.
    Diff(Deferred<DiffCommand>),
    /// List what the skills of a folder may do, with the lines that say so
    ///
    /// A skill asks for tools, tells a model to run programs, reaches hosts, fetches packages, reads
    /// variables and files, and has hooks. Powers are read from the text of all its files: a reading, not a
    /// proof. Code that cannot be read is listed as `unreadable`.
    Powers(Deferred<PowersCommand>),
    /// Serve an editor as a language server, on standard input and output
    ///
    /// The findings of `skills check` as a person types, with fixes, completion, explanations, links and
    /// renaming. Files are changed by the editor alone.
    Lsp(Deferred<Lsp>),
    /// Write the lock of a folder of skills, or report the differences from it
    Lock(Deferred<LockCommand>),
    /// Show the digests, sizes and budget of a folder of skills, as in a program that bundles it
    Bundle(Deferred<BundleCommand>),
    /// Write a page about the skills of a folder or of a program
    ///
    /// The page is one HTML file without external resources: the skills with their sizes and findings, the
    /// sizes of their files, and the references between skills. Errors of the skills are on the page, and
    /// do not change the exit code.
    Page(Deferred<PageCommand>),
    /// Print the completion script of a shell, for commands, options and values such as ids
    Completions(Deferred<Completions>),
    /// Print the manual page of the program, or of one of its commands
    Man(Deferred<Man>),
}

impl Arguments {
    /// Parses the arguments of this process. At a terminal, no arguments mean `chat`.
    pub(crate) fn of_process(has_terminal: bool) -> Result<Self, clap::Error> {
        let mut words: Vec<_> = std::env::args_os().collect();
        if words.len() == 1 && has_terminal {
            words.push("chat".into());
        }
        // Leaked: the process ends with its command, and freeing every option costs a twentieth of its start.
        let program = Box::leak(Box::new(Self::command()));
        let mut matches = program
            .try_get_matches_from_mut(&words)
            .map_err(|error| misspelt(error, program, &words))?;
        let is_json = is_json(&matches);
        let read =
            Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(program))?;
        Ok(Self { is_json, ..read })
    }

    /// Returns the names of the commands that take the options of a catalog.
    pub(crate) fn over_a_catalog() -> Vec<String> {
        let mut program = Self::command();
        // Deferred arguments are defined when their command is built.
        program.build();
        let takes_layers = |command: &&clap::Command| {
            let mut arguments = command.get_arguments();
            arguments.any(|argument| argument.get_long() == Some("layer"))
        };
        let commands = program.get_subcommands().filter(takes_layers);
        commands
            .map(|command| command.get_name().to_owned())
            .collect()
    }
}

impl Command {
    /// Returns the options that choose the skills of the command, or `None` for a command without a catalog.
    pub(crate) fn options(&self) -> Option<&CatalogOptions> {
        Some(match self {
            Self::Chat(command) => &command.catalog,
            Self::Resolve(command) => &command.catalog.options,
            Self::Activate(command) => &command.catalog.options,
            Self::List(command) => &command.catalog.options,
            Self::Show(command) => &command.catalog.options,
            Self::Enable(command) => &command.catalog,
            Self::Disable(command) => &command.catalog,
            Self::State(command) => &command.catalog,
            Self::Trust(command) => &command.catalog,
            Self::Commands(command) => &command.catalog.options,
            Self::Complete(command) => &command.catalog.options,
            Self::Prompt(command) => &command.catalog.options,
            Self::Select(command) => &command.catalog.options,
            Self::Overlap(command) => &command.catalog,
            Self::Tools(command) => &command.catalog.options,
            Self::Call(command) => &command.catalog.options,
            #[cfg(feature = "mcp")]
            Self::Mcp(command) => &command.catalog,
            // Named one by one: a new command without its row does not compile. In silence, the hints of a command over
            // a catalog would lack the options that chose the catalog.
            Self::Profile(_)
            | Self::Check(_)
            | Self::Test(_)
            | Self::Rules(_)
            | Self::Explain(_)
            | Self::Schema(_)
            | Self::New(_)
            | Self::Install(_)
            | Self::Update(_)
            | Self::Outdated(_)
            | Self::Uninstall(_)
            | Self::Pin(_)
            | Self::Unpin(_)
            | Self::Restore(_)
            | Self::Trash(_)
            | Self::Move(_)
            | Self::Export(_)
            | Self::Deps(_)
            | Self::Store(_)
            | Self::Schedule(_)
            | Self::Improve(_)
            | Self::History(_)
            | Self::Rollback(_)
            | Self::Diff(_)
            | Self::Powers(_)
            | Self::Lock(_)
            | Self::Lsp(_)
            | Self::Bundle(_)
            | Self::Page(_)
            | Self::Completions(_)
            | Self::Man(_) => return None,
        })
    }

    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        match self {
            Self::Chat(command) => command.run(environment, output),
            Self::Resolve(command) => command.run(environment, output),
            Self::Activate(command) => command.run(environment, output),
            Self::List(command) => command.run(environment, output),
            Self::Show(command) => command.run(environment, output),
            Self::Enable(command) => command.run(environment, output),
            Self::Disable(command) => command.run(environment, output),
            Self::State(command) => command.run(environment, output),
            Self::Trust(command) => command.run(environment, output),
            Self::Commands(command) => command.run(environment, output),
            Self::Complete(command) => command.run(environment, output),
            Self::Prompt(command) => command.run(environment, output),
            Self::Select(command) => command.run(environment, output),
            Self::Overlap(command) => command.run(environment, output),
            Self::Tools(command) => command.run(environment, output),
            Self::Call(command) => command.run(environment, output),
            #[cfg(feature = "mcp")]
            Self::Mcp(command) => command.run(environment, output),
            Self::Lsp(command) => command.run(environment),
            Self::Profile(command) => command.run(output),
            Self::Check(command) => command.run(environment, output),
            Self::Test(command) => command.run(environment, output),
            Self::Rules(command) => command.run(output),
            Self::Explain(command) => command.run(output),
            Self::Schema(command) => command.run(output),
            Self::New(command) => command.run(environment, output),
            Self::Install(command) => command.run(environment, output),
            Self::Update(command) => command.run(environment, output),
            Self::Outdated(command) => command.run(environment, output),
            Self::Uninstall(command) => command.run(environment, output),
            Self::Pin(command) => command.run(environment, output),
            Self::Unpin(command) => command.run(environment, output),
            Self::Restore(command) => command.run(environment, output),
            Self::Trash(command) => command.run(environment, output),
            Self::Move(command) => command.run(environment, output),
            Self::Export(command) => command.run(environment, output),
            Self::Deps(command) => command.run(environment, output),
            Self::Store(command) => command.run(environment, output),
            Self::Schedule(command) => command.run(environment, output),
            Self::Improve(command) => command.run(environment, output),
            Self::History(command) => command.run(environment, output),
            Self::Rollback(command) => command.run(environment, output),
            Self::Diff(command) => command.run(environment, output),
            Self::Powers(command) => command.run(environment, output),
            Self::Lock(command) => command.run(environment, output),
            Self::Bundle(command) => command.run(environment, output),
            Self::Page(command) => command.run(environment, output),
            Self::Completions(command) => command.run(output),
            Self::Man(command) => command.run(Arguments::command(), environment, output),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_agree() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn examples_of_helps_are_calls() {
        let mut tried = 0;
        let mut program = Arguments::command();
        program.build();
        let mut commands = vec![program];
        while let Some(command) = commands.pop() {
            let others = command
                .get_subcommands()
                .filter(|it| it.get_name() != "help");
            commands.extend(others.cloned());
            let help = command.get_after_help().map(ToString::to_string);
            let help = help.unwrap_or_default();
            for line in help.lines().filter(|line| line.contains("skills ")) {
                let Some(example) = line.strip_prefix("  ") else {
                    continue;
                };
                tried += 1;
                let calls = calls(example);
                assert!(!calls.is_empty(), "{example}: not a call");
                for call in calls {
                    let error = Arguments::try_parse_from(&call).err();
                    let error = error.map(|error| error.to_string());
                    assert_eq!(error, None, "{example}: {call:?}");
                }
            }
        }
        assert!(tried > 50, "only {tried} examples");
    }

    /// Returns the calls of this program in a line for a shell. Three spaces begin an explanation.
    fn calls(line: &str) -> Vec<Vec<String>> {
        let line = line.trim().split("   ").next().unwrap_or_default();
        let mut calls = vec![vec![String::new()]];
        let mut quote = None;
        for c in line.chars() {
            let words = calls.last_mut().expect("a call");
            match (c, quote) {
                (c, Some(open)) if c == open => quote = None,
                ('\'' | '"', None) => quote = Some(c),
                (' ', None) => words.push(String::new()),
                ('|' | '&' | '>' | '<', None) => calls.push(vec![String::new()]),
                (c, _) => words.last_mut().expect("a word").push(c),
            }
        }
        for words in &mut calls {
            words.retain(|word| !word.is_empty());
        }
        calls.retain(|words| words.first().is_some_and(|word| word == "skills"));
        calls
    }
}
