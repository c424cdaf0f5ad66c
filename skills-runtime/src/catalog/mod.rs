//! All skills of all sources, merged once, never changed.

#![doc = include_str!("../../docs/catalog.md")]

pub(crate) mod builder;
pub(crate) mod diagnostics;
pub(crate) mod eligibility;
pub(crate) mod enable;
pub(crate) mod entry;
pub(crate) mod files;
pub(crate) mod merge;
pub(crate) mod names;
pub(crate) mod places;
#[cfg(feature = "discover")]
pub(crate) mod reload;
pub(crate) mod state;
#[cfg(feature = "watch")]
pub(crate) mod watch;

pub use crate::turn::resolution::Plugins;
pub use builder::{CatalogBuilder, Loaded};
pub use eligibility::{Facts, Needs};
pub use enable::SwitchedOn;
pub use entry::{Entry, Location};
pub use files::ResourceInfo;
pub use places::{BundledPlace, Places};
#[cfg(feature = "discover")]
pub use reload::Reloaded;
pub use state::State;
#[cfg(feature = "watch")]
pub use watch::Watch;

use crate::bundle::{Bundle, SkillRef};
use crate::catalog::merge::{Answer, Index, Spot, Spots};
use crate::source::Source;
use skills_format::nfc;
use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Every skill that a program has, from all sources. Immutable, `Send + Sync`, cheap to clone.
///
/// A lookup of a name costs one hash of the names that folders brought, and one of the bundle's
/// where no folder has it; it allocates nothing.
#[derive(Clone)]
pub struct Catalog {
    inner: Arc<Inner>,
}

struct Inner {
    merged: Arc<Merged>,
    state: State,
    facts: Option<Facts>,
}

/// The skills, without what is laid over them.
pub(crate) struct Merged {
    /// What they were read by.
    pub(crate) builder: CatalogBuilder,
    /// Highest rank first; of equal rank by name.
    pub(crate) sources: Vec<Source>,
    /// The sources that are bundles.
    pub(crate) bundles: Vec<(usize, &'static Bundle)>,
    /// Names of folder skills, whoever else has them.
    pub(crate) names: Index,
    /// Aliases of folder skills, but for those that have a nearer namesake in their source.
    pub(crate) aliases: Index,
}

impl Catalog {
    /// Starts a catalog with no source.
    pub fn builder() -> CatalogBuilder {
        CatalogBuilder::default()
    }

    pub(crate) fn new(merged: Merged, state: State, facts: Option<Facts>) -> Self {
        Self {
            inner: Arc::new(Inner {
                merged: Arc::new(merged),
                state,
                facts,
            }),
        }
    }

    /// The sources, highest rank first.
    pub fn sources(&self) -> &[Source] {
        &self.merged().sources
    }

    /// What is switched off.
    pub fn state(&self) -> &State {
        &self.inner.state
    }

    /// What the host offers, where it said so.
    pub fn facts(&self) -> Option<&Facts> {
        self.inner.facts.as_ref()
    }

    /// The same skills with other switches. Copies no skill.
    #[must_use]
    pub fn with_state(&self, state: State) -> Self {
        self.overlaid(state, self.inner.facts.clone())
    }

    /// The same skills on another host. Copies no skill.
    #[must_use]
    pub fn with_facts(&self, facts: Facts) -> Self {
        self.overlaid(self.inner.state.clone(), Some(facts))
    }

    fn overlaid(&self, state: State, facts: Option<Facts>) -> Self {
        let merged = Arc::clone(&self.inner.merged);
        Self {
            inner: Arc::new(Inner {
                merged,
                state,
                facts,
            }),
        }
    }

    /// Every program and variable that a skill needs: what a host has to look for.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        self.iter()
            .for_each(|entry| needs.add(&entry.fields().requires));
        needs
    }

    /// Every skill: by rank, then source, then name. Shadowed, disabled and untrusted ones too.
    pub fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        self.sources()
            .iter()
            .enumerate()
            .flat_map(move |(source, content)| {
                (0..content.len()).filter_map(move |skill| Entry::of(self, Spot { source, skill }))
            })
    }

    /// Every skill of exactly this name: first a sealed one, then trusted ones by rank, then
    /// untrusted ones by rank. What comes first answers to the name, unless the next is of equal
    /// rank.
    pub fn named(&self, name: &str) -> impl Iterator<Item = Entry<'_>> {
        let name = nfc(name);
        let merged = self.merged();
        let spots = match merged.names.get(&*name) {
            Some(found) => Spots::of(&found.spots),
            None => merged.in_bundles(|bundle| bundle.by_name(&name)),
        };
        spots.filter_map(|spot| Entry::of(self, spot))
    }

    /// Every skill that has this alias, in the order of [`Catalog::named`].
    pub fn aliased(&self, alias: &str) -> impl Iterator<Item = Entry<'_>> {
        let alias = nfc(alias);
        let merged = self.merged();
        let spots = match merged.aliases.get(&*alias) {
            Some(found) => Spots::of(&found.spots),
            None => merged.in_bundles(|bundle| bundle.by_alias(&alias)),
        };
        spots.filter_map(|spot| Entry::of(self, spot))
    }

    /// The skill that answers to a bare name, or the one of a qualified id or of a path. `None` also
    /// when several enabled ones of equal rank have the name.
    pub fn get(&self, id: &str) -> Option<Entry<'_>> {
        match self.answer(id) {
            Ok(entry) => entry,
            Err(NotThere) => self
                .of_path(id)
                .or_else(|| match (id.split_once(':'), nfc(id)) {
                    (Some((source, name)), _) => self.in_source(source, name),
                    (None, Cow::Owned(id)) => self.answer(&id).ok().flatten(),
                    (None, Cow::Borrowed(_)) => None,
                }),
        }
    }

    /// Who answers to exactly this name, where anybody has it. That is asked first: most ids are
    /// names in normal form.
    fn answer(&self, name: &str) -> Result<Option<Entry<'_>>, NotThere> {
        let merged = self.merged();
        if let Some(found) = merged.names.get(name) {
            return Ok(match found.answer {
                Answer::One(spot) => Entry::of(self, spot),
                Answer::None => None,
                Answer::Twins(count) => {
                    self.only_enabled(found.spots.get(..count).unwrap_or_default())
                }
            });
        }
        if let &[(source, bundle)] = merged.bundles.as_slice() {
            let skill = bundle.by_name(name).ok_or(NotThere)?;
            return Ok(Some(Entry::bundled_in(self, source, skill)));
        }
        let mut spots = merged.in_bundles(|bundle| bundle.by_name(name));
        let spot = spots.next().ok_or(NotThere)?;
        Ok(Entry::of(self, spot))
    }

    /// Of twins the one that is enabled; the first when none is.
    fn only_enabled(&self, twins: &[Spot]) -> Option<Entry<'_>> {
        let by_source = || twins.chunk_by(|a, b| a.source == b.source);
        let twins = || by_source().filter_map(|spots| Entry::of(self, *spots.first()?));
        let mut enabled = twins().filter(Entry::is_enabled);
        match (enabled.next(), enabled.next()) {
            (Some(one), None) => Some(one),
            (None, _) => twins().next(),
            _ => None,
        }
    }

    /// The skill of this name in one source, shadowed or not.
    pub fn in_source(&self, source: &str, name: &str) -> Option<Entry<'_>> {
        let mut named = self.named(name);
        named.find(|entry| entry.source().name() == source)
    }

    /// The skill of a folder, or of the `SKILL.md` in it: also one that has a nearer namesake in its
    /// source, which no id reaches. Compares paths as they are written.
    pub fn by_path(&self, path: &Path) -> Option<Entry<'_>> {
        let is_file = |name: &str| path.file_name().is_some_and(|file| file == name);
        self.iter().find(|entry| {
            let (Location::Folder(dir), Some(file_name)) = (entry.location(), entry.file_name())
            else {
                return false;
            };
            dir == path || is_file(file_name) && path.parent() == Some(dir)
        })
    }

    /// The skill of an id that is a path.
    pub(crate) fn of_path(&self, id: &str) -> Option<Entry<'_>> {
        let is_path = id.contains(std::path::is_separator);
        is_path.then(|| self.by_path(Path::new(id)))?
    }

    pub(crate) fn merged(&self) -> &Merged {
        &self.inner.merged
    }
}

/// No skill has the name.
struct NotThere;

impl Merged {
    /// The bundled skills that `find` finds, the one that answers first.
    pub(crate) fn in_bundles(
        &self,
        find: impl Fn(&'static Bundle) -> Option<SkillRef>,
    ) -> Spots<'_> {
        let mut found = self.bundles.iter().filter_map(|&(source, bundle)| {
            let skill = find(bundle)?;
            let spot = Spot {
                source,
                skill: skill.index(),
            };
            Some((!skill.sealed(), spot))
        });
        let first = found.next();
        match (first, found.next()) {
            (None, _) => Spots::none(),
            (Some((_, spot)), None) => Spots::one(spot),
            (Some(first), Some(second)) => {
                let mut all = vec![first, second];
                all.extend(found);
                all.sort_by_key(|&(unsealed, _)| unsealed);
                Spots::several(all.into_iter().map(|(_, spot)| spot).collect())
            }
        }
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
