//! All skills of all sources, merged once and never changed.

#![doc = include_str!("../../docs/catalog.md")]

pub(crate) mod builder;
pub(crate) mod disabled;
pub(crate) mod eligibility;
pub(crate) mod entries;
pub(crate) mod files;
pub(crate) mod generated;
pub(crate) mod ids;
pub(crate) mod index;
pub(crate) mod load;
pub(crate) mod merge;
pub(crate) mod names;
pub(crate) mod places;
pub(crate) mod reload;
#[cfg(feature = "arguments")]
pub(crate) mod schema;
pub(crate) mod skill;
pub(crate) mod trust;

pub use builder::CatalogBuilder;
pub use files::File;
pub use skill::Skill;

use crate::catalog::builder::Value;
use crate::catalog::disabled::Disabled;
use crate::catalog::eligibility::Facts;
use crate::catalog::index::Merged;
use crate::catalog::places::Places;
use crate::source::Source;
use skills_format::Diagnostic;
use std::any::{Any, TypeId};
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
    /// The builder that read the skills, with the decisions of this catalog.
    loader: CatalogBuilder,
    merged: Arc<Merged>,
    diagnostics: Arc<[Diagnostic]>,
    /// What the host has of the needs of its skills. `None`: every skill is eligible.
    facts: Option<Facts>,
    /// The values of `loader.attached`, in the same order.
    attached: Vec<OnceLock<Value>>,
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
        let mut catalog = Self {
            inner: Arc::new(Inner {
                facts: None,
                attached: loader.attached.iter().map(|_| OnceLock::new()).collect(),
                loader,
                merged,
                diagnostics,
            }),
        };
        let needs = catalog.iter().map(|skill| &skill.fields().requires);
        let facts = catalog.loader().host.as_ref().map(|host| host.facts(needs));
        // No other catalog shares it yet.
        if let Some(inner) = Arc::get_mut(&mut catalog.inner) {
            inner.facts = facts;
        }
        catalog
    }

    /// Returns what the load found, sorted: the skills and folders that could not be read, and what a person should know.
    /// A reload returns the full list again: show only the new ones. Those of
    /// the severity `info` need not be shown.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.inner.diagnostics
    }

    /// Returns the sources, highest rank first.
    pub(crate) fn sources(&self) -> &[Source] {
        &self.merged().sources
    }

    /// Iterates over the folders that a reload reads, each with the name of its source: those of the sources in their order,
    /// the nearest first, and then the folders of plugins, which have no source.
    pub fn folders(&self) -> impl Iterator<Item = (&str, &Path)> {
        let plans = self.loader().plans.iter();
        let plugins = plans.filter_map(|plan| match &plan.origin {
            builder::Origin::Plugins(dir) => Some(("", dir.as_path())),
            _ => None,
        });
        let sources = self.sources().iter();
        sources
            .flat_map(|source| source.roots().map(|root| (&*source.name, root)))
            .chain(plugins)
    }

    /// Makes a catalog of the same skills with other decisions: `change` gets the builder of this catalog. Copies no skill.
    /// If the trust records differ, the files are compared with them, at the cost of [`Catalog::reload`]. Other sources
    /// are read by the next reload.
    ///
    /// ```
    /// # use skills_runtime::{Bundle, Catalog, include_skills};
    /// # static SKILLS: Bundle = include_skills!("tests/bundled");
    /// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
    /// let without = catalog.with(|builder| builder.disabled(["code-review"]));
    /// assert!(!without.get("code-review").expect("listed").is_enabled());
    /// ```
    #[must_use]
    pub fn with(&self, change: impl FnOnce(CatalogBuilder) -> CatalogBuilder) -> Self {
        let loader = change(self.loader().clone());
        let (old, new) = (&self.loader().options.trusted, &loader.options.trusted);
        if old.len() != new.len() || !old.iter().zip(new).all(|(a, b)| Arc::ptr_eq(a, b)) {
            return self.reload_as(loader);
        }
        let Inner {
            merged,
            diagnostics,
            ..
        } = &*self.inner;
        Self::new(loader, Arc::clone(merged), Arc::clone(diagnostics))
    }

    /// Returns the value of this type that the host [attached](CatalogBuilder::attach) last.
    pub fn attached<T: Any>(&self) -> Option<&T> {
        let loader = self.loader();
        let mut all = loader.attached.iter().zip(&self.inner.attached);
        let (attached, value) = all.rfind(|(attached, _)| attached.id == TypeId::of::<T>())?;
        let value = value.get_or_init(|| {
            (attached.make)(CatalogBuilder {
                disabled: loader.disabled.clone(),
                places: loader.places.clone(),
                ..CatalogBuilder::default()
            })
        });
        value.downcast_ref()
    }

    pub(crate) fn merged(&self) -> &Merged {
        &self.inner.merged
    }

    pub(crate) fn disabled(&self) -> &Disabled {
        &self.inner.loader.disabled
    }

    pub(crate) fn facts(&self) -> Option<&Facts> {
        self.inner.facts.as_ref()
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
