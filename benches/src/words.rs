use std::fmt::Write as _;

const WORDS: &[&str] = &[
    "parser", "review", "token", "stack", "trace", "cause", "symptom", "test", "failing", "commit",
    "branch", "history", "module", "function", "change", "small", "safe", "evidence", "measure",
    "result", "expected", "actual", "input", "output", "boundary", "error", "message", "path",
    "file", "folder", "reader", "writer", "check", "before", "after", "while", "every", "the", "a",
    "of", "to", "and", "is", "in", "that", "with", "for", "when",
];

/// Words in an order that looks random and is not.
pub(crate) struct Words(pub(crate) u64);

impl Words {
    /// So many words, with a space between two.
    pub(crate) fn take(&mut self, count: usize) -> String {
        let mut text = String::new();
        for at in 0..count {
            let word = WORDS[self.below(WORDS.len())];
            let _ = write!(text, "{}{word}", if at == 0 { "" } else { " " });
        }
        text
    }

    /// A number below a limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}
