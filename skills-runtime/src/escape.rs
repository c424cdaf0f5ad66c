//! Text inside XML and JSON.

pub(crate) use crate::bundle::push_escaped as push_json_part;

/// Appends the content of an XML element.
pub(crate) fn push_xml(out: &mut String, text: &str) {
    push_escaped(out, text, |c| match c {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        _ => None,
    });
}

/// Appends the value of an XML attribute in double quotes. Characters that XML has no place for are
/// replaced.
pub(crate) fn push_xml_attribute(out: &mut String, text: &str) {
    push_escaped(out, text, |c| match c {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'"' => Some("&quot;"),
        b'\t' => Some("&#9;"),
        b'\n' => Some("&#10;"),
        b'\r' => Some("&#13;"),
        0..b' ' => Some("\u{fffd}"),
        _ => None,
    });
}

/// Appends a JSON string with its quotes.
pub(crate) fn push_json(out: &mut String, text: &str) {
    out.push('"');
    push_json_part(out, text);
    out.push('"');
}

/// Every replaced byte is ASCII, so that the runs between them are whole characters.
fn push_escaped(out: &mut String, text: &str, replace: impl Fn(u8) -> Option<&'static str>) {
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        if let Some(escaped) = replace(byte) {
            out.push_str(text.get(start..at).unwrap_or_default());
            out.push_str(escaped);
            start = at + 1;
        }
    }
    out.push_str(text.get(start..).unwrap_or_default());
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
        fn json_reads_back(text in any::<String>()) {
            let mut out = String::new();
            push_json(&mut out, &text);
            prop_assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
        }
    }
}
