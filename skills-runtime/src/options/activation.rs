//! How an activation is written.

use crate::options::plugins::Plugins;
use crate::options::tool_names::ToolNames;
use crate::options::tool_shape::ToolShape;
use skills_format::Text;
use std::collections::BTreeMap;

/// How an activation is written: the part of a profile for activations, and what the host supplies.
///
/// Start from [`Profile::activation`](crate::Profile::activation), and add what the host supplies.
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
    /// The line before the text. Empty: no line.
    pub preamble: Text,
    /// The host's names of the tools that skills call by other names.
    pub tool_names: ToolNames,
    /// The tool of the model's own activations, for `Activation::exchange`.
    pub tool: Option<ToolShape>,
    /// The values of `$FILE`, `$SELECTION` and the like, by name without `$`. A value is put into the
    /// bodies of skills that list its name in `arguments`.
    pub variables: BTreeMap<String, String>,
    /// Whether a plugin's skills answer only to their qualified ids.
    pub plugins: Plugins,
}

/// The form of an activation's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
    /// The body. The arguments follow when the body has no place for them.
    Body,
    /// A line that names the skill's file, which the model reads itself, and the arguments.
    Pointer,
}

impl Default for ActivationOptions {
    fn default() -> Self {
        Self {
            envelope: Envelope::Tagged,
            preamble: Text::Borrowed(""),
            tool_names: ToolNames::NONE,
            tool: Some(ToolShape::SKILL),
            variables: BTreeMap::new(),
            plugins: Plugins::Merged,
        }
    }
}

/// The preamble of profiles that have one.
pub(crate) const PREAMBLE: &str =
    "The user's message sets parameters for this skill and overrides its defaults.";
