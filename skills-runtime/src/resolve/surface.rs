//! The origin of a text.

/// The origin of a text. The surface decides which skills the text may start.
///
/// A person may not start skills with `user-invocable: false`. A model may not start skills with
/// `disable-model-invocation: true`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Surface {
    /// A text that a person typed: a message, or the input of a command palette.
    #[default]
    User,
    /// A text that a model wrote as its plan.
    Model,
}
