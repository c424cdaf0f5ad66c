//! Recognizes words that forbid the command after them.
//!
//! A word alone forbids nothing: "if it is not installed yet, run …" asks for the command. So the words are
//! read backwards from the command, and every word up to the prohibition must be known: a verb that runs
//! something, or a word that adds nothing. Any other word ends the search, and the command counts.

/// The maximum number of words between a prohibition and its command.
const MAX_WORDS: usize = 24;
/// The replacement of a code span.
const CODE: &str = "`";

/// Phrases that forbid anywhere in a clause.
const PROHIBITIONS: &str = "\
    never, don't, dont, do not, doesn't, does not, mustn't, must not, shouldn't, \
    should not, may not, shall not, can't, cannot, can not, won't, will not, not to, \
    not allowed to, not permitted to, forbidden to, prohibited from, refrain from, \
    refuse to, refuses to, avoid, instead of, rather than";
/// Words that forbid only at the beginning of a clause: `block` is also a noun.
const IMPERATIVES: &str = "no reject refuse flag block forbid deny ban prohibit";
/// Words that forbid at the beginning of a clause, also before a colon.
const LABELS: &str = "forbidden prohibited disallowed banned";
/// Words that can stand before an imperative.
const BEFORE_IMPERATIVES: &str = "always please must should you will";

const VERBS: &str = "\
    run running rerun use using pipe piping execute executing exec call calling invoke \
    invoking do doing type typing paste pasting copy copying suggest suggesting recommend \
    recommending propose proposing generate generating write writing add adding include \
    including emit emitting allow allowing accept accepting trust trusting start starting \
    launch launching try trying download downloading fetch fetching install installing";
/// Words that do not change the meaning of a prohibition.
const FILLERS: &str = "\
    a an the any this that these those it them things thing something anything stuff like \
    such as of form kind sort e.g. eg i.e. example for command commands script scripts \
    installer installers one-liner one-liners pattern patterns pipeline pipelines code \
    shell remote untrusted unverified unpinned unknown arbitrary piped ever blindly \
    directly by with via through your blind";
/// Words that join forbidden verbs or commands.
const JOINTS: &str = "or and nor";
/// Words that undo a later prohibition in the same clause: "if you do not run …".
const UNDOING: &str = "\
    if when whenever unless while until once because since who whoever those why where \
    although though even have has had having not never no cannot without wrong false myth \
    stop forget";
/// Words that can follow a forbidden command without an exception.
const AFTER: &str = "\
    or and nor in into on from for to at here ever anywhere under style command commands \
    pattern patterns pipeline pipelines one-liner one-liners install installs installer \
    installers script scripts because since as-is form idiom trick blindly directly \
    yourself etc.";
/// Words after a comma that make an exception from a prohibition.
const EXCEPTIONS: &str = "unless until except before without but only";

/// Returns whether a list of words has a word.
fn is_in(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

/// Returns whether a clause forbids the command between two texts.
///
/// Only a prohibition of the command itself counts, and only before the command: "never run", "do not pipe".
pub(crate) fn forbids(before: &str, after: &str) -> bool {
    let Cut { text, quote } = cut(before);
    ends_in_prohibition(&text) && is_whole(after, quote)
}

/// Returns whether a heading forbids the commands below: "Never do this", "Commands to avoid".
pub(super) fn is_prohibition(heading: &str) -> bool {
    const NOUNS: [&str; 10] = [
        "anti-pattern",
        "anti-patterns",
        "antipattern",
        "antipatterns",
        "don't",
        "don'ts",
        "donts",
        "to avoid",
        "not to do",
        "not to run",
    ];
    let text = plain(heading);
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    let is_last = |noun: &str| {
        let before = text.strip_suffix(noun);
        before.is_some_and(|before| before.is_empty() || before.ends_with(' '))
    };
    NOUNS.into_iter().any(is_last) || ends_in_prohibition(text)
}

/// The words before a command, without the parts of the command.
struct Cut {
    text: String,
    /// The quotation mark or backtick that closes the command.
    quote: Option<char>,
}

/// Replaces code spans by one word, and leaves out the beginning of the code span with the command.
fn cut(before: &str) -> Cut {
    let mut text = String::with_capacity(before.len());
    let mut is_code = false;
    for (at, part) in before.split('`').enumerate() {
        is_code = at % 2 == 1;
        if is_code {
            text.push_str(CODE);
        } else {
            text.push_str(part);
        }
    }
    if is_code {
        text.pop();
        return Cut {
            text,
            quote: Some('`'),
        };
    }
    let last = text.chars().next_back();
    let quote = last.filter(|c| matches!(c, '"' | '\'' | '“' | '‘'));
    let closes = |c| match c {
        '“' => '”',
        '‘' => '’',
        c => c,
    };
    Cut {
        quote: quote.map(closes),
        text,
    }
}

/// Normalizes a text: lower case, one form of apostrophe, and spaces around dashes.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            '’' => plain.push('\''),
            '—' | '–' => plain.push_str(" — "),
            c => plain.push(c),
        }
    }
    plain
}

/// The kind of a word between a prohibition and its command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Verb,
    Filler,
    Joint,
    Code,
    CodeAndComma,
}

impl Word {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            CODE => Self::Code,
            "`," => Self::CodeAndComma,
            word if is_in(VERBS, word) => Self::Verb,
            word if is_in(FILLERS, word) => Self::Filler,
            word if is_in(JOINTS, word) => Self::Joint,
            _ => return None,
        })
    }

    /// Returns whether the word can stand before the next word. The command itself counts as `Code`.
    ///
    /// "Do not use that and run …" asks for the command, so a joint can join only two verbs or two commands.
    fn fits(self, next: Self, after_next: Self) -> bool {
        let is_code = |word| matches!(word, Self::Code | Self::CodeAndComma);
        match (self, next) {
            (Self::Verb, Self::Joint) => after_next == Self::Verb,
            (Self::Code | Self::CodeAndComma, Self::Joint) => is_code(after_next),
            (Self::CodeAndComma, next) => is_code(next),
            (Self::Code, _) | (_, Self::Joint) => false,
            (Self::Joint, next) => is_code(next) || next == Self::Verb,
            _ => true,
        }
    }
}

/// Returns whether a text ends in a prohibition that covers the next word.
fn ends_in_prohibition(text: &str) -> bool {
    let text = plain(text);
    let words = text.split_whitespace().map(bare);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_label = words.last().is_some_and(|last| last.ends_with(':'));
    let (mut next, mut after_next) = (Word::Code, Word::Code);
    for end in (1..=words.len()).rev().take(MAX_WORDS) {
        let Some((left, word)) = words
            .get(..end)
            .and_then(<[&str]>::split_last)
            .map(|(word, left)| (left, *word))
        else {
            return false;
        };
        let word = if end == words.len() {
            bare(word.trim_end_matches(':'))
        } else {
            word
        };
        if let Some(before) = before_prohibition(left, word, is_label) {
            return !is_undone(before);
        }
        match Word::of(word) {
            Some(word) if word.fits(next, after_next) => (next, after_next) = (word, next),
            _ => return false,
        }
    }
    false
}

/// Returns the words before the prohibition that ends with `word`, if `word` ends a prohibition.
fn before_prohibition<'w, 't>(
    left: &'w [&'t str],
    word: &str,
    is_label: bool,
) -> Option<&'w [&'t str]> {
    let is_first = || match left.last() {
        None => true,
        Some(last) => {
            is_boundary(last)
                || is_in(BEFORE_IMPERATIVES, last)
                || !last.contains(char::is_alphabetic)
        }
    };
    if (is_in(LABELS, word) || is_in(IMPERATIVES, word) && !is_label) && is_first() {
        return Some(left);
    }
    PROHIBITIONS.split(", ").find_map(|phrase| {
        let mut before = left;
        let mut words = phrase.rsplit(' ');
        (words.next() == Some(word)).then_some(())?;
        for word in words {
            before = before.strip_suffix(&[word])?;
        }
        Some(before)
    })
}

/// Returns whether an earlier word of the clause undoes a prohibition: a condition, or another negation.
fn is_undone(before: &[&str]) -> bool {
    let clause = before.iter().rev().take_while(|word| !is_boundary(word));
    let mut clause = clause.take(MAX_WORDS);
    clause.any(|word| is_in(UNDOING, word) || word.ends_with("n't"))
}

fn is_boundary(word: &str) -> bool {
    let ends = |c| matches!(c, ',' | ';' | ':' | '.' | '!' | '?' | '-' | '—');
    word.ends_with(ends) && !matches!(word, "e.g." | "i.e.")
}

/// Returns a word without emphasis, quotation marks and parentheses.
fn bare(word: &str) -> &str {
    word.trim_matches(|c| {
        matches!(
            c,
            '*' | '_' | '"' | '\'' | '“' | '”' | '‘' | '(' | ')' | '[' | ']'
        )
    })
}

/// Returns whether the clause ends after the command, or continues with words that do not narrow the prohibition.
/// "Never run … twice" allows one run.
fn is_whole(after: &str, quote: Option<char>) -> bool {
    let after = match quote {
        Some(quote) => after.split_once(quote).map_or("", |(_, after)| after),
        None => after,
    };
    let after = plain(after);
    let is_mark = |c: char| matches!(c, '*' | '_' | '"' | '\'' | '”' | ')' | ']' | '`');
    let mut words = after
        .split_whitespace()
        .map(|word| word.trim_matches(is_mark));
    let mut word = words.next();
    // Skips the flags of the command: `| sh -s -- -y`.
    while quote.is_none() && word.is_some_and(|word| word.starts_with('-')) {
        word = words.next();
    }
    let Some(word) = word else {
        return true;
    };
    let excepts = |word: Option<&str>| word.is_some_and(|word| is_in(EXCEPTIONS, word));
    match word.trim_end_matches([',', '.', ';', ':', '!', '?']) {
        "" if word.starts_with(',') => !excepts(words.next()),
        "" | "—" => !excepts(words.next()),
        known if is_in(AFTER, known) => true,
        _ => word.starts_with(['.', ';', ':', '!', '?', '|', '#', '<']),
    }
}
