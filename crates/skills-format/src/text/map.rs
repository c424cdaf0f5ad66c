//! Maps and sets whose keys are texts.
//!
//! The standard map is compiled again for each type of its keys and of its values, and makes every program about
//! 20 KB larger each time. Here one copy of the standard map finds the places of the keys, and the values stand in
//! a vector.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// Values by text, in the order of the bytes of the texts.
///
/// ```
/// use skills_format::text::map::TextMap;
///
/// let mut sizes = TextMap::default();
/// sizes.insert("b", 1);
/// *sizes.or_insert("a", 0) += 2;
/// assert_eq!(sizes.get("b"), Some(&1));
/// assert_eq!(sizes.iter().collect::<Vec<_>>(), [("a", &2), ("b", &1)]);
/// ```
#[derive(Clone, Debug)]
pub struct TextMap<'k, V> {
    places: Places<'k>,
    values: Vec<V>,
}

/// Different texts, in the order of their bytes.
#[derive(Clone, Debug, Default)]
pub struct TextSet<'k>(Places<'k>);

/// The number of each text, counted from 0 in the order in which the texts were added.
#[derive(Clone, Debug, Default)]
struct Places<'k>(BTreeMap<Cow<'k, str>, usize>);

impl<'k> Places<'k> {
    /// Returns the number of a text, after the text was added if it was missing.
    fn add(&mut self, text: Cow<'k, str>) -> usize {
        let next = self.0.len();
        *self.0.entry(text).or_insert(next)
    }

    fn get(&self, text: &str) -> Option<usize> {
        self.0.get(text).copied()
    }

    /// Removes a text. The last text has its number afterwards.
    fn remove(&mut self, text: &str) -> Option<usize> {
        let place = self.0.remove(text)?;
        let last = self.0.len();
        if let Some(moved) = self.0.values_mut().find(|other| **other == last) {
            *moved = place;
        }
        Some(place)
    }

    /// Returns the texts and their numbers, in the order of the texts. A list, since the iterators of the standard map
    /// would be compiled where they are used.
    fn sorted(&self) -> Vec<(&str, usize)> {
        let places = self.0.iter();
        places
            .map(|(text, place)| (text.as_ref(), *place))
            .collect()
    }

    /// Does the same with the texts themselves.
    fn into_sorted(self) -> Vec<(Cow<'k, str>, usize)> {
        self.0.into_iter().collect()
    }
}

impl<'k, V> TextMap<'k, V> {
    /// Sets the value of a text. Returns the value that the text had before.
    pub fn insert(&mut self, text: impl Into<Cow<'k, str>>, value: V) -> Option<V> {
        let place = self.places.add(text.into());
        if let Some(known) = self.values.get_mut(place) {
            return Some(std::mem::replace(known, value));
        }
        self.values.push(value);
        None
    }

    /// Returns the value of a text, which is `value` if the text had none.
    pub fn or_insert(&mut self, text: impl Into<Cow<'k, str>>, value: V) -> &mut V {
        let place = self.places.add(text.into());
        if place == self.values.len() {
            self.values.push(value);
        }
        // Every text has a value, so the place is within the values.
        &mut self.values[place]
    }

    /// Returns the value of a text.
    pub fn get(&self, text: &str) -> Option<&V> {
        self.values.get(self.places.get(text)?)
    }

    /// Returns the value of a text, to change it.
    pub fn get_mut(&mut self, text: &str) -> Option<&mut V> {
        self.values.get_mut(self.places.get(text)?)
    }

    /// Returns whether a text has a value.
    pub fn contains(&self, text: &str) -> bool {
        self.places.get(text).is_some()
    }

    /// Removes a text and its value, in a time that grows with the number of texts.
    pub fn remove(&mut self, text: &str) -> Option<V> {
        let place = self.places.remove(text)?;
        Some(self.values.swap_remove(place))
    }

    /// Sets the values of all texts of another map.
    pub fn append(&mut self, other: Self) {
        let mut values: Vec<Option<V>> = other.values.into_iter().map(Some).collect();
        for (text, place) in other.places.into_sorted() {
            if let Some(value) = values.get_mut(place).and_then(Option::take) {
                self.insert(text, value);
            }
        }
    }

    /// Iterates over the texts and their values, in the order of the texts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &V)> {
        let places = self.places.sorted().into_iter();
        places.filter_map(|(text, place)| Some((text, self.values.get(place)?)))
    }

    /// Iterates over the values, in the order of the texts.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl<V> Default for TextMap<'_, V> {
    fn default() -> Self {
        Self {
            places: Places::default(),
            values: Vec::new(),
        }
    }
}

impl<'k, K: Into<Cow<'k, str>>, V> FromIterator<(K, V)> for TextMap<'k, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        for (text, value) in entries {
            map.insert(text, value);
        }
        map
    }
}

impl<V: PartialEq> PartialEq for TextMap<'_, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<V: Eq> Eq for TextMap<'_, V> {}

impl<'k> TextSet<'k> {
    /// Adds a text. Returns whether the text is new.
    pub fn insert(&mut self, text: impl Into<Cow<'k, str>>) -> bool {
        let next = self.len();
        self.0.add(text.into()) == next
    }

    /// Returns whether the set has a text.
    pub fn contains(&self, text: &str) -> bool {
        self.0.get(text).is_some()
    }

    /// Iterates over the texts, in the order of their bytes.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.sorted().into_iter().map(|(text, _)| text)
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.0.0.len()
    }

    /// Returns whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.0.is_empty()
    }
}

impl PartialEq for TextSet<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for TextSet<'_> {}

impl<'k, K: Into<Cow<'k, str>>> FromIterator<K> for TextSet<'k> {
    fn from_iter<I: IntoIterator<Item = K>>(texts: I) -> Self {
        let mut set = Self::default();
        for text in texts {
            set.insert(text);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn as_the_standard_map(
            steps in prop::collection::vec((0_u8..3, "[ab]{0,2}", any::<u8>()), 0..60)
        ) {
            let (mut map, mut expected) = (TextMap::default(), BTreeMap::new());
            for (kind, text, value) in steps {
                match kind {
                    0 => prop_assert_eq!(
                        map.insert(text.clone(), value),
                        expected.insert(text, value)
                    ),
                    1 => prop_assert_eq!(
                        map.or_insert(text.clone(), value),
                        expected.entry(text).or_insert(value)
                    ),
                    _ => prop_assert_eq!(map.remove(&text), expected.remove(&text)),
                }
                let all = expected.iter().map(|(text, value)| (text.as_str(), value));
                prop_assert!(map.iter().eq(all));
                prop_assert_eq!(map.len(), expected.len());
            }
            for (text, value) in &expected {
                prop_assert_eq!(map.get(text), Some(value));
            }
        }

        #[test]
        fn as_the_standard_set(texts in prop::collection::vec("[ab]{0,2}", 0..20)) {
            let (mut set, mut expected) = (TextSet::default(), BTreeSet::new());
            for text in texts {
                prop_assert_eq!(set.insert(text.clone()), expected.insert(text.clone()));
                prop_assert!(set.contains(&text) && !set.contains("c"));
            }
            prop_assert!(set.iter().eq(expected.iter().map(String::as_str)));
        }
    }
}
