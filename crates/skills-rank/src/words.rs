//! The words of a text, and their stems.

use skills_format::mention::is_unspaced;
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

/// Stop words, and endings after an apostrophe, which do not say what a text is about. Sorted, for binary search.
const EMPTY: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but",
    "by", "can", "could", "d", "do", "does", "for", "from", "had", "has", "have", "how", "i", "if",
    "in", "into", "is", "it", "its", "l", "let", "like", "ll", "m", "me", "my", "need", "of", "on",
    "or", "our", "please", "re", "s", "should", "so", "some", "t", "than", "that", "the", "their",
    "them", "then", "there", "these", "they", "this", "those", "to", "up", "us", "use", "used",
    "user", "using", "ve", "want", "was", "we", "were", "what", "when", "where", "which", "who",
    "will", "with", "would", "you", "your",
];

/// Returns a text in lower case, in Unicode normal form NFKC.
fn folded(text: &str) -> String {
    // Lower case can leave the normal form, so the form is made twice.
    text.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

/// Calls `give` with each word of a text, in order, in normal form NFKC and lower case.
///
/// Words end at the word boundaries of Unicode (UAX 29), and at `_`, `.`, `:` and apostrophes. In a script that is
/// written without spaces, every two adjacent characters are a word. Stop words such as `the` are left out.
pub fn each_word(text: &str, mut give: impl FnMut(&str)) {
    if text.is_ascii() {
        give_spaced(&text.to_ascii_lowercase(), &mut give);
        return;
    }
    let text = folded(text);
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let unspaced = is_unspaced(first);
        let end = rest.find(|c| is_unspaced(c) != unspaced);
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        if unspaced {
            give_pairs(part, &mut give);
        } else {
            give_spaced(part, &mut give);
        }
        rest = after;
    }
}

/// Returns the stems of the words of a text.
pub(crate) fn stems(text: &str) -> Vec<String> {
    let mut stems = Vec::new();
    each_word(text, |word| stems.push(stem(word).into_owned()));
    stems
}

fn give_spaced(text: &str, give: &mut impl FnMut(&str)) {
    for word in text.unicode_words() {
        for part in word.split(['_', '.', ':', '\'', '’']) {
            if !part.is_empty() && EMPTY.binary_search(&part).is_err() {
                give(part);
            }
        }
    }
}

/// Calls `give` with every two adjacent characters, or with the only character.
fn give_pairs(text: &str, give: &mut impl FnMut(&str)) {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for (nth, start) in starts.iter().enumerate() {
        let end = starts.get(nth + 2).copied().unwrap_or(text.len());
        if nth == 0 || nth + 1 < starts.len() {
            give(text.get(*start..end).unwrap_or_default());
        }
    }
}

/// The minimum length of a stem, in letters.
const SHORTEST: usize = 3;

/// Returns an English word without its ending, so that `reviews`, `reviewed` and `reviewing` are one stem. A word
/// with other characters than `a` to `z` is returned unchanged. The stem need not be a word.
pub(crate) fn stem(word: &str) -> Cow<'_, str> {
    if word.len() <= SHORTEST || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.into();
    }
    let word = without_plural(word);
    let stem = ["ing", "ed"]
        .into_iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|stem| is_stem(stem)))
        .map_or_else(|| word.clone(), |stem| undoubled(stem).to_owned().into());
    let stem = match stem.strip_suffix("ion") {
        Some(rest) if rest.ends_with('t') && is_stem(rest) => rest.to_owned().into(),
        _ => stem,
    };
    match stem.strip_suffix('e') {
        Some(rest) if is_stem(rest) => rest.to_owned().into(),
        _ => stem,
    }
}

fn without_plural(word: &str) -> Cow<'_, str> {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| is_stem(stem)) {
        return format!("{stem}y").into();
    }
    if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        return word.into();
    }
    let hisses = |stem: &&str| {
        ["s", "x", "z", "ch", "sh"]
            .iter()
            .any(|end| stem.ends_with(end))
    };
    let stem = word.strip_suffix("es").filter(hisses);
    stem.or_else(|| word.strip_suffix('s'))
        .unwrap_or(word)
        .into()
}

/// Removes a doubled last letter: `runn` becomes `run`. `call` and `pass` stay.
fn undoubled(stem: &str) -> &str {
    let mut letters = stem.bytes().rev();
    match (letters.next(), letters.next()) {
        (Some(last), Some(before)) if last == before && !b"lsz".contains(&last) => {
            stem.get(..stem.len() - 1).unwrap_or(stem)
        }
        _ => stem,
    }
}

fn is_stem(stem: &str) -> bool {
    stem.len() >= SHORTEST && stem.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<String> {
        let mut written = Vec::new();
        each_word(text, |word| written.push(word.to_owned()));
        written
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

#[cfg(test)]
mod stem_tests {
    use super::stem;

    #[test]
    fn forms_of_a_word_are_one() {
        for forms in [
            &["review", "reviews", "reviewed", "reviewing"][..],
            &["create", "creates", "created", "creating", "creation"],
            &["run", "runs", "running"],
            &["match", "matches", "matched"],
            &["query", "queries"],
            &["pass", "passes", "passing"],
            &["migrate", "migrations"],
            &["note", "notes"],
            &["call", "calls", "calling"],
        ] {
            for form in forms {
                assert_eq!(stem(form), stem(forms[0]), "{form}");
            }
        }
    }

    #[test]
    fn other_words_stay() {
        for word in [
            "red", "bed", "thing", "string", "bus", "css", "axis", "api", "übungs", "v1s",
        ] {
            assert_eq!(stem(word), word);
        }
    }
}
