//! Decides eligibility: compares the needs of a skill with the facts of the host.

// The needs of a skill are read from `metadata.openclaw`. `os` may stand there or in `requires`. If
// `always` is set, only the operating system is compared.

use skills_format::Requires;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

type Has = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// What a host says of itself when it is asked.
#[derive(Clone)]
pub(crate) struct Host {
    pub(crate) os: String,
    pub(crate) has_program: Has,
    pub(crate) has_variable: Has,
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("os", &self.os)
            .finish_non_exhaustive()
    }
}

impl Host {
    /// Asks the host for what skills need.
    pub(crate) fn facts<'r>(&self, needs: impl Iterator<Item = &'r Requires>) -> Facts {
        let (mut bins, mut env) = (BTreeSet::new(), BTreeSet::new());
        for requires in needs {
            let named = requires.bins.iter().chain(requires.any_bins.iter());
            bins.extend(named.map(ToString::to_string));
            env.extend(requires.env.iter().map(ToString::to_string));
        }
        bins.retain(|program| (self.has_program)(program));
        env.retain(|variable| (self.has_variable)(variable));
        Facts {
            os: self.os.clone(),
            bins,
            env,
        }
    }
}

/// What a host has of the needs of its skills.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    os: String,
    bins: BTreeSet<String>,
    env: BTreeSet<String>,
}

impl Facts {
    /// Returns the needs of a skill that this host does not meet, as text. Empty: the skill is eligible.
    pub(crate) fn missing(&self, requires: &Requires) -> Vec<String> {
        let mut missing = Vec::new();
        let os = &requires.os;
        if !os.is_empty() && !os.iter().any(|os| os_name(os) == os_name(&self.os)) {
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
        let host = Facts {
            os: "linux".to_owned(),
            bins: ["git".to_owned()].into(),
            env: ["TOKEN".to_owned()].into(),
        };
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
            Facts {
                os: "macos".to_owned(),
                ..Facts::default()
            }
            .missing(&requires(&[], &[], &[], &["darwin"]))
            .is_empty()
        );
    }
}
