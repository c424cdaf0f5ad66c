//! All skills of all sources, merged once and never changed.

#![doc = include_str!("../../docs/catalog.md")]

pub(crate) mod builder;
pub(crate) mod diagnostics;
pub(crate) mod disabled;
pub(crate) mod eligibility;
pub(crate) mod enable;
pub(crate) mod entries;
pub(crate) mod files;
pub(crate) mod generated;
pub(crate) mod ids;
pub(crate) mod index;
pub(crate) mod load;
pub(crate) mod merge;
pub(crate) mod names;
pub(crate) mod needed;
pub(crate) mod places;
pub(crate) mod reload;
pub(crate) mod rivals;
#[cfg(feature = "arguments")]
pub(crate) mod schema;
pub(crate) mod skill;
pub(crate) mod trust;
pub(crate) mod trust_question;

pub use builder::CatalogBuilder;
pub use disabled::Disabled;
pub use eligibility::Facts;
pub use files::File;
pub use skill::Skill;
pub use trust_question::TrustQuestion;

use crate::catalog::merge::Merged;
use crate::catalog::places::Places;
use crate::settings::Settings;
use crate::source::Source;
use skills_format::Diagnostic;
use std::any::Any;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

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
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
/// let skill = catalog.get("code-review").expect("a skill of the bundle");
/// assert_eq!(skill.to_string(), "bundled:code-review");
/// assert!(catalog.get("no-such-skill").is_none());
/// ```
#[derive(Clone)]
pub struct Catalog {
    inner: Arc<Inner>,
}

struct Inner {
    /// The builder that read the skills, with the state and the facts of this catalog.
    loader: CatalogBuilder,
    merged: Arc<Merged>,
    diagnostics: Arc<[Diagnostic]>,
    kept: OnceLock<Box<Kept>>,
}

/// A value that was computed from a catalog on first use, one of each type, and the next.
struct Kept {
    value: Box<dyn Any + Send + Sync>,
    next: OnceLock<Box<Self>>,
}

impl Catalog {
    /// Makes a builder without sources.
    pub fn builder() -> CatalogBuilder {
        CatalogBuilder::default()
    }

    pub(crate) fn new(
        loader: CatalogBuilder,
        merged: Arc<Merged>,
        diagnostics: Arc<[Diagnostic]>,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                loader,
                merged,
                diagnostics,
                kept: OnceLock::new(),
            }),
        }
    }

    /// Returns what the load found, sorted: the skills and folders that could not be read, and what a person should know.
    /// A reload returns the full list again: show only the new ones. Those of
    /// [`Severity::Info`](crate::Severity::Info) need not be shown.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.inner.diagnostics
    }

    /// Returns the sources, highest rank first.
    pub fn sources(&self) -> &[Source] {
        &self.merged().sources
    }

    /// Iterates over the folders that a reload reads, for a watch: those of the sources, and those of plugins.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        let plugins = self
            .loader()
            .plans
            .iter()
            .filter_map(|plan| match &plan.origin {
                builder::Origin::Plugins(dir) => Some(dir.as_path()),
                _ => None,
            });
        self.sources().iter().flat_map(Source::roots).chain(plugins)
    }

    /// Returns the disabled skills.
    pub fn disabled(&self) -> &Disabled {
        &self.inner.loader.disabled
    }

    /// Makes a catalog of the same skills with other disabled skills. Copies no skill.
    #[must_use]
    pub fn with_disabled(&self, disabled: Disabled) -> Self {
        self.overlaid(self.inner.loader.clone().disabled(disabled))
    }

    /// Makes a catalog of the same skills with the facts of this host. A skill that needs more is listed with the reason,
    /// and cannot be started. Without facts, every skill counts as eligible. Copies no skill.
    #[must_use]
    pub fn with_facts(&self, facts: Facts) -> Self {
        let mut loader = self.inner.loader.clone();
        loader.facts = Some(facts);
        self.overlaid(loader)
    }

    /// What was kept is computed anew: the names of commands depend on the enabled and eligible skills.
    fn overlaid(&self, loader: CatalogBuilder) -> Self {
        let Inner {
            merged,
            diagnostics,
            ..
        } = &*self.inner;
        Self::new(loader, Arc::clone(merged), Arc::clone(diagnostics))
    }

    /// Collects the programs and variables that the skills need. The host looks only for these.
    pub fn needs(&self) -> Facts {
        let mut needs = Facts::default();
        for skill in self {
            needs.add(&skill.fields().requires);
        }
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
    pub fn kept<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        let mut make = Some(make);
        let mut place = &self.inner.kept;
        loop {
            let kept = place.get_or_init(|| match make.take() {
                Some(make) => Box::new(Kept {
                    value: Box::new(make()),
                    next: OnceLock::new(),
                }),
                // Not reached: the value that was made is the one that is found.
                None => unreachable!(),
            });
            if let Some(value) = kept.value.downcast_ref() {
                return value;
            }
            place = &kept.next;
        }
    }

    /// Returns the value of this type that the host [attached](CatalogBuilder::attach) last.
    pub fn attached<T: Any>(&self) -> Option<&T> {
        let attached = self.inner.loader.attached.iter().rev();
        attached.into_iter().find_map(|value| value.downcast_ref())
    }

    /// Returns the form of skills' places in catalog texts, activations and linked mentions.
    pub(crate) fn places(&self) -> &Places {
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
