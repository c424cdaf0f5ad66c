//! One skill as data, for documents and for printed lines.

use crate::catalog::options::CatalogOptions;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::Ctx;
use serde::Serialize;
use serde_json::{Value, json};
#[cfg(feature = "agent")]
use skills_agent::schedule::{SCHEDULES, ScheduleFile};
use skills_compiler::LOCK_FILE;
use skills_format::Digest;
use skills_host::files::work::WORK_FOLDER;
use skills_host::install::{ByHandState, CrateSource, Installed, Pins, installed};
use skills_profiles::Profile;
use skills_repository::Provenance;
use skills_runtime::source::TrustRecord;
use skills_runtime::{Catalog, Diagnostic, Error, ErrorKind, Skill};
use skills_session::Dialect as _;
use skills_session::commands::CommandSpec;
use skills_store::{Disabled, StateFile, TrustFile};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The slash commands of a catalog under a profile.
pub(crate) struct CommandIndex {
    /// The names of the commands, by skill id.
    names: BTreeMap<String, String>,
}

impl CommandIndex {
    pub(crate) fn new(catalog: &Catalog, profile: &Profile) -> Self {
        let commands = profile.commands(catalog);
        let by_skill = |command: CommandSpec| (command.skill, command.name);
        Self {
            names: commands.into_iter().map(by_skill).collect(),
        }
    }

    fn of(&self, entry: &Skill<'_>) -> Option<String> {
        let command = self.names.get(&*entry.id());
        command
            .or_else(|| self.names.get(&entry.to_string()))
            .cloned()
    }
}

/// Returns a skill of the catalog as a document. Fields are added, never renamed.
pub(crate) fn documented(
    entry: &Skill<'_>,
    commands: &CommandIndex,
    installed: &InstalledIndex,
    env: &Environment,
) -> Value {
    let fields = entry.fields();
    let mut document = json!({
        "name": entry.name(),
        "id": entry.id(),
        "source": entry.source(),
        "description": entry.description(),
        // Relative when it is below the working folder; null for a bundled skill.
        "path": entry.folder().map(|path| env.documented(path)),
        "enabled": entry.is_enabled(),
        "trusted": entry.is_trusted(),
        "sealed": fields.sealed,
        "user_invocable": fields.user_invocable,
        "model_invocable": !fields.disable_model_invocation,
        // The spellings that close the skill to the model or to a person.
        "closed_by": fields.closed_by,
        "shadowed_by": entry.shadowed_by().map(|other| other.id()),
        "aliases": fields.aliases,
        // The name of the slash command; null when no slash command starts this skill.
        "command": commands.of(entry),
        // The needs of the skill that this machine does not meet.
        "missing": entry.missing(),
        "state": StateWord::of(entry),
        // Null for a skill that was not installed.
        "provenance": installed.provenance(entry),
        "changed": installed.is_changed(entry),
    });
    if installed.is_pinned(entry) {
        document["pinned"] = true.into();
    }
    document
}

/// The state of a skill in one word: the first reason why it does not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StateWord {
    /// It can be started
    Enabled,
    /// A person disabled it
    Disabled,
    /// No person trusts it yet, or it has changed since
    Untrusted,
    /// This machine does not meet its needs
    Ineligible,
    /// Another skill has its name and a higher rank
    Shadowed,
}

impl StateWord {
    pub(crate) fn of(entry: &Skill<'_>) -> Self {
        if entry.shadowed_by().is_some() {
            Self::Shadowed
        } else if !entry.is_enabled() {
            Self::Disabled
        } else if !entry.is_trusted() {
            Self::Untrusted
        } else if entry.missing().is_empty() {
            Self::Enabled
        } else {
            Self::Ineligible
        }
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Disabled => "disabled",
            Self::Untrusted => "untrusted",
            Self::Ineligible => "ineligible",
            Self::Shadowed => "shadowed",
        }
    }
}

/// Describes the state of a skill: one word, and what else is to be known, such as `more`.
pub(crate) fn state(entry: &Skill<'_>, more: &[&str]) -> String {
    let word = StateWord::of(entry);
    let fields = entry.fields();
    let (user, model) = (fields.user_invocable, !fields.disable_model_invocation);
    let (untrusted, disabled) = (!entry.is_trusted(), !entry.is_enabled());
    let needs = match entry.missing() {
        missing if missing.is_empty() => String::new(),
        missing => format!("needs {}", missing.join(", ")),
    };
    let if_so = |holds: bool, detail: &'static str| if holds { detail } else { "" };
    let mut details = vec![
        needs.as_str(),
        if_so(untrusted && word != StateWord::Untrusted, "untrusted"),
        if_so(has_changed(entry), "changed"),
        if_so(disabled && word != StateWord::Disabled, "disabled"),
        if_so(fields.sealed, "sealed"),
        match (user, model) {
            (false, false) => "nobody can start it",
            (false, true) => "only the model can start it",
            (true, false) => "only you can start it",
            (true, true) => "",
        },
    ];
    details.extend(more);
    details.retain(|detail| !detail.is_empty());
    let mut words = word.as_str().to_owned();
    if let Some(other) = entry.shadowed_by() {
        words = format!("{words} by {}", other.id());
    }
    if details.is_empty() {
        return words;
    }
    format!("{words}; {}", details.join(", "))
}

/// Builds the failure for a listed skill that cannot be started or read now.
pub(crate) fn unreadable(entry: &Skill<'_>, error: &skills_runtime::Error) -> Failure {
    match error.kind() {
        ErrorKind::Untrusted => Failure::not_so(error, Failure::TRUST_AGAIN),
        ErrorKind::Arguments => Failure::not_so(error, "`skills show ID` lists its arguments"),
        _ if entry.is_bundled() => Failure::failed(error, "please report this as a bug"),
        ErrorKind::Schema => Failure::not_so(error, "`skills check` shows the fault in its line"),
        _ => Failure::failed(error, "`skills check` shows what is wrong"),
    }
}

/// Returns whether a person decides about the trust in the skill. Otherwise its source is always trusted.
pub(crate) fn asks_for_trust(entry: &Skill<'_>) -> bool {
    !entry.is_trusted() || entry.trusted_record().is_some()
}

/// Returns whether a person trusted the skill, and it has changed since.
pub(crate) fn has_changed(entry: &Skill<'_>) -> bool {
    matches!(entry.trusted_record(), Some((_, Some(_))))
}

pub(crate) fn body<'c>(entry: &Skill<'c>) -> Result<Cow<'c, str>, Failure> {
    entry.body().map_err(|error| unreadable(entry, &error))
}

/// Reads every file of a skill, the `SKILL.md` first.
pub(crate) fn files(entry: &Skill<'_>) -> Result<Vec<FileJson>, Failure> {
    hashed(entry).map_err(|error| unreadable(entry, &error))
}

/// Computes the trust digest, over every entry of the skill's folder. Returns `None` for a skill that
/// requires no trust. The error says why the skill cannot be trusted.
pub(crate) fn trust_digest(entry: &Skill<'_>) -> Option<Result<Digest, skills_runtime::Error>> {
    let asks = asks_for_trust(entry);
    asks.then(|| entry.trust_record().map(|record| record.digest()))
}

#[derive(Serialize)]
pub(crate) struct FileJson {
    pub(crate) path: String,
    pub(crate) size: u64,
    sha256: String,
    #[serde(skip)]
    digest: Digest,
}

/// Reads and hashes every file of a skill, the `SKILL.md` first.
pub(crate) fn hashed(entry: &Skill<'_>) -> Result<Vec<FileJson>, Error> {
    /// The bound of an install.
    const MOST: u64 = 256 * 1024 * 1024;
    let within = |bytes: u64| {
        if bytes <= MOST {
            return Ok(());
        }
        let name = entry.name();
        let what = format!("skill '{name}': its files have {bytes} bytes; the maximum is {MOST}");
        Err(Error::new(ErrorKind::Refused, what))
    };
    let listed = entry.files()?;
    within(listed.iter().map(|file| file.size).sum())?;
    let (mut files, mut read) = (Vec::new(), 0);
    for file in listed {
        let bytes = entry.read(&file.path)?;
        let size = bytes.len() as u64;
        // A file can have grown since its length was read.
        read += size;
        within(read)?;
        let digest = Digest::of(&bytes);
        files.push(FileJson {
            path: file.path.into_owned(),
            size,
            sha256: digest.to_string(),
            digest,
        });
    }
    Ok(files)
}

/// Computes the digest over the paths, lengths and digests of the files.
pub(crate) fn digest(files: &[FileJson]) -> Digest {
    let mut digested: Vec<_> = files
        .iter()
        .map(|file| (file.path.as_str(), file.size, file.digest))
        .collect();
    digested.sort_by(|(a, ..), (b, ..)| a.as_bytes().cmp(b.as_bytes()));
    Digest::of_files(digested)
}

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
            .filter_map(|entry| Some(entry.folder()?.parent()?.to_owned()))
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
        self.skills.get(entry.folder()?)
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
        entry
            .folder()
            .is_some_and(|folder| self.pinned.contains(folder))
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
    // A remote repository is shown as owner and name, a local source by its name: by two where `skills` says nothing.
    let parts: Vec<&str> = source.rsplit(['/', ':']).take(2).collect();
    let source = match parts[..] {
        [name, owner] if is_remote || name == "skills" => format!("{owner}/{name}"),
        [name, ..] if !source.starts_with("program ") => name.to_owned(),
        _ => source.to_owned(),
    };
    match &from.requested {
        Some(revision) => format!("{source} at {revision}"),
        None => source,
    }
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
        Some(ScheduleFile::new(skills.with_file_name(SCHEDULES)))
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
        let config = self.config.as_ref();
        let config = config.ok_or_else(Failure::no_settings_folder)?;
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
