//! Waiting changes and past attempts: listed, shown, approved, rejected.

use crate::catalog::skill::asks_for_trust;
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
use skills_runtime::{Catalog, Skill};
use std::io::Write as _;
use std::path::Path;

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
                    .map(|proposal| ProposalJson::of(proposal, self.env))
                    .collect(),
            })?;
        } else if all.is_empty() {
            cx.note("no change waits");
        } else {
            let mut table = Table::new(["ID", "SKILL", "STATE", "CHANGE"]);
            for proposal in &all {
                table.push([
                    one_line(&proposal.id),
                    one_line(&proposal.skill),
                    state(proposal).to_owned(),
                    one_line(&proposal.summary),
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
            cx.json(&AttemptDocument {
                attempts: all
                    .iter()
                    .map(|record| AttemptJson::of_record(record, self.env))
                    .collect(),
            })?;
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
        let Proposal { skill, summary, .. } = &proposal;
        let (skill, summary) = (cx.strong(one_line(skill)), one_line(summary));
        writeln!(cx, "{skill}: {summary}")?;
        let place = self.env.shown(&proposal.place());
        for (label, value) in [
            ("folder", &place),
            ("before", &proposal.before),
            ("after", &proposal.after),
        ] {
            writeln!(cx, "    {label:<6}  {value}")?;
        }
        for error in &proposal.errors {
            writeln!(cx, "    error   {}", one_line(error))?;
        }
        for caution in &proposal.cautions {
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
        let place = proposal.place();
        // Before the change: afterwards the skill does not match its trust record.
        let before = self.improve.catalog.load(self.env)?.catalog;
        let was_trusted = of_folder(&before, &place)
            .is_some_and(|entry| entry.is_trusted() && asks_for_trust(&entry));
        let taken = self.proposals().approve(&proposal, self.session.host())?;
        if was_trusted {
            self.trust(&place)?;
        }
        self.session.quiet();
        if cx.is_json {
            cx.json(&ProposalDocument::approved(&proposal, &taken, self.env))?;
        } else {
            let (skill, summary) = (one_line(&proposal.skill), one_line(&proposal.summary));
            writeln!(cx, "{skill}: taken: {summary}")?;
            if was_trusted {
                writeln!(cx, "{skill}: trusted as it is now")?;
            }
            if let Some(note) = &taken.note {
                cx.note(note);
            }
            cx.note(way_back(&place, cx.env));
        }
        Ok(Outcome::Done)
    }

    /// Records the person's trust in the present skill of a project: the person has approved its change.
    fn trust(self, place: &Path) -> Result<(), Failure> {
        let now = self.improve.catalog.load_untrusted(self.env)?.catalog;
        let Some(entry) = of_folder(&now, place) else {
            return Ok(());
        };
        let record = entry.trust_record().map_err(|error| {
            Failure::not_so(
                &error,
                "look at the skill, then trust it: `skills trust` lists what needs it",
            )
        })?;
        self.env.trust_file()?.trust(vec![record])?;
        Ok(())
    }

    pub(super) fn reject(self, id: &str, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let proposal = self.proposals().get(id)?;
        let rejected = self.proposals().reject(&proposal);
        rejected?;
        if cx.is_json {
            cx.json(&ProposalDocument {
                done: Some("rejected"),
                ..ProposalDocument::of(&proposal, self.env)
            })?;
        } else {
            writeln!(cx, "{}: rejected", one_line(&proposal.skill))?;
        }
        Ok(Outcome::Done)
    }
}

fn of_folder<'c>(catalog: &'c Catalog, place: &Path) -> Option<Skill<'c>> {
    let is_it = |entry: &Skill<'_>| entry.folder() == Some(place);
    catalog.iter().find(is_it)
}

fn state(proposal: &Proposal) -> &'static str {
    match (proposal.is_stale(), proposal.cautions.is_empty()) {
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
