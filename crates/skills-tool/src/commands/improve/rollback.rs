//! `skills improve history` and `skills improve rollback`: the earlier versions of skills, and the return to one.

use crate::commands::check::read::{named, near};
use crate::commands::install::session::Session;
use crate::commands::install::target::TargetOptions;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, one_line};
use clap::Args;
use serde::Serialize;
use skills_agent::improve::{RolledBack, rollback, versions};
use skills_format::{Prose, prose};
use skills_host::ErrorKind;
use skills_host::history::Version;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills improve rollback lint\n  skills improve rollback lint 3f2a9c1d2e3f"
)]
pub(crate) struct Rollback {
    /// The skill
    name: String,
    /// The version, as `skills improve history` shows it; by default the version before the last change
    revision: Option<String>,
    #[command(flatten)]
    target: TargetOptions,
    #[command(flatten)]
    format: FormatOption,
}

/// `rollback --format json`
#[derive(Serialize)]
struct ImproveRollbackDocument<'r> {
    skill: &'r str,
    revision: &'r str,
    digest: &'r str,
    changed: bool,
    commit: Option<&'r str>,
}

impl Rollback {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let session = Session::new(cx.env)?;
        let target = self.found_in(cx.env, &session);
        let folder = target.target(cx.env)?.folder;
        let (name, revision) = (self.name.as_str(), self.revision.as_deref());
        let done = rollback(&folder, name, revision, session.host());
        let done = done.map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                let near = near(Path::new(name), cx.env).filter(|_| revision.is_none());
                let shows = "`skills improve history` shows the skills that have versions, and their versions";
                Failure::not_so(&error, near.map_or_else(|| prose!("{shows}"), Prose::from))
            }
            _ => Failure::from(&error),
        })?;
        session.quiet();
        self.report(&done, cx)?;
        Ok(Outcome::Done)
    }

    /// Returns the options of the folder that keeps versions of the skill: the named folder, or else the
    /// person's, or else the project's.
    fn found_in(&self, env: &Environment, session: &Session) -> TargetOptions {
        let keeps = |target: &TargetOptions| {
            let folder = target.target(env).ok()?.folder;
            let kept = versions(&folder, Some(&self.name), session.host()).ok()?;
            (!kept.is_empty()).then_some(())
        };
        let project = self.target.in_project();
        match project.filter(|project| keeps(&self.target).is_none() && keeps(project).is_some()) {
            Some(project) => project,
            None => self.target.clone(),
        }
    }

    fn report(&self, done: &RolledBack, cx: &mut Ctx) -> Result<(), Failure> {
        let taken = done.taken.as_ref();
        if cx.is_json {
            return cx.json(&ImproveRollbackDocument {
                skill: &self.name,
                revision: &done.revision,
                digest: &done.digest,
                changed: taken.is_some(),
                commit: taken.and_then(|taken| taken.commit.as_deref()),
            });
        }
        let (name, revision) = (one_line(&self.name), short(&done.revision));
        match taken {
            None => writeln!(cx, "{name} is as in {revision} already")?,
            Some(taken) => {
                writeln!(cx, "{name} is restored to {revision}")?;
                if let Some(note) = &taken.note {
                    cx.note(note);
                }
            }
        }
        Ok(())
    }
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills improve history\n  skills improve history lint\n  skills improve history lint --to project"
)]
pub(crate) struct History {
    /// The skill
    name: Option<String>,
    #[command(flatten)]
    target: TargetOptions,
    #[command(flatten)]
    format: FormatOption,
}

/// `history --format json`
#[derive(Serialize)]
struct ImproveHistoryDocument {
    folder: String,
    versions: Vec<Version>,
}

/// The help when no version is kept.
fn kept() -> Prose {
    prose!(
        "a repair keeps a version (`skills improve --help`), a folder that is a git repository keeps each change"
    )
}

/// Shortens a revision to 12 characters, without the name of the digest.
pub(crate) fn short(revision: &str) -> &str {
    let revision = revision.strip_prefix("sha256:").unwrap_or(revision);
    revision.get(..12).unwrap_or(revision)
}

impl History {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let session = Session::new(cx.env)?;
        let folder = self.folder(cx.env)?;
        let name = self.name.as_deref();
        let versions = versions(&folder, name, session.host())?;
        if let (Some(name), true) = (name, versions.is_empty()) {
            let shown = cx.env.shown(&folder);
            let near = near(Path::new(name), cx.env);
            return Err(Failure::not_so(
                format_args!("no version of '{name}' is kept of {shown}"),
                near.map_or_else(kept, Prose::from),
            ));
        }
        if cx.is_json {
            cx.json(&ImproveHistoryDocument {
                folder: cx.env.documented(&folder),
                versions,
            })?;
        } else if versions.is_empty() {
            let folder = cx.env.shown(&folder);
            cx.note(prose!(
                "no version of any skill is kept of {folder}: {}",
                kept()
            ));
        } else {
            for version in &versions {
                self.report(version, cx)?;
            }
        }
        Ok(Outcome::Done)
    }

    /// Returns the folder of `--to`. Without it, the folder that holds the skill of the name.
    fn folder(&self, env: &Environment) -> Result<PathBuf, Failure> {
        let own = self.target.target(env)?.folder;
        let Some(name) = self.name.as_ref().filter(|_| self.target.is_open()) else {
            return Ok(own);
        };
        if own.join(name).exists() {
            return Ok(own);
        }
        let found = env.absolute(&named(PathBuf::from(name), env));
        let above = found.parent().filter(|_| found.is_dir());
        Ok(above.map_or(own, ToOwned::to_owned))
    }

    fn report(&self, version: &Version, cx: &mut Ctx) -> Result<(), Failure> {
        let time = version.time;
        let revision = short(&version.revision);
        let subject = one_line(&version.subject);
        writeln!(cx, "{revision}  {time:.0}  {subject}")?;
        if self.name.is_some() {
            for line in version.body.lines().filter(|line| line.starts_with("- ")) {
                writeln!(cx, "    {}", one_line(line))?;
            }
        }
        Ok(())
    }
}
