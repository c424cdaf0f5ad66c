//! `skills update`: updates of installed skills from their sources.

use crate::commands::install::conflicts::{ConflictOptions, Conflicts};
use crate::commands::install::locked::may_follow;
use crate::commands::install::plan::{Carry, Widening, on_conflict, with_given};
use crate::commands::install::session::{self, Consent, Session, YesOption, failure};
use crate::commands::install::summary::Summary;
use crate::commands::install::target::TargetOptions;
use crate::commands::install::targets::{Chosen, Planned, names_of_each};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, one_line};
use clap::{ArgGroup, Args};
use skills_compiler::Lock;
use skills_format::command;
use skills_format::prose;
use skills_format::text::command::Command;
use skills_host::install::{
    LocalSources, Remedy, Source, Strictness, UpdateOptions, installed_from, plan_continue,
    plan_updates, update_sources,
};
use skills_host::lock::read_lock;
use skills_host::{Error, ErrorKind};
use std::path::{Path, PathBuf};

const NOTHING: &str = "no skill is installed here: the lock of the folder names none; `skills install --help` shows how to install skills";

#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("which").args(["names", "source"]).multiple(true))]
#[expect(clippy::struct_excessive_bools, reason = "the flags of the command")]
pub(crate) struct Update {
    /// The skills; by default all
    names: Vec<String>,
    #[command(flatten)]
    target: TargetOptions,
    /// Show the plan, and change nothing; an interrupted change is finished first
    #[arg(long)]
    dry_run: bool,
    /// Merge local changes with the new version, file by file
    #[arg(long, conflicts_with = "force")]
    merge: bool,
    /// All skills that were installed from this source, as `install` takes it
    #[arg(long, value_name = "SOURCE", conflicts_with = "names")]
    source: Option<String>,
    /// Follow another branch, tag or commit from now on
    #[arg(long, value_name = "REVISION", requires = "which")]
    rev: Option<String>,
    #[command(flatten)]
    conflicts: ConflictOptions,
    /// Take the copy of a skill whose conflicts were edited after --markers
    #[arg(
        long = "continue",
        value_name = "NAME",
        conflicts_with_all = ["names", "source", "merge", "ours", "theirs", "markers", "force", "lenient"]
    )]
    resume: Option<String>,
    /// Show the whole differences of several skills
    #[arg(long)]
    diff: bool,
    /// Replace skills with local changes, which go to the trash
    #[arg(long)]
    force: bool,
    /// Also take versions in which a strict check finds errors
    #[arg(long)]
    lenient: bool,
    /// Also take versions that may do more than the installed version, without asking
    #[arg(long)]
    allow_widening: bool,
    /// Also read folders outside of the project, and file: URLs
    #[arg(long)]
    yes_local: bool,
    #[command(flatten)]
    yes: YesOption,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  skills outdated                  what would change: the same as `skills update --dry-run`
  skills update --yes
  skills update code-review --merge            on a terminal, asks for each conflict
  skills update code-review --merge --ours SKILL.md
  skills update code-review --rev v2.0.0       another tag or branch
  skills update --source owner/repo --rev v2.0.0   all skills of the repository
  skills update code-review --markers          then edit, and: skills update --continue code-review
  skills update code-review --force && skills restore code-review";

impl Update {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        session::run(environment, output, |session, output| {
            self.update(session, environment, output)
        })
    }

    fn update(
        &self,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        if let Some(name) = &self.resume {
            return self.resume(name, session, environment, output);
        }
        let mut options = options(&self.names, self.yes_local);
        if self.lenient {
            options.strictness = Strictness::Lenient;
        }
        options.revision.clone_from(&self.rev);
        options.on_conflict = on_conflict(self.merge || self.conflicts.merge(), self.force);
        let source = self.source.as_deref();
        let source = source.map(|text| parsed(text, environment)).transpose()?;
        let updates = Updates {
            source: source.as_ref(),
            verb: if self.dry_run {
                "update --dry-run"
            } else {
                "update"
            },
            target: &self.target,
            options,
            yes: &self.yes,
            format: self.format,
        };
        let Some(mut planned) = updates.plan(session, environment, output)? else {
            return Ok(Outcome::Findings);
        };
        let plans = &mut planned.plans;
        // Over all folders: a file can be in conflict in one of them alone.
        self.conflicts.check(plans)?;
        let folders = plans.len();
        for plan in plans.iter_mut() {
            let of = self.of_folder(folders, &plan.target, environment);
            let conflicts = Conflicts {
                format: self.format,
                asks: matches!(self.yes.consent(), Consent::Ask),
                dry_run: self.dry_run,
                again: &|name| of.again(name, &[]),
                take: &|name| of.target.of(command("update --continue").word(name)),
                session,
                environment,
            };
            self.conflicts.settle(plan, &conflicts, output)?;
            for skill in &mut plan.skills {
                if let Some(tag) = &skill.moved {
                    let command = command("update").word(&skill.name).word("--rev").word(tag);
                    let options = [(self.lenient, "--lenient"), (self.yes_local, "--yes-local")];
                    let command = of.target.of(with_given(command, &options));
                    skill.note = Some(prose!(
                        "the tag {} names another commit now, and the skill stays as it is; {} takes that commit",
                        one_line(tag),
                        command
                    ));
                }
                if let Some(tag) = &skill.newer {
                    let command = command("update").word(&skill.name).word("--rev").word(tag);
                    let options = [(self.lenient, "--lenient"), (self.yes_local, "--yes-local")];
                    let command = of.target.of(with_given(command, &options));
                    skill.note = Some(prose!("a newer tag exists: {}", command));
                }
                if skill.remedy == Some(Remedy::Unpin) {
                    let unpin = of.target.of(command("unpin").word(&skill.name));
                    skill.note = Some(prose!("{} ends that", unpin));
                }
            }
        }
        // Afterwards: an answer turns a refused skill into one that is changed.
        let widened =
            |folder: &Path, name: &str| self.of_folder(folders, folder, environment).command(name);
        self.widening(&widened).consider(plans, output)?;
        if plans.iter().all(|plan| plan.skills.is_empty()) && self.format == Format::Text {
            output.note(NOTHING);
        }
        let next = |target: &Path, name: &str, remedy| {
            let of = self.of_folder(folders, target, environment);
            of.next(name, remedy)
        };
        let all = match plans.as_slice() {
            [plan] => self.of_folder(1, &plan.target, environment).all(),
            _ => self.all(),
        };
        let summary = Summary {
            next: &next,
            all,
            diff: self.diff,
        };
        let carry = self.carry();
        let done = carry.run_all(Some(&summary), plans, session, environment, output);
        planned.conclude(done, output)
    }

    /// Returns the command for one folder, of which the next steps are printed.
    fn of_folder(&self, folders: usize, folder: &Path, environment: &Environment) -> Self {
        Self {
            target: self.target.for_one_of(folders, folder, environment),
            ..self.clone()
        }
    }

    /// Takes the edited copy of a skill.
    fn resume(
        &self,
        name: &str,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let place = self.target.target(environment)?;
        let again = self.again(name, &["--markers"]);
        let plan = plan_continue(&place.folder, name, &again, session.host());
        let mut plan = plan.map_err(|error| failure(&error))?;
        let next = |_: &Path, name: &str| {
            let command = command("update --continue").word(name);
            self.target.of(command.word("--allow-widening"))
        };
        let plans = std::slice::from_mut(&mut plan);
        self.widening(&next).consider(plans, output)?;
        self.carry().run(&plan, session, environment, output)
    }

    fn widening<'w>(&'w self, next: &'w dyn Fn(&Path, &str) -> Command) -> Widening<'w> {
        Widening {
            format: self.format,
            consent: self.yes.consent(),
            is_allowed: self.allow_widening || self.dry_run,
            verb: "Update",
            next,
        }
    }

    fn carry(&self) -> Carry<'_> {
        Carry {
            format: self.format,
            consent: self.yes.consent(),
            dry_run: self.dry_run,
            differences: true,
            brief: false,
            not_written: &[],
            more: None,
            verb: "Update",
        }
    }
}

impl Update {
    /// Returns the command that updates a skill also if it may do more.
    fn command(&self, name: &str) -> Command {
        self.answering(self.again(name, &["--allow-widening"]))
    }

    /// Returns the command that updates a skill with further options.
    fn again(&self, name: &str, more: &[&'static str]) -> Command {
        let command = command("update").word(name);
        let command = more
            .iter()
            .fold(command, |command, option| command.word(option));
        let command = command.option("--rev", self.rev.as_deref());
        let options = [
            (self.force, "--force"),
            (self.lenient, "--lenient"),
            (self.yes_local, "--yes-local"),
        ];
        self.target.of(with_given(command, &options))
    }

    /// Adds the options of a merge that were given.
    fn answering(&self, command: Command) -> Command {
        let command = with_given(command, &[(self.merge, "--merge")]);
        self.conflicts.of(command)
    }

    /// Returns the command that takes a refused skill.
    fn next(&self, name: &str, remedy: Remedy) -> Option<Command> {
        Some(match remedy {
            Remedy::Merge => self.again(name, &["--merge"]),
            Remedy::Answer if self.conflicts.is_marked() => {
                self.target.of(command("update --continue").word(name))
            }
            Remedy::Answer => self.again(name, &["--markers"]),
            Remedy::Widen => self.command(name),
            Remedy::Lenient => self.answering(self.again(name, &["--lenient"])),
            Remedy::Force => self.again(name, &["--force"]),
            Remedy::Local => self.answering(self.again(name, &["--yes-local"])),
            _ => return None,
        })
    }

    /// Returns the command that shows the whole differences.
    fn all(&self) -> Command {
        let names = self.names.iter();
        let command = names.fold(command("update"), |command, name| command.word(name));
        let command = command.option("--source", self.source.as_deref());
        let options = [(self.merge, "--merge"), (self.force, "--force")];
        let command = with_given(command.word("--dry-run").word("--diff"), &options);
        self.target.of(command.option("--rev", self.rev.as_deref()))
    }
}

/// Parses the source of `--source`. Its folder and its revision would choose nothing.
fn parsed(text: &str, environment: &Environment) -> Result<Source, Failure> {
    let base = environment.working_folder.clone().unwrap_or_default();
    let source = Source::parse(text, &base).map_err(|error| failure(&error))?;
    let is_whole = source.path.is_none() && source.revision.is_none() && source.skill.is_none();
    if is_whole {
        return Ok(source);
    }
    let text = one_line(text);
    let origin = source.origin.to_string();
    Err(Failure::failed(
        format!(
            "--source {text}: it names a part of a source, and --source means all of its skills"
        ),
        prose!(
            "write {}, and a revision with --rev; or name the skills",
            one_line(&origin)
        ),
    ))
}

/// Leaves the skills that were installed from a source.
fn of_source(
    source: &Source,
    chosen: Vec<(Chosen, UpdateOptions)>,
    session: &Session,
) -> Result<Vec<(Chosen, UpdateOptions)>, Error> {
    let mut found = Vec::new();
    for (place, mut options) in chosen {
        match installed_from(&place.target.folder, source, session.host()) {
            Ok(names) if names.is_empty() => continue,
            Ok(names) => options.names = names,
            // The plan reports a lock that cannot be read.
            Err(_) => {}
        }
        found.push((place, options));
    }
    if found.is_empty() {
        let origin = one_line(&source.origin.to_string());
        let message = prose!("no installed skill comes from {origin}");
        return Err(Error::new(ErrorKind::NotFound, message).help(prose!(
            "{} shows where each skill comes from",
            command("list")
        )));
    }
    Ok(found)
}

fn options(names: &[String], yes_local: bool) -> UpdateOptions {
    let mut options = UpdateOptions::default();
    options.names = names.to_vec();
    if yes_local {
        options.local = LocalSources::Allow;
    }
    options
}

/// An update of one or several folders, not yet planned.
struct Updates<'u> {
    /// The command of a hint.
    verb: &'static str,
    target: &'u TargetOptions,
    /// Only skills of this source.
    source: Option<&'u Source>,
    options: UpdateOptions,
    yes: &'u YesOption,
    format: Format,
}

impl Updates<'_> {
    /// Plans the update. Returns `None` if the person does not want the sources to be fetched.
    fn plan(
        self,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Option<Planned>, Failure> {
        let names = &self.options.names;
        let chosen = self
            .target
            .installed(self.verb, names, session, environment, output)?;
        let failed = |error| self.target.failure(&error, self.verb, names, environment);
        let mut planned = Planned::default();
        let mut folders: Vec<(PathBuf, UpdateOptions)> = Vec::new();
        let mut chosen = self.with_names(chosen, session);
        if let Some(source) = self.source {
            chosen = of_source(source, chosen, session).map_err(failed)?;
        }
        for (place, mut options) in chosen {
            options.repository.clone_from(&place.target.repository);
            if place.target.is_own {
                options.local = LocalSources::Allow;
            }
            let sources = update_sources(&place.target.folder, &options, session.host());
            let sources = match sources {
                Ok(sources) => sources,
                // A damaged lock in one folder does not stop the others.
                Err(error) => {
                    planned.add(Err(failed(error)));
                    continue;
                }
            };
            if !may_follow(sources, &place.target, self.yes, output)? {
                output.note("nothing was fetched");
                return Ok(None);
            }
            folders.push((place.target.folder, options));
        }
        session.consent_to_hosts(self.yes, self.format);
        for plan in plan_updates(&folders, session.host()) {
            planned.add(plan.map_err(failed));
        }
        session.quiet();
        planned.check(output)?;
        Ok(Some(planned))
    }

    /// Gives each of several folders the names that its lock has. A folder whose lock cannot be read gets every name, and its
    /// plan reports the lock.
    fn with_names(&self, chosen: Vec<Chosen>, session: &Session) -> Vec<(Chosen, UpdateOptions)> {
        let is_one = chosen.len() == 1;
        let locks: Vec<Option<Lock>> = if is_one || self.options.names.is_empty() {
            Vec::new()
        } else {
            let locks = chosen.iter();
            let locks = locks.map(|one| read_lock(&one.target.folder, session.data()).ok());
            locks.collect()
        };
        let has = |at: usize, name: &str| {
            let lock = locks.get(at);
            lock.is_some_and(|lock| match lock {
                Some(lock) => lock.skills.contains_key(name),
                None => true,
            })
        };
        let names = names_of_each(&self.options.names, chosen.len(), has);
        let with = |(one, names): (Chosen, Option<Vec<String>>)| {
            let mut options = self.options.clone();
            options.names = names?;
            Some((one, options))
        };
        chosen.into_iter().zip(names).filter_map(with).collect()
    }
}
