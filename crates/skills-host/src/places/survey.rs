//! The skills of all places.

use crate::install::Pins;
use crate::install::state::state_of;
use crate::lock::read_lock;
use crate::places::place::Place;
use crate::places::version::{SkillCopy, Version, VersionState};
use crate::review::difference::between;
use jiff::Timestamp;
use skills_compiler::LOCK_FILE;
use skills_format::{Digest, prose};
use skills_repository::Lock;
use skills_store::Error;
use skills_store::files::copy::list;
use skills_store::files::data::DataFolder;
use skills_store::files::snapshot::{Snapshot, is_skill_file};
use skills_store::files::work::WORK_FOLDER;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The skills of places, one version for each name and digest.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Survey {
    /// The places.
    pub places: Vec<Place>,
    /// The versions, sorted by name. Versions of one name are in the order of their first places.
    pub versions: Vec<Version>,
    /// What could not be read: a folder or a lock.
    pub faults: Vec<Error>,
}

/// Returns the number of skills directly in a folder.
///
/// # Errors
///
/// The folder cannot be read.
pub fn count(folder: &Path) -> Result<usize, Error> {
    let entries = list(folder)?;
    Ok(entries.iter().filter(|(_, path)| holds_skill(path)).count())
}

impl Survey {
    /// Reads the skills directly in each place.
    ///
    /// # Cost
    ///
    /// Reads and digests every file of every skill. The files of names with several versions are read again.
    pub fn read(places: Vec<Place>, data: &DataFolder) -> Self {
        Self::of(places, data, |_| true)
    }

    /// Reads the skills with one of the names.
    ///
    /// # Cost
    ///
    /// Reads only the files of these skills.
    pub fn of_names(places: Vec<Place>, data: &DataFolder, names: &[&str]) -> Self {
        Self::of(places, data, |name| names.contains(&name))
    }

    fn of(places: Vec<Place>, data: &DataFolder, is_meant: impl Fn(&str) -> bool) -> Self {
        let mut survey = Self {
            places,
            ..Self::default()
        };
        let mut found: BTreeMap<String, Vec<(Option<Digest>, SkillCopy)>> = BTreeMap::new();
        for index in 0..survey.places.len() {
            for (name, digest, copy) in survey.copies(index, data, &is_meant) {
                found.entry(name).or_default().push((digest, copy));
            }
        }
        for (name, copies) in found {
            survey.versions.extend(versions(&name, copies));
        }
        survey
    }

    /// Replaces what the facts say about a client by the skills that the client lists: each with its name, and the folder
    /// of its `SKILL.md`. A skill that is not directly in a place becomes a version of its own.
    pub fn lists(&mut self, client: &'static str, listed: &[(String, PathBuf)]) {
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for (name, _) in listed {
            *times.entry(name).or_default() += 1;
        }
        let folders: BTreeMap<&Path, &str> = listed
            .iter()
            .map(|(name, folder)| (folder.as_path(), name.as_str()))
            .collect();
        let mut known: BTreeSet<&Path> = BTreeSet::new();
        for version in &mut self.versions {
            for copy in &mut version.copies {
                copy.clients.retain(|of| *of != client);
                let names = self.places.get(copy.place).into_iter();
                let mut paths = names
                    .flat_map(Place::names)
                    .filter_map(|place| Some(place.join(copy.path.file_name()?)));
                let found = paths.find_map(|path| folders.get_key_value(path.as_path()));
                let Some((folder, name)) = found else {
                    continue;
                };
                known.insert(folder);
                copy.clients.push(client);
                let is_twice = times.get(name).is_some_and(|times| *times > 1);
                if is_twice && !version.twice.contains(&client) {
                    version.twice.push(client);
                }
            }
        }
        let deeper = listed.iter().filter(|(_, path)| !known.contains(&**path));
        for (name, path) in deeper {
            self.add_deeper(client, name, path);
        }
        self.versions.sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// Marks the names of which a client can list each version, since the client reads several files at once.
    pub fn lists_last_read(&mut self, client: &'static str) {
        let places = &self.places;
        let is_read = |version: &&mut Version| {
            let mut of = version
                .copies
                .iter()
                .filter_map(|copy| places.get(copy.place));
            of.any(|place| place.clients.contains(&client))
        };
        for versions in self.versions.chunk_by_mut(|a, b| a.name == b.name) {
            let read: Vec<&mut Version> = versions.iter_mut().filter(is_read).collect();
            if read.len() > 1 {
                for version in read {
                    version.unsure.push(client);
                }
            }
        }
    }

    /// Adds a skill that is deeper in a place.
    fn add_deeper(&mut self, client: &'static str, name: &str, path: &Path) {
        let all = self.versions.iter_mut();
        let mut copies = all.flat_map(|version| &mut version.copies);
        if let Some(copy) = copies.find(|copy| copy.path == path) {
            copy.clients.push(client);
            return;
        }
        let is_in = |place: &Place| place.names().any(|name| path.starts_with(name));
        let Some(place) = self.places.iter().position(is_in) else {
            return;
        };
        let (files, mut copy) = read(place, path);
        let digest = files.map(|files| files.digest());
        copy.clients.push(client);
        self.versions.push(Version {
            state: if digest.is_some() {
                VersionState::OnlyHere
            } else {
                VersionState::Unreadable
            },
            ..Version::new(name, digest, vec![copy])
        });
    }

    /// Reads the skills of a place.
    fn copies(
        &mut self,
        index: usize,
        data: &DataFolder,
        is_meant: &dyn Fn(&str) -> bool,
    ) -> Vec<(String, Option<Digest>, SkillCopy)> {
        let Some(place) = self.places.get(index).cloned() else {
            return Vec::new();
        };
        let entries = list(&place.folder).unwrap_or_else(|error| {
            self.faults.push(error);
            Vec::new()
        });
        let lock = lock_of(&place.folder, data).unwrap_or_else(|error| {
            self.faults.push(error);
            Lock::installed([].into())
        });
        let pinned = Pins::of(data).names(&place.folder).unwrap_or_else(|error| {
            self.faults.push(error);
            BTreeSet::new()
        });
        let mut all = Vec::new();
        let skills = entries.into_iter();
        let skills = skills.filter(|(name, path)| is_meant(name) && holds_skill(path));
        for (name, path) in skills {
            let (files, mut copy) = read(index, &path);
            copy.clients.clone_from(&place.clients);
            copy.is_pinned = pinned.contains(&name);
            copy.locked = lock.skills.get(&name).cloned();
            if let (Some(locked), Some(now)) = (&copy.locked, &files) {
                copy.by_hand = state_of(now, locked, data).ok();
            }
            all.push((name, files.map(|files| files.digest()), copy));
        }
        all
    }
}

/// Reads the lock of a folder. A work folder without a lock can hold the journal of a killed change, which reading the
/// lock finishes. A folder without both is only read.
fn lock_of(folder: &Path, data: &DataFolder) -> Result<Lock, Error> {
    if folder.join(LOCK_FILE).exists() || folder.join(WORK_FOLDER).exists() {
        read_lock(folder, data)
    } else {
        Ok(Lock::installed([].into()))
    }
}

/// Returns whether a folder, or the folder to which a link leads, has a `SKILL.md`.
fn holds_skill(path: &Path) -> bool {
    let is_hidden = path
        .file_name()
        .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    if is_hidden {
        return false;
    }
    let Ok(entries) = fs::read_dir(path) else {
        // Not a file beside the skills. A link that leads nowhere was a skill, and is reported as unreadable.
        return path.is_dir() || path.is_symlink() && !path.exists();
    };
    let mut names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.any(|name| is_skill_file(&name))
}

/// Reads a skill. A link is followed: other clients follow links.
fn read(place: usize, path: &Path) -> (Option<Snapshot>, SkillCopy) {
    let link = path.is_symlink().then(|| fs::canonicalize(path).ok());
    let mut copy = SkillCopy {
        place,
        path: path.to_owned(),
        link: link.flatten(),
        locked: None,
        by_hand: None,
        is_pinned: false,
        modified: None,
        clients: Vec::new(),
        fault: None,
    };
    let folder = copy.link.as_deref().unwrap_or(path);
    match Snapshot::read(folder) {
        Ok(now) => {
            copy.modified = modified(folder, &now);
            (Some(now), copy)
        }
        Err(error) => {
            copy.fault = Some(prose!("{}", &error));
            (None, copy)
        }
    }
}

/// Returns the time of the last change of a file that the digest covers.
fn modified(folder: &Path, snapshot: &Snapshot) -> Option<Timestamp> {
    let times = snapshot.files().filter_map(|(path, _)| {
        let time = fs::metadata(folder.join(path)).ok()?.modified().ok()?;
        Timestamp::try_from(time).ok()
    });
    times.max()
}

/// Groups the copies of a name by their digests.
fn versions(name: &str, copies: Vec<(Option<Digest>, SkillCopy)>) -> Vec<Version> {
    let mut all: Vec<Version> = Vec::new();
    for (digest, copy) in copies {
        let same = all
            .iter_mut()
            .find(|version| digest.is_some() && version.digest == digest);
        match same {
            Some(version) => version.copies.push(copy),
            None => all.push(Version::new(name, digest, vec![copy])),
        }
    }
    let is_alone = all.len() == 1;
    for version in &mut all {
        version.state = match (version.digest, version.copies.len()) {
            (None, _) => VersionState::Unreadable,
            (_, 1) if is_alone => VersionState::OnlyHere,
            _ if is_alone => VersionState::Same,
            _ => VersionState::Differs,
        };
    }
    if !is_alone {
        compare(&mut all);
    }
    all
}

/// Compares the versions of a name with the version that was changed last.
fn compare(all: &mut [Version]) {
    let files: Vec<Option<Snapshot>> = all.iter().map(Version::files).collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    let time = |index: usize| all.get(index).and_then(Version::modified);
    order.sort_by_key(|index| std::cmp::Reverse(time(*index)));
    let (Some(first), Some(second)) = (order.first().copied(), order.get(1).copied()) else {
        return;
    };
    // Of equal times, neither is newer.
    let is_clear = time(first) > time(second);
    for (index, version) in all.iter_mut().enumerate() {
        let other = if index == first { second } else { first };
        version.is_newest = is_clear && index == first;
        if let (Some(Some(own)), Some(Some(other))) = (files.get(index), files.get(other)) {
            version.difference = between(other, own);
        }
    }
}

impl Version {
    fn new(name: &str, digest: Option<Digest>, copies: Vec<SkillCopy>) -> Self {
        Self {
            name: name.to_owned(),
            digest,
            copies,
            state: VersionState::OnlyHere,
            difference: Vec::new(),
            is_newest: false,
            twice: Vec::new(),
            unsure: Vec::new(),
        }
    }

    /// Returns the time of the last change of a file in one of the copies.
    fn modified(&self) -> Option<Timestamp> {
        self.copies.iter().filter_map(|copy| copy.modified).max()
    }

    fn files(&self) -> Option<Snapshot> {
        let copy = self.copies.first()?;
        Snapshot::read(copy.link.as_deref().unwrap_or(&copy.path)).ok()
    }
}
