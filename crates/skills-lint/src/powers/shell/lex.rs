//! Cuts code of a shell into words and operators, with quotes resolved.

use crate::powers::word::Word;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A word, and the offset of its end.
    Word(Word, usize),
    /// An operator: `|`, `;` (also a line end, `&&`, `||`, `&`), `(`, `)`, `>`, `<`, `<<<`.
    Operator(&'static str),
    /// The text of a here-document, its line, and whether variables are put in.
    Document { text: String, line: usize },
}

/// What stands in words and here-documents, wherever it is.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The commands in `$(…)`, backquotes and `<(…)`, each with its line.
    pub(crate) commands: Vec<(String, usize)>,
    /// The variables that are put in, each with its line.
    pub(crate) variables: Vec<(String, usize)>,
    /// `${!name}`: a variable whose name is computed.
    pub(crate) indirect: Vec<(String, usize)>,
    /// A quotation mark, a bracket or a document is not closed: what follows it may have been read in another way than a shell does.
    pub(crate) is_open: bool,
}

/// Cuts code into tokens.
pub(crate) fn lex(code: &str, line: usize) -> (Vec<Token>, Found) {
    let mut lexer = Lexer::new(code, line);
    lexer.run();
    (lexer.tokens, lexer.found)
}

struct Lexer<'c> {
    code: &'c str,
    at: usize,
    line: usize,
    word: Option<Word>,
    tokens: Vec<Token>,
    /// The here-documents that begin after this line: the place of the token, the end, and whether variables are put in.
    documents: Vec<(usize, String, bool)>,
    found: Found,
    /// How many expansions this text is inside of: `${a:-${b:-…}}`.
    depth: usize,
}

/// Deeper expansions are not read, and their code counts as one that may be read in another way.
const MAX_DEPTH: usize = 32;

impl<'c> Lexer<'c> {
    fn new(code: &'c str, line: usize) -> Self {
        Self {
            code,
            at: 0,
            line,
            word: None,
            tokens: Vec::new(),
            documents: Vec::new(),
            found: Found::default(),
            depth: 0,
        }
    }
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.code.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn run(&mut self) {
        while let Some(c) = self.peek() {
            match c {
                '\\' => self.escape(),
                '\n' => self.line_end(),
                ' ' | '\t' | '\r' => {
                    self.end_word();
                    self.next();
                }
                '#' if self.word.is_none() => {
                    let end = self.rest().find('\n').unwrap_or(self.rest().len());
                    self.at += end;
                }
                '\'' => self.single(),
                '"' => self.double(),
                '$' | '`' => self.dollar(),
                '<' | '>' => self.redirect(c),
                '|' | ';' | '&' | '(' | ')' => self.operator(c),
                c => {
                    self.next();
                    self.push(c);
                }
            }
        }
        self.end_word();
    }

    fn word(&mut self) -> &mut Word {
        let line = self.line;
        self.word.get_or_insert_with(|| Word {
            line,
            ..Word::default()
        })
    }

    fn push(&mut self, c: char) {
        self.word().text.push(c);
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take() {
            self.tokens.push(Token::Word(word, self.at));
        }
    }

    fn escape(&mut self) {
        self.next();
        match self.next() {
            Some('\n') | None => {}
            Some('\r') if self.peek() == Some('\n') => {
                self.next();
            }
            Some(c) => self.push(c),
        }
    }

    fn line_end(&mut self) {
        self.end_word();
        self.next();
        for (token, end, is_expanded) in std::mem::take(&mut self.documents) {
            let line = self.line;
            let mut text = String::new();
            while let Some(row) = self.rest().split_inclusive('\n').next().map(str::to_owned) {
                self.at += row.len();
                self.line += usize::from(row.ends_with('\n'));
                let whole = row.trim_end_matches(['\r', '\n']).trim_start_matches('\t');
                if whole == end {
                    break;
                }
                text.push_str(&row);
            }
            if is_expanded {
                self.expansions(&text, line);
            }
            if let Some(place) = self.tokens.get_mut(token) {
                *place = Token::Document { text, line };
            }
        }
        self.tokens.push(Token::Operator(";"));
    }

    /// Finds the variables and commands of a text that stands between double quotation marks.
    fn expansions(&mut self, text: &str, line: usize) {
        if self.depth >= MAX_DEPTH {
            self.found.is_open = true;
            return;
        }
        let mut inner = Lexer::new(text, line);
        inner.depth = self.depth + 1;
        while let Some(c) = inner.peek() {
            match c {
                '\\' => {
                    inner.next();
                    inner.next();
                }
                '$' | '`' => inner.dollar(),
                _ => {
                    inner.next();
                }
            }
        }
        self.found.is_open |= inner.found.is_open;
        self.found.commands.extend(inner.found.commands);
        self.found.indirect.extend(inner.found.indirect);
        self.found.variables.extend(inner.found.variables);
    }

    fn single(&mut self) {
        self.next();
        let rest = self.rest();
        // An apostrophe in text that is no code ends with its line.
        let closed = rest.find('\'');
        let end = closed.unwrap_or_else(|| rest.find('\n').unwrap_or(rest.len()));
        let inside = rest.get(..end).unwrap_or_default().to_owned();
        self.found.is_open |= closed.is_none();
        self.word().is_quoted = true;
        self.word().text.push_str(&inside);
        self.line += inside.matches('\n').count();
        self.at += end;
        if self.peek() == Some('\'') {
            self.next();
        }
    }

    fn double(&mut self) {
        self.next();
        self.word().is_quoted = true;
        while let Some(c) = self.peek() {
            match c {
                '"' => {
                    self.next();
                    return;
                }
                '\\' => {
                    self.next();
                    match self.next() {
                        Some('\n') | None => {}
                        Some(c @ ('$' | '`' | '"' | '\\')) => self.push(c),
                        Some(c) => {
                            self.push('\\');
                            self.push(c);
                        }
                    }
                }
                '$' | '`' => self.dollar(),
                c => {
                    self.next();
                    self.push(c);
                }
            }
        }
        self.found.is_open = true;
    }

    fn dollar(&mut self) {
        let start = self.at;
        let line = self.line;
        if self.next() == Some('`') {
            let rest = self.rest();
            let end = rest.find('`').unwrap_or(rest.len());
            let inside = rest.get(..end).unwrap_or_default().to_owned();
            self.line += inside.matches('\n').count();
            self.at = (self.at + end + 1).min(self.code.len());
            self.found.commands.push((inside, line));
            return self.computed(start);
        }
        match self.peek() {
            Some('(') => {
                let inside = self.balanced('(', ')');
                if let Some(sum) = inside.strip_prefix('(') {
                    self.expansions(sum, line);
                } else {
                    self.found.commands.push((inside, line));
                }
                self.computed(start);
            }
            Some('{') => {
                let inside = self.balanced('{', '}');
                if inside.starts_with('!') && !inside.ends_with(['*', '@', ']']) {
                    self.found.indirect.push((inside.clone(), line));
                }
                let end = inside.find(|c: char| !is_name(c)).unwrap_or(inside.len());
                let (name, default) = inside.split_at(end);
                self.variable(name, line);
                let default = default.to_owned();
                self.expansions(&default, line);
                self.computed(start);
            }
            // Text with escapes of C: `$'\x63url'`. It is not decoded.
            Some('\'') if self.word.as_ref().is_none_or(|word| !word.is_quoted) => {
                self.next();
                while let Some(c) = self.next().filter(|c| *c != '\'') {
                    if c == '\\' {
                        self.next();
                    }
                }
                self.computed(start);
            }
            Some(c) if is_name(c) => {
                let rest = self.rest();
                let end = if c.is_ascii_digit() {
                    1
                } else {
                    rest.find(|c: char| !is_name(c)).unwrap_or(rest.len())
                };
                let name = rest.get(..end).unwrap_or_default().to_owned();
                self.at += end;
                self.variable(&name, line);
                self.computed(start);
            }
            Some('@' | '*' | '#' | '?' | '$' | '!') => {
                self.next();
                self.computed(start);
            }
            _ => self.push('$'),
        }
    }

    fn variable(&mut self, name: &str, line: usize) {
        if !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) {
            self.found.variables.push((name.to_owned(), line));
        }
    }

    /// Adds the text since an offset, which is computed.
    fn computed(&mut self, start: usize) {
        let written = self.code.get(start..self.at).unwrap_or_default().to_owned();
        let word = self.word();
        word.is_computed = true;
        word.text.push_str(&written);
    }

    /// Returns the inside of brackets, quotes respected. The opening bracket is next.
    fn balanced(&mut self, open: char, close: char) -> String {
        self.next();
        let start = self.at;
        let mut depth = 1_usize;
        let mut quote = None;
        while let Some(c) = self.next() {
            match (c, quote) {
                ('\\', Some('"') | None) => {
                    self.next();
                }
                (c, Some(q)) if c == q => quote = None,
                ('\'' | '"', None) if open == '(' => quote = Some(c),
                (c, None) if c == open => depth += 1,
                (c, None) if c == close => {
                    depth -= 1;
                    if depth == 0 {
                        return self
                            .code
                            .get(start..self.at - 1)
                            .unwrap_or_default()
                            .to_owned();
                    }
                }
                _ => {}
            }
        }
        self.found.is_open = true;
        self.code.get(start..).unwrap_or_default().to_owned()
    }

    fn redirect(&mut self, c: char) {
        let rest = self.rest();
        if rest.starts_with("<(") || rest.starts_with(">(") {
            let (start, line) = (self.at, self.line);
            self.next();
            let inside = self.balanced('(', ')');
            self.found.commands.push((inside, line));
            return self.computed(start);
        }
        // A blank of a document: `--source <ProjectDir> <Name>/<Name>.x`.
        if let Some(end) = blank(self.rest()) {
            let text = self.rest().get(..end).unwrap_or_default().to_owned();
            self.at += end;
            self.word().text.push_str(&text);
            return;
        }
        // `2>` and `>&2`: the number is no word.
        if self
            .word
            .as_ref()
            .is_some_and(|word| word.text.chars().all(|c| c.is_ascii_digit()) && !word.is_quoted)
        {
            self.word = None;
        }
        self.end_word();
        if self.rest().starts_with("<<<") {
            self.at += 3;
            return self.tokens.push(Token::Operator("<<<"));
        }
        if self.rest().starts_with("<<") {
            self.at += 2;
            return self.document();
        }
        let signs = self
            .rest()
            .chars()
            .take_while(|other| "<>&|".contains(*other));
        self.at += signs.take(2).count();
        let operator = if c == '<' { "<" } else { ">" };
        self.tokens.push(Token::Operator(operator));
    }

    fn document(&mut self) {
        let rest = self
            .rest()
            .trim_start_matches('-')
            .trim_start_matches([' ', '\t']);
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&' | ')' | '>'))
            .unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default();
        let is_plain = !name.contains(['\'', '"', '\\']);
        let name: String = name
            .chars()
            .filter(|c| !matches!(c, '\'' | '"' | '\\'))
            .collect();
        self.at += self.rest().len() - rest.len() + end;
        if !name.is_empty() {
            self.documents.push((self.tokens.len(), name, is_plain));
            // The text follows after the line, and is filled in there: it belongs to this command.
            self.tokens.push(Token::Document {
                text: String::new(),
                line: self.line,
            });
        }
    }

    fn operator(&mut self, c: char) {
        self.end_word();
        self.next();
        let second = self.peek();
        let operator = match (c, second) {
            ('|', Some('|')) | ('&', Some('&')) | (';', Some(';')) => {
                self.next();
                ";"
            }
            ('|', Some('&')) => {
                self.next();
                "|"
            }
            ('&', Some('>')) => {
                self.next();
                if self.peek() == Some('>') {
                    self.next();
                }
                ">"
            }
            ('|', _) => "|",
            ('(', _) => "(",
            (')', _) => ")",
            _ => ";",
        };
        self.tokens.push(Token::Operator(operator));
    }
}

/// Returns the end of a blank at the beginning: `<name>`, `<pr-number|url>`.
fn blank(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('<')?;
    let end = inside.find('>')?;
    let name = inside.get(..end)?;
    let is_blank = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '|' | ' '))
        && name.len() < 60;
    is_blank.then_some(end + 2)
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(code: &str) -> Vec<String> {
        let (tokens, _) = lex(code, 1);
        let text = tokens.into_iter().map(|token| match token {
            Token::Word(word, _) => word.text,
            Token::Operator(operator) => operator.to_owned(),
            Token::Document { text, .. } => format!("<<{text}"),
        });
        text.collect()
    }

    #[test]
    fn quotes_and_operators() {
        assert_eq!(
            words(r#"c\url "a b" 'c d'|sh 2>/dev/null"#),
            ["curl", "a b", "c d", "|", "sh", ">", "/dev/null"]
        );
        assert_eq!(words("a \\\n b # c\nd"), ["a", "b", ";", "d"]);
        assert_eq!(words(r"$'\x63\'rl' x"), [r"$'\x63\'rl'", "x"]);
        assert_eq!(
            words("cu''rl \"$A\" ${B:-c d}"),
            ["curl", "$A", "${B:-c d}"]
        );
        assert_eq!(words("a <<'E'\nb $c\nE\nd"), ["a", "<<b $c\n", ";", "d"]);
        assert_eq!(
            words("a && b & c; (d)"),
            ["a", ";", "b", ";", "c", ";", "(", "d", ")"]
        );
    }

    #[test]
    fn what_is_put_in() {
        let (_, found) = lex(
            "a $(b \"$(c)\") `d` <(e) '$F' \"$G\" ${!H}\ncat <<E\n$I $(j)\nE\n",
            1,
        );
        let commands: Vec<&str> = found
            .commands
            .iter()
            .map(|(code, _)| code.as_str())
            .collect();
        assert_eq!(commands, ["b \"$(c)\"", "d", "e", "j"]);
        let names: Vec<(&str, usize)> = found
            .variables
            .iter()
            .map(|(name, line)| (name.as_str(), *line))
            .collect();
        assert_eq!(names, [("G", 1), ("I", 3)]);
        assert_eq!(found.indirect.len(), 1);
    }
}
