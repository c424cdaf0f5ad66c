//! Sorts items by a text or a number of each item.
//!
//! The standard sort is compiled again for each type and each comparison, and makes every program about 7 KB
//! larger each time. Here one copy of the standard sort sorts the keys, and the items are moved to their places.

use crate::text::span::Span;

/// Sorts items by the bytes of a text of each. Items with the same text keep their order.
///
/// ```
/// let mut sizes = [("b", 1), ("a", 2), ("b", 0)];
/// skills_format::text::order::sort_by_text(&mut sizes, |(name, _)| name.as_bytes());
/// assert_eq!(sizes, [("a", 2), ("b", 1), ("b", 0)]);
/// ```
pub fn sort_by_text<T>(items: &mut [T], text: impl Fn(&T) -> &[u8]) {
    sort_by_number_and_text(items, |item| (0, text(item)));
}

/// Sorts items by a number of each. Items with the same number keep their order.
pub fn sort_by_number<T>(items: &mut [T], number: impl Fn(&T) -> usize) {
    sort_by_number_and_text(items, |item| (number(item), &[]));
}

/// Sorts items by a place of each. Items with the same place keep their order.
pub fn sort_by_span<T>(items: &mut [T], span: impl Fn(&T) -> Span) {
    // The sort is stable, so the less significant key is sorted first.
    sort_by_number(items, |item| span(item).end);
    sort_by_number(items, |item| span(item).start);
}

/// Sorts items by a number of each, and items with the same number by the bytes of a text.
pub fn sort_by_number_and_text<T>(items: &mut [T], key: impl Fn(&T) -> (usize, &[u8])) {
    if items.len() < 2 {
        return;
    }
    // Loops: each iterator over `T` would be compiled again for each type too.
    let mut keys = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        keys.push((key(item), place));
    }
    let mut order = order(keys);
    for first in 0..order.len() {
        // Moves the items of one cycle of the permutation. A place that is done holds its own number.
        let mut place = first;
        while let Some(next) = order.get_mut(place) {
            let next = std::mem::replace(next, place);
            if next == first {
                break;
            }
            items.swap(place, next);
            place = next;
        }
    }
}

/// Returns for each place the place of the item that belongs there. Returns nothing if all items are in order.
fn order(mut keys: Vec<((usize, &[u8]), usize)>) -> Vec<usize> {
    if keys.is_sorted() {
        return Vec::new();
    }
    // The place is a part of the key, so items with equal keys keep their order.
    keys.sort();
    keys.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_the_standard_sort(
            items in prop::collection::vec((0_usize..3, "[ab]{0,2}", any::<u8>()), 0..40)
        ) {
            let mut expected = items.clone();
            expected.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
            let mut sorted = items;
            sort_by_number_and_text(&mut sorted, |item| (item.0, item.1.as_bytes()));
            prop_assert_eq!(sorted, expected);
        }
    }
}
