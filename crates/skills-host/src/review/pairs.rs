//! Finds the skill that an earlier skill has become.

use crate::review::side::{ReviewedSkill, Side};
use crate::review::step;
use std::collections::{BTreeMap, BTreeSet};

/// The part of the lines that two skills share at least, to be one skill under another name: half.
const SHARED: usize = 2;
/// The most pairs of removed and added skills that are compared by their lines.
const MAX_PAIRS: usize = 4_000;

/// A skill before, and after.
pub(super) type Pair<'s> = (Option<&'s ReviewedSkill>, Option<&'s ReviewedSkill>);

/// Pairs skills by their folders, then by their names, then by their lines.
pub(super) fn pairs<'s>(old: &'s Side, new: &'s Side) -> Vec<Pair<'s>> {
    let mut found: Vec<Pair<'s>> = Vec::new();
    let mut removed: Vec<&ReviewedSkill> = Vec::new();
    let mut added: BTreeMap<&str, &ReviewedSkill> = new
        .skills
        .iter()
        .map(|skill| (skill.folder.as_str(), skill))
        .collect();
    for skill in &old.skills {
        step(1);
        match added.remove(skill.folder.as_str()) {
            Some(now) => found.push((Some(skill), Some(now))),
            None => removed.push(skill),
        }
    }
    // Of several skills with one name, the first folder is that of the first.
    let mut by_name: BTreeMap<String, Vec<&ReviewedSkill>> = BTreeMap::new();
    for now in added.values().rev() {
        by_name.entry(now.name()).or_default().push(now);
    }
    removed.retain(|skill| {
        let now = by_name.get_mut(&skill.name()).and_then(Vec::pop);
        let now = now.and_then(|now| added.remove(now.folder.as_str()));
        found.extend(now.map(|now| (Some(*skill), Some(now))));
        now.is_none()
    });
    // Lines are compared for a few skills alone: each with each.
    if removed.len() * added.len() <= MAX_PAIRS {
        let lines: BTreeMap<&str, BTreeSet<&str>> = added
            .iter()
            .map(|(folder, skill)| (*folder, lines(skill)))
            .collect();
        removed.retain(|skill| {
            let before = self::lines(skill);
            let alike = added
                .keys()
                .map(|folder| (shared(&before, &lines[folder]), *folder));
            let best = alike.max().filter(|(share, _)| *share > 0);
            let now = best.and_then(|(_, folder)| added.remove(folder));
            found.extend(now.map(|now| (Some(*skill), Some(now))));
            now.is_none()
        });
    }
    found.extend(removed.into_iter().map(|skill| (Some(skill), None)));
    found.extend(added.into_values().map(|skill| (None, Some(skill))));
    found
}

fn lines(skill: &ReviewedSkill) -> BTreeSet<&str> {
    let lines = skill.text().unwrap_or_default().lines();
    lines.map(str::trim).filter(|line| line.len() > 3).collect()
}

/// Returns the number of lines that two skills share, or 0 if they share less than half.
fn shared(old: &BTreeSet<&str>, new: &BTreeSet<&str>) -> usize {
    step(old.len() + new.len());
    let shared = old.intersection(new).count();
    if shared * SHARED >= old.len().max(new.len()) && shared > 1 {
        shared
    } else {
        0
    }
}
