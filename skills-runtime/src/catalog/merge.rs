//! Who answers to which name: worked out once, when a catalog is loaded.

use crate::bundle::{Bundle, SkillRef};
use crate::catalog::Merged;
use crate::catalog::builder::CatalogBuilder;
use crate::catalog::diagnostics::{self, After};
use crate::source::folder::FolderSkill;
use crate::source::{Content, Source};
use skills_format::{Diagnostic, nfc};
use std::collections::HashMap;
use std::path::Path;

/// Seeded, so that no text can make it slow.
#[cfg(feature = "discover")]
pub(crate) type Hasher = foldhash::fast::RandomState;
#[cfg(not(feature = "discover"))]
pub(crate) type Hasher = std::collections::hash_map::RandomState;

/// Names to the skills that have them.
pub(crate) type Index = HashMap<Box<str>, Found, Hasher>;

/// Where a skill stands in the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Index of the source.
    pub(crate) source: usize,
    /// Index within the source.
    pub(crate) skill: usize,
}

/// Every skill that has a name or an alias.
#[derive(Debug)]
pub(crate) struct Found {
    /// In order of precedence.
    pub(crate) spots: Box<[Spot]>,
    pub(crate) answer: Answer,
}

/// Who answers to a bare name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    One(Spot),
    /// The first so many are of equal rank, and not all of one source.
    Twins(usize),
    /// None that is trusted has it.
    None,
}

/// Skills in order of precedence. Allocates only where several bundles have a name.
#[derive(Debug)]
pub(crate) enum Spots<'c> {
    Found(std::slice::Iter<'c, Spot>),
    One(Option<Spot>),
    Several(std::vec::IntoIter<Spot>),
}

impl<'c> Spots<'c> {
    pub(crate) fn of(spots: &'c [Spot]) -> Self {
        Self::Found(spots.iter())
    }

    pub(crate) fn none() -> Self {
        Self::One(None)
    }

    pub(crate) fn one(spot: Spot) -> Self {
        Self::One(Some(spot))
    }

    pub(crate) fn several(spots: Vec<Spot>) -> Self {
        Self::Several(spots.into_iter())
    }
}

impl Iterator for Spots<'_> {
    type Item = Spot;

    fn next(&mut self) -> Option<Spot> {
        match self {
            Self::Found(spots) => spots.next().copied(),
            Self::One(spot) => spot.take(),
            Self::Several(spots) => spots.next(),
        }
    }
}

/// Merges sources, highest rank first. With only one bundle there is nothing to do.
pub(crate) fn merge(
    mut sources: Vec<Source>,
    builder: CatalogBuilder,
    diagnostics: &mut Vec<Diagnostic>,
) -> Merged {
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
    let aliases = merging.aliases(&names);
    merging.tell_bundles(&names);
    Merged {
        builder,
        bundles: merging.bundles,
        names,
        aliases,
        sources,
    }
}

struct Merging<'a> {
    sources: &'a [Source],
    bundles: Vec<(usize, &'static Bundle)>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

/// A skill among its namesakes.
#[derive(Clone, Copy)]
struct Rival<'a> {
    spot: Spot,
    source: &'a Source,
    skill: Skill<'a>,
}

#[derive(Clone, Copy)]
enum Skill<'a> {
    Bundled(SkillRef),
    Folder(&'a FolderSkill),
}

impl<'a> Merging<'a> {
    /// The names of folder skills, and who else has them.
    fn names(&mut self) -> Index {
        let mut all: Vec<(&str, Rival<'a>)> = self
            .folder_skills()
            .map(|(rival, skill)| (&*skill.name, rival))
            .collect();
        all.sort_by_key(|&(name, _)| name);
        let mut names = Index::with_capacity_and_hasher(all.len(), Hasher::default());
        for same in all.chunk_by(|a, b| a.0 == b.0) {
            let Some(&(name, _)) = same.first() else {
                continue;
            };
            let folders = same.iter().map(|&(_, rival)| rival);
            let rivals = self.ordered(folders, |bundle| bundle.by_name(name));
            self.tell(name, &rivals);
            names.insert(name.into(), Found::of(&rivals));
        }
        names
    }

    fn aliases(&self, names: &Index) -> Index {
        let mut all: Vec<(String, Rival<'a>)> = Vec::new();
        for (rival, skill) in self.folder_skills() {
            let is_nearest = names.get(&*skill.name).is_some_and(|found| {
                let mut of_source = found.spots.iter().filter(|s| s.source == rival.spot.source);
                of_source.next() == Some(&rival.spot)
            });
            if is_nearest {
                let aliases = skill.fields().aliases.iter();
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
            index.insert(alias.as_str().into(), Found::of(&rivals));
        }
        index
    }

    fn folder_skills(&self) -> impl Iterator<Item = (Rival<'a>, &'a FolderSkill)> + use<'a> {
        let sources = self.sources.iter().enumerate();
        sources.flat_map(|(index, source)| {
            let skills = match &source.content {
                Content::Folders(folders) => folders.skills.as_slice(),
                Content::Bundle(_) => &[],
            };
            skills.iter().enumerate().map(move |(skill, content)| {
                let spot = Spot {
                    source: index,
                    skill,
                };
                let skill = Skill::Folder(content);
                let rival = Rival {
                    spot,
                    source,
                    skill,
                };
                (rival, &**content)
            })
        })
    }

    /// Those of folders and those of bundles, in order of precedence.
    fn ordered(
        &self,
        folders: impl Iterator<Item = Rival<'a>>,
        find: impl Fn(&'static Bundle) -> Option<SkillRef>,
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
                    skill: Skill::Bundled(skill),
                });
            }
        }
        rivals.sort_by_key(|rival| {
            (
                !rival.is_sealed(),
                !rival.source.is_trusted(),
                rival.source.rank,
                rival.spot.source,
                rival.spot.skill,
            )
        });
        rivals
    }

    /// Tells of the skills that do not answer to their name. `rivals` are in order of precedence.
    fn tell(&mut self, name: &str, rivals: &[Rival<'_>]) {
        let Some((first, others)) = rivals.split_first() else {
            return;
        };
        let mut twins = vec![first];
        for (index, rival) in others.iter().enumerate() {
            let before = rivals.get(..=index).unwrap_or_default();
            let nearer = before.iter().find(|b| b.spot.source == rival.spot.source);
            let equal = rival.source.rank == first.source.rank && !first.is_sealed();
            let found = if let Some(nearer) = nearer {
                diagnostics::repeated_name(&rival.path(), name, &nearer.path(), rival.after(nearer))
            } else if first.is_sealed() && rival.source.rank < first.source.rank {
                diagnostics::sealed(&rival.path(), &rival.id(name), &first.id(name))
            } else if !rival.source.is_trusted() && first.source.is_trusted() {
                continue;
            } else if equal {
                twins.push(rival);
                continue;
            } else {
                diagnostics::shadowed(&rival.path(), &rival.id(name), &first.id(name))
            };
            self.diagnostics.push(found);
        }
        if twins.len() > 1 {
            let ids: Vec<String> = twins.iter().map(|twin| twin.id(name)).collect();
            let found = diagnostics::ambiguous(&first.path(), name, &ids);
            self.diagnostics.push(found);
        }
    }

    /// Tells of bundled skills that are shadowed by those of another bundle.
    fn tell_bundles(&mut self, names: &Index) {
        let bundles = self.bundles.clone();
        for (index, &(_, bundle)) in bundles.iter().enumerate().skip(1) {
            for skill in bundle.iter() {
                let name = skill.name();
                let above = bundles.iter().take(index);
                let has = |(_, other): &(usize, &'static Bundle)| other.by_name(name).is_some();
                if names.contains_key(name) || above.filter(|b| has(b)).count() != 1 {
                    continue;
                }
                let rivals = self.ordered(std::iter::empty(), |bundle| bundle.by_name(name));
                self.tell(name, &rivals);
            }
        }
    }
}

impl Found {
    fn of(rivals: &[Rival<'_>]) -> Self {
        let trusted = rivals.partition_point(|rival| rival.source.is_trusted());
        let answer = match rivals.first() {
            Some(first) if trusted > 0 => {
                let equal = rivals.iter().take(trusted);
                let equal = equal.take_while(|r| r.source.rank == first.source.rank);
                let sources = equal.clone().map(|rival| rival.spot.source);
                let twins = sources.clone().any(|source| source != first.spot.source);
                if twins && !first.is_sealed() {
                    Answer::Twins(equal.count())
                } else {
                    Answer::One(first.spot)
                }
            }
            _ => Answer::None,
        };
        Self {
            spots: rivals.iter().map(|rival| rival.spot).collect(),
            answer,
        }
    }
}

impl Rival<'_> {
    fn is_sealed(&self) -> bool {
        matches!(self.skill, Skill::Bundled(skill) if skill.sealed())
    }

    /// Why it comes after a namesake of its source.
    fn after(&self, first: &Self) -> After {
        match (self.skill, first.skill) {
            (Skill::Folder(skill), Skill::Folder(first)) if skill.root == first.root => {
                let is_made = |skill: &FolderSkill| skill.fields().display_name.is_some();
                if is_made(skill) && !is_made(first) {
                    After::Exact
                } else {
                    After::Earlier
                }
            }
            _ => After::Nearer,
        }
    }

    fn id(&self, name: &str) -> String {
        format!("{}:{name}", self.source.name)
    }

    /// The `SKILL.md`, or the address that stands for it.
    fn path(&self) -> std::path::PathBuf {
        match self.skill {
            Skill::Folder(skill) => skill.dir.join(&*skill.file_name),
            Skill::Bundled(skill) => Path::new("skill://")
                .join(&self.source.name)
                .join(skill.name())
                .join("SKILL.md"),
        }
    }
}
