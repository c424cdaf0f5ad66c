//! The origin and the local changes of installed skills.

use crate::output::Ctx;
use serde::Serialize;
use skills_compiler::{LOCK_FILE, Provenance};
use skills_format::Digest;
use skills_host::install::{ByHandState, CrateSource, Installed, Pins, installed};
use skills_runtime::catalog::Location;
use skills_runtime::{Catalog, Entry};
use skills_store::files::work::WORK_FOLDER;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The installed skills of a catalog, by folder.
#[derive(Default)]
pub(crate) struct InstalledIndex {
    skills: BTreeMap<PathBuf, Installed>,
    /// The folders of the pinned skills.
    pinned: BTreeSet<PathBuf>,
    /// The digests of the bundled skills, by name.
    bundled: BTreeMap<String, Digest>,
}

/// The source of an installed skill, as in documents.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ProvenanceJson {
    source: String,
    path: Option<String>,
    requested: Option<String>,
    commit: Option<String>,
}

impl InstalledIndex {
    /// Reads the locks of the folders that hold skills of a catalog. An unreadable lock is reported as a
    /// warning.
    pub(crate) fn new(catalog: &Catalog, cx: &mut Ctx) -> Self {
        let bundled = catalog.iter().filter_map(|entry| entry.bundled());
        let mut index = Self {
            bundled: bundled
                .map(|skill| (skill.name().to_owned(), skill.digest()))
                .collect(),
            ..Self::default()
        };
        let Some(data) = cx.env.data_folder() else {
            return index;
        };
        let mut folders: Vec<PathBuf> = catalog
            .iter()
            .filter_map(|entry| Some(folder(&entry)?.parent()?.to_owned()))
            .collect();
        folders.sort();
        folders.dedup();
        for target in folders {
            // A work folder without a lock can hold the journal of a killed change, which reading the lock
            // finishes.
            if !target.join(LOCK_FILE).exists() && !target.join(WORK_FOLDER).exists() {
                continue;
            }
            match installed(&target, &data) {
                Ok(found) => {
                    let with_path = |(name, skill)| (target.join(name), skill);
                    index.skills.extend(found.into_iter().map(with_path));
                }
                Err(error) => cx.warning(&error),
            }
            match Pins::of(&data).names(&target) {
                Ok(names) => index
                    .pinned
                    .extend(names.iter().map(|name| target.join(name))),
                Err(error) => cx.warning(&error),
            }
        }
        index
    }

    /// Returns the lock entry of a skill, and the state of its folder.
    pub(crate) fn get(&self, entry: &Entry<'_>) -> Option<&Installed> {
        self.skills.get(&folder(entry)?)
    }

    pub(crate) fn provenance(&self, entry: &Entry<'_>) -> Option<ProvenanceJson> {
        let from = self.get(entry)?.locked.provenance.as_ref()?;
        Some(from.into())
    }

    /// Returns the short source of a skill; empty for a skill that was not installed.
    pub(crate) fn origin(&self, entry: &Entry<'_>) -> String {
        let from = self
            .get(entry)
            .and_then(|skill| skill.locked.provenance.as_ref());
        let Some(from) = from else {
            return String::new();
        };
        short_origin(from)
    }

    /// Returns whether an installed skill has local changes; added files do not count. Returns `None` for a
    /// skill that was not installed.
    pub(crate) fn is_changed(&self, entry: &Entry<'_>) -> Option<bool> {
        let installed = self.get(entry)?;
        Some(installed.state == ByHandState::Changed)
    }

    /// Returns whether `update` passes over a skill.
    pub(crate) fn is_pinned(&self, entry: &Entry<'_>) -> bool {
        folder(entry).is_some_and(|folder| self.pinned.contains(&folder))
    }

    /// Returns the note beside the state of a skill; empty for most skills.
    pub(crate) fn words(&self, entry: &Entry<'_>) -> &'static str {
        if let Some(words) = self.copy(entry) {
            return words;
        }
        match self.get(entry).map(|installed| installed.state) {
            Some(ByHandState::Changed) => "local changes",
            Some(ByHandState::Added) => "added files",
            _ => "",
        }
    }
}

impl InstalledIndex {
    /// Returns the note for an improved copy of a bundled skill. The note says whether the bundled skill has
    /// changed since the copy was made.
    fn copy(&self, entry: &Entry<'_>) -> Option<&'static str> {
        let installed = self.get(entry)?;
        let from = installed.locked.provenance.as_ref()?;
        let is_own = from.source.starts_with("program skills ");
        let bundled = self.bundled.get(entry.name()).filter(|_| is_own)?;
        match installed.state {
            ByHandState::Changed if *bundled == installed.locked.digest => {
                Some("improved copy of the bundled skill")
            }
            ByHandState::Changed => Some(
                "improved copy of the bundled skill, which this version of the program changed",
            ),
            _ => None,
        }
    }
}

/// Returns the source of a skill in few words: owner and name of a remote repository, the name of a folder.
fn short_origin(from: &Provenance) -> String {
    // On Windows a scheme of one letter is a drive.
    if let Some(of_crate) = CrateSource::parse(&from.source) {
        return of_crate.krate();
    }
    let source = from.shown_source();
    let scheme = source.split_once(':').map(|(scheme, _)| scheme);
    let is_remote =
        scheme.is_some_and(|scheme| scheme != "file" && !(cfg!(windows) && scheme.len() == 1));
    let source = source.strip_suffix(".git").unwrap_or(&source);
    // A remote repository is shown as owner and name, a local source by its name alone.
    let parts: Vec<&str> = source.rsplit(['/', ':']).take(2).collect();
    let source = match parts[..] {
        [name, owner] if is_remote => format!("{owner}/{name}"),
        [name, ..] if !source.starts_with("program ") => name.to_owned(),
        _ => source.to_owned(),
    };
    match &from.requested {
        Some(revision) => format!("{source} at {revision}"),
        None => source,
    }
}

impl From<&Provenance> for ProvenanceJson {
    fn from(from: &Provenance) -> Self {
        Self {
            source: from.shown_source().into_owned(),
            path: from.path.clone(),
            requested: from.requested.clone(),
            commit: from.commit.clone(),
        }
    }
}

fn folder(entry: &Entry<'_>) -> Option<PathBuf> {
    match entry.location() {
        Location::Folder(path) => Some(Path::new(path).to_owned()),
        _ => None,
    }
}
