//! Resolves a whole text.

use crate::commands::command_index;
use crate::options::commands::CommandNames;
use crate::options::policy::{Compose, Notices};
use crate::profile::Profile;
use crate::resolve::command::{command, unknown_command};
use crate::resolve::invocation::Invocation;
use crate::resolve::notice::Notice;
use crate::resolve::resolution::{Effect, Resolution};
use skills_runtime::resolve::{MentionPolicy, SkillToStart};
use skills_runtime::{Catalog, Entry, Outcome, Resolution as Mentions, Surface};
use std::cell::OnceCell;

impl Profile {
    /// Resolves a text under a profile: a slash command, or a text with mentions. Returns each mention with its
    /// outcome, the skills to activate, the notices for the person, and the message to send.
    ///
    /// A pure function: it prints nothing, reads no file and loads no body.
    ///
    /// White space before the `/` of a command is ignored. The command's name ends at the first white space, and the
    /// rest of the text, across all lines, is its arguments. A name is looked up as the name of a command first, then
    /// as a skill's own name. `/skill` and `/skills` are case-insensitive, and `/skill:ID` means `/skill ID`.
    ///
    /// A slash command is not scanned for mentions, nor is a command of the host, such as `/compact with
    /// $demo`. Any other text is scanned. If the profile
    /// gives commands names of their own, `$name` also finds the skill of the command. A model's text is never a slash
    /// command.
    ///
    /// # Cost
    ///
    /// Linear in the text. A text without `$` costs a search for one byte. Each different id is looked up once. An id
    /// that no skill has is compared with all names; [`Policy::limit`](crate::options::Policy::limit) is the maximum
    /// number of such ids in a text.
    ///
    /// A slash command costs two look-ups. The first command computes the names of all commands, about a microsecond a
    /// skill. The catalog keeps the names for the first profile. The names for another profile are computed at each
    /// call, so a host with two profiles gives each profile a catalog of its own: [`Catalog::with_state`] copies no
    /// skill.
    pub fn resolve(&self, catalog: &Catalog, text: &str, surface: Surface) -> Resolution {
        let command = match surface {
            Surface::User => command(catalog, text, self),
            _ => None,
        };
        let Some(command) = command else {
            let mut resolution = self.mentioned(catalog, text, surface);
            if surface == Surface::User
                && let Some(notice) = unknown_command(catalog, text, self)
            {
                resolution.notices.insert(0, notice.into());
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
            arguments: self.mentions.arguments,
            command: None,
        };
        resolution.effect = match command {
            Invocation::Skill(command) => {
                let skill = command.skill.clone();
                resolution.skills.push(command.found.clone());
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

    /// Resolves the mentions of a text, and composes the skills that it names.
    ///
    /// An id that no skill has can also be the name of a slash command, if the profile gives commands names of their own:
    /// people know the skill by that name.
    fn mentioned(&self, catalog: &Catalog, text: &str, surface: Surface) -> Resolution {
        let index = OnceCell::new();
        let of_command = |name: &str| {
            let index = index.get_or_init(|| command_index(catalog, self));
            match index.named(name) {
                Some(command) => Entry::of(catalog, command.spot),
                None => catalog.get(index.asleep(name)?),
            }
        };
        let policy = MentionPolicy {
            plugins: self.mentions.plugins,
            limit: self.mentions.limit,
            quiet: self.mentions.notices == Notices::SilentUnknown,
            everywhere: self.mentions.notices == Notices::Always,
            also: (self.commands.names == CommandNames::Sanitised).then_some(&of_command),
        };
        let mut found = Mentions::default();
        if self.mentions.mentions {
            found = catalog.mentions(text, surface, &policy);
        } else {
            text.clone_into(&mut found.task);
        }
        let effect = self.compose(catalog, &found.skills, surface);
        let mut notices: Vec<Notice> = found.notices.into_iter().map(Notice::from).collect();
        if effect == Effect::ChooseOne {
            choose_one(&mut found.skills, &mut notices);
            text.clone_into(&mut found.task);
        }
        Resolution {
            surface,
            effect,
            mentions: found.mentions,
            notices,
            task: found.task,
            skills: found.skills,
            arguments: self.mentions.arguments,
            command: None,
        }
    }

    /// Returns the effect of a text that names these skills. Either all of them are activated, or no skill is.
    fn compose(&self, catalog: &Catalog, skills: &[SkillToStart], surface: Surface) -> Effect {
        let scopes_tools = |skill: &SkillToStart| {
            let entry = catalog.skill_at(skill, surface, self.mentions.plugins);
            entry.is_ok_and(|entry| !entry.fields().allowed_tools.is_empty())
        };
        match (self.mentions.compose, skills) {
            (_, []) => Effect::Plain,
            // With exactly one of two skills limiting the tools there is no choice to make: one guides, the
            // other limits.
            (Compose::ChooseOne, [a, b]) if scopes_tools(a) != scopes_tools(b) => Effect::Activate,
            (Compose::ChooseOne, [_, _, ..]) => Effect::ChooseOne,
            _ => Effect::Activate,
        }
    }
}

/// Asks a person to choose one of the named skills. None of them starts.
fn choose_one(skills: &mut Vec<SkillToStart>, notices: &mut Vec<Notice>) {
    let skills = skills.drain(..).map(|skill| skill.id().to_owned());
    let choose = Notice::ChooseOne {
        skills: skills.collect(),
    };
    notices.retain(|notice| !matches!(notice, Notice::Using { .. }));
    let last = notices.last().and_then(Notice::outcome);
    let too_many = usize::from(matches!(last, Some(Outcome::TooMany { .. })));
    notices.insert(notices.len() - too_many, choose);
}
