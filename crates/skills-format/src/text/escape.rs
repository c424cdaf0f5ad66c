//! Escapes text for other formats.

/// Appends the text of a JSON string, without the quotes, escaped as `serde_json` escapes it.
pub fn push_json_text(out: &mut String, text: &str) {
    push_escaped(out, text, |c| match c {
        b'"' => Some("\\\""),
        b'\\' => Some("\\\\"),
        0..b' ' => CONTROLS.get(usize::from(c)).copied(),
        _ => None,
    });
}

/// Appends `text` with some bytes replaced. `replace` may replace only ASCII bytes: other bytes are parts of
/// characters, and the rest would be lost.
pub fn push_escaped(out: &mut String, text: &str, replace: impl Fn(u8) -> Option<&'static str>) {
    // Most texts hold nothing to replace. The fold has no branch for each byte, which is faster than a search.
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
    use super::push_json_text;

    #[test]
    fn only_what_json_asks_for_is_escaped() {
        let mut out = "> ".to_owned();
        push_json_text(&mut out, "a\"b\\c\n\u{1}ü\u{7f}");
        assert_eq!(out, "> a\\\"b\\\\c\\n\\u0001ü\u{7f}");
    }
}
