//! Percent-encoding of URIs.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Encodes a path as a part of a URI: every byte except ASCII letters and digits, `-`, `.`, `_`, `~`
/// and `/`.
///
/// A colon is encoded too, since a colon in the first part of a relative path would end a scheme.
///
/// ```
/// use skills_format::text::percent::encode_path;
///
/// assert_eq!(encode_path("references/ü 1.md"), "references/%C3%BC%201.md");
/// ```
pub fn encode_path(path: &str) -> String {
    encode(path, |c| {
        c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~' | '/')
    })
}

/// Encodes every character that is not `kept`.
pub fn encode(text: &str, kept: impl Fn(char) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for c in text.chars() {
        if kept(c) {
            encoded.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
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
    if !text.contains('%') {
        return text.into();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let decoded = (byte == b'%').then(|| hex(after)).flatten();
        bytes.push(decoded.unwrap_or(byte));
        let digits = if decoded.is_some() { 2 } else { 0 };
        rest = after.get(digits..).unwrap_or_default();
    }
    match String::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(error) => String::from_utf8_lossy(error.as_bytes())
            .into_owned()
            .into(),
    }
}

/// Returns the byte of two hexadecimal digits.
fn hex(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
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
        assert_eq!(encode("ü (1)", |c| c != ' '), "ü%20(1)");
    }

    proptest::proptest! {
        #[test]
        fn encoded_text_is_decoded_again(text in "\\PC*") {
            let encoded = encode_path(&text);
            proptest::prop_assert_eq!(decode(&encoded), text);
        }
    }
}
