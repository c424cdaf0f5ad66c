//! Finds signs that a text asks to send, fetch or run something.

use skills_format::text::distance::distance;
use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization as _;

/// Verbs for sending, fetching and running, programs that do so, and commands that change files. Inflected forms are
/// recognized by their stem.
const DEEDS: &[&str] = &[
    "beam cc deliver email exfiltrate forward leak mail message notify post publish push relay send share submit sync tell transfer transmit upload webhook",
    "browse clone crawl curl download fetch ftp http import install load nc netcat npm npx obtain pip pull query request retrieve rsync scp scrape ssh uvx visit wget",
    "bash cmd command eval exec execute invoke launch node pipe powershell pwsh python run script sh shell source spawn sudo system terminal trigger zsh",
    "chmod chown delete dd env erase kill mv remove rm unlink unset",
];
/// The endings of inflected forms: sends, posted, runner, running.
const ENDINGS: &[&str] = &[
    "", "s", "es", "d", "ed", "er", "ing", "ning", "ner", "ned", "ting", "ted", "ping", "ped",
    "able",
];
/// Words of prohibitions, and of requests for approval.
const LIMITS: &[&str] = &[
    "not",
    "never",
    "no",
    "don't",
    "doesn't",
    "cannot",
    "can't",
    "without",
    "only",
    "unless",
    "avoid",
    "confirm",
    "approval",
    "permission",
    "forbidden",
];
/// Strings that are common in commands, and rare in prose.
const OPERATORS: &[&str] = &["$(", "${", "&&", ">>", "`!", "!`", "~/", "../"];

/// The signs of a text, as written: a command, or a verb with its objects.
pub(super) type Signs = BTreeSet<String>;

/// Returns whether a sign existed before. A corrected spelling of a known command counts as known.
pub(super) fn is_known(sign: &str, known: &Signs) -> bool {
    known.contains(sign) || sign.starts_with('`') && known.iter().any(|old| is_misspelt(old, sign))
}

/// Returns whether two commands differ only in the spelling of words. A letter of a path or an option makes another
/// command.
fn is_misspelt(old: &str, new: &str) -> bool {
    let words = |command: &str| -> Vec<String> {
        command
            .trim_matches('`')
            .split_whitespace()
            .map(str::to_owned)
            .collect()
    };
    let (before, after) = (words(old), words(new));
    let is_word = |word: &str| word.chars().count() > 3 && word.chars().all(char::is_alphabetic);
    let is_near =
        |a: &String, b: &String| distance::<5, _>(a.as_bytes(), b.as_bytes(), 2).is_some();
    let is_same = |(a, b): (&String, &String)| {
        a == b || is_word(a) && is_word(b) && !is_deed(b) && is_near(a, b)
    };
    old.starts_with('`') && before.len() == after.len() && before.iter().zip(&after).all(is_same)
}

pub(super) fn signs(text: &str) -> Signs {
    lines(text).flat_map(|(_, _, signs)| signs).collect()
}

/// Returns the lines of a text, with their numbers and signs.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str, Signs)> {
    let (mut fence, mut is_front) = (None, false);
    text.lines().enumerate().map(move |(at, line)| {
        if line.trim_end() == "---" && (at == 0 || is_front) {
            is_front = at == 0;
        }
        let signs = if is_fence(line, &mut fence) || is_front && is_of_tools(line) {
            Signs::new()
        } else if fence.is_some() {
            let command = folded(line.trim());
            Signs::from_iter((!command.is_empty()).then(|| format!("`{command}`")))
        } else {
            of_line(&folded(line))
        };
        (at + 1, line, signs)
    })
}

/// Returns whether a line of front matter lists tools. Tools are judged as a field, in which none can be added. A line
/// with a comment does not count, since the comment can contain anything.
fn is_of_tools(line: &str) -> bool {
    let line = line.trim_start();
    let is_field = line.starts_with("allowed-tools:") || line.starts_with("- ");
    is_field && !line.contains('#')
}

/// Returns the signs of a line of prose.
fn of_line(line: &str) -> Signs {
    let mut signs = Signs::new();
    // One word in a code span is a name; several words are a command.
    for code in line.split('`').skip(1).step_by(2).map(str::trim) {
        if code.contains(char::is_whitespace) || code.starts_with(['!', '/', '.']) {
            signs.insert(format!("`{code}`"));
        }
    }
    for word in line.split_whitespace() {
        let option = word.strip_prefix("--");
        let is_option = option.is_some_and(|option| option.starts_with(char::is_alphabetic));
        if is_option || OPERATORS.iter().any(|operator| word.contains(operator)) {
            signs.insert(word.to_owned());
        }
    }
    for clause in clauses(line) {
        let words: Vec<String> = words(clause).collect();
        for (at, word) in words.iter().enumerate() {
            if is_deed(word) {
                // With all its objects: the same verb with another object is another sign.
                signs.insert(words.get(at..).unwrap_or_default().join(" "));
            } else if word.split('-').skip(1).count() > 0 && word.split('-').any(is_deed) {
                signs.insert(word.clone());
            }
        }
    }
    signs
}

/// Splits a line at punctuation that is followed by white space or the end.
fn clauses(line: &str) -> impl Iterator<Item = &str> {
    let is_end = |(_, text): &(usize, &str)| text.chars().nth(1).is_none_or(char::is_whitespace);
    let ends = line.char_indices().filter(|(_, c)| ".,;:!?".contains(*c));
    let ends = ends
        .filter_map(|(at, _)| Some((at, line.get(at..)?)))
        .filter(is_end);
    let mut start = 0;
    let ends = ends.map(|(at, _)| at).chain([line.len()]);
    ends.filter_map(move |end| {
        let clause = line.get(start..end);
        start = end;
        clause
    })
}

/// Returns whether a line begins or ends a block of code.
fn is_fence(line: &str, fence: &mut Option<char>) -> bool {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || c == '>');
    let mark = ['`', '~']
        .into_iter()
        .find(|mark| line.starts_with(&mark.to_string().repeat(3)));
    let Some(mark) = mark else {
        return false;
    };
    match fence {
        None => *fence = Some(mark),
        Some(open) if *open == mark => *fence = None,
        Some(_) => {}
    }
    true
}

fn is_deed(word: &str) -> bool {
    let mut deeds = DEEDS.iter().flat_map(|row| row.split(' '));
    deeds.any(|deed| {
        // executing, sharing: the final e is dropped.
        let stem = deed.strip_suffix('e').unwrap_or(deed);
        [deed, stem].iter().any(|deed| {
            let end = word.strip_prefix(deed);
            end.is_some_and(|end| ENDINGS.contains(&end))
        })
    }) || matches!(
        word,
        "sent" | "got" | "ran" | "told" | "reboot" | "shutdown"
    )
}

pub(super) fn limits(text: &str) -> usize {
    let text = folded(text);
    let found = words(&text).filter(|word| LIMITS.contains(&word.as_str()));
    found.count()
}

/// Returns the words of a text, without markup characters inside them.
fn words(text: &str) -> impl Iterator<Item = String> {
    let all = text.split(|c: char| !(c.is_alphanumeric() || "'*_~\\-".contains(c)));
    let all = all.map(|word| word.replace(['*', '~', '\\'], ""));
    let all = all.map(|word| word.trim_matches(['_', '-', '\'']).to_owned());
    all.filter(|word| !word.is_empty())
}

/// Normalizes a text as a model reads it: compatibility forms (NFKC) and lower case.
pub(super) fn folded(text: &str) -> String {
    let text = text.replace(['’', '‘'], "'").replace('。', ".");
    text.nfkc().flat_map(char::to_lowercase).collect()
}
