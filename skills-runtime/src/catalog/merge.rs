//! Merges sources, and decides which skill answers to each name, once for a catalog.

use crate::bundle::{Baked, Bundle};
use crate::catalog::index::{Found, Hasher, Index, Spot};
use crate::catalog::{Catalog, Skill};
use crate::source::SkillContent;
use crate::source::diagnostics::{info, warning};
use skills_format::{Diagnostic, Prose, RuleId, nfc, prose};
use std::path::{Path, PathBuf};

impl Catalog {
    /// Indexes the names of all skills that are not bundled, each with every skill of the name. Reports the skills that
    /// do not answer to their name.
    pub(crate) fn index_names(&self, diagnostics: &mut Vec<Diagnostic>) -> Index {
        let mut all: Vec<(&str, Skill<'_>)> = self
            .unbundled()
            .map(|skill| (skill.name(), skill))
            .collect();
        all.sort_by_key(|(name, _)| *name);
        let names = self.indexed(&all, Bundle::by_name, |name, rivals| {
            report(name, rivals, diagnostics);
        });
        // A skill of a bundle that a skill of another bundle shadows.
        let bundles = &self.merged().bundles;
        for (index, &(_, bundle)) in bundles.iter().enumerate().skip(1) {
            for skill in bundle.baked() {
                let name = skill.name();
                let above = bundles.iter().take(index);
                let has = |(_, other): &&(usize, &'static Bundle)| other.by_name(name).is_some();
                // At the second bundle with the name: `report` covers all bundles with it, so a third
                // would repeat the report.
                if !names.contains_key(name) && above.filter(has).count() == 1 {
                    report(
                        name,
                        &self.ordered(Vec::new(), name, Bundle::by_name),
                        diagnostics,
                    );
                }
            }
        }
        names
    }

    /// Indexes the aliases of folder skills, and their names as the files spell them. If several skills of a source have one
    /// name, only the aliases of the nearest count.
    pub(crate) fn index_aliases(&self, names: &Index) -> Index {
        let mut all: Vec<(String, Skill<'_>)> = Vec::new();
        for skill in self.unbundled().filter(|skill| !skill.layer().is_foreign()) {
            let found = names
                .get(skill.name())
                .map_or(&[][..], |found| &found.spots);
            let nearest = found.iter().find(|spot| spot.source == skill.source);
            if nearest.is_some_and(|nearest| nearest.skill == skill.index) {
                let fields = skill.fields();
                // A name that was corrected still answers as the file spells it.
                let aliases = fields.aliases.iter().chain(&fields.display_name);
                all.extend(aliases.map(|alias| (nfc(alias).into_owned(), skill)));
            }
        }
        all.sort_by(|a, b| a.0.cmp(&b.0));
        self.indexed(&all, Bundle::by_alias, |_, _| {})
    }

    /// Indexes skills that are sorted by their key.
    fn indexed<K: AsRef<str> + PartialEq>(
        &self,
        all: &[(K, Skill<'_>)],
        find: fn(&'static Bundle, &str) -> Option<Baked>,
        mut each: impl FnMut(&str, &[Skill<'_>]),
    ) -> Index {
        let mut index = Index::with_capacity_and_hasher(all.len(), Hasher::default());
        for same in all.chunk_by(|a, b| a.0 == b.0) {
            let key = same[0].0.as_ref();
            let same = same.iter().map(|(_, skill)| *skill);
            let rivals = self.ordered(same.collect(), key, find);
            each(key, &rivals);
            index.insert(key.into(), found(&rivals));
        }
        index
    }

    /// Iterates over the skills that are not bundled.
    fn unbundled(&self) -> impl Iterator<Item = Skill<'_>> {
        let is_folder = |index: &usize| self.sources()[*index].bundle().is_none();
        let sources = (0..self.sources().len()).filter(is_folder);
        sources.flat_map(|source| self.skills_of(source))
    }

    /// Adds the skills of bundles to other skills, and sorts all in order of precedence: namespaced skills last, then
    /// sealed skills before others, then trusted skills before untrusted.
    pub(crate) fn ordered<'c>(
        &'c self,
        mut rivals: Vec<Skill<'c>>,
        key: &str,
        find: fn(&'static Bundle, &str) -> Option<Baked>,
    ) -> Vec<Skill<'c>> {
        for &(source, bundle) in &self.merged().bundles {
            rivals.extend(find(bundle, key).map(|skill| self.bundled(source, skill)));
        }
        // The sort is stable. Sources are in order of rank, and within a source the nearer skill is first.
        rivals.sort_by_key(|it| {
            let last = (!it.answers_to_bare_names(), !it.fields().sealed);
            (last, !it.is_trusted(), it.source)
        });
        rivals
    }
}

/// Decides which skill answers to a name. `rivals` are in order of precedence.
fn found(rivals: &[Skill<'_>]) -> Found {
    let own = rivals.partition_point(Skill::answers_to_bare_names);
    let trusted = rivals[..own].partition_point(Skill::is_trusted);
    let rank = rivals[0].layer().rank;
    let equal = rivals[..trusted].iter();
    let equal = equal.take_while(|rival| rival.layer().rank == rank);
    let sources = equal.clone().map(|rival| rival.source);
    // Only plugins share a rank, and a plugin has no sealed skill: a sealed skill is alone.
    let claims = if sources.clone().min() == sources.max() {
        trusted.min(1)
    } else {
        equal.count()
    };
    let spots = rivals.iter().map(|rival| Spot {
        source: rival.source,
        skill: rival.index,
    });
    Found {
        spots: spots.collect(),
        claims,
    }
}

/// Reports the skills that do not answer to their name. `rivals` are in order of precedence.
fn report(name: &str, rivals: &[Skill<'_>], diagnostics: &mut Vec<Diagnostic>) {
    let (own, namespaced) = rivals.split_at(rivals.partition_point(Skill::answers_to_bare_names));
    let Some((first, others)) = own.split_first() else {
        return;
    };
    for rival in namespaced {
        let message = format!("`{rival}` has the name of `{first}`; the name alone never means it");
        diagnostics.push(info(RuleId::SameName, &path(rival), message));
    }
    let mut twins = vec![first];
    for (index, rival) in others.iter().enumerate() {
        let nearer = rivals[..=index].iter().find(|it| it.source == rival.source);
        // An untrusted skill takes no part in naming, so it is not reported beside a trusted skill.
        let nearer = nearer.filter(|nearer| rival.is_trusted() || !nearer.is_trusted());
        let (rank, first_rank) = (rival.layer().rank, first.layer().rank);
        let at = path(rival);
        diagnostics.push(if let Some(nearer) = nearer {
            // In one root, a repeated name is a mistake, or an attempt to take the name.
            let (finding, why): (fn(_, &Path, Prose) -> Diagnostic, _) = match after(rival, nearer)
            {
                Some(why) => (warning, why),
                None => (info, "which is nearer"),
            };
            let message = prose!("`{name}` is also the name of `{}`, {why}", &path(nearer));
            finding(RuleId::Shadowed, &at, message).help("only a link to its path names it")
        } else if first.fields().sealed && rank < first_rank {
            let message = format!("`{rival}` cannot shadow `{first}`, which is sealed");
            warning(RuleId::Sealed, &at, message).help("give it another name")
        } else if !rival.is_trusted() && first.is_trusted() {
            continue;
        } else if rank == first_rank {
            twins.push(rival);
            continue;
        } else if rival.is_bundled() && !first.is_bundled() {
            // That a person's skill takes the place of one that the program ships is what is promised.
            continue;
        } else {
            let message = format!("`{rival}` is shadowed by `{first}`, which answers to the name");
            info(RuleId::Shadowed, &at, message)
        });
    }
    if twins.len() > 1 {
        let twins: Vec<String> = twins.iter().map(ToString::to_string).collect();
        let twins = twins.join("`, `");
        let message = format!("`{name}` alone names none of `{twins}`: they have equal rank");
        let found = info(RuleId::AmbiguousName, &path(first), message);
        diagnostics.push(found.help("write the id with its source"));
    }
}

/// Returns the path of the `SKILL.md`, or the address of a bundled skill.
fn path(skill: &Skill<'_>) -> PathBuf {
    match skill.content {
        SkillContent::Folder(folder) => folder.path(),
        SkillContent::Bundled(_) => Path::new("skill://")
            .join(skill.source())
            .join(skill.name())
            .join("SKILL.md"),
    }
}

/// Returns the reason why a skill comes after `first`, a skill of the same source and name. `None`: the root of the other
/// is nearer.
fn after(skill: &Skill<'_>, first: &Skill<'_>) -> Option<&'static str> {
    match (skill.content, first.content) {
        (SkillContent::Folder(skill), SkillContent::Folder(first)) if skill.root == first.root => {
            Some(if skill.fit() != first.fit() {
                "whose folder has the name"
            } else if skill.is_corrected() != first.is_corrected() {
                "which spells the name itself"
            } else if skill.depth() != first.depth() {
                "which is in fewer folders"
            } else {
                "which comes first in order of paths"
            })
        }
        _ => None,
    }
}
