//! Searches in whole files, several times faster than `str::find`.

use aho_corasick::Span;
use aho_corasick::packed::Searcher;
use memchr::memmem;
use skills_format::diagnostic::rule_id::RuleId;
use std::sync::LazyLock;

/// Returns whether a text has a part.
pub(crate) fn holds(text: &str, part: &str) -> bool {
    memmem::find(text.as_bytes(), part.as_bytes()).is_some()
}

/// Returns the offsets of a part.
pub(crate) fn find_all<'t>(text: &'t str, part: &'t str) -> impl Iterator<Item = usize> {
    memmem::find_iter(text.as_bytes(), part.as_bytes())
}

/// Words in lower case, without one of which a rule has nothing to say about a text. The search is quick for at most 32 words
/// of at least four bytes, of which the first four are rare.
const WORDS: [(RuleId, &[&str]); 13] = [
    (RuleId::AuthorizedKey, &["ized_keys"]),
    (RuleId::HomePath, &["/users/", "/home/", ":\\users\\"]),
    (RuleId::RemoteExec, &["se64", "curl", "gunzip", "oke-"]),
    (RuleId::RemoteExec, &["irm ", "iwr ", "nssl", "wget"]),
    (RuleId::RemoteExec, &["xxd ", "zcat"]),
    (RuleId::ScriptMissing, &["dir}/", "ll_dir"]),
    (RuleId::Secret, &["-begin ", "s.slack.com/"]),
    (RuleId::Secret, &["bhook"]),
    (RuleId::Unfinished, &["[fixme", "[tbd", "[todo"]),
    (RuleId::Unfinished, &["m ipsum"]),
    (RuleId::Unfinished, &["iption of", "<!--", "<<<<<<< "]),
    (RuleId::Unfinished, &["\n---\nname:", "\n---\ndesc"]),
    (RuleId::UnusedSuppression, &["skills:"]),
];

/// The bit that tells a small letter of ASCII from a capital one.
const LOWER: u8 = 0x20;

/// The rules whose words a text has. Most texts have none, so that one search spares each rule its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Concerns(u128);

impl Concerns {
    pub(crate) fn of(text: &str) -> Self {
        static SEARCH: LazyLock<(Option<Searcher>, Vec<u128>)> = LazyLock::new(|| {
            let rules = WORDS.iter();
            let words = rules
                .flat_map(|(rule, words)| words.iter().map(|word| (word, 1_u128 << *rule as u32)));
            let plain = |word: &str| word.bytes().map(|byte| byte | LOWER).collect();
            let (words, bits): (Vec<Vec<u8>>, Vec<u128>) =
                words.map(|(word, bit)| (plain(word), bit)).unzip();
            (Searcher::new(words), bits)
        });
        let (Some(search), bits) = &*SEARCH else {
            return Self(u128::MAX);
        };
        // What stands between a program and its first word is a space here. The bit of lower case is set in every byte,
        // which takes few instructions: it makes other signs of some signs, in the words too.
        let plain = |byte: u8| match byte | LOWER {
            b')' | b'"' | b'\'' => b' ',
            byte => byte,
        };
        let text: Vec<u8> = text.bytes().map(plain).collect();
        let (mut found, mut rest) = (0, Span::from(0..text.len()));
        while let Some(word) = search.find_in(&text, rest) {
            found |= bits[word.pattern().as_usize()];
            // The next word can begin in this one.
            rest.start = word.start() + 1;
        }
        Self(found)
    }

    /// Returns false if the text has none of the words of a rule.
    pub(crate) fn have(self, rule: RuleId) -> bool {
        (self.0 >> rule as u32) & 1 != 0
    }
}
