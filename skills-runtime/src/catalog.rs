//! All skills of all sources, merged once, never changed.

use crate::bundle::Bundle;
use crate::entry::{Entry, EntryContent};
use crate::source::{Content, Source, SourceKind, Trust};
use crate::state::State;
use skills_format::{Diagnostic, nfc};
use std::collections::HashMap;
use std::fmt;
#[cfg(feature = "discover")]
use std::path::PathBuf;
use std::sync::Arc;

/// Every skill that a program has, from all sources. Immutable, `Send + Sync`, cheap to clone.
#[derive(Clone)]
pub struct Catalog {
    inner: Arc<Inner>,
}

struct Inner {
    /// Highest rank first; of equal rank by name.
    sources: Vec<Source>,
    /// Names of folder skills, to (source, skill), highest rank first.
    names: HashMap<Box<str>, Vec<(usize, usize)>>,
    /// Aliases of folder skills that nothing shadows within their source.
    aliases: HashMap<Box<str>, Vec<(usize, usize)>>,
    state: State,
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

/// Names the sources of a catalog, highest rank first.
#[derive(Clone, Debug, Default)]
pub struct CatalogBuilder {
    plans: Vec<Plan>,
    state: State,
}

#[derive(Clone, Debug)]
struct Plan {
    name: String,
    kind: SourceKind,
    rank: usize,
    trust: Trust,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    Bundle(&'static Bundle),
    #[cfg(feature = "discover")]
    Roots(Vec<PathBuf>),
}

impl CatalogBuilder {
    /// Adds a folder of skills below all that were added before. The same name again adds a root to
    /// that source: the nearer root first.
    #[cfg(feature = "discover")]
    #[must_use]
    pub fn directory(self, name: impl Into<String>, root: impl Into<PathBuf>) -> Self {
        self.root(name.into(), root.into(), Trust::Trusted)
    }

    /// Adds a folder whose skills are listed, and never started until a person trusts them.
    #[cfg(feature = "discover")]
    #[must_use]
    pub fn untrusted(self, name: impl Into<String>, root: impl Into<PathBuf>) -> Self {
        self.root(name.into(), root.into(), Trust::Untrusted)
    }

    #[cfg(feature = "discover")]
    fn root(mut self, name: String, root: PathBuf, trust: Trust) -> Self {
        let same = self
            .plans
            .iter_mut()
            .find(|plan| plan.name == name && plan.kind == SourceKind::Folder);
        match same {
            Some(Plan {
                origin: Origin::Roots(roots),
                ..
            }) => roots.push(root),
            _ => self.add(name, SourceKind::Folder, trust, Origin::Roots(vec![root])),
        }
        self
    }

    /// Adds the skills that are part of the program.
    #[must_use]
    pub fn bundle(mut self, name: impl Into<String>, bundle: &'static Bundle) -> Self {
        self.add(
            name.into(),
            SourceKind::Bundle,
            Trust::Trusted,
            Origin::Bundle(bundle),
        );
        self
    }

    /// Says which skills are switched off.
    #[must_use]
    pub fn state(mut self, state: State) -> Self {
        self.state = state;
        self
    }

    fn add(&mut self, name: String, kind: SourceKind, trust: Trust, origin: Origin) {
        let rank = self.plans.last().map_or(0, |plan| plan.rank + 1);
        self.plans.push(Plan {
            name,
            kind,
            rank,
            trust,
            origin,
        });
    }

    /// Reads every source. Never fails: what cannot be read is a diagnostic.
    pub fn load(self) -> Loaded {
        let mut diagnostics = Vec::new();
        let sources = self
            .plans
            .into_iter()
            .map(
                |Plan {
                     name,
                     kind,
                     rank,
                     trust,
                     origin,
                 }| {
                    let content = match origin {
                        Origin::Bundle(bundle) => Content::Bundle(bundle),
                        #[cfg(feature = "discover")]
                        Origin::Roots(roots) => {
                            Content::Folders(crate::discover::read(&roots, &mut diagnostics))
                        }
                    };
                    Source {
                        name,
                        kind,
                        rank,
                        trust,
                        content,
                    }
                },
            )
            .collect();
        Diagnostic::sort(&mut diagnostics);
        Loaded {
            catalog: Catalog::new(sources, self.state),
            diagnostics,
        }
    }
}

impl Catalog {
    /// Starts a catalog with no source.
    pub fn builder() -> CatalogBuilder {
        CatalogBuilder::default()
    }

    fn new(sources: Vec<Source>, state: State) -> Self {
        let mut names: HashMap<Box<str>, Vec<(usize, usize)>> = HashMap::new();
        let mut aliases: HashMap<Box<str>, Vec<(usize, usize)>> = HashMap::new();
        for (s, source) in sources.iter().enumerate() {
            let Content::Folders(skills) = &source.content else {
                continue;
            };
            for (i, skill) in skills.iter().enumerate() {
                let same = names.entry(nfc(&skill.name).into()).or_default();
                let first = same.last().is_none_or(|&(source, _)| source != s);
                same.push((s, i));
                if first {
                    for alias in skill.fields.aliases.iter() {
                        aliases.entry(nfc(alias).into()).or_default().push((s, i));
                    }
                }
            }
        }
        Self {
            inner: Arc::new(Inner {
                sources,
                names,
                aliases,
                state,
            }),
        }
    }

    /// The sources, highest rank first.
    pub fn sources(&self) -> &[Source] {
        &self.inner.sources
    }

    /// What is switched off.
    pub fn state(&self) -> &State {
        &self.inner.state
    }

    /// The same skills with other switches.
    #[must_use]
    pub fn with_state(&self, state: State) -> Self {
        let Inner {
            sources,
            names,
            aliases,
            ..
        } = &*self.inner;
        Self {
            inner: Arc::new(Inner {
                sources: sources.clone(),
                names: names.clone(),
                aliases: aliases.clone(),
                state,
            }),
        }
    }

    /// Every skill: by rank, then source, then name. Shadowed, disabled and untrusted ones too.
    pub fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        self.sources()
            .iter()
            .enumerate()
            .flat_map(move |(s, source)| {
                (0..source.len()).filter_map(move |i| Entry::of(self, s, i))
            })
    }

    /// Every skill of exactly this name: first a sealed one, then trusted ones by rank, then
    /// untrusted ones by rank. What comes first answers to the name, unless the next is of equal
    /// rank.
    pub fn named(&self, name: &str) -> impl Iterator<Item = Entry<'_>> {
        let name = nfc(name);
        self.ordered(self.inner.names.get(name.as_ref()), |bundle| {
            bundle.by_name(&name)
        })
    }

    /// Every skill that has this alias, in the order of [`Catalog::named`].
    pub fn aliased(&self, alias: &str) -> impl Iterator<Item = Entry<'_>> {
        let alias = nfc(alias);
        self.ordered(self.inner.aliases.get(alias.as_ref()), |bundle| {
            bundle.by_alias(&alias)
        })
    }

    fn ordered(
        &self,
        folders: Option<&Vec<(usize, usize)>>,
        bundled: impl Fn(&'static Bundle) -> Option<crate::bundle::SkillRef>,
    ) -> std::vec::IntoIter<Entry<'_>> {
        let mut entries: Vec<Entry<'_>> = folders
            .into_iter()
            .flatten()
            .filter_map(|&(s, i)| Entry::of(self, s, i))
            .collect();
        for (s, source) in self.sources().iter().enumerate() {
            if let Content::Bundle(bundle) = source.content
                && let Some(skill) = bundled(bundle)
            {
                entries.push(Entry {
                    catalog: self,
                    source: s,
                    skill: skill.index(),
                    content: EntryContent::Bundled(skill),
                });
            }
        }
        entries.sort_by_key(|entry| {
            (
                !entry.is_sealed(),
                !entry.is_trusted(),
                entry.source().rank(),
                entry.source,
                entry.skill,
            )
        });
        entries.into_iter()
    }

    /// The skill that answers to a bare name, or the one of a qualified id. `None` also when
    /// several of equal rank have the name.
    pub fn get(&self, id: &str) -> Option<Entry<'_>> {
        if let Some((source, name)) = id.split_once(':') {
            return self.in_source(source, name);
        }
        let mut entries = self.named(id).filter(Entry::is_trusted);
        let first = entries.next()?;
        let twin = entries.find(|entry| {
            entry.source != first.source && entry.source().rank() == first.source().rank()
        });
        (first.is_sealed() || twin.is_none()).then_some(first)
    }

    /// The skill of this name in one source, shadowed or not.
    pub fn in_source(&self, source: &str, name: &str) -> Option<Entry<'_>> {
        self.named(name)
            .find(|entry| entry.source().name() == source)
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
