//! The table at the end of an update: what was updated, kept and refused, and the command for each refused skill.

use crate::commands::install::targets::joined;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::table::Table;
use crate::output::{Output, counted, one_line};
use skills_format::text::command::Command;
use skills_format::{Prose, prose};
use skills_host::install::{Action, Applied, FileDifference, Plan, PlannedSkill, Remedy};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;

/// The most files of a skill whose changes are counted one by one.
const MOST: usize = 4;

/// The end of an update of several skills.
pub(crate) struct Summary<'s> {
    /// Returns the command that takes a refused skill.
    pub(crate) next: &'s dyn Fn(&Path, &str, Remedy) -> Option<Command>,
    /// The command that shows the whole differences.
    pub(crate) all: Command,
    /// True if the whole differences are shown.
    pub(crate) diff: bool,
}

impl Summary<'_> {
    /// Returns whether plans end with a table: a single skill needs none.
    pub(crate) fn is_for(plans: &[Plan]) -> bool {
        plans.iter().map(|plan| plan.skills.len()).sum::<usize>() > 1
    }

    /// Returns whether the differences are shown whole: of one skill, or on request.
    pub(crate) fn shows_differences(&self, plans: &[Plan]) -> bool {
        let skills = plans.iter().flat_map(|plan| &plan.skills);
        let moved = skills.filter(|skill| skill.action != Action::Current);
        let moved: BTreeSet<&str> = moved.map(|skill| skill.name.as_str()).collect();
        self.diff || moved.len() <= 1
    }

    /// Prints the table, the refused skills last. `done` are the results of each plan.
    pub(crate) fn print(
        &self,
        plans: &[Plan],
        done: &[&[Applied]],
        environment: &Environment,
        output: &mut Output,
    ) -> Result<(), Failure> {
        // What is the same in several folders is one row.
        let mut rows: BTreeMap<Row, Vec<&Path>> = BTreeMap::new();
        let is_applied = done.iter().any(|results| !results.is_empty());
        for (plan, results) in plans.iter().zip(done) {
            for skill in &plan.skills {
                let mut row = self.row(&plan.target, skill, results);
                // The error of the whole folder stands above the table.
                if is_applied && results.is_empty() && row.order == Order::Updated {
                    (row.order, row.word) = (Order::Refused, "failed");
                    "nothing was changed there".clone_into(&mut row.note);
                }
                rows.entry(row).or_default().push(&plan.target);
            }
        }
        let silent = |row: &Row| row.order == Order::Kept && row.note.is_empty();
        let unchanged = rows.keys().filter(|row| silent(row)).count();
        let rows = rows.into_iter().filter(|(row, _)| !silent(row));
        let rows = rows.map(|(row, folders)| {
            let folders = joined(folders.into_iter(), environment);
            let (name, note) = (one_line(&row.name), one_line(&row.note));
            [name, row.word.to_owned(), folders, note]
        });
        let rows: Vec<[String; 4]> = rows.collect();
        match plans.len() {
            _ if rows.is_empty() => {}
            1 => {
                let mut table = Table::new(["SKILL", "RESULT", "NOTE"]);
                for [name, word, _, note] in rows {
                    table.push([name, word, note]);
                }
                table.print(output)?;
            }
            _ => {
                let mut table = Table::new(["SKILL", "RESULT", "WHERE", "NOTE"]);
                for row in rows {
                    table.push(row);
                }
                table.print(output)?;
            }
        }
        if unchanged > 0 {
            writeln!(output, "{} up to date", counted(unchanged, "skill"))?;
        }
        // Afterwards, there is nothing left to show.
        if done.iter().all(|results| results.is_empty()) && !self.shows_differences(plans) {
            output.note(prose!("{} shows the differences", self.all.clone()));
        }
        Ok(())
    }

    fn row(&self, target: &Path, skill: &PlannedSkill, results: &[Applied]) -> Row {
        let of_skill = |result: &&Applied| result.name == skill.name;
        let result = results.iter().find(of_skill);
        let error = result.and_then(|result| result.error.as_ref());
        let words = [&skill.reason, &skill.note];
        let mut words: Vec<&str> = words.into_iter().flatten().map(Prose::as_str).collect();
        if skill.displaces_repository {
            words.push("its git repository goes to the trash with it");
        }
        let note = words.join("; ");
        let (order, word, note) = match (skill.action, error) {
            (Action::Refuse, _) => (
                Order::Refused,
                "refused",
                self.refused(target, skill, &note),
            ),
            (Action::Current | Action::Leave, _) => (Order::Kept, "kept", note),
            (_, Some(error)) => (Order::Refused, "failed", format!("{error:#}")),
            (action, None) => {
                let word = match (result, action) {
                    (None, Action::Install) => "missing",
                    (None, _) => "new version",
                    (_, Action::Install) => "installed",
                    (_, Action::Merge) => "merged",
                    (_, Action::Replace) => "replaced",
                    _ => "updated",
                };
                (Order::Updated, word, note)
            }
        };
        Row {
            order,
            name: skill.name.clone(),
            word,
            note,
        }
    }

    fn refused(&self, target: &Path, skill: &PlannedSkill, note: &str) -> String {
        let command = skill
            .remedy
            .and_then(|remedy| (self.next)(target, &skill.name, remedy));
        match (command, &skill.help) {
            (Some(command), _) => format!("{note}: {}", prose!("{}", command)),
            (None, Some(help)) => format!("{note}: {help}"),
            (None, None) => note.to_owned(),
        }
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    order: Order,
    name: String,
    word: &'static str,
    note: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Updated,
    Kept,
    Refused,
}

/// Says how the run bit of a file changes.
pub(crate) fn run_bit(executable: bool) -> &'static str {
    if executable {
        "becomes executable"
    } else {
        "is no longer executable"
    }
}

/// Prints the numbers of added and removed lines, for differences that are not shown.
pub(crate) fn counts(all: &[FileDifference], output: &mut Output) -> Result<(), Failure> {
    for difference in all.iter().take(MOST) {
        let path = one_line(&difference.path);
        if let Some(executable) = difference.executable {
            writeln!(output, "    {path}: {}", run_bit(executable))?;
        }
        if !difference.has_other_bytes() {
            continue;
        }
        let counts = match &difference.unified {
            None => "its bytes differ".to_owned(),
            Some(text) => {
                // The two lines of the header begin with the same signs.
                let lines = || text.lines().skip(2);
                let of = |sign: char| lines().filter(|line| line.starts_with(sign)).count();
                format!("+{} -{}", of('+'), of('-'))
            }
        };
        writeln!(output, "    {path}: {counts}")?;
    }
    if all.len() > MOST {
        let more = counted(all.len() - MOST, "file");
        writeln!(output, "    and {more} more")?;
    }
    Ok(())
}
