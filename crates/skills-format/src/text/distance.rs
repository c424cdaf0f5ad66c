//! The edit distance of two words.

/// Counts the edits that turn `a` into `b`: insertions, deletions, replacements, and swaps of
/// neighbours (optimal string alignment). Returns `None` if more than `most` edits are needed.
///
/// `WIDTH` bounds `most`: it is twice the largest `most`, plus one. A larger `most` counts as that
/// bound.
///
/// # Cost
///
/// Computes `2 * most + 1` cells for each item of `a`, and allocates nothing.
///
/// ```
/// use skills_format::text::distance::distance;
///
/// assert_eq!(distance::<5, _>(b"licence", b"license", 2), Some(1));
/// assert_eq!(distance::<5, _>(b"kitten", b"sitting", 2), None);
/// ```
pub fn distance<const WIDTH: usize, T: PartialEq>(a: &[T], b: &[T], most: usize) -> Option<usize> {
    let most = most.min(WIDTH / 2);
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    // Cell `k` of the row of `i` stands for the first `i` items of `a` against the first
    // `i + k - most` of `b`.
    let width = 2 * most + 1;
    let far = most + 1;
    let mut before = [far; WIDTH];
    let mut above = [far; WIDTH];
    for (k, cell) in above.iter_mut().enumerate().take(width).skip(most) {
        *cell = k - most;
    }
    for (i, x) in a.iter().enumerate() {
        let mut row = [far; WIDTH];
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
        // No later row can be nearer than this row.
        if row.iter().take(width).all(|&cell| cell >= far) {
            return None;
        }
        before = above;
        above = row;
    }
    let last = (b.len() + most).checked_sub(a.len())?;
    above.get(last).copied().filter(|&edits| edits <= most)
}

/// Counts the edits between two words by their characters. Returns `None` if more than `most` edits are
/// needed. A `most` above 4 counts as 4.
pub fn of_words(a: &str, b: &str, most: usize) -> Option<usize> {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    distance::<9, char>(&a, &b, most)
}

/// Finds the known word that is nearest to `word`: at most two edits, and fewer than half of the known word's
/// length.
///
/// ```
/// use skills_format::text::distance::nearest;
///
/// assert_eq!(nearest("chek", ["check", "chat"]), Some("check"));
/// assert_eq!(nearest("frobnicate", ["check", "chat"]), None);
/// ```
pub fn nearest<'w>(word: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    nearest_of(word, &mut words.into_iter())
}

/// Compiled once: each kind of iterator has only its own copy of `nearest`.
fn nearest_of<'w>(word: &str, words: &mut dyn Iterator<Item = &'w str>) -> Option<&'w str> {
    words
        .filter_map(|known| Some((of_words(word, known, 2)?, known)))
        .filter(|(edits, known)| edits * 2 < known.len())
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the distance by the whole table, as in textbooks.
    fn full(a: &[char], b: &[char]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let edited = table[i - 1][j].min(table[i][j - 1]) + 1;
                    let swaps = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    let swapped = if swaps {
                        table[i - 2][j - 2] + 1
                    } else {
                        replaced
                    };
                    replaced.min(edited).min(swapped)
                };
            }
        }
        table[a.len()][b.len()]
    }

    #[test]
    fn edits() {
        for (a, b, edits) in [
            ("", "", Some(0)),
            ("ab", "", Some(2)),
            ("licence", "license", Some(1)),
            ("naem", "name", Some(1)),
            ("kitten", "sitting", Some(3)),
            ("kitten", "sat", None),
        ] {
            assert_eq!(of_words(a, b, 4), edits, "{a} {b}");
        }
    }

    proptest::proptest! {
        #[test]
        fn a_bounded_distance_is_the_full_one(
            a in "[abc]{0,9}", b in "[abc]{0,9}", most in 0_usize..6,
        ) {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let full = full(&a, &b);
            let bounded = distance::<9, _>(&a, &b, most);
            proptest::prop_assert_eq!(bounded, (full <= most.min(4)).then_some(full));
            let narrow = distance::<5, _>(&a, &b, most);
            proptest::prop_assert_eq!(narrow, (full <= most.min(2)).then_some(full));
        }
    }
}
