//! Mirrors: skills that are byte-for-byte copies of skills of another bundle.

use crate::repository::bundle::Bundle;
use skills_format::disk::{Folder, read_regular};
use skills_format::tree::is_skill_file_of_any_case;
use skills_format::{FileKind, Tree, TreeFile};
use std::collections::BTreeMap;
use std::path::Path;

/// Names of folders with generated or vendored files.
const WRITTEN: [&str; 6] = ["dist", "build", "out", "generated", "exports", "vendor"];
/// Maximum size of a compared file.
const MAX_FILE: u64 = 16 << 20;

/// Finds the mirrors among the bundles. Of equal skills, the first by [`rank`] is checked: hand-written folders
/// come before hidden folders, and hidden folders before generated ones.
pub(crate) fn find(folder: &Folder, bundles: &mut [Bundle]) {
    let mut by_name: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
    for (index, bundle) in bundles.iter().enumerate() {
        for dir in bundle.asked.iter().filter(|dir| !dir.is_empty()) {
            let name = dir.rsplit('/').next().unwrap_or(dir);
            by_name.entry(name).or_default().push((index, dir));
        }
    }
    let mut copies: Vec<(usize, String)> = Vec::new();
    for mut same in by_name.into_values().filter(|same| same.len() > 1) {
        same.sort_by_key(|(_, dir)| rank(dir));
        let mut originals: Vec<(usize, &str)> = Vec::new();
        for (index, dir) in same {
            let is_copy = |(other, original): &(usize, &str)| {
                let trees = bundles.get(*other).zip(bundles.get(index));
                *other != index
                    && trees.is_some_and(|(a, b)| {
                        are_equal(folder, (&a.tree, original), (&b.tree, dir))
                    })
            };
            if originals.iter().any(is_copy) {
                copies.push((index, dir.to_owned()));
            } else {
                originals.push((index, dir));
            }
        }
    }
    for (index, dir) in copies {
        if let Some(bundle) = bundles.get_mut(index) {
            bundle.mirrors += 1;
            bundle.copies.insert(dir);
        }
    }
}

fn rank(dir: &str) -> (bool, bool, usize, &str) {
    let is_written = dir.split('/').any(|part| WRITTEN.contains(&part));
    let is_hidden = dir.split('/').any(|part| part.starts_with('.'));
    (is_written, is_hidden, dir.matches('/').count(), dir)
}

/// Returns whether the files of two skills have equal names and bytes.
fn are_equal(folder: &Folder, (a, a_dir): (&Tree, &str), (b, b_dir): (&Tree, &str)) -> bool {
    let (a, b) = (files(a, a_dir), files(b, b_dir));
    let name = |file: &TreeFile, dir: &str| file.path.get(dir.len()..).map(str::to_owned);
    a.len() == b.len()
        && a.iter()
            .zip(&b)
            .all(|(a, b)| {
                let is_readable = a.utf8 && b.utf8;
                is_readable && name(a, a_dir) == name(b, b_dir) && a.kind == b.kind
            })
        // Second pass: bytes are read only after all names and kinds are equal.
        && a.iter().zip(&b).all(|(a, b)| match a.kind {
            // Links of one text lead to two files, so the skill of a link is not known.
            FileKind::Link if is_skill_file_of_any_case(&a.path) => false,
            FileKind::Regular => bytes(folder, &a.path)
                .is_some_and(|bytes_of_a| bytes(folder, &b.path) == Some(bytes_of_a)),
            _ => true,
        })
}

fn files<'t>(tree: &'t Tree, dir: &str) -> Vec<&'t TreeFile> {
    let below = format!("{dir}/");
    let start = tree
        .files
        .partition_point(|file| file.path.as_bytes() < below.as_bytes());
    let rest = tree.files.get(start..).unwrap_or_default().iter();
    rest.take_while(|file| file.path.starts_with(&below))
        .collect()
}

fn bytes(folder: &Folder, path: &str) -> Option<Vec<u8>> {
    let file = folder.file_below(Path::new(path)).ok()?;
    read_regular(&file, MAX_FILE).ok()
}
