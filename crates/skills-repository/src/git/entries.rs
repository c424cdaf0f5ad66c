//! The entries of an index file.

/// The size of an entry before the id of its object, in bytes: times, identity, mode, owner, length.
const BEFORE_ID: usize = 40;
/// The size of the flags after the id.
const FLAGS: usize = 2;
/// The bytes of the mode in an entry.
const MODE: std::ops::Range<usize> = 24..28;
/// The flag of an entry that has two more bytes of flags.
const EXTENDED: u16 = 0x4000;
/// The extension of a split index.
const LINK: &[u8] = b"link";

/// One tracked file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The path. Empty in a split index, if the entry replaces one of the shared file.
    pub(crate) path: Vec<u8>,
    pub(crate) is_runnable: bool,
}

impl Entry {
    pub(crate) fn file(self) -> (String, bool) {
        let path = String::from_utf8_lossy(&self.path).into_owned();
        (path, self.is_runnable)
    }
}

/// What an index file holds.
#[derive(Debug)]
pub(crate) struct Entries {
    pub(crate) list: Vec<Entry>,
    /// What a split index says of the file whose entries it changes.
    pub(crate) link: Option<Vec<u8>>,
    /// The length of the ids of objects, in bytes.
    pub(crate) id: usize,
}

/// Reads an index file. Returns `None` if its form is unknown.
pub(crate) fn read(bytes: &[u8]) -> Option<Entries> {
    // The file does not say how long the ids of its objects are. With another length, its parts do not end where its
    // checksum begins.
    const SHA1: usize = 20;
    const SHA256: usize = 32;
    read_with(bytes, SHA1).or_else(|| read_with(bytes, SHA256))
}

fn read_with(bytes: &[u8], id: usize) -> Option<Entries> {
    let version = number(bytes.strip_prefix(b"DIRC")?)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let count = number(bytes.get(8..)?)?;
    let end = bytes.len().checked_sub(id)?;
    let mut rest = bytes.get(12..end)?;
    let mut entries: Vec<Entry> = Vec::new();
    let mut last: Vec<u8> = Vec::new();
    let fixed = BEFORE_ID + id + FLAGS;
    for _ in 0..count {
        let flags = rest.get(fixed - FLAGS..fixed)?;
        let flags = u16::from_be_bytes(flags.try_into().ok()?);
        let fixed = if version > 2 && flags & EXTENDED != 0 {
            fixed + FLAGS
        } else {
            fixed
        };
        let entry = rest.get(fixed..)?;
        let used = if version == 4 {
            // Version 4 compresses a path: the previous path without its last `cut` bytes, then the new bytes.
            let (cut, length) = varint(entry)?;
            let new = entry.get(length..)?;
            let end = memchr(new)?;
            last.truncate(last.len().checked_sub(cut)?);
            last.extend(new.get(..end)?);
            fixed + length + end + 1
        } else {
            let end = memchr(entry)?;
            last = entry.get(..end)?.to_vec();
            // An entry is padded to a multiple of eight bytes, with at least one zero byte.
            (fixed + end + 8) / 8 * 8
        };
        entries.push(Entry {
            path: last.clone(),
            is_runnable: number(rest.get(MODE)?)? & 0o111 != 0,
        });
        rest = rest.get(used..)?;
    }
    let mut link = None;
    while !rest.is_empty() {
        let name = rest.get(..4)?;
        let length = usize::try_from(number(rest.get(4..)?)?).ok()?;
        let data = rest.get(8..)?.get(..length)?;
        // As in git: what begins with a lower-case letter must be understood. `sdir` says that entries can be folders.
        match name {
            LINK => link = Some(data.to_vec()),
            b"sdir" => {}
            name if name.first()?.is_ascii_uppercase() => {}
            _ => return None,
        }
        rest = rest.get(8 + length..)?;
    }
    Some(Entries {
        list: entries,
        link,
        id,
    })
}

pub(crate) fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?))
}

fn memchr(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == 0)
}

/// Decodes an integer in git's variable width, and returns the integer and its length in bytes.
fn varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    for (at, byte) in bytes.iter().enumerate().take(8) {
        value = (value << 7) | usize::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
        // Git adds one for each continuation byte, so that no value has two encodings.
        value += 1;
    }
    None
}
