//! `skills restore --list` and `--empty`: the skills that were removed or replaced.

use crate::commands::install::session::{Consent, Session, failure};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Format, Output, counted, one_line};
use serde::Serialize;
use skills_format::{command, prose};
use skills_store::files::trash::{Trash, Trashed};
use std::io::Write as _;
use std::path::PathBuf;

/// A call that lists the trash or empties the trash.
pub(crate) struct TrashCall<'c> {
    pub(crate) action: TrashAction,
    /// The folder whose skills are meant. `None`: of all folders.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) consent: Consent<'c>,
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrashAction {
    List,
    Empty,
}

/// `restore --list --format json`
#[derive(Serialize)]
struct TrashDocument {
    schema: u32,
    skills: Vec<TrashedJson>,
    removed: usize,
}

#[derive(Serialize)]
struct TrashedJson {
    id: String,
    name: String,
    from: String,
    time: String,
    why: String,
}

impl TrashCall<'_> {
    pub(crate) fn run(
        &self,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let trash = session.data().trash();
        let empties = self.action == TrashAction::Empty;
        let is_meant = |trashed: &Trashed| match &self.folder {
            Some(folder) => trashed.record.from == *folder,
            None => true,
        };
        let mut all = trash.list().map_err(|error| failure(&error))?;
        all.retain(is_meant);
        let mut removed = 0;
        if empties && !all.is_empty() {
            let question = format!("Remove {} for good?", counted(all.len(), "skill"));
            if !self.consent.is_given(&question, "", false, output)? {
                output.note("nothing was changed");
                return Ok(Outcome::Findings);
            }
            removed = trash
                .empty(self.folder.as_deref())
                .map_err(|error| failure(&error))?;
            all.clear();
        } else if empties {
            // The user already agreed to the removal of what is left.
            trash.finish_removals().map_err(|error| failure(&error))?;
        }
        if empties {
            // What an operation displaced is gone, so its record has no use.
            let records = session.data().operations();
            let forgotten = records.forget_all(self.folder.as_deref());
            forgotten.map_err(|error| failure(&error))?;
        }
        report_left(&trash, environment, output)?;
        match self.format {
            Format::Json => output.json(&TrashDocument {
                schema: 1,
                skills: all
                    .iter()
                    .map(|trashed| TrashedJson::of(trashed, environment))
                    .collect(),
                removed,
            })?,
            Format::Text if empties => {
                writeln!(output, "removed {}", counted(removed, "skill"))?;
            }
            Format::Text if all.is_empty() => output.note("the trash is empty"),
            Format::Text => table(&all, environment, output)?,
        }
        Ok(Outcome::Done)
    }
}

/// Warns about what is in the trash and is not a listed skill.
fn report_left(
    trash: &Trash,
    environment: &Environment,
    output: &mut Output,
) -> Result<(), Failure> {
    for path in trash.leftovers().map_err(|error| failure(&error))? {
        output.warning(prose!(
            "{} is left of a removed skill; {} removes it",
            environment.shown(&path),
            command("restore --empty")
        ));
    }
    for path in trash.unrecorded().map_err(|error| failure(&error))? {
        output.warning(format_args!(
            "the skill in {} has no readable record; move it to its place, or remove it manually",
            environment.shown(&path)
        ));
    }
    Ok(())
}

impl TrashedJson {
    fn of(trashed: &Trashed, environment: &Environment) -> Self {
        let record = &trashed.record;
        Self {
            id: trashed.id.clone(),
            name: record.name.clone(),
            from: environment.documented(&record.from),
            time: record.time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            why: record.why.clone(),
        }
    }
}

fn table(all: &[Trashed], environment: &Environment, output: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(["SKILL", "FROM", "BY", "TIME"]);
    for trashed in all {
        let row = TrashedJson::of(trashed, environment);
        let name = one_line(&row.name);
        let from = one_line(&environment.shown(&trashed.record.from));
        table.push([name, from, one_line(&row.why), row.time]);
    }
    table.print(output)
}
