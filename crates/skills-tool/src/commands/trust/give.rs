//! Trusting skills as they are.

use crate::commands::trust::asked::files;
use crate::commands::trust::call::TrustCall;
use crate::commands::trust::document::GivenDocument;
use crate::commands::trust::planned::PlannedTrust;
use crate::commands::trust::target::{Wanted, is_asked, wanted};
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, one_line};
use skills_format::text::command::Command;
use skills_format::{command, prose};
use skills_runtime::Entry;
use skills_runtime::catalog::TrustQuestion;
use skills_runtime::source::{SkillTrust, TrustRecord};
use std::io::Write as _;

impl TrustCall<'_> {
    pub(crate) fn trust(
        &self,
        ids: &[String],
        yes: bool,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let mut planned: Vec<PlannedTrust<'_>> = Vec::new();
        let mut given = GivenDocument::new();
        for id in ids {
            let Wanted { entry, digest } = wanted(self.catalog, self.env, id)?;
            if entry.trust() == SkillTrust::Always {
                given.push_always(&entry.id());
                if !cx.is_json {
                    self.report_always(&entry, cx)?;
                }
                continue;
            }
            let mut plan = self.planned(&entry)?;
            let now = plan.record.digest();
            // The skill may have changed since the person read the digest.
            if digest.is_some_and(|digest| digest != now) {
                return Err(Failure::not_so(
                    format_args!(
                        "skill '{0}' was not trusted: its trust digest is {now}",
                        plan.id
                    ),
                    prose!(
                        "look at the skill again with {}",
                        command("show").word(&plan.id)
                    ),
                ));
            }
            plan.is_named_by_digest = digest.is_some();
            let is_same = |other: &PlannedTrust<'_>| other.entry == plan.entry;
            if !planned.iter().any(is_same) {
                planned.push(plan);
            }
        }
        // A digest is the person's word for this version, so no question is needed.
        let is_clear = |plan: &PlannedTrust<'_>| plan.is_named_by_digest || plan.is_trusted();
        if !yes && !planned.iter().all(is_clear) {
            let trust = ids
                .iter()
                .fold(command("trust"), |trust, id| trust.word(id));
            self.confirm(&planned, trust.word("--yes"), cx)?;
        }
        self.store(&planned, given, cx)?;
        Ok(Outcome::Done)
    }

    /// Trusts every skill of a source, or of all sources that require trust.
    pub(crate) fn trust_all(
        &self,
        source: Option<&str>,
        yes: bool,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        self.check_source(source)?;
        let mut planned = Vec::new();
        let mut given = GivenDocument::new();
        let mut refused = 0;
        for entry in self.catalog.iter().filter(|entry| is_asked(entry, source)) {
            match self.planned(&entry) {
                Ok(plan) if plan.is_trusted() => {}
                Ok(plan) => planned.push(plan),
                Err(failure) => {
                    refused += 1;
                    given.push_refused(&entry.id(), &failure);
                    cx.warning(&failure);
                }
            }
        }
        if planned.is_empty() && refused == 0 && !cx.is_json {
            let profile = &self.options.profile().name;
            let of = match source {
                Some(source) => format!("the source '{source}' in the profile {profile}"),
                None => format!("the profile {profile}"),
            };
            writeln!(cx, "every skill of {of} that needs trust is trusted")?;
            return Ok(Outcome::Done);
        }
        if !yes && !planned.is_empty() {
            let trust = match source {
                Some(source) => command("trust --all").word(source),
                None => command("trust --all"),
            };
            self.confirm(&planned, trust.word("--yes"), cx)?;
        } else if !planned.is_empty() && !cx.is_json {
            self.show(&planned, cx)?;
        }
        self.store(&planned, given, cx)?;
        Ok(if refused == 0 {
            Outcome::Done
        } else {
            Outcome::Findings
        })
    }

    /// Refuses a source that does not exist or does not require trust.
    pub(crate) fn check_source(&self, source: Option<&str>) -> Result<(), Failure> {
        let Some(name) = source else {
            return Ok(());
        };
        let mut sources = self.catalog.sources().iter();
        match sources.find(|source| source.name() == name) {
            Some(source) if source.asks_for_trust() => Ok(()),
            Some(_) => Err(Failure::not_so(
                format_args!("source '{name}' is always trusted"),
                "`skills trust` lists the skills that need trust",
            )),
            None => Err(Failure::not_so(
                format_args!("no source is called '{name}'"),
                "`skills trust` lists the skills and their sources",
            )),
        }
    }

    /// Returns the skill of a question, with the record that the person is asked about.
    pub(crate) fn asked(&self, question: &TrustQuestion) -> Result<PlannedTrust<'_>, Failure> {
        let id = question.skill.clone();
        let entry = self.catalog.get(&id).ok_or_else(|| gone(&id))?;
        Ok(PlannedTrust {
            entry: self.plain(&entry).ok_or_else(|| gone(&id))?,
            id,
            record: question.record.clone(),
            changes: question.changes.clone(),
            is_named_by_digest: false,
        })
    }

    fn planned(&self, entry: &Entry<'_>) -> Result<PlannedTrust<'_>, Failure> {
        let id = entry.id().into_owned();
        let plain = self.plain(entry).ok_or_else(|| gone(&id))?;
        let record = plain.trust_record().map_err(|error| {
            Failure::not_so(&error, "remove from the folder what cannot be trusted")
        })?;
        let before = self.record_of(entry);
        Ok(PlannedTrust {
            changes: before.map(|before| before.difference(&record)),
            id,
            entry: plain,
            record,
            is_named_by_digest: false,
        })
    }

    fn store(
        &self,
        planned: &[PlannedTrust<'_>],
        mut given: GivenDocument,
        cx: &mut Ctx,
    ) -> Result<(), Failure> {
        self.keep_texts(planned, cx);
        let new: Vec<&PlannedTrust<'_>> =
            planned.iter().filter(|plan| !plan.is_trusted()).collect();
        if !new.is_empty() {
            let records: Vec<TrustRecord> = new.iter().map(|plan| plan.record.clone()).collect();
            let stored = self
                .file
                .trust(records)
                .map_err(|error| self.options.unwritten(&error))?;
            cx.warnings(&stored.diagnostics);
            if let Some(texts) = &self.texts {
                texts.forget(&self.records, &stored.value);
            }
        }
        if cx.is_json {
            for plan in planned {
                given.push(plan, self);
            }
            return cx.json(&given);
        }
        for plan in planned {
            let id = one_line(&plan.id);
            match &plan.changes {
                None => writeln!(cx, "trusted {id}: {}", files(&plan.record))?,
                Some(changes) if changes.is_empty() => {
                    writeln!(cx, "{id} is trusted: {}", files(&plan.record))?;
                }
                Some(changes) => {
                    writeln!(cx, "trusted {id} again: {}", one_line(&changes.words()))?;
                }
            }
        }
        if !cx.is_in_prompt() {
            next(&new, cx);
        }
        Ok(())
    }

    /// Keeps the file contents for a later comparison. A skill is trusted even when its files cannot be kept.
    pub(crate) fn keep_texts(&self, planned: &[PlannedTrust<'_>], cx: &mut Ctx) {
        let Some(texts) = &self.texts else {
            return;
        };
        for plan in planned {
            let read = |path: &str| Some(plan.entry.read(path).ok()?.into_owned());
            if let Err(error) = texts.keep(&plan.record, read) {
                cx.warning(prose!("the files of '{}' were not kept, and `skills trust --diff` cannot compare them: {}", &plan.id, &error));
            }
        }
    }

    /// Reports that a skill does not require trust.
    fn report_always(&self, entry: &Entry<'_>, cx: &mut Ctx) -> Result<(), Failure> {
        let roots: Vec<String> = entry
            .source()
            .roots()
            .map(|root| self.env.shown(root))
            .collect();
        let place = if roots.is_empty() {
            "in the program".to_owned()
        } else {
            one_line(&roots.join(", "))
        };
        writeln!(
            cx,
            "{} needs no trust: source '{}' is always trusted ({place})",
            one_line(&entry.id()),
            entry.source().name()
        )?;
        Ok(())
    }
}

fn gone(id: &str) -> Failure {
    Failure::not_so(format_args!("skill '{id}' has gone"), "try again")
}

/// Notes the commands for newly trusted skills.
fn next(new: &[&PlannedTrust<'_>], cx: &mut Ctx) {
    const MOST: usize = 3;
    let Some(first) = new.first() else {
        return;
    };
    let activate = command("inspect activate").word(&first.id);
    let ids = new.iter().map(|plan| &*plan.id);
    let (remove, what) = if new.len() <= MOST {
        let remove = command("trust --remove");
        (ids.fold(remove, Command::word), "the trust")
    } else {
        (command("trust --remove --all"), "all trust")
    };
    cx.note(prose!("next: {}; {} removes {what}", activate, remove));
}
