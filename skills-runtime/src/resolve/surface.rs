//! The origin of a text.

/// The origin of a text. The surface decides which skills the text may start.
///
/// A person may not start skills with `user-invocable: false`. A model may not start skills with
/// `disable-model-invocation: true`.
///
/// ```
/// use skills_runtime::resolve::Effect;
/// use skills_runtime::{Catalog, Profile, Surface};
///
/// let catalog = Catalog::builder().load().catalog;
/// // A model's text is never a slash command.
/// let typed = catalog.resolve("/skill list", Surface::User, &Profile::DEFAULT);
/// let planned = catalog.resolve("/skill list", Surface::Model, &Profile::DEFAULT);
/// assert!(matches!(typed.effect, Effect::Request(_)) && planned.effect == Effect::Plain);
/// ```
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

impl Surface {
    /// Returns the surface's name in JSON: `user` or `model`.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Model => "model",
        }
    }
}
