//! The text around a skill's instructions, as data.

use skills_format::Text;

/// The text around the instructions of [`Envelope::Template`](crate::options::Envelope::Template).
///
/// Words in braces stand for facts of the skill. In [`before`](Self::before) and [`after`](Self::after): `{name}`,
/// `{directory}` (the whole path of the folder), `{file}` (the path of the `SKILL.md`), `{tag}`, and `{resources}`, the
/// list of the other files.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Template {
    /// The name of the tag that `{tag}` writes. If the instructions hold it, the tag gets a number, so that no
    /// text inside can end it. Empty: the text has no tag.
    pub tag: Text,
    /// The text before the instructions.
    pub before: Text,
    /// What the instructions are.
    pub content: TemplateContent,
    /// The text after the instructions if they have no placeholder for the arguments. `{arguments}` stands for
    /// the arguments. Empty: the arguments are only in the message.
    pub arguments: Text,
    /// The text after that.
    pub after: Text,
    /// The line of a file: `{path}` from the folder, and `{directory}`.
    pub resource: Text,
}

/// The instructions in a [`Template`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TemplateContent {
    /// The body, without white space at its ends.
    #[default]
    Body,
    /// The whole `SKILL.md`, with its front matter. No placeholder is filled. A skill of an MCP server has only its
    /// body.
    File,
}
