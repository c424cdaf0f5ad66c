//! Styles of text on a terminal.

use clap::builder::styling::{AnsiColor, Style};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

/// A number that foreign text cannot contain, because the number differs in each process. The number is
/// the first parameter of each colour that this program writes to a terminal. The terminal's writer
/// removes the number, and passes no other colour.
static MARK: LazyLock<String> = LazyLock::new(|| RandomState::new().hash_one("colour").to_string());

/// Returns the mark of the colours of this program.
pub(crate) fn mark() -> &'static str {
    &MARK
}

/// Marks the colours in text as the program's own. The text must not contain a foreign escape sequence.
pub(crate) fn marked(text: &str) -> String {
    text.replace("\u{1b}[", &format!("\u{1b}[{};", mark()))
}

/// Headings and names that lead a line.
pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The state of a skill that can be started.
pub(crate) const STATE_GOOD: Style = AnsiColor::Green.on_default();
/// Commands that run a scheduled skill.
pub(crate) const CAREFUL: Style = AnsiColor::Magenta.on_default().bold();
pub(crate) const HELP: Style = AnsiColor::Cyan.on_default().bold();
/// Secondary text: descriptions, disabled skills.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// The letters of a name that a person typed.
pub(crate) const MATCHED: Style = AnsiColor::Cyan.on_default().underline();
/// The selected row.
pub(crate) const SELECTED: Style = AnsiColor::Cyan.on_default().bold();
