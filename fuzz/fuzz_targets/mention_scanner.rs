//! Any text: spans are those of the text, and neutralised text names nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skills_format::{neutralize, scan};

fuzz_target!(|text: &str| {
    for known in [false, true] {
        let mut end = 0;
        for candidate in scan(text, &|_| known) {
            assert_eq!(text.get(candidate.span.range()), Some(candidate.raw));
            assert!(candidate.span.start >= end, "in order, not overlapping");
            end = candidate.span.end;
        }
        let quoted = neutralize(text);
        assert!(!scan(&quoted, &|_| known).iter().any(|candidate| candidate.is_mention()), "{quoted:?}");
    }
});
