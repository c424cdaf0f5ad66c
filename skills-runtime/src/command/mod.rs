//! Slash commands: the commands of a catalog, and what a text that begins with `/` means.
//!
//! [`Catalog::commands`] lists the commands for a menu. [`Catalog::command`] reads a text as a slash
//! command. Most hosts call [`Catalog::turn`] instead, which also resolves mentions.
//!
//! A [`CommandPolicy`] says how skills are called as commands. A command of a skill with
//! `command-dispatch: tool` calls a tool without a turn of the model: see [`Dispatch`].
//!
//! ```
//! # #[cfg(feature = "macros")] {
//! # use skills_runtime::{Bundle, include_skills};
//! # static SKILLS: Bundle = include_skills!("tests/bundled");
//! use skills_runtime::Catalog;
//! use skills_runtime::command::{CommandPolicy, Invocation, Meta};
//!
//! let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
//! let policy = CommandPolicy::DEFAULT;
//! let names: Vec<String> = catalog.commands(&policy).into_iter().map(|command| command.name).collect();
//! assert_eq!(names, ["code-review", "deploy-safely"]);
//!
//! assert_eq!(catalog.command("/skill list", &policy), Some(Invocation::Meta(Meta::List)));
//! assert_eq!(catalog.command("/help", &policy), None, "a command of the host");
//! # }
//! ```

pub(crate) mod dispatch;
pub(crate) mod index;
pub(crate) mod invocation;
#[cfg(feature = "serde")]
mod json;
pub(crate) mod names;
pub(crate) mod policy;
pub(crate) mod scheduled;

pub use dispatch::{AllowedCall, Dispatch, DispatchRefused, Verdict};
pub use invocation::{Invocation, Meta, SkillCommand};
pub use policy::{CommandNames, CommandPolicy, Listing};

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::command::index::CommandIndex;
use crate::text::shorten::{one_line, shortened};

/// The most characters of a command's description.
const DESCRIPTION: usize = 100;

/// A slash command as a menu shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CommandSpec {
    /// The text to type after `/`. Two commands never share a name.
    pub name: String,
    /// The id of the skill.
    pub skill: String,
    /// The skill's description as one line of at most 100 characters.
    pub description: String,
    /// The arguments that the skill expects, in words: its `argument-hint`.
    pub argument_hint: Option<String>,
    /// The tool that the command calls without a turn of the model. `None`: it starts the skill.
    pub dispatch: Option<DispatchSpec>,
    /// Whether it runs a scheduled skill by hand. A front end draws it in a warning colour.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
    pub scheduled: bool,
}

/// The tool that a command calls without a turn of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "kind", rename = "tool")
)]
#[non_exhaustive]
pub struct DispatchSpec {
    /// The tool's name.
    pub tool: String,
    /// How the tool gets the arguments. Always `raw`: as they were typed.
    pub arg_mode: &'static str,
}

impl Catalog {
    /// Lists the slash commands, in the catalog's order, then the commands of scheduled skills, by name.
    ///
    /// There is one command for each skill that is enabled, trusted, eligible and open to people.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill. The names are computed once for a catalog: see
    /// [`Catalog::command`].
    pub fn commands(&self, policy: &CommandPolicy) -> Vec<CommandSpec> {
        let index = CommandIndex::of(self, policy);
        let commands = index.commands.iter();
        let own = commands.filter_map(|command| {
            let entry = command.entry(self)?;
            Some(spec(&command.name, &command.skill, entry))
        });
        let scheduled = self.scheduled_commands(policy).into_iter();
        let scheduled = scheduled
            .filter(|command| index.named(&command.name).is_none())
            .map(|command| CommandSpec {
                dispatch: None,
                scheduled: true,
                ..spec(&command.name, &command.skill, command.entry)
            });
        own.chain(scheduled).collect()
    }
}

fn spec(name: &str, skill: &str, entry: Entry<'_>) -> CommandSpec {
    let fields = entry.fields();
    CommandSpec {
        name: name.to_owned(),
        skill: skill.to_owned(),
        description: shortened(&one_line(entry.description()), DESCRIPTION).into_owned(),
        argument_hint: fields.argument_hint.as_deref().map(str::to_owned),
        dispatch: fields.command_tool.as_deref().map(|tool| DispatchSpec {
            tool: tool.to_owned(),
            arg_mode: "raw",
        }),
        scheduled: false,
    }
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
