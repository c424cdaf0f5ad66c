use super::*;
use crate::fixture::{
    BUNDLE, Fixture, Sources, described, listing_ids, one_turn, skills, without_tool,
};
use crate::options::Options;
use proptest::prelude::*;
use serde_json::{Value, json};
use skills_format::mention::Refusal;
use skills_runtime::{Notice, Outcome};

fn fixture() -> Fixture {
    Sources::new()
        .untrusted("project", &[("theirs", "", "")])
        .source(
            "user",
            &[
                ("deploy", "disable-model-invocation: true", "Deploy."),
                ("lint", "", "Lint $ARGUMENTS."),
                ("off", "", ""),
            ],
        )
        .with(|builder| builder.bundle("bundled", &BUNDLE))
        .disabled(&["off"])
        .load()
}

/// The tools of a profile over a catalog.
struct Tools<'c> {
    catalog: &'c Catalog,
    profile: Options,
}

impl Tools<'_> {
    fn specs(&self) -> Vec<ToolSpec> {
        self.profile.tools(self.catalog)
    }

    fn call(&self, tool: &str, json: &str) -> Result<String, ToolError> {
        let answer = call_tool(&self.profile, self.catalog, tool, json);
        answer.map(Answer::into_text)
    }
}

fn tools<'c>(fixture: &'c Fixture, profile: &Options) -> Tools<'c> {
    Tools {
        catalog: &fixture.catalog,
        profile: profile.clone(),
    }
}

#[test]
fn definitions() {
    let fixture = skills(&[
        ("b", "", ""),
        ("a", "", ""),
        ("c", "disable-model-invocation: true", ""),
    ]);
    let specs = tools(&fixture, &Options::DEFAULT).specs();
    let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    assert_eq!(names, ["skill", "list_skills", "read_skill_resource"]);
    assert_eq!(
        specs[0].parameters.to_string(),
        r#"{"additionalProperties":false,"properties":{"arguments":{"description":"The skill's task, in plain words; or its typed arguments, as `staging --dry-run`.","type":"string"},"name":{"description":"The skill's name.","type":"string"}},"required":["name"],"type":"object"}"#
    );
    let without = fixture.catalog.with(|builder| builder.disabled(["a"]));
    assert_eq!(
        Options::DEFAULT.tools(&without),
        specs,
        "the bytes stay when a skill is disabled"
    );
    let listed = &tools(&fixture, &listing_ids()).specs()[0];
    assert_eq!(
        listed.parameters["properties"],
        json!({"name": {"description": "The skill's name.", "enum": ["a", "b"], "type": "string"}})
    );
    let caliban = &tools(&fixture, &described()).specs()[0];
    assert_eq!(caliban.name, "Skill");
    assert!(
        caliban
            .description
            .ends_with("The skills:\n\n- a: Does a.\n- b: Does b.")
    );
    assert_eq!(
        caliban.parameters["properties"],
        json!({"name": {"description": "The skill's name.", "type": "string"}})
    );
    let names: Vec<String> = tools(&fixture, &one_turn())
        .specs()
        .into_iter()
        .map(|spec| spec.name)
        .collect();
    assert_eq!(names, ["list_skills", "read_skill_resource"]);
}

#[test]
fn places_in_the_description() {
    let fixture = skills(&[("a", "", "")]);
    let mut profile = described();
    profile.catalog.format = crate::options::Format::Section;
    let tools = tools(&fixture, &profile);
    let description = &tools.specs()[0].description;
    assert!(
        description.ends_with("\n  path: ~/user/a/SKILL.md"),
        "{description}"
    );
}

/// A description that holds the list also says that it is empty. The files of a skill that only a person may start are
/// read.
#[test]
fn tools_of_a_catalog_without_skills_for_the_model() {
    let names = |list: &[(&str, &str, &str)], profile: &Options| {
        let fixture = skills(list);
        let specs = tools(&fixture, profile).specs();
        let names = specs.iter().map(|spec| spec.name.clone());
        names.collect::<Vec<_>>().join(" ")
    };
    let closed = [("c", "disable-model-invocation: true", "")];
    assert_eq!(names(&[], &Options::DEFAULT), "");
    assert_eq!(names(&[], &described()), "Skill");
    assert_eq!(names(&closed, &Options::DEFAULT), "read_skill_resource");
    assert_eq!(names(&closed, &described()), "Skill read_skill_resource");
}

#[test]
fn many_ids_are_a_string() {
    let names: Vec<String> = (0..201).map(|n| format!("skill-{n:03}")).collect();
    let list: Vec<(&str, &str, &str)> = names.iter().map(|name| (name.as_str(), "", "")).collect();
    let listed = |count: usize| {
        let fixture = skills(&list[..count]);
        let spec = &tools(&fixture, &listing_ids()).specs()[0];
        spec.parameters["properties"]["name"]["enum"]
            .as_array()
            .map(Vec::len)
    };
    assert_eq!(listed(200), Some(200));
    assert_eq!(listed(201), None);
    let none = skills(&[]);
    assert!(
        tools(&none, &Options::DEFAULT).specs().is_empty(),
        "a catalog without a skill offers no tool"
    );
}

#[test]
fn calls() {
    let fixture = fixture();
    let tools = tools(&fixture, &Options::DEFAULT);
    let text = tools
        .call("skill", r#"{"name":"lint","arguments":"src"}"#)
        .unwrap();
    assert!(text.contains("\nLint src.\n"), "{text}");
    assert!(tools.call("skill", r#"{"name":"user:lint"}"#).is_ok());
    assert!(
        tools
            .call("skill", r#"{"name":" $lint ","arguments":null}"#)
            .is_ok()
    );
    assert!(tools.call("skill", r#"{"name":"tdd"}"#).is_ok(), "an alias");
}

#[test]
fn refusals() {
    let fixture = fixture();
    let tools = tools(&fixture, &Options::DEFAULT);
    for (tool, json, message) in [
        (
            "skill",
            r#"{"name":"lnt"}"#,
            "No skill is named 'lnt'. The nearest is 'lint'.",
        ),
        (
            "skill",
            r#"{"name":"zzzz"}"#,
            "No skill is named 'zzzz'. The first of 14 skills: lint, code-review, commit-message, \
             create-schedule, explain-codebase, improve-skill, refactor-safely, release-notes, \
             root-cause-debugging, security-review. Call list_skills to see all skills.",
        ),
        (
            "skill",
            r#"{"name":"debugging"}"#,
            "'debugging' could be any of 'root-cause-debugging', 'systematic-debugging'. Call one of them.",
        ),
        (
            "skill",
            r#"{"name":"off"}"#,
            "Skill 'off' is disabled. Enable it with /skill enable off.",
        ),
        (
            "skill",
            r#"{"name":"deploy"}"#,
            "Skill 'deploy' can only be started by the user.",
        ),
        (
            "skill",
            r#"{"name":"theirs"}"#,
            "Skill 'theirs' is not trusted. Trust it with /skill trust theirs.",
        ),
        ("skill", "{}", "skill: 'name' is missing."),
        ("skill", "", "skill: 'name' is missing."),
        (
            "skill",
            r#"{"name":7}"#,
            "skill: 'name' must be a string, not 7.",
        ),
        (
            "skill",
            r#"{"name":["lint"]}"#,
            "skill: 'name' must be a string, not a list.",
        ),
        (
            "skill",
            r#"{"nmae":"lint"}"#,
            "skill: unknown argument 'nmae'; the tool takes 'name' and 'arguments'.",
        ),
        (
            "skill",
            r#"["lint"]"#,
            "skill: the arguments must be an object, not a list.",
        ),
        (
            "skill",
            "{",
            "skill: the arguments are not JSON: EOF while parsing an object at line 1 column 1.",
        ),
        (
            "skil",
            "{}",
            "No tool named 'skil'. The tools: skill, list_skills, read_skill_resource.",
        ),
        (
            "list_skills",
            r#"{"page":0}"#,
            "list_skills: 'page' must be a whole number from 1, not 0.",
        ),
        (
            "list_skills",
            r#"{"page":2}"#,
            "list_skills: page 2 does not exist; the last page is 1.",
        ),
    ] {
        assert_eq!(
            tools.call(tool, json).unwrap_err().to_string(),
            message,
            "{json}"
        );
    }
}

#[test]
fn what_the_host_lacks() {
    let mut fixture = Sources::new()
        .source(
            "user",
            &[(
                "cut",
                "metadata: {openclaw: {requires: {bins: [ffmpeg]}}}",
                "",
            )],
        )
        .load();
    fixture.catalog = fixture
        .catalog
        .with(|builder| builder.facts("", |_| false, |_| false));
    let tools = tools(&fixture, &Options::DEFAULT);
    for (tool, json) in [
        ("skill", r#"{"name":"cut"}"#),
        ("read_skill_resource", r#"{"name":"cut","path":"x"}"#),
    ] {
        let error = tools.call(tool, json).unwrap_err();
        assert_eq!(error.to_string(), "Skill 'cut' needs: ffmpeg.");
    }
    assert_eq!(
        tools.call("list_skills", "").unwrap(),
        "There are no skills."
    );
}

/// Checks that only a slash command calls the tool without the model.
#[test]
fn a_dispatching_skill_is_read_by_the_tool() {
    let fixture = skills(&[(
        "run",
        "command-dispatch: tool\ncommand-tool: exec",
        "Run it.",
    )]);
    let call =
        tools(&fixture, &Options::DEFAULT).call("skill", r#"{"name":"run","arguments":"ls"}"#);
    let text = call.unwrap();
    assert!(text.contains("\nRun it.\n\nARGUMENTS: ls\n"), "{text}");
    let turn = |text| {
        let catalog = &fixture.catalog;
        let turn = Options::DEFAULT.resolve(catalog, text, skills_runtime::Surface::User);
        (turn.effect.as_str(), turn.activated().len())
    };
    assert_eq!(turn("$run ls"), ("activate", 1));
    assert_eq!(turn("/run ls"), ("command", 0));
}

#[test]
fn lists() {
    let names: Vec<String> = (0..101).map(|n| format!("skill-{n:03}")).collect();
    let list: Vec<(&str, &str, &str)> = names.iter().map(|name| (name.as_str(), "", "")).collect();
    let fixture = skills(&list);
    let tools = tools(&fixture, &Options::DEFAULT);
    let call = |json: &str| tools.call("list_skills", json).unwrap();
    let first = call("");
    assert!(first.starts_with("- skill-000: Does skill-000.\n"));
    assert!(first.ends_with("- skill-049: Does skill-049.\n\nPage 1 of 3, 101 skills."));
    assert_eq!(
        call(r#"{"page":3}"#),
        "- skill-100: Does skill-100.\n\nPage 3 of 3, 101 skills."
    );
    assert_eq!(
        call(r#"{"query":"DOES 042"}"#),
        "- skill-042: Does skill-042."
    );
    assert_eq!(call(r#"{"query":"x y"}"#), "No skill matches 'x y'.");
}

#[test]
fn a_page_has_room_for_every_skill_on_it() {
    let long = format!("Use when {}.", "asked for it with care ".repeat(40));
    let names: Vec<String> = (0..60).map(|n| format!("skill-{n:03}")).collect();
    let front = format!("description: {long}\n");
    let list: Vec<(&str, &str, &str)> = names
        .iter()
        .map(|name| (name.as_str(), front.as_str(), ""))
        .collect();
    let fixture = skills(&list);
    let tools = tools(&fixture, &Options::DEFAULT);
    let call = |json: &str| tools.call("list_skills", json).unwrap();
    let first = call("");
    assert!(first.len() <= 16 * 1024, "{} bytes", first.len());
    assert!(first.len() > 15 * 1024, "{} bytes", first.len());
    let lines: Vec<&str> = first
        .lines()
        .filter(|line| line.starts_with("- "))
        .collect();
    assert_eq!(lines.len(), 50);
    assert!(
        lines
            .iter()
            .all(|line| line.ends_with('…') && line.len() == lines[0].len())
    );
    assert!(first.ends_with("\n\nPage 1 of 2, 60 skills."));
    assert!(call(r#"{"page":2}"#).contains(long.as_str()));
}

#[test]
fn reads_resources() {
    let fixture = fixture();
    std::fs::write(fixture.dir.path().join("user/deploy/hosts.txt"), "a\nb").unwrap();
    std::fs::write(fixture.dir.path().join("user/lint/data.bin"), [0xff, 0]).unwrap();
    let tools = tools(&fixture, &without_tool());
    let call = |json: &str| {
        tools
            .call("read_skill_resource", json)
            .map_err(|error| error.to_string())
    };
    let checklist = call(r#"{"name":"code-review","path":"references/checklist.md"}"#).unwrap();
    assert!(!checklist.is_empty());
    let address = r#"{"path":"skill://bundled/code-review/references/checklist.md"}"#;
    assert_eq!(call(address), Ok(checklist));
    let skill = call(r#"{"path":"skill://bundled/code-review/SKILL.md"}"#).unwrap();
    assert!(skill.starts_with("---\nname: code-review\n"));
    assert_eq!(
        call(r#"{"name":"deploy","path":"hosts.txt"}"#),
        Ok("a\nb".to_owned())
    );
    for path in ["SKILL.md", "./skill.md", "/SKILL.md"] {
        let json = json!({"name": "deploy", "path": path}).to_string();
        assert_eq!(
            call(&json),
            Err("Skill 'deploy' can only be started by the user.".to_owned())
        );
    }
    assert_eq!(
        call(r#"{"name":"lint","path":"data.bin"}"#),
        Err("'data.bin' is not a text file.".to_owned())
    );
    let large = |more: usize| {
        let text = "a".repeat(MOST_BYTES + more);
        std::fs::write(fixture.dir.path().join("user/lint/large.txt"), text).unwrap();
        call(r#"{"name":"lint","path":"large.txt"}"#).map(|text| text.len())
    };
    assert_eq!(large(0), Ok(MOST_BYTES));
    let error = "'large.txt' has 257 KiB; the limit is 256 KiB.";
    assert_eq!(large(1), Err(error.to_owned()));
}

#[test]
fn what_no_resource_is_read_of() {
    let fixture = fixture();
    let tools = tools(&fixture, &Options::DEFAULT);
    let call = |json: &str| tools.call("read_skill_resource", json).unwrap_err();

    let escape = call(r#"{"name":"lint","path":"../off/SKILL.md"}"#);
    assert_eq!(escape.kind(), ToolErrorKind::Files);
    assert_eq!(
        escape.to_string(),
        "skill 'lint', file '../off/SKILL.md': write its path relative to the skill's folder, without `..`"
    );

    let disabled = call(r#"{"name":"off","path":"x"}"#);
    assert_eq!(disabled.kind(), ToolErrorKind::Skill);
    let skill = "off".to_owned();
    assert_eq!(
        disabled.notice(),
        Some(&Notice {
            id: skill.clone(),
            outcome: Outcome::Refused {
                skill,
                why: Refusal::Disabled { unknown: None }
            }
        })
    );
    assert_eq!(
        disabled.to_string(),
        "Skill 'off' is disabled. Enable it with /skill enable off."
    );

    let untrusted = call(r#"{"name":"theirs","path":"SKILL.md"}"#);
    assert_eq!(untrusted.kind(), ToolErrorKind::Skill);
    let skill = "theirs".to_owned();
    assert_eq!(
        untrusted.notice(),
        Some(&Notice {
            id: skill.clone(),
            outcome: Outcome::Refused {
                skill,
                why: Refusal::Untrusted { changed: false }
            }
        })
    );
    assert_eq!(
        untrusted.to_string(),
        "Skill 'theirs' is not trusted. Trust it with /skill trust theirs."
    );

    let nameless = call(r#"{"path":"x"}"#);
    assert_eq!(nameless.kind(), ToolErrorKind::Arguments);
    assert_eq!(
        nameless.to_string(),
        "read_skill_resource: 'name' is missing."
    );
}

proptest! {
    #[test]
    fn no_call_panics(tool in "skill|list_skills|read_skill_resource|x", json in "(\\{|\\}|\"name\"|\"path\"|\"page\"|:|,|\"lint\"|\"../\"|[0-9-]{1,20}|null|\\[|\\]){0,9}") {
        thread_local!(static FIXTURE: Fixture = fixture());
        FIXTURE.with(|fixture| {
            let _ = tools(fixture, &Options::DEFAULT).call(&tool, &json);
        });
    }

    #[test]
    fn every_listed_skill_can_be_called(names in prop::collection::btree_set("[a-c]{1,3}", 1..6)) {
        let list: Vec<(&str, &str, &str)> = names.iter().map(|name| (name.as_str(), "", "")).collect();
        let fixture = Sources::new().source("high", &list[..list.len() / 2]).source("low", &list).load();
        let tools = tools(&fixture, &Options::DEFAULT);
        for skill in crate::listed::for_model(&fixture.catalog) {
            let call = json!({"name": skill.id()}).to_string();
            let answer = call_tool(&tools.profile, &fixture.catalog, "skill", &call);
            let Ok(Answer::Start(activation)) = answer else {
                panic!("{answer:?}");
            };
            prop_assert_eq!(activation.skill, skill.id());
        }
    }
}

#[test]
fn errors_are_short() {
    let reviews: Vec<String> = (1..=12).map(|n| format!("review-{n}")).collect();
    let given: Vec<(&str, &str, &str)> = reviews.iter().map(|id| (&**id, "", "")).collect();
    let fixture = skills(&given);
    let tools = tools(&fixture, &Options::DEFAULT);
    let error = |tool: &str, arguments: Value| {
        let result = tools.call(tool, &arguments.to_string());
        result.expect_err("an error").to_string()
    };
    assert_eq!(
        error("skill", json!({"name": "review"})),
        "'review' could be any of 'review-1', 'review-10', 'review-11', 'review-12', 'review-2' and 7 more. Call one of them."
    );
    let long = "x".repeat(100_000);
    let short = format!("'{}…'", "x".repeat(64));
    let path = json!({"name": "review-1", "path": &long});
    for error in [
        error("skill", json!({"name": &long})),
        error("skill", json!({&*long: 1})),
        error(&long, json!({})),
        error("read_skill_resource", path),
    ] {
        assert!(
            error.contains(&short[1..65]) && error.contains('…'),
            "{error}"
        );
        assert!(error.len() < 400, "{} bytes: {error:.500}", error.len());
    }
}
