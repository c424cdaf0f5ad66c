//! The arguments of the program, and its commands.

mod activate;
mod agent_settings;
mod bundle;
mod chat;
mod check;
mod complete;
mod completions;
mod deferred;
mod enable;
mod improve;
mod install;
pub(crate) mod line;
mod list;
mod lock;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod new;
mod overlap;
mod page;
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
use crate::commands::enable::{Disable, Enable};
use crate::commands::improve::Improve;
use crate::commands::improve::history::History;
use crate::commands::improve::rollback::Rollback;
use crate::commands::install::Install;
use crate::commands::install::export::Export;
use crate::commands::install::remove::{Move, Restore, Uninstall};
use crate::commands::install::store::StoreCommand;
use crate::commands::install::trash::TrashCommand;
use crate::commands::install::update::{Outdated, Update};
use crate::commands::line::{is_json, misspelt};
use crate::commands::list::List;
use crate::commands::lock::LockCommand;
use crate::commands::man::Man;
#[cfg(feature = "mcp")]
use crate::commands::mcp::Mcp;
use crate::commands::new::New;
use crate::commands::overlap::Overlap;
use crate::commands::page::PageCommand;
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

/// Agent Skills: check them, list them, and see what a model would get.
#[derive(Debug, Parser)]
#[command(name = "skills", bin_name = "skills", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// When to use colour [default: auto]
    // Not a default of clap, which would be copied into every command at each start.
    #[arg(long, global = true, value_name = "WHEN")]
    pub(crate) color: Option<ColorChoice>,
    /// Report every problem of every skill, not only how many skills have problems
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Whether a program reads the result: `--format json`.
    #[arg(skip)]
    pub(crate) is_json: bool,
}

const EXAMPLES: &str = "\
Examples:
  skills resolve '$code-review the parser'   what the message means, and what a model gets
  skills list                                every skill, and what shadows it
  skills check .agents/skills                every problem of the skills in a folder

Exit code: 0 done; 1 errors were found, or what was asked for does not exist or is not allowed;
2 wrong usage, or an operation that failed.";

/// A command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Talk to an agent with skills, or see what it would be sent; $ and / complete as you type
    ///
    /// Without --agent, each message shows what a host would do with it. Without a terminal, each line of
    /// standard input is a message.
    Chat(Deferred<Chat>),
    /// Show what a message means: the skills or the slash command that it names, the notices, and what a
    /// model gets
    Resolve(Deferred<Resolve>),
    /// What enters the conversation when a skill starts
    Activate(Deferred<Activate>),
    /// List every skill of every source: its state, and what shadows it
    ///
    /// The sources, from the highest rank to the lowest: `project`, the .agents/skills of the working
    /// folder and of the folders above it up to the root of the repository (these skills start only after
    /// `skills trust`); `user`, ~/.agents/skills; each plugin, ~/.agents/plugins/PLUGIN/skills; `bundled`,
    /// the skills in the program. A profile or --layer can choose other folders.
    #[command(visible_alias = "ls")]
    List(Deferred<List>),
    /// Show skills: their fields, their files, their instructions
    Show(Deferred<Show>),
    /// Enable skills again
    Enable(Deferred<Enable>),
    /// Disable skills: they are listed, and never started
    Disable(Deferred<Disable>),
    /// Show the files of the disabled skills, of trust and of the schedules; move aside a file that cannot be
    /// read
    ///
    /// While the file of the disabled skills is damaged, or a newer version of this program wrote it, no
    /// skill of a folder starts. While the file of trust is, no skill that needs trust starts. While the file
    /// of the schedules is, no schedule runs.
    State(Deferred<StateCommand>),
    /// Trust skills of a project as they are now; without an ID, list the skills and their trust
    ///
    /// Anyone can write the skills of a project: they are listed, and not started before a person trusts
    /// them. Trust is of one skill: of every entry of its folder. When one of them changes, the skill needs
    /// to be trusted again.
    Trust(Deferred<TrustCommand>),
    /// List the slash commands
    Commands(Deferred<Commands>),
    /// List the completions of the $name or /name at the cursor
    Complete(Deferred<Complete>),
    /// Print the catalog text: what a model reads to know the skills
    Prompt(Deferred<Prompt>),
    /// Show which skills a text is about, by words alone
    Select(Deferred<Select>),
    /// Show which skills a model cannot tell apart by their descriptions
    Overlap(Deferred<Overlap>),
    /// Print the definitions of the tools for skills that a model has
    Tools(Deferred<Tools>),
    /// Call a tool for skills, and print its result; exit code 1 when the tool reports an error
    Call(Deferred<Call>),
    /// Serve the skills over the Model Context Protocol, on standard input and output or over HTTP
    ///
    /// Skills that are enabled, trusted and eligible are served. Folders are read again when they change.
    #[cfg(feature = "mcp")]
    Mcp(Deferred<Mcp>),
    /// Show how hosts name, read and keep skills
    Profile(Deferred<ProfileCommand>),
    /// Check skills strictly: every problem with its place and its fix
    Check(Deferred<Check>),
    /// Test whether skills are found for the texts that triggers.yaml lists
    Test(Deferred<Test>),
    /// List the rules of `skills check`, with their default levels
    Rules(Deferred<Rules>),
    /// Explain one rule: what it finds, why, and an example
    ///
    /// Also explains the ids that loading skills prints in brackets, such as `trust-changed`.
    Explain(Deferred<Explain>),
    /// Print the JSON Schema of the front matter, of skills.toml or of triggers.yaml, for editors
    Schema(Deferred<Schema>),
    /// Make a new skill that passes `skills check`
    New(Deferred<New>),
    /// Install skills from a folder, an archive or a git repository
    ///
    /// SOURCE is a folder, an archive (.tar.gz, .tgz, .zip, .skill) or the URL of a git repository
    /// (https, ssh, file, host:path), written URL[//FOLDER][#REVISION]. Without SOURCE, every skill of the
    /// folder's skills.lock that is missing is put back as it was. Nothing of a source is run; what would
    /// be written is shown first. Installing into a project trusts nothing: `skills trust` does.
    Install(Deferred<Install>),
    /// Bring installed skills to what their sources have now
    ///
    /// A branch is followed; a tag or a commit stays, and a newer tag is told. What was changed by hand is
    /// never lost: such a skill is refused, merged with --merge, or goes to the trash with --force. Files
    /// that were added are kept.
    Update(Deferred<Update>),
    /// Say which installed skills an update would change
    Outdated(Deferred<Outdated>),
    /// Move installed skills to the trash
    Uninstall(Deferred<Uninstall>),
    /// Bring back what was moved to the trash last
    ///
    /// That is also what `install --force`, `update --force` and `export --force` replaced. What stands
    /// there meanwhile goes to the trash.
    Restore(Deferred<Restore>),
    /// List what is in the trash, or empty it
    Trash(Deferred<TrashCommand>),
    /// Move a skill to another folder of skills, with what was changed by hand
    Move(Deferred<Move>),
    /// Write the skills in this program into the folder in which an agent looks for skills
    ///
    /// What is missing or of another version of this program is written, what this program no longer has
    /// is taken out. What was changed by hand, and skills of others, are left.
    Export(Deferred<Export>),
    /// The store of installed versions
    Store(Deferred<StoreCommand>),
    /// Run skills at a time
    ///
    /// A schedule is a skill of its own, with a task, and the times at which it runs. `skills schedule daemon`
    /// waits for these times and hands the skill to an agent. Each run is recorded: ok, failed, no-output,
    /// timed-out, missed or refused.
    Schedule(Deferred<ScheduleCommand>),
    /// Repair a skill after a run in which tools failed; look at the repairs that wait, and take or reject them
    ///
    /// An agent gets the trace of the run and a copy of the skill. What it changes is checked: only the files of
    /// this skill, the same name and fields, no more tools, no new findings of a check. A change waits as a
    /// proposal until a person approves it.
    Improve(Deferred<Box<Improve>>),
    /// Show the versions of a skill, or of every skill of a folder, the latest first
    ///
    /// They are the commits of the folder of skills, if it has a git repository of its own. Otherwise they are
    /// the versions that `skills improve` left in the store.
    History(Deferred<History>),
    /// Bring an earlier version of a skill back; what is there goes to the trash
    Rollback(Deferred<Rollback>),
    /// Write the lock of a folder of skills, or list the differences from it
    Lock(Deferred<LockCommand>),
    /// Show the digests, sizes and budget of a folder of skills, as a program that ships them has them
    Bundle(Deferred<BundleCommand>),
    /// Make a page that shows what is in a folder of skills or in a program
    ///
    /// The page is one HTML file that loads nothing: the skills with their sizes and findings, the weight of their
    /// files, and which skill refers to which. Errors of the skills are on the page, and do not change the exit code.
    Page(Deferred<PageCommand>),
    /// Print the script that completes commands, options and values such as ids in a shell
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
        let matches = program.try_get_matches_from_mut(&words);
        let mut matches = matches.map_err(|error| misspelt(error, program, &words))?;
        let is_json = is_json(&matches);
        let read = Self::from_arg_matches_mut(&mut matches);
        let read = read.map_err(|error| error.format(program))?;
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
            _ => return None,
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
            Self::Restore(command) => command.run(environment, output),
            Self::Trash(command) => command.run(environment, output),
            Self::Move(command) => command.run(environment, output),
            Self::Export(command) => command.run(environment, output),
            Self::Store(command) => command.run(environment, output),
            Self::Schedule(command) => command.run(environment, output),
            Self::Improve(command) => command.run(environment, output),
            Self::History(command) => command.run(environment, output),
            Self::Rollback(command) => command.run(environment, output),
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
