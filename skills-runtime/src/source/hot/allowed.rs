//! Decides whether this process reads bundles from their folders.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo and a person say by variables that the program is being worked on"
)]

use crate::source::hot::findings::{self, SWITCH};
use skills_format::Diagnostic;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    On,
    Off,
}

/// The variables that decide.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    /// `SKILLS_HOT`
    pub(crate) switch: Option<OsString>,
    /// `CARGO_MANIFEST_DIR`: the package whose program, test or example cargo started.
    pub(crate) manifest: Option<PathBuf>,
    /// `USERPROFILE`: the folder of the user on Windows.
    pub(crate) profile: Option<PathBuf>,
    /// The folder that relative paths of this process begin at.
    pub(crate) current: Option<PathBuf>,
}

impl Environment {
    pub(crate) fn read() -> Self {
        Self {
            switch: env::var_os(SWITCH),
            manifest: env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from),
            profile: env::var_os("USERPROFILE").map(PathBuf::from),
            current: env::current_dir().ok(),
        }
    }

    /// Returns a path as a person opens it where this program was started: relative to that folder if the path is below
    /// it, else whole.
    pub(crate) fn shown<'p>(&self, path: &'p Path) -> &'p Path {
        let current = self.current.as_deref();
        let below = current.and_then(|current| path.strip_prefix(current).ok());
        below.unwrap_or(path)
    }

    /// Decides about a bundle, by the manifest that it was compiled with. A misspelt switch is reported, and counts
    /// as if it were not set.
    pub(crate) fn switch(&self, baked: &Path) -> (Switch, Option<Diagnostic>) {
        let misspelt = match self.switch.as_ref().map(|value| value.to_string_lossy()) {
            Some(value) if value == "1" => return (Switch::On, None),
            Some(value) if value == "0" => return (Switch::Off, None),
            Some(value) if !value.is_empty() => Some(findings::misspelt(&value)),
            _ => None,
        };
        let is_started = self.manifest.as_deref().is_some_and(|started| {
            // A bundle is often a package of its own beside the program.
            started == baked || workspace(started).is_some_and(|root| baked.starts_with(root))
        });
        let switch = if is_started { Switch::On } else { Switch::Off };
        (switch, misspelt)
    }
}

/// Returns the root of the workspace that a package belongs to: the nearest folder with a `Cargo.lock`, which cargo
/// writes before it starts a program.
pub(crate) fn workspace(manifest: &Path) -> Option<&Path> {
    manifest
        .ancestors()
        .find(|above| above.join("Cargo.lock").is_file())
}
