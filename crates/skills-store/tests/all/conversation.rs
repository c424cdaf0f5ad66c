//! A conversation and its files: what is stored, and what a damaged file does.

use crate::folder;
use serde_json::Value;
use skills_arguments::TypedArguments;
use skills_runtime::{Catalog, CatalogBuilder};
use skills_session::options::Options;
use skills_session::options::{AllowedTools, ToolKind};
use skills_session::resolve::Verdict;
use skills_session::session::Message;
use skills_store::{Conversation, Error, ErrorKind, News, Person, Question};
use std::fs;
use std::path::Path;

type Talk = Conversation<Clerk, Message>;

/// A person who gives one answer to every question.
#[derive(Debug)]
struct Clerk {
    yes: bool,
    shown: Vec<String>,
}

impl Person for Clerk {
    fn tell(&mut self, news: &News<'_>) {
        self.shown.push(news.to_string());
    }

    fn agrees(&mut self, question: &Question<'_>) -> bool {
        let text = question.to_string();
        let last = text.lines().last().unwrap_or_default();
        self.shown.push(format!("? {last}"));
        self.yes
    }
}

fn skill(folder: &Path, name: &str, more: &str) {
    write(folder, name, more, "Do it.");
}

fn write(folder: &Path, name: &str, more: &str, body: &str) {
    let folder = folder.join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let text = format!("---\nname: {name}\ndescription: Does it.\n{more}---\n{body}\n");
    fs::write(folder.join("SKILL.md"), text).expect("a skill");
}

fn sources(folder: &Path) -> CatalogBuilder {
    Catalog::builder()
        .untrusted("project", folder.join("project"))
        .directory("user", folder.join("user"))
}

fn open(folder: &Path) -> Talk {
    named(folder, "main")
}

fn named(folder: &Path, name: &str) -> Talk {
    let mut talk = try_open(folder, name, Options::DEFAULT).expect("open");
    talk.session
        .set_tools([("read_file", ToolKind::Read), ("shell", ToolKind::Shell)]);
    talk
}

fn try_open(folder: &Path, name: &str, profile: Options) -> Result<Talk, Error> {
    let clerk = Clerk {
        yes: true,
        shown: Vec::new(),
    };
    Conversation::open(folder.join("config"), name, sources(folder), profile, clerk)
}

fn shown(talk: &mut Talk) -> Vec<String> {
    std::mem::take(&mut talk.person.shown)
}

/// Makes a call of the model. Returns its result, and what the person saw.
fn call(talk: &mut Talk, tool: &str, input: &str, yes: bool) -> (Option<String>, String) {
    talk.person.yes = yes;
    let result = talk.call(tool, "{}", input).result;
    (result, shown(talk).join(" "))
}

/// Does a turn, and returns what the person saw.
fn turn(talk: &mut Talk, text: &str) -> Vec<String> {
    let turn = talk.turn(text);
    talk.messages.extend(turn.messages);
    shown(talk)
}

#[test]
fn the_messages_and_the_skills_are_stored_in_one_step() {
    let folder = folder();
    skill(&folder.path().join("user"), "lint", "");
    let mut talk = open(folder.path());
    assert_eq!(turn(&mut talk, "$lint it"), ["Using skill: lint"]);
    drop(talk);
    let talk = open(folder.path());
    assert!(talk.session.active().is_empty() && talk.messages.is_empty());
    drop(talk);
    let mut talk = open(folder.path());
    turn(&mut talk, "$lint it");
    talk.save().expect("saved");
    let messages = talk.messages.clone();
    drop(talk);
    let mut talk = open(folder.path());
    assert_eq!(talk.messages, messages);
    assert_eq!(talk.session.active().len(), 1);
    // The conversation holds the whole text, so a reminder is enough.
    turn(&mut talk, "$lint again");
    let last = talk.messages.iter().rev().nth(1).expect("a message");
    assert!(last.text().contains("is active already"), "{last:?}");
    assert_eq!(turn(&mut talk, "/skill stop"), ["Stopped: lint."]);
    talk.save().expect("saved");
    drop(talk);
    assert!(open(folder.path()).session.active().is_empty());
}

#[cfg(unix)]
#[test]
fn only_the_person_can_read_the_messages() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = folder();
    open(folder.path()).save().expect("saved");
    let made = fs::metadata(folder.path().join("config/conversations")).expect("a folder");
    assert_eq!(made.permissions().mode() & 0o777, 0o700);
}

#[test]
fn two_conversations_share_the_decisions_and_no_file() {
    let folder = folder();
    skill(&folder.path().join("project"), "deploy", "");
    let mut first = open(folder.path());
    let taken = try_open(folder.path(), "main", Options::DEFAULT).expect_err("it is open");
    assert_eq!(taken.kind(), ErrorKind::Refused);
    let told = format!("{taken:?}");
    assert!(
        told.contains("main.json is open in process ")
            && told.ends_with("; end that program, or give this conversation another name"),
        "{told}"
    );
    let bad = try_open(folder.path(), "../main", Options::DEFAULT).expect_err("no name");
    assert_eq!(bad.kind(), ErrorKind::Usage);
    let mut second = named(folder.path(), "second");
    assert!(!turn(&mut second, "$deploy it").contains(&"Using skill: deploy".to_owned()));
    assert!(first.trust("deploy"));
    let told = turn(&mut second, "$deploy it");
    assert_eq!(told.last().expect("a notice"), "Using skill: deploy");
    turn(&mut first, "/skill untrust deploy");
    let told = turn(&mut second, "hello");
    assert!(
        told.iter().any(|line| line.contains("no longer active")),
        "{told:?}"
    );
    turn(&mut second, "/skill disable deploy");
    first.reload();
    assert!(
        first
            .catalog
            .get("deploy")
            .is_some_and(|skill| !skill.is_enabled())
    );
}

#[test]
fn decisions_that_cannot_be_read_stay_as_they_were() {
    let folder = folder();
    skill(&folder.path().join("project"), "deploy", "");
    let mut talk = open(folder.path());
    assert!(talk.trust("deploy"));
    let trust = folder.path().join("config/trust.json");
    fs::remove_file(&trust).expect("removed");
    fs::create_dir(&trust).expect("a folder in its place");
    shown(&mut talk);
    let told = turn(&mut talk, "$deploy it");
    assert!(told[0].contains("trust.json"), "{told:?}");
    assert_eq!(told.last().expect("a notice"), "Using skill: deploy");
    // Without a file no skill is trusted.
    fs::remove_dir(&trust).expect("removed");
    let told = turn(&mut talk, "hello");
    assert!(
        told.iter().any(|line| line.contains("no longer active")),
        "{told:?}"
    );
}

#[test]
fn each_untrusted_skill_can_be_asked_about() {
    let folder = folder();
    for name in ["deploy", "lint"] {
        skill(&folder.path().join("project"), name, "");
    }
    // The bare name means the skill of the person, which needs no trust.
    skill(&folder.path().join("user"), "lint", "");
    let mut talk = open(folder.path());
    assert_eq!(talk.untrusted(), ["project:deploy", "project:lint"]);
    shown(&mut talk);
    talk.person.yes = false;
    assert!(!talk.trust("project:deploy"));
    talk.person.yes = true;
    assert!(talk.trust("project:lint"));
    assert_eq!(
        shown(&mut talk),
        [
            "? Trust it?",
            "Skill 'deploy' is not trusted. Trust it with /skill trust deploy.",
            "? Trust it?",
            "Trusted: project:lint."
        ]
    );
    assert_eq!(talk.untrusted(), ["project:deploy"]);
    assert!(!talk.trust("gone"));
}

#[test]
fn a_reload_says_what_changed() {
    let folder = folder();
    let user = folder.path().join("user");
    skill(&user, "lint", "");
    skill(&user, "plan", "");
    let mut talk = open(folder.path());
    turn(&mut talk, "$lint it");
    assert!(turn(&mut talk, "hello").is_empty(), "nothing changed");
    write(&user, "lint", "", "Do it well.");
    skill(&user, "fresh", "");
    skill(&user, "more", "");
    fs::remove_dir_all(user.join("plan")).expect("removed");
    talk.reload();
    assert_eq!(
        shown(&mut talk),
        [
            "New skills: user:fresh, user:more. Changed skill: user:lint. Removed skill: user:plan. To use the new text, start \
             again: user:lint."
        ]
    );
    assert!(turn(&mut talk, "hello").is_empty(), "once");
    // The turn that starts the changed skill again gives the new text to the model.
    write(&user, "lint", "", "Do it very well.");
    assert_eq!(
        turn(&mut talk, "$lint it"),
        ["Changed skill: user:lint.", "Using skill: lint"]
    );
    write(&user, "lint", "", "Do it best.");
    assert_eq!(
        turn(&mut talk, "/skill stop"),
        ["Changed skill: user:lint.", "Stopped: lint."]
    );
    turn(&mut talk, "$lint it");
    fs::remove_dir_all(user.join("more")).expect("removed");
    assert_eq!(turn(&mut talk, "hello"), ["Removed skill: user:more."]);
    skill(&user, "more", "");
    assert_eq!(turn(&mut talk, "hello"), ["New skill: user:more."]);
    skill(&user, "more", "license: MIT\n");
    assert_eq!(turn(&mut talk, "hello"), ["Changed skill: user:more."]);
    fs::remove_dir_all(user.join("lint")).expect("removed");
    assert_eq!(
        turn(&mut talk, "hello"),
        ["Removed, and no longer active: lint."]
    );
}

#[test]
fn the_model_is_told_which_skills_ended() {
    let folder = folder();
    let user = folder.path().join("user");
    for name in ["lint", "plan", "ship"] {
        skill(&user, name, "");
    }
    let mut talk = open(folder.path());
    talk.turn("$lint and $plan");
    talk.turn("$ship it");
    let stopped = talk.turn("/skill stop plan");
    assert!(!stopped.asks_model);
    let [Message::System { text }] = &*stopped.messages else {
        panic!("one message, for the next turn: {stopped:?}");
    };
    assert_eq!(
        text,
        "These skills have ended; until they start again, do not follow their instructions: plan."
    );
    turn(&mut talk, "/skill disable lint");
    fs::remove_dir_all(user.join("ship")).expect("removed");
    let turn = talk.turn("hello");
    assert!(turn.asks_model && turn.messages.len() == 2);
    drop(talk);
    // Each skill ends with its turn: the model expects it.
    let profile = Options {
        lasts_one_turn: true,
        ..Options::DEFAULT
    };
    let mut talk = try_open(folder.path(), "short", profile).expect("open");
    talk.turn("$plan it");
    let turn = talk.turn("hello");
    assert_eq!(turn.messages.len(), 1);
}

/// A skill of another source has the name of the lost skill, and was active before it.
#[test]
fn the_loss_of_a_skill_with_a_twin_is_told_to_the_model() {
    let folder = folder();
    let user = folder.path().join("user");
    skill(&folder.path().join("shared"), "triage", "");
    let sources = sources(folder.path()).directory("shared", folder.path().join("shared"));
    let clerk = Clerk {
        yes: true,
        shown: Vec::new(),
    };
    let config = folder.path().join("config");
    let mut talk = Talk::open(config, "main", sources, Options::DEFAULT, clerk).expect("open");
    talk.turn("/triage x");
    skill(&user, "triage", "license: MIT\n");
    assert_eq!(
        talk.turn("/triage x").messages.len(),
        2,
        "the new text, and the task"
    );
    fs::remove_dir_all(user.join("triage")).expect("removed");
    shown(&mut talk);
    let next = talk.turn("next");
    assert_eq!(
        shown(&mut talk),
        ["Removed, and no longer active: user:triage."]
    );
    assert_eq!(
        next.messages[0].text(),
        "These skills have ended; until they start again, do not follow their instructions: triage."
    );
    let again = talk.turn("/triage x");
    assert!(
        again.messages[0].text().contains("source=\"shared\""),
        "{again:?}"
    );
}

/// The schema decides what the next start takes, as the front matter does.
#[test]
fn a_changed_schema_is_told_and_a_fault_in_it_once() {
    let folder = folder();
    let user = folder.path().join("user");
    skill(&user, "lint", "arguments: [a]\n");
    let schema = |text: &str| fs::write(user.join("lint/arguments.schema.json"), text);
    let mut talk = open(folder.path());
    schema(r#"{"type": "object", "properties": {"a": {"enum": ["x"]}}}"#).expect("a schema");
    assert_eq!(turn(&mut talk, "hello"), ["Changed skill: user:lint."]);
    assert!(turn(&mut talk, "hello").is_empty(), "once");
    fs::write(user.join("lint/notes.md"), "N").expect("a file");
    assert!(
        turn(&mut talk, "hello").is_empty(),
        "read when it is asked for"
    );
    schema(r#"{"type": "object", "properties": {"a": {"enum": []}}}"#).expect("a schema");
    let told = turn(&mut talk, "/lint x");
    assert!(
        told[0].contains("; the skill does not start\n help: ") && told[0].contains(".json:1:"),
        "{told:?}"
    );
    assert_eq!(told[1], "Changed skill: user:lint.");
    assert_eq!(
        told[2],
        "Not started: skill 'lint', file 'arguments.schema.json', line 1, column 49: `enum` is not a list of values \
         (write `[\"a\", \"b\"]`)."
    );
    assert!(turn(&mut talk, "hello").is_empty(), "once");
}

#[test]
fn a_program_starts_a_skill_in_a_whole_turn() {
    struct Lint;

    impl TypedArguments for Lint {
        const SKILL: &'static str = "lint";

        fn line(&self) -> String {
            "--path=src".to_owned()
        }
    }

    let folder = folder();
    skill(&folder.path().join("user"), "lint", "");
    skill(&folder.path().join("user"), "plan", "");
    let mut talk = open(folder.path());
    let run = talk.run("plan", "the work");
    assert_eq!(
        (run.started, run.messages.len()),
        (vec!["plan".to_owned()], 2)
    );
    let run = talk.run_typed(&Lint);
    assert!(run.asks_model && run.messages[0].text().contains("ARGUMENTS: --path=src"));
    assert_eq!(shown(&mut talk), ["Using skill: plan", "Using skill: lint"]);
}

#[test]
fn the_models_start_is_told() {
    let folder = folder();
    skill(&folder.path().join("user"), "lint", "");
    skill(&folder.path().join("user"), "plan", "");
    let mut talk = open(folder.path());
    let called = talk.call("skill", r#"{"name": "lint"}"#, "");
    let result = called.result.expect("a tool for skills");
    assert!(result.contains("<skill_content"));
    assert_eq!(talk.answered("Next: $plan").len(), 1);
    assert_eq!(talk.session.active().len(), 2);
    assert_eq!(shown(&mut talk), ["Using skill: lint", "Using skill: plan"]);
}

#[test]
fn a_failed_call_of_the_model_is_told_if_the_person_can_change_it() {
    let folder = folder();
    skill(&folder.path().join("user"), "lint", "");
    skill(&folder.path().join("user"), "review", "");
    let mut talk = open(folder.path());
    turn(&mut talk, "/skill disable lint");
    let mut call = |arguments: &str| {
        let called = talk.call("skill", arguments, "");
        called.result.expect("a tool for skills").clone()
    };
    assert!(call(r#"{"name": "lint"}"#).contains("disabled"));
    assert!(call(r#"{"name": "revew"}"#).contains("nearest"));
    assert_eq!(
        shown(&mut talk),
        ["Skill 'lint' is disabled. Enable it with /skill enable lint."]
    );
}

#[test]
fn the_question_about_a_call_shows_every_character() {
    let folder = folder();
    let mut talk = open(folder.path());
    let (_, asked) = call(&mut talk, "shell", "ls\n\r\u{1b}[2K\u{202e}rm", true);
    assert_eq!(asked, "? Run shell ls␊␍␛[2K\u{fffd}rm?");
}

#[test]
fn what_cannot_be_read_again_is_not_stored() {
    let folder = folder();
    let open = || {
        let clerk = Clerk {
            yes: true,
            shown: Vec::new(),
        };
        let (config, sources) = (folder.path().join("config"), sources(folder.path()));
        Conversation::<_, Value>::open(config, "deep", sources, Options::DEFAULT, clerk)
    };
    let mut talk = open().expect("open");
    talk.messages.push("first".into());
    talk.save().expect("saved");
    let deep = (0..126).fold(Value::Null, |inner, _| vec![inner].into());
    talk.messages.push(deep);
    assert_eq!(talk.save().expect_err("too deep").kind(), ErrorKind::Usage);
    drop(talk);
    assert_eq!(open().expect("open").messages, ["first"]);
}

/// Asks whether a file may be read. Returns what the person is asked.
fn call_of_path(talk: &mut Talk, path: &Path) -> String {
    let path = path.to_str().expect("UTF-8");
    assert!(talk.may_run("read_file", path) != Verdict::Allowed);
    shown(talk).join("\n").replace('\\', "/")
}

#[test]
fn a_call_passes_the_gate_of_the_host() {
    let folder = folder();
    let user = folder.path().join("user");
    skill(&user, "run", "command-dispatch: tool\ncommand-tool: Bash\n");
    skill(
        &user,
        "look",
        "allowed-tools: Read\ndisallowed-tools: Bash\n",
    );
    skill(&user, "limit", "allowed-tools: Read\n");
    let mut talk = open(folder.path());
    let asked = "? Run shell ls?".to_owned();
    let refused = "shell did not run: the person refused.".to_owned();
    assert_eq!(call(&mut talk, "shell", "ls", true), (None, asked.clone()));
    assert_eq!(
        call(&mut talk, "shell", "ls", false),
        (Some(refused), asked.clone())
    );
    let unknown = "telescope did not run: this program has no such tool.";
    assert_eq!(
        call(&mut talk, "telescope", "", true),
        (Some(unknown.to_owned()), String::new())
    );
    for (arguments, runs) in [
        ("", true),
        ("{}", true),
        ("{", false),
        ("ls", false),
        ("[]", false),
        ("{\"command\": \"ls\", \"x\": 1e999}", false),
        ("{\"command\": \"\\ud800\"}", false),
    ] {
        talk.person.yes = true;
        let result = talk.call("shell", arguments, "ls").result;
        assert_eq!(result.is_none(), runs, "{arguments}");
        let is_asked = !shown(&mut talk).is_empty();
        assert_eq!(is_asked, runs, "{arguments}");
    }
    // Only the host's own names: a model does not call a tool by the name of another program.
    assert!(call(&mut talk, "Bash", "ls", true).0.is_some());

    talk.person.yes = true;
    let call = talk.turn("/run ls").call.expect("a call");
    assert_eq!((&*call.tool, &*call.arguments), ("shell", "ls"));
    assert_eq!(shown(&mut talk), [&*asked]);
    talk.person.yes = false;
    assert_eq!(
        turn(&mut talk, "/run ls"),
        [
            &*asked,
            "/run may not call the tool 'Bash': the person refused."
        ]
    );
    turn(&mut talk, "$look");
    assert_eq!(talk.may_run("read_file", "a"), Verdict::Allowed, "approved");
    // The working folder of a test is the folder of its package.
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    assert_eq!(talk.may_run("read_file", here), Verdict::Allowed);
    let there = folder.path().join("user/look/SKILL.md");
    let asked = call_of_path(&mut talk, &there);
    assert!(
        asked.contains("look/SKILL.md"),
        "outside of the project: {asked}"
    );
    talk.person.yes = true;
    let taken = talk.may_run("shell", "ls").to_string();
    assert_eq!(taken, "an active skill takes it away: look");
    assert!(shown(&mut talk).is_empty());

    // Under a profile that narrows, the skills of a person take together what none of them allows.
    drop(talk);
    let profile = Options {
        allowed_tools: AllowedTools::Narrows,
        ..Options::DEFAULT
    };
    let mut talk = try_open(folder.path(), "narrow", profile).expect("open");
    talk.session.set_tools([
        ("read_file", ToolKind::Read),
        ("shell", ToolKind::Shell),
        ("mail", ToolKind::Other),
    ]);
    turn(&mut talk, "$limit and $look");
    assert_eq!(talk.may_run("read_file", "a"), Verdict::Allowed);
    let mut why = |tool: &str| talk.may_run(tool, "x").to_string();
    assert_eq!(why("mail"), "an active skill takes it away: limit, look");
    assert_eq!(why("shell"), "an active skill takes it away: limit, look");
}

#[test]
fn a_command_for_a_tool_that_is_not_here_says_so() {
    let folder = folder();
    let more = "command-dispatch: tool\ncommand-tool: WebFetch\n";
    skill(&folder.path().join("user"), "get", more);
    let mut talk = open(folder.path());
    assert_eq!(
        turn(&mut talk, "/get a page"),
        ["/get calls the tool 'WebFetch', which this program does not have."]
    );
}

#[test]
fn new_diagnostics_are_told_once() {
    let folder = folder();
    skill(&folder.path().join("user"), "lint", "");
    let broken = folder.path().join("user/broken");
    fs::create_dir_all(&broken).expect("a folder");
    fs::write(broken.join("SKILL.md"), "no front matter").expect("a file");
    let mut talk = open(folder.path());
    assert_eq!(shown(&mut talk).len(), 1);
    assert!(turn(&mut talk, "hello").is_empty());
    fs::create_dir_all(folder.path().join("user/worse")).expect("a folder");
    fs::write(folder.path().join("user/worse/SKILL.md"), "nor here").expect("a file");
    let told = turn(&mut talk, "hello");
    assert!(told.len() == 1 && told[0].contains("worse"), "{told:?}");
}

#[test]
fn a_damaged_conversation_is_an_error_with_the_file_and_the_next_step() {
    let folder = folder();
    let conversations = folder.path().join("config/conversations");
    fs::create_dir_all(&conversations).expect("a folder");
    fs::write(conversations.join("main.json"), "{").expect("a file");
    let error = try_open(folder.path(), "main", Options::DEFAULT).expect_err("damaged");
    assert_eq!(error.kind(), ErrorKind::Damaged);
    let told = format!("{error:?}");
    assert!(told.contains("main.json is damaged: "), "{told}");
    assert!(
        told.ends_with("; look at the file, then remove the file"),
        "{told}"
    );
}

#[test]
fn a_damaged_file_of_the_decisions_is_named_by_what_it_stops() {
    let folder = folder();
    let config = folder.path().join("config");
    fs::create_dir(&config).expect("a folder");
    fs::write(config.join("skills.json"), "{").expect("a file");
    fs::write(config.join("trust.json"), "{").expect("a file");
    skill(&folder.path().join("user"), "lint", "");
    skill(&folder.path().join("project"), "deploy", "");
    let mut talk = open(folder.path());
    let told = shown(&mut talk);
    let is_told = |file: &str| told.iter().any(|line| line.contains(file));
    assert!(is_told("skills.json") && is_told("trust.json"), "{told:?}");
    for (text, words, file) in [
        ("$lint", "skill 'lint' counts as disabled: ", "skills.json"),
        ("/skill enable lint", "the file is damaged", "skills.json"),
        // Without a question: no answer could be stored.
        ("/skill trust deploy", "the file is damaged", "trust.json"),
    ] {
        let told = turn(&mut talk, text);
        assert!(
            told.len() == 1
                && told[0].contains(words)
                && told[0].contains(file)
                && told[0].contains("correct the file, or move it away"),
            "{told:?}"
        );
    }
}

#[test]
fn trust_is_given_and_withdrawn() {
    let folder = folder();
    skill(&folder.path().join("project"), "deploy", "");
    skill(&folder.path().join("project"), "lint", "");
    skill(&folder.path().join("user"), "lint", "");
    let mut talk = open(folder.path());
    shown(&mut talk);
    assert_eq!(
        turn(&mut talk, "/skill untrust deploy"),
        ["Skill 'deploy' was not trusted."]
    );
    talk.person.yes = false;
    turn(&mut talk, "/skill trust deploy");
    assert_eq!(talk.turn("$deploy").messages.len(), 1);
    talk.person.yes = true;
    turn(&mut talk, "/skill trust deploy");
    let told = turn(&mut talk, "$deploy it");
    assert_eq!(told.last().expect("a notice"), "Using skill: deploy");
    assert_eq!(
        turn(&mut talk, "/skill untrust $deploy"),
        ["No longer trusted: deploy."]
    );
    let told = turn(&mut talk, "$deploy it");
    assert!(told[1].contains("no longer active"), "{told:?}");
    assert!(
        told.last().expect("a notice").contains("not trusted"),
        "{told:?}"
    );
    let told = turn(&mut named(folder.path(), "again"), "$deploy it");
    assert!(
        told.last().expect("a notice").contains("not trusted"),
        "{told:?}"
    );
    // The id means the skill of the highest trusted rank, and the answer names the other.
    let told = turn(&mut talk, "/skill trust lint");
    assert_eq!(
        told,
        [
            "Not trusted: skill 'lint' needs no trust: this program trusts every skill of its source; /skill trust \
             project:lint asks about the other."
        ]
    );
    turn(&mut talk, "/skill trust project:lint");
    let told = turn(&mut talk, "/skill untrust gone");
    assert!(
        told.last()
            .is_some_and(|last| last.starts_with("No skill named 'gone'.")),
        "{told:?}"
    );
}

#[test]
fn the_list_ends_with_the_requests() {
    let folder = folder();
    skill(&folder.path().join("user"), "lint", "");
    let mut talk = open(folder.path());
    let told = turn(&mut talk, "/skill");
    assert_eq!(told[0], "lint: Does it.");
    assert!(
        told.len() == 2 && told[1].contains("/skill untrust ID"),
        "{told:?}"
    );
    assert_eq!(turn(&mut talk, "/skill help"), told[1..]);
}

#[test]
fn a_list_that_is_not_read_strictly_approves_nothing_and_says_so() {
    let folder = folder();
    skill(
        &folder.path().join("user"),
        "look",
        "allowed-tools: Read Bash(git\n",
    );
    skill(&folder.path().join("user"), "good", "allowed-tools: Read\n");
    let mut talk = open(folder.path());
    shown(&mut talk);
    let is_told = |told: Vec<String>| {
        told.iter()
            .any(|line| line.contains("approves no tool call"))
    };
    assert!(is_told(turn(&mut talk, "$look at it")));
    assert!(!is_told(turn(&mut talk, "$look again")), "once");
    assert!(!is_told(turn(&mut talk, "$good")));
    turn(&mut talk, "/skill stop");
    let called = talk.call("skill", r#"{"name": "look"}"#, "");
    assert!(
        called.result.is_some() && !is_told(shown(&mut talk)),
        "the model's start approves nothing anyway"
    );
}

/// A bare name means the skills of every source, and the answer names each.
#[test]
fn what_a_name_switches_is_told() {
    let folder = folder();
    skill(
        &folder.path().join("user"),
        "lint",
        "user-invocable: false\n",
    );
    skill(&folder.path().join("project"), "lint", "");
    let mut talk = open(folder.path());
    shown(&mut talk);
    assert_eq!(
        turn(&mut talk, "/skill disable lint"),
        [
            "Skill 'project:lint' is disabled. Enable it with /skill enable project:lint.",
            "Skill 'user:lint' is disabled. Enable it with /skill enable user:lint.",
        ]
    );
    let told = turn(&mut talk, "/skill list");
    let expected = [
        "project:lint: Does it. (not trusted; disabled)",
        "lint: Does it. (disabled; only the model starts it)",
    ];
    assert_eq!(told[..2], expected);
    assert_eq!(
        turn(&mut talk, "/skill enable lint"),
        ["Enabled: project:lint, user:lint."]
    );
}
