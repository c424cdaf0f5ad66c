//! `skills install` without a source: brings a folder to the state of its lock.

use crate::commands::install::plan::Carry;
use crate::commands::install::session::{Consent, Session, YesOption, failure};
use crate::commands::install::target::Target;
use crate::commands::powers::in_words;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, counted, one_line};
use serde::Serialize;
use skills_compiler::LOCK_FILE;
use skills_format::{command, prose};
use skills_host::install::{
    LockDifference, LockedSource, SourcePlace, lock_differences, locked_sources, plan_locked,
};
use std::io::Write as _;

/// `install --check --format json`
#[derive(Serialize)]
struct CheckDocument<'d> {
    schema: u32,
    differences: &'d [LockDifference],
}

/// The options of `install` without a source.
#[expect(clippy::struct_excessive_bools, reason = "the flags of the command")]
pub(crate) struct LockedOptions<'o> {
    pub(crate) names: &'o [String],
    pub(crate) frozen: bool,
    pub(crate) check: bool,
    pub(crate) yes_local: bool,
    pub(crate) dry_run: bool,
    pub(crate) yes: &'o YesOption,
    pub(crate) format: Format,
}

pub(crate) fn install(
    command: &LockedOptions<'_>,
    target: &Target,
    session: &Session,
    environment: &Environment,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    if command.check {
        let differences = differences(target, session, environment)?;
        return check(&differences, command.format, target, environment, output);
    }
    if command.frozen {
        let mut found = differences(target, session, environment)?;
        found.retain(|found| found.name == LOCK_FILE);
        // An edited lock is not what was reviewed.
        if !found.is_empty() {
            return check(&found, command.format, target, environment, output);
        }
    }
    if !may_fetch(command, target, session, environment, output)? {
        output.note("nothing was changed");
        return Ok(Outcome::Findings);
    }
    session.consent_to_hosts(command.yes, command.format);
    let plan = plan_locked(&target.folder, command.names, session.host());
    let mut plan = plan.map_err(|error| failure(&error))?;
    if command.frozen {
        plan.freeze();
    }
    if plan.skills.is_empty() && command.format == Format::Text {
        output.note(format!(
            "{} has no skills.lock: there is nothing to put back; `skills install --help` shows how to install skills",
            environment.shown(&target.folder)
        ));
    }
    let carry = Carry {
        format: command.format,
        consent: command.yes.consent(),
        dry_run: command.dry_run,
        differences: false,
        brief: true,
        not_written: &[],
        more: None,
        verb: "Install",
    };
    let outcome = carry.run(&plan, session, environment, output)?;
    if !command.frozen || command.dry_run || matches!(outcome, Outcome::Findings) {
        return Ok(outcome);
    }
    // What stays different is not exactly the lock: local changes are kept, and fail.
    let mut left = differences(target, session, environment)?;
    left.retain(|left| command.names.is_empty() || command.names.contains(&left.name));
    match command.format {
        Format::Json if left.is_empty() => Ok(Outcome::Done),
        // The document is the plan.
        Format::Json => Ok(Outcome::Findings),
        Format::Text => check(&left, command.format, target, environment, output),
    }
}

/// Returns whether the sources of missing skills may be fetched. A cloned lock can name any source, so the
/// person is asked. A dry run over the person's own lock fetches without a question.
fn may_fetch(
    command: &LockedOptions<'_>,
    target: &Target,
    session: &Session,
    environment: &Environment,
    output: &mut Output,
) -> Result<bool, Failure> {
    let repository = target.repository.as_deref();
    let sources = locked_sources(&target.folder, repository, command.names, session.host())
        .map_err(|error| failure(&error))?;
    let mut local = sources.iter();
    let local = local.find(|source| source.place == SourcePlace::Local);
    // A cloned lock must not choose a folder of this machine to read.
    if let Some(source) = local.filter(|_| !target.is_own && !command.yes_local) {
        return Err(Failure::failed(
            format_args!(
                "the lock of {} names a source on this machine: {}",
                environment.shown(&target.folder),
                one_line(&source.source)
            ),
            "look at that source, then use --yes-local",
        ));
    }
    if command.format == Format::Text {
        list(&sources, output)?;
    }
    // To look at one's own lock is to ask for what it names.
    if sources.is_empty() || command.dry_run && target.is_own {
        return Ok(true);
    }
    ask(&sources, command.yes, output)
}

/// Returns whether an update may follow its sources. The user confirms the remotes of a project's lock: each
/// call shows the remote that this machine has the project, and git and this program read the answer.
pub(crate) fn may_follow(
    mut sources: Vec<LockedSource>,
    target: &Target,
    yes: &YesOption,
    output: &mut Output,
) -> Result<bool, Failure> {
    if target.is_own || !matches!(yes.consent_before(), Consent::Ask) {
        return Ok(true);
    }
    sources.retain(|source| source.place == SourcePlace::Remote);
    if sources.is_empty() {
        return Ok(true);
    }
    // Not on standard output, which is a document or a table.
    for source in &sources {
        let skills = counted(source.skills.len(), "skill");
        output.note(format!("{skills} from {}", one_line(&source.source)));
    }
    ask(&sources, yes, output)
}

fn list(sources: &[LockedSource], output: &mut Output) -> Result<(), Failure> {
    for source in sources {
        let skills = counted(source.skills.len(), "skill");
        writeln!(output, "fetch {skills} from {}", one_line(&source.source))?;
    }
    Ok(())
}

fn ask(sources: &[LockedSource], yes: &YesOption, output: &mut Output) -> Result<bool, Failure> {
    let question = format!("Fetch from {}?", counted(sources.len(), "source"));
    yes.consent_before().is_given(&question, "", false, output)
}

/// Returns how the folder differs from its lock, which must exist. Writes and fetches nothing.
fn differences(
    target: &Target,
    session: &Session,
    environment: &Environment,
) -> Result<Vec<LockDifference>, Failure> {
    let place = environment.shown(&target.folder);
    if !target.folder.join(LOCK_FILE).exists() {
        return Err(Failure::not_so(
            format_args!("{place} has no {LOCK_FILE}"),
            prose!(
                "an install with the same --to writes it (see {}); commit it",
                command("install --help")
            ),
        ));
    }
    let differences = lock_differences(&target.folder, session.host());
    differences.map_err(|error| failure(&error))
}

fn check(
    differences: &[LockDifference],
    format: Format,
    target: &Target,
    environment: &Environment,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    let place = environment.shown(&target.folder);
    let is_same = differences.is_empty();
    if format == Format::Json {
        output.json(&CheckDocument {
            schema: 1,
            differences,
        })?;
    } else {
        for difference in differences {
            for power in &difference.gained {
                let what = in_words(power);
                writeln!(
                    output,
                    "{} gained a power: {}",
                    difference.name,
                    one_line(&what)
                )?;
            }
            writeln!(output, "{} {}", difference.name, words(difference, &place))?;
        }
        let is = if is_same { "is" } else { "is not" };
        writeln!(output, "{place} {is} as its lock names it")?;
    }
    Ok(if is_same {
        Outcome::Done
    } else {
        Outcome::Findings
    })
}

fn words(difference: &LockDifference, place: &str) -> String {
    match difference.state {
        "litter" => return litter(&difference.files),
        "missing" => "is missing",
        "added" => "has files that were not installed",
        "powers" => {
            let check = command("lock --check").short_path(place);
            let words = "has the locked bytes, and other powers than its lock says";
            return prose!("{words}; {} says more", check).to_string();
        }
        "extra" => "is not in the lock",
        "unfinished" => {
            "describes a change that was interrupted: the next command that writes here finishes it"
        }
        _ => "has local changes",
    }
    .to_owned()
}

/// Returns the words for files that no digest covers, after the name of their skill.
pub(crate) fn litter(files: &[String]) -> String {
    let files: Vec<_> = files.iter().map(|file| one_line(file)).collect();
    format!(
        "has files that no digest covers: {}; look at them, then remove them",
        files.join(", ")
    )
}
