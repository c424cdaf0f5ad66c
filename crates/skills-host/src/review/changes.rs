//! The three parts of a change: rules, named powers, and what changed and is not judged.

use crate::files::snapshot::{FileBytes, Snapshot};
use crate::review::beside;
use crate::review::fields::{self, FieldDifference};
use crate::review::files::{self, ChangedFile, ChangedKind, widenings};
use crate::review::front::is_read_apart;
use crate::review::outside::above;
use crate::review::pairs::pairs;
use crate::review::places::Places;
use crate::review::side::{ReviewedSkill, Side};
use serde::Serialize;
use skills_format::{SKILL_FILE, join};
use skills_permit::{Power, PowerKind, Powers};

/// Everything that differs between two sides. Nothing here is cut: what a caller shows is the caller's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// The skills that differ: first those that fail the gate, then in order of their folders.
    pub skills: Vec<SkillChanges>,
    /// The files, links and submodules beside the skills that decide what a client reads.
    pub beside: Vec<ChangedFile>,
}

/// The changes of one skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkillChanges {
    /// The name in the new version, or in the old version of a removed skill.
    pub name: String,
    /// The kind of the change.
    pub change: SkillChange,
    /// The name before, if it has changed.
    pub old_name: Option<String>,
    /// The folder; of a removed skill, the folder before.
    pub folder: String,
    /// The folder before, if it has changed.
    pub old_folder: Option<String>,
    /// The digests before and after.
    pub digests: [Option<String>; 2],
    /// Rules that allow more: tools that are approved, restraints that are lost, hooks that are added.
    pub loosened: Vec<Power>,
    /// Rules that allow less.
    pub tightened: Vec<Power>,
    /// The fields of the front matter that differ. Empty for an added or removed skill.
    pub fields: Vec<FieldDifference>,
    /// Named powers that only the new version has, the worst kinds first, with their places.
    pub gained: Vec<Power>,
    /// Named powers that only the old version has.
    pub lost: Vec<Power>,
    /// The files that differ, and what else differs and is not judged.
    pub changed: Vec<ChangedFile>,
}

/// The kind of a change of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SkillChange {
    /// Only the new side has the skill.
    Added,
    /// Only the old side has the skill.
    Removed,
    /// The skill has another name or folder.
    Renamed,
    /// The files differ.
    Changed,
}

/// Compares two sides.
///
/// # Cost
///
/// Reads the powers of each skill that differs, twice. The time is linear in the texts.
pub fn compare(old: &Side, new: &Side) -> Changes {
    let places = Places::of(old, new);
    let differing = pairs(old, new).into_iter().filter(|(old, new)| old != new);
    let mut skills: Vec<SkillChanges> = differing
        .filter_map(|(before, now)| SkillChanges::new(before, now, new, &places))
        .collect();
    let mut beside = beside::changed(old, new, &places);
    for side in [old, new] {
        let rewrites = side.rewrites();
        for skill in &mut skills {
            for file in &mut skill.changed {
                let path = join(&skill.folder, &file.path);
                file.deny_rewritten(&side.of_top(&path), &rewrites);
            }
        }
        for file in &mut beside {
            file.deny_rewritten(&side.of_top(&file.path), &rewrites);
        }
    }
    skills.sort_by(|a, b| (a.passes(), &a.folder).cmp(&(b.passes(), &b.folder)));
    Changes { skills, beside }
}

/// Compares two versions of one skill. Without an old version, the skill is added.
pub fn compare_snapshots(name: &str, old: Option<&Snapshot>, new: &Snapshot) -> Changes {
    let mut new = Side::of_snapshot(name, new);
    let Some(old) = old else {
        // A person installs it: that a client lists it then is what they ask for.
        new.prefix.clear();
        return compare(&Side::default(), &new);
    };
    compare(&Side::of_snapshot(name, old), &new)
}

impl Changes {
    /// Returns whether the change may be taken unseen: no rule loosens, no named power is gained, and no code, no data that can
    /// run, no link and no file that decides what a client reads has changed. Changed instructions pass: see
    /// [`Changes::instructions`].
    pub fn passes(&self) -> bool {
        self.skills.iter().all(SkillChanges::passes) && self.beside.iter().all(|file| !file.denied)
    }

    /// Returns everything in the skills that does not pass, as powers: the changed files and fields as ones that cannot be read.
    /// Run bits are left out, as in a lock: a checkout on Windows has none.
    pub fn denied(&self) -> Vec<Power> {
        let mut all = Vec::new();
        for skill in &self.skills {
            all.extend(skill.loosened.iter().chain(&skill.gained).cloned());
            let mut others = Powers::default();
            for field in skill.fields.iter().filter(|field| field.denied) {
                let text = format!("the field `{}`, changed", field.key);
                others.add(PowerKind::Unreadable, text, "SKILL.md", 1);
            }
            let files = skill.changed.iter();
            for file in files.filter(|file| file.denied && file.kind != ChangedKind::Mode) {
                let text = format!("{}, {}", file.path, file.note);
                others.add(PowerKind::Unreadable, text, &file.path, 0);
            }
            all.extend(others.iter());
        }
        all
    }

    /// Returns the number of skills whose instructions changed, with files beside the skills as one, and the number of lines.
    pub fn instructions(&self) -> (usize, usize) {
        let skills = self.skills.iter().map(|skill| &skill.changed);
        let all = skills.chain([&self.beside]).filter_map(|files| {
            let files = files
                .iter()
                .filter(|file| file.kind == ChangedKind::Instructions);
            let lines: Vec<usize> = files.map(|file| file.added + file.removed).collect();
            (!lines.is_empty()).then(|| lines.iter().sum::<usize>())
        });
        all.fold((0, 0), |(count, sum), lines| (count + 1, sum + lines))
    }
}

impl SkillChanges {
    fn new(
        old: Option<&ReviewedSkill>,
        new: Option<&ReviewedSkill>,
        side: &Side,
        places: &Places<'_>,
    ) -> Option<Self> {
        let shown = new.or(old)?;
        let before = old.map(ReviewedSkill::powers_and_calls).unwrap_or_default();
        let after = new.map(ReviewedSkill::powers_and_calls).unwrap_or_default();
        let old_name = old.map(ReviewedSkill::name);
        let old_name = old_name.filter(|name| *name != shown.name() && new.is_some());
        let old_folder = old.map(|old| old.folder.clone());
        let old_folder = old_folder.filter(|folder| *folder != shown.folder);
        let change = match (old, new) {
            (None, _) => SkillChange::Added,
            (_, None) => SkillChange::Removed,
            _ if old_name.is_some() || old_folder.is_some() => SkillChange::Renamed,
            _ => SkillChange::Changed,
        };
        let (mut loosened, mut gained) = parts(&after, &before);
        let (tightened, lost) = parts(&before, &after);
        let kind = |path: &str, file: &FileBytes, is_code: bool| {
            places.kind(&join(&shown.folder, path), file, is_code)
        };
        let mut changed = files::changed(old, new, &kind, &before, &after);
        let mut fields = Vec::new();
        let mut note = |kind, path: &str, note: &str, denied| {
            changed.push(ChangedFile::note(kind, path, note.to_owned(), denied));
        };
        let is_listed = new.is_some_and(|new| places.is_listed(&new.folder));
        if let Some(new) = new {
            if is_read_apart(old, new) {
                let text = "front matter that not every client reads alike";
                note(ChangedKind::Deciding, SKILL_FILE, text, true);
            } else {
                fields = fields::of_skills(old, new);
            }
            if old.is_none() && is_listed {
                let text = "a client lists the skill now";
                note(ChangedKind::Listed, &new.folder, text, true);
            }
        }
        if let Some(text) = new.and_then(|new| places.taken(old, new)) {
            note(ChangedKind::Moved, &shown.folder, &text, true);
        } else if old_name.is_some() && is_listed && !shown.folder.ends_with(&shown.name()) {
            // The name can be that of a command, of which no list is complete. A new folder is told below.
            let text = "a client lists the skill by another name now";
            note(ChangedKind::Listed, &shown.folder, text, true);
        }
        if let (Some(before), Some(new)) = (&old_folder, new) {
            // Another folder can be one that a client reads, where the one before was not.
            let place = |folder: &str| {
                let top = side.of_top(folder);
                above(&top).next().map(ToOwned::to_owned)
            };
            // Claude Code names a skill by its folder.
            let moves = is_listed
                || place(before) != place(&new.folder)
                || places.decides(&join(before, SKILL_FILE));
            let text = format!("was {}", if before.is_empty() { "." } else { before });
            note(ChangedKind::Moved, &new.folder, &text, moves);
        }
        if new.is_none() {
            // A skill that is gone has no restraints to lose.
            loosened.clear();
            gained.clear();
            for file in &mut changed {
                file.denied = false;
            }
        }
        loosened.sort_by_key(|power| rank(power.kind));
        gained.sort_by_key(|power| rank(power.kind));
        Some(Self {
            name: shown.name(),
            change,
            old_name,
            folder: shown.folder.clone(),
            old_folder,
            digests: [old, new].map(|side| side.map(|side| side.digest().to_string())),
            loosened,
            tightened,
            fields,
            gained,
            lost,
            changed,
        })
    }

    /// Returns whether the change of the skill may be taken unseen.
    pub fn passes(&self) -> bool {
        self.loosened.is_empty()
            && self.gained.is_empty()
            && !self.fields.iter().any(|field| field.denied)
            && !self.changed.iter().any(|file| file.denied)
    }

    /// Returns the path of a file of the skill, relative to the side's root.
    pub fn path(&self, file: &str) -> String {
        join(&self.folder, file)
    }
}

/// Returns the rules and the named powers that `now` has beyond `base`. The files themselves are the third part.
fn parts(now: &Powers, base: &Powers) -> (Vec<Power>, Vec<Power>) {
    let others = widenings(now, base).into_iter();
    let others = others.filter(|power| power.kind != PowerKind::Scripts);
    others.partition(|power| {
        matches!(
            power.kind,
            PowerKind::Tools | PowerKind::Restraints | PowerKind::Dispatch | PowerKind::Hooks
        )
    })
}

/// The order in which a reviewer reads powers: what needs no question first, then what can hold any power, then what leaves the
/// machine.
const fn rank(kind: PowerKind) -> u8 {
    match kind {
        PowerKind::Restraints => 0,
        PowerKind::Tools => 1,
        PowerKind::Injection => 2,
        PowerKind::Hooks => 3,
        PowerKind::Dispatch => 4,
        PowerKind::Unreadable => 5,
        PowerKind::Hosts => 6,
        PowerKind::Files => 7,
        PowerKind::Variables => 8,
        PowerKind::Packages => 9,
        _ => 10,
    }
}
