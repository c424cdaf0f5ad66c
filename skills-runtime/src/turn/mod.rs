#![doc = include_str!("../../docs/conversation.md")]

pub(crate) mod leading;
pub(crate) mod notices;
pub(crate) mod resolution;
pub(crate) mod resolve;
pub(crate) mod start;

pub use resolution::{Resolution, Turn};

use crate::catalog::Catalog;
use crate::command::invocation::Invocation;
use crate::mention::notice::Notice;
use crate::mention::policy::Surface;
use crate::profile::Profile;

impl Catalog {
    /// Resolves the text of a turn under a profile: a slash command, or a text with mentions.
    ///
    /// A slash command is not scanned for mentions, nor is a command of the host
    /// ([`HostCommands`](crate::mention::HostCommands)). Any other text is [resolved](Catalog::resolve); when
    /// the profile gives commands names of their own, `$name` also finds the skill of the command. A model's
    /// text is never a slash command.
    ///
    /// # Cost
    ///
    /// A text that begins with `/` costs as [`Catalog::command`]. Any other text costs as
    /// [`Catalog::resolve`].
    pub fn turn(&self, text: &str, surface: Surface, profile: &Profile) -> Resolution {
        let command = match surface {
            Surface::User | Surface::Palette => self.command(text, &profile.command_policy()),
            Surface::Model => None,
        };
        let Some(command) = command else {
            return self.resolve_under(text, surface, profile);
        };
        let mut resolution = Resolution {
            surface,
            turn: Turn::Command,
            mentions: Vec::new(),
            activated: Vec::new(),
            notices: Vec::new(),
            command: None,
            task: text.to_owned(),
            led: Vec::new(),
            arguments: profile.mentions.arguments,
        };
        match &command {
            Invocation::Skill(started) => {
                let skill = started.skill.clone();
                resolution.activated.push(skill.clone());
                resolution.notices.push(Notice::Using { skill });
                resolution.task.clone_from(&started.message);
            }
            Invocation::Refused(notice) => {
                resolution.turn = Turn::Plain;
                resolution.notices.push(notice.clone());
                return resolution;
            }
            Invocation::Dispatch(_) | Invocation::Meta(_) => {}
        }
        resolution.command = Some(command);
        resolution
    }
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod properties;

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests {
    use super::*;
    use crate::fixture::Sources;

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
            let resolution = fixture.catalog.turn(text, surface, &Profile::DEFAULT);
            let activated = resolution.activated.join(" ");
            let arguments = resolution.arguments(&activated).to_owned();
            let mentions = resolution.mentions.len();
            (
                resolution.turn,
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
            expected(Turn::Command, "lint", "$other x", "$other x", 0)
        );
        assert_eq!(
            user("/lint"),
            expected(Turn::Command, "lint", "", "/lint", 0)
        );
        assert_eq!(
            user("/nope $other"),
            expected(Turn::Plain, "", "", "/nope $other", 0)
        );
        assert_eq!(
            user("/no/pe $other"),
            expected(Turn::Activate, "other", "", "/no/pe $other", 1)
        );
        assert_eq!(
            user("$lint x"),
            expected(Turn::Activate, "lint", "x", "x", 1)
        );
        assert_eq!(
            user("/off $other"),
            expected(Turn::Plain, "", "", "/off $other", 0)
        );
        assert_eq!(
            user("/skill list"),
            expected(Turn::Command, "", "", "/skill list", 0)
        );
        assert_eq!(
            turn("/lint $other", Surface::Model),
            expected(Turn::Activate, "other", "", "/lint $other", 1)
        );
    }

    proptest::proptest! {
        #[test]
        fn neutralized_text_is_no_command(text in "/{0,3}(lint|skill)?[ $\\\\a-z]{0,8}") {
            thread_local!(static FIXTURE: crate::fixture::Fixture = crate::fixture::skills(&[("lint", "", "")]));
            FIXTURE.with(|fixture| {
                let text = skills_format::neutralize(&text);
                let resolution = fixture.catalog.turn(&text, Surface::User, &Profile::DEFAULT);
                assert_eq!(resolution.turn, Turn::Plain);
            });
        }
    }
}
