//! Prints the changes of a skill since a person trusted the skill.

use crate::commands::install::plan::differences;
use crate::commands::trust::call::TrustCall;
use crate::commands::trust::target::skill;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, one_line};
use serde::Serialize;
use skills_format::{Prose, command, prose};
use skills_host::install::{FileChange, FileDifference};
use skills_runtime::Entry;
use skills_runtime::source::{TrustChanges, TrustRecord};
use std::collections::BTreeMap;
use std::io::Write as _;

/// `trust --diff --format json`
#[derive(Serialize)]
struct TrustDiffDocument {
    differences: Vec<DifferentJson>,
}

#[derive(Serialize)]
struct DifferentJson {
    id: String,
    /// The differences from the trusted skill; empty without a difference.
    difference: Vec<FileDifference>,
}

impl TrustCall<'_> {
    pub(crate) fn print_diff(&self, ids: &[String], cx: &mut Ctx) -> Result<Outcome, Failure> {
        let mut skills = Vec::new();
        for id in ids {
            let entry = skill(self.catalog, self.env, id)?;
            let id = one_line(id);
            let Some(before) = self.record_of(&entry) else {
                return Err(Failure::not_so(
                    format_args!("skill '{id}' was never trusted"),
                    prose!("{} shows all of it", command("show").word(&id)),
                ));
            };
            let plain = self.plain(&entry).unwrap_or(entry);
            let now = plain
                .trust_record()
                .map_err(|error| Failure::not_so(&error, "remove what cannot be trusted"))?;
            let changes = before.difference(&now);
            skills.push(DifferentJson {
                difference: self.differences(&plain, before, &changes),
                id,
            });
        }
        if cx.is_json {
            cx.json(&TrustDiffDocument {
                differences: skills,
            })?;
            return Ok(Outcome::Done);
        }
        for skill in &skills {
            if skill.difference.is_empty() {
                writeln!(cx, "{} has not changed since it was trusted", skill.id)?;
            }
            print(&skill.id, &skill.difference, cx)?;
        }
        Ok(Outcome::Done)
    }

    /// Compares the files of a skill with the contents that were kept when a person trusted the skill.
    pub(crate) fn differences(
        &self,
        entry: &Entry<'_>,
        before: &TrustRecord,
        changes: &TrustChanges,
    ) -> Vec<FileDifference> {
        let kept: BTreeMap<String, String> = self
            .texts
            .as_ref()
            .map(|texts| texts.texts(before))
            .unwrap_or_default();
        let now = |path: &String| {
            let bytes = entry.read(path).ok()?.into_owned();
            String::from_utf8(bytes).ok()
        };
        let unknown = FileDifference::of_unknown;
        let other = changes.changed.iter().map(|path| {
            let texts = kept.get(path).zip(now(path));
            texts.map_or_else(
                || unknown(path, FileChange::Changed),
                |(old, new)| FileDifference::of_texts(path, Some(old), Some(&new)),
            )
        });
        let added = changes.added.iter().map(|path| {
            now(path).map_or_else(
                || unknown(path, FileChange::Added),
                |new| FileDifference::of_texts(path, None, Some(&new)),
            )
        });
        let removed = changes.removed.iter().map(|path| {
            kept.get(path).map_or_else(
                || unknown(path, FileChange::Removed),
                |old| FileDifference::of_texts(path, Some(old), None),
            )
        });
        other.chain(added).chain(removed).collect()
    }
}

/// Prints the difference of each file.
pub(crate) fn print(id: &str, all: &[FileDifference], cx: &mut Ctx) -> Result<(), Failure> {
    for difference in all {
        let path = one_line(&difference.path);
        let (what, unknown) = match difference.change {
            FileChange::Added => ("added", Prose::from("it is not a text file")),
            FileChange::Removed => ("removed", "its trusted text was not kept".into()),
            _ => {
                let show = command("show").word(id).word("--file").word(&path);
                let unknown = "its trusted text was not kept, or it is not a text file";
                ("changed", prose!("{unknown}; {} shows it now", show))
            }
        };
        writeln!(cx, "{}", cx.strong(format!("{what} {path}")))?;
        if difference.unified.is_some() {
            differences(std::slice::from_ref(difference), cx)?;
        } else {
            let unknown = cx.on_one_line(unknown);
            writeln!(cx, "    {unknown}")?;
        }
    }
    Ok(())
}
