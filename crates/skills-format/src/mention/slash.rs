//! Splits a text that begins with `/` into its words.

/// A text that begins with `/` and a name.
///
/// ```
/// use skills_format::mention::Slash;
///
/// assert!(Slash::is_command("/compact with $demo"));
/// assert!(!Slash::is_command("/usr/bin/env"));
/// ```
pub struct Slash<'t> {
    /// The word after `/`.
    pub name: &'t str,
    /// The text after the name.
    pub rest: &'t str,
    /// The name and the rest.
    pub text: &'t str,
}

impl<'t> Slash<'t> {
    /// Splits a text. Returns `None` if it does not begin with `/` and a name.
    pub fn parse(text: &'t str) -> Option<Self> {
        let text = text.trim_start().strip_prefix('/')?;
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (name, rest) = text.split_at_checked(end)?;
        (!name.is_empty()).then_some(Self { name, rest, text })
    }

    /// Returns whether the name is a word of letters, digits, `-`, `_` and `:`. A path such as `/usr/bin/env` is not.
    pub fn is_word(&self) -> bool {
        let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
        self.name.chars().all(is_of_word)
    }

    /// Returns whether a text has the form of a slash command: optional white space, `/`, a word of letters, digits, `-`,
    /// `_` and `:`, then white space or the end. A path such as `/usr/bin/env` does not have the form.
    pub fn is_command(text: &'t str) -> bool {
        Self::parse(text).is_some_and(|slash| slash.is_word())
    }
}
