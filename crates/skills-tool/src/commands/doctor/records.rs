//! The files of settings and decisions, and the schedules.

use crate::catalog::options::CatalogOptions;
use crate::commands::agent_settings::{settings_agent, settings_path};
use crate::commands::doctor::checked::{Checked, Trouble};
use crate::commands::doctor::programs::SearchPath;
use crate::commands::doctor::remedy::{aside, right};
use crate::commands::schedule::site::Site;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::counted;
use skills_format::{Prose, RuleId, command, prose};
use skills_host::agent::AgentCommand;
use skills_runtime::Profile;
use skills_store::{Error, Stored};
use std::collections::BTreeSet;
use std::path::Path;

/// Checks the settings, the decisions and the schedules.
pub(super) fn checks(environment: &Environment) -> Vec<Checked> {
    let agent = settings_agent(environment);
    let has_agent = matches!(&agent, Ok(Some(_)));
    vec![
        settings(agent.as_ref().err(), environment),
        self::agent(agent.ok().flatten(), environment),
        state(environment),
        schedules(has_agent, environment),
    ]
}

/// Checks that config.toml can be read.
fn settings(failure: Option<&Failure>, environment: &Environment) -> Checked {
    let path = settings_path(environment);
    let found = match &path {
        Some(path) if path.exists() => prose!("{}", path.as_path()),
        Some(path) => prose!("{} is not there, and need not be", path.as_path()),
        None => Prose::default(),
    };
    let message = failure.and_then(Failure::message);
    let trouble = message.zip(path).map(|(message, path)| {
        Trouble::new(
            &message.fact,
            prose!("correct the file, or move it aside: {}", aside(&path)),
        )
    });
    Checked::new("settings", found, trouble.into_iter().collect())
}

/// Checks that the agent of config.toml is a program.
fn agent(text: Option<String>, environment: &Environment) -> Checked {
    let Some(text) = text else {
        let place = settings_path(environment).unwrap_or_default();
        let found = prose!("{} names none; --agent does for one call", place.as_path());
        return Checked::new("agent", found, Vec::new());
    };
    let help = || {
        let place = settings_path(environment).unwrap_or_default();
        prose!(
            "correct the line `agent` in {}, or remove the line: then --agent names an agent for one call",
            place.as_path()
        )
    };
    let path = SearchPath(Environment::search_path());
    let command = AgentCommand::parse(&text).map(|command| match &environment.home {
        Some(home) => command.home(home),
        None => command,
    });
    let found = match &command {
        Err(error) => Err(Trouble::new(error, help())),
        Ok(command) => {
            let program = command.words().first().map_or("", String::as_str);
            let stand = environment.working_folder.as_deref();
            path.find(program, stand).ok_or_else(|| {
                let message = format!("the agent is `{text}`, and there is no program `{program}`");
                Trouble::new(message, help())
            })
        }
    };
    match found {
        Ok(found) => Checked::new("agent", found.as_path(), Vec::new()),
        Err(trouble) => Checked::new("agent", "", vec![trouble]),
    }
}

/// Checks the files of the disabled skills, of trust and of the schedules.
fn state(environment: &Environment) -> Checked {
    let options = CatalogOptions::default();
    let mut troubles = Vec::new();
    if let Ok(file) = options.state_file(environment) {
        troubles.extend(fault(file.path(), file.read(), &options));
    }
    if let Ok(file) = options.trust_file(environment) {
        troubles.extend(fault(file.path(), file.read(), &options));
    }
    if let Some(file) = options.schedule_file(environment) {
        troubles.extend(fault(file.path(), file.read(), &options));
    }
    Checked::new(
        "state",
        "the disabled and the trusted skills, and the schedules",
        troubles,
    )
}

/// Returns what is wrong with a file of decisions.
fn fault<T>(
    path: &Path,
    stored: Result<Stored<T>, Error>,
    options: &CatalogOptions,
) -> Option<Trouble> {
    let stored = match stored {
        Ok(stored) => stored,
        Err(error) => {
            let help = if error.is_denied() {
                right("u+rw", path)
            } else {
                aside(path)
            };
            return Some(Trouble::of(&error, help));
        }
    };
    let found = stored.diagnostics.first()?;
    let help = if found.is(RuleId::StateNewer) {
        prose!(
            "update this program, or move the file aside: {}",
            aside(path)
        )
    } else {
        options.reset_hint()
    };
    Some(Trouble::new(prose!("{}: {}", path, &found.message), help))
}

/// Checks that a daemon runs the schedules of each profile.
fn schedules(has_agent: bool, environment: &Environment) -> Checked {
    const DEFAULT: &Profile = &Profile::DEFAULT;
    let mut seen = BTreeSet::new();
    let mut live = 0;
    let mut troubles = Vec::new();
    for profile in std::iter::once(DEFAULT).chain(Profile::ALL) {
        let site = Site::of(profile);
        let Ok(scheduler) = site.scheduler(environment) else {
            continue;
        };
        let is_new = seen.insert(scheduler.file().path().to_owned());
        // A file that cannot be read is reported as such.
        let Some(stored) = scheduler.file().read().ok().filter(|_| is_new) else {
            continue;
        };
        let waiting = stored
            .value
            .values()
            .filter(|schedule| !schedule.is_ended());
        let waiting = waiting.count();
        live += waiting;
        if waiting > 0 && !scheduler.has_daemon() {
            troubles.push(Trouble::new(
                prose!(
                    "no daemon runs what is due, of {}",
                    counted(waiting, "schedule")
                ),
                starting(&site, has_agent, environment),
            ));
        }
    }
    Checked::new("schedules", counted(live, "schedule"), troubles)
}

/// Returns the commands that start a daemon.
fn starting(site: &Site, has_agent: bool, environment: &Environment) -> Prose {
    let install = site.words_of(command("schedule install"));
    let daemon = site.words_of(command("schedule daemon"));
    if has_agent {
        return prose!(
            "{} has the machine start it, {} runs it in this terminal",
            install,
            daemon
        );
    }
    let place = settings_path(environment).unwrap_or_default();
    prose!(
        "name an agent, as agent = \"my-agent --print\" in {}; then {} says how the machine starts it, {} how a terminal does",
        place.as_path(),
        install.word("--help"),
        daemon.word("--help")
    )
}
