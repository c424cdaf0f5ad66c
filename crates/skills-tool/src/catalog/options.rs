//! The options that choose the skills of a command: the default folders or named folders.

// `--layer` replaces all default folders, but not the bundle. The program also works without a home
// folder or a working folder.

use crate::catalog::faults;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::{Ctx, FormatOption};
use clap::Args;
use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use skills_clients::client;
use skills_clients::listing::Listing;
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, RuleId, Severity, SkillName, prose};
use skills_permit::Powers;
use skills_profiles::{Base, Layout, Place, PlaceKind, Plugins, Profile};
use skills_runtime::Catalog;
use skills_runtime::source::TrustRecord;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The options that say which skills a command works with.
///
/// The profile chooses the folders. Without a profile they are, from the highest rank to the lowest:
///
/// 1. source `project`: `.agents/skills` and the folders of the clients on this machine, in the working folder and in the
///    folders above it up to the root of the repository. `skills` lists these, and starts them only after `skills trust`.
/// 2. source `user`: `~/.agents/skills`.
/// 3. each plugin: `~/.agents/plugins/PLUGIN/skills`.
/// 4. each client on this machine, such as `claude-code`: `~/.claude/skills`.
/// 5. with `--layer bundled`, source `bundled`: the skills in the program.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Catalog options")]
pub struct CatalogOptions {
    /// Use the skills of DIR as the source NAME, instead of the default folders; `bundled` adds the skills of this
    /// program. Repeatable, in order of precedence; a repeated NAME adds a folder to that source
    #[arg(long = "layer", value_name = "NAME=DIR", value_parser = OsStringValueParser::new().try_map(|text| Layer::parse(&text)))]
    layers: Vec<Layer>,
    /// The program to behave as, such as claude-code or codex: how skills are named, read and stored; `skills
    /// inspect profile` shows all profiles
    #[arg(short, long, value_name = "NAME", value_parser = profiles(), hide_possible_values = true)]
    profile: Option<&'static Profile>,
}

/// A source named by `--layer`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Layer {
    /// The skills of this program.
    Bundled,
    Folder(SkillName, PathBuf),
}

/// The name of the source for bundled skills.
const BUNDLED: &str = "bundled";

/// A catalog, and what its load and the files of the person's decisions gave to report, sorted.
pub struct Loaded {
    pub catalog: Catalog,
    pub diagnostics: Vec<Diagnostic>,
}

impl Layer {
    fn parse(text: &OsStr) -> Result<Self, String> {
        if text == BUNDLED {
            return Ok(Self::Bundled);
        }
        let (name, folder) =
            split(text).ok_or("write NAME=DIR, such as user=skills, or `bundled`")?;
        let name = SkillName::new(&name).map_err(|error| {
            format!("`{name}` is not a name of a source: {error}; write a name such as `user`")
        })?;
        if name.as_str() == BUNDLED {
            return Err(format!(
                "`{BUNDLED}` is the name of the source in the program; write another name"
            ));
        }
        if folder.as_os_str().is_empty() {
            return Err(format!("no folder is named; write {name}=DIR"));
        }
        Ok(Self::Folder(name, folder))
    }
}

/// Parses the name of a profile, or of its client.
pub(crate) fn profiles() -> impl TypedValueParser<Value = &'static Profile> {
    names_of(Profile::all().iter().map(|profile| profile.name))
        .try_map(|name| profile_named(&name).ok_or("unknown profile"))
}

/// Finds a profile. Further names of a client count.
pub(crate) fn profile_named(name: &str) -> Option<&'static Profile> {
    Profile::named(client::named(name).map_or(name, |client| &client.name))
}

/// Splits `NAME=DIR` at the first `=`. On Unix DIR can hold any bytes; elsewhere DIR must be valid
/// Unicode.
fn split(text: &OsStr) -> Option<(String, PathBuf)> {
    let bytes = text.as_encoded_bytes();
    let at = bytes.iter().position(|&b| b == b'=')?;
    let name = std::str::from_utf8(bytes.get(..at)?).ok()?;
    #[cfg(unix)]
    let folder: &OsStr = std::os::unix::ffi::OsStrExt::from_bytes(bytes.get(at + 1..)?);
    #[cfg(not(unix))]
    let folder = OsStr::new(text.to_str()?.get(at + 1..)?);
    Some((name.to_owned(), PathBuf::from(folder)))
}

impl CatalogOptions {
    /// Builds the options of a command that takes only a profile.
    pub(crate) fn of(profile: Option<&'static Profile>) -> Self {
        Self {
            profile,
            ..Self::default()
        }
    }

    /// Adds the skills of this program.
    pub(crate) fn with_bundled(mut self) -> Self {
        self.layers.push(Layer::Bundled);
        self
    }

    #[cfg(feature = "agent")]
    pub(crate) fn has_bundled(&self) -> bool {
        self.layers.contains(&Layer::Bundled)
    }

    /// Returns whether any option is given.
    pub(crate) fn is_given(&self) -> bool {
        self.profile.is_some() || !self.layers.is_empty()
    }

    /// Returns the named folders.
    fn folders(&self) -> impl Iterator<Item = (&SkillName, &Path)> {
        self.layers.iter().filter_map(|layer| match layer {
            Layer::Bundled => None,
            Layer::Folder(name, folder) => Some((name, folder.as_path())),
        })
    }

    /// Returns the folder of the `--layer` with the highest rank.
    #[cfg(feature = "agent")]
    pub(crate) fn first_layer(&self) -> Option<&Path> {
        Some(self.folders().next()?.1)
    }

    /// Returns the profile: how skills are named, read and kept.
    pub fn profile(&self) -> &'static Profile {
        self.profile.unwrap_or(&Profile::all()[0])
    }

    /// Loads the catalog, and reports its diagnostics on standard error. `named` are the ids in the command's
    /// arguments.
    pub(crate) fn catalog(&self, named: &[&str], cx: &mut Ctx) -> Result<Catalog, Failure> {
        let loaded = self.load(cx.env)?;
        self.report(&loaded, named, cx);
        Ok(loaded.catalog)
    }

    /// Reports the diagnostics of a loaded catalog on standard error. `named` are the ids in the command's
    /// arguments.
    pub(crate) fn report(&self, loaded: &Loaded, named: &[&str], cx: &mut Ctx) {
        let each = self.profile().folders.strict;
        faults::report(&loaded.diagnostics, named, each, cx);
    }

    /// Loads the catalog.
    ///
    /// # Errors
    ///
    /// [`Failure::Failed`] when a folder of `--layer` does not exist, or the file of the disabled
    /// skills or of the trusted skills cannot be read.
    ///
    /// # Cost
    ///
    /// Reads the folders of skills and both files.
    pub fn load(&self, env: &Environment) -> Result<Loaded, Failure> {
        self.load_as(self.profile().plugins, env)
    }

    /// Returns whether the profile has a folder that requires trust. Folders of `--layer` never require trust.
    pub(crate) fn asks_for_trust(&self) -> bool {
        let asks = |place: &Place| matches!(place.kind, PlaceKind::Untrusted(_));
        self.folders().next().is_none() && self.profile().folders.places.iter().any(asks)
    }

    /// Does the same as [`CatalogOptions::load`] with other ids of plugins' skills than the profile's.
    ///
    /// # Errors
    ///
    /// As [`CatalogOptions::load`].
    pub fn load_as(&self, plugins: Plugins, env: &Environment) -> Result<Loaded, Failure> {
        let mut diagnostics = Vec::new();
        let trusted = self.trusted(env, &mut diagnostics)?;
        self.load_trusting(plugins, trusted, diagnostics, env)
    }

    /// Loads the catalog without trust records: every skill of a project is untrusted, and its files are
    /// readable.
    pub(crate) fn load_untrusted(&self, env: &Environment) -> Result<Loaded, Failure> {
        let plugins = self.profile().plugins;
        self.load_trusting(plugins, Vec::new(), Vec::new(), env)
    }

    /// Returns the folders of skills: those of the profile, or without a profile also those of every client on this
    /// machine.
    fn layout(&self, env: &Environment) -> Layout {
        let layout = self.profile().folders.clone();
        if self.profile.is_some() {
            return layout;
        }
        let project = env.bases().project;
        let clients = env.machine(&project).clients();
        let mut places = layout.places;
        for found in &clients {
            let (client, folders) = (found.agent.client, found.agent.folders);
            for path in folders.in_project() {
                let kind = PlaceKind::Untrusted("project".into());
                add(&mut places, Base::Project, path, kind);
            }
            for path in &folders.person {
                let kind = PlaceKind::Skills(client.name.clone().into());
                add(&mut places, Base::Home, path, kind);
            }
        }
        Layout { places, ..layout }
    }

    /// Returns the folders whose skills approve calls without a trust record.
    fn folders_of_person(&self, env: &Environment) -> Vec<PathBuf> {
        let named: Vec<PathBuf> = self
            .folders()
            .map(|(_, folder)| env.absolute(folder))
            .collect();
        if named.is_empty() {
            return self.layout(env).folders_of_person(&env.bases());
        }
        named
    }

    fn load_trusting(
        &self,
        plugins: Plugins,
        trusted: Vec<TrustRecord>,
        mut diagnostics: Vec<Diagnostic>,
        env: &Environment,
    ) -> Result<Loaded, Failure> {
        let disabled = env.disabled(&mut diagnostics)?;
        let mut builder = Environment::facts(disabled.set(Catalog::builder()).trusted(trusted));
        if self.folders().next().is_none() {
            builder = self.layout(env).add_to(builder, &env.bases(), plugins);
        } else if let Some(home) = &env.home {
            builder = builder.home(home);
        }
        for (name, folder) in self.folders() {
            let written = folder.shown();
            let folder = env.absolute(folder);
            if !folder.is_dir() {
                return Err(Failure::failed(
                    format_args!("--layer {name}={written}: there is no such folder"),
                    "name a folder that contains skills, each in a folder of its own",
                ));
            }
            builder = builder.directory(name.as_str(), folder);
        }
        let folders = self.folders_of_person(env);
        let locked = folders
            .iter()
            .flat_map(|folder| powers(folder, &mut diagnostics));
        builder = skills_session::powers::locked(builder, locked.collect::<Vec<_>>());
        if self.layers.contains(&Layer::Bundled) {
            builder = builder.bundle(BUNDLED, &bundled_skills::SKILLS);
        }
        let catalog = builder.load();
        diagnostics.extend_from_slice(catalog.diagnostics());
        diagnostics.extend(skills_session::powers::findings(&catalog));
        Diagnostic::sort(&mut diagnostics);
        Ok(Loaded {
            catalog,
            diagnostics,
        })
    }
}

/// Adds a folder of a client behind the folders of its source, unless the folder is there already.
fn add(places: &mut Vec<Place>, base: Base, path: &str, kind: PlaceKind) {
    let is_there =
        |place: &Place| &*place.path == path && (place.base == base || base == Base::Project);
    let (None, Some(first)) = (places.iter().find(|place| is_there(place)), places.first()) else {
        return;
    };
    let mut place = first.clone();
    (place.base, place.path, place.kind) = (base, path.to_owned().into(), kind);
    let last = places.iter().rposition(|other| other.kind == place.kind);
    places.insert(last.map_or(places.len(), |last| last + 1), place);
}

/// `--format`, and the options that choose the catalog.
#[derive(Args, Debug)]
pub(crate) struct CatalogArguments {
    #[command(flatten)]
    pub(crate) format: FormatOption,
    #[command(flatten)]
    pub(crate) options: CatalogOptions,
}

impl CatalogArguments {
    /// Loads the catalog, and reports its diagnostics on standard error. `named` are the ids in the command's
    /// arguments: the diagnostics of these skills are reported in full. Returns the profile too.
    pub(crate) fn open(
        &self,
        named: &[&str],
        cx: &mut Ctx,
    ) -> Result<(Catalog, &'static Profile), Failure> {
        let catalog = self.options.catalog(named, cx)?;
        Ok((catalog, self.options.profile()))
    }
}

/// Returns the powers of the installed skills, by folder. A lock that cannot be read holds every skill of the folder to
/// no power: otherwise whoever damages the lock would free the skills of it.
fn powers(folder: &Path, diagnostics: &mut Vec<Diagnostic>) -> Vec<(PathBuf, Powers)> {
    match skills_host::lock::held(folder) {
        Ok(held) => held,
        Err(error) => {
            diagnostics.push(
                Diagnostic::new(
                    RuleId::LockStale,
                    Severity::Error,
                    folder.shown(),
                    prose!(
                        "{}: `allowed-tools` of the skills in this folder approves nothing",
                        &error
                    ),
                )
                .help("put the file back, or install the skills again"),
            );
            vec![(folder.to_owned(), Powers::default())]
        }
    }
}

/// `--client` and `--context`.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ClientOptions {
    /// Take the list as this client shows it; `default` is the specification
    #[arg(long, value_name = "NAME", value_parser = listed())]
    pub(crate) client: Option<&'static Listing>,
    /// The context size of the client's model in tokens, such as 200k or 1m
    #[arg(long, value_name = "TOKENS", requires = "client", value_parser = tokens)]
    pub(crate) context: Option<u64>,
}

/// Returns the parser of a name: names complete in a shell, and an error names a near one. Further names of a client
/// count.
pub(crate) fn names_of(
    names: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(names.into_iter().map(|name| {
        let further = client::named(name).map_or(&[][..], |client| &*client.names);
        PossibleValue::new(name).aliases(further.iter().map(String::as_str))
    }))
}

/// Parses the name of a client whose list is known.
fn listed() -> impl TypedValueParser<Value = &'static Listing> {
    let names = client::listings().map(|listing| &*listing.name);
    names_of(names).try_map(|name| {
        let client = client::named(&name);
        client
            .and_then(|it| it.listing.as_ref())
            .ok_or("unknown client")
    })
}

/// Parses a positive number of tokens: `200000`, `200k`, `1m`.
pub(crate) fn tokens(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let (digits, times) = match (lower.strip_suffix('k'), lower.strip_suffix('m')) {
        (Some(thousands), _) => (thousands, 1_000),
        (_, Some(millions)) => (millions, 1_000_000),
        _ => (lower.as_str(), 1),
    };
    let number: Option<u64> = digits.parse().ok().filter(|number| *number > 0);
    let tokens = number.and_then(|number| number.checked_mul(times));
    tokens.ok_or_else(|| "write a number of tokens, such as 200000, 200k or 1m".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_read() {
        let name = SkillName::new("user").expect("a name");
        let user = Layer::Folder(name, "a=b".into());
        assert_eq!(Layer::parse("user=a=b".as_ref()), Ok(user));
        assert_eq!(Layer::parse("bundled".as_ref()), Ok(Layer::Bundled));
        for text in ["", "user", "user=", "=a", "My Skills=a", "bundled=a"] {
            assert!(Layer::parse(text.as_ref()).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_of_tokens() {
        assert_eq!(tokens("200k"), Ok(200_000));
        assert_eq!(tokens("1M"), Ok(1_000_000));
        assert_eq!(tokens("7"), Ok(7));
        for text in ["", "0", "k", "1kk", "-1", "1.5k", "18446744073709551615m"] {
            assert!(tokens(text).is_err(), "{text}");
        }
    }

    /// A profile gives `allowed-tools` the meaning that the sources of the table state.
    #[test]
    fn the_profiles_mean_what_the_table_says() {
        use skills_clients::client::Meaning;
        use skills_profiles::Profile;
        use skills_session::options::AllowedTools;

        let mut compared = 0;
        for profile in Profile::all() {
            let client = client::named(profile.name).expect("a client");
            let Some(tools) = &client.allowed_tools else {
                continue;
            };
            let meaning = match tools.meaning {
                Meaning::Approves => AllowedTools::Approves,
                Meaning::Narrows => AllowedTools::Narrows,
                _ => AllowedTools::Ignored,
            };
            assert_eq!(profile.options.allowed_tools, meaning, "{}", profile.name);
            compared += 1;
        }
        assert!(compared >= 9, "{compared}");
    }

    /// Help, completion, errors and the commands name the same clients.
    #[test]
    fn one_list_of_names() {
        use crate::commands::Arguments;
        use clap::{CommandFactory as _, Parser as _};
        use skills_host::places::Agent;
        use skills_profiles::Profile;

        let mut command = Arguments::command();
        // Deferred arguments are defined when their command is built.
        command.build();
        let values = |of: &str| {
            let command = command.find_subcommand(of).expect(of);
            let mut arguments = command.get_arguments();
            let client = arguments.find(|arg| arg.get_id() == "client").expect(of);
            let values = client.get_possible_values();
            values
                .iter()
                .map(|it| it.get_name().to_owned())
                .collect::<Vec<_>>()
        };
        let listed: Vec<&str> = client::listings().map(|listing| &*listing.name).collect();
        for of in ["prompt", "test"] {
            assert_eq!(values(of), listed, "{of}");
        }
        assert!(
            values("check")
                .iter()
                .all(|name| name == "all" || client::named(name).is_some())
        );
        let profiles: Vec<&str> = Profile::all().iter().map(|profile| profile.name).collect();
        let is_profile = |name| Arguments::try_parse_from(["skills", "list", "-p", name]).is_ok();
        let is_listed =
            |name| Arguments::try_parse_from(["skills", "prompt", "--client", name]).is_ok();
        for client in client::all() {
            let name = &*client.name;
            assert_eq!(client.profile, profiles.contains(&name), "{name}");
            assert_eq!(is_profile(name), client.profile, "{name}");
            assert_eq!(is_listed(name), listed.contains(&name), "{name}");
            assert_eq!(
                Agent::named(name).is_ok(),
                client.folders.is_some(),
                "{name}"
            );
            for further in &client.names {
                assert_eq!(is_profile(further), client.profile, "{further}");
                assert_eq!(is_listed(further), client.listing.is_some(), "{further}");
            }
        }
        assert!(profiles.iter().all(|name| client::named(name).is_some()));
        let error = Arguments::try_parse_from(["skills", "list", "-p", "claude-cod"]);
        let error = error.expect_err("a misspelt name").to_string();
        assert!(error.contains("'claude-code'"), "{error}");
    }
}
