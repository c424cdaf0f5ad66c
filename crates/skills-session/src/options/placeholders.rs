//! The placeholders of a skill's body.

/// The placeholders that an activation fills in a skill's body: which texts after a `$` have a value.
///
/// In every form, inserted text is never scanned again, and the body's commands (`` !`cmd` ``) are never run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placeholders {
    /// Those of [`skills_render::Values`], where no other meaning is possible.
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
