//! The paths in git's index: the files that a repository tracks.

#![expect(
    clippy::disallowed_methods,
    reason = "reads the index of the repository"
)]

use std::path::Path;

/// Bytes of an entry before its path: times, identity, mode, owner, length, digest, flags.
const FIXED: usize = 62;
/// The bit of the flags that says that two more bytes of flags follow.
const EXTENDED: u16 = 0x4000;

/// The tracked paths, sorted. Empty when the index is missing or of an unknown form: then an ignored file
/// counts as ignored.
pub(crate) fn paths(index: &Path) -> Vec<String> {
    let bytes = std::fs::read(index).unwrap_or_default();
    let mut paths = read(&bytes).unwrap_or_default();
    paths.sort_unstable();
    paths
}

fn read(bytes: &[u8]) -> Option<Vec<String>> {
    let version = number(bytes.strip_prefix(b"DIRC")?)?;
    let count = number(bytes.get(8..)?)?;
    let mut rest = bytes.get(12..)?;
    let mut paths: Vec<String> = Vec::new();
    let mut last: Vec<u8> = Vec::new();
    for _ in 0..count {
        let flags = rest.get(FIXED - 2..FIXED)?;
        let flags = u16::from_be_bytes(flags.try_into().ok()?);
        let fixed = FIXED
            + if version > 2 && flags & EXTENDED != 0 {
                2
            } else {
                0
            };
        let entry = rest.get(fixed..)?;
        let used = if version == 4 {
            // A path is the previous one without its last bytes, and then new bytes.
            let (cut, length) = varint(entry)?;
            let new = entry.get(length..)?;
            let end = memchr(new)?;
            last.truncate(last.len().checked_sub(cut)?);
            last.extend(new.get(..end)?);
            fixed + length + end + 1
        } else {
            let end = memchr(entry)?;
            last = entry.get(..end)?.to_vec();
            // Entries are padded to a multiple of eight bytes, with one zero at least.
            (fixed + end + 8) / 8 * 8
        };
        paths.push(String::from_utf8_lossy(&last).into_owned());
        rest = rest.get(used..)?;
    }
    Some(paths)
}

fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?))
}

fn memchr(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == 0)
}

/// A number in git's variable width, and how many bytes it takes.
fn varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    for (at, byte) in bytes.iter().enumerate().take(8) {
        value = (value << 7) | usize::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
        value += 1;
    }
    None
}
