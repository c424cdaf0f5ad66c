use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use memchr::memmem::Finder;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::order::{sort_by_number, sort_by_span};
use skills_format::text::span::Span;
use std::sync::LazyLock;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::Secret,
    level: Level::Warn,
    group: Group::Body,
    summary: "no text looks like a key or a token",
    why: "A skill is published and copied, and every key in it with it.",
    bad: Example::Skill(with_body!(
        "Send the header `X-Key: ghp_R7qk2ZsW9pLmX4vT8bNcY3hJ6fGdA1eU5oQi`.\n"
    )),
    marks: "ghp_R7qk2ZsW9pLmX4vT8bNcY3hJ6fGdA1eU5oQi",
    good: Example::Skill(with_body!("Send the header `X-Key: $GITHUB_TOKEN`.\n")),
    fix: FixKind::No,
    check: Check::Contents(check),
};

/// The minimum length of any key of [`SHAPES`], in bytes.
const SHORTEST: usize = 20;

/// The maximum length of a private key's header, in bytes. `-----BEGIN ENCRYPTED PRIVATE KEY-----` has 37. Without a
/// maximum, repeated `-----BEGIN ` in one line take quadratic time.
const MAX_HEADER: usize = 100;
/// A searcher for the beginning of a header.
static HEADER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"-----BEGIN "));
const END_OF_HEADER: &[u8] = b"PRIVATE KEY-----";

/// The prefix of each kind of key, the minimum number of characters after the prefix, and the words for a message.
const SHAPES: &[(&str, usize, &str)] = &[
    ("AKIA", 16, "an AWS access key"),
    ("ASIA", 16, "an AWS access key"),
    ("ghp_", 36, "a GitHub token"),
    ("gho_", 36, "a GitHub token"),
    ("ghs_", 36, "a GitHub token"),
    ("github_pat_", 60, "a GitHub token"),
    ("glpat-", 20, "a GitLab token"),
    ("sk-", 40, "an API key"),
    ("sk_live_", 20, "a live payment key"),
    ("rk_live_", 20, "a live payment key"),
    ("xox", 32, "a chat token"),
    ("AIza", 35, "a Google API key"),
    ("hf_", 30, "a model hub token"),
    ("npm_", 36, "a registry token"),
    ("pypi-", 60, "a registry token"),
];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    const HELP: &str = "withdraw the key, and name a variable of the environment instead";
    let message = |what: &str| format!("this looks like {what}");
    let mut found = Vec::new();
    if view.is_readable() {
        let places = places(view.text()).into_iter();
        found.extend(places.map(|(span, what)| view.at(RULE.id, span, message(what)).help(HELP)));
    }
    for (file, text) in view.other_texts() {
        let places = places(text).into_iter();
        found.extend(places.map(|(span, what)| {
            let finding = Finding::new(RULE.id, &file.path, message(what));
            finding.at(span).help(HELP)
        }));
    }
    found
}

fn places(text: &str) -> Vec<(Span, &'static str)> {
    let mut places: Vec<(Span, &str)> = words(text)
        .filter_map(|word| shape(word.of(text)).map(|what| (word, what)))
        .collect();
    for at in HEADER.find_iter(text.as_bytes()) {
        places.extend(private_key(text, at).map(|span| (span, "a private key")));
    }
    sort_by_span(&mut places, |(span, _)| *span);
    places.dedup_by_key(|(span, _)| span.end);
    places
}

/// Iterates over the runs of token characters that are at least [`SHORTEST`] long.
///
/// The text is read in blocks of eight bytes, because such a run fills at least one. Most blocks hold a space, a line end
/// or a punctuation mark, which one comparison of the block shows.
fn words(text: &str) -> impl Iterator<Item = Span> {
    let joins = |byte: &u8| JOINS.get(usize::from(*byte)) == Some(&true);
    let bytes = text.as_bytes();
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let mut next = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = blocks.get(next..)?;
            let number = next + rest.iter().position(|block| !has_gap(*block))?;
            next = number + 1;
            let at = number * BLOCK;
            let word = bytes.get(at..)?.iter().take_while(|byte| joins(byte));
            let end = at + word.count();
            if end < at + BLOCK {
                continue;
            }
            let before = bytes.get(..at)?.iter().rev().take_while(|byte| joins(byte));
            let start = at - before.count();
            next = end.div_ceil(BLOCK);
            if end - start >= SHORTEST {
                return Some(Span::new(start, end));
            }
        }
    })
}

/// The number of bytes that [`words`] compares at once. [`SHORTEST`] is more than twice as long.
const BLOCK: usize = size_of::<u64>();

/// Returns whether a block surely holds a byte below `-`, which no token holds.
fn has_gap(block: [u8; BLOCK]) -> bool {
    let ones = u64::from_ne_bytes([1; BLOCK]);
    let block = u64::from_ne_bytes(block);
    let borrowed = block.wrapping_sub(ones * u64::from(b'-'));
    borrowed & !block & (ones * 0x80) != 0
}

/// A table of the bytes that a token can hold.
const JOINS: [bool; 256] = {
    let mut joins = [false; 256];
    let mut byte = u8::MAX;
    while byte > 0 {
        joins[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        byte -= 1;
    }
    joins
};

/// Returns the kind of key whose shape a word has.
fn shape(word: &str) -> Option<&'static str> {
    SHAPES.iter().find_map(|(begin, length, what)| {
        let body = word.strip_prefix(begin)?;
        (body.len() >= *length && is_random(body)).then_some(*what)
    })
}

/// Returns whether a text has many different characters, with digits among them. `xxxx`, words and made-up examples
/// do not count.
fn is_random(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut kinds: Vec<u8> = lower.bytes().collect();
    sort_by_number(&mut kinds, |kind| usize::from(*kind));
    kinds.dedup();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_made_up = [
        "example",
        "xxxx",
        "your",
        "1234567890",
        "abcdef",
        "placeholder",
        "0000",
        // The token of GitHub's documentation, after the prefix of each kind.
        "16c7e42f292c6912e7710c838347ae178b4a",
    ]
    .iter()
    .any(|word| lower.contains(word));
    kinds.len() >= 10 && digits >= 2 && digits < text.len() && !is_made_up && !is_ascending(&lower)
}

/// Returns whether the letters of a text follow each other in the alphabet, as in `A1B2C3D4`: somebody typed the text.
/// Of the letters of a random key, few do.
fn is_ascending(lower: &str) -> bool {
    let letters: Vec<u8> = lower.bytes().filter(u8::is_ascii_lowercase).collect();
    let pairs = letters.iter().zip(letters.iter().skip(1));
    let ascending = pairs.filter(|(a, b)| (1..=3).contains(&b.wrapping_sub(**a)));
    letters.len() >= 8 && ascending.count() * 5 >= (letters.len() - 1) * 4
}

/// Returns the header `-----BEGIN … PRIVATE KEY-----`, if a key follows. A header alone is documentation.
fn private_key(text: &str, at: usize) -> Option<Span> {
    let rest = text.get(at..)?;
    let head = rest.as_bytes().get(..MAX_HEADER).unwrap_or(rest.as_bytes());
    let line_end = memchr::memchr2(b'\n', b'\r', head).unwrap_or(head.len());
    let line = head.get(..line_end)?;
    let end = memchr::memmem::find(line, END_OF_HEADER)? + END_OF_HEADER.len();
    let key = rest
        .get(end..)?
        .trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
    let key = key
        .strip_prefix('n')
        .filter(|_| key.starts_with("nM"))
        .unwrap_or(key);
    let length = key
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')))
        .unwrap_or(key.len());
    (length >= 40).then(|| Span::new(at, at + end))
}

#[cfg(test)]
mod tests {
    use super::{SHORTEST, shape, words};

    #[test]
    fn words_at_every_place_of_a_block() {
        for length in 0..=3 * SHORTEST {
            for before in 0..=SHORTEST {
                for gap in [" ", "\n", "/", "é", "\u{0}", "{"] {
                    let word = "Z-_09az".repeat(length);
                    let word = word.get(..length).expect("seven times as long");
                    let text = [&gap.repeat(before), word, gap, word].concat();
                    let found: Vec<&str> = words(&text).map(|span| span.of(&text)).collect();
                    let expected: &[&str] = if length < SHORTEST {
                        &[]
                    } else {
                        &[word, word]
                    };
                    assert_eq!(found, expected, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn samples_are_no_keys() {
        for sample in [
            "gho_16C7e42F292c6912E7710c838347Ae178B4a",
            "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
            "AIzaSyA1B2C3D4E5F6G7H8I9J0K1L2M3N4O5P6Q",
            "ghp_aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5",
            "AKIAIOSFODNN7EXAMPLE",
            "ghp_abababab1212abababab1212abababab1212",
        ] {
            assert_eq!(shape(sample), None, "{sample}");
        }
        for key in [
            "ghp_R7qk2ZsW9pLmX4vT8bNcY3hJ6fGdA1eU5oQi",
            // Few letters in order are chance.
            "ghp_A1b2C3d4R7qk2ZsW9pLmX4vT8bNcY3hJ6fGd",
            "AKIAQX7ZT2LM9WK4RB3V",
        ] {
            assert!(shape(key).is_some(), "{key}");
        }
    }
}
