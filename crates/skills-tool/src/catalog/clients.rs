//! The options that choose a client, and a folder of skills as a client reads it.

use crate::catalog::find::near_client;
use crate::catalog::skill::written;
use crate::environment::Environment;
use crate::outcome::Failure;
use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use skills_clients::client;
use skills_clients::listing::{Cut, Listed, Listing};
use skills_clients::reading::{Found, ReadSkill, Reader};
use skills_format::prose;
use skills_format::text::path::PathText;
use skills_repository::triggers::LoadedSkill;
use skills_runtime::Catalog;
use skills_session::commands::{Listed as ForModel, for_model};
use skills_store::disk;
use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// `--client` and `--context`.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ClientOptions {
    /// Use the list as this client writes it
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
    pub(crate) fn all(catalog: &Catalog) -> Vec<Self> {
        let skills = for_model(catalog).map(|ForModel { id, entry }| Self {
            // A bundled skill has no file. A client's list can show the location, so the path is what an install
            // would make.
            location: entry.place(),
            root: String::new(),
            has_file: true,
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
        return Err(format!("unknown client. {help}"));
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

/// The maximum depth of the walk: deeper than any program searches, and an end for links in circles.
const DEPTH: usize = 16;
/// The maximum size of a file that is read: more than Claude Code reads, so that a larger file is known as one.
const SIZE: u64 = 1 << 20;
/// The maximum number of files and folders that one walk looks at. Links lead anywhere: one link of a cloned project
/// to `/` would be a walk through the whole disk.
const ITEMS: usize = 20_000;

/// The skills of a folder, as a program lists them.
pub(crate) struct ClientFolder {
    pub(crate) skills: Vec<Offered>,
    /// The files that the program does not list, as paths below the folder.
    pub(crate) others: Vec<String>,
}

/// Reads a folder as a program does. Returns `Ok(None)` if no folder directly in it holds a `SKILL.md`.
pub(crate) fn read_as(
    reader: Reader,
    path: &Path,
    env: &Environment,
) -> Result<Option<ClientFolder>, Failure> {
    let root = env.absolute(path);
    let found = Walk::found(&root)?;
    if !found.iter().any(|file| file.path.split('/').count() == 2) {
        return Ok(None);
    }
    let paths: Vec<String> = found.iter().map(|file| file.path.clone()).collect();
    let listed = reader.read(found);
    let is_listed = |path: &String| listed.iter().any(|skill| skill.path == *path);
    let others = paths.into_iter().filter(|path| !is_listed(path)).collect();
    let root = written(&root);
    let skills = listed.into_iter().map(|skill| Offered::read(skill, &root));
    Ok(Some(ClientFolder {
        skills: skills.collect(),
        others,
    }))
}

/// A walk through a folder and all links in it.
struct Walk<'a> {
    root: &'a Path,
    /// The folders above, with their links resolved: a folder that is among them is a circle.
    above: Vec<PathBuf>,
    found: Vec<Found>,
    /// The number of items that may still be looked at.
    left: usize,
}

impl<'a> Walk<'a> {
    /// Returns every file `SKILL.md` below a folder.
    fn found(root: &'a Path) -> Result<Vec<Found>, Failure> {
        let mut walk = Walk {
            root,
            above: Vec::new(),
            found: Vec::new(),
            left: ITEMS,
        };
        walk.folder(root, DEPTH)?;
        Ok(walk.found)
    }

    fn folder(&mut self, folder: &Path, depth: usize) -> Result<(), Failure> {
        let Ok(resolved) = fs::canonicalize(folder) else {
            return Ok(());
        };
        if depth == 0 || self.above.contains(&resolved) {
            return Ok(());
        }
        let mut items: Vec<PathBuf> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .take(self.left + 1)
            .map(|item| item.path())
            .collect();
        let Some(left) = self.left.checked_sub(items.len()) else {
            return Err(Failure::failed(
                prose!("{} leads to more than {ITEMS} files and folders", self.root),
                prose!(
                    "remove the link or the folder that holds so many, such as {}",
                    folder
                ),
            ));
        };
        self.left = left;
        items.sort();
        self.above.push(resolved);
        for item in items {
            if item.is_dir() {
                self.folder(&item, depth - 1)?;
            } else if item.file_name().is_some_and(|name| name == "SKILL.md") {
                self.found.extend(found(self.root, &item));
            }
        }
        self.above.pop();
        Ok(())
    }
}

/// Reads the file of a skill below a folder of skills, and what belongs to it.
pub(crate) fn found(root: &Path, path: &Path) -> Option<Found> {
    let below = path.strip_prefix(root).ok()?;
    let policy = path.parent()?.join("agents/openai.yaml");
    Some(Found {
        path: written(below),
        resolved: written(&fs::canonicalize(path).ok()?),
        is_link: path.is_symlink(),
        text: read(path)?,
        policy: read(&policy).and_then(|text| String::from_utf8(text).ok()),
    })
}

/// Reads the beginning of a regular file.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let file = disk::open(path).ok()?;
    file.take(SIZE).read_to_end(&mut text).ok()?;
    Some(text)
}

#[cfg(all(test, unix))]
mod client_folder_tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_link_does_not_lead_through_a_whole_disk() -> std::io::Result<()> {
        let dir = tempfile::tempdir()?;
        let (skills, disk) = (dir.path().join("skills"), dir.path().join("disk"));
        fs::create_dir_all(skills.join("a"))?;
        fs::create_dir(&disk)?;
        fs::write(skills.join("a/SKILL.md"), "---\nname: a\n---\n")?;
        symlink(&disk, skills.join("root"))?;
        for file in 0..ITEMS - 3 {
            fs::write(disk.join(file.to_string()), "")?;
        }
        // `a`, `a/SKILL.md` and `root` are items too.
        assert_eq!(Walk::found(&skills).map(|found| found.len()).ok(), Some(1));
        fs::write(disk.join("more"), "")?;
        let Err(Failure::Failed(message)) = Walk::found(&skills) else {
            panic!("the walk ends");
        };
        let help = message.help.to_string();
        assert!(help.contains("skills/root"), "{help}");
        Ok(())
    }
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
        use crate::catalog::options;
        use clap::CommandFactory as _;
        use skills_host::places::Agent;
        use skills_profiles::Profile;

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
        let profiles: Vec<&str> = Profile::all().iter().map(|profile| profile.name).collect();
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
