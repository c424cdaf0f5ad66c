//! What a split index changes in the entries of its shared file.

use crate::git::entries::{Entry, number};
use std::fmt::Write as _;

/// The shared file of a split index, and the changes.
#[derive(Debug)]
pub(crate) struct Shared {
    id: String,
    pub(crate) changes: Changes,
}

/// The entries of the shared file that are gone, and those that the split index replaces, by their positions.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    deleted: Bits,
    replaced: Bits,
}

impl Shared {
    /// Reads the extension of a split index. Returns `None` if its form is unknown.
    pub(crate) fn read(data: &[u8], id: usize) -> Option<Self> {
        let (id, rest) = data.split_at_checked(id)?;
        let mut name = String::new();
        for byte in id {
            let _ = write!(name, "{byte:02x}");
        }
        let mut changes = Changes::default();
        if !rest.is_empty() {
            let (deleted, rest) = Bits::read(rest)?;
            let (replaced, _) = Bits::read(rest)?;
            changes = Changes { deleted, replaced };
        }
        Some(Self { id: name, changes })
    }

    /// Returns the name of the shared file. An id of zeros is that of no file.
    pub(crate) fn file(&self) -> Option<String> {
        let has_file = self.id.bytes().any(|byte| byte != b'0');
        has_file.then(|| format!("sharedindex.{}", self.id))
    }
}

impl Changes {
    /// Returns the entries of a split index: those of the shared file, changed, and its own.
    pub(crate) fn applied(&self, base: Vec<Entry>, own: Vec<Entry>) -> Vec<Entry> {
        let deleted = self.deleted.first(base.len());
        let replaced = self.replaced.first(base.len());
        let (mut replacements, added): (Vec<Entry>, Vec<Entry>) =
            own.into_iter().partition(|entry| entry.path.is_empty());
        replacements.reverse();
        let mut entries = added;
        for (at, mut entry) in base.into_iter().enumerate() {
            let is = |bits: &[bool]| bits.get(at) == Some(&true);
            // A replacement is used up although its entry is gone.
            if is(&replaced)
                && let Some(replacement) = replacements.pop()
            {
                entry.is_runnable = replacement.is_runnable;
            }
            if !is(&deleted) {
                entries.push(entry);
            }
        }
        entries
    }
}

/// A set of positions, as git writes it (EWAH): runs of equal words of 64 bits, and words.
#[derive(Debug, Default)]
struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Reads a set, and returns what follows.
    fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        const WORD: usize = 8;
        let count = usize::try_from(number(bytes.get(4..)?)?).ok()?;
        let length = count.checked_mul(WORD)?;
        let words = bytes.get(8..)?.get(..length)?.chunks_exact(WORD);
        let words = words.map(|word| word.try_into().map(u64::from_be_bytes));
        // The position of the last run follows, which only writers need.
        let rest = bytes.get(8 + length + 4..)?;
        let words = words.collect::<Result<Vec<u64>, _>>().ok()?;
        Some((Self { words }, rest))
    }

    /// Returns for each of the first positions whether it is in the set.
    fn first(&self, count: usize) -> Vec<bool> {
        let mut bits = Vec::new();
        let mut words = self.words.iter();
        while let Some(run) = words.next()
            && bits.len() < count
        {
            let length = usize::try_from(run >> 1 & 0xFFFF_FFFF).unwrap_or(usize::MAX);
            let length = length.saturating_mul(64).min(count - bits.len());
            bits.resize(bits.len() + length, run & 1 == 1);
            let literals = usize::try_from(run >> 33).unwrap_or(usize::MAX);
            for word in words.by_ref().take(literals) {
                bits.extend((0..64).map(|bit| word >> bit & 1 == 1));
            }
        }
        bits.truncate(count);
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_words() {
        // A run of 64 ones, two words, and a run of zeros that no entry reaches.
        let words = [1 | 1 << 1 | 2 << 33, 0b101, 0, u64::from(u32::MAX) << 1];
        let bits = Bits {
            words: words.to_vec(),
        };
        let set = |count| {
            let bits = bits.first(count).into_iter().enumerate();
            bits.filter_map(|(at, bit)| bit.then_some(at))
                .skip(63)
                .collect::<Vec<_>>()
        };
        assert_eq!(set(300), [63, 64, 66]);
        assert_eq!(set(65), [63, 64]);
        assert_eq!(bits.first(300).len(), 300);
    }
}
