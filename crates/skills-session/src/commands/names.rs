//! Makes the names of slash commands: unique, and in the form of the policy.

use crate::options::commands::{CommandNames, CommandPolicy};
use skills_format::command_base;
use skills_format::text::map::{TextMap, TextSet};

/// The maximum number of characters of a sanitised name.
const MAX: usize = 32;

/// Makes a name for each id, in the same order. The names are unique, and no name is reserved.
pub(crate) fn names<'a>(
    ids: impl IntoIterator<Item = &'a str>,
    policy: &CommandPolicy,
) -> Vec<String> {
    let most = match policy.names {
        CommandNames::Sanitised => MAX,
        CommandNames::Own | CommandNames::None => usize::MAX,
    };
    let mut taken = TextSet::default();
    // The next number of each base: counting from 2 each time would be quadratic in skills with one
    // base.
    let mut next = TextMap::default();
    ids.into_iter()
        .map(|id| {
            let base = match policy.names {
                CommandNames::Sanitised => command_base(id),
                CommandNames::Own | CommandNames::None => id.to_owned(),
            };
            let mut name = base.clone();
            let number = next.or_insert(base.clone(), 2_u64);
            while policy.is_reserved(&name) || taken.contains(&name) {
                name = numbered(&base, *number, most);
                *number += 1;
            }
            taken.insert(name.clone());
            name
        })
        .collect()
}

/// Returns a name such as `base_2`. The base is cut if the name would be too long.
fn numbered(base: &str, number: u64, most: usize) -> String {
    let suffix = format!("_{number}");
    let room = most.saturating_sub(suffix.len());
    let base = if base.len() > room {
        base.get(..room).unwrap_or(base).trim_end_matches('_')
    } else {
        base
    };
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
        let mut policy = CommandPolicy::new(CommandNames::Sanitised);
        policy.reserved = ["help".into()].as_slice().to_vec().into();
        assert_eq!(
            names(
                ["a-b", "a_b", "a.b", "help", "skills", "日", "本", "a_b_2"],
                &policy
            ),
            [
                "a_b", "a_b_2", "a_b_3", "help_2", "skills_2", "skill_2", "skill_3", "a_b_2_2"
            ]
        );
        let long = "x".repeat(40);
        let found = names([long.as_str(), long.as_str()], &policy);
        assert_eq!(found[0], "x".repeat(32));
        assert_eq!(found[1], format!("{}_2", "x".repeat(30)));
        policy.names = CommandNames::Own;
        assert_eq!(
            names(["help", "日本", "a:b"], &policy),
            ["help_2", "日本", "a:b"]
        );
    }

    proptest! {
        #[test]
        fn each_once_and_none_reserved(
            ids in prop::collection::btree_set("[a-cA-C_é-]{0,40}|skill|skills|a_2", 0..20),
            reserved in prop::collection::vec("[a-c_]{1,3}|skill_2|a_2", 0..5),
        ) {
            for kind in [CommandNames::Sanitised, CommandNames::Own] {
                let mut policy = CommandPolicy::new(kind);
                policy.reserved = reserved.iter().cloned().map(Into::into).collect();
                let found = names(ids.iter().map(String::as_str), &policy);
                prop_assert_eq!(found.len(), ids.len());
                for (i, (name, id)) in found.iter().zip(&ids).enumerate() {
                    prop_assert!(!found[..i].contains(name));
                    prop_assert!(!matches!(&**name, "skill" | "skills"));
                    prop_assert!(!reserved.contains(name));
                    if kind == CommandNames::Own {
                        prop_assert!(name.starts_with(&**id));
                        continue;
                    }
                    prop_assert!((1..=32).contains(&name.len()));
                    prop_assert!(!name.starts_with('_') && !name.ends_with('_'));
                    prop_assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'));
                }
            }
        }
    }
}
