use super::*;
use crate::Dialect as _;
use crate::fixture::{command_options as options, command_skills as fixture};

#[test]
fn specs() {
    let fixture = fixture();
    let names = |names| {
        let commands = options(names).commands(&fixture.catalog);
        commands
            .into_iter()
            .map(|command| command.name)
            .collect::<Vec<_>>()
    };
    assert_eq!(names(true), ["exec", "spotify", "web-search"]);
    assert!(names(false).is_empty());
    let commands = Options::DEFAULT.commands(&fixture.catalog);
    let spotify = &commands[2];
    assert_eq!(
        spotify.description,
        "Plays music, makes lists of it and tells what is playing now, on any device that is in the house or…"
    );
    assert!(spotify.description.chars().count() <= 100);
    assert_eq!(spotify.argument_hint.as_deref(), Some("play SONG"));
    assert_eq!(commands[0].tool.as_deref(), Some("shell"));
}
