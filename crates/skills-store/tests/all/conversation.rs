//! A conversation and its files: what is stored, and what a damaged file does.

use crate::folder;
use skills_runtime::options::ToolKind;
use skills_runtime::{Catalog, CatalogBuilder, Profile};
use skills_store::{Conversation, ErrorKind, News, Person, Question};
use std::fs;
use std::path::Path;

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
    let folder = folder.join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let text = format!("---\nname: {name}\ndescription: Does it.\n{more}---\nDo it.\n");
    fs::write(folder.join("SKILL.md"), text).expect("a skill");
}

fn sources(folder: &Path) -> CatalogBuilder {
    Catalog::builder()
        .untrusted("project", folder.join("project"))
        .directory("user", folder.join("user"))
}

fn open(folder: &Path) -> Conversation<Clerk> {
    let clerk = Clerk {
        yes: true,
        shown: Vec::new(),
    };
    let talk = Conversation::open(
        folder.join("config"),
        sources(folder),
        Profile::DEFAULT,
        clerk,
    );
    let mut talk = talk.expect("open");
    talk.session
        .set_tools([("read_file", ToolKind::Read), ("shell", ToolKind::Shell)]);
    talk
}

fn shown(talk: &mut Conversation<Clerk>) -> Vec<String> {
    std::mem::take(&mut talk.person.shown)
}

/// Does a turn, and returns what the person saw.
fn turn(talk: &mut Conversation<Clerk>, text: &str) -> Vec<String> {
    talk.turn(text).expect("a turn");
    shown(talk)
}

#[test]
fn the_session_is_stored_and_continued() {
    let folder = folder();
    skill(&folder.path().join("user"), "lint", "");
    let mut talk = open(folder.path());
    let stored = folder.path().join("config/session.json");
    talk.turn("hello").expect("a turn");
    assert!(!stored.exists(), "nothing to store");
    assert_eq!(turn(&mut talk, "$lint it"), ["Using skill: lint"]);
    let first = fs::read(&stored).expect("stored");
    let mut talk = open(folder.path());
    assert_eq!(talk.session.active().len(), 1);
    assert_eq!(turn(&mut talk, "/skill stop"), ["Stopped: lint."]);
    assert_ne!(fs::read(&stored).expect("stored"), first);
    assert!(open(folder.path()).session.active().is_empty());
}

#[test]
fn the_models_start_is_stored_and_told() {
    let folder = folder();
    skill(&folder.path().join("user"), "lint", "");
    skill(&folder.path().join("user"), "plan", "");
    let mut talk = open(folder.path());
    let called = talk.call("skill", r#"{"name": "lint"}"#).expect("stored");
    let called = called.expect("a tool for skills");
    assert!(called.result.contains("<skill_content"));
    assert_eq!(open(folder.path()).session.active().len(), 1);
    assert_eq!(talk.answered("Next: $plan").expect("stored").len(), 1);
    assert_eq!(open(folder.path()).session.active().len(), 2);
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
        let called = talk.call("skill", arguments).expect("stored");
        called.expect("a tool for skills").result.to_string()
    };
    assert!(call(r#"{"name": "lint"}"#).contains("disabled"));
    assert!(call(r#"{"name": "revew"}"#).contains("nearest"));
    assert_eq!(
        shown(&mut talk),
        ["Skill 'lint' is disabled. Enable it with /skill enable lint."]
    );
}

#[test]
fn a_call_passes_the_gate_of_the_host() {
    let folder = folder();
    let user = folder.path().join("user");
    skill(
        &user,
        "run",
        "command-dispatch: tool\ncommand-tool: shell\n",
    );
    skill(
        &user,
        "look",
        "allowed-tools: Read\ndisallowed-tools: Bash\n",
    );
    let mut talk = open(folder.path());
    assert!(talk.call("shell", "{}").expect("stored").is_none());
    assert!(talk.may_run("read_file", "a"));
    assert_eq!(shown(&mut talk), ["? Run read_file a?"]);
    let call = talk.turn("/run ls").expect("a turn").call.expect("a call");
    assert_eq!((&*call.tool, &*call.arguments), ("shell", "ls"));
    assert_eq!(shown(&mut talk), ["? Run shell ls?"]);
    talk.person.yes = false;
    assert!(!talk.may_run("read_file", "a"));
    assert_eq!(
        turn(&mut talk, "/run ls"),
        [
            "? Run read_file a?",
            "? Run shell ls?",
            "/run may not call the tool 'shell': it is not allowed."
        ]
    );
    turn(&mut talk, "$look");
    assert!(talk.may_run("read_file", "a"), "approved");
    talk.person.yes = true;
    assert!(!talk.may_run("shell", "ls"), "taken away");
    assert!(shown(&mut talk).is_empty());
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
fn a_damaged_session_is_an_error_with_the_file_and_the_next_step() {
    let folder = folder();
    let config = folder.path().join("config");
    fs::create_dir(&config).expect("a folder");
    fs::write(config.join("session.json"), "{").expect("a file");
    let clerk = Clerk {
        yes: true,
        shown: Vec::new(),
    };
    let failed = Conversation::open(&config, Catalog::builder(), Profile::DEFAULT, clerk);
    let error = failed.expect_err("damaged");
    assert_eq!(error.kind(), ErrorKind::Damaged);
    let told = format!("{error:?}");
    assert!(told.contains("session.json is damaged: "), "{told}");
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
    assert_eq!(talk.turn("$deploy").expect("a turn").messages.len(), 1);
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
    let told = turn(&mut open(folder.path()), "$deploy it");
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
    let called = talk.call("skill", r#"{"name": "look"}"#).expect("stored");
    assert!(
        called.is_some() && !is_told(shown(&mut talk)),
        "the model's start approves nothing anyway"
    );
}
