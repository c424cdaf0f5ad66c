//! Checks that the order of `named` decides which skill answers, as `docs/catalog.md` states: for any
//! sources, [`Catalog::claim`] and the ids agree with that order.

use super::*;
use crate::fixture::BUNDLE;
use proptest::collection::vec;
use proptest::prelude::*;
use std::fs;

/// The names of the skills. No bundle has the last name.
const NAMES: [&str; 3] = ["code-review", "write-skill", "other"];
/// The folders of the sources. A folder can have a name twice, below different categories.
const FOLDERS: [&str; 7] = [
    "project",
    "near",
    "far",
    "later",
    "p/a/skills",
    "p/b/skills",
    "p/c/skills",
];

/// Generates skills: a folder, a category in the folder, and a name.
fn skills() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    vec((0..FOLDERS.len(), 0..2_usize, 0..NAMES.len()), 0..16)
}

/// Generates disabled ids: a source or no source, and a name.
fn state() -> impl Strategy<Value = Vec<(usize, usize)>> {
    vec((0..7_usize, 0..NAMES.len()), 0..5)
}

fn catalog(
    skills: &[(usize, usize, usize)],
    off: &[(usize, usize)],
    namespaced: bool,
) -> (tempfile::TempDir, Catalog) {
    let dir = tempfile::tempdir().unwrap();
    let path = |folder: &str| dir.path().join(folder);
    for &(folder, category, name) in skills {
        let name = NAMES[name];
        let skill = path(FOLDERS[folder])
            .join(format!("c{category}"))
            .join(name);
        fs::create_dir_all(&skill).unwrap();
        let text = format!("---\nname: {name}\ndescription: Does it.\n---\n");
        fs::write(skill.join("SKILL.md"), text).unwrap();
    }
    let disabled = off.iter().map(|&(source, name)| {
        let sources = ["", "project:", "user:", "a:", "b:", "c:", "bundled:"];
        [sources[source], NAMES[name]].concat()
    });
    let mut builder = Catalog::builder()
        .untrusted("project", path("project"))
        .directory("user", path("near"))
        .directory("user", path("far"))
        .plugins(path("p"));
    if namespaced {
        builder = builder.namespaced();
    }
    let catalog = builder
        .bundle("bundled", &BUNDLE)
        .untrusted("later", path("later"))
        .disabled(disabled)
        .load();
    (dir, catalog)
}

/// Returns the trusted skills that a bare name can mean and that have equal rank, each the nearest of
/// its source.
fn equals<'c>(catalog: &'c Catalog, name: &str) -> Vec<Skill<'c>> {
    let can = |skill: &Skill<'_>| skill.is_trusted() && skill.answers_to_bare_names();
    let named = catalog
        .with_name(name)
        .into_iter()
        .chain(catalog.aliased(name));
    let mut named = named.filter(can).peekable();
    let rank = named.peek().map(|first| first.layer().rank);
    let mut equals: Vec<Skill<'c>> = named
        .take_while(|skill| Some(skill.layer().rank) == rank)
        .collect();
    equals.dedup_by_key(|skill| skill.source);
    equals
}

/// Returns the first skill that shadows the entry.
fn shadowing<'c>(skill: &Skill<'c>) -> Option<Skill<'c>> {
    let can = |skill: &Skill<'_>| skill.answers_to_bare_names();
    let catalog = skill.catalog.unwrap();
    let named = catalog.with_name(skill.name());
    let mut before = named
        .into_iter()
        .chain(catalog.aliased(skill.name()))
        .take_while(|other| other != skill);
    before.find(|other| {
        let above = other.layer().rank < skill.layer().rank || other.fields().sealed;
        other.source == skill.source || above && can(skill) && can(other)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_order_decides_who_answers(skills in skills(), off in state()) {
        for namespaced in [false, true] {
            let (_dir, catalog) = catalog(&skills, &off, namespaced);
            for name in NAMES {
                let equals = equals(&catalog, name);
                let claim = catalog.claim(name);
                let untrusted = claim.first.filter(|_| !claim.is_trusted);
                let mut claimed: Vec<Skill<'_>> = claim.iter().collect();
                claimed.retain(Skill::is_trusted);
                prop_assert_eq!(&claimed, &equals);
                let enabled: Vec<Skill<'_>> =
                    equals.iter().copied().filter(Skill::is_enabled).collect();
                let answer = match enabled.as_slice() {
                    [] => equals.first().copied(),
                    [one] => Some(*one),
                    _ => None,
                };
                prop_assert_eq!(catalog.claim(name).answer(), answer.or(untrusted));
                prop_assert!(untrusted.is_none() || equals.is_empty());
            }
            for skill in &catalog {
                prop_assert_eq!(skill.shadowed_by(), shadowing(&skill));
            }
        }
    }

    #[test]
    fn an_id_finds_its_skill(skills in skills(), off in state()) {
        for namespaced in [false, true] {
            let (_dir, catalog) = catalog(&skills, &off, namespaced);
            for skill in &catalog {
            let id = skill.id();
            prop_assert_eq!(catalog.get(&id), Some(skill), "{}", id);
            if skill.is_trusted() {
                prop_assert_eq!(catalog.get(&id), Some(skill), "{}", id);
            }
            if let Some(listed) = skill.listed_as() {
                prop_assert_eq!(listed, id);
                prop_assert!(skill.shadowed_by().is_none());
            }
            }
            let mut ids: Vec<_> = catalog.iter().filter_map(|skill| skill.listed_as()).collect();
            let count = ids.len();
            ids.sort();
            ids.dedup();
            prop_assert_eq!(ids.len(), count, "no two skills are listed by one id");
        }
    }
}
