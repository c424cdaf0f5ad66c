//! A text that several values share, so that the body of a skill is in memory once.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A text that an [`Activation`](crate::Activation), the session and the messages of a turn share. Cloning
/// copies no text.
///
/// The text dereferences to `str`. [`String::from`] copies the text, unless this value is the last that
/// holds it.
#[derive(Clone, Default)]
pub struct SharedText {
    /// The text, with what stands before it in a message. Not an `Arc<str>`: making it of a `String`
    /// would copy the text.
    whole: Arc<String>,
    /// The start of the text in `whole`.
    start: usize,
}

impl SharedText {
    /// Makes a text of the end of a string. The text is empty if `start` is not at a character.
    pub(crate) fn end_of(whole: String, start: usize) -> Self {
        let whole = Arc::new(whole);
        Self { whole, start }
    }

    /// Returns the text after a lead and an empty line. Copies nothing if the text was made with this
    /// lead, which an activation is.
    pub(crate) fn led_by(&self, lead: &str) -> Self {
        if lead.is_empty() {
            return self.clone();
        }
        let written = self.whole.get(..self.start).unwrap_or_default();
        if written.strip_suffix(SEPARATOR) == Some(lead) {
            return Self {
                whole: Arc::clone(&self.whole),
                start: 0,
            };
        }
        #[cfg(test)]
        crate::text::counted::COPIES.with(|count| count.update(|count| count + 1));
        [lead, SEPARATOR, self].concat().into()
    }
}

/// The text between a lead and what it leads.
pub(crate) const SEPARATOR: &str = "\n\n";

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        self.whole.get(self.start..).unwrap_or_default()
    }
}

impl AsRef<str> for SharedText {
    fn as_ref(&self) -> &str {
        self
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        Self::end_of(text, 0)
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<SharedText> for String {
    fn from(text: SharedText) -> Self {
        if text.start > 0 {
            return (*text).to_owned();
        }
        Arc::unwrap_or_clone(text.whole)
    }
}

impl PartialEq for SharedText {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for SharedText {}

impl PartialEq<str> for SharedText {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for SharedText {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl PartialEq<String> for SharedText {
    fn eq(&self, other: &String) -> bool {
        **self == **other
    }
}

impl fmt::Display for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl serde::Serialize for SharedText {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for SharedText {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_that_was_written_is_not_written_again() {
        let text = SharedText::end_of("lead\n\nbody".to_owned(), 6);
        assert_eq!(text, "body");
        let led = text.led_by("lead");
        assert_eq!(led, "lead\n\nbody");
        assert!(std::ptr::eq(&raw const led[6..], &raw const *text));
        assert_eq!(text.led_by(""), "body");
        assert_eq!(text.led_by("other"), "other\n\nbody");
        assert_eq!(text.led_by("ead"), "ead\n\nbody");
        assert_eq!(String::from(text), "body");
        assert_eq!(String::from(led), "lead\n\nbody");
    }
}

/// Counts steps of this thread. Tests use the counts to prove that no step is done twice.
#[cfg(test)]
pub(crate) mod counted {
    use std::cell::Cell;

    thread_local! {
        /// The look-ups of names and aliases in catalogs.
        pub(crate) static LOOK_UPS: Cell<usize> = const { Cell::new(0) };
        /// The copies of skills' bodies.
        pub(crate) static COPIES: Cell<usize> = const { Cell::new(0) };
    }
}
