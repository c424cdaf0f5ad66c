//! Orders skills with the same name by precedence, and reports the conflicts.

use crate::catalog::diagnostics::{self as findings, After};
use crate::catalog::index::{Found, Spot};
use crate::source::{SkillContent, Source};
use skills_format::Diagnostic;
use std::path::{Path, PathBuf};

/// One of several skills with the same name.
#[derive(Clone, Copy)]
pub(crate) struct Rival<'a> {
    pub(crate) spot: Spot,
    pub(crate) source: &'a Source,
    pub(crate) skill: SkillContent<'a>,
}

impl Rival<'_> {
    /// Returns the sort key for precedence: namespaced skills last, then sealed skills before others,
    /// then trusted skills before untrusted. Skills with an equal key are in order of rank, and within a
    /// source the nearer skill is first.
    pub(crate) fn precedence(&self) -> usize {
        let after = [
            self.source.namespaced,
            !self.is_sealed(),
            !self.is_trusted(),
        ];
        let numbers = after.map(usize::from).into_iter();
        numbers.fold(0, |all, number| all * 2 + number)
    }

    fn is_trusted(&self) -> bool {
        self.source.trust.of(self.spot.skill).is_trusted()
    }

    fn is_sealed(&self) -> bool {
        self.skill.fields().sealed
    }

    fn is_bundled(&self) -> bool {
        matches!(self.skill, SkillContent::Bundled(_))
    }

    /// Returns the reason why the skill comes after `first`, a skill of the same source and name.
    fn after(&self, first: &Self) -> After {
        match (self.skill, first.skill) {
            (SkillContent::Folder(skill), SkillContent::Folder(first))
                if skill.root == first.root =>
            {
                if skill.fit() != first.fit() {
                    After::Folder
                } else if skill.is_corrected() != first.is_corrected() {
                    After::Exact
                } else if skill.depth() != first.depth() {
                    After::Outer
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

    /// Returns the path of the `SKILL.md`, or the address of a bundled skill.
    fn path(&self) -> PathBuf {
        match self.skill {
            SkillContent::Folder(skill) => skill.path(),
            SkillContent::Bundled(_) => Path::new("skill://")
                .join(&self.source.name)
                .join(self.skill.name())
                .join("SKILL.md"),
        }
    }
}

/// Decides which skill answers to a name. `rivals` are in order of precedence.
pub(crate) fn found(rivals: &[Rival<'_>]) -> Found {
    let own = rivals.partition_point(|rival| !rival.source.namespaced);
    let trusted = rivals
        .get(..own)
        .unwrap_or_default()
        .partition_point(Rival::is_trusted);
    let rank = rivals.first().map(|first| first.source.rank);
    let equal = rivals.iter().take(trusted);
    let equal = equal.take_while(|rival| Some(rival.source.rank) == rank);
    let sources = equal.clone().map(|rival| rival.spot.source);
    // Only plugins share a rank, and a plugin has no sealed skill: a sealed skill is alone.
    let claims = match (sources.clone().min() == sources.max(), trusted) {
        (true, trusted) => trusted.min(1),
        (false, _) => equal.count(),
    };
    Found {
        spots: rivals.iter().map(|rival| rival.spot).collect(),
        claims,
    }
}

/// Reports the skills that do not answer to their name. `rivals` are in order of precedence.
pub(crate) fn report(name: &str, rivals: &[Rival<'_>], diagnostics: &mut Vec<Diagnostic>) {
    let (own, namespaced) =
        rivals.split_at(rivals.partition_point(|rival| !rival.source.namespaced));
    let Some((first, others)) = own.split_first() else {
        return;
    };
    for rival in namespaced {
        diagnostics.push(findings::same_name(
            &rival.path(),
            &rival.id(name),
            &first.id(name),
        ));
    }
    let mut twins = vec![first];
    for (index, rival) in others.iter().enumerate() {
        let before = rivals.get(..=index).unwrap_or_default();
        let nearer = before.iter().find(|b| b.spot.source == rival.spot.source);
        let equal = rival.source.rank == first.source.rank;
        // An untrusted skill takes no part in naming, so it is not reported beside a trusted skill.
        let nearer = nearer.filter(|nearer| rival.is_trusted() || !nearer.is_trusted());
        let found = if let Some(nearer) = nearer {
            findings::repeated_name(&rival.path(), name, &nearer.path(), rival.after(nearer))
        } else if first.is_sealed() && rival.source.rank < first.source.rank {
            findings::sealed(&rival.path(), &rival.id(name), &first.id(name))
        } else if !rival.is_trusted() && first.is_trusted() {
            continue;
        } else if equal {
            twins.push(rival);
            continue;
        } else if rival.is_bundled() && !first.is_bundled() {
            // That a person's skill takes the place of one that the program ships is what is promised.
            continue;
        } else {
            findings::shadowed(&rival.path(), &rival.id(name), &first.id(name))
        };
        diagnostics.push(found);
    }
    if twins.len() > 1 {
        let ids: Vec<String> = twins.iter().map(|twin| twin.id(name)).collect();
        let found = findings::ambiguous(&first.path(), name, &ids);
        diagnostics.push(found);
    }
}
