//! The options that choose a client, and the size of its model's context.

use crate::catalog::find::near_client;
use crate::catalog::slashes::written;
use crate::environment::Environment;
use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use skills_clients::client;
use skills_clients::listing::{Cut, Listed, Listing};
use skills_clients::reading::ReadSkill;
use skills_format::text::path::PathText;
use skills_repository::triggers::LoadedSkill;
use skills_runtime::Catalog;
use skills_runtime::catalog::Plugins;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// `--client` and `--context`.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ClientOptions {
    /// As a client lists the skills
    #[arg(long, value_name = "NAME", value_parser = LISTED)]
    pub(crate) client: Option<&'static Listing>,
    /// The context size of the client's model in tokens, such as 200k or 1m
    #[arg(long, value_name = "TOKENS", requires = "client", value_parser = tokens)]
    pub(crate) context: Option<u64>,
}

/// A skill offered to a model.
#[derive(Clone)]
pub(crate) struct Offered {
    pub(crate) id: String,
    description: String,
    when_to_use: String,
    location: String,
    /// The folder of skills with which the location begins; empty if not known.
    root: String,
    has_file: bool,
}

impl From<LoadedSkill> for Offered {
    fn from(skill: LoadedSkill) -> Self {
        Self {
            id: skill.name,
            description: skill.description,
            when_to_use: skill.when_to_use,
            location: skill.location,
            root: String::new(),
            has_file: true,
        }
    }
}

impl Offered {
    /// Returns the skills that a model may start.
    pub(crate) fn all(catalog: &Catalog, plugins: Plugins) -> Vec<Self> {
        let places = catalog.places();
        let skills = catalog.for_model(plugins).map(|(id, entry)| Self {
            // A bundled skill has no file. A client's list can show the location, so the path is what an install
            // would make.
            location: places
                .file(&entry)
                .unwrap_or_else(|| format!("{}/SKILL.md", entry.name())),
            root: String::new(),
            has_file: places.file(&entry).is_some(),
            id: id.into_owned(),
            description: entry.description().to_owned(),
            when_to_use: entry
                .fields()
                .when_to_use
                .as_deref()
                .unwrap_or_default()
                .to_owned(),
        });
        skills.collect()
    }

    /// Writes the path as clients do that name no home folder, and finds the folder of skills in it.
    fn absolute(mut self, env: &Environment) -> Self {
        let path = env.absolute(Path::new(&*env.expanded(&self.location)));
        let root = path.parent().and_then(Path::parent);
        // A bundled skill has no file, and so no folder of skills.
        if let Some(root) = root.filter(|_| self.has_file && self.root.is_empty()) {
            self.root = written(root);
            self.location = written(&path);
        }
        self
    }

    /// Returns a skill that a client reads in a folder.
    pub(crate) fn read(skill: ReadSkill, root: &str) -> Self {
        Self {
            id: skill.name,
            description: skill.description,
            when_to_use: skill.when_to_use,
            location: format!("{root}/{}", skill.path),
            root: root.to_owned(),
            has_file: true,
        }
    }

    /// Returns the folder of the skill's file.
    pub(crate) fn folder(&self) -> PathBuf {
        let file = Path::new(&self.location);
        file.parent().unwrap_or(file).to_owned()
    }

    /// Returns the description and `when_to_use`, joined by a space.
    pub(crate) fn whole(&self) -> String {
        format!("{} {}", self.description, self.when_to_use)
    }

    fn listed(&self) -> Listed<'_> {
        Listed {
            name: &self.id,
            description: &self.description,
            when_to_use: &self.when_to_use,
            location: &self.location,
            root: &self.root,
        }
    }
}

/// Cuts the list of skills as a client does.
pub(crate) fn cut(
    client: &Listing,
    context: Option<u64>,
    skills: &[Offered],
    env: &Environment,
) -> Cut {
    let skills = skills.iter().cloned();
    let skills: Vec<Offered> = match client.reads {
        Some(_) => skills.map(|skill| skill.absolute(env)).collect(),
        None => skills.collect(),
    };
    let listed: Vec<Listed<'_>> = skills.iter().map(Offered::listed).collect();
    let home = env.home.as_deref().map(PathText::shown);
    client.cut_in(home.as_deref(), context, &listed)
}

/// Parses the name of a client. The names complete in a shell, and the help shows them.
#[derive(Clone, Copy)]
pub(crate) struct ClientParser<T> {
    /// Finds the client. The error says which names are known.
    pub(crate) parse: fn(&str) -> Result<T, String>,
    /// Returns the known names.
    pub(crate) names: fn() -> Vec<&'static str>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for ClientParser<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        TypedValueParser::parse_ref(&self.parse, command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

/// The clients whose list is known.
const LISTED: ClientParser<&'static Listing> = ClientParser {
    parse: named,
    names: listed,
};

fn listed() -> Vec<&'static str> {
    client::listings().map(|listing| &*listing.name).collect()
}

/// Finds the list of a client. The error names the nearest client with a known list, or all of them.
fn named(name: &str) -> Result<&'static Listing, String> {
    let names = || listed().join(", ");
    let Some(client) = client::named(name) else {
        let help =
            near_client(name, listed()).unwrap_or_else(|| format!("Write one of {}.", names()));
        return Err(format!("no client of this name is known. {help}"));
    };
    client.listing.as_ref().ok_or_else(|| {
        let title = &client.title;
        format!(
            "the list that {title} shows a model is not known. Known lists: {}.",
            names()
        )
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
        use skills_session::Profile;
        use skills_session::options::AllowedTools;

        let mut compared = 0;
        for profile in Profile::ALL {
            let client = client::named(&profile.name).expect("a client");
            let Some(tools) = &client.allowed_tools else {
                continue;
            };
            let meaning = match tools.meaning {
                Meaning::Approves => AllowedTools::Approves,
                Meaning::Narrows => AllowedTools::Narrows,
                _ => AllowedTools::Ignored,
            };
            assert_eq!(profile.allowed_tools, meaning, "{}", profile.name);
            compared += 1;
        }
        assert!(compared >= 9, "{compared}");
    }

    /// Help, completion, errors and the commands name the same clients.
    #[test]
    fn one_list_of_names() {
        use crate::catalog::options;
        use clap::CommandFactory as _;
        use skills_host::export::agents::Agent;
        use skills_session::Profile;

        let mut command = crate::commands::Arguments::command();
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
        let profiles: Vec<&str> = Profile::ALL.iter().map(|profile| &*profile.name).collect();
        for client in client::all() {
            let name = &*client.name;
            assert_eq!(client.profile, profiles.contains(&name), "{name}");
            assert_eq!(options::named(name).is_ok(), client.profile, "{name}");
            assert_eq!(named(name).is_ok(), listed.contains(&name), "{name}");
            assert_eq!(
                Agent::named(name).is_ok(),
                client.folders.is_some(),
                "{name}"
            );
            for further in &client.names {
                assert_eq!(options::named(further).is_ok(), client.profile, "{further}");
                assert_eq!(
                    named(further).is_ok(),
                    client.listing.is_some(),
                    "{further}"
                );
            }
        }
        assert!(profiles.iter().all(|name| client::named(name).is_some()));
        // Each error lists the clients that have what was asked for.
        let error = named("goose").expect_err("no list is known");
        assert!(
            error.ends_with(&format!("{}.", listed.join(", "))),
            "{error}"
        );
        let error = options::named("goose").expect_err("there is no profile");
        assert!(error.ends_with(&profiles.join(", ")), "{error}");
        let error = named("claude-cod").expect_err("a misspelt name");
        assert!(error.contains("claude-code"), "{error}");
    }
}
