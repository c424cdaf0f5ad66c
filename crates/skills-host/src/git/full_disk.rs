//! The full disk as the cause of a failure of git: of a file of settings, git only says that it cannot be written.

use crate::git::said::remedy_of_cause;
use skills_format::prose;
use skills_store::{Error, ErrorKind};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// The bytes that are written as a trial.
static TRIAL: [u8; 1 << 16] = [0; 1 << 16];

/// Adds the cause to the error of a call that wrote into a folder, if nothing can be written there and git did not say why.
pub(super) fn with_cause(error: Error, folder: &Path) -> Error {
    with_cause_by(try_to_write, error, folder)
}

fn with_cause_by(trial: fn(&Path) -> io::Result<()>, error: Error, folder: &Path) -> Error {
    let message = error.to_string();
    if error.kind() != ErrorKind::Program || remedy_of_cause(&message).is_some() {
        return error;
    }
    let Some(folder) = folder.ancestors().find(|folder| folder.is_dir()) else {
        return error;
    };
    let Err(cause) = trial(folder) else {
        return error;
    };
    let cause = cause.to_string();
    match remedy_of_cause(&cause) {
        Some(help) => {
            let message = prose!("{message}; nothing can be written to {}: {cause}", folder);
            Error::new(ErrorKind::Program, message).help(help)
        }
        None => error,
    }
}

/// Writes a file of some blocks, and removes it.
fn try_to_write(folder: &Path) -> io::Result<()> {
    let path = folder.join(format!(".trial-{}", std::process::id()));
    let written = File::create_new(&path).and_then(|mut file| file.write_all(&TRIAL));
    if written.is_ok() || path.exists() {
        fs::remove_file(&path)?;
    }
    written
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_cause_that_git_does_not_say() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("git/not/there");
        // As git 2.39 says it on a disk without a free block.
        let said = "cannot make a temporary repository: error: failed to write new configuration file /d/config.lock";
        let error = || Error::new(ErrorKind::Program, said).help("see");
        let full = |_: &Path| Err(io::Error::from_raw_os_error(28));
        let told = with_cause_by(full, error(), &folder);
        let cause = format!(
            "{said}; nothing can be written to {}: ",
            dir.path().display()
        );
        assert!(told.to_string().starts_with(&cause), "{told}");
        assert!(
            told.remedy()
                .is_some_and(|help| help.contains("free space"))
        );
        // Another cause, and a disk with room.
        let denied = |_: &Path| Err(io::ErrorKind::PermissionDenied.into());
        for trial in [denied, try_to_write] {
            assert_eq!(with_cause_by(trial, error(), &folder).to_string(), said);
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
