//! What a check found in all its paths, and how it is printed.

use crate::check::{CheckFormat, MAX_FILE};
use crate::failure::Failure;
use crate::output::{Output, counted};
use skills_format::render::{self, Color, Full};
use skills_format::{Diagnostic, Mended, Severity};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What was found.
#[derive(Default)]
pub(crate) struct Findings {
    checked: usize,
    diagnostics: Vec<Diagnostic>,
    /// The folders that were checked, by the path that is shown before those of their files.
    folders: BTreeMap<String, PathBuf>,
    /// Findings mended, and files changed by that.
    mended: (usize, usize),
}

impl Findings {
    /// Adds what was found in a folder. `shown` is the path that stands before those of its files.
    pub(crate) fn add(
        &mut self,
        shown: &str,
        on_disk: &Path,
        skills: usize,
        diagnostics: Vec<Diagnostic>,
    ) {
        self.folders.insert(shown.to_owned(), on_disk.to_owned());
        self.checked += skills;
        self.diagnostics.extend(diagnostics);
        Diagnostic::sort(&mut self.diagnostics);
    }

    /// Counts what was mended.
    pub(crate) fn mended(&mut self, mended: &Mended) {
        self.mended.0 += mended.applied;
        self.mended.1 += mended.changed.len();
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
        let source = |path: &str| self.source(path).map(Cow::Owned);
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

    /// The file of a finding as it is now.
    fn source(&self, path: &str) -> Option<Vec<u8>> {
        self.folders.iter().find_map(|(shown, folder)| {
            let file = match shown.trim_end_matches('/') {
                "" | "." => path,
                shown => path.strip_prefix(shown)?.strip_prefix('/')?,
            };
            let file = folder.join(file);
            // A pipe would be waited for, and nobody reads lines of a file without an end.
            let found = fs::symlink_metadata(&file).ok()?;
            let can_be_shown = found.is_file() && found.len() <= MAX_FILE;
            can_be_shown.then(|| fs::read(file).ok())?
        })
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
