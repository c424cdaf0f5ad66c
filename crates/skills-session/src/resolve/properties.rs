//! Checks that every way to start a skill gives the same bytes.

use crate::Dialect as _;
use crate::activation::{Activation, Choices, activate};
use crate::fixture::{dialects, skills};
use crate::options::{Arguments, Options};
use crate::resolve::command;
use crate::resolve::{Effect, Request, Resolution};
use proptest::prelude::*;
use skills_runtime::{Catalog, Surface};
use std::fs;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_same_bytes_whichever_way(
        name in "[a-z]{2,8}(-[a-z]{1,8})?",
        more in "(arguments: FILE\n)?(allowed-tools: Read Bash\\(git:\\*\\)\n)?(argument-hint: x\n)?",
        body in "([a-zé]{1,6}|\\$ARGUMENTS|\\$FILE|\\$1|\\\\|</skill_content>|\n| ){1,8}",
        resources in prop::collection::btree_set("[a-z]{1,4}\\.(md|txt)", 0..3),
        arguments in "([a-zé]{1,8}|\"|\\\\|\\$ARGUMENTS|\\$FILE|\\$[0-9]|</skill_content>|\n| ){0,8}",
    ) {
        prop_assume!(!matches!(&*name, "skill" | "skills"));
        let fixture = skills(&[(&name, &more, &body)]);
        for resource in &resources {
            fs::write(fixture.dir.path().join("user").join(&name).join(resource), "x").unwrap();
        }
        // Without a profile: the runtime alone gives the bytes of the default one.
        let skill = fixture.catalog.get(&name).unwrap();
        let alone = skill.activate(&arguments).unwrap();
        prop_assert_eq!(&*activate(&Options::DEFAULT, &skill, &arguments).unwrap().text, &*alone);
        for profile in &dialects() {
            let variables = [("FILE".to_owned(), "a.rs $ARGUMENTS".to_owned())].into();
            let choices = Choices { variables: &variables, ..Choices::of(profile) };
            let ways = Ways { catalog: &fixture.catalog, profile, choices, name: &name };
            let scheduled = ways.direct(&arguments);
            let arguments = arguments.trim();
            prop_assert_eq!(&ways.slash(arguments), &scheduled);
            prop_assert_eq!(&ways.skill_command(arguments), &scheduled);
            let (mention, passed) = ways.mention(arguments);
            prop_assert_eq!(&mention, &ways.direct(&passed));
            if profile.arguments != Arguments::None {
                prop_assert_eq!(passed, arguments);
            }
            if profile.tool.is_some() {
                let (mut call, passed) = ways.call(arguments);
                prop_assert_eq!(call.started_by, skills_permit::Starter::Model);
                // Who started the skill changes no text.
                call.started_by = skills_permit::Starter::Person;
                prop_assert_eq!(&call, &ways.direct(&passed));
                prop_assert!(passed == arguments || profile.tool.as_ref().unwrap().arguments.is_none());
            }
        }
    }
}

/// The ways to start one skill under one profile, including ways that the profile disables.
struct Ways<'f> {
    catalog: &'f Catalog,
    profile: &'f Options,
    choices: Choices<'f>,
    name: &'f str,
}

impl Ways<'_> {
    /// Starts the skill like a scheduler.
    fn direct(&self, arguments: &str) -> Activation {
        self.started(self.name, arguments)
    }

    fn started(&self, id: &str, arguments: &str) -> Activation {
        let skill = self.catalog.get(id).unwrap();
        let started = crate::activation::start(
            &skill,
            None,
            self.profile.arguments.given(arguments),
            self.choices,
        );
        let mut activation = started.unwrap();
        activation.approves = false;
        activation
    }

    fn turn(&self, text: &str, profile: &Options) -> (Activation, Resolution) {
        let resolution = profile.resolve(self.catalog, text, Surface::User);
        assert_eq!(resolution.skills.len(), 1, "{text}: {resolution:?}");
        let activation = resolution.start(&resolution.skills[0], self.catalog, self.choices);
        let mut activation = activation.unwrap();
        // Whether a person started the skill changes no text.
        activation.approves = false;
        (activation, resolution)
    }

    fn slash(&self, arguments: &str) -> Activation {
        let mut profile = self.profile.clone();
        profile.commands = true;
        let command = &profile.commands(self.catalog)[0].name;
        self.turn(&format!("/{command} {arguments}"), &profile).0
    }

    fn skill_command(&self, arguments: &str) -> Activation {
        let text = format!("/skill {} {arguments}", self.name);
        match command(self.profile, self.catalog, &text).unwrap().effect {
            Effect::Request(Request::Run { id, arguments }) => self.started(&id, &arguments),
            other => panic!("{text}: {other:?}"),
        }
    }

    /// Returns the activation of a mention, and the arguments that the policy passes.
    fn mention(&self, arguments: &str) -> (Activation, String) {
        let mut profile = self.profile.clone();
        profile.mentions = true;
        let (activation, resolution) = self.turn(&format!("${} {arguments}", self.name), &profile);
        (activation, resolution.arguments(self.name).to_owned())
    }

    /// Returns the activation of a model's call, and the arguments that the call passes.
    fn call(&self, arguments: &str) -> (Activation, String) {
        let exchanged = self.direct(arguments).exchange();
        let (exchange, passed) = match exchanged {
            Some(exchange) => (exchange, arguments),
            None => (self.direct("").exchange().unwrap(), ""),
        };
        let answer = crate::session::tool::call_with(
            self.catalog,
            &exchange.tool,
            &exchange.arguments,
            self.choices,
        );
        let Ok(crate::session::tool::Answer::Start(activation)) = answer else {
            panic!("{answer:?}");
        };
        assert_eq!(exchange.result, activation.text);
        assert_eq!(activation.exchange().as_ref(), Some(&exchange));
        (*activation, passed.to_owned())
    }
}
