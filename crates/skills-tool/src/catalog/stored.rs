//! The two files with a person's decisions: the disabled skills, and the trusted skills.

// Trust covers one skill. A record in `trust.json` holds every entry of the skill's folder. A file that
// was rewritten with the same bytes, at another time, has not changed. The trusted texts are kept in the
// data folder, so that `skills trust --diff` can show the changes.

use crate::catalog::options::CatalogOptions;
use crate::environment::Environment;
use crate::outcome::Failure;
use skills_format::{Prose, RuleId, command, prose};
use skills_host::schedule::ScheduleFile;
use skills_runtime::Diagnostic;
use skills_runtime::catalog::State;
use skills_runtime::source::TrustRecord;
use skills_store::{Error, ErrorKind, StateFile, Stored, TrustFile};
use std::path::PathBuf;

impl CatalogOptions {
    /// Reads the disabled skills from the state file and from `--disable`. Without a folder for settings there
    /// is no state file.
    pub(crate) fn switched_off(
        &self,
        env: &Environment,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<State, Failure> {
        let mut state = State::new();
        if let Some(path) = self.state_path(env) {
            state = self.taken(StateFile::new(path).read(), diagnostics)?;
        }
        for id in &self.disable {
            state.disable(id);
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
mod tests {
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
