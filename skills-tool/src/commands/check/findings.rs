//! The findings of a check in all its paths, and how they are printed.

use crate::outcome::Failure;
use crate::output::{Output, counted};
use clap::ValueEnum;
use skills_format::disk::{Folder, Identity, read_regular};
use skills_format::render::{self, Color, Full};
use skills_format::{Diagnostic, MAX_FILE, Severity};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// With the lines of the files
    #[default]
    Full,
    /// One line for each finding
    Concise,
    /// For programs: version 1 of the document in docs/json.md
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations for workflows of GitHub
    Github,
}

/// A folder that is checked.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The path that is shown before the paths of its files.
    pub(crate) shown: String,
    on_disk: PathBuf,
    identity: Identity,
}

impl Place {
    pub(crate) fn new(shown: &str, on_disk: &Path, folder: &Folder) -> io::Result<Self> {
        Ok(Self {
            shown: shown.to_owned(),
            on_disk: on_disk.to_owned(),
            identity: folder.identity()?,
        })
    }

    /// Opens the folder again. `None` when its path leads to another folder now.
    fn open(&self) -> Option<Folder> {
        let folder = Folder::open(&self.on_disk).ok()?;
        (folder.identity().ok()? == self.identity).then_some(folder)
    }
}

/// The findings of a check.
#[derive(Default)]
pub(crate) struct Findings {
    checked: usize,
    diagnostics: Vec<Diagnostic>,
    /// The folders that were checked, by the path that is shown before the paths of their files.
    folders: BTreeMap<String, Place>,
    /// The levels of rules that were asked for, as they were given.
    levels: Vec<String>,
    /// How many findings were fixed, and in how many files.
    fixed: (usize, usize),
}

impl Findings {
    /// Starts with the levels of rules that were given: `--deny`, `name-form`, and so on.
    pub(crate) fn new(levels: Vec<String>) -> Self {
        Self {
            levels,
            ..Self::default()
        }
    }

    /// Adds what was found in a folder.
    pub(crate) fn add(&mut self, place: &Place, skills: usize, diagnostics: Vec<Diagnostic>) {
        self.folders.insert(place.shown.clone(), place.clone());
        self.checked += skills;
        self.diagnostics.extend(diagnostics);
        Diagnostic::sort(&mut self.diagnostics);
    }

    /// Counts findings that were fixed, and the files that they were in.
    pub(crate) fn count_fixes(&mut self, findings: usize, files: usize) {
        self.fixed.0 += findings;
        self.fixed.1 += files;
    }

    /// Whether a finding is an error.
    pub(crate) fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    fn count(&self, severity: Severity) -> usize {
        let of = |diagnostic: &&Diagnostic| diagnostic.severity == severity;
        self.diagnostics.iter().filter(of).count()
    }

    /// Prints the findings, and for people the totals.
    pub(crate) fn print(&self, format: CheckFormat, output: &mut Output) -> Result<(), Failure> {
        let diagnostics = &self.diagnostics;
        let source = |path: &str| self.source(path).map(Cow::Owned);
        match format {
            CheckFormat::Json => output.document(&render::json(diagnostics, self.checked))?,
            CheckFormat::Sarif => output.document(&render::sarif(diagnostics, &source))?,
            CheckFormat::Github => write!(output, "{}", render::github(diagnostics))?,
            CheckFormat::Concise => output.foreign(&render::concise(diagnostics))?,
            CheckFormat::Full => {
                let color = if output.has_colour() {
                    Color::Always
                } else {
                    Color::Never
                };
                for diagnostic in diagnostics {
                    let arguments = self.arguments(diagnostic);
                    let how = Full::default().color(color).arguments(&arguments);
                    writeln!(output, "{}\n", how.one(diagnostic, &source).trim_end())?;
                }
            }
        }
        if !matches!(format, CheckFormat::Json | CheckFormat::Sarif) {
            self.report(output);
        }
        Ok(())
    }

    /// Reads the file of a finding as it is now.
    fn source(&self, path: &str) -> Option<Vec<u8>> {
        let (place, file) = self.place(path)?;
        let file = place.open()?.file_below(Path::new(file)).ok()?;
        read_regular(&file, MAX_FILE).ok()
    }

    /// The folder that a path is of, and the path in it.
    fn place<'p>(&'p self, path: &'p str) -> Option<(&'p Place, &'p str)> {
        self.folders.values().find_map(|place| {
            let file = match place.shown.trim_end_matches('/') {
                "" | "." => path,
                start => match path.strip_prefix(start)? {
                    "" => "",
                    rest => rest.strip_prefix('/')?,
                },
            };
            Some((place, file))
        })
    }

    /// Returns the arguments for `skills check --fix` that fix a finding.
    fn arguments(&self, diagnostic: &Diagnostic) -> String {
        let folder = self.place(&diagnostic.path);
        let path = folder.map(|(place, _)| render::quoted(&place.shown));
        let words = self
            .levels
            .iter()
            .map(String::as_str)
            .chain(path.as_deref());
        words.collect::<Vec<_>>().join(" ")
    }

    fn report(&self, output: &mut Output) {
        let (applied, files) = self.fixed;
        if applied > 0 {
            output.note(&format!(
                "{} fixed in {}",
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
