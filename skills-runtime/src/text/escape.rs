//! Escapes text for XML and JSON.

/// Appends the content of an XML element.
pub(crate) fn push_xml(out: &mut String, text: &str) {
    push_escaped(out, text, |c| match c {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        _ => None,
    });
}

/// Appends the value of an XML attribute in double quotes. Characters that XML cannot hold are
/// replaced by U+FFFD.
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

/// Appends the text between the quotes of a JSON string, escaped as `serde_json` escapes it.
pub(crate) fn push_json_part(out: &mut String, text: &str) {
    push_escaped(out, text, |c| match c {
        b'"' => Some("\\\""),
        b'\\' => Some("\\\\"),
        0..b' ' => CONTROLS.get(usize::from(c)).copied(),
        _ => None,
    });
}

/// Appends a text with its bytes replaced. Each replaced byte is ASCII, so that the runs between them
/// are whole characters.
fn push_escaped(out: &mut String, text: &str, replace: impl Fn(u8) -> Option<&'static str>) {
    // A loop without branches, since most texts need no escape.
    let is_clean = !text
        .bytes()
        .fold(false, |any, byte| any | replace(byte).is_some());
    if is_clean {
        out.push_str(text);
        return;
    }
    let mut rest = text;
    while let Some((at, escaped)) = rest
        .bytes()
        .enumerate()
        .find_map(|(at, byte)| Some((at, replace(byte)?)))
    {
        out.push_str(rest.get(..at).unwrap_or_default());
        out.push_str(escaped);
        rest = rest.get(at + 1..).unwrap_or_default();
    }
    out.push_str(rest);
}

const CONTROLS: [&str; 32] = [
    "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007", "\\b",
    "\\t", "\\n", "\\u000b", "\\f", "\\r", "\\u000e", "\\u000f", "\\u0010", "\\u0011", "\\u0012",
    "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017", "\\u0018", "\\u0019", "\\u001a",
    "\\u001b", "\\u001c", "\\u001d", "\\u001e", "\\u001f",
];

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
