//! Waiting changes and past attempts: listed, shown, approved, rejected.

use crate::commands::improve::{
    AttemptDocument, AttemptJson, ProposalDocument, ProposalJson, ProposalsDocument,
};
use crate::commands::improve::{ImproveCall, way_back};
use crate::commands::install::plan::differences;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, one_line};
use skills_agent::improve::{AttemptLog, AttemptRecord, Proposal, Proposals};
use skills_format::{command, prose};
use std::io::Write as _;

impl ImproveCall<'_> {
    fn proposals(self) -> Proposals {
        Proposals::of(self.session.data())
    }

    pub(super) fn list(self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let all = self.proposals().list()?;
        if cx.is_json {
            cx.json(&ProposalsDocument {
                proposals: all
                    .iter()
                    .map(|it| ProposalJson::of(it, self.env))
                    .collect(),
            })?;
        } else if all.is_empty() {
            cx.note("no change waits");
        } else {
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
            if let Some(first) = all.first() {
                let show = command("improve --show").word(&first.id);
                cx.note(prose!("{} shows the first", show));
            }
        }
        Ok(Outcome::Done)
    }

    pub(super) fn log(self, name: &str, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let log = AttemptLog::of(self.session.data());
        let all = log.list((!name.is_empty()).then_some(name))?;
        if cx.is_json {
            let attempts = all.iter().map(|record| AttemptJson {
                record,
                difference: None,
            });
            let attempts = attempts.collect();
            cx.json(&AttemptDocument { attempts })?;
        } else if all.is_empty() {
            cx.note("there was no attempt");
        } else {
            for record in &all {
                report(record, cx)?;
            }
        }
        Ok(Outcome::Done)
    }

    pub(super) fn show(self, id: &str, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let proposal = self.proposals().get(id)?;
        let difference = self.proposals().difference(&proposal)?;
        if cx.is_json {
            cx.json(&ProposalDocument {
                difference: Some(difference),
                ..ProposalDocument::of(&proposal, self.env)
            })?;
            return Ok(Outcome::Done);
        }
        let record = &proposal.record;
        let skill = cx.strong(one_line(&record.skill));
        writeln!(cx, "{skill}: {}", one_line(&record.summary))?;
        writeln!(cx, "    folder  {}", self.env.shown(&proposal.place()))?;
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

    pub(super) fn approve(self, id: &str, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let proposal = self.proposals().get(id)?;
        let taken = self.proposals().approve(&proposal, self.session.host())?;
        self.session.quiet();
        if cx.is_json {
            cx.json(&ProposalDocument {
                done: Some("approved"),
                committed: taken.commit,
                ..ProposalDocument::of(&proposal, self.env)
            })?;
            return Ok(Outcome::Done);
        }
        let record = &proposal.record;
        let (skill, summary) = (one_line(&record.skill), one_line(&record.summary));
        writeln!(cx, "{skill}: taken: {summary}")?;
        if let Some(note) = &taken.note {
            cx.note(note);
        }
        cx.note(way_back(&proposal.place(), taken.commit.as_ref(), cx.env));
        Ok(Outcome::Done)
    }

    pub(super) fn reject(self, id: &str, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let proposal = self.proposals().get(id)?;
        self.proposals().reject(&proposal)?;
        if cx.is_json {
            cx.json(&ProposalDocument {
                done: Some("rejected"),
                ..ProposalDocument::of(&proposal, self.env)
            })?;
        } else {
            writeln!(cx, "{}: rejected", one_line(&proposal.record.skill))?;
        }
        Ok(Outcome::Done)
    }
}

fn state(proposal: &Proposal) -> &'static str {
    match (proposal.is_stale(), proposal.record.cautions.is_empty()) {
        (true, _) => "stale",
        (false, true) => "waits",
        (false, false) => "waits for a review",
    }
}

fn report(record: &AttemptRecord, cx: &mut Ctx) -> Result<(), Failure> {
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
