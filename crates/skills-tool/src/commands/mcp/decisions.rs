//! What a person decides while the server runs: which skills are disabled, and which are trusted.

use crate::catalog::options::CatalogOptions;
use crate::commands::mcp::news::News;
use crate::environment::Environment;
use skills_runtime::{Catalog, Diagnostic};
use skills_server::Skills;
use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, SystemTime};

/// How often the two files are looked at. They are small and few, their folder can be missing at first, and not
/// every file system reports changes.
const EVERY: Duration = Duration::from_millis(500);

/// How a file looked: its length and its time. `None`: there is no file.
type Look = Option<(u64, Option<SystemTime>)>;

/// The files of disabled and trusted skills, followed while the server runs.
pub(super) struct Decisions {
    options: CatalogOptions,
    environment: Environment,
    files: Vec<PathBuf>,
    looks: Vec<Look>,
    /// What was reported of the last load.
    reported: Vec<Diagnostic>,
}

impl Decisions {
    /// Looks at the files. The catalog is loaded after it: a change in between is noticed later.
    pub(super) fn new(options: &CatalogOptions, environment: &Environment) -> Self {
        let files = options.stored_paths(environment);
        Self {
            options: options.clone(),
            environment: environment.clone(),
            looks: looks(&files),
            files,
            reported: Vec::new(),
        }
    }

    /// Takes over each change of the files, until `end` is closed.
    pub(super) fn follow(mut self, skills: &Skills, news: &Sender<News>, end: &Receiver<()>) {
        while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(EVERY) {
            let now = looks(&self.files);
            if now != self.looks {
                self.looks = now;
                skills.update(|before| self.catalog(before, news));
            }
        }
    }

    /// The catalog with the decisions as they are now. `None`: nothing is different, or a file cannot be read.
    fn catalog(&mut self, before: &Catalog, news: &Sender<News>) -> Option<Catalog> {
        match self.options.load(&self.environment) {
            Ok(loaded) => {
                let mut found = loaded.diagnostics;
                std::mem::swap(&mut found, &mut self.reported);
                let mut new = self.reported.clone();
                new.retain(|diagnostic| !found.contains(diagnostic));
                let _ = news.send(News::Findings(new));
                (decided(&loaded.catalog) != decided(before)).then_some(loaded.catalog)
            }
            Err(failure) => {
                let _ = news.send(News::Failure(failure));
                None
            }
        }
    }
}

/// What a person decided about each skill.
fn decided(catalog: &Catalog) -> Vec<(String, bool, bool)> {
    let entries = catalog.iter();
    entries
        .map(|entry| (entry.qualified_id(), entry.is_enabled(), entry.is_trusted()))
        .collect()
}

fn looks(files: &[PathBuf]) -> Vec<Look> {
    let look = |file: &PathBuf| {
        let found = fs::metadata(file).ok()?;
        Some((found.len(), found.modified().ok()))
    };
    files.iter().map(look).collect()
}
