//! Merges a skill again with the answers of a person to its conflicts.

use crate::install::conflict::{Answers, Conflict, Unmerged, reason};
use crate::install::difference::between;
use crate::install::markers::{marked, marker_left};
use crate::install::merge::merge;
use crate::install::plan::{Action, Plan, PlannedSkill};
use skills_format::{Prose, SKILL_FILE, SkillFile};
use skills_store::Error;
use skills_store::files::snapshot::Snapshot;

impl Plan {
    /// Returns the skills whose merge has conflicts.
    pub fn conflicted(&self) -> impl Iterator<Item = &PlannedSkill> {
        let has_any = |skill: &&PlannedSkill| !skill.conflicts.is_empty();
        self.skills.iter().filter(has_any)
    }

    /// Merges a skill again with answers. With an answer to every conflict the skill is merged; otherwise it stays
    /// refused with the remaining conflicts. The plan gets another id.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotUtf8`](skills_store::ErrorKind::NotUtf8) if the plan cannot be written.
    pub fn answer(&mut self, name: &str, answers: &Answers) -> Result<(), Error> {
        for skill in &mut self.skills {
            if skill.name == name {
                skill.answer(answers);
            }
        }
        self.identify()
    }
}

impl PlannedSkill {
    /// Returns a file with conflict markers around the lines that both sides changed; `None` if it is not text.
    pub fn marked(&self, path: &str) -> Option<Vec<u8>> {
        let unmerged = self.unmerged.as_ref()?;
        let is_text = |conflict: &&Conflict| conflict.path == path && conflict.text;
        self.conflicts.iter().find(is_text)?;
        let bytes = |of: &Snapshot| of.get(path).map(|file| file.bytes.to_vec());
        Some(marked(
            &bytes(&unmerged.installed).unwrap_or_default(),
            &bytes(&unmerged.now).unwrap_or_default(),
            &bytes(&unmerged.upstream).unwrap_or_default(),
        ))
    }

    /// Returns the first line of a text, counted from 1, that holds a conflict marker that neither version has.
    pub fn marker_left(&self, path: &str, text: &[u8]) -> Option<usize> {
        let unmerged = self.unmerged.as_ref()?;
        let versions = [&unmerged.now, &unmerged.upstream];
        let known = versions.map(|of| of.get(path).map_or(&[][..], |file| &file.bytes));
        marker_left(text, &known)
    }

    fn answer(&mut self, answers: &Answers) {
        let Some(unmerged) = &self.unmerged else {
            return;
        };
        let Unmerged {
            installed,
            now,
            upstream,
            locked,
        } = &**unmerged;
        let merged = merge(installed, now, upstream, answers);
        if !merged.conflicts.is_empty() {
            self.conflicts = merged.conflicts;
            self.reason = Some(reason(&self.conflicts).into());
            return;
        }
        if let Some(why) = fault(&self.name, &merged.result) {
            // The conflicts stay, so that the person can answer again.
            self.reason = Some(why);
            return;
        }
        let difference = between(now, &merged.result);
        let (upstream, locked, seen) = (upstream.clone(), locked.clone(), now.seen());
        let mut planned = Self {
            difference,
            conflicts: Vec::new(),
            reason: None,
            help: None,
            unmerged: None,
            ..self.clone()
        };
        planned.kept.extend(merged.kept);
        planned.part_kept(now, &upstream, &merged.result);
        *self = planned.prepare(Action::Merge, upstream, merged.result, Some(seen), locked);
    }
}

/// Returns the reason why a merged skill is not a skill of its name any more. A person's answers can break its front
/// matter.
pub(crate) fn fault(name: &str, merged: &Snapshot) -> Option<Prose> {
    let Some((_, file)) = merged.skill_file() else {
        return Some("the merged skill has no SKILL.md".into());
    };
    match SkillFile::read(SKILL_FILE, name, &file.bytes).lenient().0 {
        None => Some("no name and description can be read from the merged SKILL.md".into()),
        Some(skill) if skill.name.as_str() != name => {
            Some(format!("the merged SKILL.md names the skill `{}`", skill.name).into())
        }
        Some(_) => None,
    }
}
