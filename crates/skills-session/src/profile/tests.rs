//! Tests of what every profile has to hold.

use super::*;
use crate::options::allowed_tools::AllowedTools;

#[test]
fn names_and_order() {
    let names: Vec<&str> = Profile::ALL.iter().map(|profile| &*profile.name).collect();
    let mut sorted = names.clone();
    if let Some(others) = sorted.get_mut(1..) {
        others.sort_unstable();
    }
    assert_eq!(names, sorted);
    assert!(names.iter().all(|name| Profile::named(name).is_some()));
    assert_eq!(Profile::named("nothing"), None);
}

#[test]
fn placeholders_by_profile() {
    for profile in Profile::ALL {
        let expected = match &*profile.name {
            "claude-code" => Placeholders::Everywhere,
            "opencode" => Placeholders::Numbered,
            "caliban" | "codex" | "gemini-cli" | "openclaw" => Placeholders::None,
            _ => Placeholders::Guarded,
        };
        assert_eq!(profile.placeholders, expected, "{}", profile.name);
    }
}

/// A message that only the skill's text holds must have a place in every form of that text.
#[test]
fn no_profile_loses_the_message() {
    for profile in Profile::ALL {
        if profile.task != TaskPlace::InSkill {
            continue;
        }
        let Envelope::Template(template) = &profile.envelope else {
            continue;
        };
        assert!(
            template.arguments.contains("{arguments}"),
            "{}",
            profile.name
        );
    }
}

/// Only one of the four programs reads `allowed-tools`.
#[test]
fn the_program_that_approves() {
    for (name, meaning) in [
        ("claude-code", AllowedTools::Approves),
        ("codex", AllowedTools::Ignored),
        ("gemini-cli", AllowedTools::Ignored),
        ("opencode", AllowedTools::Ignored),
    ] {
        let profile = Profile::named(name).unwrap();
        assert_eq!(profile.allowed_tools, meaning, "{name}");
    }
}

/// Checks the tables of the profiles, which are constants that `ToolNames::new` never sees.
#[test]
fn the_names_of_every_profile_are_valid() {
    for profile in Profile::ALL {
        let names = profile.tool_names.names().to_vec();
        assert!(ToolNames::new(names).is_ok(), "{}", profile.name);
    }
}
