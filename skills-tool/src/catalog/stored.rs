//! What a person said before: what is switched off, and what is trusted.

use crate::catalog::options::CatalogOptions;
use crate::environment::Environment;
use crate::outcome::Failure;
use skills_host::{Error, ErrorKind, StateFile, Stored, TrustFile};
use skills_runtime::{Diagnostic, State, Trust};
use std::path::PathBuf;

impl CatalogOptions {
    /// What is switched off: as it was kept, and as this call says. Without a folder for settings
    /// nothing is kept.
    pub(crate) fn switched_off(
        &self,
        environment: &Environment,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<State, Failure> {
        let mut state = State::new();
        if let Some(path) = self.state_path(environment) {
            state = taken(StateFile::new(path).read(), diagnostics)?;
        }
        for id in &self.disable {
            state.disable(id);
        }
        Ok(state)
    }

    /// What a person has trusted. Not read where no source of the catalog asks for it, so that what
    /// is wrong with the file is in nobody's way.
    pub(crate) fn trusted(
        &self,
        environment: &Environment,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Vec<Trust>, Failure> {
        match self.trust_path(environment) {
            Some(path) if self.asks_for_trust() => taken(TrustFile::new(path).read(), diagnostics),
            _ => Ok(Vec::new()),
        }
    }

    /// The file of what is switched off.
    pub(crate) fn state_file(&self, environment: &Environment) -> Result<StateFile, Failure> {
        let path = self.state_path(environment).ok_or_else(nowhere)?;
        Ok(StateFile::new(path))
    }

    /// The file of what is trusted: `trust.json`, beside that of what is switched off.
    pub(crate) fn trust_file(&self, environment: &Environment) -> Result<TrustFile, Failure> {
        let path = self.trust_path(environment).ok_or_else(nowhere)?;
        Ok(TrustFile::new(path))
    }

    fn state_path(&self, environment: &Environment) -> Option<PathBuf> {
        match &self.state {
            Some(file) => Some(environment.absolute(file)),
            None => Some(environment.config.as_ref()?.join("skills/skills.json")),
        }
    }

    fn trust_path(&self, environment: &Environment) -> Option<PathBuf> {
        let state = self.state_path(environment)?;
        Some(state.with_file_name("trust.json"))
    }
}

fn taken<T>(
    stored: Result<Stored<T>, Error>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<T, Failure> {
    let stored = stored.map_err(|error| {
        Failure::failed(
            error,
            "mend or remove it, or name another with --state FILE",
        )
    })?;
    diagnostics.extend(stored.diagnostics);
    Ok(stored.value)
}

fn nowhere() -> Failure {
    Failure::failed(
        "there is no folder for settings to keep this in",
        "name a file with --state FILE",
    )
}

/// Why a file was not written.
pub(crate) fn unwritten(error: &Error) -> Failure {
    let help = match error.kind() {
        ErrorKind::NotUtf8 => "rename the folder",
        _ => "name another file with --state FILE",
    };
    Failure::failed(error, help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_files_lie_beside_each_other() {
        let environment = Environment {
            working_folder: Some("/p".into()),
            config: Some("/home/c".into()),
            ..Environment::default()
        };
        let (mut options, nowhere) = (CatalogOptions::default(), Environment::default());
        let path = |options: &CatalogOptions, environment| {
            let file = options.trust_file(environment);
            file.map(|file| file.path().to_owned())
        };
        let at = path(&options, &environment).expect("a file");
        assert_eq!(at, Path::new("/home/c/skills/trust.json"));
        assert!(path(&options, &nowhere).is_err());
        options.state = Some("kept/state.json".into());
        let at = path(&options, &environment).expect("a file");
        assert_eq!(at, Path::new("/p/kept/trust.json"));
    }

    #[test]
    fn without_a_folder_for_settings_nothing_is_trusted() {
        let nowhere = Environment::default();
        let options = CatalogOptions::default();
        let trusted = options.trusted(&nowhere, &mut Vec::new());
        assert!(options.asks_for_trust() && trusted.is_ok_and(|records| records.is_empty()));
    }
}
