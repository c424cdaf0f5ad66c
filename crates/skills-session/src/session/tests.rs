use super::*;
use crate::activation::activate;
use crate::fixture::{Fixture, calls, guidance, one_turn, skills};
use crate::options::AllowedTools;
use proptest::prelude::*;
use skills_format::ToolRule;
use skills_permit::ToolNames;

fn fixture() -> Fixture {
    skills(&[
        ("lint", "allowed-tools: Read", "Lint it."),
        ("fix", "allowed-tools: Edit", "Fix $ARGUMENTS."),
        ("plain", "", "Plain."),
    ])
}

fn start(fixture: &Fixture, id: &str, arguments: &str) -> Activation {
    let skill = fixture.catalog.get(id).unwrap();
    activate(&Options::DEFAULT, &skill, arguments).unwrap()
}

fn ids(session: &Session) -> Vec<&str> {
    session
        .active()
        .iter()
        .map(|active| active.skill.as_str())
        .collect()
}

fn is_reminder(entered: &Entered) -> bool {
    entered.text.contains(" is active already: ")
}

#[test]
fn reminds_of_what_is_active() {
    let fixture = fixture();
    let mut session = Session::new(Options::DEFAULT);
    let first = session.enter(&start(&fixture, "lint", "src"));
    assert!(!is_reminder(&first));
    session.enter(&start(&fixture, "plain", ""));
    let again = session.enter(&start(&fixture, "lint", "tests"));
    assert!(is_reminder(&again));
    assert_eq!(
        again.text,
        "The skill lint is active already: follow its instructions above.\nARGUMENTS: tests"
    );
    assert_eq!(ids(&session), ["plain", "lint"], "the latest is on top");
    let without = session.enter(&start(&fixture, "lint", ""));
    assert_eq!(
        without.text,
        "The skill lint is active already: follow its instructions above."
    );
}

#[test]
fn what_changed_enters_whole() {
    let fixture = fixture();
    let mut session = Session::new(Options::DEFAULT);
    session.enter(&start(&fixture, "fix", "a"));
    let other = start(&fixture, "fix", "b");
    assert_eq!(session.enter(&other).text, other.text);
    assert!(is_reminder(&session.enter(&other)));
}

#[test]
fn by_choice_the_body_again() {
    let fixture = fixture();
    let mut session = Session::new(one_turn());
    for _ in 0..2 {
        let activation = start(&fixture, "lint", "");
        assert_eq!(session.enter(&activation).text, activation.text);
    }
    assert_eq!(ids(&session), ["lint"]);
}

#[test]
fn lifetimes() {
    let fixture = fixture();
    for (profile, after) in [(&Options::DEFAULT, &["lint"][..]), (&guidance(), &[])] {
        let mut session = Session::new(profile.clone());
        session.enter(&start(&fixture, "lint", ""));
        session.next_turn();
        assert_eq!(ids(&session), after);
        let again = session.enter(&start(&fixture, "lint", ""));
        assert_eq!(!is_reminder(&again), after.is_empty());
    }
}

#[test]
fn rules_stand_once() {
    let fixture = fixture();
    let mut session = Session::new(calls());
    let rules = session.enter(&start(&fixture, "lint", "")).rules;
    assert!(rules == "The rules.", "{rules}");
    assert_eq!(session.enter(&start(&fixture, "fix", "")).rules, "");
}

#[test]
fn retains_and_narrows() {
    let fixture = fixture();
    let mut session = Session::new(narrows());
    let activations = ["lint", "fix", "plain"].map(|id| start(&fixture, id, ""));
    for activation in &activations {
        session.enter(activation);
    }
    let texts: Vec<&str> = session.active().iter().map(|it| &*it.text).collect();
    assert_eq!(
        texts,
        activations.each_ref().map(|activation| &*activation.text)
    );
    let left = |session: &Session| {
        let narrowed = session.narrow(&["Read", "Write", "Edit"]);
        narrowed
            .tools
            .into_iter()
            .map(|tool| tool.tool)
            .collect::<Vec<_>>()
    };
    assert_eq!(left(&session), ["Read", "Edit"]);
    assert!(session.leave("fix") && !session.leave("fix"));
    assert_eq!(left(&session), ["Read"]);
    session.leave("lint");
    assert_eq!(left(&session), ["Read", "Write", "Edit"]);
}

#[test]
fn saved_and_restored() {
    let fixture = fixture();
    let mut session = Session::new(narrows());
    session.enter(&start(&fixture, "lint", "src"));
    session.enter(&start(&fixture, "fix", "it"));
    let json = serde_json::to_string(&session.save()).unwrap();
    let mut restored = restored(&json).unwrap();
    assert_eq!(restored.save(), session.save());
    let again = start(&fixture, "lint", "tests");
    assert_eq!(restored.enter(&again), session.enter(&again));
    let damaged = json.replace("\"arguments_line\":[", "\"arguments_line\":[9");
    let mut damaged = self::restored(&damaged).unwrap();
    assert!(!is_reminder(&damaged.enter(&again)));
}

fn restored(json: &str) -> Result<Session, serde_json::Error> {
    Ok(Session::restore(serde_json::from_str(json)?, narrows()))
}

#[test]
fn a_rule_that_does_not_parse_opens_no_tool() {
    let mut session = Session::new(narrows());
    session.enter(&start(&fixture(), "lint", ""));
    let json = serde_json::to_string(&session.save()).unwrap();
    let damaged = restored(&json.replace("[\"Read\"]", "[\"(x)\"]")).unwrap();
    let tools = |session: &Session| session.narrow(&["Read", "Write"]).tools.len();
    assert_eq!((tools(&session), tools(&damaged)), (1, 0));
    let without = json.replace("\"rules\":[\"Read\"]", "\"no\":[]");
    assert!(restored(&without).is_err(), "no rules are not any tool");
}

#[test]
fn a_session_of_another_version_is_refused() {
    let json = serde_json::to_string(&Session::new(narrows()).save()).unwrap();
    let error = restored(&json.replace("\"version\":1", "\"version\":2")).unwrap_err();
    let message = "the session was saved in version 2; this program reads version 1";
    assert!(error.to_string().contains(message), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_session_widens_what_the_host_has(
        declared in prop::collection::vec("([A-C]{1,2}\\*?(\\([a-c]\\))? ){0,3}", 1..4),
        host in prop::collection::vec("[A-C]{1,2}", 0..6),
        renamed in prop::collection::vec(("[A-C]{1,2}", "[A-C]{1,2}"), 0..3),
    ) {
        let names: Vec<String> = (0..declared.len()).map(|n| format!("s{n}")).collect();
        let fields: Vec<String> = declared.iter().map(|list| format!("allowed-tools: {list}")).collect();
        let list: Vec<(&str, &str, &str)> = names.iter().zip(&fields).map(|(name, fields)| (&**name, &**fields, "Go.")).collect();
        let fixture = skills(&list);
        let profile = Options { tool_names: ToolNames::new(renamed.clone()).expect("names of tools"), ..Options::DEFAULT };
        let mut session = Session::new(narrows());
        let mut rules = Vec::new();
        for name in &names {
            let activation = activate(&profile, &fixture.catalog.get(name).unwrap(), "").unwrap();
            for alone in activation.narrow(&host).tools {
                prop_assert!(host.contains(&alone.tool));
            }
            session.enter(&activation);
            rules.extend(fixture.catalog.get(name).unwrap().fields().allowed_tools.to_vec());
        }
        let ours = |tool: &str| {
            let renamed = renamed.iter().find(|(theirs, _)| theirs == tool);
            renamed.map_or(tool, |(_, ours)| ours).to_owned()
        };
        let narrowed = session.narrow(&host);
        let mut expected = Vec::new();
        for tool in &host {
            let of_tool: Vec<&ToolRule> = rules.iter().filter(|rule| match ours(&rule.tool) {
                name if name.ends_with('*') => tool.starts_with(name.trim_end_matches('*')),
                name => name == *tool,
            }).collect();
            if rules.is_empty() || !of_tool.is_empty() {
                let free = of_tool.iter().any(|rule| rule.pattern.is_none());
                let mut left: Vec<ToolRule> = Vec::new();
                for rule in of_tool {
                    let rule = ToolRule { tool: tool.clone().into(), pattern: rule.pattern.clone() };
                    if !free && !left.contains(&rule) {
                        left.push(rule);
                    }
                }
                expected.push((tool.clone(), left));
            }
        }
        let left: Vec<_> = narrowed.tools.into_iter().map(|tool| (tool.tool, tool.rules)).collect();
        prop_assert_eq!(left, expected);
        for unknown in &narrowed.unknown {
            prop_assert!(rules.iter().any(|rule| ours(&rule.tool) == *unknown) && !host.contains(unknown));
        }
    }
}

/// The default profile of a host whose skills narrow the tools.
fn narrows() -> Options {
    Options {
        allowed_tools: AllowedTools::Narrows,
        ..Options::DEFAULT
    }
}

fn by_model(fixture: &Fixture, id: &str) -> Activation {
    let mut activation = start(fixture, id, "");
    activation.started_by = Starter::Model;
    activation
}

fn left(session: &Session) -> Vec<String> {
    let narrowed = session.narrow(&["Read", "Edit", "Bash"]);
    narrowed.tools.into_iter().map(|tool| tool.tool).collect()
}

#[test]
fn a_model_only_narrows_further() {
    let fixture = fixture();
    let mut session = Session::new(narrows());
    session.enter(&start(&fixture, "lint", ""));
    session.enter(&by_model(&fixture, "fix"));
    assert!(left(&session).is_empty(), "Read, and Edit of it");
    session.enter(&start(&fixture, "fix", ""));
    assert_eq!(left(&session), ["Read", "Edit"], "a person starts it");
    session.enter(&by_model(&fixture, "lint"));
    assert_eq!(left(&session), ["Read"]);
    session.enter(&by_model(&fixture, "plain"));
    assert_eq!(left(&session), ["Read"], "it has no rules");
}

/// Together, two lists of patterns of the model would allow the calls of either skill.
#[test]
fn a_second_skill_of_a_model_limits_the_patterns_of_the_first() {
    let fixture = skills(&[
        ("ask", "allowed-tools: Bash Web", "Go."),
        ("git", "allowed-tools: Bash(git:*) Web Edit", "Go."),
        ("log", "allowed-tools: Bash(*log) Web Mail", "Go."),
    ]);
    let mut session = Session::new(narrows());
    session.enter(&start(&fixture, "ask", ""));
    session.enter(&by_model(&fixture, "git"));
    session.enter(&by_model(&fixture, "log"));
    let narrowed = session.narrow(&["Bash", "Edit"]);
    let [bash] = &narrowed.tools[..] else {
        panic!("Bash alone: {narrowed:?}")
    };
    assert_eq!(bash.rules, ToolRule::parse_list("Bash(git:*)"));
    assert_eq!(bash.further, [ToolRule::parse_list("Bash(*log)")]);
    assert_eq!(narrowed.unknown, ["Web", "Mail"], "the host has Edit");
}

#[test]
fn narrowing_ends_with_the_turn_or_the_skill() {
    let fixture = fixture();
    let after = |end: &dyn Fn(&mut Session)| {
        let mut session = Session::new(narrows());
        session.enter(&start(&fixture, "lint", ""));
        end(&mut session);
        (left(&session).len(), session.active().len())
    };
    assert_eq!(after(&|_| {}), (1, 1));
    assert_eq!(after(&Session::next_turn), (3, 1));
    assert_eq!(after(&|session| assert!(session.leave("lint"))), (3, 0));
}

#[test]
fn what_may_not_be_started_any_more_leaves() {
    let fixture = fixture();
    let mut session = Session::new(narrows());
    session.enter(&start(&fixture, "lint", ""));
    session.enter(&start(&fixture, "plain", ""));
    assert!(session.reconcile(&fixture.catalog).is_empty());
    let now = fixture.catalog.with(|builder| builder.disabled(["lint"]));
    assert_eq!(session.reconcile(&now), [("lint".to_owned(), "Disabled")]);
    assert_eq!(ids(&session), ["plain"]);
    assert_eq!(left(&session).len(), 3);
    assert_eq!(
        session.reconcile(&Catalog::builder().load()),
        [("plain".to_owned(), "Removed")]
    );
}
