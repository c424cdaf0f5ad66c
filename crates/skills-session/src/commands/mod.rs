//! The slash commands of a catalog: their names, and the list for a menu.

pub(crate) mod index;
pub(crate) mod names;
pub(crate) mod scheduled;

use crate::commands::index::CommandIndex;
use crate::commands::scheduled::scheduled_commands;
use crate::options::commands::CommandNames;
use crate::profile::Profile;
use skills_format::text::shorten::{one_line, shortened};
use skills_format::{command_base, nfc};
use skills_runtime::Catalog;
use skills_runtime::Entry;
use skills_runtime::catalog::ids::{for_user, for_user_asleep};
use std::sync::Arc;

/// The maximum number of characters of a command's description.
const DESCRIPTION: usize = 100;

/// A slash command in the form of a menu's item.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct CommandSpec {
    /// The text to type after `/`. The name is unique.
    pub name: String,
    /// The id of the skill.
    pub skill: String,
    /// The skill's description as one line of at most 100 characters.
    pub description: String,
    /// The expected arguments as text: the skill's `argument-hint`.
    pub argument_hint: Option<String>,
    /// The tool that the command calls without a turn of the model, with its arguments as typed. `None`: the
    /// command starts the skill.
    #[serde(rename = "dispatch", serialize_with = "as_dispatch")]
    pub tool: Option<String>,
    /// `true` if the command runs a scheduled skill by hand. A front end shows it in a warning colour.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub scheduled: bool,
}

/// Writes the tool of a command as other programs do: `{"kind":"tool","tool":"exec","arg_mode":"raw"}`.
#[expect(clippy::ref_option, reason = "serde gives the field")]
fn as_dispatch<S: serde::Serializer>(
    tool: &Option<String>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(serde::Serialize)]
    #[serde(tag = "kind", rename = "tool")]
    struct Dispatch<'a> {
        tool: &'a str,
        arg_mode: &'static str,
    }
    let tool = tool.as_deref();
    serde::Serialize::serialize(
        &tool.map(|tool| Dispatch {
            tool,
            arg_mode: "raw",
        }),
        serializer,
    )
}

impl Profile {
    /// Lists the slash commands in the catalog's order, then the commands of scheduled skills by name.
    ///
    /// There is one command for each skill that is enabled, trusted, eligible and open to people.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill. The names are computed once for a catalog: see
    /// [`Profile::resolve`].
    pub fn commands(&self, catalog: &Catalog) -> Vec<CommandSpec> {
        let index = command_index(catalog, self);
        let commands = index.commands.iter();
        let own = commands.filter_map(|command| {
            let entry = Entry::of(catalog, command.spot)?;
            Some(spec(&command.name, &command.skill, entry))
        });
        let scheduled = scheduled_commands(catalog, &self.commands).into_iter();
        let scheduled = scheduled
            // A command of the catalog has precedence over a scheduled skill's.
            .filter(|command| index.named(&command.name).is_none())
            .map(|command| CommandSpec {
                tool: None,
                scheduled: true,
                ..spec(&command.name, &command.skill, command.entry)
            });
        own.chain(scheduled).collect()
    }

    /// Finds the id of the skill whose command has a name, without `/`. The command may be unavailable
    /// now, because the skill is disabled or untrusted. Returns `None` if no command has the name, or if
    /// a skill has the name as its id.
    ///
    /// # Cost
    ///
    /// The cost of a slash command in [`Profile::resolve`]. An unknown name is compared with the names of all skills.
    pub fn id_of_command(&self, catalog: &Catalog, name: &str) -> Option<String> {
        let name = nfc(name);
        let is_id = catalog.get(&name).is_some()
            || catalog
                .with_name(&name)
                .chain(catalog.aliased(&name))
                .next()
                .is_some();
        if is_id || self.commands.names == CommandNames::None || name.contains(':') {
            return None;
        }
        let index = command_index(catalog, self);
        if let Some(command) = index.named(&name) {
            return Some(command.skill.clone());
        }
        if self.commands.names != CommandNames::Sanitised {
            return None;
        }
        let name = name.to_lowercase();
        let mut skills = catalog.iter();
        let skill = skills.find(|entry| command_base(entry.name()) == name)?;
        Some(skill.id_under(self.mentions.plugins).into_owned())
    }
}

/// Returns the index of the commands. The catalog keeps the index for the first profile that is used;
/// for another profile with other commands the index is computed again.
pub(crate) fn command_index(catalog: &Catalog, profile: &Profile) -> Arc<CommandIndex> {
    let kept = catalog.kept(|| index(catalog, profile));
    if kept.is_of(profile) {
        kept
    } else {
        Arc::new(index(catalog, profile))
    }
}

fn index(catalog: &Catalog, profile: &Profile) -> CommandIndex {
    let mut index = CommandIndex::new(profile);
    if profile.commands.names != CommandNames::None {
        let skills = for_user(catalog, profile.mentions.plugins);
        index.add_commands(skills.map(|skill| (skill.id.into_owned(), skill.entry.spot())));
    }
    if profile.commands.names == CommandNames::Sanitised {
        for skill in for_user_asleep(catalog, profile.mentions.plugins) {
            index.add_asleep(skill.id.into_owned());
        }
    }
    index
}

fn spec(name: &str, skill: &str, entry: Entry<'_>) -> CommandSpec {
    let fields = entry.fields();
    CommandSpec {
        name: name.to_owned(),
        skill: skill.to_owned(),
        description: shortened(&one_line(entry.description()), DESCRIPTION).into_owned(),
        argument_hint: fields.argument_hint.as_deref().map(str::to_owned),
        tool: fields.command_tool.as_deref().map(str::to_owned),
        scheduled: false,
    }
}

#[cfg(test)]
mod tests;
