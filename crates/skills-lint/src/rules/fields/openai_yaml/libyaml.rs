//! The forms that libyaml, with which Codex reads `agents/openai.yaml`, refuses or reads otherwise than YAML 1.2 says.
//!
//! The tree says where texts and flow collections stand; all the rest is scanned here. One fault is told, as libyaml ends
//! at the first one.

use super::fault::Fault;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::text::span::Span;
use skills_format::yaml::Style;
use skills_format::yaml::node::{Node, Scalar, Value};

const BOM: char = '\u{feff}';
/// The maximum number of bytes of a key that no `?` marks.
const KEY: usize = 1024;
/// What ends a line for libyaml, as it does for YAML 1.1.
const ENDS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];
const SPACES: &str = "write spaces, no tab, before the text of a line";

/// Returns the first form of a file that libyaml does not read as it is meant.
pub(super) fn fault(text: &str, root: &Node) -> Option<Fault> {
    let mut scan = Scan {
        text,
        at: 0,
        is_strict: true,
        root: root.span.start,
        is_marked: false,
        is_indent_given: false,
        found: None,
    };
    scan.byte_order_mark(root);
    scan.node(root, 0, false);
    scan.gap(text.len(), false);
    scan.found
}

struct Scan<'t> {
    text: &'t str,
    /// The end of what is scanned.
    at: usize,
    /// True where a block collection can begin. There, libyaml takes no tab for white space.
    is_strict: bool,
    /// The start of the content.
    root: usize,
    /// True after a `?`, which marks a key.
    is_marked: bool,
    /// True if the header of a block text says how far the text is indented.
    is_indent_given: bool,
    found: Option<Fault>,
}

impl Scan<'_> {
    /// libyaml counts a byte order mark as a column. So the first key stands one column to the right of the second one,
    /// which ends the mapping.
    fn byte_order_mark(&mut self, root: &Node) {
        let rest = self.text.trim_start_matches(BOM);
        let length = self.text.len() - rest.len();
        let entries = root.entries();
        let is_on_line_of_mark = entries
            .first()
            .is_some_and(|(key, _)| !self.between(length, key.span.start).contains(['\n', '\r']));
        let is_block = !rest.starts_with('{');
        // An entry at column 1 is not below a key at column 1.
        let is_at_mark = |(_, value): &(Node, Node)| {
            let is_block = !self.from(value.span.start).starts_with('{');
            is_block && !value.entries().is_empty() && self.column(value.span.start) < 2
        };
        let is_split =
            is_block && is_on_line_of_mark && (entries.len() > 1 || entries.iter().any(is_at_mark));
        let is_broken = length > BOM.len_utf8()
            || rest.starts_with("---")
            || rest.starts_with("...")
            || is_split;
        if length > 0 && is_broken {
            let span = Span::new(0, length);
            self.tell(
                span,
                "the file begins with a byte order mark",
                "save the file as UTF-8 without the mark",
            );
            if let Some(fault) = &mut self.found {
                fault.fix = Some(Fix::safe(vec![Edit::replace(span, "")]));
            }
        }
        self.at = length;
    }

    /// Scans a value. `indent` is the column from which the lines of a text of this collection begin.
    fn node(&mut self, node: &Node, indent: usize, is_in_flow: bool) {
        let start = node.span.start;
        let is_flow = is_in_flow || self.from(start).starts_with(['[', '{']);
        match &node.value {
            Value::Scalar(scalar) => {
                if node.span.is_empty() {
                    return;
                }
                self.gap(start, is_in_flow);
                self.scalar(scalar, node.span, indent);
                if is_in_flow && scalar.style == Style::Plain {
                    self.colon(node.span);
                }
            }
            Value::Sequence(items) => {
                // A list as far to the right as its key is no level of its own. Its place is that of its first item.
                let is_level = self.from(start).starts_with('-');
                let own = self.begin(start, indent, is_in_flow, is_flow);
                let indent = if is_level { own } else { indent };
                for item in items {
                    self.node(item, indent, is_flow);
                }
                self.end(node.span.end, is_flow);
            }
            Value::Mapping(entries) => {
                let indent = self.begin(start, indent, is_in_flow, is_flow);
                for (key, value) in entries {
                    self.node(key, indent, is_flow);
                    self.key(key);
                    self.node(value, indent, is_flow);
                }
                self.end(node.span.end, is_flow);
            }
        }
    }

    /// Returns the indent of the texts in a collection.
    fn begin(&mut self, start: usize, indent: usize, is_in_flow: bool, is_flow: bool) -> usize {
        self.gap(start, is_in_flow);
        if is_flow {
            indent
        } else {
            self.column(start) + 1
        }
    }

    fn end(&mut self, end: usize, is_flow: bool) {
        if is_flow {
            self.gap(end, true);
            self.is_strict = false;
        }
    }

    /// Scans a key. Without `?`, it stands in one line with its `:`.
    fn key(&mut self, key: &Node) {
        if std::mem::take(&mut self.is_marked) || key.span.is_empty() {
            return;
        }
        if key.span.len() > KEY {
            let what = format!("the key has {} bytes", key.span.len());
            self.tell(key.span, &what, &format!("write at most {KEY} bytes"));
        }
        let written = key.span.of(self.text);
        if let Some((at, end)) = written.char_indices().find(|(_, it)| ENDS.contains(it)) {
            self.line_end(key.span.start + at, end);
        }
        let behind = self.from(key.span.end);
        let colon = behind.trim_start();
        let blank = behind.len() - colon.len();
        let is_end = |it: u8| matches!(it, b'\n' | b'\r');
        let next = colon.strip_prefix(':').and_then(|rest| rest.chars().next());
        let is_colon_below = colon.starts_with(':') && behind.bytes().take(blank).any(is_end);
        if is_colon_below || written.bytes().any(is_end) {
            self.tell(
                key.span,
                "the key goes over more than one line",
                "write it and its `:` in one line",
            );
        }
        let is_plain = matches!(&key.value, Value::Scalar(scalar) if scalar.style == Style::Plain);
        if is_plain && next.is_some_and(|next| !next.is_ascii_whitespace()) {
            self.space(key.span.end + blank);
        }
    }

    fn scalar(&mut self, scalar: &Scalar, span: Span, indent: usize) {
        self.at = self.at.max(span.end);
        self.is_strict = false;
        match scalar.style {
            Style::SingleQuoted | Style::DoubleQuoted => {}
            Style::Literal | Style::Folded => {
                self.line_ends(span);
                if !std::mem::take(&mut self.is_indent_given) {
                    self.block(span);
                }
                self.is_strict = true;
            }
            Style::Plain => {
                self.line_ends(span);
                self.plain(span, indent);
            }
        }
    }

    /// Reports a `:` in a plain text of a flow collection that libyaml takes for an indicator.
    fn colon(&mut self, span: Span) {
        let bytes = self.text.as_bytes();
        let end = bytes.len().min(span.end + 2);
        let pairs = bytes.get(span.start..end).unwrap_or_default().windows(2);
        let is_refused = |pair: &[u8]| pair[0] == b':' && b",?[]{}".contains(&pair[1]);
        if let Some(at) = pairs.into_iter().position(is_refused) {
            self.space(span.start + at);
        }
    }

    fn space(&mut self, colon: usize) {
        let span = Span::new(colon, colon + 1);
        self.tell(
            span,
            "no space stands behind the `:`",
            "write a space behind it",
        );
    }

    /// Reports a tab before the first line of a block text, from which libyaml counts how far the text is indented.
    fn block(&mut self, span: Span) {
        let mut at = span.start;
        for line in span.of(self.text).split_inclusive('\n') {
            let text = line.trim_start_matches([' ', '\t']);
            let blank = line.get(..line.len() - text.len()).unwrap_or_default();
            if let Some(tab) = blank.find('\t') {
                return self.tab(at + tab);
            }
            if !text.trim_end().is_empty() {
                return;
            }
            at += line.len();
        }
    }

    /// Scans a plain text and the white space behind it, which libyaml reads with the text.
    fn plain(&mut self, span: Span, indent: usize) {
        let mut column = None;
        let bytes = self.text.as_bytes();
        let mut at = span.start;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\n' | b'\r' => {
                    column = Some(0);
                    self.is_strict = true;
                }
                b'\t' if column.is_some_and(|column| column < indent) => {
                    self.tab(at);
                    break;
                }
                b' ' | b'\t' => column = column.map(|column| column + 1),
                _ if at >= span.end => break,
                _ => column = None,
            }
            at += 1;
        }
        self.at = self.at.max(at);
    }

    /// Scans what stands before `end` and is no text: white space, comments and indicators.
    fn gap(&mut self, end: usize, is_in_flow: bool) {
        let bytes = self.text.as_bytes();
        while self.at < end && self.found.is_none() {
            let at = self.at;
            let next = bytes.get(at + 1);
            let is_blank_next = next.is_none_or(u8::is_ascii_whitespace);
            let is_first = at == 0 || matches!(bytes.get(at - 1), Some(b'\n' | b'\r'));
            let here = self.from(at);
            match bytes.get(at) {
                None => return,
                Some(b'\n' | b'\r') => self.is_strict = true,
                Some(b'\t') if self.is_strict && !is_in_flow => self.tab(at),
                Some(b' ' | b'\t') => {}
                Some(b'#') => {
                    let comment =
                        Span::new(at, at + self.word(at, |byte| matches!(byte, b'\n' | b'\r')));
                    self.line_ends(comment);
                    self.at = comment.end;
                    continue;
                }
                Some(b'.') if is_first && here.starts_with("...") && at < self.root => {
                    let works = "remove the line, or write `---`";
                    self.tell(
                        Span::new(at, at + 3),
                        "`...` stands before the content",
                        works,
                    );
                }
                Some(b'-') if here.starts_with("---") => {
                    self.is_strict = false;
                    self.at += 2;
                }
                Some(byte @ (b'-' | b'?')) if is_blank_next => {
                    self.is_strict = true;
                    self.is_marked |= *byte == b'?';
                }
                Some(b'|' | b'>') => {
                    let is_header =
                        |byte: u8| matches!(byte, b'|' | b'>' | b'+' | b'-' | b'0'..=b'9');
                    let header = Span::new(at, at + self.word(at, |byte| !is_header(byte)));
                    let is_digit = |byte: u8| byte.is_ascii_digit();
                    self.is_indent_given = header.of(self.text).bytes().any(is_digit);
                    self.is_strict = false;
                    self.at = header.end;
                    continue;
                }
                Some(_) if here.starts_with(BOM) => {
                    let span = Span::new(at, at + BOM.len_utf8());
                    self.tell(
                        span,
                        "a byte order mark stands in the text",
                        "remove the character",
                    );
                }
                // A `:` where a key could begin belongs to a key with `?`.
                Some(b':') => {}
                Some(b'&') => {
                    let is_end =
                        |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b']' | b'}');
                    let anchor = Span::new(at, at + self.word(at, is_end));
                    let is_name =
                        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
                    if !anchor.of(self.text).bytes().skip(1).all(is_name) {
                        let works = "write letters, digits, `-` and `_` only, or remove the anchor";
                        self.tell(anchor, "the anchor has other characters", works);
                    }
                    self.is_strict = false;
                    self.at = anchor.end;
                    continue;
                }
                Some(_) => self.is_strict = false,
            }
            self.at += 1;
        }
    }

    /// Reports a line that ends, for libyaml, before its text ends. To YAML 1.2, these characters end no line.
    fn line_ends(&mut self, span: Span) {
        let mut begin = span.start;
        for line in span.of(self.text).split_inclusive(['\n', '\r']) {
            let start = begin;
            begin += line.len();
            let Some(at) = line.find(ENDS) else {
                continue;
            };
            let rest = line.get(at..).unwrap_or_default();
            let rest = rest
                .trim_start_matches(|it| ENDS.contains(&it) || it == ' ')
                .trim_end();
            if rest.is_empty() || rest.starts_with('#') {
                continue;
            }
            let Some(end) = line.get(at..).and_then(|rest| rest.chars().next()) else {
                continue;
            };
            return self.line_end(start + at, end);
        }
    }

    fn line_end(&mut self, at: usize, end: char) {
        let what = format!("U+{:04X} ends the line", u32::from(end));
        let place = Span::new(at, at + end.len_utf8());
        self.tell(place, &what, "write a space, or put the text in quotes");
    }

    fn tab(&mut self, at: usize) {
        let what = "a tab stands where only spaces may stand";
        self.tell(Span::new(at, at + 1), what, SPACES);
    }

    fn tell(&mut self, span: Span, what: &str, works: &str) {
        self.found.get_or_insert_with(|| Fault {
            span,
            what: what.to_owned(),
            works: works.to_owned(),
            is_of_file: true,
            fix: None,
        });
    }

    /// Returns the number of bytes up to an end.
    fn word(&self, at: usize, is_end: impl Fn(u8) -> bool) -> usize {
        let rest = self.from(at);
        rest.bytes().position(is_end).unwrap_or(rest.len())
    }

    /// Returns the column as libyaml counts it, from 0.
    fn column(&self, at: usize) -> usize {
        let before = self.between(0, at);
        let line = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        self.between(line, at).chars().count()
    }

    fn from(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default()
    }

    fn between(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::reader::codex_reads_over;
    use serde_yaml::Value;

    const CLOSED: &str = "policy:\n  allow_implicit_invocation: false\n";

    /// Returns whether libyaml reads the policy as closed.
    fn is_read(text: &str) -> bool {
        let root: Result<Value, _> = serde_yaml::from_str(text);
        root.is_ok_and(|root| root["policy"]["allow_implicit_invocation"] == Value::Bool(false))
    }

    #[test]
    fn forms_that_libyaml_refuses() {
        let policy = "  allow_implicit_invocation: false\n";
        let name = "interface:\n  display_name: X\n";
        for text in [
            // A byte order mark.
            format!("\u{feff}{name}{CLOSED}"),
            format!("\u{feff}{CLOSED}{name}"),
            format!("\u{feff}---\n{CLOSED}"),
            format!("\u{feff}\u{feff}{CLOSED}"),
            "\u{feff}policy:\n allow_implicit_invocation: false\n".to_owned(),
            // A tab.
            format!("policy:\n\t\n{policy}"),
            format!("policy:\n  \t\n{policy}"),
            format!("policy:\r\n\t\r\n{policy}"),
            format!("policy:\n\t# c\n{policy}"),
            format!("{name}\t\n{CLOSED}"),
            format!("{CLOSED}\t# c\n{name}"),
            format!("{CLOSED}\t"),
            format!("# c\n\t\n{CLOSED}"),
            format!("policy:\n  products:\n  -\tcodex\n{policy}"),
            format!("policy:\n  products: [codex\n\t]\n{policy}"),
            format!("x: \"a\"\n\t\n{CLOSED}"),
            format!("x: {{}}\n\t\n{CLOSED}"),
            // The rare ones.
            format!("# c\n\u{feff}{name}{CLOSED}"),
            format!("policy:\n  x:---\n   y\n{policy}"),
            format!("policy: {{allow_\n implicit: 1, {}}}\n", policy.trim()),
            format!("policy: {{x\n : 1, {}}}\n", policy.trim()),
            format!("policy: {{x:, {}}}\n", policy.trim()),
            format!("x: |\n   \t\n   a\n{CLOSED}"),
            format!("\u{feff}...\n{CLOSED}"),
            format!("...\n{CLOSED}"),
            format!("# c\n...\n---\n{CLOSED}"),
            format!("x: &a.b 1\n{CLOSED}"),
            format!("x: &é 1\n{CLOSED}"),
            format!("x: [&a/b 1]\n{CLOSED}"),
            format!("# c\u{2028}x: [\n{CLOSED}"),
            format!("# c\u{85}x\n{CLOSED}"),
            format!("interface:\n  display_name: a\u{2029}b\n{CLOSED}"),
            format!("interface:\n  display_name: |\n    a\u{2028}b\n{CLOSED}"),
            format!("x\u{2028}: 1\n{CLOSED}"),
            format!("{}: 1\n{CLOSED}", "é".repeat(600)),
        ] {
            assert!(!is_read(&text), "{text:?}");
            assert!(codex_reads_over(&text), "{text:?}");
        }
        for text in [
            format!("\u{feff}{CLOSED}"),
            format!("\u{feff}# c\n{name}{CLOSED}"),
            format!("\u{feff}\n{name}{CLOSED}"),
            "\u{feff}{interface: {}, policy: {allow_implicit_invocation: false}}".to_owned(),
            format!("policy:\n  products:\n  - codex\n    \t\n{policy}"),
            format!("policy:\t\n{policy}"),
            format!("policy:\t# c\n{policy}"),
            format!("policy: # c\t\n{policy}"),
            format!("{CLOSED}      \t\n{name}"),
            format!(
                "policy: {{products: [\n\t\tcodex],\n  {}}}\n",
                policy.trim()
            ),
            format!("policy:\n  products:\n  - codex\t\n{policy}"),
            format!("x: |\n  a\n  \t\n{CLOSED}"),
            format!("---\n{CLOSED}...\n"),
            format!("x: &a_b-1 1\n{CLOSED}"),
            format!("x: [&a 1, &b {{}}]\n{CLOSED}"),
            format!("# c\u{2028}# d\n{CLOSED}"),
            format!("interface:\n  display_name: \"a\u{2028}b\"\n{CLOSED}"),
            format!("interface:\n  display_name: a\u{a0}b\n{CLOSED}"),
            format!("{}: 1\n{CLOSED}", "é".repeat(500)),
            format!("? {}\n: 1\n{CLOSED}", "é".repeat(600)),
        ] {
            assert!(is_read(&text), "{text:?}");
            assert!(!codex_reads_over(&text), "{text:?}");
        }
    }
}
