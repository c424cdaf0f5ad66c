use super::*;
use crate::dialect::resolution::Verdict;
use crate::fixture::{Fixture, command_options as options, command_skills as fixture};
use proptest::prelude::*;
use skills_format::mention::Refusal;
use skills_runtime::Outcome;

fn effect(catalog: &Catalog, text: &str, options: &Options) -> Option<Effect> {
    Some(command(options, catalog, text)?.effect)
}

#[test]
fn starts_a_skill() {
    let fixture = fixture();
    let found = |text: &str, commands| {
        let found = command(&options(commands), &fixture.catalog, text)?;
        let skill = found.skills.into_iter().next()?;
        Some((skill.id, skill.arguments, found.task))
    };
    let expected = |skill: &str, arguments: &str, message: &str| {
        Some((skill.to_owned(), arguments.to_owned(), message.to_owned()))
    };
    let own = true;
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
    assert_eq!(found("/spotify", false), None);
}

#[test]
fn dispatches() {
    let fixture = fixture();
    let invocation = effect(&fixture.catalog, "/exec  ls -la | wc \n", &Options::DEFAULT);
    let Some(Effect::Dispatch(mut dispatch)) = invocation else {
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
    let invocation = effect(&fixture.catalog, "/aleph x", &Options::DEFAULT);
    let skill = "aleph".to_owned();
    assert_eq!(
        invocation,
        Some(Effect::Refused(Notice::of(
            "/aleph",
            Outcome::Refused {
                skill,
                why: Refusal::Disabled { unknown: None }
            }
        )))
    );
}

#[test]
fn meta() {
    let fixture = fixture();
    for commands in [true, false] {
        let found = |text: &str| match effect(&fixture.catalog, text, &options(commands)) {
            Some(Effect::Request(meta)) => meta,
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
    let own = options(true);
    for text in [
        "/exec  echo \"a\"  b ",
        "/skill exec  echo \"a\"  b ",
        "/skill run exec  echo \"a\"  b ",
        "/skill $exec  echo \"a\"  b ",
        "/Skills:exec  echo \"a\"  b ",
        "/skill user:exec  echo \"a\"  b ",
    ] {
        let Some(Effect::Dispatch(dispatch)) = effect(&fixture.catalog, text, &own) else {
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
    let found = effect(&fixture.catalog, "/skill exec ls", &options(false));
    assert!(
        matches!(found, Some(Effect::Request(Request::Run { .. }))),
        "{found:?}"
    );
    let off = fixture.catalog.with(|builder| builder.disabled(["exec"]));
    let found = effect(&off, "/skill exec ls", &own);
    assert!(
        matches!(found, Some(Effect::Request(Request::Run { .. }))),
        "{found:?}"
    );
}

proptest! {
    #[test]
    fn nothing_typed_is_lost(text in " ?/?(spotify|exec|skill|help)?[ \n]{0,2}[a-z$ \n]{0,12}") {
        thread_local!(static FIXTURE: Fixture = fixture());
        FIXTURE.with(|fixture| {
            let found = command(&Options::DEFAULT, &fixture.catalog, &text);
            if let Some(found) = found.filter(|found| found.effect == Effect::Command) {
                let name = found.command.unwrap();
                let arguments = &found.skills[0].arguments;
                let rest = text.trim_start().strip_prefix('/').unwrap().strip_prefix(&name).unwrap();
                assert_eq!(rest.trim(), arguments);
                let expected = if arguments.is_empty() { text.trim() } else { arguments };
                assert_eq!(found.task, expected);
            }
        });
    }
}
