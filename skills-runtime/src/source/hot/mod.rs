//! Reads a bundle again from the folder that it was compiled from, while a debug build runs.
//!
//! A version with an error is reported, and the version before it stays whole. What may be read is decided in `allowed.rs` (by this process) and in `look.rs` (by the folder).

mod allowed;
mod findings;
mod folder;
pub(crate) mod look;
pub(crate) mod state;

use crate::bundle::Bundle;
use crate::bundle::hot::keep;
use crate::bundle::version::Site;
use crate::source::hot::allowed::{Environment, Switch};
use crate::source::hot::look::Look;
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, RuleId, Severity, Tree};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum number of readings until two looks, before and after a reading, are equal.
const TRIES: usize = 3;

/// The result of reading the folder of a bundle.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The bundle in force: the last version without errors; the baked bundle before the first.
    pub(crate) bundle: &'static Bundle,
    /// The findings about the folder as it is now.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The folder of the skills.
    pub(crate) folder: PathBuf,
    /// The baked bundle.
    baked: &'static Bundle,
    /// The files that were read. `None`: they have to be read again.
    pub(crate) look: Option<Look>,
    /// False if the bundle is an earlier version than the folder's, as the findings say.
    is_current: bool,
    /// The number of changed versions of the folder since its last version without errors. All of them have errors.
    faulty: usize,
}

/// Reads the folder of a baked bundle, unless the last reading still holds. Returns `None` if the bundle is not to be
/// read in this process. `name` is the name of the source.
pub(crate) fn read(
    baked: &'static Bundle,
    name: &str,
    last: Option<&Arc<Reading>>,
) -> Option<Arc<Reading>> {
    let site = baked.site()?;
    let environment = Environment::read();
    let (switch, misspelt) = environment.switch(Path::new(site.manifest));
    // Two bundles can have had one name, in a catalog with other sources.
    let last = last.filter(|last| std::ptr::eq(last.baked, baked));
    let mut reading = Reading::unread(baked, &site);
    match switch {
        Switch::Off if misspelt.is_none() => return None,
        Switch::Off => {}
        Switch::On => {
            if let Some(last) = last {
                reading.bundle = last.bundle;
            }
            match reading.follow(&site, &environment, name, last) {
                Followed::Same(last) => return Some(last),
                Followed::Read => {}
            }
        }
    }
    reading.diagnostics.extend(misspelt);
    Some(Arc::new(reading))
}

/// The result of reading a folder after an earlier reading.
enum Followed {
    /// The earlier reading holds.
    Same(Arc<Reading>),
    Read,
}

impl Reading {
    fn unread(baked: &'static Bundle, site: &Site) -> Self {
        Self {
            bundle: baked,
            diagnostics: Vec::new(),
            folder: look::folder(site),
            baked,
            look: None,
            is_current: false,
            faulty: 0,
        }
    }

    /// Reads the folder, until nothing has changed while it was read.
    fn follow(
        &mut self,
        site: &Site,
        environment: &Environment,
        name: &str,
        last: Option<&Arc<Self>>,
    ) -> Followed {
        let origin = self.bundle.origin();
        let profile = environment.profile.as_deref();
        let shown = shown(environment, &self.folder);
        for _ in 0..TRIES {
            let look = match Look::at(site, profile) {
                Ok(look) => look,
                Err(refused) => {
                    let found = findings::refused(&shown, &self.folder, &refused, name, origin);
                    self.stay(last, found);
                    return Followed::Read;
                }
            };
            let same = last.filter(|last| last.look.as_ref().is_some_and(|it| it.holds(&look)));
            if let Some(last) = same {
                return Followed::Same(Arc::clone(last));
            }
            let tree = folder::tree(&self.folder);
            // An editor may have been writing, or the folder can have been replaced: what was read belongs together
            // only if nothing has changed meanwhile.
            if Look::at(site, profile).is_ok_and(|after| look.equals(&after)) {
                self.faulty = last.map_or(1, |last| last.next_faulty(&look));
                self.look = Some(look);
                self.check(tree, &shown, name);
                // Of a folder that was not read the last time, this line is new, and says enough.
                self.diagnostics.push(findings::on(&shown, name));
                if self.is_current && last.is_some_and(|last| last.is_faulty()) {
                    self.diagnostics.push(findings::again(&shown, name));
                }
                return Followed::Read;
            }
        }
        self.stay(last, findings::unsettled(&shown, name));
        Followed::Read
    }

    /// Keeps the version before, for the reason of a finding. The warnings about that version hold as before: otherwise
    /// each would be new again when the folder can be read.
    fn stay(&mut self, last: Option<&Arc<Self>>, why: Diagnostic) {
        let last = last.filter(|last| !last.is_faulty());
        let known = last.into_iter().flat_map(|last| &last.diagnostics);
        let warnings = known
            .filter(|it| it.severity == Severity::Warning && !it.is(RuleId::HotBundle))
            .cloned();
        self.diagnostics.extend(warnings);
        self.diagnostics.push(why);
    }

    /// Returns whether the folder was read, and has errors.
    pub(crate) fn is_faulty(&self) -> bool {
        self.look.is_some() && !self.is_current
    }

    /// Returns the number of faulty versions if the version of a look is faulty too. A folder that is read again without
    /// a change, since its files are too new to be sure, has no further version.
    fn next_faulty(&self, now: &Look) -> usize {
        let is_changed = self.look.as_ref().is_none_or(|look| !look.equals(now));
        self.faulty + usize::from(is_changed)
    }

    /// Takes a version without errors, and reports the findings.
    fn check(&mut self, tree: io::Result<Tree>, shown: &Path, name: &str) {
        let root = shown.shown();
        let tree = tree.map_err(|error| {
            let message = format!("this cannot be read: {error}");
            vec![Diagnostic::new(
                RuleId::Unreadable,
                Severity::Error,
                &*root,
                message,
            )]
        });
        let kept = tree.and_then(|tree| {
            Ok(keep(
                self.baked,
                &self.folder,
                &folder::skills(&tree, &root)?,
            ))
        });
        match kept {
            Ok(bundle) => {
                self.bundle = bundle;
                self.is_current = true;
                self.faulty = 0;
                return;
            }
            Err(errors) => self.diagnostics = errors,
        }
        let origin = self.bundle.origin();
        let errors = self.diagnostics.iter();
        let mut errors = errors.filter(|found| found.severity == Severity::Error);
        let found = match errors.next() {
            Some(first) if self.faulty > 1 => {
                let errors = 1 + errors.count();
                findings::still_faulty(shown, (first, errors), (name, origin), self.faulty)
            }
            _ => findings::faulty(shown, name, origin),
        };
        self.diagnostics.push(found);
    }
}

/// Returns the path of the folder as findings show paths.
fn shown(environment: &Environment, folder: &Path) -> PathBuf {
    match environment.shown(folder) {
        here if here.as_os_str().is_empty() => folder.to_owned(),
        shown => shown.to_owned(),
    }
}
