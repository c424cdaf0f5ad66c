//! Finds near matches: the names that a person may have meant. A near match never starts a skill.

use crate::name::nfc;
use crate::text::distance::distance;

/// The kind of a near match between a name and an id, the nearest kind first. All kinds are
/// case-insensitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
pub enum NearKind {
    /// Only the case differs.
    Equal,
    /// The id is the initials of the name's words: `tdd` for `test-driven-development`.
    Initials,
    /// The name has the same words in another order.
    Order,
    /// The name begins with the id. The id has at least 3 characters.
    Prefix,
    /// The id is mistyped by one edit, or by up to two edits if it has more than 5 characters.
    Distance,
    /// The name contains the id. The id has at least 3 characters.
    Part,
}

/// An id, prepared for comparison with many names. A comparison of ASCII text allocates nothing.
#[derive(Clone, Debug)]
pub struct Near {
    letters: Folded<char>,
    /// The same letters as bytes, if the id is ASCII.
    bytes: Option<Folded<u8>>,
}

/// The nearness of a name: the kind, then the number of edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nearness {
    /// The kind of the match.
    pub kind: NearKind,
    /// The number of edits of a mistyped id.
    pub edits: usize,
}

/// The minimum number of characters of an id that matches as a prefix, as a part or by distance.
const SHORTEST: usize = 3;
/// The maximum number of characters of an id that may differ by only one edit.
const SHORT: usize = 5;

impl Near {
    /// Prepares an id as typed.
    pub fn new(id: &str) -> Self {
        let id = id.chars().flat_map(char::to_lowercase).collect::<String>();
        let id = nfc(&id);
        Self {
            bytes: id.is_ascii().then(|| Folded::new(id.bytes())),
            letters: Folded::new(id.chars()),
        }
    }

    /// Returns whether nothing is compared.
    pub fn is_empty(&self) -> bool {
        self.letters.id.is_empty()
    }

    /// Returns the nearness of a name in lower case. Returns `None` if the name is not near, or only by
    /// a kind after `last`.
    pub fn to(&self, name: &str, last: NearKind) -> Option<Nearness> {
        match &self.bytes {
            Some(id) if name.is_ascii() => id.ladder(name.as_bytes(), last),
            _ => self.letters.ladder(&name.chars().collect::<Vec<_>>(), last),
        }
    }

    /// Does the same as [`Near::to`] for an id that a person is still typing. An id of fewer than three
    /// characters is near to names that begin with it or have a word that begins with it.
    pub fn to_unfinished(&self, name: &str) -> Option<Nearness> {
        match &self.bytes {
            Some(id) if name.is_ascii() => id.unfinished(name.as_bytes()),
            _ => self.letters.unfinished(&name.chars().collect::<Vec<_>>()),
        }
    }
}

/// An id in lower case, with data that quickly excludes names that are not near.
#[derive(Clone, Debug)]
struct Folded<T> {
    id: Vec<T>,
    words: Vec<String>,
    mask: u64,
}

impl<T: Letter> Folded<T> {
    fn new(id: impl Iterator<Item = T>) -> Self {
        let id: Vec<T> = id.collect();
        Self {
            words: sorted_words(&id),
            mask: mask(&id),
            id,
        }
    }

    fn ladder(&self, name: &[T], last: NearKind) -> Option<Nearness> {
        if let Some(kind) = self.whole_words(name) {
            return Some(kind.into());
        }
        if self.id.len() < SHORTEST {
            return None;
        }
        if name.starts_with(&self.id) {
            return Some(NearKind::Prefix.into());
        }
        if last < NearKind::Distance {
            return None;
        }
        let letters = mask(name);
        if let Some(edits) = self.edits(name, letters) {
            let kind = NearKind::Distance;
            return Some(Nearness { kind, edits });
        }
        if last < NearKind::Part || self.mask & !letters != 0 {
            return None;
        }
        is_part(&self.id, name).then(|| NearKind::Part.into())
    }

    fn unfinished(&self, name: &[T]) -> Option<Nearness> {
        if self.id.len() >= SHORTEST {
            return self.ladder(name, NearKind::Part);
        }
        if let Some(kind) = self.whole_words(name) {
            return Some(kind.into());
        }
        if name.starts_with(&self.id) {
            return Some(NearKind::Prefix.into());
        }
        begins_word(&self.id, name).then(|| NearKind::Part.into())
    }

    fn whole_words(&self, name: &[T]) -> Option<NearKind> {
        if self.id == name {
            return Some(NearKind::Equal);
        }
        if self.is_initials(name) {
            return Some(NearKind::Initials);
        }
        self.is_other_order(name).then_some(NearKind::Order)
    }

    /// Returns whether the id consists of the initials of the name's words. The name must have at least
    /// two words.
    fn is_initials(&self, name: &[T]) -> bool {
        if self.id.len() < 2 || self.id.first() != name.first() {
            return false;
        }
        let mut initials = word_starts(name).map(|at| &name[at]);
        self.id.iter().all(|letter| initials.next() == Some(letter)) && initials.next().is_none()
    }

    fn is_other_order(&self, name: &[T]) -> bool {
        self.words.len() > 1
            && self.id.len() == name.len()
            && self.mask == mask(name)
            && self.words == sorted_words(name)
    }

    fn edits(&self, name: &[T], letters: u64) -> Option<usize> {
        let most = if self.id.len() <= SHORT { 1 } else { 2 };
        // An edit removes at most one letter and adds at most one. The comparison of letter sets
        // excludes most names before the expensive distance.
        let lost = (self.mask & !letters).count_ones() as usize;
        let gained = (letters & !self.mask).count_ones() as usize;
        if lost > most || gained > most || self.id.len().abs_diff(name.len()) > most {
            return None;
        }
        let same = self.id.iter().zip(name).take_while(|(a, b)| a == b).count();
        let (id, name) = (self.id.get(same..)?, name.get(same..)?);
        let backwards = id.iter().rev().zip(name.iter().rev());
        let same = backwards.take_while(|(a, b)| a == b).count();
        let (id, name) = (id.get(..id.len() - same)?, name.get(..name.len() - same)?);
        // 5 cells a row: two edits shift a letter by at most two places in either direction.
        distance::<5, _>(id, name, most)
    }
}

fn is_part<T: Letter>(id: &[T], name: &[T]) -> bool {
    let mut windows = name.windows(id.len().max(1));
    windows.any(|part| part.first() == id.first() && part == id)
}

fn begins_word<T: Letter>(id: &[T], name: &[T]) -> bool {
    word_starts(name).any(|at| name[at..].starts_with(id))
}

/// Returns the positions at which the words of a name begin.
fn word_starts<T: Letter>(name: &[T]) -> impl Iterator<Item = usize> {
    let is_start = |at: usize| at == 0 || is_separator(name[at - 1]);
    (0..name.len()).filter(move |&at| is_start(at) && !is_separator(name[at]))
}

fn sorted_words<T: Letter>(text: &[T]) -> Vec<String> {
    let words = text.split(|&letter| is_separator(letter));
    let mut words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(|word| {
            word.iter()
                .map(|&letter| Into::<char>::into(letter))
                .collect()
        })
        .collect();
    words.sort_unstable();
    words
}

fn is_separator<T: Letter>(letter: T) -> bool {
    [b'-', b'_', b':'].into_iter().any(|c| letter == T::from(c))
}

/// Returns the set of a text's letters as bits. Several letters share a bit, so the set can only exclude
/// a match.
fn mask<T: Letter>(text: &[T]) -> u64 {
    let letters = text.iter().filter(|&&letter| !is_separator(letter));
    letters.fold(0, |mask, &letter| {
        mask | 1 << (Into::<u32>::into(letter) % 64)
    })
}

/// A character: an ASCII byte, or any `char`.
trait Letter: Copy + Ord + From<u8> + Into<char> + Into<u32> {}

impl Letter for u8 {}

impl Letter for char {}

impl From<NearKind> for Nearness {
    fn from(kind: NearKind) -> Self {
        Self { kind, edits: 0 }
    }
}

/// The maximum number of names that a sentence lists.
const LISTED: usize = 5;

/// Returns the question for near names: the first names, and the total number if there are more.
///
/// ```
/// # use skills_format::mention::did_you_mean;
/// assert_eq!(did_you_mean(&["plan", "plank"]), "Did you mean plan or plank?");
/// ```
pub fn did_you_mean(near: &[impl AsRef<str>]) -> String {
    let mut names: Vec<&str> = near.iter().take(LISTED).map(AsRef::as_ref).collect();
    let others = format!("another of {}", near.len());
    if near.len() > LISTED {
        names.push(&others);
    }
    let last = names.pop().unwrap_or_default();
    match names.join(", ") {
        first if first.is_empty() => format!("Did you mean {last}?"),
        first => format!("Did you mean {first} or {last}?"),
    }
}

/// Returns the first ids as text, and the number of further ids.
pub fn listed(ids: &[impl AsRef<str>]) -> String {
    let first: Vec<&str> = ids.iter().take(LISTED).map(AsRef::as_ref).collect();
    let listed = first.join(", ");
    match ids.len().saturating_sub(LISTED) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(id: &str, name: &str) -> Option<NearKind> {
        Near::new(id)
            .to(name, NearKind::Part)
            .map(|nearness| nearness.kind)
    }

    #[test]
    fn unfinished() {
        use NearKind::{Distance, Equal, Initials, Order, Part, Prefix};
        for (typed, name, expected) in [
            ("code-review", "code-review", Some(Equal)),
            ("C", "code-review", Some(Prefix)),
            ("code-r", "code-review", Some(Prefix)),
            ("r", "code-review", Some(Part)),
            ("ev", "code-review", None),
            ("evi", "code-review", Some(Part)),
            ("cr", "code-review", Some(Initials)),
            ("tdd", "test-driven-development", Some(Initials)),
            ("review-code", "code-review", Some(Order)),
            ("code-reveiw", "code-review", Some(Distance)),
            ("übe", "übersicht", Some(Prefix)),
            ("xyz", "code-review", None),
        ] {
            let near = Near::new(typed).to_unfinished(name);
            assert_eq!(
                near.map(|nearness| nearness.kind),
                expected,
                "{typed} {name}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn unfinished_is_as_near_as_a_mention(
            typed in "[a-cA-Cé-]{3,8}",
            name in "[a-cé]{1,4}(-[a-cé]{1,4}){0,2}",
        ) {
            let unfinished = Near::new(&typed).to_unfinished(&name);
            proptest::prop_assert_eq!(unfinished.map(|nearness| nearness.kind), kind(&typed, &name));
        }
    }

    #[test]
    fn ladder() {
        use NearKind::{Distance, Equal, Initials, Order, Part, Prefix};
        for (id, name, expected) in [
            ("Code-Review", "code-review", Some(Equal)),
            ("tdd", "test-driven-development", Some(Initials)),
            ("td", "test-driven-development", None),
            ("t", "test", None),
            ("review-code", "code-review", Some(Order)),
            ("code", "code-review", Some(Prefix)),
            ("co", "code-review", None),
            ("code-reveiw", "code-review", Some(Distance)),
            ("core-reveiw", "code-review", Some(Distance)),
            ("cxre-reveiw", "code-review", None),
            ("alpeh", "aleph", Some(Distance)),
            ("alxxh", "aleph", None),
            ("review", "code-review", Some(Part)),
            ("vi", "code-review", None),
            ("ÜBERSICHT", "übersicht", Some(Equal)),
        ] {
            assert_eq!(kind(id, name), expected, "{id} {name}");
        }
    }

    /// Computes the edit distance by the full table of the textbook.
    fn full_distance(a: &[char], b: &[char]) -> usize {
        let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                d[i][j] = match (i, j) {
                    (i, 0) => i,
                    (0, j) => j,
                    _ => {
                        let mut best = (d[i - 1][j] + 1)
                            .min(d[i][j - 1] + 1)
                            .min(d[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]));
                        if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                            best = best.min(d[i - 2][j - 2] + 1);
                        }
                        best
                    }
                };
            }
        }
        d[a.len()][b.len()]
    }

    proptest::proptest! {
        #[test]
        fn quick_refusals_are_right(id in "[abcdef]{6,12}", name in "[abcdef]{4,14}") {
            let (a, b): (Vec<char>, Vec<char>) = (id.chars().collect(), name.chars().collect());
            let full = full_distance(&a, &b);
            let folded = Folded::new(a.into_iter());
            let edits = folded.edits(&b, mask(&b));
            proptest::prop_assert_eq!(edits, (full <= 2).then_some(full));
        }

        #[test]
        fn bytes_are_as_letters(id in "[a-c-]{1,8}", name in "[a-c]{1,4}(-[a-c]{1,4}){0,2}") {
            let near = Near::new(&id);
            let letters: Vec<char> = name.chars().collect();
            let ladder = near.letters.ladder(&letters, NearKind::Part);
            proptest::prop_assert_eq!(near.to(&name, NearKind::Part), ladder);
        }
    }
}
