//! Compares a name with the text that a person is typing.

use skills_format::Span;
use skills_format::mention::{Near, NearKind, word_starts};

/// A typed text, prepared for comparison with many names.
pub(crate) struct Typed {
    near: Near,
}

impl Typed {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            near: Near::new(text),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.near.letters().is_empty()
    }

    /// Returns the kind of match with a name in lower case, and the number of edits. Returns `None` if
    /// the name is not near.
    pub(crate) fn to(&self, name: &str) -> Option<(NearKind, usize)> {
        let nearness = self.near.to_unfinished(name)?;
        Some((nearness.kind, nearness.edits))
    }

    /// Returns the bytes of the name that match the typed text.
    pub(crate) fn matched(&self, name: &str, kind: Option<NearKind>) -> Vec<Span> {
        let chars: Vec<(usize, char)> = name.char_indices().collect();
        let letters: Vec<char> = chars.iter().map(|&(_, c)| c).collect();
        let typed = self.near.letters();
        let at: Vec<usize> = match kind {
            None => Vec::new(),
            Some(NearKind::Equal | NearKind::Order) => (0..letters.len()).collect(),
            Some(NearKind::Prefix) => (0..typed.len()).collect(),
            Some(NearKind::Initials) => word_starts(&letters).collect(),
            Some(NearKind::Part) => {
                let start = self.near.part_of(&letters).unwrap_or_default();
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

/// Returns the positions of the typed letters in the name, as far as the name holds them in the same
/// order.
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
            let near = Near::new(&typed).to(&name, NearKind::Part).map(|nearness| nearness.kind);
            prop_assert_eq!(Typed::new(&typed).to(&name).map(|(kind, _)| kind), near);
        }
    }
}
