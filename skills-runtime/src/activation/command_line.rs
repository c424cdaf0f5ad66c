//! Reads a command line that a rule approves: one simple command, whose text is all that a shell does with it.

// A list of what is dangerous would never be complete, so the characters and forms that are read are listed.
// Everything else is not approved, and the host's gate asks. Operators and expansions are refused inside quotes
// too: `cmd.exe` does not know single quotes.

/// A word of a command line.
#[derive(Debug, PartialEq, Eq)]
struct Word {
    text: String,
    is_quoted: bool,
}

/// Programs whose options stand before their arguments, and which have no sub-commands.
const WITHOUT_SUBCOMMANDS: &[&str] = &[
    "basename", "cat", "cp", "cut", "date", "df", "diff", "dirname", "du", "echo", "eslint", "fd",
    "file", "find", "grep", "head", "jq", "ls", "make", "mkdir", "mv", "node", "prettier",
    "printf", "pwd", "pytest", "python", "python3", "readlink", "realpath", "rg", "rm", "ruff",
    "sed", "sort", "stat", "tail", "test", "touch", "tr", "tree", "tsc", "uniq", "wc", "which",
];

/// Options with which a command that reads runs a program, reads other settings or writes a file.
const OPTIONS: &[&str] = &[
    "--checkpoint-action",
    "--command",
    "--config",
    "--config-env",
    "--editor",
    "--eval",
    "--exec",
    "--exec-batch",
    "--exec-path",
    "--ext-diff",
    "--git-dir",
    "--hostname-bin",
    "--init-file",
    "--no-index",
    "--open-files-in-pager",
    "--output",
    "--pager",
    "--pre",
    "--rcfile",
    "--receive-pack",
    "--rsh",
    "--script-shell",
    "--textconv",
    "--to-command",
    "--upload-pack",
    "--use-compress-program",
    "--work-tree",
    "-delete",
    "-exec",
    "-execdir",
    "-fls",
    "-fprint",
    "-fprint0",
    "-fprintf",
    "-ok",
    "-okdir",
];

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
        "*" => !word.text.starts_with('-'),
        named => !word.is_quoted && word.text == named,
    };
    beginning.iter().zip(&named).all(is_same)
        && (tail == Tail::Open || rest.is_empty())
        && has_no_option_before_subcommand(&words, named.len())
        && !rest.iter().any(|word| is_refused(&words, word))
}

/// What may follow the words of a pattern.
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

/// Returns whether a pattern that names only a program is not used with options of the program itself:
/// `git -c core.pager=x log` runs `x`.
fn has_no_option_before_subcommand(words: &[Word], named: usize) -> bool {
    let (Some(program), Some(first)) = (words.first(), words.get(1)) else {
        return true;
    };
    // A script of the skill, such as `./scripts/build.sh`.
    let is_script = program.text.contains('/')
        && [".sh", ".py", ".js", ".rb"]
            .iter()
            .any(|end| program.text.ends_with(end));
    named > 1
        || is_script
        || WITHOUT_SUBCOMMANDS.contains(&&*program.text)
        || !first.text.starts_with('-')
}

fn is_refused(words: &[Word], word: &Word) -> bool {
    let text = &*word.text;
    if !text.starts_with('-') {
        return false;
    }
    let name = text.split('=').next().unwrap_or_default();
    // Programs take an unambiguous beginning of a long option for the option.
    let is_listed = |listed: &&str| {
        **listed == *name || name.len() > 2 && name.starts_with("--") && listed.starts_with(name)
    };
    let is_of_git = words.first().is_some_and(|program| program.text == "git");
    word.is_quoted || OPTIONS.iter().any(is_listed) || is_of_git && text.starts_with("-O")
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
            ("git diff HEAD~1 HEAD^", "git|diff|HEAD~1|HEAD^"),
            ("grep -rn 'a.*b' src", "grep|-rn|a.*b|src"),
            ("echo ''", "echo|"),
        ] {
            assert_eq!(texts(line).as_deref(), Some(words), "{line}");
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
