use super::*;
use crate::fixture::{Fixture, Sources};
use crate::resolve::dispatch::Verdict;
use crate::resolve::invocation::{Invocation, Request};
use crate::resolve::notice::Notice;
use proptest::prelude::*;
use skills_runtime::Outcome;

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
fn starts_a_skill() {
    let fixture = fixture();
    let found = |text: &str, names| match command(&fixture.catalog, text, &profile(names)) {
        Some(Invocation::Skill(command)) => {
            Some((command.skill, command.arguments, command.message))
        }
        _ => None,
    };
    let expected = |skill: &str, arguments: &str, message: &str| {
        Some((skill.to_owned(), arguments.to_owned(), message.to_owned()))
    };
    let own = CommandNames::Own;
    assert_eq!(
        found("/spotify play Bohemian Rhapsody", own),
        expected(
            "spotify",
            "play Bohemian Rhapsody",
            "play Bohemian Rhapsody"
        )
    );
    assert_eq!(found("/spotify", own), expected("spotify", "", "/spotify"));
    assert_eq!(found(" \n/spotify x", own), expected("spotify", "x", "x"));
    assert_eq!(
        found("/spotify \n", own),
        expected("spotify", "", "/spotify")
    );
    assert_eq!(
        found("/spotify a\n b\nc", own),
        expected("spotify", "a\n b\nc", "a\n b\nc")
    );
    assert_eq!(
        found("/spotify\nplay", own),
        expected("spotify", "play", "play")
    );
    assert_eq!(found("/help_2", own), expected("help", "", "/help_2"));
    assert_eq!(found("/user:spotify x", own), expected("spotify", "x", "x"));
    for text in [
        "/help",
        "/nope",
        "/Spotify",
        "/spotif",
        "//spotify",
        "/",
        "/ spotify",
        "/spotify/x",
        "spotify",
        "/model-only",
    ] {
        assert_eq!(found(text, own), None, "{text}");
    }
    let sanitised = CommandNames::Sanitised;
    assert_eq!(
        found("/web_search x", sanitised),
        expected("web-search", "x", "x")
    );
    assert_eq!(
        found("/Web_Search x", sanitised),
        expected("web-search", "x", "x")
    );
    assert_eq!(
        found("/web-search x", sanitised),
        expected("web-search", "x", "x")
    );
    assert_eq!(found("/spotify", CommandNames::None), None);
}

#[test]
fn dispatches() {
    let fixture = fixture();
    let invocation = command(&fixture.catalog, "/exec  ls -la | wc \n", &Profile::DEFAULT);
    let Some(Invocation::Dispatch(mut dispatch)) = invocation else {
        panic!("{invocation:?}");
    };
    assert_eq!(
        serde_json::to_string(&dispatch).unwrap(),
        r#"{"name":"exec","skill":"exec","arguments":null,"dispatch":{"kind":"tool","tool":null,"arguments":null}}"#
    );
    dispatch.check(&fixture.catalog).unwrap();
    let call = dispatch
        .clone()
        .ask(&fixture.catalog, |_, _| Verdict::Allowed);
    let call = call.unwrap();
    assert_eq!((&*call.tool, &*call.arguments), ("shell", "ls -la | wc "));
    assert_eq!(
        serde_json::to_string(&dispatch).unwrap(),
        r#"{"name":"exec","skill":"exec","arguments":"ls -la | wc ","dispatch":{"kind":"tool","tool":"shell","arguments":"ls -la | wc "}}"#
    );
}

#[test]
fn refuses_what_is_disabled() {
    let fixture = fixture();
    let invocation = command(&fixture.catalog, "/aleph x", &Profile::DEFAULT);
    let skill = "aleph".to_owned();
    assert_eq!(
        invocation,
        Some(Invocation::Refused(Notice::of(
            "/aleph",
            Outcome::Disabled {
                skill,
                unknown: None
            }
        )))
    );
}

#[test]
fn refuses_by_the_name_that_a_command_would_have() {
    let fixture = Sources::new()
        .source(
            "user",
            &[("no-one", "", ""), ("off-one", "", ""), ("on-one", "", "")],
        )
        .disabled(&["no-one", "off-one"])
        .load();
    let told = |text: &str, profile: &Profile| match command(&fixture.catalog, text, profile) {
        None => String::new(),
        Some(Invocation::Refused(notice)) => notice.to_string(),
        Some(other) => panic!("{text}: {other:?}"),
    };
    let profile = Profile::DEFAULT.with(|profile| {
        profile.commands.names = CommandNames::Sanitised;
        profile.commands.reserved = vec!["no_one".into()].into();
    });
    let disabled = "Skill 'off-one' is disabled. Enable it with /skill enable off-one.";
    for text in ["/off_one x", "/Off_One", "/off-one"] {
        assert_eq!(told(text, &profile), disabled, "{text}");
    }
    for text in ["/no_one", "/No_One", "/offone", "/off"] {
        assert_eq!(told(text, &profile), "", "{text}");
    }
    assert_eq!(told("/off_one", &Profile::DEFAULT), "");
}

#[test]
fn meta() {
    let fixture = fixture();
    for names in [CommandNames::Own, CommandNames::None] {
        let found = |text: &str| match command(&fixture.catalog, text, &profile(names)) {
            Some(Invocation::Request(meta)) => meta,
            other => panic!("{text}: {other:?}"),
        };
        let id = || "aleph".to_owned();
        assert_eq!(found("/skill"), Request::List);
        assert_eq!(found("/skills"), Request::List);
        assert_eq!(found("/skill list"), Request::List);
        assert_eq!(found("/skill enable aleph"), Request::Enable { id: id() });
        assert_eq!(
            found("/skills  disable  aleph "),
            Request::Disable { id: id() }
        );
        assert_eq!(found("/skill trust aleph"), Request::Trust { id: id() });
        assert_eq!(found("/skill untrust aleph"), Request::Untrust { id: id() });
        assert_eq!(found("/skill help"), Request::Help { verb: None });
        assert_eq!(
            found("/skill enable"),
            Request::Help {
                verb: Some("enable".to_owned())
            }
        );
        let run = |arguments: &str| Request::Run {
            id: id(),
            arguments: arguments.to_owned(),
        };
        assert_eq!(found("/skill run aleph a  b"), run("a  b"));
        assert_eq!(found("/skill aleph a\nb"), run("a\nb"));
        assert_eq!(found("/skill aleph"), run(""));
        for text in [
            "/SKILL aleph",
            " /Skills run aleph",
            "/skill:aleph",
            "/skill:run aleph",
            "/skills\taleph",
        ] {
            assert_eq!(found(text), run(""), "{text}");
        }
        assert_eq!(
            found("/skill:user:aleph x\ny"),
            Request::Run {
                id: "user:aleph".to_owned(),
                arguments: "x\ny".to_owned()
            }
        );
        assert_eq!(found("/skill:"), Request::List);
    }
}

#[test]
fn a_request_to_run_calls_the_tool_that_the_command_calls() {
    let fixture = fixture();
    let gate = |_: &str, _: &str| Verdict::Allowed;
    let own = profile(CommandNames::Own);
    for text in [
        "/exec  echo \"a\"  b ",
        "/skill exec  echo \"a\"  b ",
        "/skill run exec  echo \"a\"  b ",
        "/skill $exec  echo \"a\"  b ",
        "/Skills:exec  echo \"a\"  b ",
        "/skill user:exec  echo \"a\"  b ",
    ] {
        let Some(Invocation::Dispatch(dispatch)) = command(&fixture.catalog, text, &own) else {
            panic!("{text}");
        };
        let call = dispatch.ask(&fixture.catalog, gate).unwrap();
        assert_eq!(
            (&*call.tool, &*call.arguments),
            ("shell", "echo \"a\"  b "),
            "{text}"
        );
    }
    // If skills have no commands, no text calls a tool.
    let found = command(
        &fixture.catalog,
        "/skill exec ls",
        &profile(CommandNames::None),
    );
    assert!(
        matches!(found, Some(Invocation::Request(Request::Run { .. }))),
        "{found:?}"
    );
    let off = fixture.catalog.with_state(["exec"].into_iter().collect());
    let found = command(&off, "/skill exec ls", &own);
    assert!(
        matches!(found, Some(Invocation::Request(Request::Run { .. }))),
        "{found:?}"
    );
}

proptest! {
    #[test]
    fn nothing_typed_is_lost(text in " ?/?(spotify|exec|skill|help)?[ \n]{0,2}[a-z$ \n]{0,12}") {
        thread_local!(static FIXTURE: Fixture = fixture());
        FIXTURE.with(|fixture| {
            if let Some(Invocation::Skill(command)) = command(&fixture.catalog, &text, &Profile::DEFAULT) {
                let rest = text.trim_start().strip_prefix('/').unwrap().strip_prefix(&command.name).unwrap();
                assert_eq!(rest.trim(), command.arguments);
                let expected = if command.arguments.is_empty() { text.trim() } else { &command.arguments };
                assert_eq!(command.message, expected);
            }
        });
    }
}
