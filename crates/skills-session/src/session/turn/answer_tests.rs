use super::*;
use crate::fixture::{Fixture, Sources, dialects, guidance};
use crate::options::Options;
use skills_permit::Tools;

/// A conversation under a profile, with the tools `Read`, `Edit` and `Bash`.
struct Held {
    fixture: Fixture,
    session: Session,
}

impl Held {
    fn new(profile: &Options) -> Self {
        let mut session = Session::new(profile.clone());
        session.set_tools(Tools::named(["Read", "Edit", "Bash"]));
        let skills: &[(&str, &str, &str)] = &[
            ("fix", "allowed-tools: Read Edit", "Fix."),
            ("lint", "", "Lint."),
            ("look", "allowed-tools: Read Bash", "Look."),
            ("off", "", ""),
            ("typed", "disable-model-invocation: true", ""),
        ];
        Self {
            fixture: Sources::new()
                .source("user", skills)
                .disabled(&["off"])
                .load(),
            session,
        }
    }

    fn turn(&mut self, text: &str) -> TurnOutcome {
        self.session
            .turn(&self.fixture.catalog, text, Surface::User)
    }

    fn answered(&mut self, text: &str) -> TurnOutcome {
        self.session.answered(&self.fixture.catalog, text)
    }

    fn active(&self) -> Vec<&str> {
        let active = self.session.active().iter();
        active.map(|active| active.skill.as_str()).collect()
    }
}

fn tools(outcome: &TurnOutcome) -> Vec<&str> {
    outcome.tools.tools.iter().map(|tool| &*tool.tool).collect()
}

fn told(outcome: &TurnOutcome) -> Vec<String> {
    outcome.notices.iter().map(ToString::to_string).collect()
}

#[test]
fn a_skill_that_an_answer_names_is_for_the_next_turn() {
    let mut held = Held::new(&guidance());
    held.turn("look around");
    let answered = held.answered("My plan: $look, then I report.");
    assert_eq!(told(&answered), ["Using skill: look"]);
    assert_eq!(answered.started, ["look"]);
    let [Message::System { text }] = &*answered.messages else {
        panic!("{:?}", answered.messages);
    };
    assert!(text.contains("Look."), "{text}");
    let next = held.turn("go on");
    assert_eq!(held.active(), ["look"]);
    assert_eq!(tools(&next), ["Read", "Bash"]);
    let third = held.turn("and again");
    assert!(held.active().is_empty());
    assert_eq!(tools(&third), ["Read", "Edit", "Bash"]);
}

#[test]
fn an_answer_only_narrows() {
    let mut held = Held::new(&guidance());
    held.turn("$fix it");
    let answered = held.answered("I use $look for that.");
    assert_eq!(tools(&answered), ["Read"]);
    assert_eq!(tools(&held.turn("go on")), ["Read", "Bash"]);
    held.turn("$fix it");
    held.answered("$look");
    // A person's skill and a skill of the answer: only the tools that both allow remain.
    assert_eq!(tools(&held.turn("$fix it")), ["Read"]);
    // An answer that names the person's own skill still counts as a start by the model.
    held.turn("$fix it");
    held.answered("$fix again, with $look");
    assert_eq!(tools(&held.turn("go on")), ["Read"], "what both leave");
    held.turn("/skill stop");
    held.answered("$look");
    held.turn("/skill stop");
    assert!(held.active().is_empty());
}

#[test]
fn what_an_answer_may_not_start_is_told_to_the_model_too() {
    for (text, notice) in [
        (
            "then $nope",
            "No skill named 'nope'. Run /skill list to see available skills.",
        ),
        ("then $lnt", "No exact skill 'lnt'. Did you mean $lint?"),
        (
            "then $typed",
            "Skill 'typed' can only be started by the user.",
        ),
        (
            "then $off",
            "Skill 'off' is disabled. Enable it with /skill enable off.",
        ),
    ] {
        let mut held = Held::new(&guidance());
        let answered = held.answered(text);
        assert_eq!(told(&answered), [notice]);
        assert!(
            answered.started.is_empty() && held.active().is_empty(),
            "{text}"
        );
        let text = notice.to_owned();
        assert_eq!(answered.messages, [Message::System { text }]);
    }
    for text in [
        "`$lint`",
        "```\n$lint\n```",
        "> $lint",
        "\\$lint",
        "let me lint",
        "/skill lint",
    ] {
        let answered = Held::new(&guidance()).answered(text);
        assert!(
            answered.messages.is_empty() && answered.notices.is_empty(),
            "{text}"
        );
    }
}

#[test]
fn the_policy_decides_whether_answers_are_read() {
    for profile in &dialects() {
        let mut held = Held::new(profile);
        let answered = held.answered("I use $lint.");
        let is_read = profile.answers;
        assert_eq!(answered.started.is_empty(), !is_read, "{profile:?}");
        assert_eq!(tools(&answered), ["Read", "Edit", "Bash"]);
    }
}

/// The turn goes on after a text that is not read.
#[test]
fn an_answer_that_is_not_read_ends_no_approval() {
    let profile = Options {
        answers: false,
        ..Options::DEFAULT
    };
    let mut held = Held::new(&profile);
    assert!(held.turn("$look here").approved.admits("Read", "a"));
    assert!(held.answered("Done.").approved.admits("Read", "a"));
}

#[test]
fn a_skill_that_was_disabled_meanwhile_ends() {
    let mut held = Held::new(&guidance());
    held.answered("$look");
    held.fixture.catalog = held
        .fixture
        .catalog
        .with(|builder| builder.disabled(["look"]));
    let next = held.turn("go on");
    assert_eq!(tools(&next), ["Read", "Edit", "Bash"]);
    assert!(held.active().is_empty());
}

#[test]
fn a_stored_session_keeps_what_an_answer_started() {
    let mut held = Held::new(&guidance());
    held.answered("$lint");
    let stored = serde_json::to_string(&held.session.save()).unwrap();
    let state = serde_json::from_str(&stored).unwrap();
    held.session = Session::restore(state, guidance());
    held.turn("go on");
    assert_eq!(held.active(), ["lint"]);
    held.turn("go on");
    assert!(held.active().is_empty());
}
