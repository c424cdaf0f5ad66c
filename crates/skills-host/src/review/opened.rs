//! The restraints that a change takes away in a client, by the client's own reader.

use crate::review::side::ReviewedSkill;
use skills_clients::check::clients;
use skills_clients::reading::claude_code_reads_field;
use skills_format::OPENAI_FILE;
use skills_lint::{Reading, SkillText, enumerated};
use skills_permit::power::restraint::WITHOUT;
use skills_permit::{Power, PowerKind, Powers};

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

/// Returns the clients that did not list the skill because it was not a skill for them, and list it now.
pub(super) fn listed_now(old: &ReviewedSkill, new: &ReviewedSkill) -> Option<String> {
    let is_new = |read: fn(&SkillText<'_>) -> Reading| {
        let before = reading(read, old);
        !matches!(before, Some(Reading::Listed(_) | Reading::Closed))
            && matches!(reading(read, new), Some(Reading::Listed(_)))
    };
    let known = clients()
        .iter()
        .filter_map(|client| Some((client.title, client.reads?.read)));
    let mut titles: Vec<&str> = known
        .filter(|(_, read)| is_new(*read))
        .map(|(title, _)| title)
        .collect();
    titles.dedup();
    (!titles.is_empty()).then(|| format!("listed now in {}", enumerated(&titles)))
}

/// Returns the restraints of the old version whose field Claude Code reads there and no longer reads in the new version,
/// although the field may stand in it: the front matter holds a fault. Only Claude Code reads these fields.
pub(super) fn unread(before: &Powers, old: &ReviewedSkill, new: &ReviewedSkill) -> Powers {
    let mut lost = Powers::default();
    for key in FIELDS {
        let is_read = |skill: &ReviewedSkill| {
            let file = skill.files.get("SKILL.md");
            file.is_some_and(|file| claude_code_reads_field(&file.bytes, key))
        };
        if !is_read(old) || is_read(new) {
            continue;
        }
        if key == "hooks" {
            lost.insert(PowerKind::Restraints, format!("hooks in {CLAUDE_CODE}"));
            continue;
        }
        let restraints = before
            .iter()
            .filter(|power| power.kind == PowerKind::Restraints && power.text.starts_with(WITHOUT));
        for power in restraints {
            lost.insert(power.kind, format!("{} in {CLAUDE_CODE}", power.text));
        }
    }
    lost
}

const CLAUDE_CODE: &str = "Claude Code";

/// The fields of restraints that only Claude Code reads.
const FIELDS: [&str; 2] = ["disallowed-tools", "hooks"];

fn reading(read: fn(&SkillText<'_>) -> Reading, skill: &ReviewedSkill) -> Option<Reading> {
    let text = String::from_utf8_lossy(&skill.files.get("SKILL.md")?.bytes);
    let policy = skill.files.get(OPENAI_FILE);
    Some(read(&SkillText {
        folder: skill.folder.rsplit('/').next().unwrap_or_default(),
        text: &text,
        policy: policy.and_then(|file| std::str::from_utf8(&file.bytes).ok()),
    }))
}
