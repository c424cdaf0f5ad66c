//! Facts about the profiles, and the folders that they name.

use skills_profiles::{Base, Bases, Layout, Place, Profile};
use skills_runtime::{Catalog, Surface};
use skills_session::options::{AllowedTools, Placeholders, TaskPlace, ToolKind, ToolNames};
use skills_session::{Dialect as _, Session};
use std::fs;
use std::path::Path;

fn skill(folder: &Path, name: &str, more: &str, body: &str) {
    let folder = folder.join(name);
    fs::create_dir_all(&folder).unwrap();
    let text = format!("---\nname: {name}\ndescription: Does {name}.\n{more}---\n{body}\n");
    fs::write(folder.join("SKILL.md"), text).unwrap();
}

#[test]
fn names_and_order() {
    let names = Profile::all().each_ref().map(|profile| profile.name);
    assert!(names[1..].is_sorted());
    assert!(names.iter().all(|name| Profile::named(name).is_some()));
    assert_eq!(Profile::named("nothing"), None);
}

#[test]
fn placeholders_by_profile() {
    for profile in Profile::all() {
        let expected = match profile.name {
            "claude-code" => Placeholders::Everywhere,
            "opencode" => Placeholders::Numbered,
            "default" | "agenvoy" | "ouro" => Placeholders::Guarded,
            _ => Placeholders::None,
        };
        assert_eq!(profile.options.placeholders, expected, "{}", profile.name);
    }
}

/// A message that only the skill's text holds must have a place in every form of that text.
#[test]
fn no_profile_loses_the_message() {
    for profile in Profile::all() {
        if let Some(template) = &profile.template
            && profile.options.task == TaskPlace::InSkill
        {
            assert!(
                template.arguments.contains("{arguments}"),
                "{}",
                profile.name
            );
        }
    }
}

/// Only one of the four clients reads `allowed-tools`.
#[test]
fn the_program_that_approves() {
    for (name, meaning) in [
        ("claude-code", AllowedTools::Approves),
        ("codex", AllowedTools::Ignored),
        ("gemini-cli", AllowedTools::Ignored),
        ("opencode", AllowedTools::Ignored),
    ] {
        let profile = Profile::named(name).unwrap();
        assert_eq!(profile.options.allowed_tools, meaning, "{name}");
    }
}

/// Checks the tables of the profiles, which are constants that `ToolNames::new` never sees.
#[test]
fn the_names_of_every_profile_are_valid() {
    for profile in Profile::all() {
        let names = profile.options.tool_names.names().to_vec();
        assert!(ToolNames::new(names).is_ok(), "{}", profile.name);
    }
}

/// A skill of a project that the profile trusts as a whole, and of a plugin: no person has looked at them.
#[test]
fn only_the_persons_own_skills_approve() {
    let dir = tempfile::tempdir().unwrap();
    let list = "allowed-tools: Read\n";
    skill(&dir.path().join("project/.x/skills"), "x", list, "Go.");
    skill(&dir.path().join("home/.y/skills"), "own", list, "Go.");
    skill(
        &dir.path().join("home/.y/plugins/acme/skills"),
        "theirs",
        list,
        "Go.",
    );
    let profile = Profile {
        folders: Layout::new(&[
            Place::skills("project", Base::Project, ".x/skills"),
            Place::skills("user", Base::Home, ".y/skills"),
            Place::plugins(Base::Home, ".y/plugins"),
        ]),
        ..Profile::default()
    };
    let bases = Bases {
        home: Some(dir.path().join("home")),
        project: vec![dir.path().join("project")],
        ..Bases::default()
    };
    let catalog = profile.catalog(&bases).load();
    for (id, approves) in [("x", false), ("own", true), ("theirs", false)] {
        let mut session = Session::new(profile.clone());
        session.set_tools([("read", ToolKind::Read)]);
        let turn = session.turn(&catalog, &format!("${id} it"), Surface::User);
        assert_eq!(turn.started, [id], "{:?}", turn.notices);
        assert_eq!(turn.approved.admits("read", "a"), approves, "{id}");
    }
}

#[test]
fn commands_with_the_names_of_chat_services() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join(".openclaw/skills");
    for (name, more) in [
        ("web-search", ""),
        ("off-one", ""),
        ("no-one", "user-invocable: false\n"),
    ] {
        skill(&folder, name, more, "Go.");
    }
    let bases = Bases {
        home: Some(dir.path().to_owned()),
        ..Bases::default()
    };
    let profile = Profile::named("openclaw").unwrap();
    let builder = profile.catalog(&bases).disabled(["off-one"]);
    let catalog: Catalog = builder.load();
    let commands = profile.commands(&catalog);
    let names: Vec<&str> = commands.iter().map(|command| &*command.name).collect();
    assert_eq!(names, ["web_search"]);
    let id = |name: &str| profile.command(&catalog, name);
    for name in ["web_search", "Web_Search", "web-search"] {
        assert_eq!(id(name).as_deref(), Some("web-search"), "{name}");
    }
    assert_eq!(id("off_one").as_deref(), Some("off-one"));
    assert_eq!(id("no_one").as_deref(), Some("no-one"));
    assert_eq!(id("nope"), None);
    let told = |text: &str| {
        let resolution = profile.resolve(&catalog, text, Surface::User);
        let told = resolution.notices.iter().map(ToString::to_string);
        told.collect::<Vec<_>>().join(" ")
    };
    let disabled = "Skill 'off-one' is disabled. Enable it with /skill enable off-one.";
    for text in ["/off_one x", "/Off_One", "/off-one"] {
        assert_eq!(told(text), disabled, "{text}");
    }
    assert_eq!(told("/offone"), "");
    let started = Session::new(profile.clone()).turn(&catalog, "/Web_Search x", Surface::User);
    assert_eq!(started.started, ["web-search"]);
}

#[test]
fn the_guide_shows_the_host() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/host.md");
    // The published package has no guide.
    if let Ok(guide) = fs::read_to_string(guide) {
        let (_, host) = include_str!("host.rs").split_once("\n\n").unwrap();
        assert!(
            guide.replace("\r\n", "\n").contains(host),
            "host.md shows another host"
        );
    }
}
