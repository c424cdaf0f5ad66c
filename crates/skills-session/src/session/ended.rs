//! The skills of a conversation that have ended, or that have changed since they started: the text of a skill stays in the
//! conversation.

use crate::session::Session;
use crate::session::active::{name, qualified};
use crate::session::turn::Message;
use skills_format::mention::Id;

impl Session {
    /// Notes skills of whose end the model must learn, by their qualified ids. Under options by which each skill ends with
    /// its turn, the model expects nothing else.
    pub(crate) fn note_ended(&mut self, skills: Vec<String>) {
        if !self.options().lasts_one_turn {
            self.untold.retain(|ended| !skills.contains(ended));
            self.untold.extend(skills);
        }
    }

    /// Forgets the end of a skill that has started again: the later text replaces the text of the skill that has ended.
    pub(crate) fn forget_ended(&mut self, source: &str, id: &str) {
        let started = qualified(source, id);
        self.untold.retain(|ended| *ended != started);
    }

    /// Adds the message about the ended skills in front of the messages of a turn. A turn without messages is not a turn
    /// of the model: the skills wait for the next messages.
    pub(crate) fn tell_ended(&mut self, messages: &mut Vec<Message>) {
        if !messages.is_empty()
            && let Some(message) = self.take_ended()
        {
            messages.insert(0, message);
        }
    }

    /// Takes the message about the skills that have ended since the last messages, for a host that adds it to the
    /// conversation at once.
    pub fn take_ended(&mut self) -> Option<Message> {
        let skills = std::mem::take(&mut self.untold);
        let skills = skills.iter().map(|ended| self.ended_name(ended));
        let skills = skills.collect::<Vec<_>>().join(", ");
        // Not "no longer": a host with one system text keeps the message there, also if a skill starts again.
        let text = format!(
            "These skills have ended; until they start again, do not follow their instructions: {skills}."
        );
        (!skills.is_empty()).then_some(Message::System { text })
    }

    /// Returns the name of a skill that has ended as its text has it: with the source if a skill of the same name is active.
    fn ended_name(&self, ended: &str) -> String {
        let Id {
            source,
            name: ended,
        } = Id::parse(ended);
        let mut active = self.active.iter();
        let has_rival = active.any(|active| name(&active.source, &active.skill) == ended);
        if has_rival {
            format!("{ended} (source {})", source.unwrap_or_default())
        } else {
            ended.to_owned()
        }
    }
}

#[cfg(test)]
mod ended_tests {
    use super::*;
    use crate::fixture::Sources;
    use crate::options::Options;
    use skills_runtime::Catalog;
    use skills_runtime::Surface;

    fn turn(session: &mut Session, catalog: &Catalog, text: &str) -> Vec<String> {
        let turn = session.turn(catalog, text, Surface::User);
        let messages = turn.messages.iter();
        messages.map(|message| message.text().to_owned()).collect()
    }

    fn told(skills: &str) -> String {
        format!(
            "These skills have ended; until they start again, do not follow their instructions: {skills}."
        )
    }

    #[test]
    fn the_model_learns_of_an_end_once_with_the_next_messages() {
        let skills = [
            ("lint", "", "Lint."),
            ("plan", "", "Plan."),
            ("ship", "", "Ship."),
        ];
        let fixture = Sources::new().source("user", &skills).load();
        let on = &fixture.catalog;
        let off = on.with(|builder| builder.disabled(["lint"]));
        let mut session = Session::new(Options::DEFAULT);
        assert_eq!(turn(&mut session, on, "$lint and $plan and $ship").len(), 4);
        assert!(
            turn(&mut session, on, "/skill stop plan").is_empty(),
            "the model gets no turn"
        );
        // Also of a session that was stored meanwhile.
        let mut session = Session::restore(session.save(), Options::DEFAULT);
        assert_eq!(
            turn(&mut session, &off, "hello"),
            [&*told("plan, lint"), "hello"]
        );
        assert_eq!(turn(&mut session, &off, "hello"), ["hello"], "once");
        let run = session.run(&Catalog::builder().load(), "nosuch", "");
        assert!(run.messages.is_empty());
        assert_eq!(turn(&mut session, on, "hello"), [&*told("ship"), "hello"]);
    }

    #[test]
    fn a_skill_that_starts_again_has_not_ended() {
        let fixture = Sources::new()
            .source("user", &[("lint", "", "Lint.")])
            .load();
        let mut session = Session::new(Options::DEFAULT);
        turn(&mut session, &fixture.catalog, "$lint it");
        turn(&mut session, &fixture.catalog, "/skill stop");
        let again = turn(&mut session, &fixture.catalog, "$lint it");
        assert!(again[0].contains("Lint.") && again.len() == 2, "{again:?}");
    }

    #[test]
    fn of_two_skills_with_one_name_the_ended_one_is_told() {
        let fixture = Sources::new()
            .source("user", &[("lint", "", "Lint.")])
            .source("bundled", &[("lint", "", "Lint too.")])
            .load();
        let only = Sources::new()
            .source("bundled", &[("lint", "", "Lint too.")])
            .load();
        let mut session = Session::new(Options::DEFAULT);
        turn(&mut session, &fixture.catalog, "$lint it");
        turn(&mut session, &fixture.catalog, "$bundled:lint it");
        assert_eq!(
            turn(&mut session, &only.catalog, "hello"),
            [&*told("lint (source user)"), "hello"]
        );
        assert_eq!(session.active().len(), 1);
    }

    #[test]
    fn a_skill_of_one_turn_ends_without_a_message() {
        let fixture = Sources::new()
            .source("user", &[("lint", "", "Lint.")])
            .load();
        let profile = Options {
            lasts_one_turn: true,
            ..Options::DEFAULT
        };
        let mut session = Session::new(profile);
        turn(&mut session, &fixture.catalog, "$lint it");
        assert_eq!(turn(&mut session, &fixture.catalog, "hello"), ["hello"]);
    }
}

#[cfg(test)]
mod outdated_tests {
    use super::*;
    use crate::fixture::{Fixture, Sources};
    use crate::options::Options;
    use skills_runtime::Surface;
    use std::fs;

    const START: &str = "name: lint\ndescription: Lints.\narguments: [FILE, what]";

    fn write(fixture: &Fixture, path: &str, text: &str) {
        let path = fixture.dir.path().join("user/lint").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn skill(front: &str, body: &str) -> String {
        format!("---\n{front}\n---\n\n{body}\n")
    }

    /// Returns whether an active skill gives the same after a change.
    fn after(options: Options, change: impl FnOnce(&Fixture)) -> Option<bool> {
        let skills = [("lint", "", "")];
        let fixture = Sources::new().source("user", &skills).load();
        write(&fixture, "SKILL.md", &skill(START, "Lint $FILE for $what."));
        write(&fixture, "references/style.md", "Style.");
        let catalog = fixture.catalog.reload();
        let mut session = Session::new(options);
        session.set_variable("FILE", "a.rs");
        session.turn(&catalog, "/lint style", Surface::User);
        assert_eq!(session.active().len(), 1);
        change(&fixture);
        let catalog = catalog.reload();
        // What the host fills in is not of the skill, and is not stored.
        let mut session = Session::restore(session.save(), Options::DEFAULT);
        session.set_tools([("shell", crate::options::ToolKind::Shell)]);
        session.active()[0].gives_the_same(&catalog)
    }

    #[test]
    fn what_the_model_was_given_counts_and_nothing_else() {
        let body = "Lint $FILE for $what.";
        let edited = |front: &str, body: &str| {
            let text = skill(front, body);
            after(Options::DEFAULT, |it| write(it, "SKILL.md", &text))
        };
        assert_eq!(edited(START, body), Some(true));
        assert_eq!(
            edited(&START.replace("Lints.", "Lints it."), body),
            Some(true)
        );
        assert_eq!(edited(START, "Lint $FILE for bugs."), Some(false));
        let tools = format!("{START}\nallowed-tools: Read");
        assert_eq!(edited(&tools, body), Some(false));
        let denied = format!("{START}\ndisallowed-tools: Write");
        assert_eq!(edited(&denied, body), Some(false));

        let file = |path: &str, text: &str| after(Options::DEFAULT, |it| write(it, path, text));
        assert_eq!(file("references/style.md", "Other."), Some(true));
        assert_eq!(
            file("references/new.md", "New."),
            Some(false),
            "its name is listed"
        );
        let gone = after(Options::DEFAULT, |it| {
            fs::remove_dir_all(it.dir.path().join("user/lint")).unwrap();
        });
        assert_eq!(gone, None);
    }
}
