//! What each client sees of a skill: its list, what it does differently, and what starts the skill.

use crate::catalog::{PROJECT, folder_of, profile_of};
use crate::files::Playground;
use crate::message::{messages, notices};
use serde_json::{Value, json};
use skills_clients::client::{Client, all};
use skills_clients::listing::{Kept, Listed, Listing, Shown};
use skills_clients::reading::{Found, Reader};
use skills_format::{Diagnostic, OPENAI_FILE, SkillFiles, join};
use skills_lint::rules;
use skills_lint::rules::Group;
use skills_profiles::Profile;
use skills_runtime::{Catalog, Skill, Surface};
use skills_session::Session;
use skills_session::commands::for_model;

/// The context in tokens for which the lists of clients are cut.
const CONTEXT: u64 = 200_000;

/// A skill that a client lists.
struct Offered {
    dir: String,
    name: String,
    description: String,
    when_to_use: String,
    location: String,
    root: String,
}

impl Playground {
    /// Returns the names of the clients of the table, as JSON.
    pub fn client_names() -> String {
        let names: Vec<&str> = all().iter().map(|client| &*client.name).collect();
        json!(names).to_string()
    }

    /// Returns what a client sees of the skill of a folder, as JSON. `arguments` is what a person types after the name.
    /// The answer is `null` if there is no such client or skill.
    ///
    /// # Cost
    ///
    /// One check of the skill, and one list of all skills. A page asks for one client after the other, and stays usable.
    pub fn client(&self, name: &str, dir: &str, arguments: &str) -> String {
        let skills = self.tree.skills_of_any_case();
        let skill = skills.iter().find(|skill| skill.dir == dir);
        let client = all().iter().find(|client| client.name == name);
        let Some((client, skill)) = client.zip(skill) else {
            return Value::Null.to_string();
        };
        let host = Host::new(self, client);
        json!({
            "name": client.name,
            "title": client.title,
            // The author closed the skill to the model.
            "closed": self.is_closed(skill),
            // None: the list of the client is not known.
            "list": self.list(client, &host, skill),
            "differences": self.differences(client, skill),
            // None: how the client starts a skill is not known.
            "start": host.start(client, skill, arguments),
        })
        .to_string()
    }

    fn differences(&self, client: &Client, skill: &SkillFiles<'_>) -> Vec<Value> {
        let is_of_client = |finding: &&Diagnostic| {
            let rule = rules::find(finding.rule.as_str());
            rule.is_some_and(|rule| rule.group == Group::Portability)
        };
        let is_of_skill = |finding: &&Diagnostic| {
            let inside = finding.path.strip_prefix(skill.dir);
            inside.is_some_and(|rest| {
                skill.dir.is_empty() || rest.is_empty() || rest.starts_with('/')
            })
        };
        let found = self.checked_for(skill, &client.name);
        let found = found.iter().filter(is_of_client).filter(is_of_skill);
        found
            .map(|finding| {
                json!({
                    "rule": finding.rule.as_str(),
                    "severity": finding.severity.as_str(),
                    "line": finding.start.line,
                    "message": finding.message.to_string(),
                    "help": finding.help.to_string(),
                })
            })
            .collect()
    }

    /// Returns whether the author closed a skill to the model.
    fn is_closed(&self, skill: &SkillFiles<'_>) -> bool {
        let read = self.read(skill);
        read.is_some_and(|skill| skill.fields.disable_model_invocation)
    }

    fn list(&self, client: &Client, host: &Host, skill: &SkillFiles<'_>) -> Option<Value> {
        let listing = client.listing.as_ref()?;
        let offered = match listing.reads {
            Some(reader) => self.read_by(reader, client, skill),
            None => host.for_model(),
        };
        let read = self.read(skill);
        let written = read.map_or(0, |skill| skill.description.chars().count());
        let (shown, line, characters) = match offered.iter().position(|it| it.dir == skill.dir) {
            // Closed, or not read.
            None => ("unlisted", String::new(), 0),
            Some(at) => {
                let kept = cut(listing, &offered, at)?;
                let shown = match kept.shown {
                    Shown::Whole => "whole",
                    Shown::Shortened => "shortened",
                    Shown::Bare => "bare",
                    _ => "gone",
                };
                (shown, kept.line, kept.description.chars().count())
            }
        };
        Some(json!({
            "shown": shown,
            "line": line,
            "characters": [characters, written],
            "source": listing.source.at,
            "seen": listing.source.seen,
        }))
    }

    /// Returns the skills of the folder of skills that holds a skill, as a program reads them.
    fn read_by(&self, reader: Reader, client: &Client, skill: &SkillFiles<'_>) -> Vec<Offered> {
        let parent = |dir: &str| {
            dir.rsplit_once('/')
                .map_or("", |(above, _)| above)
                .to_owned()
        };
        let folder = parent(skill.dir);
        let skills = self.tree.skills_of_any_case();
        let beside = skills.iter().filter(|it| parent(it.dir) == folder);
        let root = match skill.dir {
            "" => folder_of(&client.name),
            _ => join(PROJECT, &folder),
        };
        let mut dirs = Vec::new();
        let found = beside.map(|it| {
            let name = self.folder_name(it);
            let file = it.file.path.rsplit('/').next().unwrap_or_default();
            let path = format!("{name}/{file}");
            dirs.push((path.clone(), it.dir.to_owned()));
            Found {
                resolved: path.clone(),
                path,
                is_link: false,
                text: it.file.bytes.clone().unwrap_or_default(),
                policy: self.text(&join(it.dir, OPENAI_FILE)).map(str::to_owned),
            }
        });
        let found: Vec<Found> = found.collect();
        let listed = reader.read(found).into_iter();
        let offered = listed.filter_map(|read| {
            let (_, dir) = dirs.iter().find(|(path, _)| *path == read.path)?;
            Some(Offered {
                dir: dir.clone(),
                name: read.name,
                description: read.description,
                when_to_use: read.when_to_use,
                location: join(&root, &read.path),
                root: root.clone(),
            })
        });
        offered.collect()
    }
}

/// A host that behaves as a client, as far as a profile says how.
struct Host {
    profile: &'static Profile,
    root: String,
    catalog: Catalog,
}

impl Host {
    fn new(playground: &Playground, client: &Client) -> Self {
        let profile = profile_of(&client.name);
        Self {
            root: playground.root(profile.name),
            catalog: playground.catalog(profile),
            profile,
        }
    }

    /// Returns the skills that the model may start.
    fn for_model(&self) -> Vec<Offered> {
        let skills = for_model(&self.catalog);
        let offered = skills.filter_map(|entry| {
            let folder = entry.folder()?.to_string_lossy().into_owned();
            let dir = folder.strip_prefix(&self.root)?.trim_start_matches('/');
            let when_to_use = entry.fields().when_to_use.as_deref();
            Some(Offered {
                dir: dir.to_owned(),
                description: entry.description().to_owned(),
                when_to_use: when_to_use.unwrap_or_default().to_owned(),
                location: entry.place(),
                root: String::new(),
                name: entry.id().into_owned(),
            })
        });
        offered.collect()
    }

    /// Starts a skill as a person does. Returns `None` if it is not known how the client starts skills.
    fn start(&self, client: &Client, skill: &SkillFiles<'_>, arguments: &str) -> Option<Value> {
        if self.profile.name != client.name {
            return None;
        }
        let folder = join(&self.root, skill.dir);
        let is_it = |entry: &Skill<'_>| entry.folder().is_some_and(|it| it.as_os_str() == &*folder);
        let entry = self.catalog.iter().find(is_it)?;
        let id = entry.id();
        let prefixes = client.commands.as_ref().map(|it| it.prefixes.as_slice());
        let prefix = prefixes
            .and_then(<[String]>::first)
            .map_or("/", String::as_str);
        let typed = format!("{prefix}{id} {arguments}").trim_end().to_owned();
        let mut session = Session::new(self.profile.clone());
        let turn = session.turn(&self.catalog, &typed, Surface::User);
        Some(json!({
            "typed": typed,
            "notices": notices(&turn.notices),
            "messages": messages(&turn.messages),
        }))
    }
}

/// Cuts a list of skills as a client does, and returns the skill at an index.
fn cut(listing: &Listing, offered: &[Offered], at: usize) -> Option<Kept> {
    let listed: Vec<Listed<'_>> = offered
        .iter()
        .map(|skill| Listed {
            name: &skill.name,
            description: &skill.description,
            when_to_use: &skill.when_to_use,
            location: &skill.location,
            root: &skill.root,
        })
        .collect();
    let cut = listing.cut(Some(CONTEXT), &listed);
    cut.skills.into_iter().nth(at)
}
