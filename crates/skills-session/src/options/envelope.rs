//! The form of an activation's text.

use crate::options::template::Template;

/// The form of an activation's text.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Envelope {
    /// `<skill_content name source directory>` with the body, the arguments and the list of resources.
    #[default]
    Tagged,
    /// The body. If the body has no placeholder for the arguments, the arguments follow the body.
    Body,
    /// A line with the path of the skill's file, which the model reads itself, and the arguments.
    Pointer,
    /// The instructions in the text of an existing program. Only the built-in profiles have it.
    Template(Template),
}

/// The preamble of profiles that have one.
pub(crate) const PREAMBLE: &str =
    "The user's message sets parameters for this skill and overrides its defaults.";
