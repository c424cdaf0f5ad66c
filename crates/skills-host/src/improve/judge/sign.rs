//! Finds signs that a text asks to send, fetch or run something.

use skills_format::markdown::entity::decoded;
use skills_format::text::distance::distance;
use std::collections::{BTreeMap, BTreeSet};
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
/// Words that make an exception of a prohibition.
const EXCEPTIONS: &[&str] = &[
    "but",
    "except",
    "excluding",
    "if",
    "other",
    "outside",
    "unless",
    "until",
    "when",
    "while",
];
/// Words that say nothing about what is forbidden.
const FILLERS: &[&str] = &[
    "a", "an", "any", "be", "do", "ever", "it", "the", "to", "you",
];
/// Stands before the sign of a prohibition. No other sign begins so.
const FORBIDDEN: &str = "not ";
/// Strings that are common in commands, and rare in prose.
const OPERATORS: &[&str] = &["$(", "${", "&&", ">>", "`!", "!`", "~/", "../"];

/// The signs of a text, as written: a command, or a verb with its objects.
pub(super) type Signs = BTreeSet<String>;

/// Returns whether a sign existed before. A corrected spelling of a known command counts as known.
pub(super) fn is_known(sign: &str, known: &Signs) -> bool {
    let known = |sign: &str, before: &str| {
        let mut old = known.iter().filter_map(|old| old.strip_prefix(before));
        known.contains(&format!("{before}{sign}"))
            || sign.starts_with('`') && old.any(|old| is_misspelt(old, sign))
    };
    match sign.strip_prefix(FORBIDDEN) {
        // What was asked before may be forbidden now, but what was forbidden may not be asked.
        Some(sign) => known(sign, FORBIDDEN) || known(sign, ""),
        None => known(sign, ""),
    }
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
    // A code span can contain the end of a clause, so the whole line decides for commands.
    let all: Vec<String> = words(line).collect();
    let mark = mark(&all);
    // One word in a code span is a name; several words are a command.
    for code in line.split('`').skip(1).step_by(2).map(str::trim) {
        if code.contains(char::is_whitespace) || code.starts_with(['!', '/', '.']) {
            signs.insert(format!("{mark}`{code}`"));
        }
    }
    for word in line.split_whitespace() {
        let option = word.strip_prefix("--");
        let is_option = option.is_some_and(|option| option.starts_with(char::is_alphabetic));
        if is_option || OPERATORS.iter().any(|operator| word.contains(operator)) {
            signs.insert(format!("{mark}{word}"));
        }
    }
    for clause in clauses(line) {
        let words: Vec<String> = words(clause).collect();
        let mark = self::mark(&words);
        for (at, word) in words.iter().enumerate() {
            if is_deed(word) {
                // With all its objects: the same verb with another object is another sign.
                let deed = words.get(at..).unwrap_or_default().join(" ");
                signs.insert(format!("{mark}{deed}"));
            } else if word.split('-').skip(1).count() > 0 && word.split('-').any(is_deed) {
                signs.insert(format!("{mark}{word}"));
            }
        }
    }
    signs
}

/// Returns the mark of the signs among these words.
fn mark(words: &[String]) -> &'static str {
    if words.iter().any(|word| is_limit(word)) {
        FORBIDDEN
    } else {
        ""
    }
}

fn is_limit(word: &str) -> bool {
    LIMITS.contains(&word)
}

/// Returns the prohibitions of a text, with the number of each: the limiting word with the word that it limits, the
/// verbs of the clause, and its exceptions. Other words of a prohibition may change.
pub(super) fn prohibitions(text: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for block in blocks(&folded(text)) {
        for clause in clauses(&block) {
            let words: Vec<String> = words(clause).collect();
            let deeds = words.iter().filter_map(|word| deed_of(word));
            let exceptions = words
                .iter()
                .map(String::as_str)
                .filter(|word| EXCEPTIONS.contains(word));
            let rest: BTreeSet<&str> = deeds.chain(exceptions).collect();
            let rest: Vec<&str> = rest.into_iter().collect();
            for (at, word) in words.iter().enumerate().filter(|(_, word)| is_limit(word)) {
                let mut after = words.iter().skip(at + 1).map(String::as_str);
                let limited = after
                    .find(|word| !FILLERS.contains(word))
                    .unwrap_or_default()
                    .trim_end_matches('s');
                let prohibition = format!("{word} {limited}: {}", rest.join(" "));
                *found.entry(prohibition).or_default() += 1;
            }
        }
    }
    found
}

/// Joins the lines of each paragraph, list item and heading: a clause goes on in the next line.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    for line in text.lines().map(str::trim) {
        let is_new = line.is_empty()
            || line.starts_with(['-', '*', '+', '#', '>', '|', '`', '~'])
            || line.starts_with(|c: char| c.is_ascii_digit());
        match blocks.last_mut() {
            Some(last) if !is_new => {
                last.push(' ');
                last.push_str(line);
            }
            _ => blocks.push(line.to_owned()),
        }
    }
    blocks
}

/// Splits a line at punctuation that is followed by white space or the end.
fn clauses(line: &str) -> impl Iterator<Item = &str> {
    let is_end = |(_, text): &(usize, &str)| text.chars().nth(1).is_none_or(char::is_whitespace);
    let ends = line
        .char_indices()
        .filter(|(_, c)| ".,;:!?".contains(*c))
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
    deed_of(word).is_some()
}

/// Returns the verb or program that a word is a form of.
fn deed_of(word: &str) -> Option<&str> {
    let mut deeds = DEEDS.iter().flat_map(|row| row.split(' '));
    let deed = deeds.find(|deed| {
        // executing, sharing: the final e is dropped.
        let stem = deed.strip_suffix('e').unwrap_or(deed);
        [deed, stem].iter().any(|deed| {
            let end = word.strip_prefix(deed);
            end.is_some_and(|end| ENDINGS.contains(&end))
        })
    });
    let irregular = ["sent", "got", "ran", "told", "reboot", "shutdown"];
    deed.or_else(|| irregular.contains(&word).then_some(word))
}

pub(super) fn limits(text: &str) -> usize {
    let text = folded(text);
    let found = words(&text).filter(|word| is_limit(word));
    found.count()
}

/// Returns the words of a text, without markup characters inside them.
fn words(text: &str) -> impl Iterator<Item = String> {
    let all = text
        .split(|c: char| !(c.is_alphanumeric() || "'*_~\\-".contains(c)))
        .map(|word| word.replace(['*', '~', '\\'], ""))
        .map(|word| word.trim_matches(['_', '-', '\'']).to_owned());
    all.filter(|word| !word.is_empty())
}

/// Normalizes a text as a model reads it: compatibility forms (NFKC) and lower case.
pub(super) fn folded(text: &str) -> String {
    // A model decodes entities without being asked, also those of an `&` that is an entity itself.
    let text = decoded(text);
    let text = decoded(&text);
    let text = text.replace(['’', '‘'], "'");
    // After NFKC, which has another form of the full stop too.
    let text = text.nfkc().flat_map(char::to_lowercase);
    text.map(|c| if c == '。' { '.' } else { c }).collect()
}
