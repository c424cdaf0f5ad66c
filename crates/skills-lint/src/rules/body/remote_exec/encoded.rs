//! Commands that decode code and run it in one step, so that nobody can read what runs.

use crate::rules::body::remote_exec::place::NEAR;
use crate::rules::body::remote_exec::shell::{is_shell, piped};
use memchr::memmem::Finder;
use skills_format::text::lines::{line_around, line_at};
use skills_format::text::span::Span;
use std::sync::LazyLock;

/// The programs that decode: a part of the name that is searched for, the flags that make it decode, and whether it
/// decodes without a flag.
const DECODERS: [(&str, &[&str], bool); 5] = [
    ("base64", &["-d", "-D", "-di", "--decode", "-decode"], false),
    ("xxd", &["-r", "-rp", "-ps", "-p"], false),
    ("gunzip", &[], true),
    ("zcat", &[], true),
    ("FromBase64String", &[], true),
];
/// A searcher for each of [`DECODERS`].
static FINDERS: LazyLock<[Finder<'static>; 5]> =
    LazyLock::new(|| DECODERS.map(|(name, ..)| Finder::new(name)));

/// Functions that run a text, before their parenthesis.
const RUNNERS: [&str; 4] = ["exec", "eval", "iex", "Invoke-Expression"];
/// Functions that decode a text, with their parenthesis.
const FUNCTIONS: [&str; 5] = [
    "b64decode(",
    "atob(",
    "fromhex(",
    "FromBase64String(",
    "Buffer.from(",
];
/// The minimum length of encoded code, in bytes. Documentation shows less.
const SHORTEST: usize = 16;
/// The minimum length of an argument that PowerShell decodes. Code that fetches more code has 100 and more; reports of
/// attacks show less, or end in an ellipsis.
const SHORTEST_ARGUMENT: usize = 60;
/// An encoded argument has one `A` or more in each so many characters on average. So two of them are no farther apart.
const A_IN: usize = 5;

/// Finds the commands of a text that decode code and run it. `marks` are the places of its pipes and parentheses.
pub(super) fn encoded(text: &str, body: Span, marks: &[usize]) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut searched = body.start;
    for &at in marks {
        if bytes.get(at) == Some(&b'(') {
            let before = bytes.get(body.start..at).unwrap_or_default();
            if before.ends_with(b"$") || before.ends_with(b"<") {
                let line = line_around(text, Span::at(at), NEAR);
                found.extend(substituted(text, line, at));
            } else if RUNNERS
                .iter()
                .any(|name| before.trim_ascii_end().ends_with(name.as_bytes()))
            {
                let line = line_around(text, Span::at(at), NEAR);
                found.extend(called(text, line, at));
            }
        } else if searched <= at {
            let start = line_around(text, Span::at(at), NEAR).start.max(searched);
            let end = line_at(text, at).end.min(body.end);
            let line = Span::new(start, end);
            for place in decoders(text, line) {
                let line = line_around(text, Span::at(place), NEAR);
                let after = text.get(place..line.end).unwrap_or_default();
                found.extend(piped(after).map(|end| {
                    let start = start_of_command(text, line, place);
                    Span::new(start, place + end)
                }));
            }
            searched = end;
        }
    }
    found.extend(arguments(text, body));
    found.retain(|span| !is_illustration(span.of(text)));
    found
}

/// Returns whether a command is an illustration: an ellipsis or a placeholder stands for the code.
fn is_illustration(command: &str) -> bool {
    let is_placeholder = |part: &str| {
        part.split_once('>').is_some_and(|(inside, _)| {
            !inside.is_empty()
                && inside
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '))
        })
    };
    command.contains("...")
        || command.contains('…')
        || command.split('<').skip(1).any(is_placeholder)
}

/// Returns the places of the programs in a line that decode.
fn decoders(text: &str, line: Span) -> Vec<usize> {
    let bytes = line.of(text).as_bytes();
    let mut places = Vec::new();
    for (finder, (name, flags, is_decoder)) in FINDERS.iter().zip(DECODERS) {
        for place in finder.find_iter(bytes) {
            let end = line.start + place + name.len();
            let near = line_around(text, Span::at(end), NEAR).end.min(line.end);
            let rest = text.get(end..near).unwrap_or_default();
            let command = rest.split(['|', ';', ')', '`']).next().unwrap_or_default();
            let mut words = command.split_whitespace().take(8);
            if is_decoder || words.any(|word| flags.contains(&word)) {
                places.push(line.start + place);
            }
        }
    }
    places
}

/// Returns the start of the command or pipeline around a place.
pub(crate) fn start_of_command(text: &str, line: Span, place: usize) -> usize {
    let before = text.get(line.start..place).unwrap_or_default();
    let is_open = |quote: &char| before.matches(*quote).count() % 2 == 1;
    let quote = ['"', '\''].into_iter().find(is_open);
    let start = match quote {
        Some(quote) => before.rfind(quote),
        None => before.rfind([';', '&', '`', '(']),
    };
    let start = start.map_or(0, |at| at + 1);
    let command = before.get(start..).unwrap_or_default();
    let trimmed = command.trim_start_matches(['$', '>', '#', '-', '*', ' ', '\t']);
    place - trimmed.len()
}

/// Returns the command whose text is decoded in the parenthesis at a place: `eval "$(… | base64 -d)"`,
/// `bash <(base64 -d …)`.
fn substituted(text: &str, line: Span, open: usize) -> Option<Span> {
    let inside = Span::new(open + 1, line.end);
    let decoder = *decoders(text, inside).first()?;
    // A parenthesis that is closed before holds other commands.
    let between = text.get(open + 1..decoder)?;
    if between.contains(')') {
        return None;
    }
    let before = text.get(line.start..open)?;
    let before = before.trim_end_matches(['$', '<', ' ', '"', '\'']);
    let is_end =
        |c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&' | '(' | '`' | '"' | '\'');
    let mut words = before.rsplit(is_end).filter(|word| !word.is_empty());
    let mut word = words.next()?;
    if word.starts_with('-') {
        word = words.next()?;
    }
    let runs = is_shell(word) || matches!(word, "eval" | "source");
    let end = text.get(decoder..line.end)?.find(')');
    let start = line.start + before.rfind(word)?;
    let end = end.map_or(line.end, |end| decoder + end + 1);
    runs.then(|| Span::new(start, end))
}

/// Returns the call whose argument is decoded: `exec(base64.b64decode(…))`, `iex ([Text.Encoding]::… )`.
fn called(text: &str, line: Span, open: usize) -> Option<Span> {
    let before = text.get(line.start..open)?.trim_end();
    let runner = RUNNERS.iter().find(|name| before.ends_with(**name))?;
    let start = before.len() - runner.len();
    // `pattern.exec(…)` searches a text.
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '\\');
    if before.get(..start)?.ends_with(is_part) {
        return None;
    }
    let inside = text.get(open + 1..line.end)?;
    let at = FUNCTIONS
        .iter()
        .filter_map(|name| Some(inside.find(name)? + name.len()))
        .min()?;
    let mut depth = 1_usize;
    for c in inside.get(..at)?.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return None;
        }
    }
    let argument = inside.get(at..)?.trim_start().trim_start_matches('b');
    let is_code = match argument.strip_prefix(['"', '\'', '`']) {
        Some(literal) => encoded_length(literal) >= SHORTEST,
        None => argument.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$')),
    };
    let end = inside.rfind(')').map_or(line.end, |end| open + 2 + end);
    is_code.then(|| Span::new(line.start + start, end))
}

fn encoded_length(text: &str) -> usize {
    let is_encoded = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    text.chars().take_while(is_encoded).count()
}

/// A searcher for PowerShell, in either spelling.
static POWERSHELL: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| ["ower", "pwsh"].map(Finder::new));

/// Finds the commands of PowerShell with an encoded argument: `powershell -EncodedCommand …`.
fn arguments(text: &str, body: Span) -> Vec<Span> {
    let mut found = Vec::new();
    if !may_hold_argument(body.of(text).as_bytes()) {
        return found;
    }
    for finder in POWERSHELL.iter() {
        for at in finder.find_iter(body.of(text).as_bytes()) {
            let at = body.start + at;
            let line = line_around(text, Span::at(at), NEAR);
            found.extend(argument(text, line, at));
        }
    }
    found
}

/// Returns whether a text can hold an encoded argument. One search for the rare `A` takes a fifth of both searches for
/// PowerShell.
fn may_hold_argument(text: &[u8]) -> bool {
    let mut last = None;
    memchr::memchr_iter(b'A', text).any(|at| {
        let is_near = last.is_some_and(|last| at - last <= A_IN);
        last = Some(at);
        is_near
    })
}

fn argument(text: &str, line: Span, at: usize) -> Option<Span> {
    let start = at - usize::from(text.as_bytes().get(at) == Some(&b'o'));
    let rest = text.get(start..line.end)?;
    let name = rest.get(..4)?.eq_ignore_ascii_case("pwsh");
    if !name && !rest.get(..10)?.eq_ignore_ascii_case("powershell") {
        return None;
    }
    let mut words = rest.split_whitespace().take(16).skip(1);
    words.find(|word| {
        let flag = word
            .strip_prefix(['-', '/'])
            .unwrap_or_default()
            .to_ascii_lowercase();
        !flag.is_empty() && (flag == "ec" || "encodedcommand".starts_with(&flag))
    })?;
    let code = words.next()?.trim_start_matches(['"', '\'']);
    let length = encoded_length(code);
    // Text of UTF-16 has a zero in every second byte, and thus many an `A`.
    if code.get(length..)?.starts_with(['.', '…']) {
        return None;
    }
    let zeros = code.get(..length)?.matches('A').count();
    let end = start + rest.find(code)? + length;
    (length >= SHORTEST_ARGUMENT && zeros * A_IN >= length).then(|| Span::new(start, end))
}
