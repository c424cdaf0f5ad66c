//! What changed beside the skills: files that decide what a client reads, locks, links and submodules.

use crate::review::files::{ChangedFile, ChangedKind, changed_links, kind};
use crate::review::side::{ATTRIBUTES, ReviewedSkill, Side};
use skills_compiler::LOCK_FILE;
use skills_format::{SKILL_FILE, join};
use skills_lint::PowerFile;
use skills_repository::Lock;
use skills_store::files::snapshot::FileBytes;
use std::collections::BTreeSet;

/// The files of instructions that agents read wherever they work.
const INSTRUCTIONS: [&str; 8] = [
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.local.md",
    "CLAUDE.md",
    "GEMINI.md",
    "QWEN.md",
    "WARP.md",
    "copilot-instructions.md",
];

pub(super) fn changed(old: &Side, new: &Side) -> Vec<ChangedFile> {
    let mut found = changed_links(&old.links, &new.links);
    let paths: BTreeSet<&String> = old.beside.keys().chain(new.beside.keys()).collect();
    for path in paths {
        let (before, now) = (old.beside.get(path), new.beside.get(path));
        if before == now {
            continue;
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let file = if let (Some(before), Some(now)) = (before, now)
            && before.bytes == now.bytes
        {
            ChangedFile::of_mode(path, now.executable)
        } else if name == LOCK_FILE {
            let lowered = lowered(path, before, now, new);
            let mut file = ChangedFile::of_bytes(path, ChangedKind::Lock, before, now);
            file.denied = lowered.is_some();
            file.note = lowered.unwrap_or(file.note);
            file
        } else if INSTRUCTIONS.contains(&name) {
            text(path, before, now)
        } else {
            ChangedFile::of_bytes(path, ChangedKind::Deciding, before, now)
        };
        found.push(file);
    }
    let mut skills = old.skills.iter().chain(&new.skills);
    let are_rules_linked = skills.any(ReviewedSkill::has_linked_rules);
    let outside: BTreeSet<&String> = old.outside.keys().chain(new.outside.keys()).collect();
    for path in outside {
        let (before, now) = (old.outside.get(path), new.outside.get(path));
        if let Some(file) = now.or(before).filter(|_| before != now) {
            found.push(match kind(path, file, false) {
                ChangedKind::Instructions if are_rules_linked => {
                    ChangedFile::of_bytes(path, ChangedKind::Deciding, before, now)
                }
                ChangedKind::Instructions => text(path, before, now),
                kind => ChangedFile::of_bytes(path, kind, before, now),
            });
        }
    }
    let above: BTreeSet<&String> = old.above.keys().chain(new.above.keys()).collect();
    for path in above {
        let (before, now) = (old.above.get(path), new.above.get(path));
        if before != now {
            let up = new.prefix.matches('/').count();
            let up = up.saturating_sub(path.matches('/').count());
            let path = "../".repeat(up) + ATTRIBUTES;
            found.push(ChangedFile::of_bytes(
                &path,
                ChangedKind::Deciding,
                before,
                now,
            ));
        }
    }
    found.sort_by(|a, b| (a.kind, &a.path).cmp(&(b.kind, &b.path)));
    found
}

/// Compares two versions of instructions. A text with front matter can be the `SKILL.md` of a skill, behind a link.
fn text(path: &str, before: Option<&FileBytes>, now: Option<&FileBytes>) -> ChangedFile {
    let mut file = ChangedFile::of_bytes(path, ChangedKind::Instructions, before, now);
    let powers = |version: Option<&FileBytes>| {
        skills_lint::powers(version.map(|version| PowerFile {
            path: if version.bytes.starts_with(b"---") {
                SKILL_FILE
            } else {
                path
            },
            bytes: Some(&version.bytes),
            is_executable: version.executable,
        }))
    };
    let gained = powers(now).widenings(&powers(before));
    let gained: Vec<String> = gained
        .into_iter()
        .map(|it| format!("{} {}", it.power.kind.as_str(), it.power.text))
        .collect();
    if now.is_some() && !gained.is_empty() {
        file.denied = true;
        file.note = format!("{}, and gained {}", file.note, gained.join(", "));
    }
    file
}

/// Says how a lock holds less than before: its skills are free then.
fn lowered(
    path: &str,
    before: Option<&FileBytes>,
    now: Option<&FileBytes>,
    new: &Side,
) -> Option<String> {
    let parse = |file: &FileBytes| Lock::parse(std::str::from_utf8(&file.bytes).ok()?).ok();
    let Some(before) = parse(before?) else {
        return Some("could not be read before".to_owned());
    };
    let Some(now) = now else {
        return Some("was removed".to_owned());
    };
    let Some(now) = parse(now) else {
        return Some("cannot be read any more".to_owned());
    };
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_there = |name: &str| {
        let mut skills = new.skills.iter();
        skills.any(|skill| skill.folder == join(folder, name) || skill.name() == name)
    };
    let gone = before
        .skills
        .keys()
        .filter(|name| !now.skills.contains_key(*name) && is_there(name));
    let gone: Vec<&str> = gone.map(String::as_str).collect();
    if !gone.is_empty() {
        return Some(format!("names no more: {}", gone.join(", ")));
    }
    let (mut open, mut widened) = (Vec::new(), Vec::new());
    for (name, now) in &now.skills {
        let before = before.skills.get(name);
        match (
            before.and_then(|before| before.powers.as_ref()),
            &now.powers,
        ) {
            // Without powers in the lock, a skill is held to none.
            (Some(_), None) => open.push(name.as_str()),
            (Some(before), Some(now)) if !now.widenings(before).is_empty() => {
                widened.push(name.as_str());
            }
            _ => {}
        }
    }
    if !open.is_empty() {
        return Some(format!("holds no powers any more of: {}", open.join(", ")));
    }
    (!widened.is_empty()).then(|| format!("holds more powers of: {}", widened.join(", ")))
}
