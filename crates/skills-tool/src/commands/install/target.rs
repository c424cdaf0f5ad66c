//! `--to`: the folder of skills that a command works on.

use crate::catalog::find;
use crate::catalog::options::{CatalogOptions, profile_named, profiles};
use crate::commands::install::session::Session;
use crate::environment::Environment;
use crate::input::{asked, can_ask};
use crate::outcome::Failure;
use crate::output::{Ctx, one_line};
use clap::Args;
use skills_clients::client;
use skills_clients::reading::Tier;
use skills_compiler::LOCK_FILE;
use skills_format::disk::{read_text, resolve, resolved, resolved_ahead};
use skills_format::text::distance::nearest;
use skills_format::{SkillName, prose};
use skills_host::files::data::DataFolder;
use skills_host::lock::read_lock;
use skills_host::places::Agent;
use skills_host::{Error, ErrorKind};
use skills_profiles::{Base, Place, PlaceKind, Profile};
use skills_repository::Lock;
use skills_runtime::{Catalog, Skill};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Where skills are installed.
#[derive(Args, Clone, Debug)]
pub(crate) struct TargetOptions {
    /// `user` or `project` (~/.agents/skills and .agents/skills, or those of -p), a client such as `claude-code` (its own folder; the SOURCE
    /// column of `list` has the name), or a folder. Repeatable for `install`, `update` and `uninstall`. `all` is the
    /// smallest set of folders that covers every client on this machine. Without it, `install` uses
    /// `user`; `update`, `uninstall` and `restore` use the folders in which skills were installed
    #[arg(long, value_name = "TO")]
    to: Vec<String>,
    /// The program whose folders `user` and `project` mean; `skills inspect profile` lists the names
    #[arg(short, long, value_name = "NAME", value_parser = profiles(), hide_possible_values = true)]
    profile: Option<&'static Profile>,
}

/// The word for the person's own skills.
pub(crate) const USER: &str = "user";

/// Returns whether all skills of a folder count as installed under a profile.
pub(crate) fn holds_installed(profile: &Profile, folder: &Path, env: &Environment) -> bool {
    let bases = env.bases();
    let mut places = profile
        .folders
        .places
        .iter()
        .filter(|place| place.all_installed);
    places.any(|place| {
        place
            .folder(&bases)
            .is_some_and(|place| folder.starts_with(place))
    })
}

/// A folder of skills.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) folder: PathBuf,
    /// The repository that holds the folder, of a project.
    pub(crate) repository: Option<PathBuf>,
    /// True for a folder of the person's own skills. Every other lock may have come with a clone or an archive.
    pub(crate) is_own: bool,
}

impl Target {
    /// Returns a folder as a target.
    ///
    /// # Errors
    ///
    /// A link leads out of the repository.
    pub(crate) fn of(folder: PathBuf, env: &Environment) -> Result<Self, Failure> {
        // A link above the folder can leave the repository too.
        let real = resolved_ahead(&folder);
        let own = env.own_folders();
        // The person's own folder may be a link, as into a repository of settings.
        if own.contains(&folder) {
            return Ok(Self {
                repository: env.repository(&real),
                folder,
                is_own: true,
            });
        }
        if let Some(root) = env.repository(&folder)
            && !real.starts_with(resolved(&root))
        {
            return Err(Failure::failed(
                prose!("{} is a link that leaves the repository", &folder),
                prose!("to write there, name the folder: --to {}", &real),
            ));
        }
        Ok(Self {
            repository: env.repository(&real),
            is_own: own.iter().any(|own| resolved_ahead(own) == real),
            // What is shown and approved is where the skills go.
            folder: real,
        })
    }
}

impl TargetOptions {
    /// Returns the options for a folder under a profile.
    pub(crate) fn of_words(to: Option<&str>, profile: Option<&'static Profile>) -> Self {
        Self {
            to: to.map(str::to_owned).into_iter().collect(),
            profile,
        }
    }

    /// Returns the folder of these options, or `None` without `--to`.
    pub(crate) fn given(&self, env: &Environment) -> Result<Option<PathBuf>, Failure> {
        let to = self.to.first();
        let target = to.map(|to| self.named(to, env)).transpose()?;
        Ok(target.map(|target| target.folder))
    }

    fn to(&self) -> &str {
        self.to.first().map_or(USER, String::as_str)
    }

    /// Returns the words of `--to`.
    pub(crate) fn words(&self) -> &[String] {
        &self.to
    }

    /// Returns whether neither a folder nor a profile is named: then a command works on all folders of the person and of
    /// the current project in which this program installed skills.
    pub(crate) fn is_open(&self) -> bool {
        self.to.is_empty() && self.profile.is_none()
    }

    /// Returns the options for one of the words.
    pub(crate) fn only(&self, word: &str) -> Self {
        Self {
            to: vec![word.to_owned()],
            profile: self.profile,
        }
    }

    /// Returns whether all skills of a folder count as installed under the profile.
    pub(crate) fn holds_installed(&self, folder: &Path, env: &Environment) -> bool {
        holds_installed(self.catalog().profile(), folder, env)
    }

    /// Returns the options of the catalog that a new skill joins: of the profile, or of the client that is named. `None` for
    /// a client without a profile.
    pub(crate) fn catalog_of_client(&self) -> Option<CatalogOptions> {
        let has_none = client::named(self.to()).is_some_and(|client| !client.profile);
        let profile = self.profile.or_else(|| profile_named(self.to()));
        (profile.is_some() || !has_none).then(|| CatalogOptions::of(profile))
    }

    /// Returns the options of the catalog that contains the skills.
    pub(crate) fn catalog(&self) -> CatalogOptions {
        CatalogOptions::of(self.profile)
    }

    /// Returns the folder of these options.
    pub(crate) fn target(&self, env: &Environment) -> Result<Target, Failure> {
        if let [_, other, ..] = self.to.as_slice() {
            return Err(Failure::failed(
                format_args!("--to {other}: only one folder can be named here"),
                "name one folder with --to",
            ));
        }
        self.named(self.to(), env)
    }

    /// Returns the folder that a word names under these options.
    pub(crate) fn named(&self, to: &str, env: &Environment) -> Result<Target, Failure> {
        Target::of(self.as_named(to, env)?, env)
    }

    /// Returns the folder of these options with the links of its path as they are.
    pub(crate) fn with_links(&self, env: &Environment) -> Result<PathBuf, Failure> {
        self.as_named(self.to(), env)
    }

    fn as_named(&self, to: &str, env: &Environment) -> Result<PathBuf, Failure> {
        let folder = match to {
            USER => self.of_profile(env, &[Base::Home, Base::Config, Base::Data]),
            "project" => self.of_profile(env, &[Base::Project, Base::Root]),
            "all" => {
                return Err(Failure::failed(
                    "--to all: only one folder can be named here",
                    "name one folder",
                ));
            }
            _ => match Agent::named(to)? {
                Some(agent) => env.folder_of_agent(agent),
                None if to.is_empty() => None,
                None => Some(folder_named(to, env)?),
            },
        };
        folder.ok_or_else(|| {
            let profile = &self.catalog().profile().name;
            Failure::failed(
                format_args!("--to {to}: the profile {profile} has no such folder here"),
                "name a folder, or another profile with --profile",
            )
        })
    }

    /// Returns the first folder of the profile with one of these bases.
    fn of_profile(&self, env: &Environment, bases: &[Base]) -> Option<PathBuf> {
        let places = &self.catalog().profile().folders.places;
        let is_it = |place: &&Place| {
            let holds = matches!(place.kind, PlaceKind::Skills(_) | PlaceKind::Untrusted(_));
            holds && bases.contains(&place.base)
        };
        let place = places.iter().find(is_it)?;
        let known = env.bases();
        let base = match place.base {
            // The folder at the root of the project, where every client looks.
            Base::Project | Base::Root => known.project.last().cloned(),
            Base::Home => known.home,
            Base::Config => known.config,
            Base::Data => known.data,
        };
        Some(base?.join(&*place.path))
    }
}

/// Returns the folder of a path. A single word that may be a misspelt agent is an error.
fn folder_named(to: &str, env: &Environment) -> Result<PathBuf, Failure> {
    let folder = without_parents(env.absolute(Path::new(to)));
    match Agent::unknown(to, &folder) {
        Some(error) => Err(Failure::from(&error)),
        None => Ok(folder),
    }
}

/// Removes `..` from a path, so that the beginning of the path shows whether the path is in a repository.
pub(crate) fn without_parents(path: PathBuf) -> PathBuf {
    let mut made = PathBuf::new();
    for part in path.components() {
        if part != Component::ParentDir {
            made.push(part);
            continue;
        }
        let is_missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
        match resolve(&made) {
            // A `..` after a link leads to the folder above the link's target, so the path is resolved on disk.
            Ok(real) => made = real,
            // What is not there is not a link.
            Err(_) if made.symlink_metadata().is_err_and(is_missing) => {}
            Err(_) => return path,
        }
        made.pop();
    }
    made
}

/// The word for the folders of all clients on this machine.
const ALL: &str = "all";

impl TargetOptions {
    /// Returns the folders that the words of `--to` name, each with the options that name it alone.
    pub(crate) fn chosen(&self, cx: &mut Ctx) -> Result<Vec<(Self, Target)>, Failure> {
        let words = self.words();
        if words.len() <= 1 && words.first().is_none_or(|word| word != ALL) {
            return Ok(vec![(self.clone(), self.target(cx.env)?)]);
        }
        let mut chosen = BTreeMap::new();
        for word in words.iter().filter(|word| *word != ALL) {
            let options = self.only(word);
            let target = options.target(cx.env)?;
            chosen.insert(resolved_ahead(&target.folder), (options, target));
        }
        if words.iter().any(|word| word == ALL) {
            self.add_all(&mut chosen, cx)?;
        }
        Ok(chosen.into_values().collect())
    }

    /// Adds the fewest folders with which every client on this machine reads a chosen one.
    fn add_all(
        &self,
        chosen: &mut BTreeMap<PathBuf, (Self, Target)>,
        cx: &mut Ctx,
    ) -> Result<(), Failure> {
        let machine = cx.env.machine(&[]);
        let found = machine.clients().into_iter();
        let found = found.filter(|it| it.is_used && it.agent.client.name != "default");
        let mut clients: Vec<(&str, Vec<PathBuf>)> = found
            .map(|it| {
                let folders = machine.folders(it.agent.folders).into_iter();
                let name = it.agent.client.name.as_str();
                (name, folders.map(|(_, folder)| folder).collect())
            })
            .collect();
        if clients.is_empty() {
            return Err(Failure::failed(
                "--to all: no client keeps its settings on this machine",
                "name a folder, such as --to user, or a client, such as --to claude-code",
            ));
        }
        // A client that reads many folders can share the folder of a client that reads one.
        clients.sort_by_key(|(_, folders)| folders.len());
        for (name, folders) in clients {
            let is_read = |folder: &PathBuf| chosen.contains_key(&resolved_ahead(folder));
            if let (false, Some(first)) = (folders.iter().any(is_read), folders.first()) {
                let target = Target::of(first.clone(), cx.env)?;
                chosen.insert(resolved_ahead(first), (self.only(name), target));
            }
        }
        Ok(())
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
                    "skipped {folder}: nothing was installed there on this machine; name it with --to to include it"
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
        if found.is_empty() {
            let folders = names.iter().filter_map(|name| find::folder(name, cx.env));
            let above = folders.filter_map(|folder| Some(folder.parent()?.to_owned()));
            found.extend(above.map(|folder| (folder, BTreeSet::new())));
            found.dedup();
        }
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
                    let names = one_line(&names.join(", "));
                    return Err(Failure::failed(
                        format_args!("{names} in several folders: {}", shown.join(", ")),
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

    /// Builds the failure of a command over named skills. For a skill in another folder, the help names the folder.
    pub(crate) fn failure(
        error: &Error,
        here: &Path,
        names: &[String],
        env: &Environment,
    ) -> Failure {
        if error.kind() != ErrorKind::NotFound {
            return Failure::from(error);
        }
        let here = resolved(here);
        let loaded = CatalogOptions::default().load_untrusted(env);
        let known = loaded.iter().flat_map(|loaded| loaded.catalog.iter());
        let known: Vec<Skill<'_>> = known.collect();
        let help = names.iter().find_map(|name| {
            let exact = find::folder(name, env);
            let near = nearest(name, known.iter().map(Skill::name)).filter(|_| exact.is_none());
            let folder = exact.or_else(|| find::folder(near?, env))?;
            let place = folder.parent().filter(|place| resolved(place) != here)?;
            Some(match near {
                None => prose!(
                    "it is in {}: name it with --to, if `skills` installed it",
                    place
                ),
                Some(near) => prose!("Did you mean {near}? It is in {}", place),
            })
        });
        help.map_or_else(|| Failure::from(error), |help| Failure::not_so(error, help))
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

/// Returns the folders, each with those of the names that its lock has, or that are folders in it if `counts_folders`. A
/// name that no folder has stays with the first one, whose error names it.
pub(super) fn with_names(
    targets: Vec<Target>,
    names: &[String],
    counts_folders: bool,
    session: &Session,
    env: &Environment,
) -> Vec<(Target, Vec<String>)> {
    let is_whole = targets.len() == 1 || names.is_empty();
    let mut unknown: BTreeSet<&String> = names.iter().collect();
    let mut folders = Vec::new();
    for target in targets {
        // The plan reports a lock that cannot be read.
        let lock = read_lock(&target.folder, session.data()).ok();
        let is_locked = |name: &str| {
            let lock = lock.as_ref();
            lock.is_none_or(|lock| lock.skills.contains_key(name))
        };
        let mut own = Vec::new();
        for name in names {
            let known = if is_locked(name) {
                name.clone()
            } else {
                folder_name(name, &target.folder, env)
            };
            let is_folder =
                || SkillName::new(&known).is_ok() && target.folder.join(&known).is_dir();
            if is_whole || is_locked(&known) || counts_folders && is_folder() {
                unknown.remove(name);
                own.push(known);
            }
        }
        folders.push((target, own));
    }
    if let Some((_, own)) = folders.first_mut() {
        own.extend(unknown.into_iter().cloned());
    }
    folders.retain(|(_, own)| is_whole || !own.is_empty());
    folders
}

/// Returns the name of the folder in `target` that holds the skill which a word names. A word that names none stays.
pub(super) fn folder_name(word: &str, target: &Path, env: &Environment) -> String {
    let is_folder = SkillName::new(word).is_ok() && target.join(word).symlink_metadata().is_ok();
    let by_name = || {
        let catalog = Catalog::builder().directory("folder", target).load();
        let found = catalog.iter().find(|skill| skill.name() == word)?;
        found.folder().map(Path::to_owned)
    };
    let is_in = |folder: &PathBuf| folder.parent().map(resolved) == Some(resolved(target));
    let found = (!is_folder).then(|| by_name().or_else(|| find::folder(word, env).filter(is_in)));
    let found = found.flatten();
    let name = found.as_deref().and_then(Path::file_name);
    name.map_or(word.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Returns the existing folders of skills of the person and of the project: those of the clients, and the profile's.
pub(super) fn own_places(options: &TargetOptions, env: &Environment) -> Vec<(Tier, PathBuf)> {
    let project = env.bases().project;
    let machine = env.machine(&project);
    let mut all: Vec<(Tier, PathBuf)> = Agent::all()
        .flat_map(|agent| machine.folders(agent.folders))
        .filter(|(_, folder)| folder.is_dir())
        .collect();
    // The folders of the person first. Of the names of one folder, the one that is not a link.
    all.sort_by_key(|(tier, folder)| (*tier == Tier::Project, folder.is_symlink()));
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
