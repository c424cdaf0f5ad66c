//! Asks the person whether skills are trusted as they are.

use crate::commands::trust::planned::Planned;
use crate::environment::Environment;
use crate::input::{agreed, can_ask};
use crate::outcome::Failure;
use crate::output::{Output, counted, one_line};
use skills_runtime::catalog::Location;
use skills_runtime::source::{TrustRecord, TrustedContent};
use std::io::Write as _;

/// The most files or skills that are named.
pub(crate) const NAMED: usize = 8;

/// Shows the skills, and asks. Without a terminal it is a failure that names the command which does not
/// ask.
pub(crate) fn confirm(
    planned: &[Planned<'_>],
    without_asking: &str,
    environment: &Environment,
    output: &mut Output,
) -> Result<(), Failure> {
    show(planned, environment, output)?;
    if !can_ask(output) {
        let look = match planned {
            [one, ..] => format!("look with `skills show {}`, then ", one_line(&one.id)),
            [] => String::new(),
        };
        return Err(Failure::failed(
            "nothing was trusted: there is no terminal to ask on",
            format_args!("{look}write `{without_asking}`"),
        ));
    }
    let what = match planned.len() {
        1 => "it".to_owned(),
        count => format!("these {count} skills"),
    };
    if agreed(&format!("Trust {what}?"), output) {
        Ok(())
    } else {
        Err(Failure::declined("nothing was trusted"))
    }
}

/// Shows how many skills there are, and which.
pub(crate) fn show(
    planned: &[Planned<'_>],
    environment: &Environment,
    output: &mut Output,
) -> Result<(), Failure> {
    writeln!(output, "{} to trust:", counted(planned.len(), "skill"))?;
    for plan in planned {
        let place = match plan.entry.location() {
            Location::Folder(dir) => environment.shown(dir),
            _ => String::new(),
        };
        writeln!(output, "  {}: {}", one_line(&plan.id), one_line(&place))?;
        writeln!(output, "    {}", files(&plan.record))?;
        if let Some(changes) = &plan.changes {
            writeln!(output, "    {}", one_line(&changes.words()))?;
        }
        writeln!(output, "    {}", plan.record.digest())?;
    }
    Ok(())
}

/// Counts the files of a skill and names them: `2 files (SKILL.md, run.sh)`.
pub(crate) fn files(record: &TrustRecord) -> String {
    let is_file = |content: &TrustedContent| *content != TrustedContent::Folder;
    let paths = record
        .entries
        .iter()
        .filter(|entry| is_file(&entry.content));
    let paths: Vec<String> = paths
        .map(|entry| entry.path.to_string_lossy().into_owned())
        .collect();
    counted_names(&paths, "file")
}

/// Counts things and names the first of them.
pub(crate) fn counted_names(names: &[String], one: &str) -> String {
    let mut shown = names.iter().take(NAMED).cloned().collect::<Vec<_>>();
    let more = names.len().saturating_sub(NAMED);
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    let shown = one_line(&shown.join(", "));
    format!("{} ({shown})", counted(names.len(), one))
}
