//! `skills lock`: the skills of a folder as they were reviewed.

use crate::commands::bundle::{folder, refuse_faulty};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, counted};
use clap::Args;
use serde::Serialize;
use skills_compiler::{Change, LOCK_FILE, Lock, LockKind};
use std::io::Write as _;
use std::path::PathBuf;

/// Write the lock of a folder of skills, or list the differences from it
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LockCommand {
    /// The folder of skills
    #[arg(value_name = "PATH", default_value = "skills")]
    path: PathBuf,
    /// Write nothing; exit with 1 when the skills differ from the lock
    #[arg(long)]
    check: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  skills lock                  after a review: writes skills/skills.lock
  skills lock --check          in CI
With `locked = true` in skills/skills.toml, a build fails when the skills differ from the lock.";

/// `lock --format json`
#[derive(Serialize)]
struct Document {
    schema: u32,
    digest: String,
    skills: usize,
    changes: Vec<ChangeJson>,
}

#[derive(Serialize)]
struct ChangeJson {
    change: &'static str,
    skill: Option<String>,
}

impl LockCommand {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let folder = folder(&self.path, environment)?;
        let compiled = folder.compile();
        refuse_faulty(&self.path, &compiled, output)?;
        let mut now = Lock::of(&compiled.model);
        let file = self.path.join(LOCK_FILE);
        let old = match &folder.lock_text {
            None => None,
            Some(text) => match Lock::parse(text) {
                Ok(lock) => Some(lock),
                Err(error) if !self.check && !error.newer => None,
                Err(error) => {
                    let help = if error.newer {
                        "use that version of `skills` here"
                    } else {
                        "review the skills, then run `skills lock`"
                    };
                    let fact = format_args!("cannot read {}: {error}", file.display());
                    return Err(Failure::failed(fact, help));
                }
            },
        };
        if let Some(old) = &old {
            now = now.with_provenance_of(old);
            if old.kind == LockKind::Installed {
                if !self.check {
                    return Err(Failure::not_so(
                        format_args!("{} lists installed skills", file.display()),
                        "`skills lock --check` compares them; `skills install` and `update` write it",
                    ));
                }
                // Hand-made neighbours are not listed.
                now.skills.retain(|name, _| old.skills.contains_key(name));
                now = Lock::installed(now.skills);
            }
        }
        if self.check && old.is_none() {
            return Err(Failure::not_so(
                format_args!("there is no {}", file.display()),
                "review the skills, then run `skills lock`",
            ));
        }
        let changes = old
            .as_ref()
            .map(|old| old.changes(&now))
            .unwrap_or_default();
        if !self.check {
            let path = environment.absolute(&self.path);
            now.write(&path).map_err(|error| {
                Failure::failed(
                    format_args!("cannot write {}: {error}", file.display()),
                    "change the permissions of the folder",
                )
            })?;
            if folder.lock_text.is_none() {
                output.note(
                    "advice: `skills/** -text` in .gitattributes keeps the bytes on every platform",
                );
            }
        }
        match self.format {
            Format::Json => output.json(&Document {
                schema: 1,
                digest: now.digest.to_string(),
                skills: now.skills.len(),
                changes: changes.iter().map(ChangeJson::of).collect(),
            })?,
            Format::Text => {
                for change in &changes {
                    writeln!(output, "{change}")?;
                }
                let skills = counted(now.skills.len(), "skill");
                let what = match (self.check, changes.is_empty()) {
                    (false, _) => format!("{}: {skills}, {}", file.display(), now.digest),
                    (true, true) => format!("{}: up to date, {skills}", file.display()),
                    (true, false) => format!(
                        "{}: stale; review the changes, then run `skills lock`",
                        file.display()
                    ),
                };
                writeln!(output, "{what}")?;
            }
        }
        Ok(if self.check && !changes.is_empty() {
            Outcome::Findings
        } else {
            Outcome::Done
        })
    }
}

impl ChangeJson {
    fn of(change: &Change) -> Self {
        let (change, skill) = match change {
            Change::Added(name) => ("added", Some(name)),
            Change::Removed(name) => ("removed", Some(name)),
            Change::Changed(name) => ("changed", Some(name)),
            _ => ("moved", None),
        };
        Self {
            change,
            skill: skill.cloned(),
        }
    }
}
