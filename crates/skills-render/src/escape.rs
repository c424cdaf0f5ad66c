//! Escapes text for XML.

use skills_format::text::escape::push_escaped;

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
pub fn push_xml_attribute(out: &mut String, text: &str) {
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
