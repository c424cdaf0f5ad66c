//! The dialect of a host: what it takes for a mention or a command, and the texts that its model gets.

use crate::dialect::resolution::Resolution;
use crate::dialect::starting::{Starting, Written, tagged};
use crate::listed::for_model;
use crate::options::Options;
use serde::Serialize;
use serde_json::{Map, Value, json};
use skills_render::{Item, List as Rendered};
use skills_runtime::{Catalog, Error, Surface};
use std::fmt;

pub(crate) mod notice;
pub(crate) mod resolution;
pub(crate) mod starting;

/// The choices of a host, and what data cannot say of them. [`Options`] is the default dialect, and the package
/// `skills-profiles` has those of existing programs.
///
/// A host with a text of its own around a skill, or with commands of other names, implements the trait. What it does as the
/// others do are functions: [`resolve`](crate::resolve::resolve), [`tagged`](crate::activation::tagged),
/// [`tools`](crate::session::tools), [`commands`](crate::commands::commands), [`command`](crate::commands::command). The same
/// catalog and dialect give the same bytes.
pub trait Dialect: fmt::Debug + Send + Sync {
    /// Returns the choices that are plain data.
    fn options(&self) -> &Options;

    /// Resolves a text: a slash command, or a text with mentions. Returns each mention with its
    /// outcome, the skills to activate, the notices for the person, and the message to send.
    ///
    /// A pure function: it prints nothing, reads no file and loads no body.
    ///
    /// White space before the `/` of a command is ignored. The command's name ends at the first white space, and the
    /// rest of the text, across all lines, is its arguments. `/skill` and `/skills` are case-insensitive, and `/skill:ID`
    /// means `/skill ID`.
    ///
    /// A slash command is not scanned for mentions, nor is a command of the host, such as `/compact with
    /// $demo`. Any other text is scanned. A model's text is never a slash command.
    ///
    /// # Cost
    ///
    /// Linear in the text. A text without `$` costs a search for one byte. Each different id is looked up once. An id
    /// that no skill has is compared with all names; [`Options::limit`] is the maximum number of such ids in a text.
    fn resolve(&self, catalog: &Catalog, text: &str, surface: Surface) -> Resolution;

    /// Renders the catalog text, which lists each skill that is enabled, trusted, eligible and open to
    /// the model, by its id, in the catalog's order.
    ///
    /// A description over 1,024 characters is always shortened to that length, the maximum of the
    /// specification. If the text exceeds the budget, descriptions are shortened first, all to the same
    /// length, at the ends of words. Then skills are omitted, from the lowest rank up. A text that omits
    /// skills ends with a line with their number.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill.
    fn list(&self, catalog: &Catalog) -> Rendered {
        let options = self.options();
        options.catalog.list().list(
            for_model(catalog)
                .map(|skill| Item::new(skill.id(), skill.description(), skill.place())),
        )
    }

    /// Writes the text that enters the conversation when a skill starts.
    ///
    /// # Errors
    ///
    /// The errors of [`Starting::push_instructions`].
    fn text(&self, skill: &Starting<'_>) -> Result<Written, Error> {
        tagged(skill)
    }

    /// Writes the line before the text of a skill in a message of the user. Empty: no line.
    fn preamble(&self, _skill: &Starting<'_>) -> String {
        self.options().preamble.to_string()
    }

    /// Returns the text that stands once, before the first activation of a conversation. Empty: no text.
    fn rules(&self) -> String {
        self.options().rules.to_string()
    }

    /// Makes the definitions of the model's tools: the skill tool, if there is one, `list_skills` and
    /// `read_skill_resource`.
    ///
    /// If the model may start no skill, there is no skill tool and no `list_skills`. A skill tool whose
    /// description holds the catalog text is an exception: its description states that no skills are
    /// loaded.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill, for the ids and the catalog text in the skill tool's definition.
    fn tools(&self, catalog: &Catalog) -> Vec<ToolSpec>;

    /// Lists the slash commands in the catalog's order, then the commands of scheduled skills by name.
    ///
    /// There is one command for each skill that is enabled, trusted, eligible and open to people.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill.
    fn commands(&self, catalog: &Catalog) -> Vec<CommandSpec>;

    /// Finds the id of the skill whose command has a name, without `/`. The command may be unavailable
    /// now, because the skill is disabled or untrusted.
    fn command(&self, catalog: &Catalog, name: &str) -> Option<String>;
}

/// The definition of a tool. The common provider APIs accept the schema unchanged.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolSpec {
    /// The name that the model calls.
    pub name: String,
    /// The description for the model: when to call the tool, and what the tool returns.
    pub description: String,
    /// The JSON Schema of the arguments: an object with sorted keys.
    pub parameters: Value,
}

impl ToolSpec {
    /// Makes the definition of a tool. `properties` must be in the order of their names.
    pub(crate) fn new(
        name: &str,
        description: String,
        properties: impl IntoIterator<Item = (String, Value)>,
        required: &[&str],
    ) -> Self {
        Self {
            name: name.to_owned(),
            description,
            parameters: json!({
                "additionalProperties": false,
                "properties": properties.into_iter().collect::<Map<_, _>>(),
                "required": required,
                "type": "object",
            }),
        }
    }
}

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
    match tool {
        Some(tool) => {
            serializer.collect_map([("kind", "tool"), ("tool", tool), ("arg_mode", "raw")])
        }
        None => serializer.serialize_none(),
    }
}
