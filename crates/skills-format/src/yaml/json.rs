//! JSON as the same tree, read strictly.
//!
//! The parser of YAML is no reader of JSON: it accepts comments, single quotes and texts without quotes, and refuses
//! pairs of escaped surrogates and long keys. `serde_json` keeps no places, drops repeated keys without a word, and
//! would be a second parser in each program that links the runtime.

use crate::text::span::Span;
use crate::yaml::node::{Node, Style, Value};
use crate::yaml::{MAX_DEPTH, TOO_DEEP, YamlError};

/// Parses a JSON text. A byte-order mark at the start is skipped. Texts are [`Style::DoubleQuoted`]; numbers, truth
/// values and `null` are [`Style::Plain`]. Repeated keys are kept, in the order written.
///
/// ```
/// use skills_format::yaml::json;
///
/// let file = json::parse("{\"name\": \"desk\"}")?;
/// assert_eq!(file.get("name").and_then(|name| name.as_str()), Some("desk"));
/// assert!(json::parse("{'name': desk}").is_err());
/// # Ok::<(), skills_format::yaml::YamlError>(())
/// ```
///
/// # Errors
///
/// The text is not JSON, or is nested deeper than [`MAX_DEPTH`].
///
/// # Cost
///
/// Linear in the text.
pub fn parse(text: &str) -> Result<Node, YamlError> {
    let mut reader = JsonReader {
        text,
        at: text.len() - text.trim_start_matches('\u{feff}').len(),
    };
    let node = reader.value(0)?;
    match reader.peek() {
        None => Ok(node),
        Some(_) => Err(reader.error("text follows the value")),
    }
}

struct JsonReader<'t> {
    text: &'t str,
    at: usize,
}

impl JsonReader<'_> {
    /// Skips white space, and returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += rest.iter().take_while(is_space).count();
        self.byte()
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Takes a byte if it is the next one.
    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.byte() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn error(&self, message: &str) -> YamlError {
        YamlError {
            offset: self.at,
            message: message.to_owned(),
        }
    }

    /// Reads a value that stands in `depth` lists and objects. Recurses once for each level.
    fn value(&mut self, depth: usize) -> Result<Node, YamlError> {
        let next = self.peek();
        let start = self.at;
        if matches!(next, Some(b'{' | b'[')) && depth == MAX_DEPTH {
            return Err(self.error(TOO_DEEP));
        }
        let value = match next {
            Some(b'{') => self.object(depth + 1)?,
            Some(b'[') => self.list(depth + 1)?,
            Some(b'"') => return self.text(),
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                return Ok(self.plain(start));
            }
            _ => {
                let rest = self.text.get(start..).unwrap_or_default();
                let words = ["true", "false", "null"];
                let Some(word) = words.iter().find(|word| rest.starts_with(**word)) else {
                    return Err(self.error("a value is missing here"));
                };
                self.at += word.len();
                return Ok(self.plain(start));
            }
        };
        Ok(Node {
            span: Span::new(start, self.at),
            value,
        })
    }

    fn object(&mut self, depth: usize) -> Result<Value, YamlError> {
        let mut entries = Vec::new();
        while self.goes_on(b'}', entries.is_empty())? {
            if self.peek() != Some(b'"') {
                return Err(self.error("a key in double quotes is missing here"));
            }
            let key = self.text()?;
            if self.peek() != Some(b':') {
                return Err(self.error("`:` is missing here"));
            }
            self.at += 1;
            entries.push((key, self.value(depth)?));
        }
        Ok(Value::Mapping(entries))
    }

    fn list(&mut self, depth: usize) -> Result<Value, YamlError> {
        let mut items = Vec::new();
        while self.goes_on(b']', items.is_empty())? {
            items.push(self.value(depth)?);
        }
        Ok(Value::Sequence(items))
    }

    /// Takes the opening bracket before the first item, the comma before another, or the closing bracket. Returns whether
    /// an item follows.
    fn goes_on(&mut self, bracket: u8, is_first: bool) -> Result<bool, YamlError> {
        self.at += usize::from(is_first);
        let next = self.peek();
        let ends = next == Some(bracket);
        if !ends && !is_first && next != Some(b',') {
            return Err(self.error(&format!("`,` or `{}` is missing here", char::from(bracket))));
        }
        self.at += usize::from(ends || !is_first);
        Ok(!ends)
    }

    fn number(&mut self) -> Result<(), YamlError> {
        self.takes(b'-');
        if !self.takes(b'0') {
            self.digits()?;
        }
        if self.takes(b'.') {
            self.digits()?;
        }
        if self.takes(b'e') || self.takes(b'E') {
            let _is_signed = self.takes(b'+') || self.takes(b'-');
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), YamlError> {
        let start = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.error("a digit is missing here"));
        }
        Ok(())
    }

    /// Reads a text in double quotes.
    fn text(&mut self) -> Result<Node, YamlError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let is_special = |byte: u8| matches!(byte, b'"' | b'\\' | 0..0x20);
            let length = rest.bytes().position(is_special).unwrap_or(rest.len());
            text.push_str(rest.get(..length).unwrap_or_default());
            self.at += length;
            match self.byte() {
                Some(b'"') => break,
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return Err(self.error("the string contains a control character")),
                None => return Err(self.error("the text does not end")),
            }
        }
        self.at += 1;
        let span = Span::new(start, self.at);
        Ok(Node::scalar(span, Style::DoubleQuoted, text))
    }

    fn escape(&mut self) -> Result<char, YamlError> {
        self.at += 1;
        let escaped = match self.byte() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.code(),
            _ => return Err(self.error("the escape is unknown")),
        };
        self.at += 1;
        Ok(escaped)
    }

    /// Reads a `uXXXX`, or the two of a pair of surrogates.
    fn code(&mut self) -> Result<char, YamlError> {
        const FIRST: std::ops::Range<u32> = 0xD800..0xDC00;
        const SECOND: std::ops::Range<u32> = 0xDC00..0xE000;
        let mut code = self.four()?;
        if FIRST.contains(&code) && self.takes(b'\\') && self.byte() == Some(b'u') {
            let second = self.four()?;
            if SECOND.contains(&second) {
                code = 0x1_0000 + ((code - FIRST.start) << 10) + (second - SECOND.start);
            }
        }
        char::from_u32(code).ok_or_else(|| self.error("unpaired surrogate"))
    }

    fn four(&mut self) -> Result<u32, YamlError> {
        let start = self.at + 1;
        let digits = self.text.get(start..start + 4).unwrap_or_default();
        let is_hex = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        match u32::from_str_radix(digits, 16) {
            Ok(code) if is_hex => {
                self.at = start + 4;
                Ok(code)
            }
            _ => Err(self.error("`\\u` needs four hexadecimal digits")),
        }
    }

    /// Returns the number or word from `start` on.
    fn plain(&self, start: usize) -> Node {
        let span = Span::new(start, self.at);
        Node::scalar(span, Style::Plain, span.of(self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Compares with `serde_json`: the same texts are JSON, and say the same.
    fn compare(text: &str) -> Result<(), TestCaseError> {
        let theirs = serde_json::from_str::<serde_json::Value>(text);
        let ours = parse(text);
        // serde_json holds numbers as `f64` at most, and refuses larger ones.
        if theirs
            .as_ref()
            .is_err_and(|error| error.to_string().contains("out of range"))
        {
            return Ok(());
        }
        prop_assert_eq!(
            ours.is_ok(),
            theirs.is_ok(),
            "{} {:?} {:?}",
            text,
            ours,
            theirs
        );
        if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
            let ours: serde_json::Value = serde_json::from_str(&ours.to_json()).expect("JSON");
            prop_assert_eq!(without_negative_zero(ours), without_negative_zero(theirs));
        }
        Ok(())
    }

    /// `-0` is the integer 0 in YAML's core schema, by which our tree writes numbers. `serde_json` reads the float -0.0.
    fn without_negative_zero(value: serde_json::Value) -> serde_json::Value {
        use serde_json::Value;
        match value {
            Value::Number(number) if number.as_f64() == Some(0.0) => Value::from(0),
            Value::Array(items) => items.into_iter().map(without_negative_zero).collect(),
            Value::Object(entries) => entries
                .into_iter()
                .map(|(key, value)| (key, without_negative_zero(value)))
                .collect(),
            other => other,
        }
    }

    proptest! {
        #[test]
        fn texts_like_json_are_read_as_serde_json_reads_them(
            parts in prop::collection::vec(prop::sample::select(vec![
                "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"b\":", "1", "0", "-", "1.5", ".", "e9", "E+1", "true",
                "false", "null", " ", "\n", "\t", "\\", "\\n", "\\u00e9", "\\ud83d", "\\ude00", "\\u12", "é", "\u{1}",
                "'", "#", "\u{feff}", "/", "nul",
            ]), 0..9),
        ) {
            let text = parts.concat();
            // serde_json reads no byte-order mark; clients skip it.
            if !text.starts_with('\u{feff}') {
                compare(&text)?;
            }
            compare(&format!("[{text}]"))?;
            compare(&format!("{{\"a\":{text}}}"))?;
            compare(&format!("\"{text}\""))?;
        }
    }

    #[test]
    fn zero_has_no_sign() {
        for text in ["-0", "[-0]", "-0.0", "-0e1"] {
            compare(text).expect(text);
        }
    }

    #[test]
    fn faults_have_places() {
        for (text, offset) in [
            ("", 0),
            ("{\"a\" 1}", 5),
            ("{\"a\": 1,}", 8),
            ("[1 2]", 3),
            ("{a: 1}", 1),
            ("\"a", 2),
            ("01", 1),
            ("1 x", 2),
            ("\"\\x\"", 2),
            ("[\"a, \"b\"]", 6),
            ("{\"a: \"b\"}", 6),
            ("[\"a\"b]", 4),
            ("[\"a,\" b]", 6),
        ] {
            assert_eq!(parse(text).expect_err(text).offset, offset, "{text}");
        }
        let node = parse("\u{feff} {\"a\": [1, \"é\"]}").expect("JSON");
        assert_eq!((node.span.start, node.span.end), (4, 20));
        let Some(Value::Sequence(items)) = node.get("a").map(|list| &list.value) else {
            panic!("{node:?}");
        };
        assert_eq!(items[1].span, Span::new(14, 18));
    }

    #[test]
    fn nesting_has_an_end() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(
            parse(&nested(MAX_DEPTH + 1)).expect_err("too deep").message,
            TOO_DEEP
        );
        assert!(parse(&"{\"a\":".repeat(1_000_000)).is_err());
    }

    #[test]
    fn repeated_keys_are_kept() {
        let node = parse("{\"a\": 1, \"a\": 2}").expect("JSON");
        assert_eq!(node.entries().len(), 2);
    }
}
