//! Checks which tools the lists of active skills leave and approve in a session.

use crate::activation::{Approved, activate};
use crate::fixture::{Fixture, Sources, dialects, guidance, skills};
use crate::options::{AllowedTools, Options, ToolKind, ToolNames, Tools};
use crate::session::Session;
use skills_permit::{PowerKind, Powers};
use skills_runtime::{Catalog, Surface};

const LIST: &str = "allowed-tools: Read Bash(git log:*)";

/// A host whose tools have names that no other program uses.
fn host() -> Tools {
    Tools::from([
        ("fs_get", ToolKind::Read),
        ("sh_run", ToolKind::Shell),
        ("mail", ToolKind::Other),
    ])
}

fn session(profile: Options) -> Session {
    let mut session = Session::new(profile);
    session.set_tools(host());
    session
}

fn shown(approved: &Approved) -> String {
    let rules = approved.rules.iter();
    let rules = rules.map(|rule| format!("{} {} {}", rule.skill, rule.tool, rule.rule));
    rules.collect::<Vec<_>>().join("; ")
}

/// Returns what a skill with this front matter approves when a person starts it.
fn approved_by(more: &str) -> String {
    let fixture = skills(&[("x", more, "Go.")]);
    let turn = session(Options::DEFAULT).turn(&fixture.catalog, "$x it", Surface::User);
    assert_eq!(turn.started, ["x"]);
    assert_eq!(turn.tools.tools.len(), 3, "all tools stay");
    shown(&turn.approved)
}

const BOTH: &str = "x fs_get Read; x sh_run Bash(git log:*)";

#[test]
fn a_person_who_starts_a_skill_of_their_own_approves() {
    let fixture = skills(&[("x", LIST, "Go."), ("y", "", "Go.")]);
    let mut session = session(Options::DEFAULT);
    for text in ["$x it", "/x it", "/skill run x it", "/skill x it"] {
        let turn = session.turn(&fixture.catalog, text, Surface::User);
        assert_eq!(shown(&turn.approved), BOTH, "{text}");
        assert_eq!(turn.tools.tools.len(), 3, "{text}");
        assert!(turn.approved.admits("fs_get", "src/lib.rs"));
        assert!(turn.approved.admits("sh_run", "git log -1"));
        assert!(!turn.approved.admits("sh_run", "git push"));
        assert!(!turn.approved.admits("mail", "x"));
    }
    assert_eq!(
        shown(&session.run(&fixture.catalog, "x", "").approved),
        BOTH
    );
    let turn = session.turn(&fixture.catalog, "go on", Surface::User);
    assert_eq!(turn.approved, Approved::default(), "it ends with the turn");
    assert_eq!(session.active().len(), 1);
}

#[test]
fn an_approval_ends_when_the_skill_is_left() {
    let fixture = skills(&[("x", LIST, "Go.")]);
    let mut session = session(Options::DEFAULT);
    let turn = session.turn(&fixture.catalog, "$x it", Surface::User);
    assert_eq!(shown(&turn.approved), BOTH);
    let turn = session.turn(&fixture.catalog, "/skill stop x", Surface::User);
    assert_eq!(shown(&turn.approved), "");
    session.turn(&fixture.catalog, "$x it", Surface::User);
    assert!(session.leave("x"));
    assert_eq!(session.approved(), Approved::default());
}

#[test]
fn only_a_profile_that_approves_approves() {
    let fixture = skills(&[("x", LIST, "Go.")]);
    for (meaning, tools, approved) in [
        (AllowedTools::Approves, 3, BOTH),
        (AllowedTools::Narrows, 2, ""),
        (AllowedTools::Ignored, 3, ""),
    ] {
        let profile = Options {
            allowed_tools: meaning,
            ..Options::DEFAULT
        };
        let turn = session(profile).turn(&fixture.catalog, "$x it", Surface::User);
        assert_eq!(turn.tools.tools.len(), tools, "{meaning:?}");
        assert_eq!(shown(&turn.approved), approved, "{meaning:?}");
    }
}

#[test]
fn a_list_that_had_to_be_interpreted_approves_nothing() {
    assert_eq!(approved_by(LIST), BOTH);
    assert_eq!(
        approved_by("allowed-tools: [Read, 'Bash(git log:*)']"),
        BOTH
    );
    for more in [
        "allowed_tools: Read",
        "Allowed-Tools: Read",
        "allowed-tools: Read\nallowed-tools: Read",
        "allowed-tools: Read\nallowed_tools: Read",
        "allowed-tools: Read (x)",
        "allowed-tools: Bash(git log:*",
        "allowed-tools: {Read: 1}",
        "allowed-tools: '*'",
        "allowed-tools: Read\nother: a: b",
        "allowed-tools: 'f*'",
        "allowed-tools: 'mcp__*'",
    ] {
        assert_eq!(approved_by(more), "", "{more}");
    }
}

#[test]
fn the_model_approves_nothing() {
    let fixture = skills(&[("x", LIST, "Go."), ("y", "", "Go.")]);
    let mut session = session(Options {
        allowed_tools: AllowedTools::Approves,
        ..guidance()
    });
    let nothing = Approved::default();
    session.turn(&fixture.catalog, "$y it", Surface::User);
    let plan = session.turn(&fixture.catalog, "First $x.", Surface::Model);
    assert_eq!((plan.started.len(), plan.approved), (1, nothing.clone()));
    session.turn(&fixture.catalog, "$y it", Surface::User);
    let answered = session.answered(&fixture.catalog, "Then $x.");
    assert_eq!(
        (answered.started.len(), answered.approved),
        (1, nothing.clone())
    );
    let next = session.turn(&fixture.catalog, "go on", Surface::User);
    assert_eq!(next.approved, nothing, "the skill of an answer");
    assert_eq!(session.active().len(), 1);
}

#[test]
fn a_call_of_the_model_adds_no_approval_and_takes_none() {
    let fixture = skills(&[("x", LIST, "Go."), ("y", "allowed-tools: mail", "Go.")]);
    let mut session = session(Options::DEFAULT);
    let called = session
        .call(&fixture.catalog, "skill", r#"{"name":"x"}"#)
        .unwrap();
    assert_eq!(
        (!called.turn.started.is_empty(), called.turn.approved),
        (true, Approved::default())
    );
    session.turn(&fixture.catalog, "$x it", Surface::User);
    let called = session
        .call(&fixture.catalog, "skill", r#"{"name":"y"}"#)
        .unwrap();
    assert_eq!(
        shown(&called.turn.approved),
        BOTH,
        "what the person started"
    );
}

/// A host that starts a skill by its own hand does not say that a person did.
#[test]
fn a_skill_that_the_host_starts_approves_nothing() {
    let fixture = skills(&[("x", LIST, "Go.")]);
    let mut session = session(Options::DEFAULT);
    let skill = fixture.catalog.get("x").unwrap();
    session.enter(&activate(&Options::DEFAULT, &skill, "").unwrap());
    assert_eq!(session.approved(), Approved::default());
    assert_eq!(session.active().len(), 1);
}

#[test]
fn a_restored_session_approves_nothing_and_takes_the_same_away() {
    let fixture = skills(&[(
        "x",
        &format!("{LIST}\ndisallowed-tools: mail sh_run(git push)"),
        "Go.",
    )]);
    let mut session = session(Options::DEFAULT);
    let turn = session.turn(&fixture.catalog, "$x it", Surface::User);
    assert_eq!(shown(&turn.approved), BOTH);
    let json = serde_json::to_string(&session.save()).unwrap();
    let restored = |json: &str| {
        let state = serde_json::from_str(json).unwrap();
        let mut session = Session::restore(state, Options::DEFAULT);
        session.set_tools(host());
        session
    };
    let same = restored(&json);
    assert_eq!(same.approved(), Approved::default());
    assert_eq!(same.tools(), turn.tools);
    let damaged = restored(&json.replace("\"mail\"", "\"(x)\""));
    assert!(
        damaged.tools().tools.is_empty(),
        "a rule that is not read takes all"
    );
}

fn of_sources(fixture: &Fixture, id: &str) -> String {
    let mut session = session(Options::DEFAULT);
    let turn = session.turn(&fixture.catalog, &format!("${id} it"), Surface::User);
    assert_eq!(turn.started, [id], "{:?}", turn.notices);
    shown(&turn.approved).replace(id, "x")
}

#[test]
fn the_source_decides_whether_a_skill_approves() {
    let x = [("x", LIST, "Go.")];
    assert_eq!(
        of_sources(&Sources::new().source("user", &x).load(), "x"),
        BOTH
    );

    let project = Sources::new().untrusted("project", &x).load();
    let record = project.catalog.get("x").unwrap().trust_record().unwrap();
    let root = project.dir.path().join("project");
    // A project that the host trusts as a whole: nobody has seen this skill.
    let all = Catalog::builder()
        .directory("project", &root)
        .confined(project.dir.path())
        .load();
    let mut session_of_all = session(Options::DEFAULT);
    let turn = session_of_all.turn(&all, "$x it", Surface::User);
    assert_eq!((turn.started.len(), &*shown(&turn.approved)), (1, ""));

    // A project's skill that a person trusted by its digest.
    let trusted = Catalog::builder()
        .untrusted("project", root)
        .trusted([record])
        .load();
    let mut session = session(Options::DEFAULT);
    let turn = session.turn(&trusted, "$x it", Surface::User);
    assert_eq!(shown(&turn.approved), BOTH);
}

#[test]
fn no_rule_beyond_the_lock_approves() {
    let more = "allowed-tools: Read Bash(git log:*) Bash(git push:*)";
    let fixture = Sources::new().source("user", &[("x", more, "Go.")]).load();
    let root = fixture.dir.path().join("user");
    let of = |held: &[&str]| {
        let mut powers = Powers::default();
        for rule in held {
            powers.insert(PowerKind::Tools, *rule);
        }
        let builder = Catalog::builder().directory("user", &root);
        let locked = [
            (root.join("x"), powers.clone()),
            (root.join("gone"), Powers::default()),
        ];
        let loaded = crate::powers::locked(builder, locked).load();
        let findings = crate::powers::findings(&loaded);
        let told = findings.iter().map(|it| it.message.to_string());
        let told: Vec<String> = told.collect();
        let mut session = self::session(Options::DEFAULT);
        let turn = session.turn(&loaded, "$x it", Surface::User);
        assert_eq!(turn.tools.names().count(), 3, "the tools stay");
        let reloaded = loaded.reload();
        let again = session.turn(&reloaded, "$x it", Surface::User);
        assert_eq!(again.approved, turn.approved, "a reload keeps the powers");
        (shown(&turn.approved), told.join("; "))
    };
    let told = |rules: &str| {
        format!(
            "`x`: calls of these tools need approval, since skills.lock does not list them: {rules}"
        )
    };
    assert_eq!(
        of(&["Read", "Bash(git log:*)"]),
        (BOTH.to_owned(), told("Bash(git push:*)"))
    );
    // A wider power holds a narrower rule, and not the other way round.
    assert_eq!(of(&["Read", "Bash(git log:*)", "Bash(git:*)"]).1, "");
    assert_eq!(of(&["Bash"]).1, told("Read"));
    assert_eq!(of(&["Read(src/**)"]).0, "");
    assert_eq!(
        of(&[]),
        (
            String::new(),
            told("Read, Bash(git log:*), Bash(git push:*)")
        )
    );
}

#[test]
fn a_file_that_changed_after_the_catalog_was_loaded_approves_no_more_than_its_lock() {
    let fixture = Sources::new()
        .source("user", &[("x", "allowed-tools: Read", "Go.")])
        .load();
    let root = fixture.dir.path().join("user");
    let mut powers = Powers::default();
    powers.insert(PowerKind::Tools, "Read");
    let builder = Catalog::builder().directory("user", &root);
    let loaded = crate::powers::locked(builder, [(root.join("x"), powers)]).load();
    let text =
        "---\nname: x\ndescription: d. Use when asked.\nallowed-tools: Read Bash(rm:*)\n---\nGo.\n";
    std::fs::write(root.join("x/SKILL.md"), text).unwrap();
    let turn = session(Options::DEFAULT).turn(&loaded, "$x it", Surface::User);
    let rules = turn.approved.rules.iter().map(|it| it.rule.to_string());
    assert_eq!(rules.collect::<Vec<_>>(), ["Read"]);
}

#[test]
fn a_mapped_name_goes_before_a_kind_and_keeps_its_meaning() {
    let fixture = skills(&[("x", "allowed-tools: Bash(git log:*) Read", "Go.")]);
    let mut session = Session::new(Options {
        tool_names: ToolNames::new([("Bash", "mail")]).unwrap(),
        ..Options::DEFAULT
    });
    session.set_tools(host());
    let turn = session.turn(&fixture.catalog, "$x it", Surface::User);
    assert_eq!(
        shown(&turn.approved),
        "x mail mail(git log:*); x fs_get Read"
    );
    assert!(
        turn.approved.admits("mail", "git log -1"),
        "read as a command line"
    );
    assert!(!turn.approved.admits("mail", "git log; x"));
    assert!(!turn.approved.admits("sh_run", "git log -1"));
}

#[test]
fn what_is_disallowed_goes_under_every_meaning() {
    for (more, tools) in [
        ("disallowed-tools: mail", "fs_get sh_run"),
        ("disallowed-tools: MAIL", "fs_get sh_run"),
        ("disallowed-tools: Bash", "fs_get mail"),
        ("disallowed-tools: bash", "fs_get mail"),
        ("disallowed_tools: Bash Read", "mail"),
        ("disallowed-tools: 'fs*'", "sh_run mail"),
        ("disallowed-tools: '*'", ""),
        ("disallowed-tools: (x)", ""),
        ("disallowed-tools: Telescope", "fs_get sh_run mail"),
        (
            "disallowed-tools: Bash(git push:*)",
            "fs_get sh_run-sh_run(git push:*) mail",
        ),
    ] {
        let fixture = skills(&[("x", more, "Go.")]);
        for profile in &dialects() {
            let mut profile = profile.clone();
            profile.mentions = true;
            let mut session = session(profile.clone());
            let turn = session.turn(&fixture.catalog, "$x it", Surface::User);
            let left = turn.tools.tools.iter().map(|left| {
                let denied = left.denied.iter().map(|rule| format!("-{rule}"));
                format!("{}{}", left.tool, denied.collect::<String>())
            });
            let left = left.collect::<Vec<_>>().join(" ");
            assert_eq!(left, tools, "{more}");
        }
    }
}

#[test]
fn a_call_that_a_disallowed_pattern_may_match_is_not_allowed() {
    let list = "allowed-tools: Bash(git:*)\ndisallowed-tools: Bash(git push:*)";
    let fixture = skills(&[("x", list, "Go.")]);
    for meaning in [AllowedTools::Approves, AllowedTools::Narrows] {
        let profile = Options {
            allowed_tools: meaning,
            ..Options::DEFAULT
        };
        let turn = session(profile).turn(&fixture.catalog, "$x it", Surface::User);
        assert!(turn.tools.allows("sh_run", "git log"));
        assert!(!turn.tools.allows("sh_run", "git push"));
        assert!(!turn.tools.allows("sh_run", "git \"push\""));
        let approves = meaning == AllowedTools::Approves;
        assert_eq!(turn.approved.admits("sh_run", "git log"), approves);
        assert!(!turn.approved.admits("sh_run", "git push"));
    }
}

#[test]
fn missing_tools_are_reported_once_a_session() {
    let fixture = skills(&[
        (
            "x",
            "allowed-tools: Read WebFetch Telescope Skill skill list_skills",
            "Go.",
        ),
        ("y", "allowed-tools: WebFetch", "Go."),
    ]);
    let told = |session: &mut Session, text: &str| {
        let turn = session.turn(&fixture.catalog, text, Surface::User);
        let told: Vec<String> = turn.notices.iter().map(ToString::to_string).collect();
        (told.join(" "), turn.tools.tools.len())
    };
    let missing = "Skill 'x' asks for tools that are not available: WebFetch, Telescope.";
    for (meaning, x, y) in [
        (AllowedTools::Approves, 3, 3),
        (AllowedTools::Narrows, 1, 0),
    ] {
        let profile = Options {
            allowed_tools: meaning,
            ..Options::DEFAULT
        };
        let mut session = session(profile);
        let first = told(&mut session, "$x it");
        assert_eq!(first, (format!("Using skill: x {missing}"), x));
        assert_eq!(
            told(&mut session, "$x it"),
            ("Using skill: x".to_owned(), x)
        );
        // No rule matches a tool: no tool is left, and the person learns why.
        let other = "Using skill: y Skill 'y' asks for tools that are not available: WebFetch.";
        assert_eq!(told(&mut session, "$y it"), (other.to_owned(), y));
    }
    let ignored = Options {
        allowed_tools: AllowedTools::Ignored,
        ..Options::DEFAULT
    };
    assert_eq!(
        told(&mut session(ignored), "$x it"),
        ("Using skill: x".to_owned(), 3)
    );
    let mut without_tools = Session::new(Options::DEFAULT);
    assert_eq!(
        told(&mut without_tools, "$x it"),
        ("Using skill: x".to_owned(), 0)
    );
}

/// The host has tools that the skill means, and does not say so.
#[test]
fn a_tool_that_stays_is_reported_where_a_tool_has_no_kind() {
    let lists = "allowed-tools: Read\ndisallowed-tools: Write mcp__git__push";
    let fixture = skills(&[
        ("x", lists, "Go."),
        ("no", "disallowed-tools: Write Write(secret)", "Go."),
        ("named", "disallowed-tools: Telescope", "Go."),
    ]);
    let told = |tools: Tools, text: &str| {
        let mut session = Session::new(Options::DEFAULT);
        session.set_tools(tools);
        let turn = session.turn(&fixture.catalog, text, Surface::User);
        let again = session.turn(&fixture.catalog, text, Surface::User);
        assert_eq!(again.notices.len(), 1, "once a session");
        let told = turn.notices.iter().skip(1).map(ToString::to_string);
        let told: Vec<String> = told.collect();
        (told.join(" "), turn.tools.unknown.join(" "))
    };
    let plain = || Tools::named(["cat_file", "put_file", "mcp__git__log"]);
    let both = "Skill 'x' asks for tools that are not available: Read; it takes away tools that are not here: Write.";
    let unknown = "Read Write mcp__git__push";
    assert_eq!(
        told(plain(), "$x it"),
        (both.to_owned(), unknown.to_owned())
    );
    let no = "Skill 'no' takes away tools that are not here: Write.";
    assert_eq!(told(plain(), "$no it"), (no.to_owned(), "Write".to_owned()));
    let named = "Skill 'named' takes away tools that are not here: Telescope.";
    let of = |kind| Tools::from([("put_file", kind)]);
    for kind in [ToolKind::Other, ToolKind::Write] {
        assert_eq!(told(of(kind), "$named it").0, named);
    }
    // What is taken away, and what is certainly not here.
    assert_eq!(
        told(of(ToolKind::Write), "$no it"),
        (String::new(), String::new())
    );
    assert_eq!(
        told(of(ToolKind::Read), "$no it"),
        (String::new(), "Write".to_owned())
    );
}

#[test]
fn what_is_disallowed_is_back_in_the_next_turn() {
    let fixture = skills(&[("x", "disallowed-tools: Shell Bash", "Go.")]);
    let mut session = session(Options::DEFAULT);
    let turn = session.turn(&fixture.catalog, "$x it", Surface::User);
    assert!(!turn.tools.allows("sh_run", "make") && !session.tools().allows("sh_run", "make"));
    let turn = session.turn(&fixture.catalog, "go on", Surface::User);
    assert_eq!(session.active().len(), 1, "the skill is still active");
    assert!(turn.tools.allows("sh_run", "make") && session.tools().allows("sh_run", "make"));
}

#[test]
fn a_name_means_one_tool_of_the_host() {
    let names = ToolNames::new([("Bash", "sh_two"), ("mail", "fs_get"), ("Grep", "gone")]).unwrap();
    let mut session = Session::new(Options {
        tool_names: names,
        ..Options::DEFAULT
    });
    session.set_tools([
        ("fs_get", ToolKind::Read),
        ("fs_two", ToolKind::Read),
        ("sh_run", ToolKind::Shell),
        ("sh_two", ToolKind::Shell),
        ("mail", ToolKind::Other),
    ]);
    for (name, tool) in [
        ("mail", Some("mail")),
        ("Bash", Some("sh_two")),
        ("shell", Some("sh_run")),
        ("Read", Some("fs_get")),
        ("Grep", None),
        ("Write", None),
        ("telescope", None),
    ] {
        assert_eq!(session.own_tool(name), tool, "{name}");
    }
}

#[test]
fn a_call_is_taken_away_by_the_skills_that_do_not_leave_it() {
    let fixture = skills(&[
        ("read", "allowed-tools: Read", "Go."),
        ("log", "allowed-tools: Bash(git log:*)", "Go."),
        ("quiet", "disallowed-tools: Bash(git push:*)", "Go."),
        ("plain", "", "Go."),
    ]);
    let taken = |meaning, text: &str, model: Option<&str>, tool: &str, input: &str| {
        let mut session = session(Options {
            allowed_tools: meaning,
            ..Options::DEFAULT
        });
        session.turn(&fixture.catalog, text, Surface::User);
        if let Some(skill) = model {
            session.turn(&fixture.catalog, skill, Surface::Model);
        }
        let taken = session.taken_by(tool, input);
        assert_eq!(
            taken.is_empty(),
            session.tools().allows(tool, input),
            "{text} {tool} {input}"
        );
        taken.join(" ")
    };
    let (approves, narrows) = (AllowedTools::Approves, AllowedTools::Narrows);
    for (meaning, text, model, tool, input, by) in [
        (approves, "$read $plain", None, "mail", "x", ""),
        (
            approves,
            "$read $quiet",
            None,
            "sh_run",
            "git push",
            "quiet",
        ),
        (approves, "$read $quiet", None, "sh_run", "git log", ""),
        (narrows, "$read $log $plain", None, "sh_run", "git log", ""),
        (narrows, "$read $log $plain", None, "mail", "x", "read log"),
        (
            narrows,
            "$read $log",
            None,
            "sh_run",
            "git push",
            "read log",
        ),
        (narrows, "$read", Some("$log"), "fs_get", "a", "log"),
        (narrows, "$read", Some("$log"), "sh_run", "git log", "read"),
        (narrows, "$plain", Some("$log"), "sh_run", "git log", ""),
    ] {
        assert_eq!(
            taken(meaning, text, model, tool, input),
            by,
            "{text} {tool} {input}"
        );
    }
}
