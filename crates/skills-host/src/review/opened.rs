//! The clients in which a change opens a skill to the model, by their own readers.

use crate::review::side::ReviewedSkill;
use skills_clients::check::clients;
use skills_format::{OPENAI_FILE, Power, PowerKind, Powers};
use skills_lint::{Reading, SkillText, enumerated};

/// Returns the restraint that is lost if a client reads the old version as closed to the model, and lists the new version.
pub(super) fn lost_restraint(old: &ReviewedSkill, new: &ReviewedSkill) -> Option<Power> {
    let known = clients()
        .iter()
        .filter_map(|client| Some((client.title, client.reads?.read)));
    let opened = known.filter(|(_, read)| {
        matches!(reading(*read, old), Some(Reading::Closed))
            && matches!(reading(*read, new), Some(Reading::Listed(_)))
    });
    let mut titles: Vec<&str> = opened.map(|(title, _)| title).collect();
    titles.dedup();
    let mut lost = Powers::default();
    if !titles.is_empty() {
        let text = format!("closed to the model in {}", enumerated(&titles));
        lost.insert(PowerKind::Restraints, text);
    }
    lost.iter().next()
}

fn reading(read: fn(&SkillText<'_>) -> Reading, skill: &ReviewedSkill) -> Option<Reading> {
    let text = String::from_utf8_lossy(&skill.files.get("SKILL.md")?.bytes);
    let policy = skill.files.get(OPENAI_FILE);
    Some(read(&SkillText {
        folder: skill.folder.rsplit('/').next().unwrap_or_default(),
        text: &text,
        policy: policy.and_then(|file| std::str::from_utf8(&file.bytes).ok()),
    }))
}
