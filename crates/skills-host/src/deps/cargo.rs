//! The program `cargo`, which is asked for the dependencies of a workspace.

#![expect(clippy::disallowed_methods, reason = "the one file that starts cargo")]

use crate::git::observer::Observer;
use crate::git::process::{Done, Most, run};
use skills_format::{Prose, prose};
use skills_store::{Error, ErrorKind};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// The maximum size of cargo's answer. A workspace with 1,500 packages has 15 MiB.
const MAX_BYTES: u64 = 256 << 20;
/// The maximum number of lines of cargo's error that are shown.
const MAX_LINES: usize = 8;
/// The maximum length of a line of cargo's error, in characters.
const MAX_LINE: usize = 300;

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
            ..Most::default()
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

/// Creates the error of a call that failed, with the remedy for the cause.
fn failed(done: &Done, folder: &Path) -> Error {
    let said = said(&done.errors);
    let message: Prose = prose!("cargo cannot read the workspace of {}: {said}", folder);
    let help = if said.contains("could not find `Cargo.toml`") {
        "run it in the folder of a cargo workspace"
    } else if done.errors.contains("--frozen") || done.errors.contains("offline") {
        "run `cargo fetch` there, which downloads the sources and brings Cargo.lock up to date"
    } else if said.starts_with("toolchain ") && said.contains(" is not installed") {
        "run `rustup toolchain install` there, which downloads the toolchain that rust-toolchain.toml names"
    } else {
        "correct what cargo reports; `cargo metadata` there shows the same"
    };
    Error::new(ErrorKind::Program, message).help(help)
}

/// Returns cargo's error on one line, without its advice: it names options of a call that the person did not make.
fn said(errors: &str) -> String {
    let lines = errors
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && *line != "Caused by:")
        .skip_while(|line| !line.starts_with("error"));
    let is_advice = |line: &str| line.starts_with("help:") || line.starts_with("As a reminder");
    let lines = lines.take_while(|line| !is_advice(line));
    // The frame around an excerpt of a file.
    let lines = lines.filter(|line| !line.starts_with(['|', '^']));
    let short = |line: &str| -> String { line.chars().take(MAX_LINE).collect() };
    let lines: Vec<String> = lines.take(MAX_LINES).map(short).collect();
    if lines.is_empty() {
        return "it ended with an error and said nothing".to_owned();
    }
    let all = lines.join(": ");
    all.trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_on_one_line() {
        let errors = "warning: x\nerror: failed to download `a v1.0.0`\n\nCaused by:\n  attempting to make an HTTP \
                      request, but --frozen was specified\nhelp: remove the flag\n";
        assert_eq!(
            said(errors),
            "failed to download `a v1.0.0`: attempting to make an HTTP request, but --frozen was specified"
        );
        let errors = "error: no matching package found\nsearched: `a`\n  |\n1 | x\n  | ^\nAs a reminder, you're using\n";
        assert_eq!(
            said(errors),
            "no matching package found: searched: `a`: 1 | x"
        );
        assert_eq!(said(""), "it ended with an error and said nothing");
        assert!(said(&format!("error: {}", "x".repeat(1 << 20))).len() < 1000);
    }

    /// A stand-in for cargo answers with the variable.
    #[cfg(unix)]
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

    #[test]
    fn the_remedy_fits_the_cause() {
        for (errors, help) in [
            (
                "error: could not find `Cargo.toml` in `/x`",
                "the folder of a cargo workspace",
            ),
            (
                "error: cannot update the lock file because --frozen was passed",
                "cargo fetch",
            ),
            (
                "error: toolchain '1.70.0-x86_64-unknown-linux-gnu' is not installed",
                "rustup toolchain install",
            ),
            ("error: failed to parse manifest", "correct what cargo"),
        ] {
            let done = Done {
                code: Some(101),
                output: Vec::new(),
                is_over: false,
                errors: errors.to_owned(),
            };
            let error = failed(&done, Path::new("/x"));
            assert!(error.remedy().unwrap().contains(help), "{errors}");
        }
    }
}
