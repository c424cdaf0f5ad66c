//! Splits shell text into commands and words, as far as documentation needs it.

use std::mem;

/// Words before a command that are none of it.
const LEADERS: &[&str] = &[
    "!", "command", "do", "elif", "else", "exec", "if", "nohup", "sudo", "then", "time", "until",
    "while",
];

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// The byte offset in the text.
    pub(crate) at: usize,
    /// Without quotes.
    pub(crate) text: String,
    /// It stands for something else, in full or in part: `$NAME`, `<id>`, `*.md`, `...`, `ID`.
    pub(crate) open: bool,
}

/// The words of each command, without variables and [`LEADERS`] before it, redirections and comments.
pub(crate) fn commands(text: &str) -> Vec<Vec<Word>> {
    let mut lexer = Lexer {
        text,
        ..Lexer::default()
    };
    lexer.read();
    lexer.commands
}

#[derive(Default)]
struct Lexer<'a> {
    text: &'a str,
    at: usize,
    commands: Vec<Vec<Word>>,
    words: Vec<Word>,
    word: Option<Word>,
    /// The next word is the file of a redirection.
    redirected: bool,
    /// Inside of the brackets of `[--force]`.
    optional: bool,
    /// The ends of here-documents whose text begins on the next line.
    documents: Vec<&'a str>,
}

impl<'a> Lexer<'a> {
    fn read(&mut self) {
        while let Some(next) = self.rest().chars().next() {
            let start = self.at;
            self.at += next.len_utf8();
            match next {
                '\n' => {
                    self.end_command();
                    self.skip_documents();
                }
                ' ' | '\t' | '\r' => self.end_word(),
                '|' if self.optional => self.end_word(),
                '[' if self.word.is_none() && self.rest().starts_with('-') => self.optional = true,
                ']' if self.optional => {
                    self.end_word();
                    self.optional = false;
                }
                ';' | '|' | '&' | ')' => self.end_command(),
                '(' if self.word.is_none() && self.words.is_empty() => {}
                '#' if self.word.is_none() => self.at += self.line().len(),
                '\\' => match self.rest().chars().next() {
                    Some(escaped) => {
                        self.at += escaped.len_utf8();
                        if escaped != '\n' {
                            self.push(start, escaped);
                        }
                    }
                    None => _ = self.push(start, '\\'),
                },
                '\'' | '"' => self.quoted(start, next),
                '>' => self.redirect(),
                '<' => self.less(start),
                '$' if self.rest().starts_with('(') => {
                    self.at += 1;
                    self.substitution(start, ')');
                }
                '`' => self.substitution(start, '`'),
                '[' | '{' | '(' => self.group(start, next),
                '$' | '*' | '?' | '…' => self.push(start, next).open = true,
                _ => _ = self.push(start, next),
            }
        }
        self.end_command();
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// What is left of the line.
    fn line(&self) -> &'a str {
        self.rest().split('\n').next().unwrap_or_default()
    }

    fn push(&mut self, start: usize, letter: char) -> &mut Word {
        let word = self.word.get_or_insert_with(|| Word {
            at: start,
            ..Word::default()
        });
        word.text.push(letter);
        word
    }

    fn end_word(&mut self) {
        let Some(mut word) = self.word.take() else {
            return;
        };
        if mem::take(&mut self.redirected) {
            return;
        }
        let capital = |letter: char| letter.is_ascii_uppercase() || "_-".contains(letter);
        word.open |= word.text.contains("...")
            || (word.text.len() > 1
                && !word.text.starts_with('-')
                && word.text.chars().all(capital));
        let is_before = LEADERS.contains(&word.text.as_str()) || is_assignment(&word.text);
        if !(self.words.is_empty() && is_before) {
            self.words.push(word);
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.redirected = false;
        self.optional = false;
        if !self.words.is_empty() {
            self.commands.push(mem::take(&mut self.words));
        }
    }

    /// A quotation. An apostrophe that nothing closes is a letter.
    fn quoted(&mut self, start: usize, quote: char) {
        let mut letters = self.rest().char_indices();
        let mut inside = Vec::new();
        while let Some((at, letter)) = letters.next() {
            if letter == quote {
                let word = self.word.get_or_insert_with(|| Word {
                    at: start,
                    ..Word::default()
                });
                word.open |= quote == '"' && inside.iter().any(|letter| "$`".contains(*letter));
                word.open |= inside.contains(&'<') || inside.contains(&'…');
                word.text.extend(inside);
                self.at += at + 1;
                return;
            }
            if letter == '\\' && quote == '"' {
                inside.extend(letters.next().map(|(_, escaped)| escaped));
            } else {
                inside.push(letter);
            }
        }
        self.push(start, quote);
    }

    fn redirect(&mut self) {
        // `2>`: the number belongs to the redirection.
        if self
            .word
            .as_ref()
            .is_some_and(|word| word.text.bytes().all(|byte| byte.is_ascii_digit()))
        {
            self.word = None;
        }
        self.end_word();
        self.at += self.rest().len() - self.rest().trim_start_matches(['>', '&', '|']).len();
        self.redirected = true;
    }

    /// `<NAME>`, a here-document, or a redirection.
    fn less(&mut self, start: usize) {
        let line = self.line();
        if let Some(end) = line.find('>')
            && line.starts_with(|first: char| first.is_alphanumeric() || first == '-')
            && !line[..end].ends_with(' ')
        {
            self.open(start, end + 1);
        } else if line.starts_with('<') && !line.starts_with("<<") {
            let word = line[1..].trim_start_matches(['-', '~', ' ']);
            let end = word
                .find([' ', '\t', ';', '|', '&', '>', ')'])
                .unwrap_or(word.len());
            self.documents
                .push(word[..end].trim_matches(['\'', '"', '\\', '\r']));
            self.end_word();
            self.at += line.len() - word.len() + end;
        } else {
            self.end_word();
            self.at += line.len() - line.trim_start_matches('<').len();
            self.redirected = true;
        }
    }

    fn skip_documents(&mut self) {
        for end in mem::take(&mut self.documents) {
            while !self.rest().is_empty() {
                let line = self.line();
                self.at = (self.at + line.len() + 1).min(self.text.len());
                if line.trim() == end {
                    break;
                }
            }
        }
    }

    /// The commands of `$(…)` come before the one that they stand in.
    fn substitution(&mut self, start: usize, close: char) {
        let inside = self.rest();
        let mut depth = 0_usize;
        let end = inside.char_indices().find(|(_, letter)| {
            let closes = *letter == close && depth == 0;
            match letter {
                '(' if close == ')' => depth += 1,
                ')' if close == ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            closes
        });
        let Some((end, _)) = end else {
            self.push(start, '$').open = true;
            return;
        };
        for mut words in commands(&inside[..end]) {
            for word in &mut words {
                word.at += self.at;
            }
            self.commands.push(words);
        }
        self.push(start, '$').open = true;
        self.at += end + 1;
    }

    /// `{a,b}`, `[NAME]`, `(a|b)` to their end on the line.
    fn group(&mut self, start: usize, open: char) {
        let close = match open {
            '[' => ']',
            '{' => '}',
            _ => ')',
        };
        let end = self
            .line()
            .find(close)
            .map_or(0, |end| end + close.len_utf8());
        self.open(start, end);
    }

    /// The letter before and some more bytes stand for something else.
    fn open(&mut self, start: usize, more: usize) {
        let word = self.word.get_or_insert_with(|| Word {
            at: start,
            ..Word::default()
        });
        word.text.push_str(&self.text[start..self.at + more]);
        word.open = true;
        self.at += more;
    }
}

fn is_assignment(word: &str) -> bool {
    let name = |name: &str| {
        !name.is_empty()
            && !name.starts_with(|first: char| first.is_ascii_digit())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    word.split_once('=').is_some_and(|(before, _)| name(before))
}

#[cfg(test)]
mod tests {
    use super::commands;

    /// The commands of a text, each word in brackets, with `~` before those that stand for something else.
    fn split(text: &str) -> Vec<String> {
        let word =
            |word: &super::Word| format!("{}{}", if word.open { "~" } else { "" }, word.text);
        commands(text)
            .iter()
            .map(|words| words.iter().map(word).collect::<Vec<_>>().join(" · "))
            .collect()
    }

    #[test]
    fn words_and_commands() {
        for (text, expected) in [
            ("a b 'c d' \"e f\" g\\ h", &["a · b · c d · e f · g h"][..]),
            ("a b \\\n  c", &["a · b · c"]),
            ("a | b && c; d & e\nf", &["a", "b", "c", "d", "e", "f"]),
            ("a # b | c\nd#e", &["a", "d#e"]),
            ("A=1 B='x y' sudo a C=2", &["a · C=2"]),
            ("if a b; then c; fi", &["a · b", "c", "fi"]),
            ("a > b 2>&1 c >>d", &["a · c"]),
            ("a < b c <<< d", &["a · c"]),
            ("a <<EOF c\nb\nEOF\nd", &["a · c", "d"]),
            ("a <<-'END'\nb\n\tEND\nd", &["a", "d"]),
            ("a <b>", &["a · ~<b>"]),
            ("a --b=<c|d> <e f>", &["a · ~--b=<c|d> · ~<e f>"]),
            ("a [--b|--c <d>] [e]", &["a · --b · --c · ~<d> · ~[e]"]),
            (
                "a {b,c} (d|e) $f ${g} *.h i... J K_L",
                &["a · ~{b,c} · ~(d|e) · ~$f · ~${g} · ~*.h · ~i... · J · ~K_L"],
            ),
            ("a $(b c $(d)) e", &["d", "b · c · ~$", "a · ~$ · e"]),
            ("a `b c` d", &["b · c", "a · ~$ · d"]),
            ("(a b) ; c", &["a · b", "c"]),
            ("a don't \"b", &["a · don't · \"b"]),
            ("a \"$b\" '$c'", &["a · ~$b · $c"]),
            ("a $(b", &["a · ~$b"]),
            ("a [b <c", &["a · ~[b"]),
        ] {
            assert_eq!(split(text), expected, "{text}");
        }
    }

    #[test]
    fn offsets_are_those_of_the_words() {
        let text = "é a $(b 'c') \\\n d";
        for word in commands(text).concat() {
            if !word.open {
                let first = word.text.chars().next().expect("words have letters");
                assert!(
                    text[word.at..].trim_start_matches('\'').starts_with(first),
                    "{word:?}"
                );
            }
        }
    }
}
