//! The skills of every client on this machine.

use crate::catalog::clients::read_own;
use crate::catalog::installed::ProvenanceJson;
use crate::environment::Environment;
use crate::output::Ctx;
use serde::Serialize;
use skills_clients::client::{Client, Folders};
use skills_format::prose;
use skills_format::text::path::PathText as _;
use skills_host::install::{ByHandState, FileChange};
use skills_host::places::{
    Found, Place, SkillCopy, Survey, Version, VersionState, blocked, places,
};
use skills_lint::render::quoted;
use skills_store::files::data::DataFolder;
use std::path::{Path, PathBuf};

/// The clients on this machine, and the skills in their folders.
pub(crate) struct Everywhere {
    pub(crate) clients: Vec<Found>,
    pub(crate) survey: Survey,
}

impl Everywhere {
    /// Reads the folders of every client. Reports what cannot be read.
    pub(crate) fn read(cx: &mut Ctx) -> Self {
        Self::of(None, cx)
    }

    /// Reads the skills with one of the names in the folders of every client.
    pub(crate) fn of_names(names: &[&str], cx: &mut Ctx) -> Self {
        Self::of(Some(names), cx)
    }

    fn of(names: Option<&[&str]>, cx: &mut Ctx) -> Self {
        let project = cx.env.bases().project;
        let machine = cx.env.machine(&project);
        let clients = machine.clients();
        let none = || DataFolder::new("skills");
        let data = cx.env.data_folder().unwrap_or_else(none);
        for path in blocked(&machine, &clients) {
            let what = if path.is_symlink() {
                "a link that leads to no folder"
            } else {
                "no folder"
            };
            cx.warning(prose!(
                "{} is {what}: no client finds skills there; remove it, or make it a folder",
                cx.env.shown(&path)
            ));
        }
        let places = places(&machine, &clients);
        let mut survey = match names {
            Some(names) => Survey::of_names(places, &data, names),
            None => Survey::read(places, &data),
        };
        for error in &survey.faults {
            cx.warning(error);
        }
        for found in &clients {
            let agent = found.agent;
            let reader = agent.client.listing.as_ref().and_then(|it| it.reads);
            let Some(reader) = reader else {
                continue;
            };
            // A folder that cannot be read is reported already.
            let Ok(read) = read_own(agent.folders, reader, cx.env) else {
                continue;
            };
            let closed = read.closed.into_iter().map(|folder| {
                let name = folder.file_name().unwrap_or_default();
                (name.to_string_lossy().into_owned(), folder)
            });
            let listed = read.skills.iter();
            let listed = listed.map(|skill| (skill.id.clone(), skill.folder()));
            let listed: Vec<(String, PathBuf)> = listed.chain(closed).collect();
            survey.lists(&agent.client.name, &listed);
            if reader.is_concurrent() {
                survey.lists_last_read(&agent.client.name);
            }
        }
        if let Some(names) = names {
            survey
                .versions
                .retain(|version| names.contains(&version.name.as_str()));
        }
        Self { clients, survey }
    }

    /// Returns the versions of a name.
    pub(crate) fn of_name<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Version> {
        let all = self.survey.versions.iter();
        all.filter(move |version| version.name == name)
    }

    pub(crate) fn place(&self, copy: &SkillCopy) -> Option<&Place> {
        self.survey.places.get(copy.place)
    }
}

/// Returns the state of a version in words.
pub(crate) fn state(version: &Version) -> String {
    let mut words = match version.state {
        VersionState::Same => "same".to_owned(),
        VersionState::OnlyHere => "only here".to_owned(),
        VersionState::Unreadable => "unreadable".to_owned(),
        _ => match version.difference.len() {
            // Of two versions one is unreadable.
            0 => "differs".to_owned(),
            1 => "differs: 1 file".to_owned(),
            files => format!("differs: {files} files"),
        },
    };
    if version.is_newest {
        words.push_str(", changed last");
    }
    let is_changed = |copy: &SkillCopy| copy.by_hand == Some(ByHandState::Changed);
    if version.copies.iter().any(is_changed) {
        words.push_str(", local changes");
    }
    if !version.twice.is_empty() {
        words.push_str(", twice in ");
        words.push_str(&version.twice.join(" and "));
    }
    words
}

/// Returns the clients that list one of the copies.
pub(crate) fn clients(version: &Version) -> Vec<&'static str> {
    let mut all: Vec<&'static str> = Vec::new();
    for client in version.copies.iter().flat_map(|copy| &copy.clients) {
        if !all.contains(client) {
            all.push(client);
        }
    }
    all
}

/// A version of a skill, as in documents.
#[derive(Serialize)]
pub(crate) struct VersionJson<'v> {
    name: &'v str,
    digest: Option<String>,
    state: VersionState,
    /// The files that differ from the version that was changed last; of that version, from the one before.
    differs: Vec<DifferingFile<'v>>,
    /// True if the name has other versions, and all of them were changed earlier.
    newest: bool,
    /// The clients that list the name twice.
    twice: &'v [&'static str],
    /// The clients that list this version or another one: the one that they read last.
    unsure: &'v [&'static str],
    copies: Vec<CopyJson<'v>>,
}

#[derive(Serialize)]
struct DifferingFile<'v> {
    path: &'v str,
    change: FileChange,
}

#[derive(Serialize)]
struct CopyJson<'v> {
    /// The folder of skills.
    place: String,
    path: String,
    /// The folder to which a link leads; null for a folder.
    link: Option<String>,
    /// The clients that list the copy.
    clients: &'v [&'static str],
    provenance: Option<ProvenanceJson>,
    /// True when an installed skill has local changes; null for other skills.
    changed: Option<bool>,
    /// True when `update` passes over the copy; left out for other copies.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pinned: bool,
    /// The time of the last change of a file.
    modified: Option<String>,
    error: Option<&'v str>,
}

impl<'v> VersionJson<'v> {
    pub(crate) fn new(version: &'v Version, everywhere: &'v Everywhere, env: &Environment) -> Self {
        let copy = |copy: &'v SkillCopy| {
            let place = everywhere.place(copy);
            let from = copy.locked.as_ref().and_then(|it| it.provenance.as_ref());
            CopyJson {
                place: place.map_or_else(String::new, |place| env.documented(&place.folder)),
                path: env.documented(&copy.path),
                link: copy.link.as_deref().map(|link| env.documented(link)),
                clients: &copy.clients,
                provenance: from.map(ProvenanceJson::from),
                changed: copy.by_hand.map(|state| state == ByHandState::Changed),
                pinned: copy.is_pinned,
                modified: copy.modified.map(|time| format!("{time:.0}")),
                error: copy.fault.as_deref(),
            }
        };
        let differs = version.difference.iter().map(|file| DifferingFile {
            path: &file.path,
            change: file.change,
        });
        Self {
            name: &version.name,
            digest: version.digest.map(|digest| digest.to_string()),
            state: version.state,
            differs: differs.collect(),
            newest: version.is_newest,
            twice: &version.twice,
            unsure: &version.unsure,
            copies: version.copies.iter().map(copy).collect(),
        }
    }
}

/// A folder of skills in a project that a program does not read. The program has no folder in that project.
pub(crate) struct UnreadFolder {
    title: &'static str,
    /// The folder in which the program looks: `.claude/skills`.
    wanted: &'static str,
    /// The folder that is there: `.agents/skills`.
    there: &'static str,
}

impl UnreadFolder {
    /// Returns the folder `there` of a project, if `client` has no folder there.
    pub(crate) fn beside(
        client: &'static Client,
        project: &Path,
        there: &'static str,
    ) -> Option<Self> {
        let folders = client.folders.as_ref()?;
        let wanted = folders.in_project().next()?;
        let is_read = folders
            .in_project()
            .any(|folder| project.join(folder).is_dir());
        (!is_read).then_some(Self {
            title: &client.title,
            wanted,
            there,
        })
    }

    /// Returns the end of a printed path that is a folder which one of these programs reads in a project.
    pub(crate) fn end(path: &str, clients: &[&'static Client]) -> Option<&'static str> {
        let folders = clients.iter().filter_map(|one| one.folders.as_ref());
        let mut folders = folders.flat_map(Folders::in_project);
        folders.find(|folder| Path::new(path).ends_with(folder))
    }

    /// Says that the program reads nothing here, and what helps. `project` is the printed path of the project.
    pub(crate) fn told(&self, project: &str) -> String {
        let Self { title, wanted, .. } = self;
        let remedy = self.remedy(project);
        format!("{title} reads no folder here; it looks for {project}{wanted}: {remedy}")
    }

    /// Returns the command that gives the program the folder, for a shell.
    pub(crate) fn remedy(&self, project: &str) -> String {
        let Self { wanted, there, .. } = self;
        let link = Path::new(wanted);
        let above = link.parent().unwrap_or(link);
        // The target of a link is relative to the folder of the link.
        let back = "../".repeat(above.components().count());
        let at = |path: &str| quoted(&format!("{project}{path}")).into_owned();
        format!(
            "`mkdir -p {} && ln -s {back}{there} {}` has it read {there}",
            at(&above.shown()),
            at(wanted)
        )
    }
}
