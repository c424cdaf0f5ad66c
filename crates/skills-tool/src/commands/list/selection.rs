//! The selection of skills for `skills list`.

use crate::catalog::find::did_you_mean;
use crate::outcome::Failure;
use clap::Args;
use fast_glob::glob_match;
use skills_runtime::{Catalog, Skill};
use std::collections::BTreeSet;

/// The options that choose the skills of a list. By default it has all of them.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Selection {
    /// Only skills with this text in the id or the description; with `*` or `?`, a pattern for the id
    pattern: Option<String>,
    /// Only skills of these sources
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    source: Vec<String>,
}

impl Selection {
    /// Refuses a source that the catalog does not have.
    pub(crate) fn check(&self, catalog: &Catalog) -> Result<(), Failure> {
        let known: BTreeSet<&str> = catalog.iter().map(|entry| entry.source()).collect();
        let unknown = self
            .source
            .iter()
            .find(|name| !known.contains(name.as_str()));
        let Some(unknown) = unknown else {
            return Ok(());
        };
        let names: Vec<&str> = known.iter().copied().collect();
        let help = did_you_mean(unknown, names.iter().copied())
            .unwrap_or_else(|| format!("sources with skills: {}", names.join(", ")));
        Err(Failure::not_so(
            format_args!("no source with skills has the name '{unknown}'"),
            help,
        ))
    }

    /// Returns the selected skills.
    pub(crate) fn of<'c>(&self, catalog: &'c Catalog) -> impl Iterator<Item = Skill<'c>> {
        catalog.iter().filter(move |entry| self.has(entry))
    }

    /// Returns the names of the skills that the pattern matches, and the pattern; nothing without a pattern.
    pub(crate) fn patterned(&self, catalog: &Catalog) -> Vec<String> {
        let Some(pattern) = &self.pattern else {
            return Vec::new();
        };
        let names = catalog
            .iter()
            .filter(|entry| matches(pattern, entry))
            .map(|entry| entry.name().to_owned());
        names.chain([pattern.clone()]).collect()
    }

    /// Returns a question that names the skill whose name is the nearest to the pattern.
    pub(crate) fn near(&self, catalog: &Catalog) -> Option<String> {
        let pattern = self.pattern.as_deref()?;
        did_you_mean(pattern, catalog.iter().map(|entry| entry.name()))
    }

    fn has(&self, entry: &Skill<'_>) -> bool {
        let source = entry.source();
        (self.source.is_empty() || self.source.iter().any(|name| name == source))
            && self
                .pattern
                .as_deref()
                .is_none_or(|pattern| matches(pattern, entry))
    }
}

/// Returns whether a skill matches a pattern. The match is case-insensitive.
fn matches(pattern: &str, entry: &Skill<'_>) -> bool {
    let pattern = pattern.to_lowercase();
    let id = entry.id().to_lowercase();
    if pattern.contains(['*', '?']) {
        let name = entry.name().to_lowercase();
        return glob_match(&pattern, &id) || glob_match(&pattern, &name);
    }
    id.contains(&pattern) || entry.description().to_lowercase().contains(&pattern)
}
