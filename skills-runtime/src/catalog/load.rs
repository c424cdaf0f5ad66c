//! Loads a catalog: reads its sources and merges them.

// An error among the diagnostics of a load means a loss: a skill is skipped, or a state file is not
// used. The program prints it as an error and continues.

use crate::bundle::Bundle;
use crate::catalog::Catalog;
use crate::catalog::builder::{CatalogBuilder, Origin, Plan};
use crate::catalog::held;
use crate::catalog::merge::{Merged, merge};
use crate::catalog::needed;
use crate::source::names::Names;
use crate::source::trust::SourceTrust;
use crate::source::{Content, Source, SourceKind};
#[cfg(all(feature = "hot", debug_assertions))]
use crate::source::{hot, stamp::Stamps};
use skills_format::Diagnostic;
use {
    crate::catalog::builder::Gate,
    crate::source::folder::FolderSkills,
    crate::source::folder::Root,
    crate::source::options::{Links, Reading},
    crate::source::trust::verify::verify,
    crate::source::{discover, plugins},
    std::sync::Arc,
};

/// A catalog and the findings of its load.
///
/// ```
/// use skills_runtime::{Catalog, Loaded};
///
/// let Loaded { catalog, diagnostics, .. } = Catalog::builder().directory("user", "skills").load();
/// for diagnostic in &diagnostics {
///     eprintln!("{diagnostic}");
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The skills that could be loaded.
    pub catalog: Catalog,
    /// The skills and folders that could not be loaded, and the other findings, sorted.
    pub diagnostics: Vec<Diagnostic>,
}

impl CatalogBuilder {
    /// Reads every source. Never fails: an unreadable file becomes a diagnostic.
    ///
    /// # Cost
    ///
    /// A bundle of any size costs less than a microsecond. A skill of a folder costs one `open`, one
    /// `read` of 4 KiB and one `close`, about 13 µs including parsing.
    pub fn load(self) -> Loaded {
        let (merged, mut diagnostics) = self.read(&[]);
        let (scheduled, of_scheduled) = self.read_scheduled();
        diagnostics.extend(of_scheduled);
        let (state, facts) = (self.state.clone(), self.facts.clone());
        let catalog = Catalog::new(self, merged, state, facts, scheduled);
        diagnostics.extend(needed::missing(&catalog));
        diagnostics.extend(held::beyond(&catalog));
        Loaded {
            catalog,
            diagnostics,
        }
    }

    /// Reads and merges every source. Files of a source in `before` are read again only if they changed.
    pub(crate) fn read(&self, before: &[Source]) -> (Merged, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let sources = self.sources(before, &mut diagnostics);
        let merged = merge(sources, &mut diagnostics);
        Diagnostic::sort(&mut diagnostics);
        (merged, diagnostics)
    }

    fn sources(&self, before: &[Source], diagnostics: &mut Vec<Diagnostic>) -> Vec<Source> {
        let mut names = Names::default();
        let plans = self.plans.iter().enumerate();
        // All sources of the host are named before plugins are found, so that no plugin takes the name
        // of one.
        let given: Vec<String> = plans
            .map(|(at, plan)| {
                let before = self.plans.get(..at).unwrap_or_default();
                plan.name(before, &mut names, diagnostics)
            })
            .collect();
        let mut sources = Vec::new();
        for (rank, (plan, name)) in self.plans.iter().zip(given).enumerate() {
            match &plan.origin {
                Origin::Bundle(bundle) => {
                    sources.push(self.bundled(name, rank, bundle, before, diagnostics));
                }
                #[cfg(feature = "remote")]
                Origin::Server(server) => sources.push(of_server(name, rank, server)),
                Origin::Roots { roots, links, gate } => {
                    let asked = Asked {
                        name,
                        kind: SourceKind::Folder,
                        rank,
                        roots,
                        links: *links,
                        gate: *gate,
                    };
                    sources.push(self.folders(asked, before, diagnostics));
                }
                Origin::Memory { root, tree } => {
                    let missing_name = self.options.missing_name;
                    let found = discover::memory::read(root, tree, missing_name, diagnostics);
                    sources.push(in_memory(name, rank, found));
                }
                Origin::Plugins(dir) => {
                    for (name, root) in plugins::find(dir, &mut names, diagnostics) {
                        let asked = Asked {
                            name,
                            kind: SourceKind::Plugin,
                            rank,
                            links: match root.base {
                                Some(_) => Links::Confined,
                                None => Links::Followed,
                            },
                            roots: &[root],
                            gate: Gate::Open,
                        };
                        sources.push(self.folders(asked, before, diagnostics));
                    }
                }
            }
        }
        sources
    }

    /// Returns the source of a bundle.
    #[cfg(not(all(feature = "hot", debug_assertions)))]
    #[expect(clippy::unused_self, reason = "the signature with `hot`")]
    fn bundled(
        &self,
        name: String,
        rank: usize,
        bundle: &'static Bundle,
        _: &[Source],
        _: &mut Vec<Diagnostic>,
    ) -> Source {
        Source {
            name,
            kind: SourceKind::Bundle,
            rank,
            trust: SourceTrust::Always,
            content: Content::Bundle(bundle),
        }
    }

    /// Returns the source of a bundle. If the catalog is reloadable, the bundle is read from its folder.
    #[cfg(all(feature = "hot", debug_assertions))]
    fn bundled(
        &self,
        name: String,
        rank: usize,
        bundle: &'static Bundle,
        before: &[Source],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Source {
        let last = before.iter().find(|source| source.name == name);
        let last = last.and_then(|source| source.hot.as_ref());
        let hot = match self.options.stamps {
            Stamps::Take => hot::read(bundle, &name, last),
            Stamps::Skip => None,
        };
        if let Some(read) = &hot {
            diagnostics.extend_from_slice(&read.diagnostics);
        }
        Source {
            name,
            kind: SourceKind::Bundle,
            rank,
            trust: SourceTrust::Always,
            content: Content::Bundle(hot.as_ref().map_or(bundle, |read| read.bundle)),
            hot,
        }
    }

    /// Reads the folders of one source.
    fn folders(
        &self,
        asked: Asked<'_>,
        before: &[Source],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Source {
        let options = &self.options;
        let reading = Reading {
            limits: options.limits,
            links: asked.links,
            stamps: options.stamps,
            care: options.care,
            missing_name: options.missing_name,
        };
        let same = before.iter().find(|source| source.name == asked.name);
        let before = same.and_then(|source| match &source.content {
            Content::Folders(folders) => Some(&**folders),
            Content::Bundle(_) | Content::Server(_) => None,
        });
        let found = discover::read(asked.roots, reading, before, diagnostics);
        let trust = match (options.gate, asked.gate) {
            (Gate::Closed, Gate::Closed) => SourceTrust::Asked(verify(
                &found,
                &options.trusted,
                options.limits,
                diagnostics,
            )),
            _ => SourceTrust::Always,
        };
        Source {
            name: asked.name,
            kind: asked.kind,
            rank: asked.rank,
            trust,
            content: Content::Folders(Arc::new(found)),
            #[cfg(all(feature = "hot", debug_assertions))]
            hot: None,
        }
    }
}

/// Returns the source of files that the host handed over.
fn in_memory(name: String, rank: usize, found: FolderSkills) -> Source {
    Source {
        name,
        kind: SourceKind::Folder,
        rank,
        trust: SourceTrust::Always,
        content: Content::Folders(Arc::new(found)),
        #[cfg(all(feature = "hot", debug_assertions))]
        hot: None,
    }
}

/// Returns the source of an MCP server.
#[cfg(feature = "remote")]
fn of_server(name: String, rank: usize, server: &crate::source::RemoteServer) -> Source {
    let listed = server.skills.iter().cloned();
    let mut skills: Vec<_> = listed.zip(server.approved.iter().copied()).collect();
    skills.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    let (skills, approved): (Vec<_>, Vec<bool>) = skills.into_iter().unzip();
    Source {
        name,
        kind: SourceKind::Server,
        rank,
        trust: SourceTrust::Approved(approved),
        content: Content::Server(skills.into()),
        #[cfg(all(feature = "hot", debug_assertions))]
        hot: None,
    }
}

/// A source of folders that the host asked for.
struct Asked<'a> {
    name: String,
    kind: SourceKind,
    rank: usize,
    roots: &'a [Root],
    links: Links,
    gate: Gate,
}

impl Plan {
    /// Names the source of the plan, after the plans in `before`. Plugins are named when they are found.
    fn name(
        &self,
        before: &[Self],
        names: &mut Names,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> String {
        match &self.origin {
            Origin::Bundle(bundle) => {
                let first = before.iter().find_map(|plan| match &plan.origin {
                    Origin::Bundle(first) => (plan.name == self.name).then_some(*first),
                    #[cfg(feature = "remote")]
                    Origin::Server(_) => None,
                    Origin::Roots { .. } | Origin::Plugins(_) | Origin::Memory { .. } => None,
                });
                names.give_bundle(&self.name, first, bundle, diagnostics)
            }
            Origin::Roots { roots, .. } => {
                let path = roots.first().map(|root| root.path.as_path());
                names.give(
                    &self.name,
                    path.unwrap_or(std::path::Path::new("")),
                    diagnostics,
                )
            }
            Origin::Memory { root, .. } => names.give(&self.name, root, diagnostics),
            #[cfg(feature = "remote")]
            Origin::Server(_) => names.give_server(&self.name, diagnostics),
            Origin::Plugins(_) => String::new(),
        }
    }
}
