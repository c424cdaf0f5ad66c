//! Files that changed and are not judged.

use crate::files::relative_path::folded;
use crate::files::snapshot::FileBytes;
use crate::review::difference::unified;
use crate::review::names::{is_media_name, is_text_name};
use crate::review::outside::{above, below};
use crate::review::side::ReviewedSkill;
use crate::review::step;
use serde::Serialize;
use skills_format::Digest;
use skills_lint::is_binary_media;
use skills_permit::{Power, PowerKind, PowerPlace, Powers};
use skills_repository::Rewrites;
use std::collections::{BTreeMap, BTreeSet};

/// Something that changed and is not judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ChangedFile {
    /// The path relative to the skill, or to the root of the side beside the skills.
    pub path: String,
    /// What the file is.
    pub kind: ChangedKind,
    /// The change fails the gate.
    pub denied: bool,
    /// What happened, in words: `added`, `renamed from a.md`, `a link to x`.
    pub note: String,
    /// The digest of the old version. For a link, where it led.
    pub old: Option<String>,
    /// The digest of the new version. For a link, where it leads.
    pub new: Option<String>,
    /// The lines that instructions have and did not have.
    pub added: usize,
    /// The lines that instructions had and do not have.
    pub removed: usize,
    /// The unified difference of instructions. `None` for other files, and for long texts.
    pub unified: Option<String>,
}

/// What a changed file is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangedKind {
    /// A file that decides what a client reads or runs: a manifest, settings, hooks, attributes of git.
    #[default]
    Deciding,
    /// A link or a submodule. Nothing behind it is compared.
    Link,
    /// A file that a program runs.
    Code,
    /// The run bit alone.
    Mode,
    /// Data that a program can read or run.
    Data,
    /// A skill that a client did not list, and lists now.
    Listed,
    /// A skill in another folder.
    Moved,
    /// A `skills.lock`.
    Lock,
    /// Text for a model.
    Instructions,
    /// A picture, a font or a sound.
    Media,
    /// A file that no skill and no file of a client names.
    Other,
}

/// The most lines of a text that are compared line by line. Of longer texts all lines count.
const MOST_LINES: usize = 5_000;
impl ChangedFile {
    pub(super) fn note(kind: ChangedKind, path: &str, note: String, denied: bool) -> Self {
        Self {
            path: path.to_owned(),
            kind,
            denied,
            note,
            ..Self::default()
        }
    }

    /// Compares two versions of a file that is of a kind.
    pub(super) fn of_bytes(
        path: &str,
        kind: ChangedKind,
        old: Option<&FileBytes>,
        new: Option<&FileBytes>,
    ) -> Self {
        let digest =
            |file: Option<&FileBytes>| file.map(|file| Digest::of(&file.bytes).to_string());
        let note = match (old, new) {
            (None, _) => "added".to_owned(),
            (_, None) => "removed".to_owned(),
            (Some(old), Some(new)) if old.bytes == new.bytes => {
                // A hook without its run bit does not run. Windows has no such bit.
                let is_lost = cfg!(unix) && kind == ChangedKind::Deciding;
                let note = mode_in_words(new.executable).to_owned();
                return Self::note(ChangedKind::Mode, path, note, new.executable || is_lost);
            }
            (Some(old), Some(new)) if old.executable != new.executable => {
                format!("changed, {}", mode_in_words(new.executable))
            }
            _ => "changed".to_owned(),
        };
        let mut found = Self {
            old: digest(old),
            new: digest(new),
            denied: !matches!(kind, ChangedKind::Instructions | ChangedKind::Media),
            ..Self::note(kind, path, note, false)
        };
        if kind == ChangedKind::Instructions {
            let text = |file: Option<&FileBytes>| {
                file.map(|file| String::from_utf8_lossy(&file.bytes).into_owned())
            };
            let (old, new) = (text(old), text(new));
            let count =
                |text: &Option<String>| text.as_ref().map_or(0, |text| text.lines().count());
            (found.added, found.removed) = (count(&new), count(&old));
            if found.added.max(found.removed) <= MOST_LINES {
                let lines = unified(path, old.as_deref(), new.as_deref());
                let count = |mark| {
                    lines
                        .lines()
                        .skip(2)
                        .filter(|it| it.starts_with(mark))
                        .count()
                };
                (found.added, found.removed) = (count('+'), count('-'));
                found.unified = Some(skills_lint::render::masked(&lines).into_owned());
            }
        }
        found
    }

    /// Denies a text or a picture of which a checkout has other bytes than were compared.
    pub(super) fn deny_rewritten(&mut self, path: &str, rewrites: &BTreeMap<String, Rewrites>) {
        let is_open = matches!(self.kind, ChangedKind::Instructions | ChangedKind::Media);
        let is_rewritten = || {
            above(path).any(|folder| {
                let of_folder = rewrites.get(folder);
                of_folder.is_some_and(|it| it.holds(&below(path, folder)))
            })
        };
        if is_open && is_rewritten() {
            self.kind = ChangedKind::Data;
            self.denied = true;
            self.note += ", and git writes other bytes into a checkout";
        }
    }
}

const fn mode_in_words(executable: bool) -> &'static str {
    if executable {
        "executable"
    } else {
        "no longer executable"
    }
}

/// Returns the files and links of a skill that differ. `kind` tells what a file is, by its path in the skill.
pub(super) fn changed(
    old: Option<&ReviewedSkill>,
    new: Option<&ReviewedSkill>,
    kind: &dyn Fn(&str, &FileBytes, bool) -> ChangedKind,
    before: &Powers,
    after: &Powers,
) -> Vec<ChangedFile> {
    let nothing = ReviewedSkill::default();
    let (old, new) = (old.unwrap_or(&nothing), new.unwrap_or(&nothing));
    let code: BTreeSet<String> = scripts(before).chain(scripts(after)).collect();
    let paths: BTreeSet<&String> = old.files.keys().chain(new.files.keys()).collect();
    let mut twins: BTreeMap<String, usize> = BTreeMap::new();
    for path in new.files.keys() {
        *twins.entry(folded(path)).or_default() += 1;
    }
    // A file with the same bytes under another path is renamed.
    let mut gone: BTreeMap<&[u8], Vec<&String>> = BTreeMap::new();
    for path in &paths {
        if let (Some(file), None) = (old.files.get(*path), new.files.get(*path)) {
            gone.entry(&file.bytes).or_default().push(path);
        }
    }
    let kind = |path: &str, file: &FileBytes| kind(path, file, code.contains(path));
    let mut renamed = BTreeSet::new();
    let mut found = Vec::new();
    for path in &paths {
        step(1);
        let (before, now) = (old.files.get(*path), new.files.get(*path));
        let Some(file) = now.or(before).filter(|_| before != now) else {
            continue;
        };
        // What the old bytes were counts too: front matter that is gone had restraints.
        let kinds = [before, now].into_iter().flatten();
        let worst = kinds.map(|file| kind(path, file)).min().unwrap_or_default();
        let mut changed = ChangedFile::of_bytes(path, worst, before, now);
        // Many systems have one file for the two, and then a client reads either.
        if now.is_some() && twins[&folded(path)] > 1 {
            changed.denied = true;
            changed.note += ", beside a file whose name differs in case alone";
        }
        let is_new = before.is_none() && !file.bytes.is_empty();
        let from = gone
            .get_mut(&*file.bytes)
            .filter(|_| is_new)
            .and_then(Vec::pop);
        if let Some(from) = from {
            changed.note = changed
                .note
                .replacen("added", &format!("renamed from {from}"), 1);
            changed.old.clone_from(&changed.new);
            // What the old name made of the bytes is gone: a script, a file that a client reads.
            let was = kind(from, file);
            changed.denied |= !matches!(was, ChangedKind::Instructions | ChangedKind::Media);
            (changed.added, changed.removed, changed.unified) = (0, 0, None);
            renamed.insert(from);
        }
        found.push(changed);
    }
    found.retain(|file| file.new.is_some() || file.old.is_none() || !renamed.contains(&file.path));
    found.extend(changed_links(&old.links, &new.links));
    found.sort_by(|a, b| (a.kind, &a.path).cmp(&(b.kind, &b.path)));
    found
}

/// Returns the links that differ. A link that is gone can have led a client to a guard.
pub(super) fn changed_links<T: ToString + PartialEq>(
    old: &BTreeMap<String, T>,
    new: &BTreeMap<String, T>,
) -> Vec<ChangedFile> {
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let mut found = Vec::new();
    for path in paths {
        step(1);
        let (before, now) = (old.get(path), new.get(path));
        if before != now {
            let words = |leads: Option<&T>| leads.map(ToString::to_string);
            let note = words(now).unwrap_or_else(|| "removed".to_owned());
            found.push(ChangedFile {
                old: words(before),
                new: words(now),
                ..ChangedFile::note(ChangedKind::Link, path, note, true)
            });
        }
    }
    found
}

/// Returns everything that widens a skill. A line of code whose place has another new power says no more.
pub(super) fn widenings(now: &Powers, base: &Powers) -> Vec<Power> {
    let mut all = now.widenings(base);
    let is_call = |power: &Power| power.text.starts_with('`');
    let named = all.iter().filter(|power| !is_call(power));
    let named: BTreeSet<PowerPlace> = named.flat_map(|power| power.places.clone()).collect();
    all.retain(|power| !is_call(power) || power.places.iter().any(|place| !named.contains(place)));
    all
}

/// Returns the paths of the files that are scripts.
fn scripts(powers: &Powers) -> impl Iterator<Item = String> {
    let scripts = powers
        .iter()
        .filter(|power| power.kind == PowerKind::Scripts);
    scripts.flat_map(|power| power.places.into_iter().map(|place| place.path))
}

/// Returns what a file is by what runs it, then by its name. In doubt it is data, which fails the gate.
pub(super) fn kind(path: &str, file: &FileBytes, is_code: bool) -> ChangedKind {
    let name = path.rsplit('/').next().unwrap_or(path);
    // A text with a NUL is binary for many programs.
    let is_text = std::str::from_utf8(&file.bytes).is_ok_and(|text| !text.contains('\0'));
    if is_code || file.executable {
        ChangedKind::Code
    } else if is_text && is_text_name(name) {
        ChangedKind::Instructions
    } else if is_media_name(name)
        && !is_text
        && is_binary_media(&file.bytes)
        && !file.bytes.starts_with(b"PK")
    {
        ChangedKind::Media
    } else {
        ChangedKind::Data
    }
}
