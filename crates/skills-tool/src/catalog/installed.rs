//! The origin and the local changes of installed skills, and the stored decisions.

use crate::catalog::options::CatalogOptions;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::Ctx;
use serde_json::{Value, json};
#[cfg(feature = "agent")]
use skills_agent::schedule::ScheduleFile;
use skills_compiler::LOCK_FILE;
use skills_host::files::work::WORK_FOLDER;
use skills_host::install::{ByHandState, CrateSource, Installed, Pins, installed};
use skills_repository::Provenance;
use skills_runtime::source::TrustRecord;
use skills_runtime::{Catalog, Diagnostic, Skill};
use skills_store::{Disabled, StateFile, TrustFile};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The installed skills of a catalog, by folder.
#[derive(Default)]
pub(crate) struct InstalledIndex {
    skills: BTreeMap<PathBuf, Installed>,
    /// The folders of the pinned skills.
    pinned: BTreeSet<PathBuf>,
}

impl InstalledIndex {
    /// Reads the locks of the folders that hold skills of a catalog. An unreadable lock is reported as a
    /// warning.
    pub(crate) fn new(catalog: &Catalog, cx: &mut Ctx) -> Self {
        let mut index = Self::default();
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
    pub(crate) fn get(&self, entry: &Skill<'_>) -> Option<&Installed> {
        self.skills.get(&folder(entry)?)
    }

    /// Returns the source of an installed skill, as in documents.
    pub(crate) fn provenance(&self, entry: &Skill<'_>) -> Option<Value> {
        let from = self.get(entry)?.locked.provenance.as_ref()?;
        let (source, requested) = (from.shown_source(), &from.requested);
        Some(
            json!({ "source": source, "path": from.path, "requested": requested, "commit": from.commit }),
        )
    }

    /// Returns the short source of a skill; empty for a skill that was not installed.
    pub(crate) fn origin(&self, entry: &Skill<'_>) -> String {
        let skill = self.get(entry);
        let from = skill.and_then(|skill| skill.locked.provenance.as_ref());
        from.map_or_else(String::new, short_origin)
    }

    /// Returns whether an installed skill has local changes; added files do not count. Returns `None` for a
    /// skill that was not installed.
    pub(crate) fn is_changed(&self, entry: &Skill<'_>) -> Option<bool> {
        Some(self.get(entry)?.state == ByHandState::Changed)
    }

    /// Returns whether `update` passes over a skill.
    pub(crate) fn is_pinned(&self, entry: &Skill<'_>) -> bool {
        folder(entry).is_some_and(|folder| self.pinned.contains(&folder))
    }

    /// Returns the note beside the state of a skill; empty for most skills.
    pub(crate) fn words(&self, entry: &Skill<'_>) -> &'static str {
        match self.get(entry).map(|installed| installed.state) {
            Some(ByHandState::Changed) => "local changes",
            Some(ByHandState::Added) => "added files",
            _ => "",
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

fn folder(entry: &Skill<'_>) -> Option<PathBuf> {
    entry.folder().map(Path::to_owned)
}

// Trust covers one skill. A record in `trust.json` holds every entry of the skill's folder. A file that
// was rewritten with the same bytes, at another time, has not changed. The trusted texts are kept in the
// data folder, so that `skills trust --diff` can show the changes.

impl CatalogOptions {
    /// Reads the trusted skills. The file is not read when no source of the catalog requires trust: a damaged
    /// file then stops nothing.
    pub(crate) fn trusted(
        &self,
        env: &Environment,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Vec<TrustRecord>, Failure> {
        if !self.asks_for_trust() || env.config.is_none() {
            return Ok(Vec::new());
        }
        let stored = env.trust_file()?.read()?;
        diagnostics.extend(stored.diagnostics);
        Ok(stored.value)
    }

    /// Returns the file of the profile's schedules, or `None` without a folder for settings.
    #[cfg(feature = "agent")]
    pub(crate) fn schedule_file(&self, env: &Environment) -> Option<ScheduleFile> {
        let skills = self.profile().folders.scheduled.folder(&env.bases())?;
        Some(ScheduleFile::beside(&skills))
    }
}

impl Environment {
    /// Reads the disabled skills. Without a folder for settings, none are.
    pub(crate) fn disabled(&self, diagnostics: &mut Vec<Diagnostic>) -> Result<Disabled, Failure> {
        if self.config.is_none() {
            return Ok(Disabled::default());
        }
        let stored = self.state_file()?.read()?;
        diagnostics.extend(stored.diagnostics);
        Ok(stored.value)
    }

    /// Returns the file of the disabled skills.
    pub(crate) fn state_file(&self) -> Result<StateFile, Failure> {
        self.stored("skills.json").map(StateFile::new)
    }

    /// Returns the file of the trusted skills.
    pub(crate) fn trust_file(&self) -> Result<TrustFile, Failure> {
        self.stored("trust.json").map(TrustFile::new)
    }

    fn stored(&self, name: &str) -> Result<PathBuf, Failure> {
        let config = self.config.as_ref().ok_or_else(|| {
            Failure::failed(
                "there is no folder for settings",
                "set HOME, or XDG_CONFIG_HOME",
            )
        })?;
        Ok(config.join("skills").join(name))
    }
}

#[cfg(test)]
mod stored_tests {
    use super::*;

    #[test]
    fn without_a_folder_for_settings_nothing_is_trusted() {
        let nowhere = Environment::default();
        let options = CatalogOptions::default();
        let trusted = options.trusted(&nowhere, &mut Vec::new());
        assert!(options.asks_for_trust() && trusted.is_ok_and(|records| records.is_empty()));
    }
}
