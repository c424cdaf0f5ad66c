//! Slash commands: names for skills.

pub(crate) mod dispatch;
pub(crate) mod invocation;
pub(crate) mod names;
pub(crate) mod policy;

pub use dispatch::{AllowedCall, Dispatch, DispatchRefused, Verdict};
pub use invocation::{Invocation, Meta, SkillCommand};
pub use policy::{CommandNames, CommandPolicy};

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::catalog::ids::for_user;
use crate::command::names::names;
use crate::text::shorten::{one_line, shortened};

/// The most characters of a command's description.
const DESCRIPTION: usize = 100;

/// A slash command that starts a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CommandSpec {
    /// What is typed after `/`; no two commands share it.
    pub name: String,
    /// The id that finds the skill.
    pub skill: String,
    /// One line of at most 100 characters.
    pub description: String,
    /// What may be typed after the name, in words.
    pub argument_hint: Option<String>,
    /// The tool that it calls with no turn of the model.
    pub dispatch: Option<DispatchSpec>,
}

/// Where a command goes with no turn of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "kind", rename = "tool")
)]
#[non_exhaustive]
pub struct DispatchSpec {
    /// The tool.
    pub tool: String,
    /// `raw`: it gets what was typed.
    pub arg_mode: &'static str,
}

impl Catalog {
    /// The slash commands: one for each skill that is enabled, trusted and open to people, in the
    /// catalog's order.
    pub fn commands(&self, policy: &CommandPolicy) -> Vec<CommandSpec> {
        let skills: Vec<_> = match policy.names {
            CommandNames::None => Vec::new(),
            _ => for_user(self, policy.plugins).collect(),
        };
        let names = names(skills.iter().map(|skill| &*skill.id), policy);
        names
            .into_iter()
            .zip(skills)
            .map(|(name, skill)| {
                let fields = skill.entry.fields();
                CommandSpec {
                    name,
                    description: described(&skill.entry),
                    argument_hint: fields.argument_hint.as_deref().map(str::to_owned),
                    dispatch: fields.command_tool.as_deref().map(|tool| DispatchSpec {
                        tool: tool.to_owned(),
                        arg_mode: "raw",
                    }),
                    skill: skill.id.into_owned(),
                }
            })
            .collect()
    }
}

fn described(entry: &Entry<'_>) -> String {
    shortened(&one_line(entry.description()), DESCRIPTION).into_owned()
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
