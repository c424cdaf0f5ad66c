//! How near a name is to what a person is typing: near matches, and the first letters of words.

use crate::near::distance;
use crate::resolution::NearKind;
use skills_format::{Span, nfc};

/// Shortest text that matches as any part, or by distance, in characters.
const SHORTEST: usize = 3;
/// Longest text that may have one edit only.
const SHORT: usize = 5;

/// A text that is being typed, prepared for comparing it with many names.
pub(crate) struct Typed {
    chars: Vec<char>,
    /// The same, where it is ASCII.
    bytes: Option<Vec<u8>>,
}

impl Typed {
    pub(crate) fn new(text: &str) -> Self {
        let folded: String = text.chars().flat_map(char::to_lowercase).collect();
        let folded = nfc(&folded);
        Self {
            chars: folded.chars().collect(),
            bytes: folded.is_ascii().then(|| folded.as_bytes().to_vec()),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.chars.is_empty()
    }

    /// How near a name is, in lower case as names are, and by how many edits. `None`: not at all.
    pub(crate) fn to(&self, name: &str) -> Option<(NearKind, usize)> {
        match &self.bytes {
            Some(bytes) if name.is_ascii() => kind(bytes, name.as_bytes()),
            _ => kind(&self.chars, &name.chars().collect::<Vec<char>>()),
        }
    }

    /// The bytes of the name that were typed.
    pub(crate) fn matched(&self, name: &str, kind: Option<NearKind>) -> Vec<Span> {
        let chars: Vec<(usize, char)> = name.char_indices().collect();
        let letters: Vec<char> = chars.iter().map(|&(_, c)| c).collect();
        let typed = self.chars.as_slice();
        let at: Vec<usize> = match kind {
            None => Vec::new(),
            Some(NearKind::Equal | NearKind::Order) => (0..letters.len()).collect(),
            Some(NearKind::Prefix) => (0..typed.len()).collect(),
            Some(NearKind::Initials) => word_starts(&letters).collect(),
            Some(NearKind::Part) => {
                let start = part(typed, &letters).unwrap_or_default();
                (start..start + typed.len()).collect()
            }
            Some(NearKind::Distance) => in_order(typed, &letters),
        };
        let mut spans: Vec<Span> = Vec::new();
        for &(start, c) in at.iter().filter_map(|&at| chars.get(at)) {
            let end = start + c.len_utf8();
            match spans.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ => spans.push(Span::new(start, end)),
            }
        }
        spans
    }
}

/// A character of ASCII, or any.
trait Letter: Copy + Ord + From<u8> {}
impl Letter for u8 {}
impl Letter for char {}

fn kind<T: Letter>(typed: &[T], name: &[T]) -> Option<(NearKind, usize)> {
    if typed == name {
        return Some((NearKind::Equal, 0));
    }
    if is_initials(typed, name) {
        return Some((NearKind::Initials, 0));
    }
    if is_other_order(typed, name) {
        return Some((NearKind::Order, 0));
    }
    if name.starts_with(typed) {
        return Some((NearKind::Prefix, 0));
    }
    if typed.len() >= SHORTEST {
        let most = if typed.len() <= SHORT { 1 } else { 2 };
        if let Some(edits) = trimmed_distance(typed, name, most) {
            return Some((NearKind::Distance, edits));
        }
    }
    part(typed, name).map(|_| (NearKind::Part, 0))
}

fn is_separator<T: Letter>(letter: T) -> bool {
    [b'-', b'_', b':'].into_iter().any(|c| letter == T::from(c))
}

fn word_starts<T: Letter>(name: &[T]) -> impl Iterator<Item = usize> {
    let is_start = |at: usize| at == 0 || name.get(at - 1).is_some_and(|&c| is_separator(c));
    let is_word = |at: usize| name.get(at).is_some_and(|&c| !is_separator(c));
    (0..name.len()).filter(move |&at| is_start(at) && is_word(at))
}

fn is_initials<T: Letter>(typed: &[T], name: &[T]) -> bool {
    if typed.len() < 2 || typed.first() != name.first() {
        return false;
    }
    let mut initials = word_starts(name).filter_map(|at| name.get(at));
    typed.iter().all(|c| initials.next() == Some(c)) && initials.next().is_none()
}

fn is_other_order<T: Letter>(typed: &[T], name: &[T]) -> bool {
    if typed.len() != name.len() || !typed.iter().any(|&c| is_separator(c)) {
        return false;
    }
    // The words hold the same letters; most names fail this without being taken apart.
    let held = |c: &T| name.contains(c);
    if !typed.iter().all(held) {
        return false;
    }
    let words = |text: &[T]| {
        let words = text.split(|&c| is_separator(c));
        let mut words: Vec<Vec<T>> = words.filter(|w| !w.is_empty()).map(<[T]>::to_vec).collect();
        words.sort();
        words
    };
    words(typed) == words(name)
}

/// The distance of what is left when the same beginning and end are taken off.
fn trimmed_distance<T: Letter>(a: &[T], b: &[T], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (a.get(same..)?, b.get(same..)?);
    let backwards = a.iter().rev().zip(b.iter().rev());
    let same = backwards.take_while(|(a, b)| a == b).count();
    distance(a.get(..a.len() - same)?, b.get(..b.len() - same)?, most)
}

/// Where the name holds what is typed; of fewer than three characters, only where a word begins.
fn part<T: Letter>(typed: &[T], name: &[T]) -> Option<usize> {
    if typed.len() < SHORTEST {
        let mut starts = word_starts(name);
        return starts.find(|&at| name.get(at..).is_some_and(|rest| rest.starts_with(typed)));
    }
    let first = typed.first()?;
    let mut windows = name.windows(typed.len());
    windows.position(|part| part.first() == Some(first) && part == typed)
}

/// The places of the typed letters that stand in the name in the same order.
fn in_order(typed: &[char], name: &[char]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut from = 0;
    for c in typed {
        let rest = name.get(from..).unwrap_or_default();
        if let Some(at) = rest.iter().position(|other| other == c) {
            places.push(from + at);
            from += at + 1;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::Near;
    use proptest::prelude::*;

    fn matched(typed: &str, name: &str) -> Option<(NearKind, String)> {
        let typed = Typed::new(typed);
        let (kind, _) = typed.to(name)?;
        let spans = typed.matched(name, Some(kind));
        let parts: Vec<&str> = spans.iter().map(|span| span.of(name)).collect();
        Some((kind, parts.join("|")))
    }

    #[test]
    fn kinds_and_what_is_marked() {
        use NearKind::{Distance, Equal, Initials, Order, Part, Prefix};
        for (typed, name, expected) in [
            ("code-review", "code-review", Some((Equal, "code-review"))),
            ("C", "code-review", Some((Prefix, "c"))),
            ("code-r", "code-review", Some((Prefix, "code-r"))),
            ("r", "code-review", Some((Part, "r"))),
            ("ev", "code-review", None),
            ("evi", "code-review", Some((Part, "evi"))),
            ("cr", "code-review", Some((Initials, "c|r"))),
            ("tdd", "test-driven-development", Some((Initials, "t|d|d"))),
            ("review-code", "code-review", Some((Order, "code-review"))),
            (
                "code-reveiw",
                "code-review",
                Some((Distance, "code-rev|ew")),
            ),
            ("übe", "übersicht", Some((Prefix, "übe"))),
            ("xyz", "code-review", None),
        ] {
            let expected = expected.map(|(kind, parts)| (kind, parts.to_owned()));
            assert_eq!(matched(typed, name), expected, "{typed} {name}");
        }
    }

    proptest! {
        #[test]
        fn as_near_as_a_mention(typed in "[a-cA-Cé-]{3,8}", name in "[a-cé]{1,4}(-[a-cé]{1,4}){0,2}") {
            let near = Near::new(&typed).to(&name).map(|nearness| nearness.kind);
            prop_assert_eq!(Typed::new(&typed).to(&name).map(|(kind, _)| kind), near);
        }
    }
}
