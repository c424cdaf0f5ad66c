//! `skills schedule remove`: removes a schedule, and moves its skill to the trash.

use crate::commands::install::session::failure;
use crate::commands::schedule::install::{CRONTAB, folder_of};
use crate::commands::schedule::recorder::Recorder;
use crate::commands::schedule::site::Site;
use crate::environment::{Environment, SystemClock};
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::Args;
use serde::Serialize;
use skills_format::{command, prose};
use skills_host::schedule::{ScheduleName, UnitKind, crontab_has, read_crontab};
use skills_store::files::clock::Clock as _;
use std::io::Write as _;

/// Remove a schedule; its skill goes to the trash
///
/// `skills schedule log` still shows its runs. The records of the 50 removed schedules that ran last are
/// kept.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills schedule remove standup")]
pub(crate) struct Remove {
    /// The schedule: its short name, or its full name
    name: String,
    #[command(flatten)]
    site: Site,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

/// `schedule remove --format json`
#[derive(Serialize)]
struct ScheduleRemoveDocument {
    schema: u32,
    removed: ScheduleName,
}

/// Returns the places of the installed units of a schedule, each with the option that names its scheduler.
fn left_units(name: &str, environment: &Environment) -> Vec<(String, &'static str)> {
    let mut left = Vec::new();
    for (kind, option) in [
        (UnitKind::Systemd, "--systemd"),
        (UnitKind::Launchd, "--launchd"),
    ] {
        let folder = folder_of(kind, environment);
        let files = kind.without_text(name).files.into_iter();
        let mut paths = files.filter_map(|file| Some(folder.as_ref()?.join(file.name)));
        let path = paths.find(|path| path.exists());
        left.extend(path.map(|path| (environment.shown(&path), option)));
    }
    let unit = UnitKind::Cron.without_text(name).name;
    // Without the program there is no crontab.
    if read_crontab(CRONTAB).is_ok_and(|text| crontab_has(&text, &unit)) {
        left.push(("your crontab".to_owned(), "--cron"));
    }
    left
}

impl Remove {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let scheduler = self.site.scheduler(environment)?;
        let recorder = Recorder::new(&scheduler);
        let removed = recorder
            .record(&self.name, "schedule remove", output, || {
                scheduler.remove(&self.name, SystemClock.now())
            })
            .map_err(|error| failure(&error))?;
        match self.format {
            Format::Json => output.json(&ScheduleRemoveDocument {
                schema: 1,
                removed: removed.name.clone(),
            })?,
            Format::Text if removed.is_in_trash => {
                let name = &removed.name;
                writeln!(output, "removed {name}; its skill is in the trash")?;
                output.note(prose!(
                    "{} brings the skill back, without its schedule",
                    command("restore")
                        .word(name)
                        .word("--to")
                        .path(scheduler.folder())
                ));
            }
            Format::Text => writeln!(output, "removed {}; it had no skill", removed.name)?,
        }
        for (place, kind) in left_units(&removed.name, environment) {
            let remove = command("schedule install").word(&removed.name);
            output.warning(prose!(
                "{place} still starts it, which then fails; {} ends that",
                remove.word(kind).word("--remove")
            ));
        }
        Ok(Outcome::Done)
    }
}
