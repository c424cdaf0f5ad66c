//! The slash commands of a catalog: their names, and the list for a menu.

pub use crate::dialect::CommandSpec;
pub use crate::listed::{for_model, for_user};

use crate::listed::{described, has_id};
use crate::options::Options;
use crate::scheduled::scheduled_commands;
use skills_format::mention::Id;
use skills_format::nfc;
use skills_runtime::{Catalog, Skill};

/// Lists the commands of a dialect in which skill has the command of its id.
pub fn commands(options: &Options, catalog: &Catalog) -> Vec<CommandSpec> {
    let names: Vec<_> = for_user(catalog)
        .filter(|skill| options.commands && !options.is_reserved(&skill.id()))
        .map(|skill| (skill.id().into_owned(), skill))
        .collect();
    named(options, catalog, &names)
}

/// Lists the commands of skills under these names, then those of the scheduled skills.
pub fn named(
    options: &Options,
    catalog: &Catalog,
    names: &[(String, Skill<'_>)],
) -> Vec<CommandSpec> {
    let mut commands: Vec<CommandSpec> = names
        .iter()
        .map(|(name, skill)| spec(name, &skill.id(), *skill))
        .collect();
    for (name, skill) in scheduled_commands(catalog, &options.scheduled) {
        // A command of the catalog has precedence over a scheduled skill's.
        if !names.iter().any(|(taken, _)| *taken == name) {
            commands.push(CommandSpec {
                tool: None,
                scheduled: true,
                ..spec(&name, &skill.to_string(), skill)
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
        description: described(skill.description()),
        argument_hint: fields.argument_hint.as_deref().map(str::to_owned),
        tool: fields.command_tool.as_deref().map(str::to_owned),
        scheduled: false,
    }
}

#[cfg(test)]
mod tests;
