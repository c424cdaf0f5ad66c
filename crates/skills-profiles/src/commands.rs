//! Slash commands with the names that chat services require.

use skills_format::command_base;
use skills_runtime::{Catalog, Skill};
use skills_session::commands::{CommandSpec, for_user, named};
use skills_session::options::Options;
use std::collections::{HashMap, HashSet};

/// The maximum number of characters of a name.
const MAX: usize = 32;

pub(crate) fn commands(options: &Options, catalog: &Catalog) -> Vec<CommandSpec> {
    let skills: Vec<Skill<'_>> = for_user(catalog).collect();
    let names = names(skills.iter().map(Skill::id), options);
    let names: Vec<_> = names.into_iter().zip(skills).collect();
    named(options, catalog, &names)
}

/// Finds the skill of a command, in any case. A skill that a person cannot start now has the command that it would have,
/// so that a notice gives the reason. A skill's own name is a command too.
pub(crate) fn command(options: &Options, catalog: &Catalog, name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let mut commands = commands(options, catalog).into_iter();
    let own =
        commands.find(|command| !command.scheduled && [name, &lower].contains(&&*command.name));
    if let Some(command) = own {
        return Some(command.skill);
    }
    if let Some(id) = skills_session::commands::command(options, catalog, name) {
        return Some(id);
    }
    if options.is_reserved(&lower) {
        return None;
    }
    let asleep = catalog
        .iter()
        .find(|entry| command_base(entry.name()) == lower)?;
    Some(asleep.id().into_owned())
}

/// Makes a name for each id, in the same order. The names are unique, and no name is reserved.
fn names(ids: impl Iterator<Item = impl AsRef<str>>, options: &Options) -> Vec<String> {
    let mut taken = HashSet::new();
    // The next number of each base: counting from 2 each time would be quadratic in skills with one
    // base.
    let mut next: HashMap<String, u64> = HashMap::new();
    ids.map(|id| {
        let base = command_base(id.as_ref());
        let number = next.entry(base.clone()).or_insert(2);
        let mut name = base.clone();
        while options.is_reserved(&name) || taken.contains(&name) {
            name = numbered(&base, *number);
            *number += 1;
        }
        taken.insert(name.clone());
        name
    })
    .collect()
}

/// Returns a name such as `base_2`. The base is cut if the name would be too long.
fn numbered(base: &str, number: u64) -> String {
    let suffix = format!("_{number}");
    let room = MAX.saturating_sub(suffix.len()).min(base.len());
    // A base is ASCII: see `command_base`.
    let base = base[..room].trim_end_matches('_');
    format!("{base}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sanitises() {
        for (name, expected) in [
            ("spotify", "spotify"),
            ("Web Search!", "web_search"),
            ("--a--b--", "a_b"),
            ("日本語", "skill"),
            ("", "skill"),
            ("github:gh-fix-ci", "github_gh_fix_ci"),
            (
                "abcdefghijklmnopqrstuvwxyz01234_56789",
                "abcdefghijklmnopqrstuvwxyz01234",
            ),
            ("Ünï-x", "n_x"),
        ] {
            assert_eq!(command_base(name), expected, "{name}");
        }
    }

    #[test]
    fn numbers_what_is_taken() {
        let options = Options {
            reserved: vec!["help".into()],
            ..Options::DEFAULT
        };
        let ids = ["a-b", "a_b", "a.b", "help", "skills", "日", "本", "a_b_2"];
        assert_eq!(
            names(ids.into_iter(), &options),
            [
                "a_b", "a_b_2", "a_b_3", "help_2", "skills_2", "skill_2", "skill_3", "a_b_2_2"
            ]
        );
        let long = "x".repeat(40);
        let found = names([&*long, &*long].into_iter(), &options);
        assert_eq!(found[0], "x".repeat(32));
        assert_eq!(found[1], format!("{}_2", "x".repeat(30)));
    }

    proptest! {
        #[test]
        fn each_once_and_none_reserved(
            ids in prop::collection::btree_set("[a-cA-C_é-]{0,40}|skill|skills|a_2", 0..20),
            reserved in prop::collection::vec("[a-c_]{1,3}|skill_2|a_2", 0..5),
        ) {
            let options = Options { reserved: reserved.clone(), ..Options::DEFAULT };
            let found = names(ids.iter().map(String::as_str), &options);
            prop_assert_eq!(found.len(), ids.len());
            for (i, name) in found.iter().enumerate() {
                prop_assert!(!found[..i].contains(name));
                prop_assert!(!matches!(&**name, "skill" | "skills"));
                prop_assert!(!reserved.contains(name));
                prop_assert!((1..=MAX).contains(&name.len()));
                prop_assert!(!name.starts_with('_') && !name.ends_with('_'));
                prop_assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'));
            }
        }
    }
}
