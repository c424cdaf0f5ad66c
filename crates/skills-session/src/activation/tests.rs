use super::*;
use crate::fixture::{BUNDLE, Bare, Fixture, Sources, calls, guidance, one_turn, skills};
use crate::options::Options;
use skills_permit::ToolNames;
use skills_permit::{ToolKind, Tools};
use skills_runtime::Surface;
use std::fs;

fn activated(fixture: &Fixture, id: &str, arguments: &str) -> Activation {
    let skill = fixture.catalog.get(id).unwrap();
    activate(&Options::DEFAULT, &skill, arguments).unwrap()
}

#[test]
fn tagged() {
    let fixture = skills(&[("lint", "allowed-tools: Read Bash(git:*)", "Lint it.")]);
    let folder = fixture.dir.path().join("user/lint");
    fs::create_dir(folder.join("references")).unwrap();
    fs::write(folder.join("references/a.md"), "a").unwrap();
    fs::write(folder.join("z.txt"), "z").unwrap();
    let activation = activated(&fixture, "lint", "  src/ \n");
    assert_eq!(
        activation.text,
        "<skill_content name=\"lint\" source=\"user\" directory=\"~/user/lint\">\n\
         Lint it.\n\nARGUMENTS: src/\n\n\
         <skill_resources>\nreferences/a.md\nz.txt\n</skill_resources>\n</skill_content>"
    );
    assert_eq!(activation.resources, ["references/a.md", "z.txt"]);
    assert_eq!(activation.allowed_tools.len(), 2);
    assert_eq!(activation.arguments, "src/");
}

#[test]
fn bundled() {
    let fixture = Sources::new()
        .with(|builder| builder.bundle("bundled", &BUNDLE))
        .load();
    let activation = activated(&fixture, "commit-message", "");
    let body = BUNDLE.get("commit-message").unwrap().body().unwrap();
    assert_eq!(
        activation.text,
        format!(
            "<skill_content name=\"commit-message\" source=\"bundled\" \
             directory=\"skill://bundled/commit-message\">\n{body}\n</skill_content>"
        )
    );
    let activation = activated(&fixture, "code-review", "");
    assert!(activation.text.ends_with(
        "\n\n<skill_resources>\nreferences/checklist.md\n</skill_resources>\n</skill_content>"
    ));
}

#[test]
fn placeholders_take_the_place_of_the_line() {
    let fixture = skills(&[(
        "fix",
        "arguments: FILE",
        "Fix $ARGUMENTS in $FILE, not $HOME.",
    )]);
    let variables = [("FILE", "a.rs"), ("HOME", "/root")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    let profile = Options::DEFAULT;
    let choices = Choices {
        variables: &variables,
        ..Choices::of(&profile)
    };
    let skill = fixture.catalog.get("fix").unwrap();
    let text = |arguments: &str| {
        let started = start(&skill, None, Some(arguments), choices);
        started.unwrap().text
    };
    assert!(text("it").contains(">\nFix it in a.rs, not $HOME.\n</skill_content>"));
    assert!(text("").contains(">\nFix  in a.rs, not $HOME.\n</skill_content>"));
}

#[test]
fn tool_names() {
    let fixture = skills(&[(
        "ask",
        "allowed-tools: AskUserQuestion Read",
        "Use AskUserQuestion.",
    )]);
    let profile = Bare(Options {
        tool_names: ToolNames::new([("AskUserQuestion", "ask_user")]).unwrap(),
        ..Options::DEFAULT
    });
    let skill = fixture.catalog.get("ask").unwrap();
    let activation = activate(&profile, &skill, "").unwrap();
    assert_eq!(
        activation.text,
        "Use AskUserQuestion.\n\n| tool named in the skill | tool to call |\n|---|---|\n\
         | AskUserQuestion | ask_user |"
    );
    assert_eq!(activation.allowed_tools[0].tool, "ask_user");
    let narrowed = activation.narrow(&["ask_user", "write"]);
    assert_eq!(narrowed.tools[0].tool, "ask_user");
    assert_eq!(narrowed.unknown, ["Read"]);
}

/// The host's names follow from the kinds of its tools; a mapping goes before them.
#[test]
fn tool_names_follow_from_kinds() {
    let fixture = skills(&[(
        "ask",
        "allowed-tools: Read Grep mcp__a__b\ndisallowed-tools: Write",
        "Use the Bash tool and `Read`. Edit it. `WebFetch`.",
    )]);
    let table = |tools: Tools, names: ToolNames| {
        let profile = Bare(Options {
            tool_names: names,
            ..Options::DEFAULT
        });
        let choices = Choices {
            tools: &tools,
            ..Choices::of(&profile)
        };
        let skill = fixture.catalog.get("ask").unwrap();
        let text = start(&skill, None, Some(""), choices).unwrap().text.clone();
        let rows = text
            .lines()
            .skip(4)
            .map(|row| row.trim_matches(['|', ' ']).to_owned());
        rows.collect::<Vec<_>>()
    };
    let tools = || {
        Tools::from([
            ("cat", ToolKind::Read),
            ("view", ToolKind::Read),
            ("sh", ToolKind::Shell),
            ("put", ToolKind::Write),
            ("change", ToolKind::Edit),
            ("Grep", ToolKind::Search),
            ("mail", ToolKind::Other),
        ])
    };
    assert_eq!(
        table(tools(), ToolNames::NONE),
        ["Read | cat, view", "Bash | sh"]
    );
    let names = ToolNames::new([("Read", "view")]).unwrap();
    assert_eq!(table(tools(), names), ["Read | view", "Bash | sh"]);
    let same = Tools::named(["Read", "Write", "Bash", "Grep"]);
    assert!(table(same, ToolNames::NONE).is_empty());
    assert!(table(Tools::default(), ToolNames::NONE).is_empty());
}

/// A table that names a tool which the skill takes away would ask the model for a call that is refused.
#[test]
fn what_a_skill_takes_away_is_not_in_its_table() {
    let table = |fields: &str, names: ToolNames| {
        let fixture = skills(&[("ask", fields, "`Write`, `Edit`, `Bash`, `Read` and `Ask`.")]);
        let profile = Bare(Options {
            tool_names: names,
            ..Options::DEFAULT
        });
        let tools = Tools::from([
            ("put", ToolKind::Write),
            ("sh", ToolKind::Shell),
            ("cat", ToolKind::Read),
            ("view", ToolKind::Read),
        ]);
        let choices = Choices {
            tools: &tools,
            ..Choices::of(&profile)
        };
        let skill = fixture.catalog.get("ask").unwrap();
        let started = start(&skill, None, Some(""), choices);
        let text = started.unwrap().text.clone();
        let rows = text.lines().skip(4);
        rows.map(|row| row.trim_matches(['|', ' ']).to_owned())
            .collect::<Vec<_>>()
    };
    let none = || ToolNames::NONE;
    assert_eq!(
        table("", none()),
        ["Read | cat, view", "Write | put", "Bash | sh"]
    );
    // By the name, by another name of the kind, and by the host's own name.
    for rule in ["Write", "write_file", "PUT"] {
        let fields = format!("disallowed-tools: {rule}");
        assert_eq!(
            table(&fields, none()),
            ["Read | cat, view", "Bash | sh"],
            "{rule}"
        );
    }
    // One of two tools of a kind, and some calls of a tool.
    let fields = "disallowed-tools: view Bash(rm:*)";
    assert_eq!(
        table(fields, none()),
        ["Bash | sh", "Read | cat", "Write | put"]
    );
    assert!(table("disallowed-tools: \"*\"", none()).is_empty());
    let names = || ToolNames::new([("Ask", "question"), ("Write", "put")]).unwrap();
    let fields = "disallowed-tools: Write Read";
    assert_eq!(table(fields, names()), ["Ask | question", "Bash | sh"]);
    assert_eq!(
        table("disallowed-tools: Ask Read Bash", names()),
        ["Write | put"]
    );
}

#[test]
fn preamble_and_note_stand_around() {
    let fixture = skills(&[("lint", "", "Lint it.")]);
    let mut profile = one_turn();
    let skill = fixture.catalog.get("lint").unwrap();
    let plain = activate(&profile, &skill, "").unwrap();
    assert_eq!(plain.text, plain.message());
    profile.preamble = Options::DEFAULT.preamble;
    let mut activation = activate(&profile, &skill, "").unwrap();
    activation.note = "Run by hand.".to_owned();
    assert_eq!(activation.text, plain.text);
    assert_eq!(
        activation.message(),
        format!(
            "{}\n\nRun by hand.\n\n{}",
            Options::DEFAULT.preamble,
            plain.text
        )
    );
}

#[test]
fn exchanges() {
    let fixture = skills(&[("lint", "", "Lint it.")]);
    let exchange = |profile: &Options, arguments: &str| {
        let skill = fixture.catalog.get("lint").unwrap();
        let activation = activate(profile, &skill, arguments).unwrap();
        activation.exchange().map(|exchange| {
            assert_eq!(exchange.result, activation.text);
            (exchange.tool, exchange.arguments)
        })
    };
    let call = |tool: &str, json: &str| Some((tool.to_owned(), json.to_owned()));
    assert_eq!(
        exchange(&calls(), "a \"b\""),
        call("run_skill", r#"{"arguments":"a \"b\"","skill":"lint"}"#)
    );
    assert_eq!(
        exchange(&Options::DEFAULT, ""),
        call("skill", r#"{"name":"lint"}"#)
    );
    assert_eq!(
        exchange(&guidance(), ""),
        call("load_skill", r#"{"name":"lint"}"#)
    );
    assert_eq!(
        exchange(&guidance(), "x"),
        exchange(&guidance(), ""),
        "no arguments"
    );
    assert_eq!(exchange(&one_turn(), ""), None);
}

#[test]
fn what_may_not_start() {
    let fixture = Sources::new()
        .untrusted("project", &[("theirs", "", "")])
        .source("user", &[("off", "", "")])
        .disabled(&["off"])
        .load();
    let kind = |id: &str| {
        let skill = fixture.catalog.get(id).unwrap();
        activate(&Options::DEFAULT, &skill, "").unwrap_err().kind()
    };
    assert_eq!(kind("project:theirs"), ErrorKind::Untrusted);
    assert_eq!(kind("off"), ErrorKind::Refused);
}

#[test]
fn a_skill_whose_needs_are_not_met_is_not_started() {
    let needs = "metadata: {openclaw: {requires: {bins: [gh], env: [TOKEN]}}}";
    let with = |has_token: bool| {
        let fixture = Sources::new().source("user", &[("pr", needs, "Open it.")]);
        let mut fixture = fixture.load();
        fixture.catalog = fixture
            .catalog
            .with(|builder| builder.facts("", |name| name == "gh", move |_| has_token));
        fixture
    };
    let profile = Options::DEFAULT;
    let fixture = with(false);
    let skill = fixture.catalog.get("pr").unwrap();
    assert!(!skill.missing().is_empty());
    let error = activate(&profile, &skill, "").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert_eq!(error.to_string(), "skill 'user:pr' needs TOKEN");
    let resolved = Options::DEFAULT.resolve(&fixture.catalog, "$pr now", Surface::User);
    let [mention] = &resolved.mentions[..] else {
        panic!("a mention: {resolved:?}")
    };
    assert_eq!(mention.outcome.to_string(), "ineligible");

    let fixture = with(true);
    let skill = fixture.catalog.get("pr").unwrap();
    assert!(skill.missing().is_empty() && activate(&profile, &skill, "").is_ok());
}
