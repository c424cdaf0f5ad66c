//! Compares the folders that the programs were seen to read with the table, and with the folders of the profiles.

use libtest_mimic::{Failed, Trial};
use skills_clients::client::{Folders, named};
use skills_tests::own_program;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// What was kept of each program by `.ci/parts/clients.d/folders.mjs`.
const KEPT: &[(&str, &str)] = &[
    ("claude-code", include_str!("kept/folders/claude-code.txt")),
    ("codex", include_str!("kept/folders/codex.txt")),
    ("gemini-cli", include_str!("kept/folders/gemini-cli.txt")),
    ("opencode", include_str!("kept/folders/opencode.txt")),
];

pub(crate) fn trials() -> impl Iterator<Item = Trial> {
    KEPT.iter().flat_map(|(client, kept)| {
        let table = Trial::test(format!("folders::{client}::table"), move || {
            agrees_with_table(client, kept)
        });
        let profile = Trial::test(format!("folders::{client}::profile"), move || {
            agrees_with_profile(client, kept)
        });
        [table, profile.with_ignored_flag(cfg!(windows))]
    })
}

/// Returns the places in the line that begins with these words: `project/.agents/skills`.
fn places<'k>(kept: &'k str, begins: &str) -> BTreeSet<&'k str> {
    let line = kept.lines().find_map(|line| line.strip_prefix(begins));
    let places = line.unwrap_or_default().split(", ");
    places.filter(|place| !place.is_empty()).collect()
}

fn agrees_with_table(client: &str, kept: &str) -> Result<(), Failed> {
    let folders = named(client).and_then(|client| client.folders.as_ref());
    let folders = folders.ok_or("the table has no folders")?;
    let mut known = BTreeSet::new();
    let others: Vec<&Folders> = folders.others().collect();
    for (own, folders) in [(true, folders)]
        .into_iter()
        .chain(others.into_iter().map(|it| (false, it)))
    {
        // Of another client's folders, those that are its own: the first of each list.
        let limit = if own { usize::MAX } else { 1 };
        known.extend(
            folders
                .project
                .iter()
                .take(limit)
                .map(|it| format!("project/{it}")),
        );
        known.extend(
            folders
                .person
                .iter()
                .take(limit)
                .map(|it| format!("home/{it}")),
        );
    }
    let read: BTreeSet<String> = places(kept, "reads ")
        .into_iter()
        .map(str::to_owned)
        .collect();
    same("the folders of the table", &known, &read)?;
    let is_up = !places(kept, "from a folder below reads ").is_empty();
    same("the folders above the working folder", &folders.up, &is_up)
}

/// Returns the pairs of places, each with the places whose skill is listed.
fn pairs(kept: &str) -> Result<Vec<([&str; 2], &str)>, Failed> {
    let lines = kept.lines().filter_map(|line| line.strip_prefix("of "));
    let pairs = lines.map(|line| {
        let (pair, wins) = line.split_once(" lists ").ok_or("a line")?;
        let (first, second) = pair.split_once(" and ").ok_or("a pair")?;
        Ok(([first, second], wins))
    });
    pairs.collect()
}

/// Of two skills with one name the profile starts the one that the program lists. Codex lists both.
fn agrees_with_profile(client: &str, kept: &str) -> Result<(), Failed> {
    for (pair, wins) in pairs(kept)? {
        // The documentation of the profile says where it differs: a project's skill comes first.
        let is_project_first = client == "opencode"
            && pair.iter().any(|place| place.starts_with("project/"))
            && wins.starts_with("home/");
        if wins.contains(", ") || is_project_first {
            continue;
        }
        let ours = started(client, pair).map_err(|error| Failed::from(error.to_string()))?;
        same(&format!("of {}", pair.join(" and ")), &ours.as_str(), &wins)?;
    }
    Ok(())
}

/// Writes a skill into each place, all with one name.
fn write_skills(base: &Path, places: [&str; 2]) -> io::Result<()> {
    for folder in ["home", "project"] {
        fs::create_dir_all(base.join(folder))?;
    }
    for place in places {
        let folder = base.join(place).join("same");
        fs::create_dir_all(&folder)?;
        let text = format!("---\nname: same\ndescription: Lies in {place}.\n---\nGo.\n");
        fs::write(folder.join("SKILL.md"), text)?;
    }
    Ok(())
}

/// Returns the place of the skill that the profile resolves, of two with one name.
fn started(profile: &str, places: [&str; 2]) -> io::Result<String> {
    let temporary = tempfile::tempdir()?;
    let base = temporary.path().canonicalize()?;
    let (home, project) = (base.join("home"), base.join("project"));
    write_skills(&base, places)?;
    // The programs ask once for the whole folder, and here a person trusts each skill of a project.
    for id in ["same", "project:same"] {
        let mut program = own_program(&home, &project)?;
        program
            .args(["trust", id, "--yes", "--profile", profile])
            .output()?;
    }
    let mut program = own_program(&home, &project)?;
    program.args(["list", "--profile", profile]);
    let listed = String::from_utf8_lossy(&program.output()?.stdout).into_owned();
    // A skill of the other folder has a name of its own, or none.
    let first = listed.lines().find(|line| line.starts_with("same "));
    let place = places
        .into_iter()
        .find(|place| first.is_some_and(|line| line.contains(place)));
    place
        .map(str::to_owned)
        .ok_or_else(|| io::Error::other(listed))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, ours: &T, theirs: &T) -> Result<(), Failed> {
    if ours == theirs {
        return Ok(());
    }
    Err(format!("{what}: here {ours:?}, in the program {theirs:?}").into())
}
