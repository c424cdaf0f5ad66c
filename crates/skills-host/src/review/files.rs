//! Files that changed and are not judged.

use crate::review::difference::unified;
use crate::review::plugin_files::is_plugin_file;
use crate::review::side::ReviewedSkill;
use crate::review::step;
use serde::Serialize;
use skills_format::{Digest, OPENAI_FILE};
use skills_permit::{PowerKind, Powers};
use skills_repository::Rewrites;
use skills_store::files::snapshot::FileBytes;
use std::collections::{BTreeMap, BTreeSet};

/// Something that changed and is not judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
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
#[non_exhaustive]
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
    /// A picture, a font, a sound or a document.
    Media,
    /// A file that no skill and no file of a client names.
    Other,
}

/// The most lines of a text that are compared line by line. Of longer texts the lines are counted.
const MOST_LINES: usize = 5_000;
const TEXTS: [&str; 7] = ["md", "markdown", "txt", "rst", "adoc", "csv", "tsv"];
/// The beginnings of names of texts that programs read.
const PROGRAMS: [&str; 5] = [
    "CMakeLists",
    "conanfile",
    "constraints",
    "meson_options",
    "requirements",
];
const TEXT_NAMES: [&str; 7] = [
    "LICENSE",
    "LICENCE",
    "README",
    "NOTICE",
    "COPYING",
    "AUTHORS",
    "CHANGELOG",
];
const MEDIA: [&str; 26] = [
    "png", "jpg", "jpeg", "gif", "webp", "ico", "bmp", "tiff", "avif", "pdf", "ttf", "otf", "woff",
    "woff2", "eot", "mp3", "mp4", "wav", "ogg", "webm", "mov", "docx", "xlsx", "pptx", "odt",
    "ods",
];

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

    /// A change of the run bit alone.
    pub(super) fn of_mode(path: &str, executable: bool) -> Self {
        let note = mode_in_words(executable).to_owned();
        Self::note(ChangedKind::Mode, path, note, executable)
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
            (None, _) => "added",
            (_, None) => "removed",
            _ => "changed",
        };
        let mut found = Self {
            old: digest(old),
            new: digest(new),
            denied: !matches!(kind, ChangedKind::Instructions | ChangedKind::Media),
            ..Self::note(kind, path, note.to_owned(), false)
        };
        let text = |file: Option<&FileBytes>| {
            file.map(|file| String::from_utf8_lossy(&file.bytes).into_owned())
        };
        if kind == ChangedKind::Instructions {
            let (old, new) = (text(old), text(new));
            (found.added, found.removed) = counted(
                old.as_deref().unwrap_or_default(),
                new.as_deref().unwrap_or_default(),
            );
            let is_short = |text: &Option<String>| {
                text.as_ref()
                    .is_none_or(|text| text.lines().count() <= MOST_LINES)
            };
            if is_short(&old) && is_short(&new) {
                let lines = unified(path, old.as_deref(), new.as_deref());
                found.unified = Some(skills_lint::render::masked(&lines).into_owned());
            }
        }
        found
    }
}

impl ChangedFile {
    /// Denies a text or a picture of which a checkout has other bytes than were compared.
    pub(super) fn deny_rewritten(&mut self, path: &str, rewrites: &BTreeMap<String, Rewrites>) {
        let is_open = matches!(self.kind, ChangedKind::Instructions | ChangedKind::Media);
        let ends = path.match_indices('/').map(|(at, _)| at + 1);
        let is_rewritten = || {
            std::iter::once(0).chain(ends).any(|end| {
                step(1);
                let (folder, below) = path.split_at(end);
                rewrites.get(folder).is_some_and(|it| it.holds(below))
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

/// Returns the numbers of lines that only one text has, each counted as often as it stands there. Linear in the texts.
fn counted(old: &str, new: &str) -> (usize, usize) {
    let mut lines: BTreeMap<&str, i64> = BTreeMap::new();
    new.split_inclusive('\n')
        .for_each(|line| *lines.entry(line).or_default() += 1);
    old.split_inclusive('\n')
        .for_each(|line| *lines.entry(line).or_default() -= 1);
    let sum = |sign: i64| {
        lines
            .values()
            .map(|count| (count * sign).max(0).unsigned_abs())
            .sum::<u64>()
    };
    (
        usize::try_from(sum(1)).unwrap_or(usize::MAX),
        usize::try_from(sum(-1)).unwrap_or(usize::MAX),
    )
}

/// Returns the files and links of a skill that differ.
pub(super) fn changed(
    old: Option<&ReviewedSkill>,
    new: Option<&ReviewedSkill>,
    before: &Powers,
    after: &Powers,
) -> Vec<ChangedFile> {
    let (nothing, no_files) = (ReviewedSkill::default(), BTreeMap::new());
    let old_files = old.map_or(&no_files, |old| &old.files);
    let new_files = new.map_or(&no_files, |new| &new.files);
    let code = scripts(before)
        .chain(scripts(after))
        .collect::<BTreeSet<String>>();
    let paths: BTreeSet<&String> = old_files.keys().chain(new_files.keys()).collect();
    let (mut folded, mut twins) = (BTreeSet::new(), BTreeSet::new());
    for path in new_files.keys().map(|path| path.to_lowercase()) {
        if !folded.insert(path.clone()) {
            twins.insert(path);
        }
    }
    // A file with the same bytes under another path is renamed.
    let mut gone: BTreeMap<&[u8], Vec<&String>> = BTreeMap::new();
    for path in &paths {
        if let (Some(file), None) = (old_files.get(*path), new_files.get(*path)) {
            gone.entry(&file.bytes).or_default().push(path);
        }
    }
    let mut skills = [old, new].into_iter().flatten();
    let are_rules_linked = skills.any(ReviewedSkill::has_linked_rules);
    let mut renamed = BTreeSet::new();
    let mut found = Vec::new();
    for path in &paths {
        step(1);
        let (before, now) = (old_files.get(*path), new_files.get(*path));
        let Some(file) = now.or(before).filter(|_| before != now) else {
            continue;
        };
        let mode = match (before, now) {
            (Some(before), Some(now)) if before.bytes == now.bytes => {
                found.push(ChangedFile::of_mode(path, now.executable));
                continue;
            }
            (Some(before), Some(now)) if before.executable != now.executable => {
                mode_in_words(now.executable)
            }
            _ => "",
        };
        let mut kind = kind(path, file, code.contains(path.as_str()));
        if kind == ChangedKind::Instructions && are_rules_linked {
            kind = ChangedKind::Deciding;
        }
        let mut changed = ChangedFile::of_bytes(path, kind, before, now);
        // Many systems have one file for the two, and then a client reads either.
        if now.is_some() && twins.contains(&path.to_lowercase()) {
            changed.denied = true;
            changed.note += ", beside a file whose name differs in case alone";
        }
        if !mode.is_empty() {
            changed.note = format!("{}, {mode}", changed.note);
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
            let was = self::kind(from, file, code.contains(from.as_str()));
            changed.denied |= !matches!(was, ChangedKind::Instructions | ChangedKind::Media);
            (changed.added, changed.removed, changed.unified) = (0, 0, None);
            renamed.insert(from);
        }
        found.push(changed);
    }
    found.retain(|file| file.new.is_some() || file.old.is_none() || !renamed.contains(&file.path));
    let (old, new) = (old.unwrap_or(&nothing), new.unwrap_or(&nothing));
    found.extend(changed_links(&old.links, &new.links));
    found.sort_by(|a, b| (a.kind, &a.path).cmp(&(b.kind, &b.path)));
    found
}

/// Returns the links that differ. A link that is gone leads nowhere any more.
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
                ..ChangedFile::note(ChangedKind::Link, path, note, now.is_some())
            });
        }
    }
    found
}

/// Returns the paths of the files that are scripts.
fn scripts(powers: &Powers) -> impl Iterator<Item = String> {
    let scripts = powers
        .iter()
        .filter(|power| power.kind == PowerKind::Scripts);
    scripts.flat_map(|power| power.places.into_iter().map(|place| place.path))
}

/// Returns what a file of a skill is: by what runs it, then by its name. In doubt it is data, which fails the gate.
pub(super) fn kind(path: &str, file: &FileBytes, is_code: bool) -> ChangedKind {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
    let is = |list: &[&str]| list.iter().any(|known| end.eq_ignore_ascii_case(known));
    let is_text = std::str::from_utf8(&file.bytes).is_ok();
    if is_code || file.executable {
        ChangedKind::Code
    } else if path == OPENAI_FILE
        || name.starts_with(".git")
        || is_plugin_file(path) && !is(&["md"])
        // A skill in the root does not make a client's commands and agents its own.
        || is_plugin_file(path) && path.split('/').any(|part| part.starts_with('.'))
    {
        ChangedKind::Deciding
    } else if PROGRAMS.iter().any(|begin| name.starts_with(begin)) && !is(&["md"]) {
        ChangedKind::Data
    } else if is_text && (is(&TEXTS) || end.is_empty() && TEXT_NAMES.contains(&stem)) {
        ChangedKind::Instructions
    } else if is(&MEDIA) && (!is_text || end.eq_ignore_ascii_case("pdf")) {
        // A picture that is text is none.
        ChangedKind::Media
    } else {
        ChangedKind::Data
    }
}
