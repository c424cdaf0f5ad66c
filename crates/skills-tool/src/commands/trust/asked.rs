//! The question whether a person trusts skills as they are.

use crate::commands::powers;
use crate::commands::trust::call::TrustCall;
use crate::commands::trust::planned::PlannedTrust;
use crate::commands::trust::{diff, document};
use crate::input::{agreed, can_ask};
use crate::outcome::Failure;
use crate::output::fit::wrapped;
use crate::output::{Ctx, counted, one_line};
use skills_format::text::command::Command;
use skills_format::{Prose, command, prose};
use skills_runtime::catalog::Location;
use skills_runtime::source::TrustRecord;
use std::io::Write as _;

/// The maximum number of files or skills that are named.
pub(crate) const NAMED: usize = 8;

impl TrustCall<'_> {
    /// Prints the skills, and asks the person. Without a terminal the result is a failure, which names the
    /// command without a question.
    pub(crate) fn confirm(
        &self,
        planned: &[PlannedTrust<'_>],
        without_asking: Command,
        cx: &mut Ctx,
    ) -> Result<(), Failure> {
        if cx.is_json {
            return Err(Failure::failed(
                "nothing was trusted: with --format json no question is asked",
                prose!("write {}", without_asking.word("--format").word("json")),
            ));
        }
        self.show(planned, cx)?;
        if !can_ask(cx) {
            let look = match planned {
                [one, ..] => prose!("look with {}, then ", one.look()),
                [] => Prose::default(),
            };
            return Err(Failure::failed(
                "nothing was trusted: there is no terminal to ask on",
                prose!("{}write {}", look, without_asking),
            ));
        }
        let what = match planned.len() {
            1 => "it".to_owned(),
            count => format!("these {count} skills"),
        };
        if agreed(&format!("Trust {what}?"), cx) {
            Ok(())
        } else {
            Err(Failure::declined("nothing was trusted"))
        }
    }

    /// Prints the number of skills, and describes the first skills: their purpose, and their changes since
    /// they were trusted.
    pub(crate) fn show(&self, planned: &[PlannedTrust<'_>], cx: &mut Ctx) -> Result<(), Failure> {
        writeln!(cx, "{} to trust:", counted(planned.len(), "skill"))?;
        for plan in planned.iter().take(NAMED) {
            self.show_one(plan, cx)?;
        }
        let rest = planned.len().saturating_sub(NAMED);
        if rest > 0 {
            let list = cx.on_one_line(command("trust"));
            let more = counted(rest, "more skill");
            writeln!(cx, "  and {more}: {list} lists them all")?;
        }
        Ok(())
    }

    fn show_one(&self, plan: &PlannedTrust<'_>, cx: &mut Ctx) -> Result<(), Failure> {
        let place = match plan.entry.location() {
            Location::Folder(dir) => self.env.shown(dir),
            _ => String::new(),
        };
        writeln!(cx, "  {}: {}", one_line(&plan.id), one_line(&place))?;
        let width = cx.width().map(|width| width.saturating_sub(4));
        for line in wrapped(&one_line(plan.entry.description()), width) {
            writeln!(cx, "    {line}")?;
        }
        writeln!(cx, "    {}", files(&plan.record))?;
        for (kind, texts) in powers::summary(&powers::of_entry(&plan.entry)) {
            writeln!(cx, "    {kind}: {}", one_line(&texts))?;
        }
        if let Some(changes) = plan.changes.as_ref().filter(|changes| !changes.is_empty()) {
            let before = self.record_of(&plan.entry);
            let difference = before.map(|before| self.differences(&plan.entry, before, changes));
            match difference {
                // The differences name each changed file.
                Some(difference) if !difference.is_empty() => {
                    diff::print(&plan.id, &difference, cx)?;
                }
                _ => writeln!(cx, "    {}", one_line(&changes.words()))?,
            }
        }
        writeln!(cx, "    {}", plan.record.digest())?;
        Ok(())
    }
}

/// Formats the number and the names of a skill's files: `2 files (SKILL.md, run.sh)`.
pub(crate) fn files(record: &TrustRecord) -> String {
    counted_names(&document::files(record), "file")
}

/// Formats a number of things, and the first names.
pub(crate) fn counted_names(names: &[String], one: &str) -> String {
    let mut shown = names.iter().take(NAMED).cloned().collect::<Vec<_>>();
    let more = names.len().saturating_sub(NAMED);
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    let shown = one_line(&shown.join(", "));
    format!("{} ({shown})", counted(names.len(), one))
}
