//! The meaning of a skill's `allowed-tools`.

/// The meaning of a skill's `allowed-tools`.
///
/// The specification calls the list "pre-approved": it takes no tool away, and most clients read it this
/// way. Some clients read it as the tools that the skill is limited to. `disallowed-tools` takes tools away
/// under every meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AllowedTools {
    /// All tools stay. If a person started the skill, and its source is the person's own, a gate may use
    /// the rules to skip a question.
    #[default]
    Approves,
    /// Only the named tools stay. Nothing is approved.
    Narrows,
    /// The list is read and shown, and has no effect.
    Ignored,
}
