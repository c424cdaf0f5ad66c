//! `skills inspect bundle`: the sizes and digests of a folder of skills, as in a program that embeds the folder.

use crate::commands::inspect::report::Report;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, FormatOption, counted};
use clap::Args;
use serde::Serialize;
use skills_compiler::{Compiled, Folder};
use skills_format::{Diagnostic, Position, RuleId, Severity, command, prose};
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BundleCommand {
    /// The folder of skills
    #[arg(value_name = "PATH", default_value = DEFAULT)]
    path: PathBuf,
    #[command(flatten)]
    format: FormatOption,
}

/// The folder that is read when the command names no folder.
pub(crate) const DEFAULT: &str = "skills";
/// The folder of a project's skills.
const PROJECT: &str = ".agents/skills";

/// The maximum number of errors printed for a folder that is not a bundle.
const MAX_SHOWN: usize = 10;

const EXAMPLES: &str = "\
Examples:
  skills inspect bundle
  skills inspect bundle my-crate/skills --format json";

/// `inspect bundle --format json`
#[derive(Serialize)]
struct BundleDocument {
    #[serde(flatten)]
    report: Report,
}

impl BundleCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let folder = folder("inspect bundle", &self.path, cx.env)?;
        let compiled = folder.compile();
        refuse_faulty("bundle", &self.path, &compiled, cx)?;
        let report = Report::of(&compiled.model);
        if cx.is_json {
            cx.json(&BundleDocument { report })?;
        } else {
            text(&report, cx)?;
        }
        Ok(Outcome::Done)
    }
}

/// Reads a folder of skills. A folder that does not exist is a failure; `verb` is the command in its help.
pub(crate) fn folder(
    verb: &'static str,
    path: &Path,
    env: &Environment,
) -> Result<Folder, Failure> {
    let fail = |wrong: &str| {
        let is_project = env.absolute(Path::new(PROJECT)).is_dir();
        let help = if is_project && path == Path::new(DEFAULT) {
            prose!(
                "for the skills of the project: {}",
                command(verb).word(PROJECT)
            )
        } else {
            "name a folder of skills, each in a folder of its own".into()
        };
        Failure::failed(prose!("cannot read {}: {wrong}", path), help)
    };
    let base = env.working_folder.as_deref().unwrap_or(Path::new(""));
    if !env.absolute(path).is_dir() {
        return Err(fail("there is no such folder"));
    }
    let path = path.to_str().ok_or_else(|| fail("the path is not UTF-8"))?;
    Ok(Folder::read(base, path))
}

/// Refuses a folder with errors. A difference from the lock is not an error here.
///
/// The first errors are printed, because `skills check` does not report all of them.
pub(crate) fn refuse_faulty(
    what: &str,
    path: &Path,
    compiled: &Compiled<'_>,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let errors: Vec<&Diagnostic> = compiled
        .diagnostics
        .iter()
        // `lock` is the next step of both: it must work on a skill that gained a power.
        .filter(|found| !found.is(RuleId::LockStale) && !found.is(RuleId::PowersWidened))
        .filter(|found| found.severity == Severity::Error)
        .collect();
    if errors.is_empty() {
        return Ok(());
    }
    for error in errors.iter().take(MAX_SHOWN) {
        // A finding about a whole file has no line.
        let is_whole = (error.start, error.end) == (Position::START, Position::START);
        let place = (!is_whole).then(|| format!(":{}", error.start));
        let place = place.unwrap_or_default();
        let text = format_args!("{}{place}: {}", error.path, error.message);
        cx.finding(Severity::Error, error.rule.as_str(), text);
        cx.help(&error.help);
    }
    let errors = errors.len();
    Err(Failure::not_so(
        prose!("cannot {what} {}: {}", path, counted(errors, "error")),
        prose!("{} shows where", command("check").path(path)),
    ))
}

fn text(report: &Report, cx: &mut Ctx) -> Result<(), Failure> {
    let mut table = Table::new(["SKILL", "BYTES", "TOKENS", "DIGEST"]).right(&[1, 2]);
    for skill in &report.skills {
        let sealed = if skill.sealed { "  sealed" } else { "" };
        table.push([
            skill.name.clone(),
            skill.size.to_string(),
            skill.tokens.to_string(),
            format!("{}{sealed}", short(&skill.digest)),
        ]);
    }
    table.print(cx)?;
    let skills = counted(report.skills.len(), "skill");
    writeln!(cx, "\n{skills}, {} bytes, {}", report.size, report.digest)?;
    if let Some(budget) = report.budget {
        writeln!(cx, "budget of the catalog text: {budget} characters")?;
    }
    Ok(())
}

/// Shortens a digest to `sha256:` and 12 hexadecimal digits, which still distinguish the skills of a
/// table.
fn short(digest: &str) -> &str {
    digest.get(..19).unwrap_or(digest)
}
