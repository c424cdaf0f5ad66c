//! Any text as `skills.toml`: places are those of the text.

use skills_lint::Config;

/// Panics when it does not hold.
pub(crate) fn hold(text: &str) {
    let (_, diagnostics) = Config::parse("skills.toml", text);
    for diagnostic in diagnostics {
        let span = diagnostic.span();
        assert!(span.start <= span.end && span.end <= text.len());
        assert!(!diagnostic.message.is_empty());
    }
}
