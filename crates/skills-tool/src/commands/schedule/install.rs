//! `skills schedule install`: writes a unit for a scheduler of the machine, after showing it.

use crate::commands::install::session::{YesOption, failure};
use crate::commands::schedule::unit::{TargetScheduler, UnitOptions};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::Output;
use clap::Args;
use skills_format::{command, prose};
use skills_host::install::unified;
use skills_host::schedule::{
    Unit, UnitKind, crontab_has, crontab_with, read_crontab, write_crontab,
};
use skills_store::ErrorKind;
use skills_store::disk;
use skills_store::files::copy::{is_there, make_folder, remove, replace_file};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Write a unit of systemd, launchd or cron that starts the daemon, or runs one schedule
///
/// The unit of `skills schedule export` is shown first, with the place where it goes. Without a scheduler: launchd on
/// macOS, systemd where it runs, and cron elsewhere. The unit is only written: the command that starts it is shown.
/// The agent works in the home folder, or in --directory.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ScheduleInstall {
    #[command(flatten)]
    kind: TargetScheduler,
    #[command(flatten)]
    unit: UnitOptions,
    /// Remove what an earlier call wrote
    #[arg(long)]
    remove: bool,
    #[command(flatten)]
    yes: YesOption,
}

const EXAMPLES: &str = "\
Examples:
  skills schedule install --agent 'my-agent --print'
  skills schedule install --cron
  skills schedule install --remove";

/// The maximum length of a unit that is read, in bytes.
const MAX_UNIT: u64 = 1 << 20;

/// The program that reads and replaces a crontab.
pub(crate) const CRONTAB: &str = "crontab";

/// A text at the place where a scheduler reads it.
struct Placed {
    place: Place,
    /// The present text; `None` if there is none.
    before: Option<String>,
    /// The text afterwards; `None` to remove the file.
    after: Option<String>,
    /// True if an earlier call wrote the unit there.
    is_there: bool,
    /// The part of the text that is shown.
    shown: String,
}

enum Place {
    File(PathBuf),
    Crontab,
}

/// Returns the folder in which a scheduler of the person reads units. Cron has none.
pub(crate) fn folder_of(kind: UnitKind, environment: &Environment) -> Option<PathBuf> {
    let (above, below) = match kind {
        UnitKind::Systemd => (&environment.config, "systemd/user"),
        UnitKind::Launchd => (&environment.home, "Library/LaunchAgents"),
        UnitKind::Cron => return None,
    };
    Some(above.as_ref()?.join(below))
}

impl ScheduleInstall {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let kind = self.kind.named().map_or_else(usual, Ok)?;
        if !self.remove {
            // Without an agent the unit would fail at each start.
            self.unit.runner.agent.command(environment)?;
        }
        let unit = self.named_unit(kind, environment)?;
        let placed = self.placed(kind, &unit, environment)?;
        let (changed, same): (Vec<Placed>, Vec<Placed>) = placed
            .into_iter()
            .partition(|placed| placed.before != placed.after);
        for placed in &same {
            let state = if self.remove {
                "is not there"
            } else {
                "is there already, unchanged"
            };
            writeln!(output, "{} {state}", placed.place.shown(environment))?;
        }
        for placed in &changed {
            let what = match (&placed.before, &placed.after) {
                (_, None) => "remove",
                (None, _) => "write",
                (Some(_), _) => "replace",
            };
            let heading = format!("{what} {}", placed.place.shown(environment));
            writeln!(output, "{}", output.strong(heading))?;
            match (&placed.before, &placed.after) {
                // Somebody may have edited the unit: what is lost is shown too.
                (Some(before), Some(after)) if placed.is_there => {
                    let (before, after) = (Some(before.as_str()), Some(after.as_str()));
                    for line in unified("unit", before, after).lines() {
                        output.difference(line)?;
                    }
                }
                _ => {
                    for line in placed.shown.lines() {
                        writeln!(output, "    {line}")?;
                    }
                }
            }
        }
        if changed.is_empty() {
            self.print_next(&unit, output);
            return Ok(Outcome::Done);
        }
        let question = if self.remove {
            "Remove it?"
        } else {
            "Write it?"
        };
        if !self.yes.consent().is_given(question, "", false, output)? {
            return Err(Failure::declined("nothing was changed"));
        }
        for placed in &changed {
            placed.apply().map_err(|error| failure(&error))?;
            let done = if placed.after.is_some() {
                "wrote"
            } else {
                "removed"
            };
            writeln!(output, "{done} {}", placed.place.shown(environment))?;
        }
        self.print_next(&unit, output);
        Ok(Outcome::Done)
    }

    /// Builds the unit. To be removed, a unit needs its name alone: its schedule can be gone.
    fn named_unit(&self, kind: UnitKind, environment: &Environment) -> Result<Unit, Failure> {
        let unit = self.unit.unit(kind, environment);
        match (&self.unit.name, unit) {
            (Some(name), Err(_)) if self.remove => Ok(kind.without_text(name)),
            (_, unit) => unit,
        }
    }

    /// Reads what is at the places of the unit.
    fn placed(
        &self,
        kind: UnitKind,
        unit: &Unit,
        environment: &Environment,
    ) -> Result<Vec<Placed>, Failure> {
        if kind == UnitKind::Cron {
            return self.in_crontab(unit).map(|placed| vec![placed]);
        }
        let missing = || Failure::failed("there is no home folder", "set HOME");
        let folder = folder_of(kind, environment).ok_or_else(missing)?;
        let files = unit.files.iter();
        files
            .map(|file| {
                let path = folder.join(&file.name);
                let before = present(&path)?;
                let shown = if self.remove { "" } else { file.text.as_str() };
                Ok(Placed {
                    place: Place::File(path),
                    is_there: before.is_some(),
                    before,
                    after: (!self.remove).then(|| file.text.clone()),
                    shown: shown.to_owned(),
                })
            })
            .collect()
    }

    fn in_crontab(&self, unit: &Unit) -> Result<Placed, Failure> {
        let text = unit.text();
        // The first line says how to edit a crontab, which is done here.
        let lines = text.split_once('\n').map_or("", |(_, lines)| lines);
        let lines = Some(lines).filter(|_| !self.remove);
        let before = read_crontab(CRONTAB).map_err(|error| match error.kind() {
            ErrorKind::NotFound => Failure::failed(
                "this machine has no program `crontab`",
                prose!(
                    "install cron, or name another scheduler with --systemd or --launchd; {} shows \
                     how a terminal runs the schedules",
                    command("schedule daemon --help")
                ),
            ),
            _ => failure(&error),
        })?;
        let after = crontab_with(&before, &unit.name, lines).map_err(|error| failure(&error))?;
        Ok(Placed {
            place: Place::Crontab,
            is_there: crontab_has(&before, &unit.name),
            before: Some(before),
            after: Some(after),
            shown: lines.unwrap_or("(the lines of this unit)").to_owned(),
        })
    }

    /// Prints the command that the person runs next.
    fn print_next(&self, unit: &Unit, output: &mut Output) {
        match (&unit.start, &unit.stop) {
            (_, Some(stop)) if self.remove => output.note(format!("if it still runs: `{stop}`")),
            (None, _) if self.remove => output.note("what it started goes on until it is ended"),
            (Some(start), _) => {
                output.note(format!("start it: `{start}`"));
                if start.starts_with("systemctl") {
                    output.note("it runs while you are logged in; `loginctl enable-linger` keeps it running");
                }
            }
            (None, _) => output.note("cron reads it by itself"),
        }
    }
}

impl Placed {
    fn apply(&self) -> Result<(), skills_host::Error> {
        match (&self.place, &self.after) {
            (Place::Crontab, after) => write_crontab(CRONTAB, after.as_deref().unwrap_or_default()),
            (Place::File(path), Some(text)) => {
                make_folder(path.parent().unwrap_or(path))?;
                replace_file(path, text.as_bytes())
            }
            (Place::File(path), None) => remove(path),
        }
    }
}

impl Place {
    fn shown(&self, environment: &Environment) -> String {
        match self {
            Self::File(path) => environment.shown(path),
            Self::Crontab => "lines of your crontab".to_owned(),
        }
    }
}

/// Returns the scheduler of this machine.
fn usual() -> Result<UnitKind, Failure> {
    if cfg!(target_os = "macos") {
        return Ok(UnitKind::Launchd);
    }
    if cfg!(windows) {
        return Err(Failure::failed(
            "this system has no scheduler that this program knows",
            "start `skills schedule daemon` with the Task Scheduler",
        ));
    }
    // The folder exists only where systemd is the first process: `sd_booted` looks for the same folder.
    Ok(if Path::new("/run/systemd/system").is_dir() {
        UnitKind::Systemd
    } else {
        UnitKind::Cron
    })
}

/// Returns the text of a file; `None` if the file is missing.
fn present(path: &Path) -> Result<Option<String>, Failure> {
    if !is_there(path).map_err(|error| failure(&error))? {
        return Ok(None);
    }
    let bytes = disk::read(path, MAX_UNIT).map_err(|error| {
        Failure::failed(
            prose!("{} cannot be read: {error}", path),
            "correct its permissions, or move it away",
        )
    })?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
