//! The program `cargo`, which is asked for the dependencies of a workspace.

#![expect(clippy::disallowed_methods, reason = "the one file that starts cargo")]

use crate::git::observer::Observer;
use crate::git::process::{Done, Most, run};
use skills_format::prose;
use skills_store::{Error, ErrorKind};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// The maximum size of cargo's answer. A workspace with 1,500 packages has 15 MiB.
const MAX_BYTES: u64 = 256 << 20;
/// The maximum number of lines and of characters of cargo's error that are shown.
const MAX_LINES: usize = 8;
const MAX_CHARACTERS: usize = 900;

/// The program `cargo`.
#[derive(Clone, Debug)]
pub struct Cargo {
    program: OsString,
}

impl Cargo {
    /// Creates the program from its path, or from its name on the search path.
    pub fn new(program: impl Into<OsString>) -> Self {
        let program = program.into();
        Self { program }
    }

    /// Returns what `cargo metadata` says about the workspace of a folder. Nothing is downloaded, and `Cargo.lock` is
    /// not changed.
    ///
    /// Cargo runs what the configuration of the folder and of its parents names, such as a `rustc-wrapper`.
    pub(crate) fn metadata(
        &self,
        folder: &Path,
        observer: &dyn Observer,
    ) -> Result<Vec<u8>, Error> {
        let mut command = Command::new(&self.program);
        // Otherwise rustup downloads the toolchain that a `rust-toolchain.toml` of the folder names.
        command.env("RUSTUP_AUTO_INSTALL", "0");
        command.current_dir(folder).args([
            "metadata",
            "--frozen",
            "--format-version=1",
            // An optional dependency is one all the same: `Cargo.lock` and `cargo fetch` have it too.
            "--all-features",
            "--color=never",
        ]);
        let most = Most {
            bytes: MAX_BYTES,
            // No limit: cargo runs rustc, which reserves more than it uses.
            memory: u64::MAX,
        };
        let done = run(command, "read the workspace", &[], most, observer)?;
        if done.is_over {
            let message = prose!(
                "cargo says more than {} MiB about the workspace of {}",
                (MAX_BYTES >> 20).to_string(),
                folder
            );
            return Err(Error::new(ErrorKind::Refused, message)
                .help("run it in a workspace with fewer dependencies"));
        }
        match done.code {
            Some(0) => Ok(done.output),
            _ => Err(failed(&done, folder)),
        }
    }
}

/// Creates the error of a call that failed, with the beginning of what cargo said.
fn failed(done: &Done, folder: &Path) -> Error {
    let lines = done
        .errors
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let said: Vec<&str> = lines
        .skip_while(|line| !line.starts_with("error"))
        .take(MAX_LINES)
        .collect();
    let said: String = said.join(" ").chars().take(MAX_CHARACTERS).collect();
    let said = said.trim_start_matches("error: ");
    let message = prose!("cargo cannot read the workspace of {}: {said}", folder);
    Error::new(ErrorKind::Program, message).help(
        "run it in a cargo workspace; `cargo fetch` there downloads missing sources and brings Cargo.lock up to date",
    )
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A stand-in for cargo answers with the variable.
    #[test]
    fn rustup_downloads_no_toolchain() {
        use crate::git::observer::Quiet;
        use std::fs::{self, Permissions};
        use std::os::unix::fs::PermissionsExt as _;

        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("cargo");
        fs::write(&program, "#!/bin/sh\nprintf %s \"$RUSTUP_AUTO_INSTALL\"\n").unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        let answer = Cargo::new(program).metadata(dir.path(), &Quiet).unwrap();
        assert_eq!(answer, b"0");
    }
}
