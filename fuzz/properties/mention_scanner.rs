//! Any text: spans are those of the text, and neutralised text names nothing.

use skills_format::{Candidate, neutralize, scan};

/// Panics when it does not hold.
pub(crate) fn hold(text: &str) {
    for known in [false, true] {
        let mut end = 0;
        for candidate in scan(text, &|_| known) {
            assert_eq!(text.get(candidate.span.range()), Some(candidate.raw));
            assert!(candidate.span.start >= end, "in order, not overlapping");
            end = candidate.span.end;
        }
        let quoted = neutralize(text);
        assert!(
            !scan(&quoted, &|_| known).iter().any(Candidate::is_mention),
            "{quoted:?}"
        );
    }
}
