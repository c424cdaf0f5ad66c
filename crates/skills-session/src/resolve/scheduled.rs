//! Resolves the command of a scheduled skill.

use crate::commands::scheduled::{ScheduledCommand, scheduled_commands, short_name};
use crate::profile::Profile;
use crate::resolve::invocation::{Invocation, SkillCommand};
use crate::resolve::notice::Notice;
use skills_runtime::Catalog;
use skills_runtime::Outcome;
use skills_runtime::resolve::SkillToStart;

/// Reads the command of a scheduled skill: its full name, or a short name that exactly one skill has.
pub(crate) fn scheduled_command(
    catalog: &Catalog,
    name: &str,
    rest: &str,
    text: &str,
    profile: &Profile,
) -> Option<Invocation> {
    let prefix = &profile.commands.scheduled;
    if prefix.is_empty() || !name.starts_with(&**prefix) {
        return None;
    }
    let all = scheduled_commands(catalog, &profile.commands);
    let exact = all.iter().find(|command| command.name == name);
    let short: Vec<&ScheduledCommand<'_>> = all
        .iter()
        .filter(|command| short_name(&command.name) == Some(name))
        .collect();
    let command = match (exact, short.as_slice()) {
        (Some(command), _) => command,
        (None, [command]) => *command,
        (None, []) => return None,
        (None, [first, ..]) => {
            let several = Outcome::Ambiguous {
                candidates: short
                    .iter()
                    .map(|command| format!("/{}", command.name))
                    .collect(),
                use_id: format!("/{}", first.name),
                kind: None,
            };
            let notice = Notice::of(format!("/{name}"), several);
            return Some(Invocation::Refused(notice));
        }
    };
    let arguments = rest.trim();
    let message = if arguments.is_empty() {
        text
    } else {
        arguments
    };
    Some(Invocation::Skill(SkillCommand {
        name: name.to_owned(),
        skill: command.skill.clone(),
        arguments: arguments.to_owned(),
        message: message.to_owned(),
        found: SkillToStart::of(&command.skill, &command.entry, profile.mentions.plugins)?,
    }))
}
