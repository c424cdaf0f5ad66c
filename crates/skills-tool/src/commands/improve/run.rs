//! `skills improve NAME`: one attempt to improve a skill.

use crate::catalog::find::{find, meant};
use crate::commands::agent_settings::AgentLine;
use crate::commands::improve::{AttemptDocument, AttemptJson};
use crate::commands::improve::{ImproveCall, way_back};
use crate::commands::install::plan::differences;
use crate::commands::install::target::TargetOptions;
use crate::environment::SystemClock;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, one_line};
use skills_agent::improve::{
    Attempt, AttemptLog, AttemptOutcome, AttemptRecord, CommandImprover, MAX_TRACE, Mode, Site,
    Trace, attempt,
};
use skills_format::{Prose, command, prose};
use skills_host::files::clock::Clock as _;
use skills_runtime::Catalog;
use skills_session::resolve::named;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The bundled skill with the instructions for a repair.
const INSTRUCTIONS: &str = "improve-skill";

impl ImproveCall<'_> {
    pub(super) fn improve(
        self,
        name: &str,
        trace: &Path,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let options = &self.improve.catalog;
        let catalog = options.catalog(&[], cx)?;
        let id = meant(&catalog, name, options.profile());
        self.check_scheduled(&catalog, &id)?;
        let entry = find(&catalog, &id)?;
        let trace = self.trace(entry.name(), trace)?;
        // Before the agent's command is read: a trace without errors needs no agent.
        if trace.errors().next().is_none() {
            return Self::nothing(entry.name(), cx);
        }
        let line = AgentLine::new(entry.name());
        let agent = self.improve.agent.command(self.env)?;
        let agent = CommandImprover::new(agent).progress(line.progress());
        let mut mode = Mode::of(options.profile().name);
        if self.improve.automatic {
            mode = Mode::Automatic;
        }
        let instructions = bundled_skills::SKILLS.get(INSTRUCTIONS);
        let instructions = instructions.and_then(|skill| skill.body().ok());
        let site = Site {
            host: self.session.host(),
            catalog: &catalog,
            tool_names: &options.profile().options.tool_names,
            user: &self.user_folder()?,
            mode,
            instructions: instructions.as_deref().unwrap_or_default(),
            program: ("skills", env!("CARGO_PKG_VERSION")),
        };
        let attempt = attempt(&site, &entry, &trace, &agent)?;
        drop(line);
        self.session.quiet();
        if cx.is_json {
            cx.json(&AttemptDocument {
                attempts: vec![AttemptJson::of(&attempt, self.env)],
            })?;
        } else {
            Self::report(&attempt, cx)?;
        }
        match attempt.record.outcome {
            AttemptOutcome::Taken | AttemptOutcome::Proposed | AttemptOutcome::Unchanged => {
                Ok(Outcome::Done)
            }
            _ if cx.is_json => Ok(Outcome::Findings),
            outcome => Err(Failure::not_so(
                prose!(
                    "{}: {}: {}",
                    &attempt.record.skill,
                    outcome.word(),
                    &attempt.record.reason
                ),
                &attempt.help,
            )),
        }
    }

    /// Refuses a skill of a schedule, and records the attempt.
    fn check_scheduled(self, catalog: &Catalog, id: &str) -> Result<(), Failure> {
        let name = id.rsplit(':').next().unwrap_or(id);
        let scheduled = skills_session::scheduled::scheduled(catalog);
        let is_scheduled = scheduled.is_some_and(|all| !named(all, name).is_empty());
        if !is_scheduled || !named(catalog, id).is_empty() {
            return Ok(());
        }
        let why = prose!("{name} is a scheduled skill, and only its schedule can change its text");
        let remove = command("schedule remove").word(name);
        let help = prose!(
            "remove the schedule with {}, then add a schedule with the new task",
            remove
        );
        Err(self.refused(name, &why, help, why.clone()))
    }

    /// Records an attempt that could not begin, and builds its failure.
    fn refused(self, name: &str, why: &Prose, help: impl Into<Prose>, fact: Prose) -> Failure {
        let record = AttemptRecord::refused(name, why, SystemClock.now());
        match AttemptLog::of(self.session.data()).write(&record) {
            Ok(()) => Failure::not_so(fact, help),
            Err(error) => Failure::from(&error),
        }
    }

    /// Returns the folder of the person's own skills: the first `--layer`, or the folder of the profile.
    fn user_folder(self) -> Result<PathBuf, Failure> {
        let options = &self.improve.catalog;
        if let Some(folder) = options.first_layer() {
            return Ok(self.env.absolute(folder));
        }
        let user = TargetOptions::user(options.profile());
        Ok(user.target(self.env)?.folder)
    }

    /// Reads the trace. A trace that cannot be parsed, or in which the skill was not active, is recorded as an
    /// attempt.
    fn trace(self, name: &str, path: &Path) -> Result<Trace, Failure> {
        let path = self.env.absolute(path);
        let shown = self.env.shown(&path);
        let mut bytes = Vec::new();
        // One byte more than the maximum shows that the trace is too long.
        let read =
            File::open(&path).and_then(|file| file.take(MAX_TRACE + 1).read_to_end(&mut bytes));
        read.map_err(|error| {
            Failure::failed(
                format_args!("--trace {shown}: {error}"),
                "name the file of the session in which the skill was active",
            )
        })?;
        let trace = Trace::parse(&bytes, name);
        let refused = |why: Prose, help: Prose| {
            self.refused(name, &why, help, prose!("--trace {shown}: {}", &why))
        };
        let trace =
            trace.map_err(|error| refused((&error).into(), error.remedy().unwrap_or_default()))?;
        if trace.errors().next().is_some() && !trace.names(name) {
            let active = match trace.skills.len() {
                0 => "it names no skill that was active".to_owned(),
                _ => format!(
                    "the skills that were active are {}",
                    trace.skills.join(", ")
                ),
            };
            let why = prose!("{name} was not active in this session: {active}");
            let help = "name a skill that was active, or another session";
            return Err(refused(why, help.into()));
        }
        Ok(trace)
    }

    fn nothing(name: &str, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if cx.is_json {
            cx.json(&AttemptDocument {
                attempts: Vec::new(),
            })?;
        } else {
            writeln!(cx, "{name}: the trace holds no error; nothing was done")?;
        }
        Ok(Outcome::Done)
    }

    fn report(attempt: &Attempt, cx: &mut Ctx) -> Result<(), Failure> {
        let record = &attempt.record;
        let (name, summary) = (one_line(&record.skill), one_line(&record.summary));
        match record.outcome {
            AttemptOutcome::Taken => writeln!(cx, "{name}: taken: {summary}")?,
            AttemptOutcome::Proposed => writeln!(cx, "{name}: proposed: {summary}")?,
            AttemptOutcome::Unchanged => writeln!(cx, "{name}: unchanged: {summary}")?,
            _ => return Ok(()),
        }
        if !record.reason.is_empty() {
            cx.warning(&record.reason);
        }
        for caution in &record.cautions {
            writeln!(cx, "    look at this: {}", one_line(caution))?;
        }
        for path in &record.left_out {
            let path = one_line(path);
            writeln!(cx, "    left out: {path}: it is not part of the skill")?;
        }
        differences(&attempt.difference, cx)?;
        if !attempt.help.is_empty() {
            cx.note(&attempt.help);
        }
        match (&record.proposal, record.outcome) {
            (Some(id), _) => cx.note(prose!(
                "nothing is changed yet: {} applies it, {} discards it",
                command("improve --approve").word(id),
                command("improve --reject").word(id)
            )),
            (None, AttemptOutcome::Taken) => {
                let folder = record.target.as_deref().unwrap_or(Path::new(""));
                cx.note(way_back(&folder.join(&record.skill), cx.env));
            }
            _ => {}
        }
        Ok(())
    }
}
