//! `skills doctor`: six checks of this machine, each with what helps.

use crate::catalog::options::CatalogOptions;
#[cfg(feature = "agent")]
use crate::commands::agent_settings::AgentOptions;
use crate::environment::Environment;
use crate::outcome::{Failure, Message, Outcome};
use crate::output::{Ctx, FormatOption, counted, one_line, some_of};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use skills_compiler::LOCK_FILE;
use skills_format::disk::resolved;
use skills_format::{Prose, RuleId, Severity, prose};
use skills_host::files::data::DataFolder;
use skills_host::files::work::is_interrupted;
use skills_host::lock;
use skills_runtime::Catalog;
use skills_store::ErrorKind;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills doctor\n  skills doctor --format json")]
pub(crate) struct Doctor {
    #[command(flatten)]
    format: FormatOption,
}

#[derive(Serialize)]
struct Check {
    name: &'static str,
    found: Prose,
    troubles: Vec<Message>,
}

impl Doctor {
    pub(crate) fn run(cx: &mut Ctx) -> Result<Outcome, Failure> {
        if cx.env.working_folder.is_none() {
            return Err(Failure::no_working_folder());
        }
        let data = cx.env.data_folder();
        let (mut clients, read) = clients(cx.env);
        let known = data.as_ref().map(DataFolder::known).transpose();
        let known = known.unwrap_or_else(|error| {
            let help = error.remedy().unwrap_or_default();
            clients.troubles.push(Message::new(&error, help));
            None
        });
        let mut seen: BTreeSet<PathBuf> = read.iter().map(|folder| resolved(folder)).collect();
        let mut unread = known.unwrap_or_default();
        unread.retain(|folder| folder.is_dir() && seen.insert(resolved(folder)));
        let all: Vec<&Path> = read.iter().chain(&unread).map(PathBuf::as_path).collect();
        let checks = vec![
            clients,
            git(),
            readable(&all),
            locks(&all),
            changes(&all, data.as_ref()),
            #[cfg(feature = "agent")]
            agent(cx.env),
        ];
        let wrong = checks.iter().filter(|check| !check.troubles.is_empty());
        let wrong = wrong.count();
        let unlisted = unread.iter().map(|folder| (folder, load(folder).0));
        let unlisted: Vec<(&PathBuf, usize)> = unlisted.filter(|(_, skills)| *skills > 0).collect();
        let documents = unlisted.iter().map(
            |(folder, skills)| json!({ "folder": cx.env.documented(folder), "skills": skills }),
        );
        let document = json!({
            "wrong": wrong,
            "checks": checks,
            // Skills that were installed into folders that no client reads.
            "unlisted": documents.collect::<Vec<_>>(),
        });
        cx.report(&document)?;
        for check in &checks {
            for trouble in &check.troubles {
                cx.error(prose!("{}: {}", check.name, &trouble.fact));
                cx.help(&trouble.help);
            }
        }
        let all = counted(checks.len(), "check");
        let options = CatalogOptions::default();
        let loaded = options.load(cx.env);
        let found = loaded.iter().flat_map(|loaded| &loaded.diagnostics);
        let mut faults = found.filter(|found| found.severity != Severity::Info);
        let has_faults = faults.next().is_some();
        if let Ok(loaded) = &loaded {
            options.report(loaded, &[], cx);
        }
        if wrong == 0 && has_faults {
            writeln!(cx, "{all} passed")?;
        } else if wrong == 0 {
            let found: Vec<&str> = checks.iter().map(|check| &*check.found).collect();
            let found = cx.on_one_line(found.join("; "));
            cx.wrapped_line(&format!("{all} passed: {found}"))?;
        } else {
            writeln!(cx, "{all}: {wrong} failed")?;
        }
        if !unlisted.is_empty() {
            let skills = counted(unlisted.iter().map(|(_, skills)| skills).sum(), "skill");
            let folders = unlisted
                .iter()
                .map(|(folder, _)| one_line(&cx.env.shown(folder)));
            let folders = some_of(&folders.collect::<Vec<_>>(), 3);
            writeln!(
                cx,
                "{skills} in {folders}: listed only if `skills list` runs there"
            )?;
        }
        Ok(Outcome::of(wrong > 0))
    }
}

impl Check {
    fn new(name: &'static str, found: impl Into<Prose>, troubles: Vec<Message>) -> Self {
        Self {
            name,
            found: found.into(),
            troubles,
        }
    }
}

/// Finds the clients, and the folders of skills that they read.
fn clients(env: &Environment) -> (Check, Vec<PathBuf>) {
    let project = env.bases().project;
    let machine = env.machine(&project);
    let found = machine.clients();
    let shared = env.home.iter().chain(&project);
    let mut folders: Vec<PathBuf> = shared.map(|above| above.join(".agents/skills")).collect();
    for client in &found {
        let of_client = machine.folders(client.agent.folders);
        folders.extend(of_client.into_iter().map(|(_, folder)| folder));
    }
    let mut seen = BTreeSet::new();
    // A broken link is there, and is reported.
    folders.retain(|folder| folder.symlink_metadata().is_ok() && seen.insert(resolved(folder)));
    let own = found
        .iter()
        .filter(|client| client.agent.client.name != "default");
    let names: Vec<&str> = own.map(|client| &*client.agent.client.title).collect();
    let said = if names.is_empty() {
        "no client".to_owned()
    } else {
        names.join(", ")
    };
    let mut troubles = Vec::new();
    if env.home.is_none() {
        let help = "set HOME to your home folder";
        troubles.push(Message::new("the home folder is not known", help));
    }
    (Check::new("clients", said, troubles), folders)
}

fn git() -> Check {
    let mut troubles = Vec::new();
    if !Environment::has_program("git") {
        troubles.push(Message::new(
            "git is not on the search path: no skill can be installed from a repository",
            "install git, or add its folder to PATH",
        ));
    }
    Check::new("git", "git", troubles)
}

/// Checks that the folders and the skills in them can be read.
fn readable(folders: &[&Path]) -> Check {
    let mut skills = 0;
    let mut troubles = Vec::new();
    for folder in folders {
        if let Err(error) = std::fs::read_dir(folder) {
            let help = "correct its permissions, or move it away";
            troubles.push(Message::new(
                prose!("{} cannot be read: {}", *folder, &error),
                help,
            ));
            continue;
        }
        let (loaded, lost) = load(folder);
        skills += loaded;
        if lost > 0 {
            troubles.push(Message::new(
                prose!("{} in {} cannot be loaded", counted(lost, "skill"), *folder),
                "`skills check` of the folder shows why",
            ));
        }
    }
    let found = format!(
        "{} in {}",
        counted(skills, "skill"),
        counted(folders.len(), "folder")
    );
    Check::new("folders", found, troubles)
}

/// Returns the number of skills of a folder that load, and of those that do not.
fn load(folder: &Path) -> (usize, usize) {
    let found = Catalog::builder().directory("folder", folder).load();
    // Of these rules a warning too means that a skill is missing.
    let rules = [RuleId::Unreadable, RuleId::NotAFile, RuleId::LinkBroken];
    let lost = found.diagnostics().iter().filter(|found| {
        found.severity == Severity::Error || rules.into_iter().any(|rule| found.is(rule))
    });
    let lost: BTreeSet<&str> = lost.map(|found| &*found.path).collect();
    (found.iter().count(), lost.len())
}

/// Checks that every lock can be read.
fn locks(folders: &[&Path]) -> Check {
    let mut count = 0;
    let mut troubles = Vec::new();
    for folder in folders {
        if folder.join(LOCK_FILE).symlink_metadata().is_err() {
            continue;
        }
        count += 1;
        if let Err(error) = lock::read(folder) {
            let help = error
                .remedy()
                .unwrap_or_else(|| "correct the file, or restore it from version control".into());
            troubles.push(Message::new(&error, help));
        }
    }
    Check::new("locks", counted(count, "skills.lock file"), troubles)
}

/// Looks for changes that were interrupted.
fn changes(folders: &[&Path], data: Option<&DataFolder>) -> Check {
    let mut troubles = Vec::new();
    for folder in folders {
        let Some(data) = data else { break };
        match is_interrupted(folder, data) {
            Ok(true) => troubles.push(Message::new(
                prose!("a change of {} was interrupted", *folder),
                "`skills outdated` with this folder after --to finishes it",
            )),
            Ok(false) => {}
            // Already reported: the folder cannot be read.
            Err(error) if error.kind() == ErrorKind::Io => {}
            Err(error) => {
                let help = "look at the folder, then remove its .skills-work";
                troubles.push(Message::new(&error, help));
            }
        }
    }
    Check::new("changes", "no change was interrupted", troubles)
}

/// Checks that the program of the agent is there.
#[cfg(feature = "agent")]
fn agent(env: &Environment) -> Check {
    let (mut said, mut troubles) = (
        "no agent is set for `chat`, `test` or `schedule`".to_owned(),
        Vec::new(),
    );
    match AgentOptions::default().found(env) {
        Ok(None) => {}
        Ok(Some(command)) => {
            let program = command.program();
            said = format!("agent {program}");
            if !has_program(program, env) {
                let help = "correct `agent` in config.toml, or remove the line and use --agent";
                let message = format!("the agent's program `{program}` was not found");
                troubles.push(Message::new(message, help));
            }
        }
        Err(failure) => {
            troubles.push(failure.message().clone());
        }
    }
    Check::new("agent", said, troubles)
}

/// Returns whether a program is on the search path. A name with a separator is a path, from the working folder.
#[cfg(feature = "agent")]
fn has_program(name: &str, env: &Environment) -> bool {
    if Path::new(name).components().count() > 1 {
        env.absolute(Path::new(name)).is_file()
    } else {
        Environment::has_program(name)
    }
}
