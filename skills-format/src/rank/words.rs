use crate::mention::grammar::is_unspaced;
use crate::rank::stem::stem;
use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// As it is written, in lower case.
    pub(crate) written: String,
    /// As it is compared.
    pub(crate) stem: String,
}

/// Words, and ends of words after an apostrophe, that do not say what a text is about. In order.
const EMPTY: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but",
    "by", "can", "could", "d", "do", "does", "for", "from", "had", "has", "have", "how", "i", "if",
    "in", "into", "is", "it", "its", "l", "let", "like", "ll", "m", "me", "my", "need", "of", "on",
    "or", "our", "please", "re", "s", "should", "so", "some", "t", "than", "that", "the", "their",
    "them", "then", "there", "these", "they", "this", "those", "to", "up", "us", "use", "used",
    "user", "using", "ve", "want", "was", "we", "were", "what", "when", "where", "which", "who",
    "will", "with", "would", "you", "your",
];

/// The words of a text, in order: in normal form NFKC and lower case, parted where Unicode parts words (UAX 29)
/// and at `_`, `.`, `:` and apostrophes. Of a script that is written without spaces, each two characters that
/// stand side by side are a word. Words that do not say what a text is about, such as `the`, are left out.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let text: String = if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.nfkc().flat_map(char::to_lowercase).nfkc().collect()
    };
    let mut words = Vec::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let unspaced = is_unspaced(first);
        let end = rest.find(|c| is_unspaced(c) != unspaced);
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        if unspaced {
            add_pairs(part, &mut words);
        } else {
            add_spaced(part, &mut words);
        }
        rest = after;
    }
    words
}

fn add_spaced(text: &str, words: &mut Vec<Word>) {
    for word in text.unicode_words() {
        let parts = word.split(['_', '.', ':', '\'', '’']);
        let meant = parts.filter(|part| !part.is_empty() && EMPTY.binary_search(part).is_err());
        words.extend(meant.map(|part| Word {
            stem: stem(part).into_owned(),
            written: part.to_owned(),
        }));
    }
}

/// Each two characters that stand side by side, or the only character.
fn add_pairs(text: &str, words: &mut Vec<Word>) {
    let letters: Vec<char> = text.chars().collect();
    for pair in letters.windows(letters.len().min(2)) {
        let pair: String = pair.iter().collect();
        words.push(Word {
            stem: pair.clone(),
            written: pair,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<String> {
        words(text).into_iter().map(|word| word.written).collect()
    }

    #[test]
    fn words_of_many_scripts() {
        for (text, expected) in [
            ("", &[][..]),
            ("The change log, of `v1.4`!", &["change", "log", "v1", "4"]),
            (
                "snake_case node.js a:b C++",
                &["snake", "case", "node", "js", "b", "c"],
            ),
            ("the skill's author doesn’t", &["skill", "author", "doesn"]),
            ("ＰＤＦ ﬁles Straße", &["pdf", "files", "straße"]),
            ("代码审查 and 字", &["代码", "码审", "审查", "字"]),
            (
                "テストを書く now",
                &["テス", "スト", "トを", "を書", "書く", "now"],
            ),
            ("PDFを読む", &["pdf", "を読", "読む"]),
            ("파일을 읽기", &["파일을", "읽기"]),
            ("İstanbul ΣΟΦΟΣ", &["i\u{307}stanbul", "σοφοσ"]),
            ("🚀 — … $20k", &["20k"]),
        ] {
            assert_eq!(written(text), expected, "{text}");
        }
    }

    #[test]
    fn empty_words_are_in_order() {
        assert!(EMPTY.is_sorted());
    }
}
