//! Trusts skills, and removes trust.

use crate::catalog::skill::asks_for_trust;
use crate::commands::powers;
use crate::commands::trust::shown::{
    PlannedTrust, TrustCall, documented_folder, folder_of, place, print_differences,
};
use crate::environment::Environment;
use crate::input::{agreed, can_ask};
use crate::outcome::{Failure, Outcome};
use crate::output::text::wrapped;
use crate::output::{Ctx, add, counted, one_line, some_of};
use serde::Serialize;
use serde_json::{Value, json};
use skills_format::disk::resolved;
use skills_format::prose;
use skills_format::text::path::PathText as _;
use skills_runtime::Skill;
use skills_runtime::source::{Changes, TrustRecord};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The maximum number of files or skills that are named.
const NAMED: usize = 8;

/// `trust ID --format json`
#[derive(Default, Serialize)]
struct GivenDocument {
    trusted: Vec<Value>,
    needs_none: Vec<String>,
    /// Those that cannot be trusted, with the reason.
    refused: Vec<Value>,
}

impl TrustCall {
    pub(super) fn trust(
        &self,
        ids: &[String],
        yes: bool,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let mut planned: Vec<PlannedTrust<'_>> = Vec::new();
        let mut given = GivenDocument::default();
        for id in ids {
            let (entry, digest) = self.wanted(id, cx.env)?;
            if !asks_for_trust(&entry) {
                given.needs_none.push(entry.id().into_owned());
                let (id, source) = (one_line(&entry.id()), entry.source());
                writeln!(
                    cx,
                    "{id} needs no trust: source '{source}' is always trusted"
                )?;
                continue;
            }
            let mut plan = self.planned(&entry)?;
            let now = plan.record.digest();
            if digest.is_some_and(|digest| digest != now) {
                return Err(Failure::not_so(
                    format_args!(
                        "skill '{0}' was not trusted: its trust digest is {now}",
                        plan.id
                    ),
                    "look at the skill again with `show ID`",
                ));
            }
            plan.is_named_by_digest = digest.is_some();
            if !planned.iter().any(|other| other.entry == plan.entry) {
                planned.push(plan);
            }
        }
        let is_clear = |plan: &PlannedTrust<'_>| plan.is_named_by_digest || plan.is_trusted();
        if !yes && !planned.iter().all(is_clear) {
            self.confirm(&planned, cx)?;
        }
        self.store(&planned, given, cx)?;
        Ok(Outcome::Done)
    }

    pub(super) fn trust_all(&self, yes: bool, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let mut planned = Vec::new();
        let mut given = GivenDocument::default();
        for entry in self.catalog.iter().filter(asks_for_trust) {
            match self.planned(&entry) {
                Ok(plan) if plan.is_trusted() => {}
                Ok(plan) => planned.push(plan),
                Err(failure) => {
                    let message = failure.message().fact.to_string();
                    given
                        .refused
                        .push(json!({ "id": entry.id(), "message": message }));
                    cx.warning(&failure);
                }
            }
        }
        let outcome = Outcome::of(!given.refused.is_empty());
        if planned.is_empty() && outcome == Outcome::Done {
            writeln!(cx, "every skill that needs trust is trusted")?;
        } else if !yes && !planned.is_empty() {
            self.confirm(&planned, cx)?;
        } else if !planned.is_empty() {
            self.show(&planned, cx)?;
        }
        self.store(&planned, given, cx)?;
        Ok(outcome)
    }

    pub(super) fn planned(&self, entry: &Skill<'_>) -> Result<PlannedTrust<'_>, Failure> {
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

    /// Prints the skills, and asks the person. Without a terminal the result is a failure.
    fn confirm(&self, planned: &[PlannedTrust<'_>], cx: &mut Ctx) -> Result<(), Failure> {
        self.show(planned, cx)?;
        if !can_ask(cx) {
            return Err(Failure::failed(
                "nothing was trusted: this is not a terminal",
                "look at the skill with `skills show ID` or `skills trust --diff ID`, then add --yes",
            ));
        }
        let what = match planned.len() {
            1 => "it".to_owned(),
            count => format!("these {count} skills"),
        };
        if agreed(&format!("Trust {what}?"), cx) {
            Ok(())
        } else {
            Err(Failure::declined("nothing was trusted"))
        }
    }

    pub(super) fn show(&self, planned: &[PlannedTrust<'_>], cx: &mut Ctx) -> Result<(), Failure> {
        writeln!(cx, "{} to trust:", counted(planned.len(), "skill"))?;
        for plan in planned.iter().take(NAMED) {
            self.show_one(plan, cx)?;
        }
        let rest = planned.len().saturating_sub(NAMED);
        if rest > 0 {
            let more = counted(rest, "more skill");
            writeln!(cx, "  and {more}: `skills trust` lists them all")?;
        }
        Ok(())
    }

    fn show_one(&self, plan: &PlannedTrust<'_>, cx: &mut Ctx) -> Result<(), Failure> {
        let folder = plan.entry.folder();
        let place = folder.map_or_else(String::new, |dir| cx.env.shown(dir));
        writeln!(cx, "  {}: {}", one_line(&plan.id), one_line(&place))?;
        let width = cx.width().map(|width| width.saturating_sub(4));
        for line in wrapped(&one_line(plan.entry.description()), width) {
            writeln!(cx, "    {line}")?;
        }
        writeln!(cx, "    {}", counted_files(&plan.record))?;
        for (kind, texts) in powers::summary(&powers::of_entry(&plan.entry)) {
            writeln!(cx, "    {kind}: {}", one_line(&texts))?;
        }
        if let Some(changes) = plan
            .changes
            .as_ref()
            .filter(|changes| **changes != Changes::default())
        {
            let before = self.record_of(&plan.entry);
            let difference = before.map(|before| self.differences(&plan.entry, before, changes));
            match difference {
                Some(difference) if !difference.is_empty() => print_differences(&difference, cx)?,
                _ => writeln!(cx, "    {}", one_line(&changes.to_string()))?,
            }
        }
        writeln!(cx, "    trust digest {}", plan.record.digest())?;
        Ok(())
    }

    fn store(
        &self,
        planned: &[PlannedTrust<'_>],
        mut given: GivenDocument,
        cx: &mut Ctx,
    ) -> Result<(), Failure> {
        self.keep_texts(planned, cx);
        let new = planned.iter().filter(|plan| !plan.is_trusted());
        let records: Vec<TrustRecord> = new.map(|plan| plan.record.clone()).collect();
        if !records.is_empty() {
            let stored = self.file.trust(records)?;
            if let Some(texts) = &self.texts {
                texts.forget(&self.records, &stored);
            }
        }
        for plan in planned {
            let mut document = json!({
                "id": plan.id,
                "source": plan.entry.source(),
                "path": documented_folder(&plan.entry, cx.env),
                "before": plan.trust(),
                "digest": plan.record.digest().to_string(),
                "files": files(&plan.record),
            });
            add(&mut document, &plan.changes.clone().unwrap_or_default());
            given.trusted.push(document);
        }
        cx.report(&given)?;
        for plan in planned {
            let (id, files) = (one_line(&plan.id), counted_files(&plan.record));
            match &plan.changes {
                None => writeln!(cx, "trusted {id}: {files}")?,
                Some(changes) if *changes == Changes::default() => {
                    writeln!(cx, "{id} is trusted: {files}")?;
                }
                Some(changes) => {
                    writeln!(cx, "trusted {id} again: {}", one_line(&changes.to_string()))?;
                }
            }
        }
        let folders = planned.iter();
        let folders = folders.filter_map(|plan| Some(plan.entry.folder()?.parent()?.to_owned()));
        let readers = cx.env.readers(folders).unwrap_or_default();
        if !readers.is_empty() && planned.iter().any(|plan| !plan.is_trusted()) {
            cx.note(format!("in {readers}, skills start without `skills trust`"));
        }
        Ok(())
    }

    pub(super) fn keep_texts(&self, planned: &[PlannedTrust<'_>], cx: &mut Ctx) {
        let Some(texts) = &self.texts else {
            return;
        };
        for plan in planned {
            let read = |path: &str| Some(plan.entry.read(path).ok()?.into_owned());
            if let Err(error) = texts.keep(&plan.record, read) {
                cx.warning(prose!(
                    "the files of '{}' were not kept, and `trust --diff ID` cannot compare them: {}",
                    &plan.id,
                    &error
                ));
            }
        }
    }

    pub(super) fn distrust(&self, ids: &[String], cx: &mut Ctx) -> Result<Outcome, Failure> {
        let mut gone: Vec<&TrustRecord> = Vec::new();
        let mut others = Vec::new();
        for id in ids {
            let elsewhere = self.elsewhere(id, cx.env);
            let entry = match self.skill(id, cx.env) {
                Ok(entry) => entry,
                Err(_) if !elsewhere.is_empty() => {
                    gone.extend(elsewhere);
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            if !asks_for_trust(&entry) {
                let source = entry.source();
                return Err(Failure::not_so(
                    format_args!(
                        "the trust in '{id}' cannot be removed: source '{source}' is always trusted"
                    ),
                    "`disable ID` disables the skill",
                ));
            }
            match self.record_of(&entry) {
                Some(record) => gone.push(record),
                None => others.push(id.clone()),
            }
        }
        self.forget(&gone, &others, cx)
    }

    /// The records of a folder that can be gone, or of another project.
    fn elsewhere(&self, id: &str, env: &Environment) -> Vec<&TrustRecord> {
        let path = env.absolute(Path::new(id));
        let paths = [resolved(&path), path];
        let is_it = |it: &&TrustRecord| {
            let folder = folder_of(it);
            paths
                .iter()
                .any(|path| path == it.place().0 || *path == folder)
        };
        self.records.iter().filter(is_it).collect()
    }

    fn forget(
        &self,
        gone: &[&TrustRecord],
        not_trusted: &[String],
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let removed = gone.iter().map(|record| {
            let is_it = |(root, folder): (PathBuf, PathBuf)| (&*root, &*folder) == record.place();
            let mut entries = self.catalog.iter();
            let entry = entries.find(|entry| place(entry).is_some_and(is_it));
            (
                entry.map(|entry| entry.id().into_owned()),
                folder_of(record),
            )
        });
        let removed: Vec<(Option<String>, PathBuf)> = removed.collect();
        let documents = removed.iter();
        let documents =
            documents.map(|(id, path)| json!({ "id": id, "path": cx.env.documented(path) }));
        let documents: Vec<Value> = documents.collect();
        let document = json!({ "removed": documents, "not_trusted": not_trusted });
        if !gone.is_empty() {
            let stored = self.file.distrust(gone)?;
            if let Some(texts) = &self.texts {
                texts.forget(&self.records, &stored);
            }
        }
        cx.report(&document)?;
        for id in not_trusted {
            writeln!(cx, "{} is not trusted", one_line(id))?;
        }
        for (id, path) in &removed {
            let what = id.clone().unwrap_or_else(|| cx.env.shown(path));
            writeln!(cx, "no longer trusted: {}", one_line(&what))?;
        }
        Ok(Outcome::Done)
    }
}

pub(super) fn gone(id: &str) -> Failure {
    Failure::not_so(format_args!("skill '{id}' has gone"), "try again")
}

fn files(record: &TrustRecord) -> Vec<String> {
    let files = record.files();
    files.map(|(path, _)| path.shown().into_owned()).collect()
}

/// Formats the number of the files, and the first of them.
fn counted_files(record: &TrustRecord) -> String {
    let names = files(record);
    let shown = one_line(&some_of(&names, NAMED));
    format!("{} ({shown})", counted(names.len(), "file"))
}
