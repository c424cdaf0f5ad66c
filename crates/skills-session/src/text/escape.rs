//! Escapes text for XML and JSON.

use skills_format::text::escape::{push_escaped, push_json_text};

/// Appends `text` as the content of an XML element.
pub(crate) fn push_xml(out: &mut String, text: &str) {
    push_escaped(out, text, |c| match c {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        _ => None,
    });
}

/// Appends `text` as the value of an XML attribute in double quotes. Control characters that XML does
/// not allow become U+FFFD.
pub(crate) fn push_xml_attribute(out: &mut String, text: &str) {
    push_escaped(out, text, |c| match c {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'"' => Some("&quot;"),
        // As references, because an XML parser turns these characters into spaces in an attribute.
        b'\t' => Some("&#9;"),
        b'\n' => Some("&#10;"),
        b'\r' => Some("&#13;"),
        0..b' ' => Some("\u{fffd}"),
        _ => None,
    });
}

/// Appends `text` as a JSON string in quotes.
pub(crate) fn push_json(out: &mut String, text: &str) {
    out.push('"');
    push_json_text(out, text);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn attributes() {
        let mut out = String::new();
        push_xml_attribute(&mut out, "a\"b<c>&\n\u{1}");
        assert_eq!(out, "a&quot;b&lt;c&gt;&amp;&#10;\u{fffd}");
    }

    proptest! {
        #[test]
        fn json_as_serde_writes_it(text in "\\PC{0,8}|[\\x00-\\x7f]{0,40}") {
            let mut out = String::new();
            push_json(&mut out, &text);
            prop_assert_eq!(out, serde_json::to_string(&text).unwrap());
        }
    }
}
