//! The skills that need trust, and what changed since they were trusted.

use crate::catalog::skill::asks_for_trust;
use crate::commands::install::plan::differences;
use crate::commands::trust::{SkillTrust, TrustCall, folder_of, place};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, add, counted, one_line};
use serde_json::{Value, json};
use skills_format::Digest;
use skills_host::install::{FileChange, FileDifference};
use skills_runtime::Skill;
use skills_runtime::source::{Changes, TrustRecord};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

/// Lists the skills that need trust, and the trusted skills of other projects, which have no id here.
pub(super) fn list(call: &TrustCall, cx: &mut Ctx) -> Result<(), Failure> {
    let here: Vec<Skill<'_>> = call.catalog.iter().filter(asks_for_trust).collect();
    let mut table = Table::new(["SKILL", "SOURCE", "STATE", "FOLDER"]);
    let (mut documents, mut is_trusted) = (Vec::new(), true);
    for entry in &here {
        let (trust, digest, changes) = match call.planned(entry) {
            Ok(plan) => (plan.trust(), Some(plan.record.digest()), plan.changes),
            Err(failure) => {
                cx.warning(&failure);
                let before = call.record_of(entry);
                let trust = before.map_or(SkillTrust::Untrusted, |_| SkillTrust::Changed);
                (trust, None, None)
            }
        };
        let changes = changes.unwrap_or_default();
        is_trusted &= trust == SkillTrust::Trusted;
        table.push([
            one_line(&entry.id()),
            one_line(entry.source()),
            state(trust, &changes),
            one_line(&cx.env.shown(entry.folder().unwrap_or(Path::new("")))),
        ]);
        let mut document = documented(&documented_folder(entry, cx.env), trust, digest, &changes);
        document["id"] = json!(entry.id());
        document["source"] = json!(entry.source());
        documents.push(document);
    }
    let places: Vec<_> = here.iter().filter_map(place).collect();
    let is_here = |record: &TrustRecord| {
        let mut places = places.iter();
        places.any(|(root, folder)| (&**root, &**folder) == record.place())
    };
    let mut elsewhere = 0;
    for record in call.records.iter().filter(|record| !is_here(record)) {
        let (path, digest) = (cx.env.documented(&folder_of(record)), record.digest());
        let (trust, changes) = (SkillTrust::Trusted, Changes::default());
        documents.push(documented(&path, trust, Some(digest), &changes));
        elsewhere += 1;
    }
    cx.report(&json!({ "skills": documents }))?;
    if documents.is_empty() {
        cx.note("no skill here needs trust, and no skill elsewhere is trusted");
    }
    if !table.is_empty() {
        table.print(cx)?;
    }
    if !is_trusted {
        cx.note(
            "look at a skill with `show ID`, or with `trust --diff ID` if it was trusted before; then \
             `trust ID` trusts it",
        );
    }
    if elsewhere > 0 {
        let skills = counted(elsewhere, "trusted skill");
        cx.note(format!("{skills} elsewhere: --format json lists all"));
    }
    Ok(())
}

/// Returns a skill as a document, without an id.
fn documented(path: &str, trust: SkillTrust, digest: Option<Digest>, changes: &Changes) -> Value {
    let mut document = json!({ "id": null, "source": null, "path": path, "trust": trust });
    document["digest"] = json!(digest.map(|digest| digest.to_string()));
    add(&mut document, changes);
    document
}

fn state(trust: SkillTrust, changes: &Changes) -> String {
    match trust {
        SkillTrust::Trusted => "trusted".to_owned(),
        SkillTrust::Changed if *changes == Changes::default() => "untrusted, changed".to_owned(),
        SkillTrust::Changed => format!("untrusted: {}", one_line(&changes.to_string())),
        SkillTrust::Untrusted => "untrusted".to_owned(),
    }
}

/// Returns the folder of a skill for a document; nothing for a skill in the program.
pub(super) fn documented_folder(entry: &Skill<'_>, env: &Environment) -> String {
    let folder = entry.folder();
    folder.map_or_else(String::new, |dir| env.documented(dir))
}

impl TrustCall {
    pub(super) fn print_diff(&self, ids: &[String], cx: &mut Ctx) -> Result<Outcome, Failure> {
        let mut differences = Vec::new();
        for id in ids {
            let entry = self.skill(id, cx.env)?;
            let id = one_line(id);
            let Some(before) = self.record_of(&entry) else {
                return Err(Failure::not_so(
                    format_args!("skill '{id}' was never trusted"),
                    "`skills show ID` shows the whole skill",
                ));
            };
            let plain = self.plain(&entry).unwrap_or(entry);
            let now = plain
                .trust_record()
                .map_err(|error| Failure::not_so(&error, "remove what cannot be trusted"))?;
            differences.push((
                id,
                self.differences(&plain, before, &before.difference(&now)),
            ));
        }
        let documents = differences.iter();
        let documents = documents.map(|(id, all)| json!({ "id": id, "difference": all }));
        let documents: Vec<_> = documents.collect();
        cx.report(&json!({ "differences": documents }))?;
        for (id, difference) in &differences {
            if difference.is_empty() {
                writeln!(cx, "{id} has not changed since it was trusted")?;
            }
            print_differences(difference, cx)?;
        }
        Ok(Outcome::Done)
    }

    /// Compares the files of a skill with the kept files of its trusted version.
    pub(super) fn differences(
        &self,
        entry: &Skill<'_>,
        before: &TrustRecord,
        changes: &Changes,
    ) -> Vec<FileDifference> {
        let texts = self.texts.as_ref().map(|texts| texts.texts(before));
        let kept: BTreeMap<String, String> = texts.unwrap_or_default();
        let now = |path: &String| String::from_utf8(entry.read(path).ok()?.into_owned()).ok();
        let edited = changes.changed.iter().map(|path| {
            let (old, new) = (kept.get(path), now(path));
            (
                path,
                FileChange::Changed,
                old.is_some() && new.is_some(),
                old,
                new,
            )
        });
        let added = changes.added.iter().map(|path| {
            let new = now(path);
            (path, FileChange::Added, new.is_some(), None, new)
        });
        let removed = changes.removed.iter().map(|path| {
            let old = kept.get(path);
            (path, FileChange::Removed, old.is_some(), old, None)
        });
        let all = edited.chain(added).chain(removed);
        let compared = all.map(|(path, change, is_whole, old, new)| {
            if is_whole {
                FileDifference::of_texts(path, old.map(String::as_str), new.as_deref())
            } else {
                FileDifference::of_unknown(path, change)
            }
        });
        compared.collect()
    }
}

pub(super) fn print_differences(all: &[FileDifference], cx: &mut Ctx) -> Result<(), Failure> {
    for difference in all {
        let path = one_line(&difference.path);
        let (what, unknown) = match difference.change {
            FileChange::Added => ("added", "it is not a text file"),
            FileChange::Removed => ("removed", "its trusted text was not kept"),
            _ => (
                "changed",
                "its trusted text was not kept, or it is not a text file; `show ID --file PATH` shows it now",
            ),
        };
        writeln!(cx, "{}", cx.strong(format!("{what} {path}")))?;
        if difference.unified.is_some() {
            differences(std::slice::from_ref(difference), cx)?;
        } else {
            writeln!(cx, "    {unknown}")?;
        }
    }
    Ok(())
}
