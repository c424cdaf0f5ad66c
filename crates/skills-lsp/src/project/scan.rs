//! The walk and the check of a whole folder, on a thread of their own: in a large folder they take many seconds.

use skills_repository::check::{Checked, Kept};
use skills_repository::repository::{Repository, Settings, Start};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

/// What a scan needs.
#[derive(Clone)]
pub(crate) struct Scan {
    pub(crate) start: Start,
    /// The folder from which printed paths start.
    pub(crate) base: PathBuf,
    /// The texts of the open documents.
    pub(crate) texts: BTreeMap<PathBuf, Arc<[u8]>>,
}

/// The result of a scan.
pub(crate) struct Scanned {
    pub(crate) repository: Repository,
    pub(crate) kept: Kept,
    pub(crate) checked: Checked,
    /// The texts of documents that were checked.
    pub(crate) texts: BTreeMap<PathBuf, Arc<[u8]>>,
}

impl Scan {
    /// Calls a function with the result, later.
    pub(crate) fn begin(self, done: impl Fn(io::Result<Scanned>) + Clone + Send + 'static) {
        let (scan, then) = (self.clone(), done.clone());
        let thread = thread::Builder::new().spawn(move || then(scan.run()));
        // At the user's limit of processes the client waits.
        if thread.is_err() {
            done(self.run());
        }
    }

    pub(crate) fn run(self) -> io::Result<Scanned> {
        let mut settings = Settings::default();
        settings.texts.clone_from(&self.texts);
        let repository = Repository::open(self.start, &settings)?;
        let mut kept = Kept::default();
        let checked = kept.check(&repository, &self.base);
        Ok(Scanned {
            repository,
            kept,
            checked,
            texts: self.texts,
        })
    }
}
