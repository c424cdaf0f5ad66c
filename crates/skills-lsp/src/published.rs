//! The findings that the client shows.

use crate::answer::diagnostic;
use crate::project::Project;
use crate::state::State;
use crate::text::LineText;
use lsp_types::{Diagnostic, NumberOrString, PublishDiagnosticsParams, Range};
use skills_format::{Diagnostic as Finding, Related};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

#[derive(Default)]
pub(crate) struct Published {
    /// By the paths of their files, with the versions of open documents: an editor drops findings of an older version.
    shown: BTreeMap<PathBuf, (Option<i32>, Vec<Diagnostic>)>,
    /// The findings of files that are not open, and what was made of them: no file is read again for its lines.
    made: BTreeMap<PathBuf, (Vec<Finding>, Vec<Diagnostic>)>,
    /// The findings that no file shows.
    pub(crate) without_file: BTreeSet<String>,
}

impl Published {
    /// Forgets what was made of the findings of a file, whose lines may have changed.
    pub(crate) fn forget(&mut self, path: &Path) {
        self.made.remove(path);
    }

    /// Returns what the client must be told: the files whose findings have changed, or whose findings were sent for another version.
    pub(crate) fn update(&mut self, state: &State) -> Vec<PublishDiagnosticsParams> {
        self.without_file.clear();
        let mut now: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
        for (index, project) in state.projects.iter().enumerate() {
            let mut of_project: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
            for (path, findings) in &project.findings {
                let Some(shown) = project.shown_at(path, findings) else {
                    self.without_file
                        .extend(findings.iter().map(Finding::to_string));
                    continue;
                };
                let is_elsewhere = shown != *path && shown.parent() != Some(path);
                let mut made = self.made(state, project, path, findings);
                for (found, of) in made.iter_mut().zip(findings).filter(|_| is_elsewhere) {
                    found.message = format!("{}: {}", of.path, found.message);
                }
                of_project.entry(shown).or_default().extend(made);
            }
            for (path, found) in of_project {
                let all = now.entry(path).or_default();
                if index == 0 || all.is_empty() {
                    all.extend(found);
                    continue;
                }
                // Two projects can hold one file.
                let known: HashSet<_> = all.iter().map(key).collect();
                let new = found
                    .into_iter()
                    .filter(|found| !known.contains(&key(found)));
                let new: Vec<Diagnostic> = new.collect();
                all.extend(new);
            }
        }
        let versions = now.into_iter().map(|(path, found)| {
            let version = version(state, &path);
            (path, (version, found))
        });
        let now: BTreeMap<_, _> = versions.collect();
        let gone = self.shown.keys().filter(|path| !now.contains_key(*path));
        let gone = gone.filter_map(|path| params(state, path, &[]));
        let new = now
            .iter()
            .filter(|(path, shown)| self.shown.get(*path) != Some(*shown));
        let new = new.filter_map(|(path, (_, found))| params(state, path, found));
        let changed = gone.chain(new).collect();
        self.shown = now;
        changed
    }

    /// Returns the findings of a file as the client shows them.
    fn made(
        &mut self,
        state: &State,
        project: &Project,
        path: &Path,
        findings: &[Finding],
    ) -> Vec<Diagnostic> {
        let is_open = state.documents.get(path).is_some();
        if let Some((known, made)) = self.made.get(path)
            && !is_open
            && known == findings
        {
            return made.clone();
        }
        let bytes = state.bytes(path).unwrap_or_default();
        let lines = LineText::new(&bytes);
        let related = |it: &Related| state.location(project, it);
        let made = findings
            .iter()
            .map(|it| diagnostic(it, &lines, state.unit, related));
        let made: Vec<Diagnostic> = made.collect();
        let kept = (findings.to_vec(), made.clone());
        self.made.insert(path.to_owned(), kept);
        made
    }
}

fn key(found: &Diagnostic) -> (Range, Option<&NumberOrString>, &str) {
    (found.range, found.code.as_ref(), &found.message)
}

fn version(state: &State, path: &Path) -> Option<i32> {
    state.documents.get(path).map(|document| document.version)
}

fn params(state: &State, path: &Path, found: &[Diagnostic]) -> Option<PublishDiagnosticsParams> {
    let uri = state.uri(path)?;
    Some(PublishDiagnosticsParams::new(
        uri,
        found.to_vec(),
        version(state, path),
    ))
}
