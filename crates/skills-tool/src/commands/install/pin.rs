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
use std::path::Path;

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
            let folder = options.target.target(environment)?.folder;
            options.check(&folder, session, environment)?;
            let changed = Pins::of(session.data()).pin(&folder, &options.names);
            let changed = changed.map_err(|error| failure(&error))?;
            let words = ["pinned", "is pinned already"];
            options.print(words, &folder, changed, session, environment, output)?;
            if options.format == Format::Text {
                let names = options.names.iter();
                let unpin = names.fold(command("unpin"), |unpin, name| unpin.word(name));
                let unpin = options.target.of(unpin);
                output.note(prose!("`update` passes over it; {} ends that", unpin));
            }
            Ok(Outcome::Done)
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
                options.check(&folder, session, environment)?;
            }
            let changed = pins.unpin(&folder, &options.names);
            let changed = changed.map_err(|error| failure(&error))?;
            let words = ["unpinned", "is not pinned"];
            options.print(words, &folder, changed, session, environment, output)?;
            Ok(Outcome::Done)
        })
    }
}

impl PinOptions {
    /// Fails for a name that is not an installed skill.
    fn check(
        &self,
        folder: &Path,
        session: &Session,
        environment: &Environment,
    ) -> Result<(), Failure> {
        let found = installed_names(folder, &self.names, session.host());
        let found = found.map(drop);
        found.map_err(|error| self.target.failure(&error, "pin", &self.names, environment))
    }

    /// Prints what was done with each name, or the document. `words` are for a change, and for what was so before.
    fn print(
        &self,
        [done, was]: [&str; 2],
        folder: &Path,
        changed: Vec<String>,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<(), Failure> {
        if self.format == Format::Json {
            let pinned = Pins::of(session.data()).names(folder);
            let pinned = pinned.map_err(|error| failure(&error))?;
            return output.json(&PinDocument {
                schema: 1,
                target: environment.documented(folder),
                changed,
                pinned: pinned.into_iter().collect(),
            });
        }
        for name in &self.names {
            let word = if changed.contains(name) { done } else { was };
            writeln!(output, "{} {word}", one_line(name))?;
        }
        Ok(())
    }
}
