//! The folders of this process. Only this file reads the environment.

#![expect(
    clippy::disallowed_methods,
    reason = "the only file that reads the environment"
)]

use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use jiff::Timestamp;
use skills_format::disk::{resolved, resolved_ahead};
use skills_format::text::path::PathText as _;
use skills_host::files::clock::Clock;
use skills_host::files::data::DataFolder;
use skills_host::places::{Agent, Found, Machine};
use skills_profiles::{Bases, Profile};
use skills_runtime::CatalogBuilder;
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

/// The folders of the program. Each folder can be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// The working folder, absolute.
    pub working_folder: Option<PathBuf>,
    /// The person's home folder, absolute.
    pub home: Option<PathBuf>,
    /// The folder of the person's settings, absolute.
    pub config: Option<PathBuf>,
    /// The folder of the person's data, absolute.
    pub data: Option<PathBuf>,
}

impl Environment {
    /// Returns the folders of the person's own skills, under every profile and of every agent.
    pub(crate) fn own_folders(&self) -> Vec<PathBuf> {
        let bases = self.bases();
        let profiles = Profile::all().iter();
        let places = profiles.flat_map(|profile| profile.folders.folders_of_person(&bases));
        let machine = self.machine(&[]);
        let agents = Agent::all().flat_map(|agent| machine.folders(agent.folders));
        places.chain(agents.map(|(_, folder)| folder)).collect()
    }

    /// Returns the folder of the person's skills that is an agent's own, as `list` shows its skills.
    pub(crate) fn folder_of_agent(&self, agent: Agent) -> Option<PathBuf> {
        let variable = agent.folders.variable.as_deref().and_then(Self::folder_of);
        let home = self.home.as_deref()?;
        agent.folders.own(home, variable.as_deref())
    }

    /// Reads the folders from the operating system.
    pub fn of_process() -> Self {
        let folders = choose_native_strategy().ok();
        let data = folders.as_ref().map(BaseStrategy::data_dir);
        Self {
            working_folder: std::env::current_dir().ok(),
            home: std::env::home_dir().filter(|home| home.is_absolute()),
            config: match std::env::consts::OS {
                // `config_dir` is for settings written through a framework of Apple, which this program does
                // not use.
                "macos" => data.clone(),
                _ => folders.as_ref().map(BaseStrategy::config_dir),
            },
            data,
        }
    }

    /// Returns the folders that a layout is relative to.
    pub(crate) fn bases(&self) -> Bases {
        let project = self.working_folder.as_deref();
        Bases {
            project: project.map(Bases::project_of).unwrap_or_default(),
            home: self.home.clone(),
            config: self.config.clone(),
            data: self.data.clone(),
        }
    }

    /// Returns the folder of this program's data. Writes nothing.
    pub(crate) fn data_folder(&self) -> Option<DataFolder> {
        let data = self.data.as_ref()?;
        Some(DataFolder::new(data.join("skills")))
    }

    /// Returns the folders by which clients are found. `project` is the project of [`Environment::bases`].
    pub(crate) fn machine<'m>(&'m self, project: &'m [PathBuf]) -> Machine<'m> {
        Machine {
            home: self.home.as_deref(),
            project,
            variable: Self::folder_of,
        }
    }

    /// Returns the titles of the clients on this machine that read one of the folders. `None` if no client was found.
    pub(crate) fn readers(&self, folders: impl IntoIterator<Item = PathBuf>) -> Option<String> {
        let folders: Vec<PathBuf> = folders.into_iter().map(|it| resolved_ahead(&it)).collect();
        let mut project = self.bases().project;
        project.extend(folders.iter().filter_map(|folder| self.repository(folder)));
        let machine = self.machine(&project);
        let mut found = machine.clients();
        found.retain(|it| it.agent.client.name != "default");
        let is_read = |(_, it): (_, PathBuf)| folders.contains(&resolved_ahead(&it));
        let reads = |it: &&Found| machine.folders(it.agent.folders).into_iter().any(is_read);
        let readers = found.iter().filter(reads).map(|it| &*it.agent.client.title);
        (!found.is_empty()).then(|| readers.collect::<Vec<_>>().join(", "))
    }

    /// Returns the root of the nearest repository above a folder. The working folder does not count: the folder can
    /// be named from anywhere. A repository that holds the home folder is the person's own, and not a project's.
    pub(crate) fn repository(&self, folder: &Path) -> Option<PathBuf> {
        let is_root = |above: &&Path| above.join(".git").symlink_metadata().is_ok();
        let root = folder.ancestors().find(is_root)?;
        let home = self.home.as_deref().map(resolved);
        let holds_home = home.is_some_and(|home| home.starts_with(resolved(root)));
        (!holds_home).then(|| root.to_owned())
    }

    /// Returns the folder that a variable names, if its path is absolute.
    pub(crate) fn folder_of(variable: &str) -> Option<PathBuf> {
        let folder = PathBuf::from(std::env::var_os(variable)?);
        folder.is_absolute().then_some(folder)
    }

    /// Gives a catalog the needs of skills that this machine meets: programs on the path, variables that are set.
    pub(crate) fn facts(builder: CatalogBuilder) -> CatalogBuilder {
        let path = Self::search_path();
        builder.facts(std::env::consts::OS, move |name| is_in(&path, name), is_set)
    }

    /// Returns whether a person is at a terminal with cursor control.
    pub(crate) fn has_terminal() -> bool {
        let is_dumb =
            std::env::var_os("TERM").is_some_and(|term| term.is_empty() || term == "dumb");
        io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
    }

    /// Returns the program `cargo`: the cargo that started `cargo skills`, or the first on the search path.
    pub(crate) fn cargo() -> OsString {
        std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
    }

    /// Returns whether `FORCE_COLOR` asks for colour without a terminal. `NO_COLOR` takes precedence. anstream
    /// reads the other variables.
    pub(crate) fn forces_colour() -> bool {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let forced = std::env::var_os("FORCE_COLOR")
            .is_some_and(|value| !["", "0", "false"].iter().any(|no| value == *no));
        forced && !is_set("NO_COLOR")
    }

    /// Returns whether the runner of GitHub Actions, or a compatible runner, reads the output.
    pub(crate) fn is_workflow() -> bool {
        std::env::var_os("GITHUB_ACTIONS")
            .is_some_and(|value| !value.is_empty() && value != "false")
    }

    /// Returns the date, the time of day and the offset of the machine's zone, for the lines of a log.
    #[cfg(feature = "agent")]
    pub(crate) fn time_and_zone() -> String {
        let now = Timestamp::now().to_zoned(jiff::tz::TimeZone::system());
        now.strftime("%Y-%m-%d %H:%M:%S %:z").to_string()
    }

    /// Returns the minute in which a page is made, in UTC. The variable `SOURCE_DATE_EPOCH` replaces the clock, so that
    /// two builds of a site have the same bytes.
    pub(crate) fn moment() -> String {
        let epoch = std::env::var("SOURCE_DATE_EPOCH").ok();
        let epoch =
            epoch.and_then(|seconds| Timestamp::from_second(seconds.trim().parse().ok()?).ok());
        let moment = epoch.unwrap_or_else(Timestamp::now);
        moment.strftime("%Y-%m-%d %H:%M UTC").to_string()
    }

    /// Returns whether a program is on the search path.
    pub(crate) fn has_program(name: &str) -> bool {
        is_in(&Self::search_path(), name)
    }

    /// Returns the folders of the search path.
    fn search_path() -> Vec<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).collect()
    }

    /// Returns the command of the person's pager; without `PAGER`, `less` if it is there.
    pub(crate) fn pager() -> Option<String> {
        let named = std::env::var("PAGER").ok();
        named
            .filter(|command| !command.trim().is_empty())
            .or_else(|| {
                // `-F` ends at once for a short text, `-R` shows colours, `-X` leaves the text on the screen.
                Self::has_program("less").then(|| "less -FRX".to_owned())
            })
    }

    /// Returns the name of the machine's time zone, or `None` if the machine does not report the name.
    #[cfg(feature = "agent")]
    pub(crate) fn time_zone() -> Option<String> {
        let zone = jiff::tz::TimeZone::try_system().ok()?;
        zone.iana_name().map(str::to_owned)
    }

    /// Makes a path absolute, without `.` inside. A relative path starts at the working folder.
    pub(crate) fn absolute(&self, path: &Path) -> PathBuf {
        match &self.working_folder {
            Some(folder) => folder.join(path).components().collect(),
            None => path.to_owned(),
        }
    }

    /// Replaces a leading `~/` by the home folder, in a path that no shell has expanded.
    pub(crate) fn expanded<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match (text.strip_prefix("~/"), &self.home) {
            (Some(below), Some(home)) => home.join(below).to_string_lossy().into_owned().into(),
            _ => text.into(),
        }
    }

    /// Formats a path for a document: relative below the working folder, absolute elsewhere.
    pub(crate) fn documented(&self, path: &Path) -> String {
        let folder = self.working_folder.as_deref();
        let below = folder
            .and_then(|folder| path.strip_prefix(folder).ok())
            .filter(|below| !below.as_os_str().is_empty());
        below.unwrap_or(path).shown().into_owned()
    }

    /// Formats a path for a person: relative to the working folder, or with `~` for the home folder.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let below = |folder: &Option<PathBuf>| {
            let rest = path.strip_prefix(folder.as_ref()?).ok()?;
            (!rest.as_os_str().is_empty()).then(|| rest.to_owned())
        };
        below(&self.working_folder)
            .or_else(|| Some(Path::new("~").join(below(&self.home)?)))
            .unwrap_or_else(|| path.to_owned())
            .shown()
            .to_string()
    }
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// Returns whether a program is in one of the folders.
fn is_in(path: &[PathBuf], name: &str) -> bool {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    path.iter().any(|folder| folder.join(&file).is_file())
}

/// Returns whether a variable is set to more than white space. A name that no variable can have is never
/// set.
fn is_set(name: &str) -> bool {
    let is_possible = !name.is_empty() && !name.contains(['=', '\0']);
    let value = is_possible.then(|| std::env::var_os(name)).flatten();
    value.is_some_and(|value| !value.to_string_lossy().trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_can_be_missing() {
        let nowhere = Environment::default();
        assert_eq!(nowhere.bases(), Bases::default());
        assert_eq!(nowhere.shown(Path::new("/a")), "/a");
    }

    #[test]
    #[cfg_attr(windows, ignore = "with the separators of Unix")]
    fn paths_are_short_for_a_person() {
        let home = Environment {
            working_folder: Some("/home/p".into()),
            home: Some("/home/p".into()),
            ..Environment::default()
        };
        assert_eq!(home.bases().project, [Path::new("/home/p")]);
        assert_eq!(home.shown(Path::new("/home/p/x")), "x");
        let elsewhere = Environment {
            working_folder: Some("/home/p/work".into()),
            ..home
        };
        assert_eq!(elsewhere.shown(Path::new("/home/p/x")), "~/x");
        assert_eq!(elsewhere.documented(Path::new("/home/p/x")), "/home/p/x");
        assert_eq!(elsewhere.documented(Path::new("/home/p/work/x")), "x");
        assert_eq!(elsewhere.shown(Path::new("/home/p/work/x")), "x");
        assert_eq!(
            elsewhere.absolute(Path::new("../x")),
            Path::new("/home/p/work/../x")
        );
        let inside = elsewhere.absolute(Path::new("./x/."));
        assert_eq!(inside.as_os_str(), "/home/p/work/x");
    }
}
