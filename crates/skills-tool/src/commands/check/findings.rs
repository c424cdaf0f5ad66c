//! The findings of a check, and their printed form.

use crate::outcome::Failure;
use crate::output::{Ctx, counted, one_line, some_of};
use clap::ValueEnum;
use skills_format::disk::read_regular;
use skills_format::{Diagnostic, Severity};
use skills_lint::MAX_FILE;
use skills_lint::render::{self, BundleTotals, Color, Full, Report, hidden_near};
use skills_lint::rules::harms;
use skills_repository::repository::{Bundle, LeftOut, Repository};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Source lines; repeated findings are shown once
    #[default]
    Folded,
    /// Source lines of every finding
    Full,
    /// One line for each finding
    Concise,
    /// JSON, for programs
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations for GitHub workflows
    Github,
}

/// The findings of a check.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) suppressed: Vec<Diagnostic>,
    pub(crate) bundles: Vec<BundleTotals>,
    /// The checked folders, which hold the source lines of findings.
    pub(crate) repositories: Vec<Repository>,
    /// The folder that printed paths start from.
    pub(super) working_folder: Option<PathBuf>,
    left_out: LeftOut,
    /// The files and folders of skills that no skill ships.
    pub(super) not_shipped: Vec<String>,
    /// The number of skills whose `SKILL.md` is not read.
    unchecked: usize,
    /// The files that fixes wrote, each with its number of fixed findings.
    pub(super) written: Vec<(String, usize)>,
}

impl Findings {
    /// Starts with the folder that printed paths start from.
    pub(crate) fn new(working_folder: Option<PathBuf>) -> Self {
        Self {
            working_folder,
            ..Self::default()
        }
    }

    /// Adds the findings of a bundle.
    pub(crate) fn add(
        &mut self,
        bundle: &Bundle,
        diagnostics: Vec<Diagnostic>,
        suppressed: Vec<Diagnostic>,
    ) {
        // A bundle without skills holds only links and files beside skills, and is not counted.
        if bundle.skills > 0 {
            self.bundles.push(BundleTotals {
                name: bundle.name.clone(),
                path: bundle.path.clone(),
                skills: bundle.skills,
                mirrors: bundle.mirrors,
            });
        }
        self.unchecked += bundle.unchecked;
        self.diagnostics.extend(diagnostics);
        self.suppressed.extend(suppressed);
    }

    /// Keeps a checked folder, and counts the skills that were left out.
    pub(crate) fn keep(&mut self, repository: Repository) {
        let left_out = &repository.left_out;
        self.left_out.is_cut |= left_out.is_cut;
        self.left_out.tests += left_out.tests;
        self.left_out.ignored += left_out.ignored;
        self.left_out.excluded += left_out.excluded;
        self.left_out.own += left_out.own;
        self.repositories.push(repository);
    }

    /// Sorts the findings once all findings are known.
    pub(crate) fn sort(&mut self) {
        Diagnostic::sort(&mut self.diagnostics);
        Diagnostic::sort(&mut self.suppressed);
    }

    /// Returns whether a finding is an error.
    pub(crate) fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    pub(crate) fn count(&self, severity: Severity) -> usize {
        let of = |diagnostic: &&Diagnostic| diagnostic.severity == severity;
        self.diagnostics.iter().filter(of).count()
    }

    fn skills(&self) -> (usize, usize) {
        let sum = |(skills, mirrors), bundle: &BundleTotals| {
            (skills + bundle.skills, mirrors + bundle.mirrors)
        };
        self.bundles.iter().fold((0, 0), sum)
    }

    /// Prints the findings in a format. JSON and SARIF contain the totals too.
    pub(crate) fn print(&self, format: CheckFormat, cx: &mut Ctx) -> Result<(), Failure> {
        let source = |path: &str| self.source(path).map(Cow::Owned);
        match format {
            CheckFormat::Json => cx.document(&render::json(&self.totals()))?,
            CheckFormat::Sarif => cx.document(&self.sarif())?,
            CheckFormat::Github => {
                let found = self.rooted(&self.diagnostics);
                cx.workflow_commands(&render::github(&found))?;
            }
            CheckFormat::Concise => cx.foreign(&render::concise(&self.diagnostics))?,
            CheckFormat::Folded | CheckFormat::Full => {
                let color = if cx.colour {
                    Color::Always
                } else {
                    Color::Never
                };
                let how = Full::default().hidden(hidden_near).color(color);
                let (shown, left_out) = match format {
                    CheckFormat::Folded => fold(&self.diagnostics),
                    _ => (Cow::Borrowed(&*self.diagnostics), Vec::new()),
                };
                for text in render::each(&shown, &source, &how) {
                    // The renderer replaces control characters of foreign text by pictures: only its own
                    // colours are left.
                    let text = cx.own_colours(&text);
                    cx.write_all(text.as_bytes())?;
                }
                if !left_out.is_empty() {
                    let rules = left_out.join(", ");
                    cx.note(format!("not shown, findings of {rules}: `--format full`"));
                }
            }
        }
        Ok(())
    }

    fn sarif(&self) -> String {
        let (diagnostics, suppressed) = (
            self.rooted(&self.diagnostics),
            self.rooted(&self.suppressed),
        );
        let report = Report {
            diagnostics: &diagnostics,
            suppressed: &suppressed,
            ..self.totals()
        };
        render::sarif_report(&report, &|path| self.rooted_source(path).map(Cow::Owned))
    }

    /// Returns the findings with their totals.
    pub(crate) fn totals(&self) -> Report<'_> {
        let (skills, mirrors) = self.skills();
        Report {
            diagnostics: &self.diagnostics,
            suppressed: &self.suppressed,
            checked: skills.saturating_sub(mirrors + self.unchecked),
            bundles: &self.bundles,
            left_out: self.left_out.ignored
                + self.left_out.tests
                + self.left_out.excluded
                + self.left_out.own,
        }
    }

    /// Reads the present file of a finding.
    pub(crate) fn source(&self, path: &str) -> Option<Vec<u8>> {
        self.repositories.iter().find_map(|repository| {
            let inside = repository.path_of(path)?;
            let file = repository.folder.file_below(Path::new(&inside)).ok()?;
            read_regular(&file, MAX_FILE).ok()
        })
    }

    /// Prints the fixes, the skills that were left out, and the totals.
    pub(crate) fn report(&self, cx: &mut Ctx) {
        let applied: usize = self.written.iter().map(|(_, count)| count).sum();
        if applied > 0 {
            cx.note(format!(
                "{} fixed in {}",
                counted(applied, "finding"),
                counted(self.written.len(), "file")
            ));
        }
        for (path, count) in &self.written {
            let path = one_line(path);
            cx.note(format!("  {path}: {}", counted(*count, "finding")));
        }
        for line in self.left_out() {
            cx.note(line);
        }
        if !self.not_shipped.is_empty() {
            let some = one_line(&some_of(&self.not_shipped, 1));
            let include = "`include` in skills.toml brings a file back";
            cx.note(format!("no skill ships {some}: {include}"));
        }
        self.report_harm(cx);
        let found = format!(
            "{}, {}",
            counted(self.count(Severity::Error), "error"),
            counted(self.count(Severity::Warning), "warning"),
        );
        let (skills, mirrors) = self.skills();
        let copies = match mirrors {
            0 => String::new(),
            1 => " (1 is a copy)".to_owned(),
            mirrors => format!(" ({mirrors} are copies)"),
        };
        let unchecked = match self.unchecked {
            0 => String::new(),
            unchecked => format!(", {unchecked} not checked"),
        };
        let skills = counted(skills.saturating_sub(self.unchecked), "skill");
        cx.note(&match self.bundles.len() {
            0 | 1 => format!("{skills}{copies} checked{unchecked}: {found}"),
            bundles => {
                let folders = counted(bundles, "folder");
                format!("{skills}{copies} in {folders}{unchecked}: {found}")
            }
        });
    }

    /// Names the rules whose findings can harm a person, with the command that shows these findings alone. Among many
    /// findings they would be read late.
    fn report_harm(&self, cx: &mut Ctx) {
        let harmful = self.diagnostics.iter();
        let harmful = harmful.filter(|found| {
            harms(
                found.rule.as_str(),
                found.severity,
                &found.message.to_string(),
            )
        });
        let harmful: Vec<&str> = harmful.map(|found| found.rule.as_str()).collect();
        if harmful.is_empty() || harmful.len() == self.diagnostics.len() {
            return;
        }
        let rules: BTreeSet<&str> = harmful.iter().copied().collect();
        let rules: Vec<&str> = rules.into_iter().collect();
        cx.note(format!(
            "{} can harm a person: look at {} first: `skills check --select {}`",
            counted(harmful.len(), "finding"),
            if harmful.len() == 1 { "it" } else { "them" },
            rules.join(","),
        ));
    }

    /// Describes the skills that were left out, a line for each reason.
    pub(crate) fn left_out(&self) -> Vec<String> {
        let left_out = &self.left_out;
        let at_least = if left_out.is_cut { "at least " } else { "" };
        let mut lines = Vec::new();
        for (count, reason) in [
            (
                left_out.ignored,
                "by git's ignore files: name its folder to check one",
            ),
            (
                left_out.tests,
                "in folders of tests or in dist: name its folder to check one",
            ),
            (left_out.excluded, "by `exclude`"),
            (left_out.own, "in the store and the trash of `skills`"),
        ] {
            if count > 0 {
                let skills = counted(count, "skill");
                lines.push(format!("{at_least}{skills} left out {reason}"));
            }
        }
        if left_out.is_cut && lines.is_empty() {
            lines.push("more than 2,000 folders left out, which may hold skills".to_owned());
        }
        lines
    }
}

/// The number of equal findings from which one is shown for all.
const FOLDED: usize = 4;
/// The maximum number of findings that are shown by default, each with its lines: fewer than 200 lines in all.
const MAX_SHOWN: usize = 20;

/// Returns the findings that are shown by default: one for all with an equal message. If these are too many, the first
/// of each rule, whatever the message and the help. If there are too many rules, errors are first, and the rules that are
/// left out are returned too.
fn fold(all: &[Diagnostic]) -> (Cow<'_, [Diagnostic]>, Vec<&'static str>) {
    let by_message = fold_by(all, FOLDED, "", &|it| it.message.to_string());
    if by_message.len() <= MAX_SHOWN {
        return (by_message.into(), Vec::new());
    }
    let mut by_rule = fold_by(all, 2, " of this rule", &|_| String::new());
    if by_rule.len() <= MAX_SHOWN {
        return (by_rule.into(), Vec::new());
    }
    by_rule.sort_by_key(|it| it.severity);
    let left_out = by_rule.split_off(MAX_SHOWN);
    let left_out = left_out.iter().map(|it| it.rule.as_str()).collect();
    (by_rule.into(), left_out)
}

/// Returns the first finding of each rule, severity and key of which there are at least `least`. It counts the others, by
/// the words for them.
fn fold_by(
    all: &[Diagnostic],
    least: usize,
    others_are: &str,
    key: &dyn Fn(&Diagnostic) -> String,
) -> Vec<Diagnostic> {
    let mut same: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, finding) in all.iter().enumerate() {
        let group = (finding.rule.as_str(), finding.severity, key(finding));
        same.entry(group).or_default().push(at);
    }
    let mut shown: Vec<(usize, Diagnostic)> = Vec::new();
    for group in same.into_values() {
        let shown_of = if group.len() < least { group.len() } else { 1 };
        let (first, others) = group.split_at(shown_of);
        shown.extend(first.iter().map(|&at| (at, all[at].clone())));
        let files: BTreeSet<&str> = others.iter().map(|&at| all[at].path.as_str()).collect();
        if let Some((last, finding)) = shown.last_mut().filter(|_| !others.is_empty()) {
            let more = others.len();
            let is_one_file = files.len() == 1 && files.contains(all[*last].path.as_str());
            let words = if is_one_file {
                format!(", and {more} more{others_are} in this file: `--format full` shows all")
            } else {
                let files = counted(files.len(), "file");
                format!(", and {more} more{others_are} in {files}: `--format full` shows all")
            };
            finding.message = finding.message.clone().words(&words);
        }
    }
    shown.sort_by_key(|(at, _)| *at);
    shown.into_iter().map(|(_, finding)| finding).collect()
}
