//! Merges sources, and decides which skill answers to each name, once for a catalog.

use crate::bundle::{Baked, Bundle};
use crate::catalog::index::{Hasher, Index, Spot, Spots};
use crate::catalog::rivals::{self, Rival};
use crate::source::{Content, SkillContent, Source};
use skills_format::{Diagnostic, nfc};

/// The skills of all sources. State and facts are separate.
#[derive(Debug)]
pub(crate) struct Merged {
    /// The sources, the highest rank first; sources of equal rank by name.
    pub(crate) sources: Vec<Source>,
    /// The bundles, each with the index of its source.
    pub(crate) bundles: Vec<(usize, &'static Bundle)>,
    /// The skills by name. A name that only bundles have is looked up in the bundles.
    pub(crate) names: Index,
    /// The skills by alias, like [`names`](Self::names). If a nearer skill of its source has its name, a
    /// skill has no alias.
    pub(crate) aliases: Index,
}

impl Merged {
    /// Returns the skills that `find` returns for the bundles, in order of precedence.
    pub(crate) fn in_bundles(&self, find: impl Fn(&'static Bundle) -> Option<Baked>) -> Spots<'_> {
        let spot = |(source, skill): (usize, Baked)| Spot {
            source,
            skill: skill.index(),
        };
        let bundles = self.bundles.iter();
        let mut found = bundles.filter_map(|&(source, bundle)| Some((source, find(bundle)?)));
        match (found.next(), found.next()) {
            (None, _) => Spots::none(),
            (Some(one), None) => Spots::one(spot(one)),
            (Some(first), Some(second)) => {
                let mut all = vec![first, second];
                all.extend(found);
                all.sort_by_key(|(_, skill)| !skill.fields().sealed);
                Spots::several(all.into_iter().map(spot).collect())
            }
        }
    }
}

/// Merges sources. A bundle costs nothing: its perfect hash is its index.
pub(crate) fn merge(mut sources: Vec<Source>, diagnostics: &mut Vec<Diagnostic>) -> Merged {
    sources.sort_by(|a, b| (a.rank, &a.name).cmp(&(b.rank, &b.name)));
    let mut merging = Merging {
        bundles: sources
            .iter()
            .enumerate()
            .filter_map(|(index, source)| match source.content {
                Content::Bundle(bundle) => Some((index, bundle)),
                Content::Folders(_) => None,
            })
            .collect(),
        sources: &sources,
        diagnostics,
    };
    let names = merging.names();
    // After the names: only the nearest skill of a name in its source has aliases, and `names` holds
    // that order.
    let aliases = merging.aliases(&names);
    merging.report_bundles(&names);
    Merged {
        bundles: merging.bundles,
        names,
        aliases,
        sources,
    }
}

/// The state of merging.
struct Merging<'a> {
    sources: &'a [Source],
    bundles: Vec<(usize, &'static Bundle)>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Merging<'a> {
    /// Indexes the names of all skills that are not bundled, each with every skill of the name.
    fn names(&mut self) -> Index {
        let mut all: Vec<(&str, Rival<'a>)> = self
            .unbundled()
            .map(|rival| (rival.skill.name(), rival))
            .collect();
        all.sort_by_key(|(name, _)| *name);
        let mut names = Index::with_capacity_and_hasher(all.len(), Hasher::default());
        for same in all.chunk_by(|a, b| a.0 == b.0) {
            let Some(&(name, _)) = same.first() else {
                continue;
            };
            let folders = same.iter().map(|&(_, rival)| rival);
            let rivals = self.ordered(folders, |bundle| bundle.by_name(name));
            rivals::report(name, &rivals, self.diagnostics);
            names.insert(name.into(), rivals::found(&rivals));
        }
        names
    }

    /// Indexes the aliases of folder skills, and their names as the files spell them. If several skills of a source have one name, only the
    /// aliases of the nearest count.
    fn aliases(&self, names: &Index) -> Index {
        let mut all: Vec<(String, Rival<'a>)> = Vec::new();
        for rival in self.unbundled() {
            let SkillContent::Folder(skill) = rival.skill else {
                continue;
            };
            if rival.source.is_foreign() {
                continue;
            }
            let is_nearest = names.get(&*skill.name).is_some_and(|found| {
                let mut of_source = found.spots.iter().filter(|s| s.source == rival.spot.source);
                of_source.next() == Some(&rival.spot)
            });
            if is_nearest {
                let fields = skill.fields();
                // A name that was corrected still answers as the file spells it.
                let aliases = fields.aliases.iter().chain(&fields.display_name);
                all.extend(aliases.map(|alias| (nfc(alias).into_owned(), rival)));
            }
        }
        all.sort_by(|a, b| a.0.cmp(&b.0));
        let mut index = Index::with_capacity_and_hasher(all.len(), Hasher::default());
        for same in all.chunk_by(|a, b| a.0 == b.0) {
            let Some((alias, _)) = same.first() else {
                continue;
            };
            let folders = same.iter().map(|&(_, rival)| rival);
            let rivals = self.ordered(folders, |bundle| bundle.by_alias(alias));
            index.insert(alias.as_str().into(), rivals::found(&rivals));
        }
        index
    }

    /// Iterates over the skills that are not bundled.
    fn unbundled(&self) -> impl Iterator<Item = Rival<'a>> + use<'a> {
        let sources = self.sources.iter().enumerate();
        let sources = sources.filter(|(_, source)| !matches!(source.content, Content::Bundle(_)));
        sources.flat_map(|(index, source)| {
            (0..source.len()).filter_map(move |skill| {
                Some(Rival {
                    spot: Spot {
                        source: index,
                        skill,
                    },
                    source,
                    skill: source.skill(skill)?,
                })
            })
        })
    }

    /// Adds the skills of bundles to other skills, and sorts all in order of precedence.
    fn ordered(
        &self,
        folders: impl Iterator<Item = Rival<'a>>,
        find: impl Fn(&'static Bundle) -> Option<Baked>,
    ) -> Vec<Rival<'a>> {
        let mut rivals: Vec<Rival<'a>> = folders.collect();
        for &(index, bundle) in &self.bundles {
            if let (Some(skill), Some(source)) = (find(bundle), self.sources.get(index)) {
                rivals.push(Rival {
                    spot: Spot {
                        source: index,
                        skill: skill.index(),
                    },
                    source,
                    skill: SkillContent::Bundled(skill),
                });
            }
        }
        // The sorts are stable. Sources are in order of rank, and the skills of each source in their
        // order.
        rivals.sort_by_key(|rival| (rival.precedence(), rival.spot.source));
        rivals
    }

    /// Reports bundled skills that a skill of another bundle shadows. Names that folders have are
    /// already reported.
    fn report_bundles(&mut self, names: &Index) {
        if self.bundles.len() < 2 {
            return;
        }
        let bundles = self.bundles.clone();
        for (index, &(_, bundle)) in bundles.iter().enumerate().skip(1) {
            for skill in bundle.baked() {
                let name = skill.name();
                let above = bundles.iter().take(index);
                let has = |(_, other): &(usize, &'static Bundle)| other.by_name(name).is_some();
                // At the second bundle with the name: `report` covers all bundles with it, so a third
                // would repeat the report.
                if names.contains_key(name) || above.filter(|b| has(b)).count() != 1 {
                    continue;
                }
                let rivals = self.ordered(std::iter::empty(), |bundle| bundle.by_name(name));
                rivals::report(name, &rivals, self.diagnostics);
            }
        }
    }
}
