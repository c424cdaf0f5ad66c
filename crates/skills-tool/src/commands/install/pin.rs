//! `skills pin` and `skills unpin`: installed skills that an update passes over.

use crate::commands::install::session::{self, Session, failure};
use crate::commands::install::target::TargetOptions;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, one_line};
use clap::Args;
use serde::Serialize;
use skills_format::{command, prose};
use skills_host::install::{Pins, installed_names};
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills pin code-review\n  skills pin lint plan --to project\n  skills unpin code-review && skills update code-review"
)]
pub(crate) struct Pin {
    #[command(flatten)]
    options: PinOptions,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills unpin code-review\n  skills unpin code-review && skills update code-review"
)]
pub(crate) struct Unpin {
    #[command(flatten)]
    options: PinOptions,
}

#[derive(Args, Debug)]
struct PinOptions {
    /// The installed skills
    #[arg(required = true)]
    names: Vec<String>,
    #[command(flatten)]
    target: TargetOptions,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

/// `pin --format json` and `unpin --format json`
#[derive(Serialize)]
struct PinDocument {
    schema: u32,
    target: String,
    /// The skills that the command pinned or unpinned.
    changed: Vec<String>,
    /// Every pinned skill of the folder.
    pinned: Vec<String>,
}

impl Pin {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        session::run(environment, output, |session, output| {
            let options = &self.options;
            options.check(session, environment)?;
            let pins = Pins::of(session.data());
            let folder = options.target.target(environment)?.folder;
            let changed = pins.pin(&folder, &options.names);
            let changed = changed.map_err(|error| failure(&error))?;
            options.print(
                ["pinned", "is pinned already"],
                changed,
                session,
                environment,
                output,
            )
        })
    }
}

impl Unpin {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        session::run(environment, output, |session, output| {
            let options = &self.options;
            let folder = options.target.target(environment)?.folder;
            let pins = Pins::of(session.data());
            let pinned = pins.names(&folder).map_err(|error| failure(&error))?;
            // A pin whose skill is gone can be removed too.
            if !options.names.iter().all(|name| pinned.contains(name)) {
                options.check(session, environment)?;
            }
            let changed = pins.unpin(&folder, &options.names);
            let changed = changed.map_err(|error| failure(&error))?;
            options.print(
                ["unpinned", "is not pinned"],
                changed,
                session,
                environment,
                output,
            )
        })
    }
}

impl PinOptions {
    /// Fails for a name that is not an installed skill.
    fn check(&self, session: &Session, environment: &Environment) -> Result<(), Failure> {
        let folder = self.target.target(environment)?.folder;
        let found = installed_names(&folder, &self.names, session.host());
        let found = found.map(drop);
        found.map_err(|error| self.target.failure(&error, "pin", &self.names, environment))
    }

    fn print(
        &self,
        words: [&str; 2],
        changed: Vec<String>,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let folder = self.target.target(environment)?.folder;
        if self.format == Format::Json {
            let pinned = Pins::of(session.data()).names(&folder);
            output.json(&PinDocument {
                schema: 1,
                target: environment.documented(&folder),
                changed,
                pinned: pinned
                    .map_err(|error| failure(&error))?
                    .into_iter()
                    .collect(),
            })?;
            return Ok(Outcome::Done);
        }
        for name in &self.names {
            let [done, was] = words;
            let word = if changed.contains(name) { done } else { was };
            writeln!(output, "{} {word}", one_line(name))?;
        }
        if words[0] == "pinned" {
            let names = self.names.iter();
            let unpin = names.fold(command("unpin"), |unpin, name| unpin.word(name));
            let unpin = self.target.of(unpin);
            output.note(prose!("`update` passes over it; {} ends that", unpin));
        }
        Ok(Outcome::Done)
    }
}
