use super::*;
use crate::Dialect as _;
use crate::fixture::{Fixture, Sources};

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

fn options(commands: bool) -> Options {
    Options {
        commands,
        reserved: vec!["help".into()],
        ..Options::DEFAULT
    }
}

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
