//! Pseudo-random numbers for patterns and intervals.

/// A deterministic generator (xorshift).
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number from 0 to `end - 1`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    /// Returns one of several items.
    pub(crate) fn choice<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let at = self.below(of.len().max(1) as u64);
        of.get(usize::try_from(at).ok()?)
    }
}
