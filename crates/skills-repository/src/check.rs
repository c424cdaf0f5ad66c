//! The findings of a whole repository: its bundles, seals, options and locks.

use crate::lock;
use crate::repository::Repository;
use skills_compiler::{Folder, LOCK_FILE};
use skills_format::disk::Folder as OpenFolder;
use skills_format::{Diagnostic, RuleId};
use skills_lint::{Found, Level};
use std::path::Path;

/// The findings of a repository.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Checked {
    /// The findings in each bundle, in the order of [`Repository::bundles`].
    pub bundles: Vec<Found>,
    /// The findings about manifests, options, seals and locks.
    pub others: Vec<Diagnostic>,
}

/// Checks the bundles of a repository, its seals and its locks. `levels` are the levels of rules that the caller gives;
/// printed paths start from `base`.
///
/// # Cost
///
/// The cost of [`Repository::check`] for each bundle. A locked bundle is also compiled.
pub fn check(repository: &Repository, levels: &[(String, Level)], base: &Path) -> Checked {
    with_stale(repository, stale(repository, levels, base))
}

fn with_stale(repository: &Repository, stale: Vec<Diagnostic>) -> Checked {
    let mut checked = Checked::default();
    for bundle in &repository.bundles {
        checked.bundles.push(repository.check(bundle));
    }
    checked.others = around(repository, &checked.bundles);
    checked.others.extend(stale);
    checked.others.extend(empty(repository, &checked));
    checked
}

/// The findings about locks, which are kept between two checks of one repository: they need all skills.
#[derive(Default)]
pub struct Kept {
    stale: Vec<Diagnostic>,
}

impl Kept {
    /// Checks a repository and keeps the findings about locks. Returns the findings of [`check`].
    pub fn check(&mut self, repository: &Repository, base: &Path) -> Checked {
        self.stale = stale(repository, &[], base);
        self.check_again(repository)
    }

    /// Checks a repository again. The findings about locks stay those of the last [`Kept::check`].
    pub fn check_again(&self, repository: &Repository) -> Checked {
        with_stale(repository, self.stale.clone())
    }
}

fn around(repository: &Repository, bundles: &[Found]) -> Vec<Diagnostic> {
    let names: Vec<Vec<String>> = bundles.iter().map(|found| found.names.clone()).collect();
    let mut found = repository.faults.clone();
    found.extend(repository.unknown_seals(&names));
    found.extend(repository.unknown_clients());
    found
}

/// Reports that no skill was found.
fn empty(repository: &Repository, checked: &Checked) -> Option<Diagnostic> {
    let found = checked.bundles.iter().flat_map(|found| &found.diagnostics);
    // An unreadable file may hold a skill, so the repository is not reported as empty.
    let mut found = found.chain(&checked.others);
    let is_whole = !found.any(|finding| finding.is(RuleId::Unreadable));
    let is_empty = repository.bundles.iter().all(|bundle| bundle.skills == 0);
    (is_whole && is_empty).then(|| repository.empty()).flatten()
}

/// Finds the differences between locked folders and their locks. Without `locked`, a lock promises only that no skill is
/// lost.
fn stale(repository: &Repository, levels: &[(String, Level)], base: &Path) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for bundle in &repository.bundles {
        let has_lock = || {
            let folder = OpenFolder::open(&base.join(&bundle.path));
            folder.is_ok_and(|folder| folder.stat(Path::new(LOCK_FILE)).is_ok())
        };
        if !bundle.config.locked && !has_lock() {
            continue;
        }
        let mut folder = Folder::read(base, &bundle.path);
        folder.config.locked = bundle.config.locked;
        for (rule, level) in levels {
            folder.config.levels.insert(rule.clone(), *level);
        }
        let compiled = folder.compile();
        found.extend(lock::check::check(&folder, &compiled));
        let stale = compiled.diagnostics.into_iter();
        found.extend(stale.filter(|it| it.is(RuleId::LockStale)));
    }
    found
}
