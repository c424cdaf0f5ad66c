#![doc = include_str!("../../docs/conversation.md")]

#[cfg(feature = "serde")]
mod json;
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
            turn: Turn::Plain,
            mentions: Vec::new(),
            activated: Vec::new(),
            notices: Vec::new(),
            task: text.to_owned(),
            led: Vec::new(),
            arguments: profile.mentions.arguments,
        };
        resolution.turn = match command {
            Invocation::Skill(command) => {
                let skill = command.skill.clone();
                resolution.activated.push(skill.clone());
                resolution.notices.push(Notice::Using { skill });
                resolution.task.clone_from(&command.message);
                Turn::Command(command)
            }
            Invocation::Refused(notice) => {
                resolution.notices.push(notice.clone());
                Turn::Refused(notice)
            }
            Invocation::NotCalled(notice) => {
                resolution.notices.push(notice.clone());
                Turn::NotCalled(notice)
            }
            Invocation::Dispatch(dispatch) => Turn::Dispatch(dispatch),
            Invocation::Meta(meta) => Turn::Meta(meta),
        };
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
                resolution.turn.as_str(),
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
            .turn("/off $other", Surface::User, &Profile::DEFAULT);
        let skill = "off".to_owned();
        assert_eq!(refused.turn, Turn::Refused(Notice::Disabled { skill }));
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
