//! A person's decisions while the server runs: disabled skills and trusted skills.

use crate::catalog::options::CatalogOptions;
use crate::commands::mcp::news::News;
use crate::environment::Environment;
use skills_runtime::{Catalog, Diagnostic};
use skills_server::Skills;
use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, SystemTime};

/// The interval between two checks of the two files. Not a watch: the files are small and few, their
/// folder can be missing at first, and not every file system reports changes.
const EVERY: Duration = Duration::from_millis(500);

/// The length and the time of a file. `None` without a file.
type FileStamp = Option<(u64, Option<SystemTime>)>;

/// The state file and the trust file, followed while the server runs.
pub(super) struct Decisions {
    options: CatalogOptions,
    env: Environment,
    files: Vec<PathBuf>,
    looks: Vec<FileStamp>,
    /// The diagnostics reported for the last load.
    reported: Vec<Diagnostic>,
}

impl Decisions {
    /// Records the stamps of the files. The catalog must be loaded afterwards: a change in between is then
    /// noticed later.
    pub(super) fn new(options: &CatalogOptions, env: &Environment) -> Self {
        let files = options.stored_paths(env);
        Self {
            options: options.clone(),
            env: env.clone(),
            looks: looks(&files),
            files,
            reported: Vec::new(),
        }
    }

    /// Applies each change of the files, until `end` is closed.
    pub(super) fn follow(mut self, skills: &Skills, news: &Sender<News>, end: &Receiver<()>) {
        while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(EVERY) {
            let now = looks(&self.files);
            if now != self.looks {
                // Before the load: a change during the load is seen at the next check.
                self.looks = now;
                skills.update(|before| self.catalog(before, news));
            }
        }
    }

    /// Loads the catalog with the present decisions. Returns `None` if no decision has changed, or a file
    /// cannot be read.
    fn catalog(&mut self, before: &Catalog, news: &Sender<News>) -> Option<Catalog> {
        match self.options.load(&self.env) {
            Ok(loaded) => {
                let mut found = loaded.diagnostics;
                std::mem::swap(&mut found, &mut self.reported);
                let mut new = self.reported.clone();
                new.retain(|diagnostic| !found.contains(diagnostic));
                let _ = news.send(News::Findings(new));
                // Changes of the folders reach the server through its own watch.
                (decided(&loaded.catalog) != decided(before)).then_some(loaded.catalog)
            }
            Err(failure) => {
                let _ = news.send(News::Failure(failure));
                None
            }
        }
    }
}

/// Returns whether each skill is enabled and trusted.
fn decided(catalog: &Catalog) -> Vec<(String, bool, bool)> {
    let entries = catalog.iter();
    entries
        .map(|entry| (entry.qualified_id(), entry.is_enabled(), entry.is_trusted()))
        .collect()
}

fn looks(files: &[PathBuf]) -> Vec<FileStamp> {
    let look = |file: &PathBuf| {
        let found = fs::metadata(file).ok()?;
        Some((found.len(), found.modified().ok()))
    };
    files.iter().map(look).collect()
}
