//! Resolves a whole text: a slash command, or a text with mentions.
//!
//! [`Catalog::resolve`] begins here.

use crate::catalog::Catalog;
use crate::profile::Profile;
use crate::resolve::command::{command, unknown_command};
use crate::resolve::invocation::Invocation;
use crate::resolve::notice::Notice;
use crate::resolve::reading::resolve_under;
use crate::resolve::resolution::{Effect, Resolution, SkillToStart};
use crate::resolve::surface::Surface;

/// Resolves a text under a profile.
pub(crate) fn resolve(
    catalog: &Catalog,
    text: &str,
    surface: Surface,
    profile: &Profile,
) -> Resolution {
    let command = match surface {
        Surface::User => command(catalog, text, profile),
        // A model starts a skill by a mention or a tool call: a `/` in its text is not typed by a person.
        Surface::Model => None,
    };
    let Some(command) = command else {
        let mut resolution = resolve_under(catalog, text, surface, profile);
        if surface != Surface::Model
            && let Some(notice) = unknown_command(catalog, text, profile)
        {
            resolution.notices.insert(0, notice);
        }
        return resolution;
    };
    let mut resolution = Resolution {
        surface,
        effect: Effect::Plain,
        mentions: Vec::new(),
        notices: Vec::new(),
        task: text.to_owned(),
        skills: Vec::new(),
        arguments: profile.mentions.arguments,
        command: None,
    };
    resolution.effect = match command {
        Invocation::Skill(command) => {
            let skill = command.skill.clone();
            resolution.skills.push(SkillToStart {
                id: skill.clone(),
                place: command.place.clone(),
                leads: false,
            });
            resolution.notices.push(Notice::Using { skill });
            resolution.task.clone_from(&command.message);
            resolution.command = Some(command);
            Effect::Command
        }
        Invocation::Refused(notice) => {
            resolution.notices.push(notice.clone());
            Effect::Refused(notice)
        }
        Invocation::NotCalled(notice) => {
            resolution.notices.push(notice.clone());
            Effect::NotCalled(notice)
        }
        Invocation::Dispatch(dispatch) => Effect::Dispatch(dispatch),
        Invocation::Request(meta) => Effect::Request(meta),
    };
    resolution
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sources;

    #[test]
    fn a_command_that_nobody_has_is_reported_where_the_hosts_commands_are_known() {
        let fixture = Sources::new().source("user", &[("lint", "", "")]).load();
        let told = |text: &str, profile: &Profile| {
            let resolution = fixture.catalog.resolve(text, Surface::User, profile);
            assert_eq!(resolution.task, text);
            let notices = resolution.notices.iter();
            notices.map(ToString::to_string).collect::<Vec<_>>()
        };
        let mut profile = Profile::DEFAULT;
        assert_eq!(told("/nosuch x", &profile), [""; 0]);
        profile.commands.reserved = vec!["help".into()].into();
        let unknown = "No skill named 'nosuch'. Run /skill list to see available skills.";
        assert_eq!(told("/nosuch x", &profile), [unknown]);
        for of_the_host in ["/help x", "/usr/bin/env", "/ x", "//nosuch", "a /nosuch"] {
            assert_eq!(told(of_the_host, &profile), [""; 0], "{of_the_host}");
        }
        profile.mentions.notices = crate::options::Notices::SilentUnknown;
        assert_eq!(told("/nosuch x", &profile), [""; 0]);
    }

    #[test]
    fn commands_are_not_scanned() {
        let fixture = Sources::new()
            .source(
                "user",
                &[("lint", "", ""), ("off", "", ""), ("other", "", "")],
            )
            .disabled(&["off"])
            .load();
        let turn = |text: &str, surface| {
            let resolution = fixture.catalog.resolve(text, surface, &Profile::DEFAULT);
            let activated = resolution.activated().join(" ");
            let arguments = resolution.arguments(&activated).to_owned();
            let mentions = resolution.mentions.len();
            (
                resolution.effect.as_str(),
                activated,
                arguments,
                resolution.task,
                mentions,
            )
        };
        let user = |text: &str| turn(text, Surface::User);
        let expected = |turn, skill: &str, arguments: &str, task: &str, mentions| {
            (
                turn,
                skill.to_owned(),
                arguments.to_owned(),
                task.to_owned(),
                mentions,
            )
        };
        assert_eq!(
            user("/lint $other x"),
            expected("command", "lint", "$other x", "$other x", 0)
        );
        assert_eq!(user("/lint"), expected("command", "lint", "", "/lint", 0));
        assert_eq!(
            user("/nope $other"),
            expected("plain", "", "", "/nope $other", 0)
        );
        assert_eq!(
            user("/no/pe $other"),
            expected("activate", "other", "", "/no/pe $other", 1)
        );
        assert_eq!(user("$lint x"), expected("activate", "lint", "x", "x", 1));
        assert_eq!(
            user("/off $other"),
            expected("plain", "", "", "/off $other", 0)
        );
        assert_eq!(
            user("/skill list"),
            expected("command", "", "", "/skill list", 0)
        );
        assert_eq!(
            turn("/lint $other", Surface::Model),
            expected("activate", "other", "", "/lint $other", 1)
        );
        let refused = fixture
            .catalog
            .resolve("/off $other", Surface::User, &Profile::DEFAULT);
        let skill = "off".to_owned();
        assert_eq!(refused.effect, Effect::Refused(Notice::Disabled { skill }));
    }

    proptest::proptest! {
        #[test]
        fn neutralized_text_is_no_command(text in "/{0,3}(lint|skill)?[ $\\\\a-z]{0,8}") {
            thread_local!(static FIXTURE: crate::fixture::Fixture = crate::fixture::skills(&[("lint", "", "")]));
            FIXTURE.with(|fixture| {
                let text = skills_format::neutralize(&text);
                let resolution = fixture.catalog.resolve(&text, Surface::User, &Profile::DEFAULT);
                assert_eq!(resolution.effect, Effect::Plain);
            });
        }
    }
}
