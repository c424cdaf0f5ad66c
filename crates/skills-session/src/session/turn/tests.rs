use super::*;
use crate::Dialect as _;
use crate::activation::{activate, joined};
use crate::fixture::{Fixture, Sources, calls, guidance, skills};
use crate::options::Options;
use crate::session::active::Entered;
use skills_permit::Tools;

fn fixture() -> Fixture {
    Sources::new()
        .untrusted("project", &[("theirs", "", "")])
        .source(
            "user",
            &[
                ("fix", "allowed-tools: Edit", "Fix."),
                ("lint", "allowed-tools: Read", "Lint."),
                ("off", "", ""),
                ("shell", "command-dispatch: tool\ncommand-tool: exec", ""),
                ("typed", "disable-model-invocation: true", ""),
            ],
        )
        .disabled(&["off"])
        .load()
}

/// Writes each message with its place: `system`, `user`, or the call.
fn places(messages: &[Message]) -> Vec<(&str, &str)> {
    let placed = messages.iter().map(|message| match message {
        Message::System { text } => ("system", &**text),
        Message::User { text } => ("user", &**text),
        Message::Exchange(exchange) => (exchange.arguments.as_str(), &*exchange.result),
    });
    placed.collect()
}

fn told(outcome: &TurnOutcome) -> Vec<String> {
    outcome.notices.iter().map(ToString::to_string).collect()
}

struct Held {
    fixture: Fixture,
    session: Session,
}

impl Held {
    fn new(profile: &Options) -> Self {
        let mut session = Session::new(profile.clone());
        session.set_tools(Tools::named(["Read", "Edit", "Bash"]));
        Self {
            fixture: fixture(),
            session,
        }
    }

    fn turn(&mut self, text: &str) -> TurnOutcome {
        self.session
            .turn(&self.fixture.catalog, text, Surface::User)
    }
}

#[test]
fn each_delivery_has_its_places() {
    let tagged = "<skill_content name=\"lint\" source=\"user\" directory=\"~/user/lint\">\nLint.";
    let preamble = Options::DEFAULT.preamble;
    let sent = |profile: &Options, text: &str| {
        let turn = Held::new(profile).turn(text);
        assert_eq!(turn.started, ["lint"]);
        let messages = places(&turn.messages).into_iter();
        messages
            .map(|(place, text)| (place.to_owned(), text.to_owned()))
            .collect::<Vec<_>>()
    };
    let [(skill_at, skill), (task_at, task)] = &*sent(&Options::DEFAULT, "$lint src") else {
        panic!("two messages");
    };
    assert_eq!((&**skill_at, &**task_at, &**task), ("user", "user", "src"));
    assert!(
        skill.starts_with(&format!("{preamble}\n\n{tagged}")),
        "{skill}"
    );

    let [(skill_at, skill), (task_at, task)] = &*sent(&guidance(), "$lint src") else {
        panic!("two messages");
    };
    assert_eq!(
        (&**skill_at, &**task_at, &**task),
        ("system", "user", "src")
    );
    assert!(skill.starts_with(tagged), "{skill}");

    let [(at, rules), (task_at, task), (call, result)] = &*sent(&calls(), "/lint src") else {
        panic!("the rules, the task, and the call");
    };
    assert_eq!((&**at, &**task_at, &**task), ("system", "user", "src"));
    assert_eq!(*rules, calls().rules());
    assert_eq!(call, r#"{"arguments":"src","skill":"lint"}"#);
    assert!(result.starts_with(tagged), "{result}");
}

#[test]
fn the_preamble_of_an_exchange_is_a_message() {
    let mut profile = calls();
    profile.preamble = "As the user says.".into();
    profile.rules = "".into();
    profile.tool_names = skills_permit::ToolNames::NONE;
    let turn = Held::new(&profile).turn("/lint src");
    let messages = places(&turn.messages);
    assert_eq!(
        messages[..2],
        [("user", "As the user says."), ("user", "src")]
    );
    assert_eq!(messages.len(), 3);
}

#[test]
fn a_skill_without_a_task_is_sent_with_what_was_typed() {
    for (profile, text) in [
        (&Options::DEFAULT, "$lint"),
        (&Options::DEFAULT, "/lint"),
        (&guidance(), " $lint "),
        (&calls(), "/lint"),
    ] {
        let turn = Held::new(profile).turn(text);
        assert!(places(&turn.messages).contains(&("user", text)), "{turn:?}");
    }
}

#[test]
fn what_starts_no_skill() {
    let mut held = Held::new(&Options::DEFAULT);
    let plain = held.turn("hello");
    assert_eq!(places(&plain.messages), [("user", "hello")]);
    assert_eq!(plain.tools.tools.len(), 3);
    let off = held.turn("/off it");
    assert_eq!(places(&off.messages), [("user", "/off it")]);
    assert_eq!(
        told(&off),
        ["Skill 'off' is disabled. Enable it with /skill enable off."]
    );
}

/// The lists of both skills approve, so there is nothing to choose.
#[test]
fn two_skills_with_lists_start_together() {
    let mut held = Held::new(&Options::DEFAULT);
    let turn = held.turn("$lint and $fix");
    assert_eq!(turn.started, ["lint", "fix"]);
    assert_eq!(told(&turn), ["Using skill: lint", "Using skill: fix"]);
    assert_eq!(turn.tools.tools.len(), 3, "the skills take no tool away");
    assert!(turn.approved.admits("Read", "a") && turn.approved.admits("Edit", "a"));
    assert!(!turn.approved.admits("Bash", "make"));
}

#[test]
fn a_command_that_calls_a_tool_never_reaches_the_model() {
    let fields = "command-dispatch: tool\ncommand-tool: exec";
    let fixture = Sources::new()
        .untrusted("project", &[("theirs", fields, "")])
        .source(
            "user",
            &[
                ("hidden", &format!("{fields}\nuser-invocable: false"), ""),
                ("off", fields, ""),
                ("shell", fields, ""),
                ("text", "", ""),
            ],
        )
        .disabled(&["off", "text"])
        .load();
    let profile = &Options::DEFAULT;
    let mut session = Session::new(profile.clone());
    let mut turn = |text: &str| session.turn(&fixture.catalog, text, Surface::User);
    let file = fixture.dir.path().join("user/shell/SKILL.md");
    let changed = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, changed.replace("exec", "read")).unwrap();
    for (text, notice) in [
        ("/off ls", "Skill 'off' is disabled"),
        ("/theirs ls", "Skill 'theirs' is not trusted"),
        ("/hidden ls", "Skill 'hidden' cannot be started with /"),
        ("/shell ls", "Not started: "),
    ] {
        let turn = turn(text);
        let [told] = turn.notices.as_slice() else {
            panic!("{text}: {turn:?}");
        };
        assert!(told.to_string().starts_with(notice), "{told}");
        assert!(
            turn.messages.is_empty() && turn.dispatch.is_none(),
            "{text}"
        );
    }
    assert_eq!(places(&turn("/text it").messages), [("user", "/text it")]);
}

#[test]
fn what_the_host_is_asked() {
    let mut held = Held::new(&Options::DEFAULT);
    let turn = held.turn("/shell ls -la");
    assert!(turn.messages.is_empty() && turn.dispatch.is_some());
    for (text, request) in [
        ("/skill", Request::List),
        (
            "/skill enable off",
            Request::Enable {
                id: "off".to_owned(),
            },
        ),
        (
            "/skill disable lint",
            Request::Disable {
                id: "lint".to_owned(),
            },
        ),
        (
            "/skill trust theirs",
            Request::Trust {
                id: "theirs".to_owned(),
            },
        ),
    ] {
        let turn = held.turn(text);
        assert_eq!(turn.request, Some(request));
        assert!(turn.messages.is_empty() && turn.notices.is_empty());
    }
    let turn = held.turn("/skill trust");
    assert_eq!(turn.request, None);
    assert_eq!(
        told(&turn),
        [
            "/skill trust needs a skill: write /skill trust ID. Run /skill list to see available skills."
        ]
    );
}

#[test]
fn runs_and_stops() {
    let mut held = Held::new(&Options::DEFAULT);
    let turn = held.turn("/skill run $lint src");
    assert_eq!(
        (&*turn.started, told(&turn)),
        (
            &["lint".to_owned()][..],
            vec!["Using skill: lint".to_owned()]
        )
    );
    assert_eq!(places(&turn.messages)[1], ("user", "src"));
    assert_eq!(turn.tools.tools.len(), 3, "`allowed-tools` takes no tool");
    let turn = held.turn("/skill theirs go");
    assert_eq!(told(&turn).len(), 1);
    assert!(turn.messages.is_empty() && turn.started.is_empty());
    held.turn("$fix it");
    assert_eq!(
        told(&held.turn("/skill stop user:lint")),
        ["Stopped: lint."]
    );
    assert_eq!(
        told(&held.turn("/skill stop lint")),
        ["No skill named 'lint' is active."]
    );
    held.turn("$lint it");
    assert_eq!(told(&held.turn("/skill stop")), ["Stopped: fix, lint."]);
    assert_eq!(told(&held.turn("/skill stop")), ["No skill is active."]);
    let catalog = &held.fixture.catalog;
    let turn = held.session.run(catalog, "typed", "");
    let places = places(&turn.messages);
    assert_eq!(
        places.len(),
        3,
        "the skills that ended, the skill, the task"
    );
    assert_eq!(places[2], ("user", "/skill run typed"));
}

#[test]
fn a_changed_catalog_ends_skills() {
    let mut held = Held::new(&Options::DEFAULT);
    held.turn("$lint src");
    held.fixture.catalog = held
        .fixture
        .catalog
        .with(|builder| builder.disabled(["lint"]));
    let turn = held.turn("go on");
    assert_eq!(told(&turn), ["Disabled, and no longer active: lint."]);
    assert!(held.session.active().is_empty());
}

#[test]
fn what_ended_a_skill_is_reported_apart() {
    let mut held = Held::new(&Options::DEFAULT);
    held.turn("$lint src");
    held.turn("$fix it");
    let catalog = Catalog::builder().load();
    let ended = |session: &mut Session, catalog: &Catalog| {
        let turn = session.turn(catalog, "go on", Surface::User);
        told(&turn)
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    let disabled = held
        .fixture
        .catalog
        .with(|builder| builder.disabled(["lint"]));
    assert_eq!(
        ended(&mut held.session, &disabled),
        ["Disabled, and no longer active: lint."]
    );
    assert_eq!(
        ended(&mut held.session, &catalog),
        ["Removed, and no longer active: fix."]
    );
}

#[test]
fn a_mistyped_request_names_the_request() {
    let mut held = Held::new(&Options::DEFAULT);
    for (typed, notice) in [
        (
            "/skill enabel lint",
            "No skill named 'enabel'. Did you mean /skill enable lint?",
        ),
        (
            "/skills:lst",
            "No skill named 'lst'. Did you mean /skill list?",
        ),
        (
            "/skill run enabel",
            "No skill named 'enabel'. Run /skill list to see available skills.",
        ),
        (
            "/skill nosuch x",
            "No skill named 'nosuch'. Run /skill list to see available skills.",
        ),
    ] {
        assert_eq!(told(&held.turn(typed)), [notice], "{typed}");
    }
}

#[test]
fn a_models_plan_belongs_to_the_turn() {
    let mut held = Held::new(&guidance());
    held.turn("$lint src");
    let catalog = &held.fixture.catalog;
    let plan = held.session.turn(catalog, "First $fix it.", Surface::Model);
    assert_eq!(plan.started, ["fix"]);
    assert_eq!(
        plan.messages.len(),
        1,
        "its own text is in the conversation"
    );
    assert!(plan.tools.tools.is_empty(), "it only narrows further");
    assert_eq!(held.session.active().len(), 2);
}

#[test]
fn variables_of_the_host() {
    let fixture = skills(&[("at", "arguments: [FILE]", "At $FILE.")]);
    let mut session = Session::new(Options::DEFAULT);
    session.set_variable("FILE", "src/main.rs");
    let turn = session.turn(&fixture.catalog, "$at it", Surface::User);
    assert!(
        places(&turn.messages)[0].1.contains("\nAt src/main.rs.\n"),
        "{turn:?}"
    );
}

#[test]
fn a_call_is_as_a_mention() {
    let mut held = Held::new(&calls());
    let call = r#"{"skill":"lint","arguments":"src"}"#;
    let catalog = &held.fixture.catalog;
    let called = held.session.call(catalog, "run_skill", call).unwrap();
    let typed = Held::new(&calls()).turn("/lint src");
    let Some(Message::Exchange(exchange)) = typed.messages.last() else {
        panic!("{typed:?}");
    };
    assert_eq!(called.result, exchange.result);
    assert_eq!(called.turn.messages, typed.messages[..1], "the rules");
    assert_eq!(called.turn.started, ["lint"]);
    assert_eq!(called.turn.tools, typed.tools);
    assert_eq!(called.turn.notices, typed.notices);
    assert_eq!(called.turn.notices.len(), 1, "Using skill: lint");
    assert_eq!(held.session.active()[0].text, called.result);
    let now = held
        .fixture
        .catalog
        .with(|builder| builder.disabled(["lint"]));
    let error = held.session.call(&now, "run_skill", call).unwrap_err();
    assert!(
        error.to_string().contains("'lint' is disabled"),
        "the catalog of now: {error}"
    );
}

#[test]
fn an_entered_message_is_whole() {
    let fixture = fixture();
    let mut profile = calls();
    profile.preamble = "As the user says.".into();
    let entry = fixture.catalog.get("lint").unwrap();
    let mut activation = activate(&profile, &entry, "src").unwrap();
    activation.note = "Scheduled.".to_owned();
    let mut session = Session::new(profile.clone());
    let rules = profile.rules();
    let message = |entered: &Entered| joined(&[&entered.rules, &entered.in_turn()]);
    let text = &activation.text;
    assert_eq!(
        message(&session.enter(&activation)),
        format!("{rules}\n\nAs the user says.\n\nScheduled.\n\n{text}")
    );
    assert_eq!(message(&session.enter(&activation)), activation.message());
}

#[test]
fn what_a_host_stores_comes_back() {
    fn again<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
        value: &T,
    ) {
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value, "{json}");
    }
    let fixture = fixture();
    again(&fixture.catalog.trust_question("theirs").unwrap().1);
    let mut session = Session::new(Options::DEFAULT);
    let outcome = session.turn(&fixture.catalog, "$lint it", Surface::User);
    assert!(!outcome.messages.is_empty());
    again(&outcome.messages);
    again(&session.save());
}

#[test]
fn an_entry_is_data_for_a_listing() {
    let fixture = fixture();
    let entry = fixture.catalog.get("off").unwrap();
    let json = serde_json::to_value(entry).unwrap();
    assert_eq!(json["id"], "off");
    assert_eq!(json["enabled"], false);
    assert_eq!(json["description"], entry.description());
}

#[test]
fn each_request_has_its_counterpart() {
    let mut held = Held::new(&Options::DEFAULT);
    let catalog = &held.fixture.catalog;
    held.fixture.catalog = catalog.with(|builder| builder.disabled(["text", "user:fix"]));
    assert_eq!(held.turn("$off it").started, ["off"]);
    assert!(held.turn("$fix it").started.is_empty());

    let (question, record) = held.fixture.catalog.trust_question("theirs").unwrap();
    assert!(
        question.contains("\n  SKILL.md\ntrust digest sha256:"),
        "{question}"
    );
    assert!(question.contains("\n---\nname: theirs\n"));
    assert!(held.turn("$theirs it").started.is_empty());
    held.fixture.catalog = held
        .fixture
        .catalog
        .with(|builder| builder.trusted([record]));
    assert_eq!(held.turn("$theirs it").started, ["theirs"]);
    let (again, _) = held.fixture.catalog.trust_question("theirs").unwrap();
    assert!(
        again.contains("\nunchanged since it was trusted\n"),
        "{again}"
    );
    let needless = held.fixture.catalog.trust_question("fix").unwrap_err();
    assert_eq!(needless.kind(), skills_runtime::ErrorKind::Refused);
    assert_eq!(
        needless.to_string(),
        "skill 'fix' needs no trust: this program trusts every skill of its source"
    );

    let file = held.fixture.dir.path().join("project/theirs/SKILL.md");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(file, text + "\u{1b}[2J more\n").unwrap();
    held.fixture.catalog = held.fixture.catalog.reload();
    assert!(held.turn("$theirs it").started.is_empty(), "it has changed");
    let catalog = &held.fixture.catalog;
    let (shown, record) = catalog.trust_question("project:theirs").unwrap();
    assert!(
        shown.contains("since it was trusted: changed SKILL.md"),
        "{shown}"
    );
    assert!(!shown.contains('\u{1b}'), "{shown}");
    held.fixture.catalog = held
        .fixture
        .catalog
        .with(|builder| builder.trusted([record]));
    assert_eq!(held.turn("$theirs it").started, ["theirs"]);
    let unknown = held.fixture.catalog.trust_question("nope").unwrap_err();
    assert_eq!(unknown.kind(), skills_runtime::ErrorKind::Refused);
}

/// It is said once, when a person starts the skill.
#[test]
fn a_list_that_is_not_exact_approves_nothing() {
    use crate::options::AllowedTools;
    let said = |list: &str, allowed_tools: AllowedTools| {
        let fixture = skills(&[("a", list, "Do it.")]);
        let mut session = Session::new(Options {
            allowed_tools,
            ..Options::DEFAULT
        });
        session.set_tools(Tools::named(["Read", "Bash"]));
        [(); 2].map(|()| {
            let outcome = session.turn(&fixture.catalog, "$a", Surface::User);
            told(&outcome).join(" ").contains("approves no tool call")
        })
    };
    let doubtful = "allowed-tools: Read, Bash(git";
    assert_eq!(said(doubtful, AllowedTools::Approves), [true, false]);
    assert_eq!(said(doubtful, AllowedTools::Narrows), [false; 2]);
    let exact = "allowed-tools: Read, Bash(git *)";
    assert_eq!(said(exact, AllowedTools::Approves), [false; 2]);
}
