//! The options of an activation.

use crate::options::allowed_tools::AllowedTools;
use crate::options::placeholders::Placeholders;
use crate::options::plugins::Plugins;
use crate::options::template::Template;
use crate::options::tool_names::ToolNames;
use crate::options::tool_shape::ToolShape;
use skills_format::{Fields, Text};
use std::collections::BTreeMap;

/// The options of an activation's text: the profile's part, and the values that the host supplies.
///
/// Start from [`Profile::activation`](crate::Profile::activation), and add the host's variables.
///
/// ```
/// use skills_runtime::Profile;
///
/// let mut options = Profile::DEFAULT.activation();
/// options.variables.insert("FILE".to_owned(), "src/main.rs".to_owned());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ActivationOptions {
    /// The form of the text.
    pub envelope: Envelope,
    /// The line before the text: see [`Profile::preamble`](crate::Profile::preamble). Empty: no line.
    pub preamble: Text,
    /// The placeholders of the body.
    pub placeholders: Placeholders,
    /// The host's names of the tools that skills call by other names.
    pub tool_names: ToolNames,
    /// The meaning of the skill's `allowed-tools`. It changes no text.
    pub allowed_tools: AllowedTools,
    /// The tool of the model's own activations, for `Activation::exchange`.
    pub tool: Option<ToolShape>,
    /// The values of variables such as `$FILE` and `$SELECTION`, by name without `$`. A value is
    /// inserted only into the bodies of skills that list the variable's name in `arguments`. The variables in
    /// braces, such as `${CLAUDE_SESSION_ID}`, need no list: [`Placeholders`] names them.
    pub variables: BTreeMap<String, String>,
    /// The ids that a plugin's skills answer to.
    pub plugins: Plugins,
}

impl ActivationOptions {
    /// Returns whether the arguments of a skill can stand in its text.
    pub(crate) fn takes_arguments(&self) -> bool {
        match &self.envelope {
            Envelope::Template(template) => {
                !template.arguments.is_empty() || self.placeholders != Placeholders::None
            }
            _ => true,
        }
    }
}

/// The form of an activation's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Envelope {
    /// `<skill_content name source directory>` with the body, the arguments and the list of resources.
    #[default]
    Tagged,
    /// The body. If the body has no placeholder for the arguments, the arguments follow the body.
    Body,
    /// A line with the path of the skill's file, which the model reads itself, and the arguments.
    Pointer,
    /// The instructions in a text of the profile.
    Template(Template),
}

impl Default for ActivationOptions {
    fn default() -> Self {
        Self {
            envelope: Envelope::Tagged,
            preamble: Text::Borrowed(""),
            placeholders: Placeholders::Guarded,
            tool_names: ToolNames::NONE,
            allowed_tools: AllowedTools::Approves,
            tool: Some(ToolShape::SKILL),
            variables: BTreeMap::new(),
            plugins: Plugins::Merged,
        }
    }
}

impl ActivationOptions {
    /// Returns whether the skill of these fields limits the tools.
    pub(crate) fn limits(&self, fields: &Fields) -> bool {
        let narrows = self.allowed_tools == AllowedTools::Narrows;
        narrows && !fields.allowed_tools.is_empty() || !fields.disallowed_tools.is_empty()
    }
}

/// The preamble of profiles that have one.
pub(crate) const PREAMBLE: &str =
    "The user's message sets parameters for this skill and overrides its defaults.";
