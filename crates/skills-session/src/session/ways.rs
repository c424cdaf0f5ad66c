//! Checks that the same values give the same bytes, whichever way the skill is started.

use crate::Dialect as _;
use crate::activation::{Activation, activate, activate_typed};
use crate::dialect::notice::Notice;
use crate::fixture::{Fixture, dialects, guidance, skills};
use crate::options::{Arguments, Options};
use crate::resolve::Effect;
use crate::session::tool::Answer;
use crate::session::{Session, call_tool};
use proptest::prelude::*;
use serde_json::json;
use skills_arguments::{TypedArguments, push, push_items};
use skills_runtime::{ErrorKind, Surface};
use std::fs;

const DEPLOY: &str = r#"{
  "type": "object",
  "properties": {
    "environment": {"enum": ["staging", "production"], "description": "Where to."},
    "dry-run": {"type": "boolean", "default": false},
    "count": {"type": "integer", "minimum": -5, "maximum": 9},
    "ratio": {"type": "number"},
    "note": {"type": "string"},
    "tags": {"type": "array", "items": {"type": "string"}}
  },
  "required": ["environment"]
}"#;

fn fixture(front: &str, body: &str, schema: &str) -> Fixture {
    let fixture = skills(&[("deploy", front, body)]);
    let folder = fixture.dir.path().join("user/deploy");
    fs::write(folder.join("arguments.schema.json"), schema).unwrap();
    fixture
}

const LISTED: &str = "arguments: [environment, dry-run, count, ratio, note, tags]";

#[derive(Debug)]
struct Deploy {
    environment: String,
    dry_run: bool,
    count: Option<i64>,
    note: Option<String>,
    tags: Vec<String>,
}

impl TypedArguments for Deploy {
    const SKILL: &'static str = "deploy";

    fn line(&self) -> String {
        let mut line = String::new();
        push(&mut line, "environment", Some(&self.environment));
        push(&mut line, "dry-run", Some(&self.dry_run));
        push(&mut line, "count", self.count.as_ref());
        push(&mut line, "note", self.note.as_ref());
        push_items(&mut line, "tags", &self.tags);
        line
    }
}

fn deploy() -> impl Strategy<Value = Deploy> {
    (
        prop::sample::select(vec!["staging", "production"]),
        any::<bool>(),
        prop::option::of(-5..10_i64),
        prop::option::of("[^\0]{0,12}|[-='\"\\\\$\n\\[{ a-c]{0,9}"),
        prop::collection::vec("[-='\"\\\\$\n\\[ a-c]{0,5}", 0..3),
    )
        .prop_map(|(environment, dry_run, count, note, tags)| Deploy {
            environment: environment.to_owned(),
            dry_run,
            count,
            note,
            tags,
        })
}

fn started(fixture: &Fixture, text: &str, profile: &Options) -> Activation {
    let catalog = &fixture.catalog;
    let (resolution, mut activations) = profile
        .resolve(catalog, text, Surface::User)
        .start_all(text, catalog, profile);
    assert_eq!(activations.len(), 1, "{text}: {:?}", resolution.notices);
    let mut activation = activations.remove(0);
    // Who started the skill, and how it was typed, change no text.
    (activation.approves, activation.written) = (false, None);
    activation
}

fn called(fixture: &Fixture, arguments: &serde_json::Value, profile: &Options) -> Activation {
    let json = json!({"name": "deploy", "arguments": arguments}).to_string();
    match call_tool(profile, &fixture.catalog, "skill", &json) {
        Ok(Answer::Start(mut activation)) => {
            activation.started_by = skills_permit::Starter::Person;
            activation.written = None;
            *activation
        }
        other => panic!("{json}: {other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_same_bytes_by_every_way(
        deploy in deploy(),
        listed in any::<bool>(),
        body in "([a-z]{1,6}|\\$ARGUMENTS|\\$environment|\\$note|\\$tags|\\$dry-run|\\$0|\\$ARGUMENTS\\[1\\]| |\n){1,8}",
    ) {
        let fixture = fixture(if listed { LISTED } else { "" }, &body, DEPLOY);
        let skill = fixture.catalog.get("deploy").unwrap();
        for profile in &dialects() {
            if profile.arguments == Arguments::None {
                continue;
            }
            let mut typed = activate_typed(profile, &skill, &deploy).unwrap();
            typed.written = None;
            let line = typed.arguments.clone();
            prop_assert!(!line.contains(['\n', '\r']), "{line:?}");
            prop_assert_eq!(&activate(profile, &skill, &line).unwrap(), &typed);
            if profile.mentions {
                prop_assert_eq!(&started(&fixture, &format!("$deploy {line}"), profile), &typed);
                prop_assert_eq!(&started(&fixture, &format!("$deploy {}", deploy.line()), profile), &typed);
            }
        }
        let profile = &Options::DEFAULT;
        let mut typed = activate_typed(profile, &skill, &deploy).unwrap();
        typed.written = None;
        prop_assert_eq!(&started(&fixture, &format!("/deploy {}", deploy.line()), profile), &typed);
        let mut session = Session::new(profile.clone());
        let run = session.run(&fixture.catalog, "deploy", &deploy.line());
        prop_assert_eq!(run.messages[0].text(), typed.message());
        prop_assert_eq!(&called(&fixture, &json!(deploy.line()), profile), &typed);
        let object = json!({
            "environment": deploy.environment, "dry-run": deploy.dry_run, "count": deploy.count,
            "note": deploy.note, "tags": deploy.tags,
        });
        prop_assert_eq!(&called(&fixture, &object, profile), &typed);
        prop_assert_eq!(&called(&fixture, &json!(object.to_string()), profile), &typed);
        // The call that the model would have made gives the same.
        let exchange = typed.exchange().unwrap();
        let answer = session.call(&fixture.catalog, &exchange.tool, &exchange.arguments).unwrap();
        prop_assert!(!answer.turn.started.is_empty());
    }
}

#[test]
fn values_fill_the_body() {
    let text = |front: &str, body: &str, arguments: &str| {
        let fixture = fixture(front, body, DEPLOY);
        let skill = fixture.catalog.get("deploy").unwrap();
        let activation = activate(&Options::DEFAULT, &skill, arguments).unwrap();
        let text = activation.text.split_once(">\n").unwrap().1.to_owned();
        let text = text.replace(
            "\n\n<skill_resources>\narguments.schema.json\n</skill_resources>",
            "",
        );
        text.strip_suffix("\n</skill_content>").unwrap().to_owned()
    };
    for (front, body, arguments, expected) in [
        (
            LISTED,
            "To $environment: $note ($dry-run).",
            "staging --note 'a  b'",
            "To staging: a  b (false).",
        ),
        (
            LISTED,
            "To $environment.",
            "staging",
            "To staging.\n\nARGUMENTS: staging false",
        ),
        (
            LISTED,
            "Run: $ARGUMENTS",
            "environment=staging dry_run=true",
            "Run: staging true",
        ),
        (
            LISTED,
            "$0, $ARGUMENTS[1], $5",
            "staging",
            "staging, false, $5",
        ),
        (
            "",
            "$0, $ARGUMENTS[0], $environment",
            "--environment=staging",
            "$0, $ARGUMENTS[0], staging\n\nARGUMENTS: --environment=staging --dry-run=false",
        ),
        (
            LISTED,
            "$tags; $count.",
            "staging --tags a --tags 'b c'",
            "a 'b c'; .\n\nARGUMENTS: staging false --tags=a --tags='b c'",
        ),
        (
            LISTED,
            "$note",
            "staging --note '$environment $ARGUMENTS'",
            "$environment $ARGUMENTS\n\nARGUMENTS: staging false --note='$environment $ARGUMENTS'",
        ),
        (
            "",
            "Go.",
            "--environment production",
            "Go.\n\nARGUMENTS: --environment=production --dry-run=false",
        ),
    ] {
        assert_eq!(text(front, body, arguments), expected, "{body} {arguments}");
    }
}

#[test]
fn what_does_not_fit_starts_nothing() {
    let fixture = fixture(LISTED, "To $environment.", DEPLOY);
    let profile = &Options::DEFAULT;
    let why = "skill 'deploy': argument 'environment' does not take 'stagng' (did you mean 'staging'?); it takes \
               staging or production";
    let error = activate(profile, &fixture.catalog.get("deploy").unwrap(), "stagng").unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::Arguments, why)
    );
    for (text, sends) in [
        ("$deploy stagng", 1),
        ("/deploy stagng", 0),
        ("/skill run deploy stagng", 0),
    ] {
        let turn = Session::new(profile.clone()).turn(&fixture.catalog, text, Surface::User);
        assert_eq!(
            turn.notices,
            [Notice::Text(format!("Not started: {why}."))],
            "{text}"
        );
        assert_eq!(
            (turn.started.len(), turn.messages.len()),
            (0, sends),
            "{text}"
        );
    }
    let call = |arguments: serde_json::Value| {
        let json = json!({"name": "deploy", "arguments": arguments}).to_string();
        Session::new(profile.clone())
            .call(&fixture.catalog, "skill", &json)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(call(json!("stagng")), format!("{why}."));
    assert_eq!(call(json!({"environment": "stagng"})), format!("{why}."));
    assert_eq!(
        call(json!(1)),
        "skill: 'arguments' must be a string, not 1."
    );
    let missing =
        "skill 'deploy': argument 'environment' is missing; it takes staging or production.";
    assert_eq!(call(json!("")), missing);
    let mut session = Session::new(profile.clone());
    let turn = session.turn(
        &fixture.catalog,
        "please $deploy environment=staging",
        Surface::User,
    );
    assert_eq!(
        turn.notices[0].to_string(),
        "Not started: skill 'deploy': argument 'environment' is missing; it takes staging or production; a mention in \
         the middle of a text carries no arguments: begin the text with $deploy."
    );
    let resolved = profile.resolve(&fixture.catalog, "please $deploy now", Surface::User);
    let (resolved, activations) =
        resolved.start_all("please $deploy now", &fixture.catalog, profile);
    assert_eq!((resolved.effect, activations.len()), (Effect::Plain, 0));
}

#[test]
fn a_dispatch_is_compared_too() {
    let front = format!("{LISTED}\ncommand-dispatch: tool\ncommand-tool: exec");
    let fixture = fixture(&front, "Go.", DEPLOY);
    let turn = |text: &str| {
        let mut session = Session::new(Options::DEFAULT);
        session.turn(&fixture.catalog, text, Surface::User)
    };
    let fits = turn("/deploy staging  --dry-run");
    assert!(
        fits.notices.is_empty() && fits.dispatch.is_some(),
        "{fits:?}"
    );
    let refused = turn("/deploy stagng");
    assert!(refused.dispatch.is_none() && refused.messages.is_empty());
    assert!(
        refused.notices[0]
            .to_string()
            .contains("did you mean 'staging'?")
    );
}

#[test]
fn options_without_arguments_ignore_the_schema() {
    let fixture = fixture(LISTED, "To $environment.", DEPLOY);
    let profile = &guidance();
    let activation = started(&fixture, "$deploy stagng", profile);
    assert_eq!(activation.arguments, "");
}

#[test]
fn the_schema_that_is_read_is_the_one_of_now() {
    let fixture = fixture(LISTED, "To $environment.", DEPLOY);
    let path = fixture.dir.path().join("user/deploy/arguments.schema.json");
    let skill = fixture.catalog.get("deploy").unwrap();
    let start = |arguments: &str| {
        activate(&Options::DEFAULT, &skill, arguments).map_err(|error| error.to_string())
    };
    assert!(start("staging").is_ok());
    fs::write(&path, DEPLOY.replace("staging", "canary")).unwrap();
    assert!(start("staging").is_err());
    assert!(start("canary").is_ok());
    fs::write(&path, "{}").unwrap();
    assert_eq!(
        start("canary").unwrap_err(),
        "skill 'deploy', file 'arguments.schema.json', line 1, column 1: the schema has no `type` (write `\"type\": \"object\"`); the \
         file has 1 more fault"
    );
    fs::write(&path, vec![b' '; 70_000]).unwrap();
    assert!(start("canary").is_err());
    fs::remove_file(&path).unwrap();
    assert_eq!(
        start("canary and more").unwrap().arguments,
        "canary and more"
    );
    // A link must not lead out of the skill.
    #[cfg(unix)]
    {
        let outside = fixture.dir.path().join("outside.json");
        fs::write(&outside, DEPLOY).unwrap();
        std::os::unix::fs::symlink(&outside, &path).unwrap();
        assert_eq!(
            start("canary and more").unwrap().arguments,
            "canary and more"
        );
        assert_eq!(skill.typed_arguments().unwrap(), None);
    }
}
