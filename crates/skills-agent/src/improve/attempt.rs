//! One attempt to improve a skill: a copy, a run of the agent, the check of the result.

// The copy that the agent changes is alone in a folder of the data folder, so that a file written beside the copy is
// noticed. Such a file refuses the change.

use crate::improve::candidate::RepairCandidate;
use crate::improve::improver::{Improver, Task};
use crate::improve::judge::{judge, read, taken};
use crate::improve::prompt::{prompt, tools};
use crate::improve::proposal::Change;
use crate::improve::proposals::Proposals;
use crate::improve::record::{AttemptLog, AttemptOutcome, AttemptRecord};
use crate::improve::take::take;
use crate::improve::trace::{MOST_CHARACTERS, Trace, plain};
use crate::improve::{AGAIN, Site, surroundings};
use skills_format::disk::resolve;
use skills_format::text::path::PathText as _;
use skills_format::{Prose, prose};
use skills_host::files::copy::{list, make_folder};
use skills_host::files::folder::Durable;
use skills_host::files::snapshot::Snapshot;
use skills_host::install::Temporary;
use skills_host::install::{FileDifference, between};
use skills_runtime::Skill;
use skills_store::Error;

/// The result of one attempt.
#[derive(Debug)]
pub struct Attempt {
    /// The record of the attempt.
    pub record: AttemptRecord,
    /// The advice for the person; empty if there is nothing to do.
    pub help: Prose,
    /// The changes of the skill.
    pub difference: Vec<FileDifference>,
}

/// Improves one skill, also if the trace does not name it.
///
/// # Errors
///
/// The errors of [`after`].
pub fn attempt(
    site: &Site<'_>,
    entry: &Skill<'_>,
    trace: &Trace,
    improver: &dyn Improver,
) -> Result<Attempt, Error> {
    let mut record = AttemptRecord::new(entry.name(), trace, site.host.clock.now());
    // Before the copy: a killed process may have changed this skill without a record.
    Proposals::of(site.host.data).finish(entry.name(), site.host)?;
    let candidate = match RepairCandidate::of(entry, site) {
        Ok(candidate) => candidate,
        Err(error) => return refused(site, record, &error),
    };
    record.target = Some(candidate.target.clone());
    record.before = Some(candidate.base.digest().to_string());
    let found = match carry_out(site, &candidate, trace, improver, &mut record)? {
        Ok(found) => found,
        Err(error) => return refused(site, record, &error),
    };
    record.left_out = found.left_out;
    if found.result == candidate.base {
        record.outcome = AttemptOutcome::Unchanged;
        if record.summary.is_empty() {
            "the agent changed nothing".clone_into(&mut record.summary);
        }
        return written(site, record, Prose::default(), Vec::new());
    }
    if record.summary.is_empty() {
        record.summary = counted(trace);
    }
    let difference = between(&candidate.base, &found.result);
    record.after = Some(found.result.digest().to_string());
    record.cautions = found.cautions;
    record.outcome = AttemptOutcome::Proposed;
    let change = Change::new(&candidate, &found.result, &record);
    let proposals = Proposals::of(site.host.data);
    let proposal = proposals.keep(&change)?;
    record.proposal = Some(proposal.id.clone());
    if !site.automatic || !candidate.is_of_user || !record.cautions.is_empty() {
        let mut note = Prose::default();
        if site.automatic && !candidate.is_of_user {
            note = prose!("only skills in {} are repaired at once", site.user);
        }
        return written(site, record, note, difference);
    }
    // The proposal stays until the change is made and recorded, so that a kill loses neither.
    match take(&change, site.host) {
        Ok(taken) => {
            record.outcome = AttemptOutcome::Taken;
            record.proposal = None;
            record.commit = taken.commit;
            let note = taken.note.unwrap_or_default();
            let attempt = written(site, record, note, difference)?;
            // The proposal stays until the attempt is recorded. Otherwise the next attempt of the skill records it.
            proposals.reject(&proposal)?;
            Ok(attempt)
        }
        // The change may be half made: the next run finishes it, or the user approves it.
        Err(error) if !proposal.is_stale() => {
            record.reason = prose!("it could not be applied: {}", &error);
            let help = error.remedy().unwrap_or_default();
            written(site, record, help, difference)
        }
        Err(error) => {
            proposals.reject(&proposal)?;
            record.proposal = None;
            refused(site, record, &error)
        }
    }
}

/// A result that may be taken.
struct Found {
    result: Snapshot,
    /// The files of the agent's result that are not part of the skill.
    left_out: Vec<String>,
    cautions: Vec<String>,
}

/// Runs the agent. The inner error is the reason why nothing of its result is taken.
fn carry_out(
    site: &Site<'_>,
    candidate: &RepairCandidate,
    trace: &Trace,
    improver: &dyn Improver,
    record: &mut AttemptRecord,
) -> Result<Result<Found, Error>, Error> {
    let host = site.host;
    let RepairCandidate {
        name, target, base, ..
    } = candidate;
    let place = Temporary::make(&host.data.temporary(), host.observer)?;
    let work = place.path().join("skills");
    make_folder(&work)?;
    let folder = work.join(name);
    base.write(&folder, Durable::No)?;
    let copy = resolve(&folder);
    let before = surroundings::read(target)?;
    host.observer.progress(&format!("an agent repairs {name}"));
    let task = Task {
        name: name.clone(),
        folder: folder.clone(),
        prompt: prompt(site, name, base, trace),
        tools: tools(site),
        mark: format!("improve {}", place.path().shown()),
    };
    let ended = improver.improve(&task, &|| host.observer.is_cancelled());
    let changed = surroundings::difference(&before, &surroundings::read(target)?);
    if let Ok(answer) = &ended {
        record.answer.clone_from(answer);
        record.summary = said(answer).unwrap_or_default();
    }
    // Before the agent's own error: the user must see changes outside of the copy in every case.
    if let Some(changed) = changed {
        let why = prose!(
            "while the agent ran, something beside the skill changed: {}",
            changed
        );
        let help = "nothing was applied; look at the change, which was left in place";
        return Ok(Err(super::refused(why, help)));
    }
    if let Err(error) = ended {
        record.outcome = AttemptOutcome::Failed;
        return Ok(Err(Error::new(error.kind(), &error).help(AGAIN)));
    }
    // A link in the place of the copy, or of a folder above, would be read as the result.
    if !matches!((copy, resolve(&folder)), (Ok(before), Ok(now)) if before == now) {
        let why = "the agent put a link in the place of its copy, or removed the copy";
        return Ok(Err(super::refused(why, AGAIN)));
    }
    let beside = list(&work)?;
    if let Some((beside, _)) = beside.iter().find(|(other, _)| other != name) {
        let why = format!(
            "the agent wrote outside the skill: {}",
            plain(beside, MOST_CHARACTERS)
        );
        return Ok(Err(super::refused(why, AGAIN)));
    }
    let found = read(&folder, base).and_then(|result| {
        let cautions = if result == *base {
            Vec::new()
        } else {
            judge(name, base, &result, site.tool_names)?
        };
        let (result, left_out) = taken(base, &result);
        Ok(Found {
            result,
            left_out,
            cautions,
        })
    });
    Ok(found)
}

/// Returns the agent's summary: the first line of its answer, if it has the requested form.
fn said(answer: &str) -> Option<String> {
    const MOST: usize = 60;
    let mut lines = answer.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty())?;
    let said = line.strip_prefix("changed:");
    let said = said.or_else(|| line.strip_prefix("unchanged:"))?;
    Some(plain(said, MOST)).filter(|said| !said.is_empty())
}

/// Returns the summary of a change if the agent gives none.
fn counted(trace: &Trace) -> String {
    match trace.errors().count() {
        1 => "after 1 error".to_owned(),
        count => format!("after {count} errors"),
    }
}

/// Records an attempt that changed nothing, because the agent failed or the change is refused.
fn refused(site: &Site<'_>, mut record: AttemptRecord, error: &Error) -> Result<Attempt, Error> {
    if record.outcome != AttemptOutcome::Failed {
        record.outcome = AttemptOutcome::Refused;
    }
    record.reason = error.into();
    let help = error.remedy_or("correct it, then improve again");
    written(site, record, help, Vec::new())
}

fn written(
    site: &Site<'_>,
    record: AttemptRecord,
    help: Prose,
    difference: Vec<FileDifference>,
) -> Result<Attempt, Error> {
    let log = AttemptLog::of(site.host.data);
    log.write(&record).map_err(|error| {
        // What happened is reported although it could not be recorded.
        let what = match (&record.proposal, record.outcome) {
            (Some(id), _) => format!("the change waits: {id}"),
            (None, AttemptOutcome::Taken) => "the change is applied".to_owned(),
            _ => return error,
        };
        let help = error.remedy_or("make room");
        let next = prose!("{}; then `skills improve` shows what waits", help);
        Error::new(error.kind(), prose!("{}; {what}", &error)).help(next)
    })?;
    Ok(Attempt {
        record,
        help,
        difference,
    })
}
