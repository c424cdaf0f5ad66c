//! Diagnostics of a load: one line that counts them on standard error, or all of them with `-v`.

use crate::environment::Environment;
use crate::output::{Ctx, LoadFinding, counted};
use skills_format::{Diagnostic, OPENAI_FILE, Position, Prose, RuleId, Severity, prose};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const SHOWS: &str = "`skills list -v` shows them";

/// Reports the diagnostics of a load, except severity `Info`. A command that names skills gets the diagnostics of these
/// skills alone. For another command the diagnostics of skills are counted in one line. If the profile asks for it, each
/// faulty file gets a line.
pub(crate) fn report(diagnostics: &[Diagnostic], named: &[&str], each: bool, cx: &mut Ctx) {
    let is_whole = |found: &Diagnostic| {
        cx.is_verbose || cx.is_in_prompt() || !is_of_a_skill(found) || is_named(found, named)
    };
    let shown = diagnostics
        .iter()
        .filter(|found| found.severity != Severity::Info);
    let (whole, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
        shown.partition(|found| is_whole(found));
    let line = |found: &&Diagnostic| LoadFinding {
        severity: found.severity,
        rule: found.rule.as_str(),
        text: line(found, cx.env),
    };
    cx.load_findings(whole.iter().map(line).collect());
    // A command about a skill reports nothing of the others, as `list` and `check` do.
    if !named.is_empty() {
        return;
    }
    let (changed, faulty): (Vec<&Diagnostic>, Vec<&Diagnostic>) = others
        .into_iter()
        .partition(|found| found.is(RuleId::TrustChanged));
    report_changed(&changed, cx);
    if each {
        report_each(&faulty, cx);
    } else {
        report_faulty(&faulty, cx);
    }
}

/// Reports the most severe diagnostic of each file, and the number of the other diagnostics.
fn report_each(faulty: &[&Diagnostic], cx: &mut Ctx) {
    let mut files: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
    for found in faulty {
        files.entry(&*found.path).or_default().push(found);
    }
    for found in files.values() {
        // `Severity` sorts errors first.
        let Some(worst) = found.iter().min_by_key(|found| found.severity) else {
            continue;
        };
        let more = match found.len() - 1 {
            0 => Prose::default(),
            more => prose!("; {}: {SHOWS}", counted(more, "more problem")),
        };
        let text = line(worst, cx.env).and(more);
        cx.finding(worst.severity, worst.rule.as_str(), text);
    }
}

/// Formats a diagnostic as one line.
fn line(found: &Diagnostic, env: &Environment) -> Prose {
    let path = env.shown(Path::new(&found.path));
    // A diagnostic about a whole file or folder has no line.
    let place = match (found.start, found.end) {
        (Position::START, Position::START) => path,
        (start, _) => format!("{path}:{start}"),
    };
    prose!("{place}: {}", &found.message)
}

/// Returns whether the diagnostic is a fault in the files of a skill. The listed rules concern the program's
/// own files and locks, a folder of skills or a plugin as a whole, or the limits of a server: `skills check` of the
/// skill would not show them.
fn is_of_a_skill(found: &Diagnostic) -> bool {
    ![
        RuleId::StateDamaged,
        RuleId::StateNewer,
        RuleId::LockStale,
        RuleId::PowersWidened,
        RuleId::SourceName,
        RuleId::LimitReached,
        RuleId::LinkEscape,
        RuleId::McpLimits,
        RuleId::Unreadable,
        RuleId::ManifestForm,
        RuleId::ManifestName,
        RuleId::ManifestPath,
    ]
    .iter()
    .any(|id| found.is(*id))
}

/// Returns whether the skill's folder has the name in one of the ids. The source of an id is ignored.
fn is_named(found: &Diagnostic, named: &[&str]) -> bool {
    let name = folder(found).file_name().map(|name| name.to_string_lossy());
    let is_it = |id: &&str| name.as_deref() == Some(id.rsplit(':').next().unwrap_or(id));
    named.iter().any(is_it)
}

/// Returns the skill's folder: the path of the diagnostic, or its parent when the path is a file.
fn folder(found: &Diagnostic) -> &Path {
    if let Some(folder) = found.path.strip_suffix(OPENAI_FILE) {
        return Path::new(folder.trim_end_matches('/'));
    }
    let path = Path::new(&found.path);
    match path.parent() {
        Some(parent) if !path.is_dir() => parent,
        _ => path,
    }
}

fn report_changed(changed: &[&Diagnostic], cx: &mut Ctx) {
    match changed {
        [] => {}
        [found] => cx.finding(found.severity, found.rule.as_str(), line(found, cx.env)),
        _ => cx.warning(prose!(
            "{} have changed since you trusted them: `skills trust` lists them",
            counted(changed.len(), "skill")
        )),
    }
}

/// Reports the number of skills with faults, and how many of these skills are not loaded.
fn report_faulty(faulty: &[&Diagnostic], cx: &mut Ctx) {
    let folders: BTreeSet<&Path> = faulty.iter().map(|found| folder(found)).collect();
    let errors = faulty.iter();
    let errors = errors.filter(|found| found.severity == Severity::Error);
    let lost: BTreeSet<&Path> = errors.map(|found| folder(found)).collect();
    let have = if folders.len() == 1 { "has" } else { "have" };
    let skills = counted(folders.len(), "skill");
    match (folders.len(), lost.len()) {
        (0, _) => {}
        (_, 0) => cx.warning(prose!("{skills} {have} problems: {SHOWS}")),
        (_, lost) => cx.error(prose!(
            "{skills} {have} problems, {lost} not loaded: {SHOWS}"
        )),
    }
}
