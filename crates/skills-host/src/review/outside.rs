//! Files outside of the skills that the skills reach: behind links, and by paths with `..`.

use crate::review::item::{Item, ItemKind};
use crate::review::leads::{Leads, resolved};
use crate::review::plugin_files::is_plugin_file;
use crate::review::side::{ReviewedSkill, Tree, shown};
use skills_format::join;
use skills_store::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The most links that lead to one another.
const MOST_LINKS: usize = 8;
/// The most bytes of a text in which paths are looked for.
const MOST_BYTES: usize = 1024 * 1024;

/// Returns the paths of files outside of the skills. `links` has the links outside of the skills.
pub(super) fn paths(
    skills: &BTreeMap<String, ReviewedSkill>,
    links: &BTreeMap<String, Leads>,
    tree: &dyn Tree,
) -> Result<BTreeSet<String>, Error> {
    let mut found = BTreeSet::new();
    let mut targets = BTreeSet::new();
    let plugins = links.iter().filter(|(path, _)| is_plugin_file(path));
    let plugins = plugins.map(|(path, leads)| (path.clone(), leads));
    let of_skills = skills.values().flat_map(|skill| {
        let links = skill.links.iter();
        links.map(|(path, leads)| (join(&skill.folder, path), leads))
    });
    for (path, leads) in plugins.chain(of_skills) {
        if let Leads::To(text) = leads {
            targets.extend(end_of(&path, text, tree));
        }
    }
    let mut last: Option<String> = None;
    for target in targets {
        // A folder above was listed with all that is below. The order is that of the texts: `a`, `a-b`, `a/b`.
        let is_listed = last.as_ref().is_some_and(|last| is_below(&target, last));
        if tree.is_file(&target) {
            found.insert(target);
        } else if !is_listed {
            let items: Vec<Item> = tree.below(&target)?;
            let files = items
                .iter()
                .filter(|item| matches!(item.kind, ItemKind::File { .. }));
            found.extend(files.map(|item| shown(&item.path)));
            last = Some(target);
        }
    }
    for skill in skills.values() {
        for (path, file) in &skill.files {
            let text = std::str::from_utf8(&file.bytes).ok();
            let text = text.filter(|text| text.len() <= MOST_BYTES);
            if let Some(text) = text.filter(|text| text.contains("../")) {
                found.extend(named_above(
                    &join(&skill.folder, path),
                    &skill.folder,
                    text,
                    tree,
                ));
            }
        }
    }
    Ok(found)
}

fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// Returns where a link leads in the side, over links that lead to links.
fn end_of(path: &str, text: &str, tree: &dyn Tree) -> Option<String> {
    let mut target = resolved(path, text)?;
    for _ in 0..MOST_LINKS {
        match tree.link(&target) {
            Some(text) => target = resolved(&target, &text)?,
            None => break,
        }
    }
    Some(target)
}

/// Returns the files that a text names by paths with `..`, from its own folder or from that of the skill. A link of Markdown to
/// code is a place to look at, and runs nothing.
fn named_above(path: &str, skill: &str, text: &str, tree: &dyn Tree) -> BTreeSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || "_-./${}@+".contains(c);
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut found = BTreeSet::new();
    let mut end = 0;
    for (at, _) in text.match_indices("../") {
        if at < end {
            continue;
        }
        let start = text[end..at].rfind(|c| !is_part(c));
        let start = start.map_or(end, |it| end + it);
        let before = text[start..].chars().next().filter(|c| !is_part(*c));
        let start = start + before.map_or(0, char::len_utf8);
        let rest = &text[start..];
        let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        end = start + word.len();
        // `$SKILL_DIR/../x`: the variable holds the folder of the skill.
        let (first, below) = word.split_once('/').unwrap_or(("", word));
        let word = if first.contains(['$', '{']) {
            below
        } else {
            word
        };
        for base in [folder, skill] {
            let target = resolved(&join(base, "x"), word.trim_end_matches('.'));
            let target = target.filter(|target| tree.is_file(target));
            let is_read = |target: &String| {
                let end = Path::new(target).extension();
                before != Some('(') || end.is_some_and(|end| end.eq_ignore_ascii_case("md"))
            };
            found.extend(target.filter(is_read));
        }
    }
    found
}
