//! Reads TOML: the parts that `skills.toml` and `skills.lock` use, with the place of each key and value.
//!
//! The package `toml` reads more, and takes a third of the time in which the macro is built. The test compares with it.
//! Floats and dates are [`Value::Other`]; they are not checked further.

use skills_format::text::span::Span;

/// A value and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The bytes of the text that hold it.
    pub span: Span,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text of any of the four kinds.
    Text(String),
    /// An integer from 0 that 64 bits hold; `None` for any other.
    Integer(Option<u64>),
    /// `true` or `false`.
    Bool(bool),
    /// A list, or the tables of `[[key]]`.
    List(Vec<Spanned<Value>>),
    /// A table.
    Table(Table),
    /// A float, a date or a time.
    Other,
}

/// The keys and values of a table, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The keys with their values.
    pub entries: Vec<(Spanned<String>, Spanned<Value>)>,
    /// False for a table that only a deeper header or a dotted key has named so far.
    is_defined: bool,
    /// True for `{ … }`, and for a list in brackets: nothing is added to it.
    is_closed: bool,
}

/// The first fault of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The place.
    pub span: Span,
    /// What is wrong there.
    pub message: String,
}

impl Table {
    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Spanned<Value>> {
        let mut entries = self.entries.iter();
        entries
            .find(|(known, _)| known.value == key)
            .map(|(_, value)| value)
    }

    fn get_mut(&mut self, key: &str) -> Option<&mut Spanned<Value>> {
        let mut entries = self.entries.iter_mut();
        entries
            .find(|(known, _)| known.value == key)
            .map(|(_, value)| value)
    }
}

/// Parses a text.
///
/// # Errors
///
/// The first [`Fault`] of a text that is not TOML.
///
/// # Cost
///
/// Linear in the text, times the number of keys of a table. Nesting is limited to 64 levels.
pub fn parse(text: &str) -> Result<Table, Fault> {
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
    };
    let mut root = Table::default();
    let mut header: Vec<Spanned<String>> = Vec::new();
    loop {
        reader.skip(true);
        let Some(next) = reader.peek() else {
            return Ok(root);
        };
        if next == '[' {
            header = reader.header(&mut root)?;
        } else {
            let table = walk(&mut root, &header, false)?;
            reader.pair(table)?;
        }
        reader.skip(false);
        if !matches!(reader.peek(), None | Some('\n' | '\r' | '#')) {
            return Err(reader.fault("expected the end of the line"));
        }
    }
}

/// Returns the table at a path, and makes it. `dotted`: the path is that of a dotted key, which adds nothing to a table that
/// a header has defined.
fn walk<'t>(
    mut table: &'t mut Table,
    path: &[Spanned<String>],
    dotted: bool,
) -> Result<&'t mut Table, Fault> {
    for key in path {
        if table.get(&key.value).is_none() {
            let value = Spanned {
                value: Value::Table(Table::default()),
                span: key.span,
            };
            table.entries.push((key.clone(), value));
        }
        let inner = match table.get_mut(&key.value).map(|found| &mut found.value) {
            Some(Value::Table(inner)) => Some(inner),
            Some(Value::List(list)) if !dotted => {
                list.last_mut().and_then(|last| match &mut last.value {
                    Value::Table(inner) => Some(inner),
                    _ => None,
                })
            }
            _ => None,
        };
        let is_open = |inner: &&mut Table| !(inner.is_closed || dotted && inner.is_defined);
        table = inner.filter(is_open).ok_or_else(|| repeated(key))?;
    }
    Ok(table)
}

fn repeated(key: &Spanned<String>) -> Fault {
    Fault {
        span: key.span,
        message: format!("`{}` is there already", key.value),
    }
}

const MAX_DEPTH: usize = 64;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, start: &str) -> bool {
        let is = self.rest().starts_with(start);
        if is {
            self.at += start.len();
        }
        is
    }

    fn fault(&self, message: &str) -> Fault {
        let length = self.peek().map_or(0, char::len_utf8);
        self.fault_at(Span::new(self.at, self.at + length), message)
    }

    fn fault_at(&self, span: Span, message: &str) -> Fault {
        Fault {
            span: Span::new(
                span.start.min(self.text.len()),
                span.end.min(self.text.len()),
            ),
            message: message.to_owned(),
        }
    }

    /// Passes over white space; over comments and line ends too if `lines`.
    fn skip(&mut self, lines: bool) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            self.at += blank;
            if lines && self.peek() == Some('#') {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            }
            if !lines || !(self.eat("\n") || self.eat("\r\n")) {
                return;
            }
        }
    }

    /// Reads `[a.b]` or `[[a.b]]`, and makes the table.
    fn header(&mut self, root: &mut Table) -> Result<Vec<Spanned<String>>, Fault> {
        let start = self.at;
        let is_list = self.eat("[[");
        if !is_list {
            self.eat("[");
        }
        let path = self.key()?;
        if !self.eat(if is_list { "]]" } else { "]" }) {
            return Err(self.fault("expected `]`"));
        }
        let span = Span::new(start, self.at);
        let Some((last, above)) = path.split_last() else {
            return Err(self.fault("expected a key"));
        };
        let table = walk(root, above, false)?;
        let defined = Value::Table(Table {
            is_defined: true,
            ..Table::default()
        });
        let new = Spanned {
            value: defined,
            span,
        };
        match table.get_mut(&last.value).map(|found| &mut found.value) {
            None if is_list => {
                let value = Value::List(vec![new]);
                table.entries.push((last.clone(), Spanned { value, span }));
            }
            None => table.entries.push((last.clone(), new)),
            Some(Value::List(tables))
                if is_list && !tables.is_empty() && tables.iter().all(is_of_header) =>
            {
                tables.push(new);
            }
            Some(Value::Table(table)) if !is_list && !table.is_defined && !table.is_closed => {
                table.is_defined = true;
            }
            Some(_) => return Err(repeated(last)),
        }
        Ok(path)
    }

    /// Reads `key = value` into a table.
    fn pair(&mut self, table: &mut Table) -> Result<(), Fault> {
        let path = self.key()?;
        if !self.eat("=") {
            return Err(self.fault("expected `=`"));
        }
        self.skip(false);
        let value = self.value()?;
        let Some((last, above)) = path.split_last() else {
            return Err(self.fault("expected a key"));
        };
        let table = walk(table, above, true)?;
        if table.get(&last.value).is_some() {
            return Err(repeated(last));
        }
        table.entries.push((last.clone(), value));
        Ok(())
    }

    /// Reads a key, which can be dotted, and the white space after it.
    fn key(&mut self) -> Result<Vec<Spanned<String>>, Fault> {
        let mut path = Vec::new();
        loop {
            self.skip(false);
            let start = self.at;
            let value = if let Some(quote @ ('"' | '\'')) = self.peek() {
                self.text(quote, false)?
            } else {
                let is_sign = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
                let rest = self.rest();
                let length = rest.find(|c| !is_sign(c)).unwrap_or(rest.len());
                let word = rest.get(..length).unwrap_or_default().to_owned();
                if word.is_empty() {
                    return Err(self.fault("expected a key"));
                }
                self.at += length;
                word
            };
            let span = Span::new(start, self.at);
            path.push(Spanned { value, span });
            self.skip(false);
            if !self.eat(".") {
                return Ok(path);
            }
        }
    }

    fn value(&mut self) -> Result<Spanned<Value>, Fault> {
        let start = self.at;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.fault("the value is nested too deep"));
        }
        let value = match self.peek() {
            Some(quote @ ('"' | '\'')) => Value::Text(self.text(quote, true)?),
            Some('[') => self.list()?,
            Some('{') => self.table()?,
            _ => self.word()?,
        };
        self.depth -= 1;
        let span = Span::new(start, self.at);
        Ok(Spanned { value, span })
    }

    fn list(&mut self) -> Result<Value, Fault> {
        let start = self.at;
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip(true);
            if self.eat("]") {
                return Ok(Value::List(items));
            }
            if self.peek().is_none() {
                return Err(self.fault_at(Span::new(start, start + 1), "unclosed array"));
            }
            items.push(self.value()?);
            self.skip(true);
            if !self.eat(",") && self.peek() != Some(']') {
                let message = if self.peek().is_none() {
                    "unclosed array"
                } else {
                    "expected `,` or `]`"
                };
                return Err(self.fault(message));
            }
        }
    }

    fn table(&mut self) -> Result<Value, Fault> {
        self.at += 1;
        let mut table = Table::default();
        loop {
            self.skip(true);
            if self.eat("}") {
                table.is_closed = true;
                return Ok(Value::Table(table));
            }
            self.pair(&mut table)?;
            self.skip(true);
            if !self.eat(",") && self.peek() != Some('}') {
                return Err(self.fault("expected `,` or `}`"));
            }
        }
    }

    /// Reads a value without quotes.
    fn word(&mut self) -> Result<Value, Fault> {
        let rest = self.rest();
        let is_sign =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '_' | '.' | ':');
        let word = rest
            .get(..rest.find(|c| !is_sign(c)).unwrap_or(rest.len()))
            .unwrap_or_default();
        let value = match word {
            "" => return Err(self.fault("expected a value")),
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "inf" | "nan" | "+inf" | "+nan" | "-inf" | "-nan" => Value::Other,
            _ => {
                let span = Span::new(self.at, self.at + word.len());
                number(word).ok_or_else(|| self.fault_at(span, "a string needs quotes"))?
            }
        };
        self.at += word.len();
        Ok(value)
    }

    /// Reads a text in quotes. `lines`: it may be one of three quotes, with line ends.
    fn text(&mut self, quote: char, lines: bool) -> Result<String, Fault> {
        let start = self.at;
        let three = if quote == '"' { "\"\"\"" } else { "'''" };
        let is_long = lines && self.rest().starts_with(three);
        self.at += if is_long { 3 } else { 1 };
        if is_long && !self.eat("\n") {
            self.eat("\r\n");
        }
        let mut text = String::new();
        loop {
            let unclosed =
                |reader: &Self| reader.fault_at(Span::new(start, start + 1), "unclosed quote");
            let c = self.peek().ok_or_else(|| unclosed(self))?;
            if c == quote && is_long && self.rest().starts_with(three) {
                // Up to two quotes can stand before the three that close.
                let run = self.rest().chars().take_while(|c| *c == quote).count();
                self.at += run.min(5);
                text.extend(std::iter::repeat_n(quote, run.min(5) - 3));
                return Ok(text);
            }
            if c == '\n' && !is_long {
                return Err(unclosed(self));
            }
            let is_line_end = c == '\n' || is_long && self.rest().starts_with("\r\n");
            if c.is_control() && c != '\t' && !is_line_end {
                return Err(self.fault("a control character"));
            }
            self.at += c.len_utf8();
            match c {
                c if c == quote && !is_long => return Ok(text),
                '\\' if quote == '"' => self.escape(is_long, &mut text)?,
                c => text.push(c),
            }
        }
    }

    /// Reads what follows a backslash.
    fn escape(&mut self, is_long: bool, text: &mut String) -> Result<(), Fault> {
        let after = self.rest().trim_start_matches([' ', '\t']);
        if is_long && (after.starts_with('\n') || after.starts_with("\r\n")) {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
            return Ok(());
        }
        let wrong = self.fault("this is not an escape of TOML");
        let kind = self.peek().ok_or_else(|| wrong.clone())?;
        self.at += kind.len_utf8();
        let digits = match kind {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        text.push(match kind {
            'b' => '\u{8}',
            't' => '\t',
            'n' => '\n',
            'f' => '\u{c}',
            'r' => '\r',
            'e' => '\u{1b}',
            '"' | '\\' => kind,
            'x' | 'u' | 'U' => {
                let code = self
                    .rest()
                    .get(..digits)
                    .filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
                let code = code.and_then(|code| u32::from_str_radix(code, 16).ok());
                self.at += digits;
                code.and_then(char::from_u32).ok_or(wrong)?
            }
            _ => return Err(wrong),
        });
        Ok(())
    }
}

/// Returns whether a value of a list is a table that a header made.
fn is_of_header(value: &Spanned<Value>) -> bool {
    matches!(&value.value, Value::Table(table) if table.is_defined)
}

/// Reads a number or a date. `None` if the word is neither.
fn number(word: &str) -> Option<Value> {
    let (sign, unsigned) = match word.strip_prefix(['+', '-']) {
        Some(rest) => (word.get(..1), rest),
        None => (None, word),
    };
    let radix = [("0x", 16), ("0o", 8), ("0b", 2)];
    let prefixed = radix
        .iter()
        .find_map(|(start, radix)| Some((unsigned.strip_prefix(start)?, *radix)));
    let (digits, radix) = match (prefixed, sign) {
        (Some(_), Some(_)) => return None,
        (Some(found), None) => found,
        (None, _) => (unsigned, 10),
    };
    let is_grouped = !digits.starts_with('_') && !digits.ends_with('_') && !digits.contains("__");
    let plain = digits.replace('_', "");
    if is_grouped && !plain.is_empty() && plain.chars().all(|c| c.is_digit(radix)) {
        let has_zero = radix == 10 && plain.len() > 1 && plain.starts_with('0');
        let value = u64::from_str_radix(&plain, radix).ok();
        let value = value.filter(|value| sign != Some("-") || *value == 0);
        return (!has_zero).then_some(Value::Integer(value));
    }
    let is_other = unsigned.starts_with(|c: char| c.is_ascii_digit())
        && unsigned.contains(['.', ':', '-', 'e', 'E']);
    (is_other && prefixed.is_none()).then_some(Value::Other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn same(ours: &Value, theirs: &::toml::Value) -> bool {
        match (ours, theirs) {
            (Value::Text(ours), ::toml::Value::String(theirs)) => ours == theirs,
            (Value::Bool(ours), ::toml::Value::Boolean(theirs)) => ours == theirs,
            (Value::Integer(ours), ::toml::Value::Integer(theirs)) => {
                *ours == u64::try_from(*theirs).ok()
            }
            (Value::List(ours), ::toml::Value::Array(theirs)) => {
                let mut pairs = ours.iter().zip(theirs);
                ours.len() == theirs.len() && pairs.all(|(ours, theirs)| same(&ours.value, theirs))
            }
            (Value::Table(ours), ::toml::Value::Table(theirs)) => same_table(ours, theirs),
            (Value::Other, ::toml::Value::Float(_) | ::toml::Value::Datetime(_)) => true,
            _ => false,
        }
    }

    fn same_table(ours: &Table, theirs: &::toml::Table) -> bool {
        let has = |(key, value): &(Spanned<String>, Spanned<Value>)| {
            theirs
                .get(&key.value)
                .is_some_and(|theirs| same(&value.value, theirs))
        };
        ours.entries.len() == theirs.len() && ours.entries.iter().all(has)
    }

    /// A float or a date is not read, so what only looks like one is no fault here. The library has no number above 63 bits.
    fn agree(text: &str) -> Result<(), TestCaseError> {
        match (parse(text), text.parse::<::toml::Table>()) {
            (Ok(ours), Ok(theirs)) => {
                prop_assert!(same_table(&ours, &theirs), "{text}\n{ours:#?}\n{theirs:#?}");
            }
            (Ok(ours), Err(error)) => {
                let written = format!("{ours:?}");
                let is_odd = written.contains("Other")
                    || written.contains("18446744073709551615")
                    || error.to_string().contains("integer");
                prop_assert!(is_odd, "{text}\n{ours:#?}\n{error}");
            }
            (Err(fault), Ok(theirs)) => prop_assert!(false, "{text}\n{fault:?}\n{theirs:#?}"),
            (Err(_), Err(_)) => {}
        }
        Ok(())
    }

    #[test]
    fn each_kind_of_value_is_read_as_by_the_library() {
        for text in [
            "a = 1\nb = 0x1F\nc = -3\nd = +1_000\ne = 1.5\nf = 2020-01-01\ng = 07:32:00\n",
            "a = \"b\\tc\\u00e9\\\\\"\nb = 'c\\d'\nc = \"\"\"\nd\\\n   e\"\"\"\"\nd = '''\nf'''\n",
            "a = [1, [2, 'x'], # c\n {b = 1, c.d = true},\n]\n",
            "[a]\nb = 1\n[a.c]\nd = 2\n[[e]]\nf = 1\n[[e]]\nf = 2\n[e.g]\nh = 3\n",
            "a.b = 1\na.\"c d\" = 2\r\n'e' = 3\r\n",
            "a = 1\na = 2\n",
            "[a]\n[a]\n",
            "a = [\n",
            "a = \"b\n",
            "a = b\n",
            "a = 1 2\n",
            "= 1\n",
            "a = {b = 1,\n c = 2}\n",
            "a = 01\n",
            "a = 18446744073709551616\n",
            "a = []\n[[a]]\n",
        ] {
            agree(text).expect(text);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_by_the_library(parts in prop::collection::vec(prop::sample::select(&[
            "a", "b", "c.d", "\"e f\"", "'g'", " = ", "=", " ", "\n", "\r\n", "1", "0x1f", "-2", "1_0", "true", "false", "\"t\\n\"",
            "'u'", "\"\"\"\nv\"\"\"", "'''w'''", "[", "]", "[[", "]]", "{", "}", ", ", ",", "# x\n", ".", "a = 1\n", "[a]\n", "[[b]]\n",
            "[a.b]\n", "c = []\n", "d = {e = 1}\n", "d.f = 2\n", "\\", "é", "\t", "\u{1}",
        ][..]), 0..14)) {
            agree(&parts.concat())?;
        }
    }
}
