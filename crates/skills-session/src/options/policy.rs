//! The options of mentions.

use skills_runtime::catalog::Plugins;

/// The options of mentions: the part of a profile that says how mentions are read, resolved and
/// composed.
///
/// Start from a profile's `mentions`, and change fields.
///
/// ```
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_session::options::Compose;
/// use skills_session::Profile;
/// use skills_runtime::{Catalog, Surface};
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
/// let text = "$code-review it, then $deploy-safely";
/// let mut profile = Profile::DEFAULT;
/// let resolution = profile.resolve(&catalog, text, Surface::User);
/// assert_eq!(resolution.activated(), ["code-review", "deploy-safely"]);
/// profile.mentions.compose = Compose::ChooseOne;
/// assert!(profile.resolve(&catalog, text, Surface::User).activated().is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Policy {
    /// `true` if texts are scanned for `$name`.
    pub mentions: bool,
    /// `true` if a skill that an answer of the model names is started for the next turn:
    /// [`Session::answered`](crate::Session::answered). `false`: only people name skills with `$`.
    pub answers: bool,
    /// The rule for a text that names several skills.
    pub compose: Compose,
    /// The outcomes that give a notice.
    pub notices: Notices,
    /// The ids that a plugin's skills answer to.
    pub plugins: Plugins,
    /// The arguments that a mention passes to a skill.
    pub arguments: Arguments,
    /// The maximum number of different skills that one text may activate. Also the maximum number of ids
    /// in one text for which near matches are searched, because each search compares all names.
    pub limit: usize,
}

impl Policy {
    /// The policy of the default profile.
    pub const DEFAULT: Self = Self {
        mentions: true,
        answers: true,
        compose: Compose::All,
        notices: Notices::Leading,
        plugins: Plugins::Merged,
        arguments: Arguments::Task,
        limit: 8,
    };
}

impl Default for Policy {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The outcomes that give a notice to the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Notices {
    /// All outcomes, with two exceptions. Unknown and vaguely near mentions give a notice only if they
    /// lead the text. An unknown mention in a model's text gives no notice.
    Leading,
    /// All outcomes, also in a model's text.
    Always,
    /// The outcomes of [`Notices::Leading`] without unknown mentions.
    SilentUnknown,
}

/// The rule for a text that names several different skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Compose {
    /// No skill is activated, and a notice asks the person to choose one.
    ///
    /// There is one exception. When the text names two skills and exactly one of them declares
    /// `allowed-tools`, both are activated: one skill guides, the other limits the tools. The rule is for
    /// profiles in which `allowed-tools` limits ([`AllowedTools::Narrows`](crate::options::AllowedTools)).
    ChooseOne,
    /// All named skills are activated, in the order of the mentions, up to [`Policy::limit`]. The default.
    All,
}

/// The arguments that a mention passes to a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Arguments {
    /// A leading mention passes the task as arguments. Any other mention passes no arguments.
    Task,
    /// No mention passes arguments: the task is only the message.
    None,
}
