//! Checks skills of one name in several sources: what is active ends with its own source.

use crate::fixture::{Fixture, Sources};
use crate::options::{AllowedTools, Options};
use crate::session::Session;
use crate::session::turn::{Message, TurnOutcome};
use skills_permit::ToolKind;
use skills_runtime::{Catalog, CatalogBuilder, Surface};
use std::fs;

const THEIRS: &[(&str, &str, &str)] = &[("triage", "", "Theirs.")];

/// A person's folder without skills, and a folder with `triage`.
fn fixture() -> Fixture {
    let sources = Sources::new().source("user", &[]).source("shared", THEIRS);
    sources.with(CatalogBuilder::reloadable).load()
}

impl Fixture {
    /// Writes the person's `triage`, and reads the folders again.
    fn mine(&mut self, more: &str) {
        let folder = self.dir.path().join("user/triage");
        fs::create_dir_all(&folder).unwrap();
        let text = format!("---\nname: triage\ndescription: Does it.\n{more}---\nMine.\n");
        fs::write(folder.join("SKILL.md"), text).unwrap();
        self.catalog = self.catalog.reload();
    }

    fn remove_mine(&mut self) {
        fs::remove_dir_all(self.dir.path().join("user/triage")).unwrap();
        self.catalog = self.catalog.reload();
    }
}

fn turn(session: &mut Session, catalog: &Catalog, text: &str) -> TurnOutcome {
    session.turn(catalog, text, Surface::User)
}

fn told(turn: &TurnOutcome) -> Vec<String> {
    turn.notices.iter().map(ToString::to_string).collect()
}

/// Checks that a turn starts the skill with this body, by its whole text.
fn starts(session: &mut Session, catalog: &Catalog, text: &str, body: &str) {
    let turn = turn(session, catalog, text);
    let mut texts = turn.messages.iter().map(Message::text);
    let skill = texts.find(|text| text.contains("<skill_content"));
    assert!(
        skill.is_some_and(|text| text.contains(body)),
        "{:?}",
        turn.messages
    );
}

/// A session in which the person's `triage` was started after the shared one.
fn both(fixture: &mut Fixture, profile: Options) -> Session {
    let mut session = Session::new(profile);
    session.set_tools([("fs_get", ToolKind::Read), ("sh_run", ToolKind::Shell)]);
    starts(&mut session, &fixture.catalog, "/triage x", "Theirs.");
    fixture.mine("");
    starts(&mut session, &fixture.catalog, "/triage x", "Mine.");
    let active: Vec<&str> = session.active().iter().map(|it| &*it.source).collect();
    assert_eq!(active, ["user"], "one text for one id");
    session
}

#[test]
fn a_removed_skill_ends_beside_its_twin() {
    let mut fixture = fixture();
    let mut session = both(&mut fixture, Options::DEFAULT);
    fixture.remove_mine();
    let next = turn(&mut session, &fixture.catalog, "next");
    assert_eq!(told(&next), ["Removed, and no longer active: user:triage."]);
    assert!(session.active().is_empty());
    starts(&mut session, &fixture.catalog, "/triage x", "Theirs.");
}

/// The skill is removed, and the text of that turn starts its twin.
#[test]
fn the_turn_of_the_loss_starts_the_twin_whole() {
    let mut fixture = fixture();
    let mut session = both(&mut fixture, Options::DEFAULT);
    fixture.remove_mine();
    starts(&mut session, &fixture.catalog, "/triage x", "Theirs.");
    assert_eq!(session.active().len(), 1);
}

#[test]
fn a_disabled_skill_ends_beside_its_twin() {
    let mut fixture = fixture();
    let mut session = both(&mut fixture, Options::DEFAULT);
    let catalog = fixture
        .catalog
        .with(|builder| builder.disabled(["user:triage"]));
    let next = turn(&mut session, &catalog, "next");
    // The name stays with the disabled skill.
    assert_eq!(told(&next), ["Disabled, and no longer active: triage."]);
    assert!(session.active().is_empty());
    assert!(turn(&mut session, &catalog, "/triage x").started.is_empty());
    starts(&mut session, &fixture.catalog, "/triage x", "Mine.");
}

#[test]
fn a_skill_that_lost_its_trust_ends_beside_its_twin() {
    let project = [("triage", "", "Mine.")];
    let fixture = Sources::new()
        .untrusted("user", &project)
        .source("shared", THEIRS)
        .load();
    let shared = fixture.catalog;
    let record = shared.get("user:triage").unwrap().trust_record().unwrap();
    let trusted = Catalog::builder()
        .untrusted("user", fixture.dir.path().join("user"))
        .directory("shared", fixture.dir.path().join("shared"))
        .trusted([record])
        .load();
    let mut session = Session::new(Options::DEFAULT);
    starts(&mut session, &shared, "/triage x", "Theirs.");
    starts(&mut session, &trusted, "/triage x", "Mine.");
    let next = turn(&mut session, &shared, "next");
    assert_eq!(
        told(&next),
        ["Not trusted now, and no longer active: user:triage."]
    );
    starts(&mut session, &shared, "/triage x", "Theirs.");
}

/// The skill that has the name of a lost skill under an id of its own stays.
#[test]
fn a_twin_under_its_own_id_stays() {
    let mut fixture = fixture();
    let mut session = both(&mut fixture, Options::DEFAULT);
    starts(
        &mut session,
        &fixture.catalog,
        "$shared:triage x",
        "Theirs.",
    );
    assert_eq!(session.active().len(), 2);
    fixture.remove_mine();
    turn(&mut session, &fixture.catalog, "next");
    let active: Vec<&str> = session.active().iter().map(|it| &*it.skill).collect();
    assert_eq!(active, ["shared:triage"]);
    // The text in the conversation has the other id.
    starts(&mut session, &fixture.catalog, "/triage x", "Theirs.");
    assert_eq!(session.active().len(), 1, "the same skill");
}

#[test]
fn the_rules_of_a_replaced_skill_end_with_it() {
    let profile = Options {
        allowed_tools: AllowedTools::Narrows,
        ..Options::DEFAULT
    };
    let mut fixture = fixture();
    fixture.mine("allowed-tools: Read\n");
    let mut session = Session::new(profile);
    session.set_tools([("fs_get", ToolKind::Read), ("sh_run", ToolKind::Shell)]);
    let left = |turn: &TurnOutcome| turn.tools.names().count();
    assert_eq!(left(&turn(&mut session, &fixture.catalog, "/triage x")), 1);
    fixture.remove_mine();
    assert_eq!(left(&turn(&mut session, &fixture.catalog, "/triage x")), 2);
    fixture.mine("allowed-tools: Read\n");
    assert_eq!(left(&turn(&mut session, &fixture.catalog, "/triage x")), 1);
    assert_eq!(
        left(&turn(&mut session, &fixture.catalog, "/skill stop triage")),
        2
    );
}
