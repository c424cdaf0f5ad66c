//! Removing the trust in skills.

use crate::commands::trust::call::TrustCall;
use crate::commands::trust::document::{RemovedDocument, RemovedJson};
use crate::commands::trust::target::{folder_of, skill};
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, one_line};
use skills_format::disk::resolved;
use skills_format::{command, prose};
use skills_runtime::source::{SkillTrust, TrustRecord};
use std::io::Write as _;
use std::path::{Path, PathBuf};

impl TrustCall<'_> {
    /// Removes the trust in the named skills. A name is an id, or the path of a folder that need not exist any
    /// more.
    pub(crate) fn distrust(&self, ids: &[String], cx: &mut Ctx) -> Result<Outcome, Failure> {
        let mut gone: Vec<&TrustRecord> = Vec::new();
        let mut others = Vec::new();
        for id in ids {
            let elsewhere = self.elsewhere(id);
            let entry = match skill(self.catalog, self.env, id) {
                Ok(entry) => entry,
                Err(_) if !elsewhere.is_empty() => {
                    gone.extend(elsewhere);
                    continue;
                }
                Err(failure) => return Err(self.lost(id).unwrap_or(failure)),
            };
            if entry.trust() == SkillTrust::Always {
                let source = entry.source().name();
                return Err(Failure::not_so(
                    format_args!(
                        "the trust in '{id}' cannot be removed: source '{source}' is always trusted"
                    ),
                    prose!("{} disables the skill", command("disable").word(id)),
                ));
            }
            match self.record_of(&entry) {
                Some(record) => gone.push(record),
                None => others.push(id.clone()),
            }
        }
        self.forget(&gone, others, cx)
    }

    /// Removes the trust in all skills of a source, or of all sources of the catalog.
    pub(crate) fn distrust_all(
        &self,
        source: Option<&str>,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        self.check_source(source)?;
        let sources = self
            .catalog
            .sources()
            .iter()
            .filter(|of| source.is_none_or(|name| of.name() == name));
        let roots: Vec<PathBuf> = sources
            .filter(|source| source.asks_for_trust())
            .flat_map(|source| source.roots().map(resolved).collect::<Vec<_>>())
            .collect();
        let records = self.records.iter();
        let gone: Vec<&TrustRecord> = records.filter(|r| roots.contains(&r.root)).collect();
        if gone.is_empty() && !cx.is_json {
            writeln!(cx, "no skill here is trusted")?;
        }
        self.forget(&gone, Vec::new(), cx)
    }

    /// Returns the records of a skill's folder, or of a folder of skills.
    fn elsewhere(&self, id: &str) -> Vec<&TrustRecord> {
        let path = self.env.absolute(Path::new(id));
        let paths = [resolved(&path), path];
        let is_it = |record: &&TrustRecord| {
            paths.contains(&record.root) || paths.contains(&folder_of(record))
        };
        self.records.iter().filter(is_it).collect()
    }

    /// Names the folder of a trusted skill that had this name and is gone.
    fn lost(&self, id: &str) -> Option<Failure> {
        let folders = self.records.iter().map(folder_of);
        let mut lost = folders.filter(|folder| !folder.exists());
        let folder = lost.find(|folder| folder.file_name().is_some_and(|name| name == id))?;
        let shown = self.env.shown(&folder);
        Some(Failure::not_so(
            format_args!("no skill has the id '{}'", one_line(id)),
            prose!(
                "a trusted skill of this name was in {}, which is gone: {} removes the trust",
                one_line(&shown),
                command("trust --remove").short_path(&shown)
            ),
        ))
    }

    fn forget(
        &self,
        gone: &[&TrustRecord],
        not_trusted: Vec<String>,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let removed = gone.iter().map(|record| RemovedJson::new(record, self));
        let document = RemovedDocument {
            removed: removed.collect(),
            not_trusted,
        };
        if !gone.is_empty() {
            let places: Vec<(PathBuf, PathBuf)> = gone
                .iter()
                .map(|record| (record.root.clone(), record.folder.clone()))
                .collect();
            let stored = self
                .file
                .distrust(&places)
                .map_err(|error| self.options.unwritten(&error))?;
            cx.warnings(&stored.diagnostics);
            if let Some(texts) = &self.texts {
                texts.forget(&self.records, &stored.value);
            }
        }
        if cx.is_json {
            cx.json(&document)?;
            return Ok(Outcome::Done);
        }
        for id in &document.not_trusted {
            writeln!(cx, "{} is not trusted", one_line(id))?;
        }
        for removed in document.removed {
            let place = || self.env.shown(Path::new(&removed.path));
            let what = removed.id.unwrap_or_else(place);
            writeln!(cx, "no longer trusted: {}", one_line(&what))?;
        }
        Ok(Outcome::Done)
    }
}
