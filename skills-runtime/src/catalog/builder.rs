//! Names the sources of a catalog and reads them.

use crate::bundle::Bundle;
use crate::catalog::eligibility::Facts;
use crate::catalog::merge;
use crate::catalog::places::Places;
use crate::catalog::state::State;
use crate::catalog::{Catalog, Merged};
use crate::source::names::Names;
use crate::source::{Content, Source, SourceKind, Standing};
use skills_format::Diagnostic;
use std::path::{Path, PathBuf};
#[cfg(feature = "discover")]
use {
    crate::disk::stamp::Stamps,
    crate::source::discover::{self, Care, Links, Reading},
    crate::source::folder::Root,
    crate::source::options::Limits,
    crate::source::plugins,
    crate::source::trust::Trust,
    crate::source::trust::verify,
    std::sync::Arc,
};

/// Names the sources of a catalog, highest rank first.
#[derive(Clone, Debug, Default)]
pub struct CatalogBuilder {
    pub(crate) plans: Vec<Plan>,
    state: State,
    facts: Option<Facts>,
    pub(crate) places: Places,
    #[cfg(feature = "discover")]
    options: Options,
}

#[cfg(feature = "discover")]
#[derive(Clone, Debug, Default)]
struct Options {
    limits: Limits,
    stamps: Stamps,
    care: Care,
    trusted: Vec<Arc<Trust>>,
    gate: Gate,
}

/// Whether sources that are named as untrusted need a person's word.
#[cfg(feature = "discover")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Gate {
    #[default]
    Closed,
    Open,
}

/// A source as it was asked for, or several.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    name: String,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    Bundle(&'static Bundle),
    #[cfg(feature = "discover")]
    Roots {
        roots: Vec<Root>,
        links: Links,
    },
    #[cfg(feature = "discover")]
    Plugins(PathBuf),
}

/// A catalog and what was met while loading it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// All that could be loaded.
    pub catalog: Catalog,
    /// What could not be, and what was odd, sorted.
    pub diagnostics: Vec<Diagnostic>,
}

impl CatalogBuilder {
    /// Adds the skills that are part of the program, below all that was added before.
    #[must_use]
    pub fn bundle(self, name: impl Into<String>, bundle: &'static Bundle) -> Self {
        self.add(name.into(), Origin::Bundle(bundle))
    }

    /// Says which skills are switched off.
    #[must_use]
    pub fn state(mut self, state: State) -> Self {
        self.state = state;
        self
    }

    /// Says what this host offers. Skills that need more are listed with the reason and never
    /// started. Without facts nothing is left out.
    #[must_use]
    pub fn facts(mut self, facts: Facts) -> Self {
        self.facts = Some(facts);
        self
    }

    /// Says how this host writes the places of skills, in catalog texts and activations: a linked
    /// mention whose address is so written names the skill. The home folder of a
    /// [layout](CatalogBuilder::layout) need not be said.
    #[must_use]
    pub fn places(mut self, places: Places) -> Self {
        let known = std::mem::replace(&mut self.places, places);
        self.home(known.home.as_ref())
    }

    /// The home folder, where none was said.
    pub(crate) fn home(mut self, home: Option<&PathBuf>) -> Self {
        if self.places.home.is_none() {
            self.places.home = home.cloned();
        }
        self
    }

    fn add(mut self, name: String, origin: Origin) -> Self {
        self.plans.push(Plan { name, origin });
        self
    }

    /// Reads every source. Never fails: what cannot be read is a diagnostic.
    pub fn load(self) -> Loaded {
        let state = self.state.clone();
        let facts = self.facts.clone();
        let (merged, diagnostics) = self.read(&[]);
        Loaded {
            catalog: Catalog::new(merged, state, facts),
            diagnostics,
        }
    }

    /// Reads every source; of those that `before` holds, only the files that changed.
    #[cfg_attr(
        not(feature = "discover"),
        expect(unused_variables, reason = "bundles are not read")
    )]
    pub(crate) fn read(self, before: &[Source]) -> (Merged, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let mut names = Names::default();
        let given: Vec<String> = self
            .plans
            .iter()
            .map(|plan| plan.name(&mut names, &mut diagnostics))
            .collect();
        let mut sources = Vec::new();
        for (rank, (plan, name)) in self.plans.iter().zip(given).enumerate() {
            match &plan.origin {
                Origin::Bundle(bundle) => sources.push(Source {
                    name,
                    kind: SourceKind::Bundle,
                    rank,
                    standing: Standing::Trusted,
                    content: Content::Bundle(bundle),
                }),
                #[cfg(feature = "discover")]
                Origin::Roots { roots, links } => {
                    let asked = Asked {
                        name,
                        kind: SourceKind::Folder,
                        rank,
                        roots,
                        links: *links,
                    };
                    sources.push(self.folders(asked, before, &mut diagnostics));
                }
                #[cfg(feature = "discover")]
                Origin::Plugins(dir) => {
                    for (name, root) in plugins::find(dir, &mut names, &mut diagnostics) {
                        let asked = Asked {
                            name,
                            kind: SourceKind::Plugin,
                            rank,
                            roots: &[root],
                            links: Links::Followed,
                        };
                        sources.push(self.folders(asked, before, &mut diagnostics));
                    }
                }
            }
        }
        let merged = merge::merge(sources, self, &mut diagnostics);
        Diagnostic::sort(&mut diagnostics);
        (merged, diagnostics)
    }
}

impl Plan {
    /// The name of its source. Plugins get theirs when they are found.
    fn name(&self, names: &mut Names, diagnostics: &mut Vec<Diagnostic>) -> String {
        match &self.origin {
            Origin::Bundle(_) => names.give(&self.name, Path::new(&self.name), diagnostics),
            #[cfg(feature = "discover")]
            Origin::Roots { roots, .. } => {
                let path = roots.first().map(|root| root.path.as_path());
                names.give(&self.name, path.unwrap_or(Path::new("")), diagnostics)
            }
            #[cfg(feature = "discover")]
            Origin::Plugins(_) => String::new(),
        }
    }
}

#[cfg(feature = "discover")]
impl CatalogBuilder {
    /// Adds a folder of skills below all that was added before. The same name again adds a root to
    /// that source: the nearer root first.
    #[must_use]
    pub fn directory(self, name: impl Into<String>, root: impl Into<PathBuf>) -> Self {
        self.root(name.into(), root.into(), None, Vec::new(), Links::Followed)
    }

    /// Adds a folder whose skills are listed, and never started until a person trusts them. No link
    /// in it is followed out of it.
    #[must_use]
    pub fn untrusted(self, name: impl Into<String>, root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let base = root.parent().map(ToOwned::to_owned);
        self.root(name.into(), root, base, Vec::new(), Links::Confined)
    }

    /// Adds the skills of every plugin: `<dir>/<plugin>/skills`, each a source of its own, all of
    /// one rank.
    #[must_use]
    pub fn plugins(self, dir: impl Into<PathBuf>) -> Self {
        self.add(String::new(), Origin::Plugins(dir.into()))
    }

    /// Says what a person has trusted. An untrusted source whose skills are still those of the
    /// record is trusted.
    #[must_use]
    pub fn trusted(mut self, records: impl IntoIterator<Item = Trust>) -> Self {
        self.options
            .trusted
            .extend(records.into_iter().map(Arc::new));
        self
    }

    /// Bounds what is read.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// Counts every source as trusted: for hosts that ask a person elsewhere.
    #[must_use]
    pub fn trust_all(mut self) -> Self {
        self.options.gate = Gate::Open;
        self
    }

    /// Notes length and time of every file, one system call more a skill, so that already the first
    /// [`Catalog::reload`] reads only what changed and tells of bodies that did.
    #[must_use]
    pub fn reloadable(mut self) -> Self {
        self.options.stamps = Stamps::Take;
        self
    }

    /// Tells also what costs more system calls a skill: skills below skills, which are not found
    /// because of that (a folder read), and files that are too large to start (their lengths). For
    /// listings that a person reads.
    #[must_use]
    pub fn thorough(mut self) -> Self {
        self.options.care = Care::Thorough;
        self
    }

    /// The folders of plugins.
    #[cfg(feature = "watch")]
    pub(crate) fn plugin_folders(&self) -> impl Iterator<Item = &Path> {
        self.plans.iter().filter_map(|plan| match &plan.origin {
            Origin::Plugins(dir) => Some(dir.as_path()),
            _ => None,
        })
    }

    pub(crate) fn bounds(&self) -> Limits {
        self.options.limits
    }

    pub(crate) fn root(
        mut self,
        name: String,
        path: PathBuf,
        base: Option<PathBuf>,
        skip: Vec<String>,
        links: Links,
    ) -> Self {
        let root = Root { path, base, skip };
        let same = self
            .plans
            .iter_mut()
            .find_map(|plan| match &mut plan.origin {
                Origin::Roots {
                    roots,
                    links: as_is,
                } if plan.name == name && *as_is == links => Some(roots),
                _ => None,
            });
        if let Some(roots) = same {
            roots.push(root);
        } else {
            let roots = vec![root];
            self = self.add(name, Origin::Roots { roots, links });
        }
        self
    }

    /// Reads the folders of one source.
    fn folders(
        &self,
        asked: Asked<'_>,
        before: &[Source],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Source {
        let Options {
            limits,
            stamps,
            care,
            gate,
            ref trusted,
        } = self.options;
        let links = match gate {
            Gate::Closed => asked.links,
            Gate::Open => Links::Followed,
        };
        let reading = Reading {
            limits,
            links,
            stamps,
            care,
        };
        let same = before.iter().find(|source| source.name == asked.name);
        let before = same.and_then(|source| match &source.content {
            Content::Folders(folders) => Some(&**folders),
            Content::Bundle(_) => None,
        });
        let found = discover::read(asked.roots, reading, before, diagnostics);
        let standing = match links {
            Links::Followed => Standing::Trusted,
            Links::Confined => verify::standing(&found, trusted, limits, diagnostics),
        };
        Source {
            name: asked.name,
            kind: asked.kind,
            rank: asked.rank,
            standing,
            content: Content::Folders(Arc::new(found)),
        }
    }
}

/// A source of folders, as it was asked for.
#[cfg(feature = "discover")]
struct Asked<'a> {
    name: String,
    kind: SourceKind,
    rank: usize,
    roots: &'a [Root],
    links: Links,
}
