//! All skills of all bundles in one list, with the number of findings of each skill.

use crate::page::data::{Page, PageBundle, PageSkill};
use crate::page::html::counted;
use skills_format::{Diagnostic, Severity};
use std::collections::BTreeMap;

/// The skills of a page, numbered from 0.
pub(crate) struct PageIndex<'p> {
    pub(crate) skills: Vec<Listed<'p>>,
    /// The skill of each finding of the page.
    pub(crate) holders: Vec<Option<usize>>,
    /// The findings of the whole page; `None` if unknown.
    pub(crate) total: Option<Count>,
}

/// One skill of the list.
pub(crate) struct Listed<'p> {
    pub(crate) bundle: &'p PageBundle,
    /// The place of the bundle in the page.
    pub(crate) bundle_at: usize,
    pub(crate) skill: &'p PageSkill,
    /// The findings in the files of the skill; `None` if unknown.
    pub(crate) findings: Option<Count>,
}

/// A sum over skills. One broken skill takes no figure from the others.
pub(crate) struct Total<N> {
    pub(crate) sum: N,
    /// The number of skills that are not in the sum.
    pub(crate) unknown: usize,
}

impl<N: std::iter::Sum> Total<N> {
    /// Adds up the known numbers; `None` if none is known.
    pub(crate) fn of(numbers: impl Iterator<Item = Option<N>>) -> Option<Self> {
        let mut unknown = 0;
        let known: Vec<N> = numbers
            .filter_map(|number| {
                unknown += usize::from(number.is_none());
                number
            })
            .collect();
        (!known.is_empty()).then(|| Self {
            sum: known.into_iter().sum(),
            unknown,
        })
    }

    /// Says how many skills are not in the sum, if any.
    pub(crate) fn without(&self) -> String {
        match self.unknown {
            0 => String::new(),
            unknown => format!(", without {}", counted(unknown, "skill")),
        }
    }
}

/// Numbers of findings, by severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) infos: usize,
}

impl<'p> PageIndex<'p> {
    pub(crate) fn new(page: &'p Page) -> Self {
        let mut skills = Vec::new();
        let mut by_path: BTreeMap<&str, usize> = BTreeMap::new();
        for (bundle_at, bundle) in page.bundles.iter().enumerate() {
            for skill in &bundle.skills {
                if let Some(path) = &skill.path {
                    by_path.insert(path, skills.len());
                }
                skills.push(Listed {
                    bundle,
                    bundle_at,
                    skill,
                    findings: page.findings.as_ref().map(|_| Count::default()),
                });
            }
        }
        let mut total = page.findings.as_ref().map(|_| Count::default());
        let mut holders = Vec::new();
        for finding in page.findings.iter().flatten() {
            let found = &finding.diagnostic;
            if let Some(total) = &mut total {
                total.add(found);
            }
            let holder = holder(&by_path, &found.path);
            holders.push(holder);
            let skill = holder.and_then(|at| skills.get_mut(at));
            if let Some(count) = skill.and_then(|skill| skill.findings.as_mut()) {
                count.add(found);
            }
        }
        Self {
            skills,
            holders,
            total,
        }
    }

    /// Returns whether the skills belong to several bundles.
    pub(crate) fn has_bundles(&self) -> bool {
        let mut bundles = self.skills.iter().map(|listed| listed.bundle_at);
        let first = bundles.next();
        bundles.any(|bundle| Some(bundle) != first)
    }

    /// Returns whether two skills belong to one bundle.
    pub(crate) fn are_together(&self, first: usize, second: usize) -> bool {
        let bundle = |at: usize| Some(self.skills.get(at)?.bundle_at);
        bundle(first) == bundle(second)
    }

    /// Adds up a number of each skill; `None` if the number of every skill is unknown.
    pub(crate) fn sum<N: std::iter::Sum>(
        &self,
        of: impl Fn(&PageSkill) -> Option<N>,
    ) -> Option<Total<N>> {
        Total::of(self.skills.iter().map(|listed| of(listed.skill)))
    }
}

/// Returns the skill whose folder holds a path.
fn holder(by_path: &BTreeMap<&str, usize>, path: &str) -> Option<usize> {
    let mut path = path;
    loop {
        if let Some(at) = by_path.get(path) {
            return Some(*at);
        }
        path = match path.rsplit_once('/') {
            Some((folder, _)) => folder,
            None => return by_path.get(".").copied(),
        };
    }
}

impl Count {
    pub(crate) fn add(&mut self, found: &Diagnostic) {
        match found.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Info => self.infos += 1,
        }
    }

    /// Counts findings.
    pub(crate) fn of<'d>(found: impl Iterator<Item = &'d Diagnostic>) -> Self {
        let mut count = Self::default();
        for found in found {
            count.add(found);
        }
        count
    }

    /// Writes the numbers above 0 in words, or `none`.
    pub(crate) fn words(self) -> String {
        let parts = [
            (self.errors, "error"),
            (self.warnings, "warning"),
            (self.infos, "advice"),
        ];
        let parts = parts.into_iter().filter(|(number, _)| *number > 0);
        let words: Vec<String> = parts
            .map(|(number, one)| match one {
                "advice" => format!("{number} advice"),
                one => counted(number, one),
            })
            .collect();
        if words.is_empty() {
            return "none".to_owned();
        }
        words.join(", ")
    }

    /// Returns a sort key: by errors, then by warnings.
    pub(crate) fn order(self) -> usize {
        self.errors * 1_000_000 + self.warnings * 1000 + self.infos
    }
}
