//! The folders of skills that one command works on, if it works on several.

use crate::commands::install::own_copies::OwnFolder;
use crate::commands::install::session::{Session, failure};
use crate::commands::install::target::{Target, TargetOptions, USER, word_of};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Output, counted, one_line};
use skills_clients::reading::Tier;
use skills_compiler::{LOCK_FILE, Lock};
use skills_format::disk::{resolved, resolved_ahead};
use skills_format::{command, prose};
use skills_host::export::agents::Agent;
use skills_host::install::Plan;
use skills_host::lock::read_lock;
use skills_host::places::{Found, Machine, places};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The word for the folders of all clients on this machine.
const ALL: &str = "all";

/// The maximum number of other folders that are reported one by one.
const MOST: usize = 3;

/// A folder that a command works on, with the options that name it alone.
pub(crate) struct Chosen {
    pub(crate) options: TargetOptions,
    pub(crate) target: Target,
    /// The clients for which the folder was chosen, with the folders by which they were found.
    clients: Vec<String>,
    /// The own folders of clients that get no copy of their own, since they read this folder too.
    pub(super) passed_over: Vec<OwnFolder>,
}

/// A client whose folder is wanted.
struct Wanted {
    agent: Agent,
    /// The folder by which the client was found, under `--to all`.
    by: Option<PathBuf>,
}

impl Chosen {
    fn new(options: TargetOptions, target: Target) -> Self {
        Self {
            options,
            target,
            clients: Vec::new(),
            passed_over: Vec::new(),
        }
    }
}

impl TargetOptions {
    /// Returns the folders that the words of `--to` name. A client that reads a folder which is chosen already gets no
    /// copy of its own. The folders, and the reasons, are reported.
    pub(crate) fn chosen(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Vec<Chosen>, Failure> {
        let words = self.words();
        if words.len() <= 1 && words.first().is_none_or(|word| word != ALL) {
            return Ok(vec![Chosen::new(self.clone(), self.target(environment)?)]);
        }
        let project = environment.bases().project;
        let machine = environment.machine(&project);
        let (mut chosen, mut wanted) = (Vec::new(), Vec::new());
        for word in words {
            if word == ALL {
                wanted.extend(of_machine(&machine)?);
            } else if let Some(agent) = Agent::named(word).map_err(|error| failure(&error))? {
                wanted.push(Wanted { agent, by: None });
            } else {
                let options = self.only(word);
                let target = options.target(environment)?;
                add(
                    Chosen::new(options, target),
                    &mut chosen,
                    environment,
                    output,
                );
            }
        }
        let folders = |wanted: &Wanted| {
            let all = machine.folders(wanted.agent.folders).into_iter();
            let all = all.filter(|(tier, _)| *tier == Tier::Person);
            all.map(|(_, folder)| resolved_ahead(&folder)).collect()
        };
        let mut wanted: Vec<(Wanted, BTreeSet<PathBuf>)> = wanted
            .into_iter()
            .map(|wanted| {
                let folders = folders(&wanted);
                (wanted, folders)
            })
            .collect();
        // A client that reads many folders can share the folder of a client that reads one.
        wanted.sort_by_key(|(_, folders)| folders.len());
        // A client that is named twice has one copy.
        let mut named = BTreeSet::new();
        wanted.retain(|(wanted, _)| named.insert(wanted.agent.client.name.as_str()));
        for (wanted, folders) in wanted {
            let name = &*wanted.agent.client.name;
            let shown = match &wanted.by {
                Some(by) => format!("{name} ({} is here)", environment.shown(by)),
                None => name.to_owned(),
            };
            let read = chosen.iter_mut().find(|chosen: &&mut Chosen| {
                folders.contains(&resolved_ahead(&chosen.target.folder))
            });
            let options = self.only(name);
            if let Some(read) = read {
                read.clients.push(shown);
                // A client without such a folder has no copy in it.
                if let Ok(target) = options.target(environment) {
                    let client = name.to_owned();
                    read.passed_over.push(OwnFolder {
                        client,
                        options,
                        target,
                    });
                }
                continue;
            }
            let target = options.target(environment)?;
            let mut one = Chosen::new(options, target);
            one.clients.push(shown);
            add(one, &mut chosen, environment, output);
        }
        for one in chosen.iter().filter(|one| !one.clients.is_empty()) {
            let folder = environment.shown(&one.target.folder);
            output.note(format!("{folder}: one copy for {}", one.clients.join(", ")));
        }
        Ok(chosen)
    }

    /// Returns the folders that a command over installed skills works on. Without `--to` these are the folders of the
    /// person and of the current project that the register names: the folders in which this program installed skills on
    /// this machine. A lock that came with a clone is not in the register. Other folders are reported with their command.
    pub(crate) fn installed(
        &self,
        verb: &'static str,
        names: &[String],
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Vec<Chosen>, Failure> {
        if !self.is_open() {
            return self.chosen(environment, output);
        }
        let register = Register::read(session)?;
        let user = Chosen::new(self.only(USER), self.named(USER, environment)?);
        let (mut chosen, mut foreign) = (Vec::new(), Vec::new());
        let mut seen = BTreeSet::from([resolved(&user.target.folder)]);
        let has = |folder: &Path| {
            let lock = read_lock(folder, session.data());
            // The plan reports a lock that cannot be read.
            lock.map_or(true, |lock| holds(&lock, names))
        };
        if has(&user.target.folder) {
            chosen.push(Chosen::new(user.options.clone(), user.target.clone()));
        }
        for (tier, folder) in own_places(self, environment) {
            if !seen.insert(resolved(&folder)) || !folder.join(LOCK_FILE).exists() {
                continue;
            }
            let is_meant = register.has(&folder) && has(&folder);
            let mut target = match Target::of(folder.clone(), environment) {
                Ok(target) => target,
                Err(error) => {
                    output.failure(&error);
                    continue;
                }
            };
            target.is_own |= tier == Tier::Person;
            let options = self.only(&word_of(&folder, environment));
            if is_meant {
                chosen.push(Chosen::new(options, target));
            } else if !register.has(&folder) && parsed(&folder).is_some_and(|it| holds(&it, names))
            {
                foreign.push(folder);
            }
        }
        let others = register.folders.iter().filter(|folder| {
            !seen.contains(&resolved(folder)) && parsed(folder).is_some_and(|it| holds(&it, names))
        });
        let others: Vec<PathBuf> = foreign.into_iter().chain(others.cloned()).collect();
        report_others(verb, names, &others, environment, output);
        if chosen.is_empty() {
            chosen.push(user);
        }
        Ok(chosen)
    }
}

/// The folders in which this program installed skills: the data folder has the list.
struct Register {
    folders: BTreeSet<PathBuf>,
    resolved: BTreeSet<PathBuf>,
}

impl Register {
    fn read(session: &Session) -> Result<Self, Failure> {
        let folders = session.data().known().map_err(|error| failure(&error))?;
        Ok(Self {
            resolved: folders.iter().map(|folder| resolved(folder)).collect(),
            folders,
        })
    }

    fn has(&self, folder: &Path) -> bool {
        self.resolved.contains(&resolved(folder))
    }
}

/// Returns the existing folders of skills of the person and of the project: those of the clients, and the profile's.
pub(super) fn own_places(
    options: &TargetOptions,
    environment: &Environment,
) -> Vec<(Tier, PathBuf)> {
    let project = environment.bases().project;
    let machine = environment.machine(&project);
    let clients: Vec<Found> = Agent::all()
        .map(|agent| Found::of(agent, PathBuf::new()))
        .collect();
    let of_clients = places(&machine, &clients).into_iter();
    let mut all: Vec<(Tier, PathBuf)> =
        of_clients.map(|place| (place.tier, place.folder)).collect();
    let project = options.named("project", environment).ok();
    all.extend(project.map(|target| (Tier::Project, target.folder)));
    all
}

/// Returns whether a lock has one of the names; without names, whether it has any skill.
fn holds(lock: &Lock, names: &[String]) -> bool {
    let mut names = names.iter();
    match names.len() {
        0 => !lock.skills.is_empty(),
        _ => names.any(|name| lock.skills.contains_key(name)),
    }
}

/// Gives each of several folders the names that it has. A name that no folder has stays with the first folder, whose error
/// names it. `None` for a folder without any of the names.
pub(crate) fn names_of_each(
    names: &[String],
    folders: usize,
    has: impl Fn(usize, &str) -> bool,
) -> Vec<Option<Vec<String>>> {
    let is_of = |at: usize, name: &str| {
        folders == 1 || has(at, name) || at == 0 && !(0..folders).any(|other| has(other, name))
    };
    let of_folder = |at: usize| {
        let own = names.iter().filter(|name| is_of(at, name));
        let own: Vec<String> = own.cloned().collect();
        (names.is_empty() || !own.is_empty()).then_some(own)
    };
    (0..folders).map(of_folder).collect()
}

/// Reads a lock without finishing a change, for a report.
fn parsed(folder: &Path) -> Option<Lock> {
    let text = skills_format::disk::read_text(&folder.join(LOCK_FILE)).ok()?;
    Lock::parse(&text).ok()
}

/// Adds a folder, unless it is chosen already.
fn add(one: Chosen, chosen: &mut Vec<Chosen>, environment: &Environment, output: &mut Output) {
    let real = resolved_ahead(&one.target.folder);
    let mut all = chosen.iter_mut();
    let Some(other) = all.find(|chosen| resolved_ahead(&chosen.target.folder) == real) else {
        chosen.push(one);
        return;
    };
    other.clients.extend(one.clients.iter().cloned());
    if one.target.folder != other.target.folder {
        let shown = |chosen: &Chosen| environment.shown(&chosen.target.folder);
        output.note(format!(
            "{} and {} are one folder",
            shown(&one),
            shown(other)
        ));
    }
}

/// Returns the clients that are used on this machine.
fn of_machine(machine: &Machine<'_>) -> Result<Vec<Wanted>, Failure> {
    let clients = machine.clients().into_iter();
    let used = clients.filter(|found| found.is_used && found.agent.client.name != "default");
    let used: Vec<Wanted> = used
        .map(|found| Wanted {
            agent: found.agent,
            by: Some(found.by),
        })
        .collect();
    if used.is_empty() {
        return Err(Failure::failed(
            "--to all: no client keeps its settings on this machine",
            "name a folder, such as --to user, or a client, such as --to claude-code",
        ));
    }
    Ok(used)
}

/// Reports the folders that the command leaves alone, each with its command.
fn report_others(
    verb: &'static str,
    names: &[String],
    others: &[PathBuf],
    environment: &Environment,
    output: &mut Output,
) {
    for folder in others.iter().take(MOST) {
        let names = names.iter();
        let command = names.fold(command(verb), |command, name| command.word(name));
        let command = command
            .word("--to")
            .short_path(&word_of(folder, environment));
        output.hint(prose!(
            "left alone: {}; {}",
            one_line(&environment.shown(folder)),
            command
        ));
    }
    if let more @ 1.. = others.len().saturating_sub(MOST) {
        output.note(format!("left alone: {} more", counted(more, "folder")));
    }
}

/// The plans of several folders. A folder that fails stops no other.
#[derive(Default)]
pub(crate) struct Planned {
    pub(crate) plans: Vec<Plan>,
    failures: Vec<Failure>,
}

impl Planned {
    /// Adds the plan of a folder, or its failure.
    pub(crate) fn add(&mut self, plan: Result<Plan, Failure>) {
        match plan {
            Ok(plan) => self.plans.push(plan),
            Err(failure) => self.failures.push(failure),
        }
    }

    /// Fails if there is no plan.
    pub(crate) fn check(&mut self, output: &mut Output) -> Result<(), Failure> {
        if self.plans.is_empty() {
            return self.conclude(Ok(Outcome::Done), output).map(|_| ());
        }
        Ok(())
    }

    /// Reports the failures after the other folders are done. The last failure is the failure of the command.
    pub(crate) fn conclude(
        &mut self,
        done: Result<Outcome, Failure>,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let mut failures = std::mem::take(&mut self.failures);
        let last = match (done, failures.is_empty()) {
            (Ok(outcome), true) => return Ok(outcome),
            (Err(failure), _) => Some(failure),
            (Ok(_), false) => failures.pop(),
        };
        for failure in &failures {
            output.failure(failure);
        }
        last.map_or(Ok(Outcome::Done), Err)
    }
}

/// Returns the folders of plans for a person: `~/.agents/skills and ~/.claude/skills`.
pub(crate) fn joined<'p>(
    folders: impl Iterator<Item = &'p Path>,
    environment: &Environment,
) -> String {
    let folders: Vec<String> = folders
        .map(|folder| one_line(&environment.shown(folder)))
        .collect();
    match folders.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        folders => folders.concat(),
    }
}
