//! `skills install --frozen`: brings a folder to the state of its lock.

use crate::commands::install::Install;
use crate::commands::install::plan::Carry;
use crate::commands::install::session::{Allow, Session, consents};
use crate::commands::install::target::Target;
use crate::commands::powers::in_words;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, counted, one_line};
use serde_json::json;
use skills_compiler::LOCK_FILE;
use skills_host::install::{
    LockDifference, LockedSource, SourcePlace, lock_differences, locked_sources, plan_locked,
};
use std::io::Write as _;

impl Install {
    /// Installs what the lock of a folder names.
    pub(super) fn restore_locked(
        &self,
        names: &[String],
        session: &Session,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let target = &self.target.target(cx.env)?;
        let (folder, repository) = (&target.folder, target.repository.as_deref());
        let sources = locked_sources(folder, repository, names, true, session.host())?;
        let mut local = sources.iter();
        let local = local.find(|source| source.place == SourcePlace::Local);
        // A cloned lock must not choose a folder of this machine to read.
        if let Some(source) = local.filter(|_| !target.is_own && !self.allow.has(Allow::Local)) {
            return Err(Failure::failed(
                format_args!(
                    "the lock of {} takes skills from a folder on your disk: {}",
                    cx.env.shown(folder),
                    one_line(&source.source)
                ),
                "if you trust that folder, use --allow local",
            ));
        }
        let mut found = differences(target, session, cx.env)?;
        if self.dry_run {
            cx.report(&json!({ "differences": found }))?;
            return report(&found, target, cx);
        }
        found.retain(|found| found.name == LOCK_FILE);
        // An edited lock is not what was reviewed.
        if !found.is_empty() {
            return report(&found, target, cx);
        }
        if !may_fetch(&sources, target, self.yes.yes, cx)? {
            cx.note("nothing was changed");
            return Ok(Outcome::Findings);
        }
        let plan = plan_locked(folder, names, session.host())?;
        let carry = Carry {
            verb: "Install",
            yes: self.yes.yes,
            widens: true,
            brief: true,
            ..Carry::default()
        };
        let outcome = carry.run(&plan, session, cx)?;
        if matches!(outcome, Outcome::Findings) {
            return Ok(outcome);
        }
        // What stays different is not exactly the lock: local changes are kept, and fail.
        let mut left = differences(target, session, cx.env)?;
        left.retain(|left| names.is_empty() || names.contains(&left.name));
        report(&left, target, cx)
    }
}

/// Returns whether the sources of a lock may be fetched. A lock that came with a clone can name any source, and each fetch
/// shows the remote that this machine has the project: the person confirms the remotes.
pub(crate) fn may_fetch(
    sources: &[LockedSource],
    target: &Target,
    yes: bool,
    cx: &mut Ctx,
) -> Result<bool, Failure> {
    let mut remote = sources.iter().filter(|it| it.place == SourcePlace::Remote);
    if target.is_own || yes || remote.clone().next().is_none() {
        return Ok(true);
    }
    // Not on standard output, which is a document or a table.
    let count = remote.clone().count();
    remote.by_ref().for_each(|source| {
        let skills = counted(source.skills.len(), "skill");
        cx.note(format!("{skills} from {}", one_line(&source.source)));
    });
    consents(
        false,
        &format!("Fetch from {}?", counted(count, "source")),
        cx,
    )
}

/// Returns how the folder differs from its lock, which must exist. Writes and fetches nothing.
fn differences(
    target: &Target,
    session: &Session,
    env: &Environment,
) -> Result<Vec<LockDifference>, Failure> {
    let place = env.shown(&target.folder);
    if !target.folder.join(LOCK_FILE).exists() {
        return Err(Failure::not_so(
            format_args!("{place} has no {LOCK_FILE}"),
            "an install with the same --to writes it; commit it",
        ));
    }
    let differences = lock_differences(&target.folder, session.host());
    differences.map_err(Failure::from)
}

fn report(
    differences: &[LockDifference],
    target: &Target,
    cx: &mut Ctx,
) -> Result<Outcome, Failure> {
    let place = cx.env.shown(&target.folder);
    let is_same = differences.is_empty();
    for difference in differences {
        let name = &difference.name;
        for power in &difference.gained {
            let (kind, what) = (power.kind.label(), one_line(&in_words(power)));
            writeln!(cx, "{name} gained ({kind}): {what}")?;
        }
        writeln!(cx, "{name} {}", words(difference))?;
    }
    let matches = if is_same { "matches" } else { "does not match" };
    writeln!(cx, "{place} {matches} its lock")?;
    Ok(Outcome::of(!is_same))
}

fn words(difference: &LockDifference) -> String {
    let words = match difference.state {
        "litter" => {
            let files: Vec<_> = difference.files.iter().map(|file| one_line(file)).collect();
            let files = files.join(", ");
            return format!(
                "has files that no digest covers: {files}; look at them, then remove them"
            );
        }
        "missing" => "is missing",
        "added" => "has files that were not installed",
        "powers" => {
            "has the locked bytes, and other powers than its lock says; `skills update --force` writes it again"
        }
        "extra" => "is not in the lock",
        "unfinished" => {
            "describes a change that was interrupted: the next command that writes here finishes it"
        }
        _ => "has local changes",
    };
    words.to_owned()
}
