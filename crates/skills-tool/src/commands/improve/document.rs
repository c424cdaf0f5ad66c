//! The JSON documents of `skills improve`.

use crate::environment::Environment;
use serde::Serialize;
use skills_host::improve::{Attempt, AttemptRecord, Proposal, Taken};
use skills_host::install::FileDifference;

/// `improve NAME --format json` and `improve --log --format json`
#[derive(Serialize)]
pub(crate) struct AttemptDocument<'a> {
    pub(crate) attempts: Vec<AttemptJson<'a>>,
}

/// An attempt to improve a skill.
#[derive(Serialize)]
pub(crate) struct AttemptJson<'a> {
    skill: &'a str,
    time: String,
    outcome: &'a str,
    reason: &'a str,
    summary: &'a str,
    errors: &'a [String],
    cautions: &'a [String],
    left_out: &'a [String],
    target: Option<String>,
    before: Option<&'a str>,
    after: Option<&'a str>,
    proposal: Option<&'a str>,
    commit: Option<&'a str>,
    answer: &'a str,
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

    pub(crate) fn of_record(record: &'a AttemptRecord, env: &Environment) -> Self {
        let target = record.target.as_deref();
        Self {
            skill: &record.skill,
            time: record.time.to_string(),
            outcome: record.outcome.word(),
            reason: &record.reason,
            summary: &record.summary,
            errors: &record.errors,
            cautions: &record.cautions,
            left_out: &record.left_out,
            target: target.map(|target| env.documented(target)),
            before: record.before.as_deref(),
            after: record.after.as_deref(),
            proposal: record.proposal.as_deref(),
            commit: record.commit.as_deref(),
            answer: &record.answer,
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
