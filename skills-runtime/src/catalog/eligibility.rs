//! Decides eligibility: compares the needs of a skill with the facts of the host.

// The needs of a skill are read from `metadata.openclaw`. `os` may stand there or in `requires`. If
// `always` is set, only the operating system is compared.

use skills_format::Requires;
use std::collections::BTreeSet;

/// What a host has, or what skills need. Pure data: the host determines what it has of the needs of its skills.
///
/// ```
/// use skills_runtime::Catalog;
///
/// let catalog = Catalog::builder().load();
/// let mut facts = catalog.needs();
/// facts.os = std::env::consts::OS.to_owned();
/// facts.env.retain(|name| std::env::var(name).is_ok_and(|value| !value.trim().is_empty()));
/// facts.bins.retain(|_program| false); // those that the host can start
/// let catalog = catalog.with_facts(facts);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The operating system as [`std::env::consts::OS`] names it.
    pub os: String,
    /// Names of programs.
    pub bins: BTreeSet<String>,
    /// Names of environment variables. Of a host: of those that are set to more than white space.
    pub env: BTreeSet<String>,
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

impl Facts {
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
