//! Slash commands: names for skills.

pub(crate) mod dispatch;
pub(crate) mod invocation;
pub(crate) mod names;

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::catalog::names::for_user;
use crate::command::names::names;
use crate::text::shorten::{one_line, shortened};
use crate::turn::resolution::Plugins;
use skills_format::Text;
use std::borrow::Cow;

/// The most characters of a command's description.
const DESCRIPTION: usize = 100;

/// How skills become slash commands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CommandPolicy {
    /// What they are called.
    pub names: CommandNames,
    /// Names of the host's own commands, without `/`. `skill` and `skills` are always reserved.
    pub reserved: Cow<'static, [Text]>,
    /// Whether a plugin's skills have their qualified ids for names.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub plugins: Plugins,
}

/// What skills are called as slash commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum CommandNames {
    /// By their own ids.
    Own,
    /// `[a-z0-9_]`, at most 32 characters, as chat services ask.
    Sanitised,
    /// No skill has a command of its own; there is only `/skill`.
    None,
}

impl CommandPolicy {
    /// The default profile's: every skill under its own name.
    pub const DEFAULT: Self = Self::new(CommandNames::Own);

    /// No reserved names but `skill` and `skills`.
    pub const fn new(names: CommandNames) -> Self {
        Self {
            names,
            reserved: Cow::Borrowed(&[]),
            plugins: Plugins::Merged,
        }
    }

    pub(crate) fn is_reserved(&self, name: &str) -> bool {
        matches!(name, "skill" | "skills") || self.reserved.iter().any(|reserved| reserved == name)
    }
}

impl Default for CommandPolicy {
    fn default() -> Self {
        Self::DEFAULT
    }
}

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
