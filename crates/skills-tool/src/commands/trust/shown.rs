//! The skills that need trust, and what changed since they were trusted.

use crate::catalog::skill::asks_for_trust;
use crate::commands::install::plan::differences;
use crate::commands::trust::call::{SkillTrust, TrustCall, folder_of, place};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, counted, one_line};
use serde::Serialize;
use serde_json::json;
use skills_host::install::{FileChange, FileDifference};
use skills_runtime::Skill;
use skills_runtime::source::{Changes, TrustRecord};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

/// `trust --format json`
#[derive(Serialize)]
pub(crate) struct TrustListDocument<'c> {
    skills: Vec<TrustSkillJson<'c>>,
}

/// A skill that needs trust, or a trusted skill of another project, which has no id here.
#[derive(Serialize)]
struct TrustSkillJson<'c> {
    id: Option<String>,
    source: Option<&'c str>,
    path: String,
    trust: SkillTrust,
    digest: Option<String>,
    #[serde(flatten)]
    difference: Changes,
}

impl<'c> TrustListDocument<'c> {
    pub(super) fn new(call: &TrustCall<'c>, cx: &mut Ctx) -> Self {
        let here: Vec<Skill<'c>> = call.catalog.iter().filter(asks_for_trust).collect();
        let places: Vec<_> = here.iter().filter_map(place).collect();
        let mut skills: Vec<TrustSkillJson<'c>> = here
            .into_iter()
            .map(|entry| TrustSkillJson::here(call, entry, cx))
            .collect();
        let is_here = |record: &TrustRecord| {
            let mut places = places.iter();
            places.any(|(root, folder)| (&**root, &**folder) == record.place())
        };
        for record in call.records.iter().filter(|record| !is_here(record)) {
            skills.push(TrustSkillJson {
                id: None,
                source: None,
                path: cx.env.documented(&folder_of(record)),
                trust: SkillTrust::Trusted,
                digest: Some(record.digest().to_string()),
                difference: Changes::default(),
            });
        }
        Self { skills }
    }

    pub(super) fn print(&self, cx: &mut Ctx) -> Result<(), Failure> {
        if self.skills.is_empty() {
            cx.note("no skill here needs trust, and no skill elsewhere is trusted");
            return Ok(());
        }
        let here: Vec<_> = self.skills.iter().filter(|it| it.id.is_some()).collect();
        if !here.is_empty() {
            let mut table = Table::new(["SKILL", "SOURCE", "STATE", "FOLDER"]);
            for it in &here {
                table.push([
                    one_line(it.id.as_deref().unwrap_or("-")),
                    one_line(it.source.unwrap_or("-")),
                    it.state(),
                    one_line(&cx.env.shown(Path::new(&it.path))),
                ]);
            }
            table.print(cx)?;
        }
        if here.iter().any(|it| it.trust != SkillTrust::Trusted) {
            cx.note(
                "look at a skill with `show ID`, or with `trust --diff ID` if it was trusted before; then \
                 `trust ID` trusts it",
            );
        }
        let elsewhere = self.skills.len() - here.len();
        if elsewhere > 0 {
            let skills = counted(elsewhere, "trusted skill");
            cx.note(format!("{skills} elsewhere: --format json lists all"));
        }
        Ok(())
    }
}

impl<'c> TrustSkillJson<'c> {
    fn here(call: &TrustCall<'c>, entry: Skill<'c>, cx: &mut Ctx) -> Self {
        let (trust, digest, difference) = match call.planned(&entry) {
            Ok(plan) => (
                plan.trust(),
                Some(plan.record.digest().to_string()),
                plan.changes,
            ),
            Err(failure) => {
                cx.warning(&failure);
                let before = call.record_of(&entry);
                (
                    before.map_or(SkillTrust::Untrusted, |_| SkillTrust::Changed),
                    None,
                    None,
                )
            }
        };
        Self {
            id: Some(entry.id().into_owned()),
            source: Some(entry.source()),
            path: documented_folder(&entry, cx.env),
            trust,
            digest,
            difference: difference.unwrap_or_default(),
        }
    }

    fn state(&self) -> String {
        match self.trust {
            SkillTrust::Trusted => "trusted".to_owned(),
            SkillTrust::Changed if self.difference == Changes::default() => {
                "untrusted, changed".to_owned()
            }
            SkillTrust::Changed => format!("untrusted: {}", one_line(&self.difference.to_string())),
            SkillTrust::Untrusted => "untrusted".to_owned(),
        }
    }
}

/// Returns the folder of a skill for a document; nothing for a skill in the program.
pub(super) fn documented_folder(entry: &Skill<'_>, env: &Environment) -> String {
    let folder = entry.folder();
    folder.map_or_else(String::new, |dir| env.documented(dir))
}

impl TrustCall<'_> {
    pub(super) fn print_diff(&self, ids: &[String], cx: &mut Ctx) -> Result<Outcome, Failure> {
        let mut differences = Vec::new();
        for id in ids {
            let entry = self.skill(id, cx.env)?;
            let id = one_line(id);
            let Some(before) = self.record_of(&entry) else {
                return Err(Failure::not_so(
                    format_args!("skill '{id}' was never trusted"),
                    "`show ID` shows all of it",
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
