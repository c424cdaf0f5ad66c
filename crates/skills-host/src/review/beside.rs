//! What changed beside the skills: files that decide what a client reads, locks, links and submodules.

use crate::files::snapshot::FileBytes;
use crate::review::files::{ChangedFile, ChangedKind, changed_links, widenings};
use crate::review::places::Places;
use crate::review::plugin_files::{decides, is_instructions};
use crate::review::side::{Files, Side};
use skills_compiler::LOCK_FILE;
use skills_format::{Digest, SKILL_FILE, join, left_out};
use skills_lint::PowerFile;
use skills_repository::{Lock, Locked};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn changed(old: &Side, new: &Side, places: &Places<'_>) -> Vec<ChangedFile> {
    let mut found = changed_links(&old.links, &new.links);
    let here = LazyCell::new(|| here(new));
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
        let mut up = new.prefix.matches('/').count();
        let mut rest = path;
        for part in new.prefix.split_terminator('/') {
            let Some(below) = rest.strip_prefix(part).and_then(|it| it.strip_prefix('/')) else {
                break;
            };
            (rest, up) = (below, up - 1);
        }
        let path = "../".repeat(up) + rest;
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
        skills_lint::powers_and_calls(version.map(|version| PowerFile {
            path,
            bytes: Some(&version.bytes),
            is_executable: version.executable,
        }))
    };
    let gained = widenings(&powers(now), &powers(before));
    let gained: Vec<String> = gained
        .into_iter()
        .map(|it| format!("{} {}", it.kind.label(), it.text))
        .collect();
    if now.is_some() && !gained.is_empty() {
        file.denied = true;
        file.note = format!("{}, and gained {}", file.note, gained.join(", "));
    }
    file
}

/// Returns the digests that a lock has of the skills of a side, by their folders and names.
fn here(side: &Side) -> BTreeMap<String, Vec<Digest>> {
    let mut here: BTreeMap<String, Vec<Digest>> = BTreeMap::new();
    for skill in &side.skills {
        let has = |path: &str| skill.files.contains_key(path);
        let mut locked = skill.clone();
        locked
            .files
            .retain(|path, _| left_out(path, &has).is_none());
        for name in [skill.folder.clone(), skill.name()] {
            here.entry(name).or_default().push(locked.digest());
        }
    }
    here
}

/// Says how a lock holds less than before, which frees its skills, or brings files that are not compared. `here` has the digests
/// of the new skills by their folders and names.
fn lowered(
    path: &str,
    before: Option<&FileBytes>,
    now: Option<&FileBytes>,
    here: &BTreeMap<String, Vec<Digest>>,
) -> Option<String> {
    let parse = |file: &FileBytes| Lock::parse(std::str::from_utf8(&file.bytes).ok()?).ok();
    let Some(before) = before else {
        return Some("is new: a lock in a folder above it no longer counts here".to_owned());
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
    // The names of a lock are those of folders beside it, or of skills.
    let digests = |name: &str| {
        let names = [name.to_owned(), join(folder, name)];
        names
            .into_iter()
            .filter_map(|name| here.get(&name))
            .flatten()
    };
    let is_here = |name: &String| digests(name).next().is_some();
    let gone = before
        .skills
        .keys()
        .filter(|name| !now.skills.contains_key(*name) && is_here(name));
    let gone: Vec<&str> = gone.map(String::as_str).collect();
    if !gone.is_empty() {
        return Some(format!("names no more: {}", gone.join(", ")));
    }
    if before.kind != now.kind {
        return Some("is a lock of another kind".to_owned());
    }
    let (mut open, mut widened, mut strange) = (Vec::new(), Vec::new(), Vec::new());
    for (name, now) in &now.skills {
        let before = before.skills.get(name);
        let from = now.provenance.as_ref();
        // `install --frozen` brings the files of the digest, and `update` those of the source.
        let source = |locked: &Locked| {
            let from = locked.provenance.as_ref()?;
            Some((from.source.clone(), from.path.clone()))
        };
        let is_moved = before.is_some_and(|before| source(before) != source(now));
        let is_same = before.is_some_and(|before| before.digest == now.digest);
        if is_moved || !is_same && !digests(name).any(|digest| *digest == now.digest) {
            let from = from.map_or_else(String::new, |from| format!(" ({})", from.shown_source()));
            strange.push(format!("{name}{from}"));
        }
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
        return Some(format!(
            "no longer lists the powers of: {}",
            open.join(", ")
        ));
    }
    if !widened.is_empty() {
        return Some(format!("lists more powers of: {}", widened.join(", ")));
    }
    let strange = strange.join(", ");
    (!strange.is_empty()).then(|| {
        format!("has an entry with another source, or with files that are not here: {strange}")
    })
}
