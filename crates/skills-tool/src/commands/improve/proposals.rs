//! Waiting changes and past attempts: listed, shown, approved, rejected.

use crate::commands::improve::{ImproveCall, attempts, documented, way_back};
use crate::commands::install::plan::differences;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, one_line};
use serde_json::json;
use skills_agent::improve::{AttemptLog, AttemptRecord, Proposal, Proposals};
use skills_format::{command, prose};
use std::io::Write as _;

impl ImproveCall<'_> {
    fn proposals(self) -> Proposals {
        Proposals::of(self.session.data())
    }

    pub(super) fn list(self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let all = self.proposals().list()?;
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

    pub(super) fn log(self, name: &str, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let log = AttemptLog::of(self.session.data());
        let all = log.list((!name.is_empty()).then_some(name))?;
        cx.report(&attempts(all.iter().map(|record| (record, None))))?;
        if all.is_empty() {
            cx.note("no repair was attempted");
        }
        for record in &all {
            report(record, cx)?;
        }
        Ok(Outcome::Done)
    }

    pub(super) fn show(self, id: &str, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let proposal = self.proposals().get(id)?;
        let difference = self.proposals().difference(&proposal)?;
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

    pub(super) fn approve(self, id: &str, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let proposal = self.proposals().get(id)?;
        let taken = self.proposals().approve(&proposal, self.session.host())?;
        self.session.quiet();
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

    pub(super) fn reject(self, id: &str, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let proposal = self.proposals().get(id)?;
        self.proposals().reject(&proposal)?;
        let document = documented(&proposal, cx.env);
        cx.report(&json!({ "proposal": document, "done": "rejected" }))?;
        writeln!(cx, "{}: rejected", one_line(&proposal.record.skill))?;
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
