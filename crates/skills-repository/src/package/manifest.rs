//! Finds files that `cargo package` would leave out silently.
//!
//! Cargo leaves out every folder with a `Cargo.toml` of its own, which is read here; `losses` reads the rest.

#![expect(
    clippy::disallowed_methods,
    reason = "reads what decides what cargo packages"
)]

use skills_format::disk::read_text;
use skills_format::{Diagnostic, Prose, RuleId, Severity, Tree, join};
use skills_lint::{Config, rules};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The rule that reports these files.
pub(crate) const RULE: RuleId = RuleId::PackageLoss;

/// Returns the severity of the rule's findings; `None` if the rule is allowed.
pub(crate) fn severity(config: &Config) -> Option<Severity> {
    match rules::find(RULE.as_str()) {
        Some(rule) => config.severity(rule),
        None => Some(Severity::Warning),
    }
}

impl Package {
    /// Reports the files that the package would lack. `more` returns a further reason why the package lacks a file.
    pub(crate) fn check(
        &mut self,
        root: &str,
        shown: &str,
        tree: &Tree,
        config: &Config,
        more: &mut dyn FnMut(&str) -> Option<Loss>,
    ) -> Vec<Diagnostic> {
        let Some(severity) = severity(config).filter(|_| !self.private) else {
            return Vec::new();
        };
        let reported = |path: &str, message: Prose, help: &str| {
            Diagnostic::new(RULE, severity, path, message).help(help)
        };
        if root == ".." || root.starts_with("../") {
            let message = "`cargo package` leaves this out: it is outside the package".into();
            let help = "move it into the package, or set `publish = false` in Cargo.toml";
            return vec![reported(shown, message, help)];
        }
        // By the folder of the skill and the reason, which hold no line break.
        let mut lost: BTreeMap<String, (Loss, Vec<String>)> = BTreeMap::new();
        let skills = tree.skills().into_iter();
        // A larger skill is not bundled, so nothing of it is lost.
        for skill in skills.filter(|skill| skill.files.len() <= config.limits.skill_files) {
            for file in skill.files {
                let path = join(root, &file.path);
                if let Some(loss) = self.nested_in(&path).or_else(|| more(&path)) {
                    let path = join(shown, &file.path);
                    let key = format!("{}\n{}", skill.dir, loss.reason);
                    lost.entry(key).or_insert((loss, Vec::new())).1.push(path);
                }
            }
        }
        lost.values()
            .filter_map(|(loss, paths)| {
                let more = match paths.len() - 1 {
                    0 => String::new(),
                    1 => " and one more file".to_owned(),
                    more => format!(" and {more} more files"),
                };
                let message = Prose::from(format!("`cargo package` leaves this{more} out: "));
                Some(reported(
                    paths.first()?,
                    message.and(&loss.reason),
                    loss.help,
                ))
            })
            .collect()
    }
}

/// The reason why the package lacks a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Loss {
    reason: Prose,
    help: &'static str,
}

impl Loss {
    /// Creates a loss from a reason, which ends the message, and a help text.
    pub(crate) fn new(reason: impl Into<Prose>, help: &'static str) -> Self {
        Self {
            reason: reason.into(),
            help,
        }
    }
}

/// The part of a manifest that every build checks.
pub(crate) struct Package {
    /// The folder of the manifest.
    pub(crate) base: PathBuf,
    /// True if the package is never published.
    pub(crate) private: bool,
    /// The folders of the package looked at so far, with `true` if a folder has a `Cargo.toml`.
    nested: BTreeMap<String, bool>,
}

impl Package {
    /// Reads the manifest in a folder. Returns `None` if the folder is not a package.
    pub(crate) fn read(base: &Path) -> Option<Self> {
        let base = if base == Path::new("") {
            Path::new(".")
        } else {
            base
        };
        let base = fs::canonicalize(base).ok()?;
        let manifest = read_text(&base.join("Cargo.toml")).ok()?;
        let manifest = DeTable::parse(&manifest).ok()?;
        let package = manifest.get_ref().get("package")?.get_ref().as_table()?;
        let private = match package.get("publish").map(Spanned::get_ref) {
            Some(DeValue::Boolean(publish)) => !publish,
            Some(DeValue::Array(registries)) => registries.is_empty(),
            _ => false,
        };
        Some(Self {
            private,
            base,
            nested: BTreeMap::new(),
        })
    }

    fn nested_in(&mut self, path: &str) -> Option<Loss> {
        let folder = folders(path).find(|folder| self.is_nested(folder))?;
        let reason = Prose::from("`").path(folder);
        Some(Loss::new(
            reason.words("` has a Cargo.toml of its own"),
            "rename that file, for example to `Cargo.toml.txt`",
        ))
    }

    fn is_nested(&mut self, folder: &str) -> bool {
        if let Some(known) = self.nested.get(folder) {
            return *known;
        }
        let is = self.base.join(folder).join("Cargo.toml").exists();
        self.nested.insert(folder.to_owned(), is);
        is
    }
}

/// Returns the folders above a path, the outermost first.
pub(crate) fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}
