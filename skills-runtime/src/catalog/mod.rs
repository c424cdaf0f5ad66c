//! All skills of all sources, merged once and never changed.

#![doc = include_str!("../../docs/catalog.md")]

pub(crate) mod builder;
pub(crate) mod diagnostics;
pub(crate) mod digests;
pub(crate) mod eligibility;
pub(crate) mod enable;
pub(crate) mod entries;
pub(crate) mod entry;
pub(crate) mod files;
mod held;
pub mod ids;
pub(crate) mod index;
pub(crate) mod load;
pub(crate) mod merge;
pub(crate) mod names;
pub(crate) mod needed;
pub(crate) mod place;
pub(crate) mod places;
pub(crate) mod plugins;
pub(crate) mod reload;
pub(crate) mod rivals;
pub(crate) mod scheduled;
#[cfg(feature = "arguments")]
pub(crate) mod schema;
pub(crate) mod state;
pub(crate) mod trust;
pub(crate) mod trust_question;
#[cfg(feature = "watch")]
pub(crate) mod watch;

pub use builder::{CatalogBuilder, SkillFolder};
pub use digests::FileDigest;
pub use eligibility::{Facts, Needs};
pub use enable::SwitchedOn;
pub use entries::Entries;
pub use entry::{Entry, Location};
pub use files::{Checked, ResourceInfo};
pub use index::Spot;
pub use load::Loaded;
pub use places::{BundledPlace, Places, is_unwritable};
pub use plugins::Plugins;
pub use reload::Reloaded;
pub use state::State;
pub use trust_question::TrustQuestion;
#[cfg(feature = "watch")]
pub use watch::Watch;
#[cfg(feature = "watch")]
pub use watch::change::Change;

use crate::catalog::merge::Merged;
use crate::settings::Settings;
use crate::source::Source;
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Every skill of a program, from all sources. Immutable, `Send + Sync` and cheap to clone.
///
/// # Cost
///
/// Finding a name costs one hash of the names in folders. If no folder has the name, the cost is one
/// more hash for each bundle. A look-up allocates nothing. A clone is one reference count.
///
/// ```
/// use skills_runtime::{Bundle, Catalog, include_skills};
///
/// static SKILLS: Bundle = include_skills!("tests/bundled");
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
/// let skill = catalog.get("code-review").expect("a skill of the bundle");
/// assert_eq!(skill.qualified_id(), "bundled:code-review");
/// assert!(catalog.get("no-such-skill").is_none());
/// ```
#[derive(Clone)]
pub struct Catalog {
    inner: Arc<Inner>,
}

struct Inner {
    /// The builder that read the skills, for a reload.
    loader: Arc<CatalogBuilder>,
    merged: Arc<Merged>,
    state: State,
    facts: Option<Facts>,
    scheduled: Option<Catalog>,
    kept: Kept,
}

/// The values that were computed from a catalog on first use, one of each type.
type Kept = Mutex<Vec<Arc<dyn Any + Send + Sync>>>;

impl Catalog {
    /// Makes a builder without sources.
    pub fn builder() -> CatalogBuilder {
        CatalogBuilder::default()
    }

    pub(crate) fn new(
        loader: CatalogBuilder,
        merged: Merged,
        state: State,
        facts: Option<Facts>,
        scheduled: Option<Self>,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                loader: Arc::new(loader),
                merged: Arc::new(merged),
                scheduled: scheduled.map(|scheduled| scheduled.with_state(state.clone())),
                state,
                facts,
                kept: Kept::default(),
            }),
        }
    }

    /// Returns the sources, highest rank first.
    pub fn sources(&self) -> &[Source] {
        &self.merged().sources
    }

    /// Returns the scheduled skills, which are not part of this catalog. Returns `None` if no folder of
    /// scheduled skills is set.
    pub fn scheduled(&self) -> Option<&Self> {
        self.inner.scheduled.as_ref()
    }

    /// Returns the state: the disabled skills.
    pub fn state(&self) -> &State {
        &self.inner.state
    }

    /// Returns the facts of the host. `None`: the host gave no facts, and every skill counts as
    /// eligible.
    pub fn facts(&self) -> Option<&Facts> {
        self.inner.facts.as_ref()
    }

    /// Makes a catalog of the same skills with another state. Copies no skill.
    #[must_use]
    pub fn with_state(&self, state: State) -> Self {
        self.overlaid(state, self.inner.facts.clone())
    }

    /// Makes a catalog of the same skills with other facts. Copies no skill.
    #[must_use]
    pub fn with_facts(&self, facts: Facts) -> Self {
        self.overlaid(self.inner.state.clone(), Some(facts))
    }

    /// Makes a catalog of the skills of another read of the same folders. Copies no skill.
    #[cfg(feature = "watch")]
    pub(crate) fn with_skills_of(&self, read: &Self) -> Self {
        let state = self.state().clone();
        let scheduled = read.scheduled();
        Self {
            inner: Arc::new(Inner {
                loader: Arc::clone(&self.inner.loader),
                merged: Arc::clone(&read.inner.merged),
                scheduled: scheduled.map(|scheduled| scheduled.with_state(state.clone())),
                state,
                facts: self.inner.facts.clone(),
                kept: Kept::default(),
            }),
        }
    }

    /// Returns whether both catalogs share one load: the same folders, options and trust.
    #[cfg(feature = "watch")]
    pub(crate) fn is_read_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner.loader, &other.inner.loader)
    }

    fn overlaid(&self, state: State, facts: Option<Facts>) -> Self {
        Self {
            inner: Arc::new(Inner {
                loader: Arc::clone(&self.inner.loader),
                merged: Arc::clone(&self.inner.merged),
                scheduled: self
                    .scheduled()
                    .map(|scheduled| scheduled.with_state(state.clone())),
                state,
                facts,
                // The names of commands depend on the enabled and eligible skills, so they are computed
                // anew.
                kept: Kept::default(),
            }),
        }
    }

    /// Collects the programs and variables that the skills need. The host looks only for these.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        self.iter()
            .for_each(|entry| needs.add(&entry.fields().requires));
        needs
    }

    pub(crate) fn merged(&self) -> &Merged {
        &self.inner.merged
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.inner.loader.settings
    }

    /// Returns the value of a type that was computed from this catalog before, or computes and keeps it. A catalog does not
    /// change, so that packages beside this one keep their indexes here.
    pub fn kept<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let kept = || {
            self.inner
                .kept
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let known = kept().iter().find_map(|it| Arc::clone(it).downcast().ok());
        known.unwrap_or_else(|| {
            let new = Arc::new(make());
            kept().push(Arc::<T>::clone(&new));
            new
        })
    }

    /// Returns the form of skills' places in catalog texts, activations and linked mentions:
    /// [`CatalogBuilder::places`].
    pub fn places(&self) -> &Places {
        &self.inner.loader.places
    }

    /// Returns the builder that the catalog was loaded with.
    pub(crate) fn loader(&self) -> &CatalogBuilder {
        &self.inner.loader
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
