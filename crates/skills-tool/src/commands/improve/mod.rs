//! `skills improve`, `skills history` and `skills rollback`: repairs of skills, and the return to earlier
//! versions.

mod rollback;

use crate::catalog::find::{find, given, meant};
use crate::catalog::options::CatalogOptions;
use crate::commands::agent_settings::{AgentLine, AgentOptions};
use crate::commands::improve::rollback::{History, Rollback};
use crate::commands::install::plan::differences;
use crate::commands::install::session::Session;
use crate::commands::install::target::TargetOptions;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, FormatOption, counted, one_line};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use skills_agent::improve::{
    Attempt, AttemptLog, AttemptOutcome, AttemptRecord, CommandImprover, LIMIT, MAX_TRACE,
    Proposal, Proposals, Site, Trace, attempt, is_automatic,
};
use skills_format::{Prose, command, prose};
use skills_host::files::copy::{make_folder, replace_json};
use skills_host::install::FileDifference;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_help = EXAMPLES)]
pub(crate) struct Improve {
    #[command(subcommand)]
    command: Option<ImproveSubcommand>,
    #[command(flatten)]
    repair: Repair,
}

#[derive(Debug, Subcommand)]
enum ImproveSubcommand {
    /// Show the versions of a skill or of a folder, the latest first
    ///
    /// The versions are the commits of the folder of skills, if the folder is yours and a git repository. Otherwise `skills
    /// restore` brings back what the last change replaced.
    History(History),
    /// Restore an earlier version of a skill; the current version goes to the trash
    Rollback(Rollback),
}

/// A repair, or the waiting repairs.
#[derive(Args, Debug, Default)]
pub(crate) struct Repair {
    /// The skill; without it, list the pending changes
    #[arg(value_parser = given, requires = "trace")]
    name: Option<String>,
    /// The trace of the run: JSON with the skills and the steps, or plain text with what failed
    #[arg(long, value_name = "FILE", requires = "name")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    agent: AgentOptions,
    /// Apply the change at once if it needs no review and the skill is in your own folder: ~/.agents/skills, or the
    /// `user` folder of -p
    #[arg(long, requires = "name")]
    automatic: bool,
    /// List the attempts for one skill or for all, with outcome and reason
    #[arg(long, group = "about", conflicts_with = "agent", value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    log: Option<String>,
    /// Show a pending change
    #[arg(long, group = "about", conflicts_with = "agent", value_name = "ID")]
    show: Option<String>,
    /// Apply a pending change, exactly as it was shown. A skill of a project then asks for your trust again
    #[arg(long, group = "about", conflicts_with = "agent", value_name = "ID")]
    approve: Option<String>,
    /// Reject a pending change
    #[arg(long, group = "about", conflicts_with = "agent", value_name = "ID")]
    reject: Option<String>,
    #[command(flatten)]
    catalog: CatalogOptions,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  skills improve lint --trace trace.json --agent 'my-agent --print'
  skills improve    the pending changes
  skills improve --approve 3f2a9c1d2e3f
  skills improve history lint
  skills improve rollback lint

Exit code: 0 success, or nothing to improve; 1 the change was refused, or the agent failed;
2 wrong usage, or an operation that failed.";

impl Improve {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        match &self.command {
            Some(ImproveSubcommand::History(command)) => return command.run(cx),
            Some(ImproveSubcommand::Rollback(command)) => return command.run(cx),
            None => {}
        }
        let session = Session::new(cx.env)?;
        self.repair.run(&session, cx)
    }
}

impl Repair {
    fn run(&self, session: &Session, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let proposals = &Proposals::of(session.data());
        if let Some(id) = &self.show {
            show(id, proposals, cx)
        } else if let Some(id) = &self.approve {
            approve(id, session, cx)
        } else if let Some(id) = &self.reject {
            reject(id, proposals, cx)
        } else if let Some(name) = &self.log {
            log(name, session, cx)
        } else if let (Some(name), Some(trace)) = (&self.name, &self.trace) {
            let trace = read_trace(trace, cx.env)?;
            self.improve(std::slice::from_ref(name), &trace, session, cx)
        } else {
            list(proposals, cx)
        }
    }
}

/// Returns a document with the attempts, each with what it changed.
fn attempts<'a>(
    all: impl Iterator<Item = (&'a AttemptRecord, Option<&'a [FileDifference]>)>,
) -> Value {
    let all = all.map(|(record, difference)| {
        let mut document = json!(record);
        if let Some(difference) = difference {
            document["difference"] = json!(difference);
        }
        document
    });
    json!({ "attempts": all.collect::<Vec<_>>() })
}

/// Returns a waiting change as a document: its attempt, with the folder of the skill.
fn documented(proposal: &Proposal, env: &Environment) -> Value {
    let mut document = json!(proposal.record);
    document["id"] = json!(proposal.id);
    document["stale"] = json!(proposal.is_stale());
    document["folder"] = json!(env.documented(&proposal.place()));
    document
}

/// Repairs the skills of a failed turn of the prompt at once, if the profile does. Otherwise keeps the trace, and says how.
pub(crate) fn repair(
    trace: &Trace,
    catalog: &CatalogOptions,
    agent: &AgentOptions,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let Some(data) = &cx.env.data else {
        return Ok(());
    };
    let folder = data.join("skills");
    make_folder(&folder)?;
    let path = folder.join("chat-trace.json");
    replace_json(&path, trace)?;
    let names = trace.skills.iter();
    let names: Vec<String> = names
        .map(|id| id.rsplit(':').next().unwrap_or(id).to_owned())
        .collect();
    if !is_automatic(catalog.profile().name) {
        for name in names {
            let next = command("improve").word(&name).word("--trace");
            let next = next.short_path(&cx.env.shown(&path));
            cx.note(prose!(
                "a call failed while {name} was active: in a shell, {} repairs it",
                next
            ));
        }
        return Ok(());
    }
    let repair = Repair {
        agent: agent.clone(),
        catalog: catalog.clone(),
        ..Repair::default()
    };
    repair.improve(&names, trace, &Session::new(cx.env)?, cx)?;
    Ok(())
}

/// Returns the number of waiting changes that are not stale. An unreadable folder counts as empty: the
/// commands for waiting changes report the error.
pub(crate) fn waiting(env: &Environment) -> usize {
    let Some(data) = env.data_folder() else {
        return 0;
    };
    let all = Proposals::of(&data).list().unwrap_or_default();
    all.iter()
        .filter(|proposal| !Proposal::is_stale(proposal))
        .count()
}

/// Returns the line that offers waiting changes.
pub(crate) fn offer(count: usize) -> Prose {
    let changes = counted(count, "repair");
    let verb = if count == 1 { "waits" } else { "wait" };
    prose!("{changes} of skills {verb} for you: in a shell, `skills improve`")
}

/// Names the command that undoes a repair of the skill in a folder. Without a commit the trash has the earlier version.
fn way_back(place: &Path, commit: Option<&String>, env: &Environment) -> Prose {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let folder = place.parent().unwrap_or(place);
    let verb = commit.map_or("restore", |_| "improve rollback");
    let back = command(verb).word(&name).word("--to");
    prose!("{} undoes it", back.short_path(&env.shown(folder)))
}

/// The bundled skill with the instructions for a repair.
const INSTRUCTIONS: &str = "improve-skill";

impl Repair {
    /// Makes an attempt for each skill.
    fn improve(
        &self,
        names: &[String],
        trace: &Trace,
        session: &Session,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let options = &self.catalog;
        let catalog = options.catalog(&[], cx)?;
        let label = names.join(", ");
        let line = AgentLine::new(&label);
        let mut made = Vec::new();
        // Before the agent's command is read: a trace without errors needs no agent.
        if trace.errors().next().is_some() {
            let agent = self.agent.command(cx.env)?;
            let agent = CommandImprover {
                command: agent,
                limit: LIMIT,
                progress: line.progress(),
            };
            let instructions = bundled_skills::SKILLS.get(INSTRUCTIONS);
            let instructions = instructions.and_then(|skill| skill.body().ok());
            let site = Site {
                host: session.host(),
                tool_names: &options.profile().options.tool_names,
                user: &self.user_folder(cx.env)?,
                automatic: self.automatic || is_automatic(options.profile().name),
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
        session.quiet();
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
    fn user_folder(&self, env: &Environment) -> Result<PathBuf, Failure> {
        let options = &self.catalog;
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

fn list(proposals: &Proposals, cx: &mut Ctx) -> Result<Outcome, Failure> {
    let all = proposals.list()?;
    let documents = all.iter().map(|proposal| documented(proposal, cx.env));
    cx.report(&json!({ "proposals": documents.collect::<Vec<_>>() }))?;
    let Some(first) = all.first() else {
        cx.note("no pending changes");
        return Ok(Outcome::Done);
    };
    let mut table = Table::new(["ID", "SKILL", "STATE", "CHANGE"]);
    for proposal in &all {
        table.push([
            one_line(&proposal.id),
            one_line(&proposal.record.skill),
            state(proposal).to_owned(),
            one_line(&proposal.record.summary),
        ]);
    }
    table.print(cx)?;
    let show = command("improve --show").word(&first.id);
    cx.note(prose!("{} shows the first", show));
    Ok(Outcome::Done)
}

fn log(name: &str, session: &Session, cx: &mut Ctx) -> Result<Outcome, Failure> {
    let log = AttemptLog::of(session.data());
    let all = log.list((!name.is_empty()).then_some(name))?;
    cx.report(&attempts(all.iter().map(|record| (record, None))))?;
    if all.is_empty() {
        cx.note("no repair was attempted");
    }
    for record in &all {
        report_logged(record, cx)?;
    }
    Ok(Outcome::Done)
}

fn show(id: &str, proposals: &Proposals, cx: &mut Ctx) -> Result<Outcome, Failure> {
    let proposal = proposals.get(id)?;
    let difference = proposals.difference(&proposal)?;
    let document = documented(&proposal, cx.env);
    cx.report(&json!({ "proposal": document, "difference": difference }))?;
    let record = &proposal.record;
    let skill = cx.strong(one_line(&record.skill));
    writeln!(cx, "{skill}: {}", one_line(&record.summary))?;
    writeln!(cx, "    folder  {}", cx.env.shown(&proposal.place()))?;
    let [before, after] = [&record.before, &record.after].map(|it| it.as_deref().unwrap_or(""));
    writeln!(cx, "    before  {before}\n    after   {after}")?;
    for error in &record.errors {
        writeln!(cx, "    error   {}", one_line(error))?;
    }
    for caution in &record.cautions {
        writeln!(cx, "    look at this: {}", one_line(caution))?;
    }
    differences(&difference, cx)?;
    let id = &proposal.id;
    cx.note(&if proposal.is_stale() {
        prose!(
            "it is stale: the skill was changed since. {} discards it",
            command("improve --reject").word(id)
        )
    } else {
        prose!(
            "{} applies it, {} discards it",
            command("improve --approve").word(id),
            command("improve --reject").word(id)
        )
    });
    Ok(Outcome::Done)
}

fn approve(id: &str, session: &Session, cx: &mut Ctx) -> Result<Outcome, Failure> {
    let proposals = Proposals::of(session.data());
    let proposal = proposals.get(id)?;
    let taken = proposals.approve(&proposal, session.host())?;
    session.quiet();
    let mut document = json!({ "proposal": documented(&proposal, cx.env), "done": "approved" });
    if let Some(commit) = &taken.commit {
        document["committed"] = json!(commit);
    }
    cx.report(&document)?;
    let record = &proposal.record;
    let (skill, summary) = (one_line(&record.skill), one_line(&record.summary));
    writeln!(cx, "{skill}: applied: {summary}")?;
    if let Some(note) = &taken.note {
        cx.note(note);
    }
    cx.note(way_back(&proposal.place(), taken.commit.as_ref(), cx.env));
    Ok(Outcome::Done)
}

fn reject(id: &str, proposals: &Proposals, cx: &mut Ctx) -> Result<Outcome, Failure> {
    let proposal = proposals.get(id)?;
    proposals.reject(&proposal)?;
    let document = documented(&proposal, cx.env);
    cx.report(&json!({ "proposal": document, "done": "rejected" }))?;
    writeln!(cx, "{}: rejected", one_line(&proposal.record.skill))?;
    Ok(Outcome::Done)
}
fn state(proposal: &Proposal) -> &'static str {
    match (proposal.is_stale(), proposal.record.cautions.is_empty()) {
        (true, _) => "stale",
        (false, true) => "waits",
        (false, false) => "waits for a review",
    }
}

fn report_logged(record: &AttemptRecord, cx: &mut Ctx) -> Result<(), Failure> {
    let time = record.time;
    let (skill, outcome) = (one_line(&record.skill), record.outcome.word());
    let what = match record.reason.as_str() {
        "" => one_line(&record.summary),
        reason => one_line(reason),
    };
    writeln!(cx, "{time:.0}  {skill}  {outcome}: {what}")?;
    for error in &record.errors {
        writeln!(cx, "    error: {}", one_line(error))?;
    }
    Ok(())
}
