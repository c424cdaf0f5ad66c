//! The folders of skills that one command works on.

use crate::commands::install::session::Session;
use crate::commands::install::target::{Target, TargetOptions, USER};
use crate::environment::Environment;
use crate::input::{asked, can_ask};
use crate::outcome::Failure;
use crate::output::{Ctx, one_line};
use skills_clients::reading::Tier;
use skills_compiler::{LOCK_FILE, Lock};
use skills_format::disk::{read_text, resolved, resolved_ahead};
use skills_format::text::distance::nearest;
use skills_format::{SkillName, prose};
use skills_host::export::agents::Agent;
use skills_host::lock::read_lock;
use skills_host::places::{Found, places};
use skills_host::{Error, ErrorKind};
use skills_store::files::data::DataFolder;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The word for the folders of all clients on this machine.
const ALL: &str = "all";

impl TargetOptions {
    /// Returns the folders that the words of `--to` name, each with the options that name it alone. A client that reads a
    /// folder which is chosen already gets no copy of its own.
    pub(crate) fn chosen(&self, cx: &mut Ctx) -> Result<Vec<(Self, Target)>, Failure> {
        let words = self.words();
        if words.len() <= 1 && words.first().is_none_or(|word| word != ALL) {
            return Ok(vec![(self.clone(), self.target(cx.env)?)]);
        }
        let project = cx.env.bases().project;
        let machine = cx.env.machine(&project);
        let (mut chosen, mut clients) = (BTreeMap::new(), BTreeMap::new());
        for word in words {
            if word == ALL {
                let found = machine.clients().into_iter();
                let used = found.filter(|it| it.is_used && it.agent.client.name != "default");
                clients.extend(used.map(|it| (it.agent.client.name.clone(), it.agent)));
                if clients.is_empty() {
                    return Err(Failure::failed(
                        "--to all: no client keeps its settings on this machine",
                        "name a folder, such as --to user, or a client, such as --to claude-code",
                    ));
                }
            } else if let Some(agent) = Agent::named(word)? {
                clients.insert(agent.client.name.clone(), agent);
            } else {
                let options = self.only(word);
                let target = options.target(cx.env)?;
                chosen.insert(resolved_ahead(&target.folder), (options, target));
            }
        }
        let mut clients: Vec<(String, BTreeSet<PathBuf>)> = clients
            .into_iter()
            .map(|(name, agent)| {
                let folders = machine.folders(agent.folders).into_iter();
                let own = folders.filter(|(tier, _)| *tier == Tier::Person);
                (
                    name,
                    own.map(|(_, folder)| resolved_ahead(&folder)).collect(),
                )
            })
            .collect();
        // A client that reads many folders can share the folder of a client that reads one.
        clients.sort_by_key(|(_, folders)| folders.len());
        for (name, folders) in clients {
            if let Some((_, (_, target))) = chosen.iter().find(|(real, _)| folders.contains(*real))
            {
                let folder = one_line(&cx.env.shown(&target.folder));
                cx.note(format!("{name} reads {folder}"));
                continue;
            }
            let options = self.only(&name);
            let target = options.target(cx.env)?;
            chosen.insert(resolved_ahead(&target.folder), (options, target));
        }
        Ok(chosen.into_values().collect())
    }

    /// Returns the folders of `--to`.
    fn folders(&self, cx: &mut Ctx) -> Result<Vec<Target>, Failure> {
        let chosen = self.chosen(cx)?;
        Ok(chosen.into_iter().map(|(_, target)| target).collect())
    }

    /// Returns the folders that an update works on. Without `--to` these are the folders of the person and of the current
    /// project in which this program installed skills on this machine. A lock that came with a clone is left alone.
    pub(crate) fn installed(
        &self,
        names: &[String],
        session: &Session,
        cx: &mut Ctx,
    ) -> Result<Vec<Target>, Failure> {
        if !self.is_open() {
            return self.folders(cx);
        }
        let known = session.data().known()?;
        let known: BTreeSet<PathBuf> = known.iter().map(|folder| resolved(folder)).collect();
        let user = self.named(USER, cx.env)?;
        let mut seen = BTreeSet::from([resolved(&user.folder)]);
        // The plan reports a lock that cannot be read.
        let has = |folder: &Path| {
            read_lock(folder, session.data()).map_or(true, |lock| holds(&lock, names))
        };
        let mut chosen = Vec::new();
        if has(&user.folder) {
            chosen.push(user.clone());
        }
        for (tier, folder) in own_places(self, cx.env) {
            if !seen.insert(resolved(&folder)) || !folder.join(LOCK_FILE).exists() {
                continue;
            }
            if !known.contains(&resolved(&folder)) {
                let folder = one_line(&cx.env.shown(&folder));
                cx.note(format!(
                    "left alone: {folder}, where nothing was installed on this machine; --to names it"
                ));
            } else if has(&folder) {
                match Target::of(folder, cx.env) {
                    Ok(mut target) => {
                        target.is_own |= tier == Tier::Person;
                        chosen.push(target);
                    }
                    Err(error) => cx.failure(&error),
                }
            }
        }
        if chosen.is_empty() {
            chosen.push(user);
        }
        Ok(chosen)
    }

    /// Returns the folders from which skills are uninstalled: those of `--to`, else the only folder that has one of the
    /// names, else those that the person chooses.
    pub(crate) fn places_of(&self, names: &[String], cx: &mut Ctx) -> Result<Vec<Target>, Failure> {
        if !self.is_open() {
            return self.folders(cx);
        }
        let mut found = self.places(cx.env);
        found.retain(|(folder, locked)| {
            let is_there = |name: &&String| {
                locked.contains(*name)
                    || SkillName::new(name).is_ok() && folder.join(name).join("SKILL.md").is_file()
            };
            names.iter().any(|name| is_there(&name))
        });
        let target = |folder: &PathBuf| Target::of(folder.clone(), cx.env);
        match found.as_slice() {
            [] => Ok(vec![self.named(USER, cx.env)?]),
            [(one, _)] => Ok(vec![target(one)?]),
            several => {
                let shown: Vec<String> = several
                    .iter()
                    .map(|(folder, _)| one_line(&cx.env.shown(folder)))
                    .collect();
                if !can_ask(cx) {
                    return Err(Failure::failed(
                        format_args!("several folders have it: {}", shown.join(", ")),
                        "name one with --to, or several by repeating it",
                    ));
                }
                for (number, folder) in shown.iter().enumerate() {
                    cx.note(format!("{}  {folder}", number + 1));
                }
                let answer = asked("From which folders? (numbers, or `all`)", cx);
                let numbers: BTreeSet<usize> = answer
                    .split([' ', ','])
                    .filter_map(|number| number.parse().ok())
                    .collect();
                let chosen = several
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| answer.trim() == "all" || numbers.contains(&(at + 1)));
                let chosen = chosen.map(|(_, (folder, _))| target(folder));
                let chosen: Vec<Target> = chosen.collect::<Result<_, _>>()?;
                if chosen.is_empty() {
                    return Err(Failure::not_so(
                        "no folder was chosen",
                        "answer with a number",
                    ));
                }
                Ok(chosen)
            }
        }
    }

    /// Builds the failure of a command over named skills. For a skill in another folder, and for a misspelt name of one, the
    /// help names the folder.
    pub(crate) fn failure(
        &self,
        error: &Error,
        here: &Path,
        names: &[String],
        env: &Environment,
    ) -> Failure {
        if error.kind() != ErrorKind::NotFound {
            return Failure::from(error);
        }
        let here = resolved(here);
        let (own, others): (Vec<_>, Vec<_>) = self
            .places(env)
            .into_iter()
            .partition(|(folder, _)| resolved(folder) == here);
        let is_here = |name: &&String| own.iter().any(|(_, known)| known.contains(*name));
        let Some(missing) = names.iter().find(|name| !is_here(name)) else {
            return Failure::from(error);
        };
        let has = |name: &str| others.iter().find(|(_, known)| known.contains(name));
        if let Some((folder, _)) = has(missing) {
            return Failure::not_so(error, prose!("it is in {}; --to names that folder", folder));
        }
        let known = |all: &[(PathBuf, BTreeSet<String>)]| -> Vec<String> {
            all.iter().flat_map(|(_, known)| known.clone()).collect()
        };
        let (here, there) = (known(&own), known(&others));
        let is_near_here = nearest(missing, here.iter().map(String::as_str)).is_some();
        let near = nearest(missing, there.iter().map(String::as_str)).filter(|_| !is_near_here);
        match near.and_then(|near| Some((near, has(near)?))) {
            Some((near, (folder, _))) => {
                Failure::not_so(error, prose!("Did you mean {near}? It is in {}", folder))
            }
            None => Failure::from(error),
        }
    }

    /// Returns the folders into which skills are installed, with the names in their locks: those of the person and of the
    /// project first. A lock that cannot be read names nothing here.
    fn places(&self, env: &Environment) -> Vec<(PathBuf, BTreeSet<String>)> {
        let user = self.named(USER, env).ok();
        let own = own_places(self, env);
        let known = env.data_folder();
        let known = known.as_ref().and_then(|data| DataFolder::known(data).ok());
        let mut seen = BTreeSet::new();
        user.map(|target| target.folder)
            .into_iter()
            .chain(own.into_iter().map(|(_, folder)| folder))
            .chain(known.into_iter().flatten())
            .filter(|folder| seen.insert(resolved(folder)))
            .map(|folder| {
                let text = read_text(&folder.join(LOCK_FILE)).ok();
                let lock = text.and_then(|text| Lock::parse(&text).ok());
                let names = lock.map(|lock| lock.skills.into_keys().collect());
                (folder, names.unwrap_or_default())
            })
            .collect()
    }
}

/// Returns the existing folders of skills of the person and of the project: those of the clients, and the profile's.
pub(super) fn own_places(options: &TargetOptions, env: &Environment) -> Vec<(Tier, PathBuf)> {
    let project = env.bases().project;
    let machine = env.machine(&project);
    let clients: Vec<Found> = Agent::all()
        .map(|agent| Found::of(agent, PathBuf::new()))
        .collect();
    let of_clients = places(&machine, &clients).into_iter();
    let mut all: Vec<(Tier, PathBuf)> =
        of_clients.map(|place| (place.tier, place.folder)).collect();
    let project = options.named("project", env).ok();
    all.extend(project.map(|target| (Tier::Project, target.folder)));
    all
}

/// Returns whether a lock has one of the names; without names, whether it has any skill.
pub(crate) fn holds(lock: &Lock, names: &[String]) -> bool {
    if names.is_empty() {
        return !lock.skills.is_empty();
    }
    names.iter().any(|name| lock.skills.contains_key(name))
}
