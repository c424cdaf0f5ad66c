//! The placeholders of a skill's body.

/// The placeholders that an activation fills in a skill's body: which texts after a `$` have a value.
///
/// In every form, inserted text is never scanned again, and the body's commands (`` !`cmd` ``) are never run.
///
/// ```
/// use skills_session::options::{Options, Placeholders};
///
/// // A host whose skills were written for Claude Code alone.
/// let options = Options { placeholders: Placeholders::Everywhere, ..Options::DEFAULT };
/// assert_eq!(options.placeholders, Placeholders::Everywhere);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
pub enum Placeholders {
    /// The placeholders of public skills, where no other meaning is possible:
    ///
    /// - `$ARGUMENTS`, as a whole word: all arguments. `$ARGUMENTS[0]`: their first word.
    /// - A name that the skill lists in `arguments`: the host's variable, else the word at the name's position.
    /// - `$0`, `$1`: a word by its position, only if `arguments` lists a name or the body has a
    ///   `$ARGUMENTS[0]`. Never in code, and never in a price.
    /// - `${SKILL_DIR}` and `${CLAUDE_SKILL_DIR}`: the folder of the skill, also in `allowed-tools`.
    /// - `${CLAUDE_SESSION_ID}`, `${CLAUDE_EFFORT}`, `${CLAUDE_PROJECT_DIR}`, `${CLAUDE_PLUGIN_ROOT}`,
    ///   `${CLAUDE_PLUGIN_DATA}`, `${PLUGIN_ROOT}`, `${PLUGIN_DATA}`: the host's variables, if it has them.
    ///
    /// A position without a word stays as it is; a name without a word becomes empty. A backslash before a
    /// placeholder keeps the placeholder, and is removed.
    #[default]
    Guarded,
    /// The placeholders of Claude Code. As [`Placeholders::Guarded`], with these differences:
    ///
    /// - `$0` and `$1` everywhere, also in code and in prices, if there are arguments.
    /// - `$ARGUMENTS` also as the beginning of a word, and after a `$`.
    /// - Every name of `arguments` has a position, also a number or a name in capitals.
    /// - `${SKILL_DIR}` stays.
    /// - Only a single backslash keeps a placeholder, and none keeps one in braces.
    Everywhere,
    /// The placeholders of `OpenCode`'s commands: `$ARGUMENTS`, and `$1` for the first word. The highest number
    /// in the body has all words that are left. Nothing escapes a placeholder.
    Numbered,
    /// No placeholders: the body stays as it is.
    None,
}
