//! The commands of a catalog by their names, computed once for a catalog.

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::catalog::ids::{Listed, for_user, for_user_asleep};
use crate::catalog::index::{Hasher, Spot};
use crate::command::names::names;
use crate::command::policy::{CommandNames, CommandPolicy};
use skills_format::command_base;
use std::collections::HashMap;
use std::sync::Arc;

/// The commands of a catalog under one policy.
#[derive(Debug)]
pub(crate) struct CommandIndex {
    policy: CommandPolicy,
    /// In the catalog's order.
    pub(crate) commands: Vec<Command>,
    /// By name, the place in `commands`.
    by_name: HashMap<String, usize, Hasher>,
    /// The skills that a person cannot start now: the id by the name that the command would have.
    /// Empty when commands have the skills' own names.
    asleep: HashMap<String, String, Hasher>,
}

/// A command of a skill.
#[derive(Debug)]
pub(crate) struct Command {
    /// Without `/`.
    pub(crate) name: String,
    /// The id of the skill.
    pub(crate) skill: String,
    spot: Spot,
}

impl CommandIndex {
    /// The index of a catalog. The catalog keeps the index of the first policy that is asked for; the
    /// index of any other policy is computed again.
    pub(crate) fn of(catalog: &Catalog, policy: &CommandPolicy) -> Arc<Self> {
        let slot = &catalog.slots().commands;
        slot.kept(
            || Self::new(catalog, policy),
            |index| index.policy == *policy,
        )
    }

    fn new(catalog: &Catalog, policy: &CommandPolicy) -> Self {
        let mut index = Self {
            policy: policy.clone(),
            commands: Vec::new(),
            by_name: HashMap::default(),
            asleep: HashMap::default(),
        };
        if policy.names != CommandNames::None {
            index.add_commands(for_user(catalog, policy.plugins).collect());
        }
        if policy.names == CommandNames::Sanitised {
            for skill in for_user_asleep(catalog, policy.plugins) {
                let name = command_base(&skill.id);
                index.asleep.entry(name).or_insert(skill.id.into_owned());
            }
        }
        index
    }

    fn add_commands(&mut self, skills: Vec<Listed<'_>>) {
        let names = names(skills.iter().map(|skill| &*skill.id), &self.policy);
        for (at, (name, Listed { id, entry })) in names.into_iter().zip(skills).enumerate() {
            self.by_name.insert(name.clone(), at);
            let spot = Spot {
                source: entry.source,
                skill: entry.skill,
            };
            self.commands.push(Command {
                name,
                skill: id.into_owned(),
                spot,
            });
        }
    }

    /// The command of a name, in normal form. The case of a sanitised name does not count.
    pub(crate) fn named(&self, name: &str) -> Option<&Command> {
        let by_name = |name: &str| self.commands.get(*self.by_name.get(name)?);
        by_name(name).or_else(|| match self.policy.names {
            CommandNames::Sanitised => by_name(&name.to_lowercase()),
            CommandNames::Own | CommandNames::None => None,
        })
    }

    /// The id of a skill that a person cannot start now and whose command would have the name. A
    /// person who knows the skill by that name learns why it does not start.
    pub(crate) fn asleep(&self, name: &str) -> Option<&str> {
        let name = name.to_lowercase();
        let id = self.asleep.get(&name)?;
        (!self.policy.is_reserved(&name)).then_some(id)
    }

    /// The commands' names by the ids of their skills.
    pub(crate) fn by_skill(&self) -> HashMap<&str, &str, Hasher> {
        let commands = self.commands.iter();
        commands
            .map(|command| (&*command.skill, &*command.name))
            .collect()
    }
}

impl Command {
    /// The command's skill in the catalog of the index.
    pub(crate) fn entry<'c>(&self, catalog: &'c Catalog) -> Option<Entry<'c>> {
        Entry::of(catalog, self.spot)
    }
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
