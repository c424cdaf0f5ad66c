//! Decides eligibility: compares the needs of a skill with the facts of the host.

// The needs of a skill are read from `metadata.openclaw`. `os` may stand there or in `requires`. If
// `always` is set, only the operating system is compared.

use skills_format::Requires;
use std::collections::BTreeSet;

/// The facts of a host: its operating system, programs and variables. Pure data: the host determines
/// what it has for the [`Needs`] of its skills.
///
/// ```
/// use skills_runtime::Catalog;
/// use skills_runtime::catalog::Facts;
///
/// let catalog = Catalog::builder().load();
/// let mut facts = Facts::new(std::env::consts::OS);
/// for name in catalog.needs().env {
///     let value = std::env::var(&name).unwrap_or_default();
///     if !value.trim().is_empty() {
///         facts = facts.env(name);
///     }
/// }
/// let catalog = catalog.with_facts(facts);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    os: String,
    bins: BTreeSet<String>,
    env: BTreeSet<String>,
}

/// The programs and variables that the skills of a catalog need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Needs {
    /// Names of programs.
    pub bins: BTreeSet<String>,
    /// Names of environment variables.
    pub env: BTreeSet<String>,
}

impl Facts {
    /// Makes the facts of a host without programs and variables. `os` is the operating system as
    /// [`std::env::consts::OS`] names it.
    pub fn new(os: &str) -> Self {
        Self {
            os: os_name(os),
            ..Self::default()
        }
    }

    /// Adds a program that the host can start.
    #[must_use]
    pub fn bin(mut self, name: impl Into<String>) -> Self {
        self.bins.insert(name.into());
        self
    }

    /// Adds an environment variable that is set. The host must not add a variable whose value is empty
    /// or only white space: such a variable does not meet a need.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>) -> Self {
        self.env.insert(name.into());
        self
    }

    /// Returns the needs of a skill that this host does not meet, as text. Empty: the skill is eligible.
    pub fn missing(&self, requires: &Requires) -> Vec<String> {
        let mut missing = Vec::new();
        let os = &requires.os;
        if !os.is_empty() && !os.iter().any(|os| os_name(os) == self.os) {
            missing.push(os.join(" or "));
        }
        let any = &requires.any_bins;
        if !any.is_empty() && !any.iter().any(|bin| self.bins.contains(&**bin)) {
            missing.push(any.join(" or "));
        }
        let bins = requires
            .bins
            .iter()
            .filter(|bin| !self.bins.contains(&***bin));
        missing.extend(bins.map(ToString::to_string));
        let env = requires
            .env
            .iter()
            .filter(|name| !self.env.contains(&***name));
        missing.extend(env.map(ToString::to_string));
        missing
    }
}

impl Needs {
    pub(crate) fn add(&mut self, requires: &Requires) {
        let bins = requires.bins.iter().chain(requires.any_bins.iter());
        self.bins.extend(bins.map(ToString::to_string));
        self.env
            .extend(requires.env.iter().map(ToString::to_string));
    }
}

/// Normalizes the name of an operating system. Skills write `darwin` and `win32` as often as `macos` and
/// `windows`.
fn os_name(os: &str) -> String {
    match os.to_lowercase().as_str() {
        "darwin" => "macos".to_owned(),
        "win32" => "windows".to_owned(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requires(
        bins: &[&'static str],
        any: &[&'static str],
        env: &[&'static str],
        os: &[&'static str],
    ) -> Requires {
        let list = |names: &[&'static str]| names.iter().map(|&name| name.into()).collect();
        Requires {
            bins: list(bins),
            any_bins: list(any),
            env: list(env),
            os: list(os),
            ..Requires::NONE
        }
    }

    #[test]
    fn needs() {
        let host = Facts::new("linux").bin("git").env("TOKEN");
        assert!(host.missing(&Requires::NONE).is_empty());
        let met = requires(&["git"], &["hg", "git"], &["TOKEN"], &["darwin", "Linux"]);
        assert!(host.missing(&met).is_empty());
        let unmet = requires(
            &["git", "ffmpeg"],
            &["hg", "svn"],
            &["KEY"],
            &["darwin", "win32"],
        );
        assert_eq!(
            host.missing(&unmet),
            ["darwin or win32", "hg or svn", "ffmpeg", "KEY"]
        );
        assert!(
            Facts::new("macos")
                .missing(&requires(&[], &[], &[], &["darwin"]))
                .is_empty()
        );
    }
}
