//! Near matches: which names a person may have meant, never which skill is started.

use crate::resolution::NearKind;
use skills_format::nfc;

/// An id, prepared for comparing it with many names. Comparing allocates nothing for ASCII names.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    id: Vec<char>,
    words: Vec<String>,
}

/// How near a name is: first the kind, then the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Nearness {
    pub(crate) kind: NearKind,
    edits: usize,
}

/// Shortest id that matches as a beginning or a part, or by distance, in characters.
const SHORTEST: usize = 3;
/// Longest id that may have one edit only.
const SHORT: usize = 5;

impl Near {
    /// Prepares an id, as it was typed.
    pub(crate) fn new(id: &str) -> Self {
        let id = fold(id);
        Self {
            words: sorted_words(&id),
            id: id.chars().collect(),
        }
    }

    /// How near `name` is; `None` when it is not.
    pub(crate) fn to(&self, name: &str) -> Option<Nearness> {
        let mut buffer = [' '; 128];
        let folded: Vec<char>;
        let name = match ascii_into(name, &mut buffer) {
            Some(name) => name,
            None => {
                folded = fold(name).chars().collect();
                &folded
            }
        };
        let (kind, edits) = self.kind(name)?;
        Some(Nearness { kind, edits })
    }

    fn kind(&self, name: &[char]) -> Option<(NearKind, usize)> {
        let id = self.id.as_slice();
        if id == name {
            return Some((NearKind::Equal, 0));
        }
        if is_initials(id, name) {
            return Some((NearKind::Initials, 0));
        }
        if id.len() == name.len()
            && self.words.len() > 1
            && self.words == sorted_words(&name.iter().collect::<String>())
        {
            return Some((NearKind::Order, 0));
        }
        if id.len() < SHORTEST {
            return None;
        }
        if name.starts_with(id) {
            return Some((NearKind::Prefix, 0));
        }
        let most = if id.len() <= SHORT { 1 } else { 2 };
        if let Some(edits) = distance(id, name, most) {
            return Some((NearKind::Distance, edits));
        }
        name.windows(id.len())
            .any(|part| part == id)
            .then_some((NearKind::Part, 0))
    }
}

/// Lowercase, in normal form NFC.
fn fold(text: &str) -> String {
    nfc(&text
        .chars()
        .flat_map(char::to_lowercase)
        .collect::<String>())
    .into_owned()
}

fn ascii_into<'b>(name: &str, buffer: &'b mut [char; 128]) -> Option<&'b [char]> {
    let into = buffer.get_mut(..name.len())?;
    for (c, byte) in into.iter_mut().zip(name.bytes()) {
        if !byte.is_ascii() {
            return None;
        }
        *c = char::from(byte.to_ascii_lowercase());
    }
    Some(into)
}

fn is_separator(c: char) -> bool {
    matches!(c, '-' | '_' | ':')
}

fn sorted_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text
        .split(is_separator)
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.sort();
    words
}

/// Whether `id` is the first letters of the name's two or more words.
fn is_initials(id: &[char], name: &[char]) -> bool {
    let mut initials = name
        .split(|&c| is_separator(c))
        .filter_map(|word| word.first());
    id.len() > 1 && id.iter().all(|c| initials.next() == Some(c)) && initials.next().is_none()
}

/// Optimal string alignment: insertions, deletions, substitutions, and swaps of neighbours. `None`
/// when more than `most` (at most 2) are needed. Looks at `2 * most + 1` cells for each character.
pub(crate) fn distance<T: PartialEq>(a: &[T], b: &[T], most: usize) -> Option<usize> {
    let most = most.min(2);
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    // Cell `k` of the row of `i` stands for the first `i` characters of `a` against the first
    // `i + k - most` of `b`.
    let width = 2 * most + 1;
    let far = most + 1;
    let mut before = [far; 5];
    let mut above = [far; 5];
    for (k, cell) in above.iter_mut().enumerate().take(width).skip(most) {
        *cell = k - most;
    }
    for (i, x) in a.iter().enumerate() {
        let mut row = [far; 5];
        for k in 0..width {
            let Some(j) = (i + 1 + k).checked_sub(most) else {
                continue;
            };
            if j > b.len() {
                break;
            }
            let mut best = above
                .get(k + 1)
                .filter(|_| k + 1 < width)
                .map_or(far, |cell| cell + 1);
            if k > 0 {
                best = best.min(row[k - 1] + 1);
            }
            if j == 0 {
                best = best.min(i + 1);
            } else {
                let y = &b[j - 1];
                best = best.min(above[k] + usize::from(x != y));
                if i > 0 && j > 1 && *x == b[j - 2] && a[i - 1] == *y {
                    best = best.min(before[k] + 1);
                }
            }
            row[k] = best.min(far);
        }
        if row.iter().take(width).all(|&cell| cell >= far) {
            return None;
        }
        before = above;
        above = row;
    }
    let last = (b.len() + most).checked_sub(a.len())?;
    above.get(last).copied().filter(|&edits| edits <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(id: &str, name: &str) -> Option<NearKind> {
        Near::new(id).to(name).map(|nearness| nearness.kind)
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

    /// The textbook's whole table.
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
        fn distance_is_the_textbooks(a in "[abc]{0,9}", b in "[abc]{0,9}", most in 1_usize..3) {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let full = full_distance(&a, &b);
            proptest::prop_assert_eq!(distance(&a, &b, most), (full <= most).then_some(full));
        }
    }
}
