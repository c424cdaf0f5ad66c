//! `skills improve history` and `skills improve rollback`: the earlier versions of skills, and the return to one.

use crate::commands::install::session::Session;
use crate::commands::install::target::TargetOptions;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, one_line};
use clap::Args;
use serde_json::json;
use skills_agent::improve::{RolledBack, rollback, versions};
use skills_host::ErrorKind;
use skills_host::history::Version;
use std::io::Write as _;

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

impl Rollback {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let session = Session::new(cx.env)?;
        let folder = self.target.target(cx.env)?.folder;
        let (name, revision) = (self.name.as_str(), self.revision.as_deref());
        let done = rollback(&folder, name, revision, session.host());
        session.quiet();
        match done {
            Ok(done) => self.report(&done, cx)?,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let help = error.remedy_or("`skills improve history` shows the versions");
                return Err(Failure::not_so(&error, help));
            }
            Err(error) => return Err(error.into()),
        }
        Ok(Outcome::Done)
    }

    fn report(&self, done: &RolledBack, cx: &mut Ctx) -> Result<(), Failure> {
        let taken = done.taken.as_ref();
        cx.report(&json!({
            "skill": &self.name,
            "revision": &done.revision,
            "digest": &done.digest,
            "changed": taken.is_some(),
            "commit": taken.and_then(|taken| taken.commit.as_deref()),
        }))?;
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

/// The help when no version is kept.
const KEPT: &str = "your own folder of skills keeps each change if it is a git repository";

/// Shortens a revision to 12 characters.
fn short(revision: &str) -> &str {
    revision.get(..12).unwrap_or(revision)
}

impl History {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let session = Session::new(cx.env)?;
        let folder = self.target.target(cx.env)?.folder;
        let versions = versions(&folder, self.name.as_deref(), session.host())?;
        if let (Some(name), true) = (&self.name, versions.is_empty()) {
            let folder = cx.env.shown(&folder);
            return Err(Failure::not_so(
                format_args!("{folder} has no history of '{}'", one_line(name)),
                KEPT,
            ));
        }
        cx.report(&json!({ "folder": cx.env.documented(&folder), "versions": versions }))?;
        if versions.is_empty() {
            let folder = cx.env.shown(&folder);
            cx.note(format!("{folder} has no history: {KEPT}"));
        }
        for version in &versions {
            self.report(version, cx)?;
        }
        Ok(Outcome::Done)
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
