//! Foreign text as a part of an HTML page.

use skills_format::text::control::shown;

/// Appends a text, for the content of an element or the value of an attribute in double quotes.
///
/// The characters that HTML gives a meaning are escaped. Control characters become pictures, and marks that
/// turn the direction of text are replaced, as on a terminal. Line feeds and tabs stay.
pub(crate) fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
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

/// A text with at most so many characters. A text that is cut ends with `…`.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text
            .chars()
            .take(most.saturating_sub(1))
            .chain(['…'])
            .collect(),
    }
}
