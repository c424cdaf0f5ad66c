//! Percent-encoding of the paths of URIs.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::borrow::Cow;

/// The bytes that are encoded. A colon is among them, since a colon in the first part of a relative path would end a
/// scheme.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// Encodes a path as a part of a URI: every byte except ASCII letters and digits, `-`, `.`, `_`, `~`
/// and `/`.
///
/// ```
/// use skills_format::text::percent::encode_path;
///
/// assert_eq!(encode_path("references/ü 1.md"), "references/%C3%BC%201.md");
/// ```
pub fn encode_path(path: &str) -> String {
    utf8_percent_encode(path, ENCODED).to_string()
}

/// Decodes every `%` with two hexadecimal digits. A `%` without two digits stays; bytes that are not UTF-8
/// become U+FFFD.
///
/// ```
/// use skills_format::text::percent::decode;
///
/// assert_eq!(decode("a%20b%2"), "a b%2");
/// assert_eq!(decode("%FF"), "\u{FFFD}");
/// ```
pub fn decode(text: &str) -> Cow<'_, str> {
    // Most addresses have no escape. The crate walks such a text byte by byte and validates it as UTF-8 once more: a
    // tenth of what a text full of links costs.
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    percent_decode_str(text).decode_utf8_lossy()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        for (encoded, text) in [
            ("a%20b", "a b"),
            ("%C3%BCber", "über"),
            ("%+1%2", "%+1%2"),
            ("%2g%", "%2g%"),
            ("a%FFb", "a\u{FFFD}b"),
            ("%c3%bc", "ü"),
        ] {
            assert_eq!(decode(encoded), text, "{encoded}");
        }
        assert_eq!(encode_path("a:b+c (1)%.md"), "a%3Ab%2Bc%20%281%29%25.md");
    }

    proptest::proptest! {
        #[test]
        fn encoded_text_is_decoded_again(text in "\\PC*") {
            let encoded = encode_path(&text);
            proptest::prop_assert_eq!(decode(&encoded), text);
        }
    }
}
