//! The extension headers before an entry of a tar file: GNU long names and PAX records.

use std::borrow::Cow;
use std::io::{self, Read};
use tar::EntryType;

/// Maximum bytes of one extension header. A path has at most 4096; PAX records also hold attributes of files.
const MAX: u64 = 1 << 20;

/// The extension headers of the next entry.
#[derive(Default)]
pub(crate) struct Extension {
    /// The path in a GNU long name.
    name: Option<Vec<u8>>,
    /// The path in a PAX record.
    pax_path: Option<Vec<u8>>,
    /// True if the entry has PAX records.
    is_pax: bool,
}

impl Extension {
    /// Reads an entry that is an extension header. Returns false for any other entry.
    ///
    /// # Errors
    ///
    /// For a header over [`MAX`], two headers of one kind, and records that change the size of the entry: programs read
    /// these differently, so the user could see other content than is installed.
    pub(crate) fn take(&mut self, kind: EntryType, entry: &mut dyn Read) -> io::Result<bool> {
        match kind {
            EntryType::GNULongName => {
                let mut name = bounded(entry)?;
                if name.last() == Some(&0) {
                    name.pop();
                }
                if self.name.replace(name).is_some() {
                    return Err(io::Error::other("a file has two long names"));
                }
            }
            EntryType::XHeader => {
                if std::mem::replace(&mut self.is_pax, true) {
                    return Err(io::Error::other("a file is described twice"));
                }
                self.pax_path = path_of(&bounded(entry)?)?;
            }
            // The target of a link is not needed: links are refused.
            EntryType::GNULongLink => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the path of the entry, whose own header has `path`.
    pub(crate) fn path(self, path: Cow<'_, [u8]>) -> Vec<u8> {
        let described = self.name.or(self.pax_path);
        described.unwrap_or_else(|| path.into_owned())
    }
}

fn bounded(entry: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    entry.take(MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX {
        let message = format!("a description of a file has more than {MAX} bytes");
        return Err(io::Error::other(message));
    }
    Ok(bytes)
}

/// Finds the path in PAX records: `LENGTH KEY=VALUE\n`, where the length counts the whole record.
fn path_of(records: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let mut path = None;
    let mut rest = records;
    while !rest.is_empty() {
        let damaged = || io::Error::other("a PAX record is damaged");
        let (record, after) = record(rest).ok_or_else(damaged)?;
        let at = record.iter().position(|byte| *byte == b'=');
        let (key, value) = record
            .split_at_checked(at.ok_or_else(damaged)?)
            .ok_or_else(damaged)?;
        match key {
            b"path" => path = value.strip_prefix(b"=").map(<[u8]>::to_vec),
            b"size" => return Err(io::Error::other("a PAX record gives a file another size")),
            key if key.starts_with(b"GNU.sparse.") => {
                return Err(io::Error::other("it holds a sparse file"));
            }
            _ => {}
        }
        rest = after;
    }
    Ok(path)
}

/// Splits off the first record, without its length and its line feed. Returns the record and the rest.
fn record(records: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = records.iter().take(20).position(|byte| *byte == b' ')?;
    let length = std::str::from_utf8(records.get(..space)?).ok()?;
    let (record, after) = records.split_at_checked(length.parse().ok()?)?;
    let record = record.get(space + 1..)?.strip_suffix(b"\n")?;
    Some((record, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pax_records() {
        let path = |records: &[u8]| path_of(records).map_err(|error| error.to_string());
        let of = |text: &str| Ok(Some(text.as_bytes().to_vec()));
        assert_eq!(path(b"12 path=a/b\n"), of("a/b"));
        // A line feed in a value does not end the record.
        assert_eq!(
            path(b"28 comment=x\n14 path=evil/\n\n12 path=a/b\n"),
            of("a/b")
        );
        assert_eq!(path(b"11 mtime=1\n"), Ok(None));
        assert_eq!(path(b""), Ok(None));
        for (records, why) in [
            (&b"12 path=a/b"[..], "damaged"),
            (b"0 path=a/b\n", "damaged"),
            (b"99999999999999999999999 path=a\n", "damaged"),
            (b"8 path\n\n", "damaged"),
            (b"x", "damaged"),
            (b"12 size=900\n", "another size"),
            (b"22 GNU.sparse.major=1\n", "sparse"),
        ] {
            let error = path(records).unwrap_err();
            assert!(error.contains(why), "{records:?}: {error}");
        }
    }
}
