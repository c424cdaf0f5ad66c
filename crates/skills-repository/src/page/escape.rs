//! Escaping and shortening of foreign text for an HTML page.

use skills_format::text::control::shown;
use skills_lint::render::masked;

/// Appends a text without its keys and tokens as the content of an element, or as the value of an attribute in double quotes.
///
/// HTML's special characters are escaped. Control characters become visible pictures, and marks that change
/// the direction of text are replaced, as on a terminal. Line feeds and tabs stay.
pub(crate) fn escape(out: &mut String, text: &str) {
    for c in masked(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c => out.push(shown(c)),
        }
    }
}

/// Cuts a text to at most `most` characters. A text that was cut ends with `…`.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    // A key that is cut is not recognized any more.
    let text = &*masked(text);
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text
            .chars()
            .take(most.saturating_sub(1))
            .chain(['…'])
            .collect(),
    }
}
