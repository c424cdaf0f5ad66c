//! The list of `skills trust`: the skills that require trust, and the skills trusted elsewhere.

use crate::commands::trust::call::TrustCall;
use crate::commands::trust::target::{folder_of, is_asked, place};
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::table::Table;
use crate::output::{Ctx, counted, one_line};
use serde::Serialize;
use skills_format::text::command::Command;
use skills_format::{command, prose};
use skills_runtime::Entry;
use skills_runtime::catalog::Location;
use skills_runtime::source::{SkillTrust, TrustChanges, TrustRecord};
use std::path::{Path, PathBuf};

/// `trust --format json`
#[derive(Serialize)]
pub(crate) struct TrustListDocument<'c> {
    skills: Vec<TrustSkillJson<'c>>,
}

#[derive(Serialize)]
struct TrustSkillJson<'c> {
    /// Null for a trusted skill that is not in this catalog.
    id: Option<String>,
    /// Null for a trusted skill that is not in this catalog.
    source: Option<&'c str>,
    /// The folder of the skill.
    path: String,
    trust: SkillTrust,
    /// The present trust digest; null when the skill cannot be trusted.
    digest: Option<String>,
    /// The entries that differ from the trusted entries.
    #[serde(flatten)]
    difference: TrustChanges,
}

impl<'c> TrustListDocument<'c> {
    /// Lists the skills of the catalog, in its order, then the trusted skills elsewhere.
    pub(crate) fn new(call: &TrustCall<'c>, cx: &mut Ctx) -> Self {
        let asked = || call.catalog.iter().filter(|entry| is_asked(entry, None));
        let mut skills: Vec<TrustSkillJson<'c>> = asked()
            .map(|entry| TrustSkillJson::here(call, entry, cx))
            .collect();
        let here: Vec<(PathBuf, PathBuf)> = asked().filter_map(|entry| place(&entry)).collect();
        let is_here = |record: &&TrustRecord| {
            let mut here = here.iter();
            here.any(|(root, folder)| *root == record.root && *folder == record.folder)
        };
        let elsewhere = call.records.iter().filter(|record| !is_here(record));
        skills.extend(elsewhere.map(|record| TrustSkillJson::elsewhere(record, call.env)));
        Self { skills }
    }

    pub(crate) fn print(&self, all_projects: bool, cx: &mut Ctx) -> Result<(), Failure> {
        if cx.is_json {
            return cx.json(self);
        }
        if self.skills.is_empty() {
            cx.note("no skill here needs trust, and no skill elsewhere is trusted");
            return Ok(());
        }
        let is_here = |skill: &&TrustSkillJson<'_>| skill.id.is_some();
        let here = self.skills.iter().filter(is_here).count();
        if all_projects || here > 0 {
            let shown = self.skills.iter().filter(|it| all_projects || is_here(it));
            table(shown, cx)?;
        }
        self.next(cx);
        let elsewhere = self.skills.len() - here;
        if elsewhere > 0 && !all_projects {
            let are = if elsewhere == 1 { "is" } else { "are" };
            cx.note(prose!(
                "{} elsewhere {are} trusted: `skills trust --all-projects` lists {}",
                counted(elsewhere, "skill"),
                if elsewhere == 1 { "it" } else { "them" }
            ));
        }
        Ok(())
    }

    /// Notes the commands for the skills that are not trusted.
    fn next(&self, cx: &mut Ctx) {
        let mut asked = self
            .skills
            .iter()
            .filter(|skill| skill.trust != SkillTrust::Trusted);
        let Some((id, first)) = asked.find_map(|skill| Some((skill.id.as_deref()?, skill))) else {
            return;
        };
        let look = look(id, first.trust);
        let then = if asked.next().is_some() {
            prose!(
                "{}, or trust all skills with `skills trust --all`",
                command("trust").word(id)
            )
        } else {
            command("trust").word(id).into()
        };
        cx.note(prose!(
            "look at a skill with {}, then trust the skill with {}",
            look,
            then
        ));
    }
}

fn table<'s>(
    skills: impl Iterator<Item = &'s TrustSkillJson<'s>>,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let mut table = Table::new(["SKILL", "SOURCE", "STATE", "FOLDER"]);
    for skill in skills {
        table.push([
            one_line(&cx.env.shown(Path::new(skill.id.as_deref().unwrap_or("-")))),
            one_line(skill.source.unwrap_or("-")),
            skill.state(),
            one_line(&cx.env.shown(Path::new(&skill.path))),
        ]);
    }
    table.print(cx)
}

/// Returns the command that shows the version that a person would trust.
pub(crate) fn look(id: &str, trust: SkillTrust) -> Command {
    if trust == SkillTrust::Changed {
        command("trust --diff").word(id)
    } else {
        command("show").word(id)
    }
}

impl<'c> TrustSkillJson<'c> {
    fn here(call: &TrustCall<'c>, entry: Entry<'c>, cx: &mut Ctx) -> Self {
        let plain = call.plain(&entry);
        let now = plain.map(|plain| plain.trust_record()).transpose();
        if let Err(error) = &now {
            cx.warning(error);
        }
        let now = now.ok().flatten();
        let before = call.record_of(&entry);
        let difference = before
            .zip(now.as_ref())
            .map(|(before, now)| before.difference(now));
        let trust = match (&difference, before) {
            (Some(difference), _) if difference.is_empty() => SkillTrust::Trusted,
            (_, Some(_)) => SkillTrust::Changed,
            (_, None) => SkillTrust::Untrusted,
        };
        let path = match entry.location() {
            Location::Folder(dir) => call.env.documented(dir),
            _ => String::new(),
        };
        Self {
            id: Some(entry.id().into_owned()),
            source: Some(entry.source().name()),
            path,
            trust,
            digest: now.map(|now| now.digest().to_string()),
            difference: difference.unwrap_or_default(),
        }
    }

    fn elsewhere(record: &TrustRecord, env: &Environment) -> Self {
        Self {
            id: None,
            source: None,
            path: env.documented(&folder_of(record)),
            trust: SkillTrust::Trusted,
            digest: Some(record.digest().to_string()),
            difference: TrustChanges::default(),
        }
    }

    fn state(&self) -> String {
        match self.trust {
            SkillTrust::Trusted => "trusted".to_owned(),
            SkillTrust::Changed if self.difference.is_empty() => "untrusted, changed".to_owned(),
            SkillTrust::Changed => {
                format!("untrusted: {}", one_line(&self.difference.words()))
            }
            _ => "untrusted".to_owned(),
        }
    }
}
