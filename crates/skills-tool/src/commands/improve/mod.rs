//! `skills improve`, `skills history` and `skills rollback`: repairs of skills, and the return to earlier
//! versions.

mod proposals;
mod rollback;
mod run;

use crate::catalog::find::given;
use crate::catalog::options::CatalogOptions;
use crate::commands::agent_settings::AgentOptions;
use crate::commands::improve::rollback::{History, Rollback};
use crate::commands::install::session::Session;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, counted};
use clap::{Args, Subcommand};
use serde::Serialize;
use skills_agent::improve::{Attempt, AttemptRecord, Mode, Proposal, Proposals, Taken, Trace};
use skills_format::{Prose, command, prose};
use skills_host::install::FileDifference;
use skills_store::files::copy::{make_folder, replace_json};
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
    /// The versions are the commits of the folder of skills, if the folder is yours and a git repository. Otherwise they
    /// are the versions that `skills improve` kept in the store.
    History(History),
    /// Restore an earlier version of a skill; the current version goes to the trash
    Rollback(Rollback),
}

/// A repair, or the waiting repairs.
#[derive(Args, Debug, Default)]
pub(crate) struct Repair {
    /// The skill
    #[arg(value_parser = given, required_unless_present_any = ["list", "log", "show", "approve", "reject"])]
    name: Option<String>,
    /// The trace of the run: JSON with the skills and the steps, or plain text with what failed
    #[arg(long, value_name = "FILE", requires = "name", required_unless_present_any = ["list", "log", "show", "approve", "reject"])]
    trace: Option<PathBuf>,
    #[command(flatten)]
    agent: AgentOptions,
    /// Apply the change at once, if the skill is the user's own and the change needs no review
    #[arg(long, requires = "name")]
    automatic: bool,
    /// List the pending changes
    #[arg(long, group = "about", conflicts_with = "agent")]
    list: bool,
    /// List the attempts for one skill or for all, with outcome and reason
    #[arg(long, group = "about", conflicts_with = "agent", value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    log: Option<String>,
    /// Show a pending change
    #[arg(long, group = "about", conflicts_with = "agent", value_name = "ID")]
    show: Option<String>,
    /// Apply a pending change, exactly as it was shown
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
  skills improve --list
  skills improve --show 3f2a9c1d2e3f
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
        let call = ImproveCall {
            improve: &self.repair,
            session: &session,
            env: cx.env,
        };
        call.run(cx)
    }
}

/// One call of the command.
#[derive(Clone, Copy)]
struct ImproveCall<'c> {
    improve: &'c Repair,
    session: &'c Session,
    env: &'c Environment,
}

impl ImproveCall<'_> {
    fn run(self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let improve = self.improve;
        if let Some(id) = &improve.show {
            return self.show(id, cx);
        }
        if let Some(id) = &improve.approve {
            return self.approve(id, cx);
        }
        if let Some(id) = &improve.reject {
            return self.reject(id, cx);
        }
        if let Some(name) = &improve.log {
            return self.log(name, cx);
        }
        match (&improve.name, &improve.trace) {
            (Some(name), Some(trace)) => self.improve(name, trace, cx),
            _ => self.list(cx),
        }
    }
}

/// `improve NAME --format json` and `improve --log --format json`
#[derive(Serialize)]
pub(crate) struct AttemptDocument<'a> {
    pub(crate) attempts: Vec<AttemptJson<'a>>,
}

/// An attempt to improve a skill.
#[derive(Serialize)]
pub(crate) struct AttemptJson<'a> {
    #[serde(flatten)]
    record: AttemptRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<&'a [FileDifference]>,
}

/// `improve --list --format json`
#[derive(Serialize)]
pub(crate) struct ProposalsDocument<'p> {
    pub(crate) proposals: Vec<ProposalJson<'p>>,
}

/// `improve --show`, `--approve` and `--reject` with `--format json`
#[derive(Serialize)]
pub(crate) struct ProposalDocument<'p> {
    pub(crate) proposal: ProposalJson<'p>,
    /// The changes of the proposal; only with `--show`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) difference: Option<Vec<FileDifference>>,
    /// `approved` or `rejected`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) done: Option<&'static str>,
    /// The commit of an approved change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
}

/// A waiting change.
#[derive(Serialize)]
pub(crate) struct ProposalJson<'p> {
    id: &'p str,
    skill: &'p str,
    summary: &'p str,
    stale: bool,
    time: String,
    folder: String,
    errors: &'p [String],
    cautions: &'p [String],
    before: &'p str,
    after: &'p str,
}

impl<'a> AttemptJson<'a> {
    pub(crate) fn of(attempt: &'a Attempt, env: &Environment) -> Self {
        Self {
            difference: Some(&attempt.difference),
            ..Self::of_record(&attempt.record, env)
        }
    }

    pub(crate) fn of_record(record: &AttemptRecord, env: &Environment) -> Self {
        let mut record = record.clone();
        let target = record.target.as_deref();
        record.target = target.map(|target| env.documented(target).into());
        Self {
            record,
            difference: None,
        }
    }
}

impl<'p> ProposalJson<'p> {
    pub(crate) fn of(proposal: &'p Proposal, env: &Environment) -> Self {
        Self {
            id: &proposal.id,
            skill: &proposal.skill,
            summary: &proposal.summary,
            stale: proposal.is_stale(),
            time: proposal.time.to_string(),
            folder: env.documented(&proposal.place()),
            errors: &proposal.errors,
            cautions: &proposal.cautions,
            before: &proposal.before,
            after: &proposal.after,
        }
    }
}

impl<'p> ProposalDocument<'p> {
    pub(crate) fn approved(proposal: &'p Proposal, taken: &Taken, env: &Environment) -> Self {
        Self {
            done: Some("approved"),
            commit: taken.commit.clone(),
            ..Self::of(proposal, env)
        }
    }

    pub(crate) fn of(proposal: &'p Proposal, env: &Environment) -> Self {
        Self {
            proposal: ProposalJson::of(proposal, env),
            difference: None,
            done: None,
            commit: None,
        }
    }
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
    for id in &trace.skills {
        let name = id.rsplit(':').next().unwrap_or(id);
        if Mode::of(catalog.profile().name) == Mode::Propose {
            let next = command("improve").word(name).word("--trace");
            let next = next.short_path(&cx.env.shown(&path));
            cx.note(prose!(
                "a call failed while {name} was active: in a shell, {} repairs it",
                next
            ));
            continue;
        }
        let repair = Repair {
            name: Some(name.to_owned()),
            trace: Some(path.clone()),
            agent: agent.clone(),
            catalog: catalog.clone(),
            ..Repair::default()
        };
        let session = Session::new(cx.env)?;
        let call = ImproveCall {
            improve: &repair,
            session: &session,
            env: cx.env,
        };
        call.run(cx)?;
    }
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
    prose!("{changes} of skills {verb} for you: in a shell, `skills improve --list`")
}

/// Names the command that undoes a repair of the skill in a folder.
fn way_back(place: &Path, env: &Environment) -> Prose {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let folder = place.parent().unwrap_or(place);
    let rollback = command("improve rollback").word(&name).word("--to");
    prose!("{} undoes it", rollback.short_path(&env.shown(folder)))
}
