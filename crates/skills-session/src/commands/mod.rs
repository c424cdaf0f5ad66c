//! The slash commands of a catalog: their names, and the list for a menu.

pub use crate::dialect::specs::CommandSpec;
pub use crate::listed::{Listed, for_model, for_user};

use crate::listed::has_id;
use crate::options::Options;
use crate::scheduled::scheduled_commands;
use skills_format::mention::Id;
use skills_format::nfc;
use skills_format::text::shorten::{one_line, shortened};
use skills_runtime::{Catalog, Skill};

/// The maximum number of characters of a command's description.
const DESCRIPTION: usize = 100;

/// Lists the commands of a dialect in which skill has the command of its id.
pub fn commands(options: &Options, catalog: &Catalog) -> Vec<CommandSpec> {
    let names: Vec<_> = for_user(catalog)
        .filter(|skill| options.commands && !options.is_reserved(&skill.id))
        .map(|skill| (skill.id.to_string(), skill))
        .collect();
    named(options, catalog, &names)
}

/// Lists the commands of skills under these names, then those of the scheduled skills.
pub fn named(
    options: &Options,
    catalog: &Catalog,
    names: &[(String, Listed<'_>)],
) -> Vec<CommandSpec> {
    let mut commands: Vec<CommandSpec> = names
        .iter()
        .map(|(name, skill)| spec(name, &skill.id, skill.entry))
        .collect();
    for command in scheduled_commands(catalog, &options.scheduled) {
        // A command of the catalog has precedence over a scheduled skill's.
        if !names.iter().any(|(name, _)| *name == command.name) {
            commands.push(CommandSpec {
                tool: None,
                scheduled: true,
                ..spec(&command.name, &command.skill, command.entry)
            });
        }
    }
    commands
}

/// Finds the skill of a command whose name is the id of the skill.
pub fn command(options: &Options, catalog: &Catalog, name: &str) -> Option<String> {
    if !options.commands || options.is_reserved(name) {
        return None;
    }
    has_id(catalog, &Id::parse(&nfc(name))).then(|| name.to_owned())
}

fn spec(name: &str, id: &str, skill: Skill<'_>) -> CommandSpec {
    let fields = skill.fields();
    CommandSpec {
        name: name.to_owned(),
        skill: id.to_owned(),
        description: shortened(&one_line(skill.description()), DESCRIPTION).into_owned(),
        argument_hint: fields.argument_hint.as_deref().map(str::to_owned),
        tool: fields.command_tool.as_deref().map(str::to_owned),
        scheduled: false,
    }
}

#[cfg(test)]
mod tests;
