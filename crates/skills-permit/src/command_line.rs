//! Reads a command line that a rule approves: one simple command, whose text is all that a shell does with it.

use crate::harmless::{harmless_options, is_harmless};
use crate::power::cover::{BUNDLED, SCRIPTED};

// A list of what is dangerous would never be complete, so the characters and forms that are read are listed.
// Everything else is not approved, and the host's gate asks. Operators and expansions are refused inside quotes
// too: `cmd.exe` does not know single quotes.

/// A word of a command line.
#[derive(Debug, PartialEq, Eq)]
struct Word {
    text: String,
    is_quoted: bool,
}

/// Returns whether a command line is one simple command that the pattern admits. Without a pattern, any
/// simple command is admitted.
pub(crate) fn is_approved_command(pattern: Option<&str>, line: &str) -> bool {
    let Some(words) = read(line) else {
        return false;
    };
    let Some((named, tail)) = pattern.map_or(Some((Vec::new(), Tail::Open)), named) else {
        return false;
    };
    let (Some(beginning), Some(rest)) = (words.get(..named.len()), words.get(named.len()..)) else {
        return false;
    };
    let is_same = |(word, named): (&Word, &&str)| match *named {
        // A star in the middle stands for an argument, and not for an option.
        "*" => is_argument(&word.text),
        named => !word.is_quoted && word.text == named,
    };
    beginning.iter().zip(&named).all(is_same)
        && (tail == Tail::Open || rest.is_empty())
        && may_follow(&words, rest)
}

/// The words that may follow the words of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tail {
    Nothing,
    Open,
}

/// Reads a pattern: its words, and what may follow them. `None`: the pattern has a form that is not read.
fn named(pattern: &str) -> Option<(Vec<&str>, Tail)> {
    let pattern = pattern.trim();
    let open = pattern
        .strip_suffix(":*")
        .or_else(|| pattern.strip_suffix(" *"));
    let (text, tail) = match open {
        Some(text) => (text, Tail::Open),
        None if pattern == "*" => ("", Tail::Open),
        None => (pattern, Tail::Nothing),
    };
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    // `git diff*` would also be `git difftool`.
    let is_read = |word: &&str| *word == "*" || word.chars().all(is_plain);
    let begins = words.first().is_none_or(|first| *first != "*");
    (begins && words.iter().all(is_read) && (tail == Tail::Open || !words.is_empty()))
        .then_some((words, tail))
}

/// Returns whether the words behind a pattern only say what the command works on. `rest` are the last of the `words`.
fn may_follow(words: &[Word], rest: &[Word]) -> bool {
    if rest.is_empty() {
        return true;
    }
    let text = |place: usize| words.get(place).map_or("", |word| &*word.text);
    // Another path of the same program has the same options.
    let program = text(0).rsplit('/').next().unwrap_or_default();
    let named = words.len() - rest.len();
    if SCRIPTED.contains(&program) && !is_script_known(words, named)
        || BUNDLED.contains(&program) && named < 2
    {
        return false;
    }
    let harmless = harmless_options(program, text(1));
    // Without a pattern, the program too stands behind it, and is no argument.
    let mut arguments = words.iter().skip(named.max(1));
    arguments.all(|word| match harmless {
        Some(harmless) if word.text.starts_with('-') => {
            !word.is_quoted && is_harmless(harmless, &word.text)
        }
        // `cargo clippy -- @file` reads the options of the compiler from a file.
        Some(_) => !word.text.starts_with('@'),
        None => is_argument(&word.text),
    })
}

/// Returns whether a word is no option of any program: `-x`, `+x`, the variable `NAME=VALUE` of `make`, and `@file`,
/// from which compilers read options.
fn is_argument(word: &str) -> bool {
    let is_variable = word
        .split_once('=')
        .is_some_and(|(name, _)| !name.contains('/'));
    !word.starts_with(['-', '+', '@']) && !is_variable
}

/// Returns whether the script of a command of [`SCRIPTED`] stands in the rule, or only prints lines: `sed -n 1,20p x`.
fn is_script_known(words: &[Word], named: usize) -> bool {
    let is_option = |word: &Word| word.text.starts_with('-');
    let in_rule = words.get(1..named).unwrap_or_default();
    if in_rule.last().is_some_and(|word| !is_option(word)) {
        return true;
    }
    let prints = |script: &str| {
        let range = script.strip_suffix('p').unwrap_or_default();
        !range.is_empty()
            && range
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b',')
    };
    let script = words.iter().skip(1).find(|word| !is_option(word));
    let prints = script.is_none_or(|word| prints(&word.text));
    prints && in_rule.iter().all(|word| word.text == "-n")
}

/// Reads a line as one simple command. `None`: the line is another thing, or its meaning is not certain.
fn read(line: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut chars = line.trim_matches(' ').chars().peekable();
    while chars.peek().is_some() {
        let mut word = Word {
            text: String::new(),
            is_quoted: false,
        };
        while let Some(c) = chars.next_if(|c| *c != ' ') {
            match c {
                '\'' | '"' if word.text.is_empty() || is_value(&word.text) => {
                    word.is_quoted = word.text.is_empty();
                    let mut is_closed = false;
                    for inner in chars.by_ref() {
                        if inner == c {
                            is_closed = true;
                            break;
                        }
                        if !is_plain_in_quotes(inner) {
                            return None;
                        }
                        word.text.push(inner);
                    }
                    // Text directly after the quotes belongs to the word: `'a'b`.
                    if !is_closed || chars.peek().is_some_and(|c| *c != ' ') {
                        return None;
                    }
                    break;
                }
                c if is_plain(c) || is_plain_inside(c, &word.text) => word.text.push(c),
                _ => return None,
            }
        }
        words.push(word);
        while chars.next_if_eq(&' ').is_some() {}
    }
    let program = words.first()?;
    let is_program = !program.is_quoted && !program.text.contains('=') && !program.text.is_empty();
    let is_word = |word: &Word| !word.text.starts_with('=');
    (is_program && words.iter().all(is_word)).then_some(words)
}

/// Returns whether a word is a long option up to its value: `--format=`.
fn is_value(text: &str) -> bool {
    let name = text
        .strip_prefix("--")
        .and_then(|rest| rest.strip_suffix('='));
    name.is_some_and(|name| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    })
}

/// Returns whether a character means only itself, at any place of a word.
fn is_plain(c: char) -> bool {
    match c {
        '_' | '-' | '.' | '/' | ':' | ',' | '=' | '+' | '@' | '%' => true,
        c => c.is_alphanumeric(),
    }
}

/// Returns whether a character means only itself after the beginning of a word: `HEAD~1`, `HEAD^`.
fn is_plain_inside(c: char, before: &str) -> bool {
    matches!(c, '~' | '^') && !before.is_empty() && !before.ends_with(['=', ':', '@'])
}

fn is_plain_in_quotes(c: char) -> bool {
    match c {
        '&' | '|' | ';' | '<' | '>' | '$' | '`' | '\\' | '!' | '\'' | '"' => false,
        ' '..='\u{7e}' => true,
        c => c.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simple_command_is_read_word_by_word() {
        let texts = |line: &str| {
            let words = read(line)?.into_iter().map(|word| word.text);
            Some(words.collect::<Vec<_>>().join("|"))
        };
        for (line, words) in [
            ("git log", "git|log"),
            (" git  log ", "git|log"),
            ("git commit -m \"fix the bug\"", "git|commit|-m|fix the bug"),
            ("git log --format='%h %s'", "git|log|--format=%h %s"),
            ("git log --word-diff='a b'", "git|log|--word-diff=a b"),
            ("git diff HEAD~1 HEAD^", "git|diff|HEAD~1|HEAD^"),
            ("grep -rn 'a.*b' src", "grep|-rn|a.*b|src"),
            ("echo ''", "echo|"),
        ] {
            assert_eq!(texts(line).as_deref(), Some(words), "{line}");
        }
        for line in ["git log --a_b='c'", "git log x='c'", "x'c'"] {
            assert_eq!(texts(line), None, "{line}");
        }
    }

    #[test]
    fn patterns() {
        for (pattern, named_words, tail) in [
            ("git log:*", "git log", Tail::Open),
            ("git log *", "git log", Tail::Open),
            ("npm run test", "npm run test", Tail::Nothing),
            ("git * main", "git * main", Tail::Nothing),
            ("*", "", Tail::Open),
            (":*", "", Tail::Open),
        ] {
            let words: Vec<&str> = named_words.split_whitespace().collect();
            assert_eq!(named(pattern), Some((words, tail)), "{pattern}");
        }
        for pattern in ["", "git diff*", "* x", "a && b", "a $B", "a 'b'", "a?"] {
            assert_eq!(named(pattern), None, "{pattern}");
        }
    }
}
