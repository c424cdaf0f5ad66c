//! The index of a catalog's commands by name, computed once.

use crate::commands::names::names;
use crate::options::commands::{CommandNames, CommandPolicy};
use crate::profile::Profile;
use skills_format::command_base;
use skills_format::text::map::TextMap;
use skills_runtime::catalog::Plugins;
use skills_runtime::catalog::Spot;
use std::collections::HashMap;

/// The commands of a catalog under one profile.
#[derive(Debug)]
pub(crate) struct CommandIndex {
    policy: CommandPolicy,
    plugins: Plugins,
    /// The commands, in the catalog's order.
    pub(crate) commands: Vec<Command>,
    /// The index into `commands` by name.
    by_name: HashMap<String, usize>,
    /// The ids of the skills that a person cannot start now, by the name that the command would have.
    /// Empty if commands have the skills' own names.
    asleep: TextMap<'static, String>,
}

/// A command of a skill.
#[derive(Debug)]
pub(crate) struct Command {
    /// The name without `/`.
    pub(crate) name: String,
    /// The id of the skill.
    pub(crate) skill: String,
    pub(crate) spot: Spot,
}

impl CommandIndex {
    /// Returns an index without commands.
    pub(crate) fn new(profile: &Profile) -> Self {
        Self {
            policy: profile.commands.clone(),
            plugins: profile.mentions.plugins,
            commands: Vec::new(),
            by_name: HashMap::default(),
            asleep: TextMap::default(),
        }
    }

    /// Returns whether a profile gives the same commands.
    pub(crate) fn is_of(&self, profile: &Profile) -> bool {
        self.plugins == profile.mentions.plugins && self.policy == profile.commands
    }

    /// Adds the commands of skills. The skills are given by their ids and places, in the catalog's
    /// order.
    pub(crate) fn add_commands(&mut self, skills: impl Iterator<Item = (String, Spot)>) {
        let skills: Vec<(String, Spot)> = skills.collect();
        let names = names(skills.iter().map(|(id, _)| id.as_str()), &self.policy);
        for (at, (name, (skill, spot))) in names.into_iter().zip(skills).enumerate() {
            self.by_name.insert(name.clone(), at);
            self.commands.push(Command { name, skill, spot });
        }
    }

    /// Adds the id of a skill that a person cannot start now.
    pub(crate) fn add_asleep(&mut self, skill: String) {
        self.asleep.or_insert(command_base(&skill), skill);
    }

    /// Returns the command with a name in normal form. Sanitised names are case-insensitive.
    pub(crate) fn named(&self, name: &str) -> Option<&Command> {
        let by_name = |name: &str| self.commands.get(*self.by_name.get(name)?);
        by_name(name).or_else(|| match self.policy.names {
            CommandNames::Sanitised => by_name(&name.to_lowercase()),
            CommandNames::Own | CommandNames::None => None,
        })
    }

    /// Returns the id of a skill that a person cannot start now and whose command would have the name.
    /// The notice then gives the reason, instead of an unknown command.
    pub(crate) fn asleep(&self, name: &str) -> Option<&str> {
        let name = name.to_lowercase();
        let id = self.asleep.get(&name)?;
        (!self.policy.is_reserved(&name)).then_some(id)
    }

    /// Returns the commands' names by the ids of their skills.
    pub(crate) fn by_skill(&self) -> TextMap<'_, &str> {
        let commands = self.commands.iter();
        commands
            .map(|command| (&*command.skill, &*command.name))
            .collect()
    }
}
