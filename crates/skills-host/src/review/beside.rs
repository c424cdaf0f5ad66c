//! What changed beside the skills: files that decide what a client reads, locks, links and submodules.

use crate::files::snapshot::FileBytes;
use crate::review::files::{ChangedFile, ChangedKind, changed_links};
use crate::review::outside::above;
use crate::review::places::Places;
use crate::review::plugin_files::{decides, is_instructions};
use crate::review::side::{Files, Side};
use skills_compiler::LOCK_FILE;
use skills_format::{SKILL_FILE, join};
use skills_lint::PowerFile;
use skills_repository::Lock;
use std::cell::LazyCell;
use std::collections::BTreeSet;

pub(super) fn changed(old: &Side, new: &Side, places: &Places<'_>) -> Vec<ChangedFile> {
    let mut found = changed_links(&old.links, &new.links);
    let here = LazyCell::new(|| {
        let skills = new.skills.iter();
        let names = skills.flat_map(|skill| [skill.folder.clone(), skill.name()]);
        names.collect::<BTreeSet<_>>()
    });
    for (path, before, now) in differing(&old.beside, &new.beside) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        // A lock lies beside the folders of its skills.
        let place = new.of_top(&join(folder, "x"));
        let is_beside_skills = !decides(&join(&place, SKILL_FILE), Some(&place));
        found.push(if name == LOCK_FILE && is_beside_skills {
            let lowered = lowered(path, before, now, &here);
            let mut file = ChangedFile::of_bytes(path, ChangedKind::Lock, before, now);
            file.denied = lowered.is_some();
            file.note = lowered.unwrap_or(file.note);
            file
        } else if is_instructions(name) && !places.decides(path) {
            text(path, before, now)
        } else {
            ChangedFile::of_bytes(path, ChangedKind::Deciding, before, now)
        });
    }
    let outside = differing(&old.outside, &new.outside);
    found
        .extend(outside.filter_map(|(path, before, now)| judged(path, before, now, places, false)));
    for (path, before, now) in differing(&old.above, &new.above) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let up = new.prefix.matches('/').count() - above(folder).count();
        let path = "../".repeat(up) + name;
        found.push(ChangedFile::of_bytes(
            &path,
            ChangedKind::Deciding,
            before,
            now,
        ));
    }
    found.sort_by(|a, b| (a.kind, &a.path).cmp(&(b.kind, &b.path)));
    found
}

/// Returns the files that differ, with both versions.
fn differing<'f>(
    old: &'f Files,
    new: &'f Files,
) -> impl Iterator<Item = (&'f str, Option<&'f FileBytes>, Option<&'f FileBytes>)> {
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let files = paths.into_iter();
    let files = files.map(|path| (path.as_str(), old.get(path), new.get(path)));
    files.filter(|(_, before, now)| before != now)
}

/// Compares two versions of a file outside of the skills that is read or run, if there is one.
pub(super) fn judged(
    path: &str,
    before: Option<&FileBytes>,
    now: Option<&FileBytes>,
    places: &Places<'_>,
    is_code: bool,
) -> Option<ChangedFile> {
    let kinds = [before, now].into_iter().flatten();
    let worst = kinds.map(|file| places.kind(path, file, is_code)).min();
    Some(match worst? {
        ChangedKind::Instructions => text(path, before, now),
        kind => ChangedFile::of_bytes(path, kind, before, now),
    })
}

/// Compares two versions of instructions, and looks for named powers.
fn text(path: &str, before: Option<&FileBytes>, now: Option<&FileBytes>) -> ChangedFile {
    let mut file = ChangedFile::of_bytes(path, ChangedKind::Instructions, before, now);
    let powers = |version: Option<&FileBytes>| {
        skills_lint::powers(version.map(|version| PowerFile {
            path,
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

/// Says how a lock holds less than before: its skills are free then. `here` has the folders and names of the new skills.
fn lowered(
    path: &str,
    before: Option<&FileBytes>,
    now: Option<&FileBytes>,
    here: &BTreeSet<String>,
) -> Option<String> {
    let parse = |file: &FileBytes| Lock::parse(std::str::from_utf8(&file.bytes).ok()?).ok();
    let Some(before) = before else {
        return Some("is new, and can hold less than the lock above".to_owned());
    };
    let Some(before) = parse(before) else {
        return Some("could not be read before".to_owned());
    };
    let Some(now) = now else {
        return Some("was removed".to_owned());
    };
    let Some(now) = parse(now) else {
        return Some("cannot be read any more".to_owned());
    };
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_here = |name: &String| here.contains(name) || here.contains(&join(folder, name));
    let gone = before
        .skills
        .keys()
        .filter(|name| !now.skills.contains_key(*name) && is_here(name));
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
