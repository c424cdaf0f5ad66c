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
use serde_json::{Value, json};
use skills_agent::improve::{AttemptRecord, Proposal, Proposals, Trace, is_automatic};
use skills_format::{Prose, command, prose};
use skills_host::files::copy::{make_folder, replace_json};
use skills_host::install::FileDifference;
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
    /// Apply the change at once, if the skill is the user's own and the change needs no review
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
        let call = ImproveCall {
            improve: &self.repair,
            session: &session,
        };
        call.run(cx)
    }
}

/// One call of the command.
#[derive(Clone, Copy)]
struct ImproveCall<'c> {
    improve: &'c Repair,
    session: &'c Session,
}

impl ImproveCall<'_> {
    fn run(self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let repair = self.improve;
        if let Some(id) = &repair.show {
            self.show(id, cx)
        } else if let Some(id) = &repair.approve {
            self.approve(id, cx)
        } else if let Some(id) = &repair.reject {
            self.reject(id, cx)
        } else if let Some(name) = &repair.log {
            self.log(name, cx)
        } else if let (Some(name), Some(trace)) = (&repair.name, &repair.trace) {
            self.improve_after(name, trace, cx)
        } else {
            self.list(cx)
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
    let call = ImproveCall {
        improve: &repair,
        session: &Session::new(cx.env)?,
    };
    call.improve(&names, trace, cx)?;
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
