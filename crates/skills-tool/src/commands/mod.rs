//! The arguments of the program, and its commands.

#[cfg(feature = "agent")]
mod agent_settings;
#[cfg(feature = "agent")]
mod chat;
mod check;
mod deps;
mod diff;
mod doctor;
mod enable;
mod explain;
#[cfg(feature = "agent")]
mod improve;
mod init;
pub(crate) mod inspect;
mod install;
pub(crate) mod line;
mod list;
mod lock;
mod lsp;
#[cfg(feature = "mcp")]
mod mcp;
mod new;
mod overlap;
mod page;
pub(crate) mod powers;
mod prompt;
mod resolve;
#[cfg(feature = "agent")]
mod schedule;
mod show;
#[cfg(feature = "agent")]
mod test;
mod trust;

use crate::commands::line::{Deferred, is_json};
use crate::outcome::{Failure, Outcome};
use crate::output::Ctx;
use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

/// Check, install and try Agent Skills. `skills list` shows your agents' skills
#[derive(Debug, Parser)]
#[command(name = "skills", bin_name = "skills", version, after_help = MORE, max_term_width = 100)]
#[command(
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub(crate) struct Arguments {
    /// When to use colour
    // Not a default of clap, which would be copied into every command at each start.
    #[arg(long, global = true, value_name = "WHEN")]
    pub(crate) color: Option<ColorChoice>,
    /// When skills are loaded, report each problem, not only the number of faulty skills
    #[arg(short, long, global = true, hide_short_help = true)]
    pub(crate) verbose: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
    /// True if a program reads the result: `--format json`.
    #[arg(skip)]
    pub(crate) is_json: bool,
}

const MORE: &str = "\
More commands: resolve prompt overlap test lock page schedule improve inspect
`list -p codex` shows what Codex sees; `inspect profile` lists such names";

/// A command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the skills, their state and what shadows them
    ///
    /// The sources, in order of precedence: `project`, .agents/skills and the folders of the clients on this
    /// machine, in the working folder and in the folders above it up to the root of the repository (`skills`
    /// starts these only after `skills trust`); `user`, ~/.agents/skills; each plugin,
    /// ~/.agents/plugins/PLUGIN/skills; each client on this machine, such as `claude-code`, ~/.claude/skills.
    /// `--layer bundled` adds the skills of this program. A profile or another --layer chooses other folders.
    /// An agent reads only some of these folders: with -p, the list is the one of that agent, and `user` is its own
    /// folder. The column STATE is for `skills`: other agents know no trust, and start what is disabled here.
    #[command(visible_alias = "ls")]
    List(Deferred<list::List>),
    /// Show the fields, files and instructions of skills
    Show(Deferred<show::Show>),
    /// Chat with an agent that has skills; `$` and `/` complete names
    ///
    /// Names after $ and / complete as you type. Without --agent, each message shows what a client would do with it. Without a terminal, each line of
    /// standard input is a message.
    #[cfg(feature = "agent")]
    Chat(Deferred<chat::Chat>),
    /// Show what a message starts, and what a model receives
    ///
    /// Prints the matched skills or the slash command, messages for you, the task (the rest of the message) and what a model receives.
    #[command(hide = true)]
    Resolve(Deferred<resolve::Resolve>),
    /// Trust skills of a project; without an ID, list their trust
    ///
    /// Anyone can write the skills of a project: they are listed, but start only after a person trusts
    /// them. Trust covers one skill, with every file in its folder. If a file changes, the skill must be
    /// trusted again. Trust applies to `skills` and programs built on its library: Claude Code and others start the
    /// skills of a project without it.
    Trust(Deferred<trust::TrustCommand>),
    /// Enable disabled skills
    Enable(Deferred<enable::Switch>),
    /// Disable skills in `skills` and in programs built on its library
    ///
    /// A disabled skill stays listed, but never starts. Other clients, such as Claude Code, ignore this setting: there,
    /// remove the skill with `skills uninstall`.
    Disable(Deferred<enable::Switch>),
    /// Install skills from a folder, an archive or git
    ///
    /// SOURCE is a folder, an archive (.tar.gz, .tgz, .zip, .skill) or the URL of a git repository (https, ssh,
    /// file, host:path), written URL[//FOLDER][#REVISION]. With --frozen, installs every missing skill of the
    /// folder's skills.lock. Nothing from a source is executed, and the plan is shown first. It lists code, and the
    /// commands, hosts, files and variables that the text names: it may miss some, and name too many. Skills
    /// installed into a project still need `skills trust`.
    #[command(alias = "add")]
    Install(Deferred<install::Install>),
    /// Update installed skills; `skills outdated` changes nothing
    ///
    /// A skill from a branch follows the branch. A skill from a tag or a commit stays there, and a newer tag is
    /// reported. Local changes are never lost: a skill with local changes is refused, merged with --merge, or moved to
    /// the trash with --force. Added files are kept.
    #[command(alias = "upgrade")]
    Update(Deferred<install::update::Update>),
    /// Move installed skills to the trash
    #[command(visible_alias = "remove")]
    Uninstall(Deferred<install::update::Uninstall>),
    /// Bring skills back from the trash; list or empty the trash
    ///
    /// Restores what the last command moved to the trash, or the latest version of NAME. If another skill is in its
    /// place, that skill goes to the trash, after a question.
    Restore(Deferred<install::restore::Restore>),
    /// Install the skills that cargo dependencies ship, at the versions of Cargo.lock
    ///
    /// A crate ships its skills in the folder `skills` of its package, or in the folder that `path` of
    /// [package.metadata.skills] names. A skill's name must be the crate's, or begin with it and a hyphen. `cargo
    /// metadata --frozen` finds the packages, and runs programs that cargo's configuration in this folder names.
    // Its name for people is `cargo skills deps`.
    #[command(hide = true, bin_name = "cargo skills deps")]
    Deps(Deferred<deps::Deps>),
    /// Set up this crate to ship skills: the dependency, a first skill, a program, a workflow
    ///
    /// Shows a diff of each file, and asks before it writes. Adds skills-runtime to Cargo.toml, a build script that
    /// makes cargo notice new skills, skills/hello, and .github/workflows/skills.yml. The program that shows the skills
    /// replaces cargo's default src/main.rs; in any other crate it becomes examples/skills.rs. Existing files are kept.
    #[command(hide = true, bin_name = "cargo skills init")]
    Init(Deferred<init::Init>),
    /// Create a skill that passes `skills check`
    New(Deferred<new::New>),
    /// Report every problem of skills, with its place and fix
    Check(Deferred<check::read::Check>),
    /// Test whether the prompts in triggers.yaml find their skills
    #[cfg(feature = "agent")]
    #[command(hide = true)]
    Test(Deferred<test::Test>),
    /// Explain a rule, or list the rules of `skills check`
    ///
    /// Prints what the rule finds, why, and an example. Without a rule, lists every rule with its default level. Also
    /// explains the ids that are printed in brackets when skills are loaded, such as `trust-changed`.
    Explain(Deferred<explain::Explain>),
    /// Show what changed between two versions of skills
    ///
    /// The versions are revisions of git, folders, or an installed skill and its source. Each skill that was
    /// added, removed, renamed or changed is shown with the lines that differ, and with the powers that it
    /// gained and lost: tools, commands, hosts, packages, files and variables; and its limits. `skills show --powers` lists them.
    Diff(Deferred<diff::DiffCommand>),
    /// Write the lock of a folder, or report differences from it
    #[command(hide = true)]
    Lock(Deferred<lock::LockCommand>),
    /// Write a page about the skills of a folder
    ///
    /// The page is one HTML file without scripts or external resources. It shows the findings by rule, how much of each
    /// description the clients show a model, and what each skill may do. Findings do not change the exit code.
    #[command(hide = true)]
    Page(Deferred<page::PageCommand>),
    /// Serve an editor as a language server
    ///
    /// Shows the findings of `skills check` as you type, with fixes, completion, explanations, links and renaming.
    /// Only the editor changes files.
    Lsp(Deferred<lsp::Lsp>),
    /// Find skills that a model cannot distinguish
    ///
    /// Compares the whole descriptions. Skills that only you can start are left out.
    #[command(hide = true)]
    Overlap(Deferred<overlap::Overlap>),
    /// Print the list of skills that a model reads
    #[command(hide = true)]
    Prompt(Deferred<prompt::Prompt>),
    /// Run skills on a schedule
    ///
    /// A schedule is a task, stored as a separate skill, with the times at which it runs. NAME with a time and a
    /// task adds a schedule; NAME with a time changes its time. `skills schedule daemon` passes due tasks to an
    /// agent. Each run is recorded: ok, failed, no-output, timed-out, missed or refused.
    #[cfg(feature = "agent")]
    #[command(hide = true)]
    Schedule(Deferred<schedule::ScheduleCommand>),
    /// Repair a skill after a run in which tools failed
    ///
    /// Also shows, approves or rejects pending repairs.
    ///
    /// An agent gets the trace of the run and a copy of the skill. Its changes are checked: a change that renames the
    /// skill or touches another one is refused. Any other change is a proposal until a person approves it; --automatic
    /// approves changes of the text alone, in your own folder of skills.
    #[cfg(feature = "agent")]
    #[command(hide = true)]
    Improve(Deferred<Box<improve::Improve>>),
    /// Serve the skills over the Model Context Protocol
    ///
    /// On standard input and output, or over HTTP.
    ///
    /// Serves the skills that are enabled and trusted, and whose requirements (such as an installed program) are met. Changed folders are read again.
    #[cfg(feature = "mcp")]
    Mcp(Deferred<mcp::Mcp>),
    /// Find problems on this machine, and say how to fix them
    ///
    /// Checks the home folder, git, the folders of skills with their locks, interrupted changes, and the agent in ~/.config/skills/config.toml. Changes nothing. The exit code is 1 if there is a problem.
    Doctor(Deferred<doctor::Doctor>),
    /// See what clients, models and programs get from the skills
    #[command(hide = true)]
    Inspect(Deferred<inspect::Inspect>),
}

impl Arguments {
    /// Parses the arguments of this process. At a terminal, no arguments mean `chat`.
    pub(crate) fn of_process(has_terminal: bool) -> Result<Self, clap::Error> {
        let mut words: Vec<_> = std::env::args_os().collect();
        if words.len() == 1 && has_terminal {
            words.push("chat".into());
        }
        line::replace(&mut words);
        // Leaked: the process ends with its command, and freeing every option costs a twentieth of its start.
        let program = Box::leak(Box::new(Self::command()));
        let mut matches = program
            .try_get_matches_from_mut(&words)
            .map_err(line::with_one_tip)?;
        let is_json = is_json(&matches);
        let read =
            Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(program))?;
        Ok(Self { is_json, ..read })
    }
}

impl Command {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        match self {
            #[cfg(feature = "agent")]
            Self::Chat(command) => command.run(cx),
            Self::Resolve(command) => command.run(cx),
            Self::List(command) => command.run(cx),
            Self::Show(command) => command.run(cx),
            Self::Enable(command) => command.enable(cx),
            Self::Disable(command) => command.disable(cx),
            Self::Trust(command) => command.run(cx),
            Self::Prompt(command) => command.run(cx),
            Self::Overlap(command) => command.run(cx),
            #[cfg(feature = "mcp")]
            Self::Mcp(command) => command.run(cx),
            Self::Lsp(command) => command.run(cx),
            Self::Check(command) => command.run(cx),
            #[cfg(feature = "agent")]
            Self::Test(command) => command.run(cx),
            Self::Explain(command) => command.run(cx),
            Self::Init(command) => command.run(cx),
            Self::New(command) => command.run(cx),
            Self::Install(command) => command.run(cx),
            Self::Update(command) => command.run(cx),
            Self::Uninstall(command) => command.run(cx),
            Self::Restore(command) => command.run(cx),
            Self::Deps(command) => command.run(cx),
            #[cfg(feature = "agent")]
            Self::Schedule(command) => command.run(cx),
            #[cfg(feature = "agent")]
            Self::Improve(command) => command.run(cx),
            Self::Diff(command) => command.run(cx),
            Self::Lock(command) => command.run(cx),
            Self::Page(command) => command.run(cx),
            Self::Doctor(_) => doctor::Doctor::run(cx),
            Self::Inspect(command) => command.run(Arguments::command, cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn definitions_agree() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_help_fits_a_small_terminal() {
        let help = Arguments::command()
            .term_width(80)
            .render_help()
            .to_string();
        assert!(
            help.starts_with("Check, install and try Agent Skills."),
            "{help}"
        );
        assert!(help.lines().count() <= 30, "{help}");
        assert!(
            help.lines().all(|line| line.chars().count() <= 80),
            "{help}"
        );
    }

    /// Counts without `cargo skills` and the options of every command.
    #[test]
    fn the_program_has_few_words() {
        let mut program = Arguments::command();
        program.build();
        let is_own =
            |command: &clap::Command| !["help", "deps", "init"].contains(&command.get_name());
        let below = |command: &clap::Command| -> Vec<clap::Command> {
            let all = command.get_subcommands().cloned();
            all.filter(is_own).collect()
        };
        let mut open = below(&program);
        let (top, mut callable, mut places) = (open.len(), 0, 0);
        let mut options = BTreeSet::new();
        while let Some(command) = open.pop() {
            let all = command.get_arguments().filter(|option| {
                let is_common = option.is_global_set() || option.get_id() == "help";
                !option.is_positional() && !is_common && !option.is_hide_set()
            });
            let names: Vec<String> = all.map(|option| option.get_id().to_string()).collect();
            assert!(names.len() <= 10, "{}: {names:?}", command.get_name());
            places += names.len();
            options.extend(names);
            callable += usize::from(!command.is_subcommand_required_set());
            open.extend(below(&command));
        }
        let counts = format!(
            "{top} commands, {callable} callable, {places} places of {} options",
            options.len()
        );
        assert!(top <= 26 && callable <= 40, "{counts}");
        assert!(
            places <= 150 && options.len() <= 65,
            "{counts}: {options:?}"
        );
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
                let example = example
                    .trim_start_matches("cargo ")
                    .trim_start_matches("@reboot ");
                tried += 1;
                let calls = calls(example);
                assert!(!calls.is_empty(), "{example}: not a call");
                for call in calls {
                    let mut words = call.iter().map(Into::into).collect();
                    line::replace(&mut words);
                    let error = Arguments::try_parse_from(words).err();
                    let error = error.map(|error| error.to_string());
                    assert_eq!(error, None, "{example}: {call:?}");
                }
            }
        }
        assert!(tried > 50, "only {tried} examples");
    }

    #[test]
    fn the_skills_of_the_program_name_its_commands() -> Result<(), skills_clap::Faults> {
        skills_clap::check(&bundled_skills::SKILLS, &Arguments::command())
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
