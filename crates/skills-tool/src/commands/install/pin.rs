//! `skills pin` and `skills unpin`: installed skills that an update passes over.

use crate::commands::install::session::{self, Session, failure};
use crate::commands::install::target::TargetOptions;
use crate::commands::install::targets::{joined, names_of_each};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, one_line};
use clap::Args;
use serde::Serialize;
use skills_format::{command, prose};
use skills_host::install::{Pins, installed_names};
use skills_host::lock::read_lock;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills pin code-review\n  skills pin lint plan --to claude-code    only there\n  skills unpin code-review && skills update code-review"
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
    #[serde(flatten)]
    first: PinnedJson,
    /// The other folders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<PinnedJson>,
}

#[derive(Serialize)]
struct PinnedJson {
    target: String,
    /// The skills that the command pinned or unpinned.
    changed: Vec<String>,
    /// Every pinned skill of the folder.
    pinned: Vec<String>,
}

/// A folder in which the command pinned or unpinned skills.
struct Done {
    folder: PathBuf,
    names: Vec<String>,
    changed: Vec<String>,
}

impl Pin {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        session::run(environment, output, |session, output| {
            let options = &self.options;
            let pins = Pins::of(session.data());
            let pin = |folder: &Path, names: &[String]| {
                options.check(folder, names, "pin", session, environment)?;
                pins.pin(folder, names).map_err(|error| failure(&error))
            };
            let folders = options.folders("pin", session, environment, output)?;
            let done = in_each(folders, pin)?;
            let words = ["pinned", "is pinned already"];
            options.print(words, &done, &pins, environment, output)?;
            if options.format == Format::Text {
                let mut seen = BTreeSet::new();
                let names = options.names.iter().filter(|name| seen.insert(*name));
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
            let pins = Pins::of(session.data());
            let unpin = |folder: &Path, names: &[String]| {
                let pinned = pins.names(folder).map_err(|error| failure(&error))?;
                // A pin whose skill is gone can be removed too.
                if !names.iter().all(|name| pinned.contains(name)) {
                    options.check(folder, names, "unpin", session, environment)?;
                }
                pins.unpin(folder, names).map_err(|error| failure(&error))
            };
            let folders = options.folders("unpin", session, environment, output)?;
            let done = in_each(folders, unpin)?;
            let words = ["unpinned", "is not pinned"];
            options.print(words, &done, &pins, environment, output)?;
            Ok(Outcome::Done)
        })
    }
}

/// Pins or unpins the skills of each folder. `change` returns the names that it changed.
fn in_each(
    folders: Vec<(PathBuf, Vec<String>)>,
    change: impl Fn(&Path, &[String]) -> Result<Vec<String>, Failure>,
) -> Result<Vec<Done>, Failure> {
    let changed = folders.into_iter().map(|(folder, names)| {
        let changed = change(&folder, &names)?;
        Ok(Done {
            folder,
            names,
            changed,
        })
    });
    changed.collect()
}

impl PinOptions {
    /// Returns the folders in which a skill of these names is installed or pinned, each with those names.
    fn folders(
        &self,
        verb: &'static str,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Vec<(PathBuf, Vec<String>)>, Failure> {
        let target = &self.target;
        let chosen = target.installed(verb, &self.names, session, environment, output)?;
        let pins = Pins::of(session.data());
        let known = chosen.iter().map(|one| {
            let folder = &one.target.folder;
            let lock = read_lock(folder, session.data()).map_err(|error| failure(&error))?;
            let mut names = pins.names(folder).map_err(|error| failure(&error))?;
            names.extend(lock.skills.into_keys());
            Ok(names)
        });
        let known: Vec<BTreeSet<String>> = known.collect::<Result<_, Failure>>()?;
        let has = |at: usize, name: &str| known.get(at).is_some_and(|it| it.contains(name));
        let names = names_of_each(&self.names, chosen.len(), has);
        let chosen = chosen.into_iter().map(|one| one.target.folder).zip(names);
        Ok(chosen
            .filter_map(|(folder, names)| Some((folder, names?)))
            .collect())
    }

    /// Fails for a name that is not an installed skill.
    fn check(
        &self,
        folder: &Path,
        names: &[String],
        verb: &'static str,
        session: &Session,
        environment: &Environment,
    ) -> Result<(), Failure> {
        let found = installed_names(folder, names, session.host()).map(drop);
        found.map_err(|error| self.target.failure(&error, verb, names, environment))
    }

    /// Prints what was done with each name, or the document. `words` are for a change, and for what was so before.
    fn print(
        &self,
        [done, was]: [&str; 2],
        all: &[Done],
        pins: &Pins,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<(), Failure> {
        if self.format == Format::Json {
            let documents = all.iter().map(|one| {
                let pinned = pins.names(&one.folder).map_err(|error| failure(&error))?;
                Ok(PinnedJson {
                    target: environment.documented(&one.folder),
                    changed: one.changed.clone(),
                    pinned: pinned.into_iter().collect(),
                })
            });
            let mut documents = documents.collect::<Result<Vec<_>, Failure>>()?;
            if documents.is_empty() {
                return Ok(());
            }
            return output.json(&PinDocument {
                schema: 1,
                first: documents.remove(0),
                others: documents,
            });
        }
        // A name that is given twice is printed once.
        let mut seen = BTreeSet::new();
        for name in self.names.iter().filter(|name| seen.insert(*name)) {
            for word in [done, was] {
                let here = all.iter().filter(|one| {
                    one.names.contains(name) && one.changed.contains(name) == (word == done)
                });
                let folders: Vec<&Path> = here.map(|one| one.folder.as_path()).collect();
                if folders.is_empty() {
                    continue;
                }
                let name = one_line(name);
                let beside = match all {
                    [_] => String::new(),
                    _ => format!(" in {}", joined(folders.into_iter(), environment)),
                };
                writeln!(output, "{name} {word}{beside}")?;
            }
        }
        Ok(())
    }
}
