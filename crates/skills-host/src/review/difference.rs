//! The difference between two versions of a skill.

use crate::install::difference::{FileChange, FileDifference};
use crate::review::fields::{self, FieldDifference};
use crate::review::opened::{lost_restraint, unread};
use crate::review::pairs::pairs;
use crate::review::shown::{ShownDescription, shown as shown_by_clients};
use crate::review::side::{ReviewedSkill, Side};
use crate::review::words::{Piece, SectionDifference, of_bodies, of_texts};
use serde::Serialize;
use skills_format::power::restraint::PATHS;
use skills_format::{Power, PowerKind, Powers, estimate_tokens};
use skills_lint::render::masked;
use std::collections::{BTreeMap, BTreeSet};

/// The difference of one skill. Nothing here is cut: what a caller shows, and in which order, is the caller's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SkillDifference {
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
    /// The estimated tokens of the instructions before and after.
    pub tokens: [usize; 2],
    /// The descriptions before and after.
    pub descriptions: [Option<String>; 2],
    /// The words of the description that differ.
    pub description: Vec<Piece>,
    /// The clients that do not show all of the new description. Empty if the description is as before.
    pub clients: Vec<ShownDescription>,
    /// The other fields of the front matter that differ. Empty for an added or removed skill.
    pub fields: Vec<FieldDifference>,
    /// The words of the instructions that differ, by heading.
    pub instructions: Vec<SectionDifference>,
    /// The files that differ, without the `SKILL.md`.
    pub files: Vec<FileDifference>,
    /// The powers that differ.
    pub powers: PowerChanges,
}

/// The kind of a change of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
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

/// The powers of two versions of a skill that differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PowerChanges {
    /// The gained powers, the worst kinds first, with their places in the new version. A lost restraint is among them.
    pub gained: Vec<Power>,
    /// The lost powers, and the added restraints.
    pub lost: Vec<Power>,
    /// The powers that another file gives now.
    pub moved: Vec<Power>,
}

/// Compares two sides. The skills that widen most come first, then the others in order of their folders.
///
/// # Cost
///
/// Reads the powers of each skill that differs, twice. The time is linear in the texts.
pub fn compare(old: &Side, new: &Side) -> Vec<SkillDifference> {
    let mut found: Vec<SkillDifference> = pairs(old, new)
        .into_iter()
        .filter(|(old, new)| match (old, new) {
            (Some(old), Some(new)) => old != new,
            _ => true,
        })
        .filter_map(|(old, new)| SkillDifference::new(old, new))
        .collect();
    found.sort_by(|a, b| {
        let gained = |it: &SkillDifference| it.powers.gained.len();
        gained(b)
            .cmp(&gained(a))
            .then_with(|| a.folder.cmp(&b.folder))
    });
    found
}

impl SkillDifference {
    fn new(old: Option<&ReviewedSkill>, new: Option<&ReviewedSkill>) -> Option<Self> {
        let shown = new.or(old)?;
        let (before, after) = (
            old.and_then(ReviewedSkill::skill),
            new.and_then(ReviewedSkill::skill),
        );
        let description = |skill: &Option<skills_format::Skill>| {
            skill.as_ref().map(|skill| skill.description.clone())
        };
        let body = |side: Option<&ReviewedSkill>, skill: &Option<skills_format::Skill>| match skill
        {
            Some(skill) => skill.body.clone(),
            // A file that is no skill is compared as it is.
            None => side
                .and_then(ReviewedSkill::text)
                .unwrap_or_default()
                .to_owned(),
        };
        let bodies = [body(old, &before), body(new, &after)];
        let descriptions = [description(&before), description(&after)];
        let old_name = old
            .map(ReviewedSkill::name)
            .filter(|name| *name != shown.name() && new.is_some());
        let old_folder = old
            .map(|old| old.folder.clone())
            .filter(|folder| *folder != shown.folder);
        let change = match (old, new) {
            (None, _) => SkillChange::Added,
            (_, None) => SkillChange::Removed,
            _ if old_name.is_some() || old_folder.is_some() => SkillChange::Renamed,
            _ => SkillChange::Changed,
        };
        let words = |text: &Option<String>| text.clone().unwrap_or_default();
        let clients = after
            .as_ref()
            .filter(|_| descriptions[0] != descriptions[1]);
        let [body_before, body_after] = &bodies;
        Some(Self {
            name: shown.name(),
            change,
            old_name,
            folder: shown.folder.clone(),
            old_folder,
            digests: [old, new].map(|side| side.map(|side| side.digest().to_string())),
            tokens: [estimate_tokens(body_before), estimate_tokens(body_after)],
            description: of_texts(&words(&descriptions[0]), &words(&descriptions[1])),
            descriptions: descriptions.map(|text| text.map(|text| masked(&text).into_owned())),
            clients: clients.map(shown_by_clients).unwrap_or_default(),
            fields: match (old, new) {
                (Some(old), Some(new)) => fields::of_skills(old, new),
                _ => Vec::new(),
            },
            instructions: of_bodies(body_before, body_after),
            files: files(old, new),
            powers: PowerChanges::new(old, new),
        })
    }

    /// Returns whether the skill may do more than before.
    pub fn is_widened(&self) -> bool {
        !self.powers.gained.is_empty()
    }
}

impl PowerChanges {
    fn new(old: Option<&ReviewedSkill>, new: Option<&ReviewedSkill>) -> Self {
        let before = old.map(ReviewedSkill::powers).unwrap_or_default();
        let after = new.map(ReviewedSkill::powers).unwrap_or_default();
        if new.is_none() {
            // A skill that is gone has no restraints to lose.
            return Self {
                lost: before
                    .iter()
                    .filter(|power| power.kind != PowerKind::Restraints)
                    .collect(),
                ..Self::default()
            };
        }
        let mut changes = Self::between(&renamed(&before, old, new), &after);
        // What the clients read decides. Their readers are asked although the fields name no loss.
        let is_told = |power: &Power| {
            power.kind == PowerKind::Restraints
                && (power.text.starts_with("closed to the model") || power.text.starts_with(PATHS))
        };
        if let (Some(old), Some(new)) = (old, new)
            && !changes.gained.iter().any(is_told)
            && let Some(lost) = lost_restraint(old, new)
        {
            changes.gained.insert(0, lost);
        }
        if let (Some(old), Some(new)) = (old, new) {
            let lost = unread(&before, old, new);
            let is_known = |lost: &Power| {
                let mut known = changes.gained.iter();
                known.any(|power| power.kind == lost.kind && lost.text.starts_with(&power.text))
            };
            let lost: Vec<Power> = lost.iter().filter(|lost| !is_known(lost)).collect();
            changes.gained.splice(0..0, lost);
        }
        changes
    }

    /// Compares the powers of two versions.
    pub fn between(before: &Powers, after: &Powers) -> Self {
        let mut gained: Vec<Power> = after
            .widenings(before)
            .into_iter()
            .map(|widening| widening.power)
            .collect();
        gained.sort_by_key(|power| rank(power.kind));
        let lost = before
            .widenings(after)
            .into_iter()
            .map(|widening| widening.power)
            .collect();
        let files = |power: &Power| -> BTreeSet<String> {
            power
                .places
                .iter()
                .map(|place| place.path.clone())
                .collect()
        };
        let known: BTreeMap<(PowerKind, String), BTreeSet<String>> = before
            .iter()
            .map(|power| ((power.kind, power.text.clone()), files(&power)))
            .collect();
        let moved = after.iter().filter(|power| {
            let before = known.get(&(power.kind, power.text.clone()));
            before.is_some_and(|before| !before.is_empty() && before.is_disjoint(&files(power)))
        });
        Self {
            gained,
            lost,
            moved: moved.collect(),
        }
    }
}

/// The order in which a reviewer reads gained powers: what needs no question first, then what can hold any power, then
/// what leaves the machine. A comment that is cut loses its end.
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
        PowerKind::Scripts => 10,
        _ => 11,
    }
}

/// Returns powers with the new paths of files that were only renamed: a script with the same bytes is not a new script.
fn renamed(powers: &Powers, old: Option<&ReviewedSkill>, new: Option<&ReviewedSkill>) -> Powers {
    let (Some(old), Some(new)) = (old, new) else {
        return powers.clone();
    };
    let gone = old
        .files
        .iter()
        .filter(|(path, _)| !new.files.contains_key(*path));
    let mut paths: BTreeMap<&str, &str> = BTreeMap::new();
    for (path, file) in gone {
        let came = new
            .files
            .iter()
            .find(|(other, now)| !old.files.contains_key(*other) && now.bytes == file.bytes);
        paths.extend(came.map(|(other, _)| (path.as_str(), other.as_str())));
    }
    if paths.is_empty() {
        return powers.clone();
    }
    let mut moved = Powers::default();
    for power in powers.iter() {
        let path = paths
            .iter()
            .find_map(|(old, new)| Some((power.text.strip_suffix(old)?, new)));
        let text = match path {
            Some((before, new)) if before.ends_with(' ') => format!("{before}{new}"),
            _ => power.text.clone(),
        };
        moved.insert(power.kind, text.as_str());
        for place in &power.places {
            moved.add(power.kind, text.as_str(), &place.path, place.line);
        }
    }
    moved
}

/// Returns the files that differ, without the `SKILL.md`, whose words are compared.
fn files(old: Option<&ReviewedSkill>, new: Option<&ReviewedSkill>) -> Vec<FileDifference> {
    let empty = BTreeMap::new();
    let of = |side: Option<&ReviewedSkill>| {
        side.map_or_else(|| empty.clone(), |side| side.files.clone())
    };
    let (old, new) = (of(old), of(new));
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differing = paths
        .into_iter()
        .filter(|path| old.get(*path) != new.get(*path) && path.as_str() != "SKILL.md");
    let difference = differing.map(|path| {
        let change = match (old.get(path), new.get(path)) {
            (None, _) => FileChange::Added,
            (_, None) => FileChange::Removed,
            _ => FileChange::Changed,
        };
        FileDifference::of_unknown(path, change)
    });
    difference.collect()
}
