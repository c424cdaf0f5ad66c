//! The origin and the local changes of installed skills, and the stored decisions.

use crate::catalog::hashed::{digest, hashed};
use crate::catalog::options::CatalogOptions;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::Ctx;
use serde::Serialize;
#[cfg(feature = "agent")]
use skills_agent::schedule::ScheduleFile;
use skills_compiler::LOCK_FILE;
use skills_format::{Digest, Prose, RuleId, command, prose};
use skills_host::install::{ByHandState, CrateSource, Installed, Pins, installed};
use skills_repository::Provenance;
use skills_runtime::catalog::Disabled;
use skills_runtime::source::TrustRecord;
use skills_runtime::{Catalog, Diagnostic, Skill};
use skills_store::files::work::WORK_FOLDER;
use skills_store::{Error, ErrorKind, StateFile, Stored, TrustFile};
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
        let bundled = catalog.iter().filter(Skill::is_bundled);
        let mut index = Self {
            bundled: bundled
                .filter_map(|entry| {
                    let files = hashed(&entry).ok()?;
                    Some((entry.name().to_owned(), digest(&files)))
                })
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
    pub(crate) fn get(&self, entry: &Skill<'_>) -> Option<&Installed> {
        self.skills.get(&folder(entry)?)
    }

    pub(crate) fn provenance(&self, entry: &Skill<'_>) -> Option<ProvenanceJson> {
        let from = self.get(entry)?.locked.provenance.as_ref()?;
        Some(from.into())
    }

    /// Returns the short source of a skill; empty for a skill that was not installed.
    pub(crate) fn origin(&self, entry: &Skill<'_>) -> String {
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
    pub(crate) fn is_changed(&self, entry: &Skill<'_>) -> Option<bool> {
        let installed = self.get(entry)?;
        Some(installed.state == ByHandState::Changed)
    }

    /// Returns whether `update` passes over a skill.
    pub(crate) fn is_pinned(&self, entry: &Skill<'_>) -> bool {
        folder(entry).is_some_and(|folder| self.pinned.contains(&folder))
    }

    /// Returns the note beside the state of a skill; empty for most skills.
    pub(crate) fn words(&self, entry: &Skill<'_>) -> &'static str {
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
    fn copy(&self, entry: &Skill<'_>) -> Option<&'static str> {
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

fn folder(entry: &Skill<'_>) -> Option<PathBuf> {
    entry.folder().map(Path::to_owned)
}

// Trust covers one skill. A record in `trust.json` holds every entry of the skill's folder. A file that
// was rewritten with the same bytes, at another time, has not changed. The trusted texts are kept in the
// data folder, so that `skills trust --diff` can show the changes.

impl CatalogOptions {
    /// Reads the disabled skills from the state file and from `--disable`. Without a folder for settings there
    /// is no state file.
    pub(crate) fn switched_off(
        &self,
        env: &Environment,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Disabled, Failure> {
        let mut state = Disabled::default();
        if let Some(path) = self.state_path(env) {
            state = self.taken(StateFile::new(path).read(), diagnostics)?;
        }
        for id in &self.disable {
            state.ids.insert(id.clone());
        }
        Ok(state)
    }

    /// Reads the trusted skills. The file is not read when no source of the catalog requires trust: a damaged
    /// file then stops nothing.
    pub(crate) fn trusted(
        &self,
        env: &Environment,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Vec<TrustRecord>, Failure> {
        match self.trust_path(env) {
            Some(path) if self.asks_for_trust() => {
                self.taken(TrustFile::new(path).read(), diagnostics)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Returns the file of the disabled skills.
    pub(crate) fn state_file(&self, env: &Environment) -> Result<StateFile, Failure> {
        let path = self.state_path(env).ok_or_else(nowhere)?;
        Ok(StateFile::new(path))
    }

    /// Returns the file of the trusted skills: `trust.json`, beside the file of the disabled skills.
    pub(crate) fn trust_file(&self, env: &Environment) -> Result<TrustFile, Failure> {
        let path = self.trust_path(env).ok_or_else(nowhere)?;
        Ok(TrustFile::new(path))
    }

    /// Returns the file of the profile's schedules, or `None` without a folder for settings.
    #[cfg(feature = "agent")]
    pub(crate) fn schedule_file(&self, env: &Environment) -> Option<ScheduleFile> {
        let skills = self.profile().folders.scheduled.folder(&env.bases())?;
        Some(ScheduleFile::beside(&skills))
    }

    /// Returns the paths of the state file and the trust file. The files need not exist.
    #[cfg(feature = "mcp")]
    pub(crate) fn stored_paths(&self, env: &Environment) -> Vec<PathBuf> {
        let files = [self.state_path(env), self.trust_path(env)];
        files.into_iter().flatten().collect()
    }

    fn state_path(&self, env: &Environment) -> Option<PathBuf> {
        match &self.state {
            Some(file) => Some(env.absolute(file)),
            None => Some(env.config.as_ref()?.join("skills/skills.json")),
        }
    }

    fn trust_path(&self, env: &Environment) -> Option<PathBuf> {
        let state = self.state_path(env)?;
        Some(state.with_file_name("trust.json"))
    }

    /// Returns the value of a file, and collects its diagnostics. The diagnostics of a damaged file name the
    /// command that resets the file.
    fn taken<T>(
        &self,
        stored: Result<Stored<T>, Error>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<T, Failure> {
        let mut stored = stored.map_err(|error| {
            Failure::failed(
                &error,
                "fix or remove the file, or name another file with --state FILE",
            )
        })?;
        for found in &mut stored.diagnostics {
            if found.is(RuleId::StateDamaged) {
                found.help = self.reset_hint();
                found.message = prose!("{}; {}", &found.message, &found.help);
            }
        }
        diagnostics.extend(stored.diagnostics);
        Ok(stored.value)
    }

    /// Builds the failure for a file that could not be read or written.
    pub(crate) fn unwritten(&self, error: &Error) -> Failure {
        let help = match error.kind() {
            ErrorKind::NotUtf8 => "rename the folder",
            ErrorKind::Newer => "update this program",
            ErrorKind::Damaged => return Failure::failed(error, self.reset_hint()),
            _ => "name another file with --state FILE",
        };
        Failure::failed(error, help)
    }

    /// Returns the command that moves a damaged file of these options aside.
    pub(crate) fn reset_hint(&self) -> Prose {
        let reset = command("inspect state --reset");
        let reset = match &self.state {
            Some(file) => reset.word("--state").path(file),
            None => reset,
        };
        prose!("{} moves it aside", reset)
    }
}

fn nowhere() -> Failure {
    Failure::failed(
        "there is no folder for settings to store this in",
        "name a file with --state FILE",
    )
}

#[cfg(test)]
mod stored_tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn both_files_are_in_one_folder() {
        let env = Environment {
            working_folder: Some("/p".into()),
            config: Some("/home/c".into()),
            ..Environment::default()
        };
        let (mut options, nowhere) = (CatalogOptions::default(), Environment::default());
        let path = |options: &CatalogOptions, env| {
            let file = options.trust_file(env);
            file.map(|file| file.path().to_owned())
        };
        let at = path(&options, &env).expect("a file");
        assert_eq!(at, Path::new("/home/c/skills/trust.json"));
        assert!(path(&options, &nowhere).is_err());
        options.state = Some("kept/state.json".into());
        let at = path(&options, &env).expect("a file");
        assert_eq!(at, Path::new("/p/kept/trust.json"));
    }

    #[test]
    fn a_hint_names_the_file_as_a_shell_takes_it() {
        let mut options = CatalogOptions::default();
        assert_eq!(
            &*options.reset_hint(),
            "`skills inspect state --reset` moves it aside"
        );
        for (file, word) in [
            ("a/state.json", "a/state.json"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
        ] {
            options.state = Some(file.into());
            let hint = format!("`skills inspect state --reset --state {word}` moves it aside");
            assert_eq!(&*options.reset_hint(), hint);
        }
    }

    #[test]
    fn without_a_folder_for_settings_nothing_is_trusted() {
        let nowhere = Environment::default();
        let options = CatalogOptions::default();
        let trusted = options.trusted(&nowhere, &mut Vec::new());
        assert!(options.asks_for_trust() && trusted.is_ok_and(|records| records.is_empty()));
    }
}
