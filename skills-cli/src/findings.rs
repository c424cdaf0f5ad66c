//! What a check found in all its paths, and how it is printed.

use crate::check::CheckFormat;
use crate::failure::Failure;
use crate::output::{Output, counted};
use skills_format::render::{self, Color, Full};
use skills_format::{Diagnostic, Mended, Severity, Tree, join};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::PathBuf;

/// What was found.
#[derive(Default)]
pub(crate) struct Findings {
    checked: usize,
    diagnostics: Vec<Diagnostic>,
    /// The files that diagnostics are about, by the path that is shown.
    sources: BTreeMap<String, Vec<u8>>,
    /// Findings mended, and files changed by that.
    mended: (usize, usize),
}

impl Findings {
    /// Adds what was found in one path.
    pub(crate) fn add(&mut self, skills: usize, diagnostics: Vec<Diagnostic>) {
        self.checked += skills;
        self.diagnostics.extend(diagnostics);
        Diagnostic::sort(&mut self.diagnostics);
    }

    /// Counts what was mended.
    pub(crate) fn mended(&mut self, mended: &Mended) {
        self.mended.0 += mended.applied;
        self.mended.1 += mended.changed.len();
    }

    /// Keeps a file that can be shown.
    pub(crate) fn keep_source(&mut self, path: String, bytes: Vec<u8>) {
        self.sources.insert(path, bytes);
    }

    /// Keeps the files of a tree that something was found in.
    pub(crate) fn keep_sources(&mut self, root: &str, tree: &Tree) {
        let found: BTreeSet<&str> = self.diagnostics.iter().map(|d| d.path.as_str()).collect();
        let files = tree.files.iter();
        let sources: Vec<(String, Vec<u8>)> = files
            .map(|file| (join(root, &file.path), &file.bytes))
            .filter(|(path, _)| found.contains(path.as_str()))
            .filter_map(|(path, bytes)| Some((path, bytes.clone()?)))
            .collect();
        self.sources.extend(sources);
    }

    /// Whether something was found that fails a check.
    pub(crate) fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    fn count(&self, severity: Severity) -> usize {
        let of = |diagnostic: &&Diagnostic| diagnostic.severity == severity;
        self.diagnostics.iter().filter(of).count()
    }

    /// Prints everything, and for people the figures.
    pub(crate) fn print(
        &self,
        format: CheckFormat,
        paths: &[PathBuf],
        output: &mut Output,
    ) -> Result<(), Failure> {
        let diagnostics = &self.diagnostics;
        let source = |path: &str| {
            self.sources
                .get(path)
                .map(|bytes| Cow::Borrowed(&bytes[..]))
        };
        match format {
            CheckFormat::Json => writeln!(output, "{}", render::json(diagnostics, self.checked))?,
            CheckFormat::Sarif => writeln!(output, "{}", render::sarif(diagnostics, &source))?,
            CheckFormat::Github => write!(output, "{}", render::github(diagnostics))?,
            CheckFormat::Concise => output.foreign(&render::concise(diagnostics))?,
            CheckFormat::Full => {
                let color = if output.has_colour() {
                    Color::Always
                } else {
                    Color::Never
                };
                let mut how = Full::default().color(color);
                let root = paths.first().map(|path| path.to_string_lossy());
                if let ([_], Some(root)) = (paths, &root) {
                    how = how.root(root);
                }
                write!(output, "{}", render::full(diagnostics, &source, &how))?;
            }
        }
        if !matches!(format, CheckFormat::Json | CheckFormat::Sarif) {
            self.tell(output);
        }
        Ok(())
    }

    fn tell(&self, output: &mut Output) {
        let (applied, files) = self.mended;
        if applied > 0 {
            output.note(&format!(
                "{} mended in {}",
                counted(applied, "finding"),
                counted(files, "file")
            ));
        }
        output.note(&format!(
            "{} checked: {}, {}",
            counted(self.checked, "skill"),
            counted(self.count(Severity::Error), "error"),
            counted(self.count(Severity::Warning), "warning"),
        ));
    }
}
