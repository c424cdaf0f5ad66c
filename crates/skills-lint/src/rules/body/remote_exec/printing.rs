//! Recognizes lines of code that print a command and do not run it.

use crate::rules::body::remote_exec::shell::is_shell;

/// Commands and functions that print their arguments.
const PRINTERS: [&str; 15] = [
    "echo",
    "printf",
    "print",
    "println",
    "eprintln",
    "println!",
    "eprintln!",
    "puts",
    "write-host",
    "write-output",
    "write-error",
    "console.log",
    "console.error",
    "console.warn",
    "sys.stderr.write",
];
/// Words that can stand before a command in a line: prompts and keywords.
const BEFORE: [&str; 9] = ["$", ">", "%", "#", "-", "then", "do", "else", "run"];
/// Targets of a redirection that only print.
const SHOWN: [&str; 6] = [
    "&1",
    "&2",
    "/dev/stderr",
    "/dev/stdout",
    "/dev/null",
    "/dev/tty",
];

/// Returns whether the command between two parts of a line is quoted, as an argument of a command that prints.
pub(super) fn is_printed(before: &str, after: &str) -> bool {
    let Some(open) = open_quote(before) else {
        return false;
    };
    let Some(rest) = after_quote(after, open.quote) else {
        return false;
    };
    prints(open.command) && !is_used(rest)
}

/// Returns whether a line up to a command is the beginning of a quoted string, which no command of the line reads.
pub(super) fn is_item(before: &str) -> bool {
    open_quote(before).is_some_and(|open| open.command.trim().trim_end_matches('$').is_empty())
}

/// The quotation mark that is open at the end of a text.
struct OpenQuote<'t> {
    quote: char,
    /// The command that has the quoted argument, up to the quotation mark.
    command: &'t str,
}

/// Finds the open quotation mark. Returns `None` if no quotation mark is open, or if a command substitution stands
/// before the end: its command is run, even inside a printed text.
fn open_quote(before: &str) -> Option<OpenQuote<'_>> {
    let (mut quote, mut quoted_at, mut command_at) = (None, 0, 0);
    let mut chars = before.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        match (quote, c) {
            (None | Some('"'), '\\') => {
                chars.next();
            }
            (None | Some('"'), '`') => return None,
            (None | Some('"'), '$') | (None, '<' | '>') if next == Some('(') => return None,
            (None, '"' | '\'') => (quote, quoted_at) = (Some(c), at),
            (Some(open), c) if c == open => quote = None,
            // The `&` of `>&2` does not end a command.
            (None, '&') if before.get(..at).is_some_and(|text| text.ends_with('>')) => {}
            (None, ';' | '&' | '|') => command_at = at + 1,
            _ => {}
        }
    }
    Some(OpenQuote {
        quote: quote?,
        command: before.get(command_at..quoted_at)?,
    })
}

fn after_quote(after: &str, quote: char) -> Option<&str> {
    let mut is_escaped = false;
    for (at, c) in after.char_indices() {
        if c == quote && !is_escaped {
            return after.get(at + c.len_utf8()..);
        }
        is_escaped = c == '\\' && !is_escaped && quote == '"';
    }
    None
}

fn prints(command: &str) -> bool {
    let lower = command.to_lowercase();
    let words = lower.split([' ', '\t', '(', '{', '@']);
    let mut words = words.filter(|word| {
        !word.is_empty()
            && !word.ends_with(':')
            && !BEFORE.contains(word)
            && !SHOWN.contains(&word.trim_start_matches(['>', '1', '2']))
    });
    words.next().is_some_and(|word| PRINTERS.contains(&word))
}

/// Returns whether the printed text is piped into a shell, or written into a file.
fn is_used(rest: &str) -> bool {
    let runs = |part: &str| {
        let mut words = part.split_whitespace();
        let word = words.find(|word| {
            !matches!(*word, "sudo" | "env") && !word.starts_with('-') && !word.contains('=')
        });
        word.is_some_and(|word| is_shell(word.trim_end_matches(|c: char| !c.is_alphanumeric())))
    };
    let writes = |part: &str| {
        let target = part.trim_start_matches('>').trim_start();
        !SHOWN.iter().any(|shown| target.starts_with(shown))
    };
    // Later quotation marks are not parsed: a `|` or `>` inside them counts too, and the command is then reported.
    rest.split('|').skip(1).any(runs) || rest.split_once('>').is_some_and(|(_, part)| writes(part))
}
