//! `skills improve NAME`: one attempt to improve a skill.

use crate::catalog::find::{find, meant};
use crate::commands::agent_settings::AgentLine;
use crate::commands::improve::{ImproveCall, attempts, way_back};
use crate::commands::install::plan::differences;
use crate::commands::install::target::TargetOptions;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, one_line};
use skills_agent::improve::{
    Attempt, AttemptOutcome, CommandImprover, MAX_TRACE, Site, Trace, attempt, is_automatic,
};
use skills_format::{command, prose};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The bundled skill with the instructions for a repair.
const INSTRUCTIONS: &str = "improve-skill";

impl ImproveCall<'_> {
    /// Makes an attempt for a skill, after the trace of a file.
    pub(super) fn improve_after(
        self,
        name: &String,
        trace: &Path,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let trace = read_trace(trace, cx.env)?;
        self.improve(std::slice::from_ref(name), &trace, cx)
    }

    /// Makes an attempt for each skill.
    pub(super) fn improve(
        self,
        names: &[String],
        trace: &Trace,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let options = &self.improve.catalog;
        let catalog = options.catalog(&[], cx)?;
        let label = names.join(", ");
        let line = AgentLine::new(&label);
        let mut made = Vec::new();
        // Before the agent's command is read: a trace without errors needs no agent.
        if trace.errors().next().is_some() {
            let agent = self.improve.agent.command(cx.env)?;
            let agent = CommandImprover::new(agent).progress(line.progress());
            let instructions = bundled_skills::SKILLS.get(INSTRUCTIONS);
            let instructions = instructions.and_then(|skill| skill.body().ok());
            let site = Site {
                host: self.session.host(),
                catalog: &catalog,
                tool_names: &options.profile().options.tool_names,
                user: &self.user_folder(cx.env)?,
                automatic: self.improve.automatic || is_automatic(options.profile().name),
                instructions: instructions.as_deref().unwrap_or_default(),
            };
            for name in names {
                let id = meant(&catalog, name, options.profile());
                let entry = find(&catalog, &id)?;
                if !trace.names(entry.name()) {
                    let all = one_line(&trace.skills.join(", "));
                    return Err(Failure::not_so(
                        format_args!("{id} was not active in this session, but {all}"),
                        "name a skill that was active, or another session",
                    ));
                }
                made.push(attempt(&site, &entry, trace, &agent)?);
            }
        }
        drop(line);
        self.session.quiet();
        let documents = made.iter().map(|it| (&it.record, Some(&*it.difference)));
        cx.report(&attempts(documents))?;
        if made.is_empty() {
            let name = one_line(&label);
            writeln!(cx, "{name}: the trace contains no error; nothing was done")?;
        }
        for attempt in &made {
            report(attempt, cx)?;
        }
        Ok(Outcome::of(made.iter().any(has_failed)))
    }

    /// Returns the folder of the person's own skills: the first `--layer`, or the folder of the profile.
    fn user_folder(self, env: &Environment) -> Result<PathBuf, Failure> {
        let options = &self.improve.catalog;
        if let Some(folder) = options.first_layer() {
            return Ok(env.absolute(folder));
        }
        let user = TargetOptions::of_words(None, Some(options.profile()));
        Ok(user.target(env)?.folder)
    }
}

fn has_failed(attempt: &Attempt) -> bool {
    let outcome = attempt.record.outcome;
    matches!(outcome, AttemptOutcome::Refused | AttemptOutcome::Failed)
}

/// Reads a trace.
fn read_trace(path: &Path, env: &Environment) -> Result<Trace, Failure> {
    let path = env.absolute(path);
    let mut bytes = Vec::new();
    // One byte more than the maximum shows that the trace is too long.
    let read = File::open(&path).and_then(|file| file.take(MAX_TRACE + 1).read_to_end(&mut bytes));
    read.map_err(|error| {
        Failure::failed(
            format_args!("--trace {}: {error}", env.shown(&path)),
            "name the file of the session in which the skill was active",
        )
    })?;
    Ok(Trace::parse(&bytes)?)
}

fn report(attempt: &Attempt, cx: &mut Ctx) -> Result<(), Failure> {
    let record = &attempt.record;
    let (name, summary) = (one_line(&record.skill), one_line(&record.summary));
    let outcome = record.outcome.word();
    if has_failed(attempt) {
        let fact = prose!("{name}: {outcome}: {}", &record.reason);
        cx.failure(&Failure::not_so(fact, &attempt.help));
        return Ok(());
    }
    writeln!(cx, "{name}: {outcome}: {summary}")?;
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
            let place = folder.join(&record.skill);
            cx.note(way_back(&place, record.commit.as_ref(), cx.env));
        }
        _ => {}
    }
    Ok(())
}
