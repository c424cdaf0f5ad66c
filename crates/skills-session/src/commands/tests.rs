use super::*;
use crate::fixture::{Fixture, Sources, skills};
use skills_runtime::catalog::State;

fn fixture() -> Fixture {
    let long = "description: Plays music, makes lists of it and tells what is playing now, on any device that is in the house or in the car.";
    Sources::new()
        .source(
            "user",
            &[
                ("aleph", "", ""),
                ("exec", "command-dispatch: tool\ncommand-tool: shell", ""),
                ("help", "", ""),
                ("model-only", "user-invocable: false", ""),
                ("spotify", &format!("{long}\nargument-hint: play SONG"), ""),
                ("web-search", "", ""),
            ],
        )
        .disabled(&["aleph"])
        .load()
}

fn profile(names: CommandNames) -> Profile {
    Profile::DEFAULT.with(|profile| {
        profile.commands.names = names;
        profile.commands.reserved = vec!["help".into()].into();
    })
}

#[test]
fn specs() {
    let fixture = fixture();
    let names = |names| {
        let commands = profile(names).commands(&fixture.catalog);
        commands
            .into_iter()
            .map(|command| command.name)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(CommandNames::Own),
        ["exec", "help_2", "spotify", "web-search"]
    );
    assert_eq!(
        names(CommandNames::Sanitised),
        ["exec", "help_2", "spotify", "web_search"]
    );
    assert!(names(CommandNames::None).is_empty());
    let commands = Profile::DEFAULT.commands(&fixture.catalog);
    let spotify = &commands[2];
    assert_eq!(
        spotify.description,
        "Plays music, makes lists of it and tells what is playing now, on any device that is in the house or…"
    );
    assert!(spotify.description.chars().count() <= 100);
    assert_eq!(spotify.argument_hint.as_deref(), Some("play SONG"));
    assert_eq!(commands[0].tool.as_deref(), Some("shell"));
}

#[test]
fn ids_by_the_names_of_commands() {
    let fixture = Sources::new()
        .source(
            "user",
            &[
                ("a-b", "", ""),
                ("off-one", "", ""),
                ("n-o", "user-invocable: false", ""),
            ],
        )
        .disabled(&["off-one"])
        .load();
    let profile = Profile::DEFAULT.with(|profile| profile.commands.names = CommandNames::Sanitised);
    let id = |name: &str| profile.id_of_command(&fixture.catalog, name);
    assert_eq!(id("a_b").as_deref(), Some("a-b"));
    assert_eq!(id("A_B").as_deref(), Some("a-b"));
    assert_eq!(id("off_one").as_deref(), Some("off-one"));
    assert_eq!(id("n_o").as_deref(), Some("n-o"));
    for name in ["a-b", "user:a-b", "user:a_b", "nope", ""] {
        assert_eq!(id(name), None, "{name}");
    }
    assert_eq!(
        Profile::DEFAULT.id_of_command(&fixture.catalog, "a_b"),
        None
    );
}

#[test]
fn one_index_a_catalog() {
    let fixture = skills(&[("lint", "", ""), ("review", "", "")]);
    let profile = Profile::DEFAULT;
    let first = command_index(&fixture.catalog, &profile);
    let clone = fixture.catalog.clone();
    assert!(Arc::ptr_eq(&first, &command_index(&clone, &profile)));

    let sanitised =
        Profile::DEFAULT.with(|profile| profile.commands.names = CommandNames::Sanitised);
    let other = command_index(&fixture.catalog, &sanitised);
    assert!(other.is_of(&sanitised));
    assert!(Arc::ptr_eq(
        &first,
        &command_index(&fixture.catalog, &profile)
    ));

    let off: State = ["lint"].into_iter().collect();
    let switched = command_index(&fixture.catalog.with_state(off), &profile);
    assert!(first.named("lint").is_some());
    assert!(switched.named("lint").is_none());
}
