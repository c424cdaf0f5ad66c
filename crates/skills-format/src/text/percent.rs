//! Percent-encoding of the paths of URIs. Written here, since every program would compile a package for it; the test
//! compares with that package.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Encodes a path as a part of a URI: every byte except ASCII letters and digits, `-`, `.`, `_`, `~`
/// and `/`. A colon in the first part of a relative path would end a scheme.
///
/// ```
/// use skills_format::text::percent::encode_path;
///
/// assert_eq!(encode_path("references/ü 1.md"), "references/%C3%BC%201.md");
/// ```
pub fn encode_path(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
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
        return Cow::Borrowed(text);
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).filter(|_| *first == b'%');
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&decoded).into_owned().into()
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

        #[test]
        fn decoded_as_the_library_does(text in "[%0-9a-fA-Fg é]{0,12}") {
            let theirs = percent_encoding::percent_decode_str(&text).decode_utf8_lossy();
            proptest::prop_assert_eq!(decode(&text), theirs);
        }
    }
}
