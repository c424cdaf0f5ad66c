//! The programs and options that the reading knows, as data.

pub(super) mod languages;
pub(super) mod options;
pub(super) mod programs;

/// Returns whether a list of words has a word. Each word of a text is looked up in many lists, so the lists are searched and
/// not split.
pub(super) fn has(words: &str, word: &str) -> bool {
    if word.is_empty() || word.contains(|c: char| c.is_ascii_whitespace()) {
        return false;
    }
    let words = words.as_bytes();
    let is_end = |at: usize| words.get(at).is_none_or(u8::is_ascii_whitespace);
    memchr::memmem::find_iter(words, word).any(|at| {
        let begins = at.checked_sub(1).is_none_or(is_end);
        begins && is_end(at + word.len())
    })
}

#[cfg(test)]
mod tests {
    use super::has;

    #[test]
    fn whole_words_alone() {
        let words = "curl curlie\n    git-lfs aa aaa";
        for word in ["curl", "curlie", "git-lfs", "aa", "aaa"] {
            assert!(has(words, word), "{word}");
        }
        for word in [
            "",
            " ",
            "cur",
            "url",
            "git",
            "lfs",
            "a",
            "aaaa",
            "curl curlie",
            "\n",
        ] {
            assert!(!has(words, word), "{word}");
        }
    }
}
