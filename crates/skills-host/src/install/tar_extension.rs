//! What stands before an entry of a tar file and describes it: GNU long names and PAX records.

use std::borrow::Cow;
use std::io::{self, Read};
use tar::EntryType;

/// Most bytes of one description. A path has 4096 at most; PAX records also hold attributes of files.
const MAX: u64 = 1 << 20;

/// The descriptions of the next entry.
#[derive(Default)]
pub(crate) struct Extension {
    /// The path, as GNU tar writes a long one.
    name: Option<Vec<u8>>,
    /// The path of a PAX record.
    pax_path: Option<Vec<u8>>,
    /// Whether there were PAX records.
    is_pax: bool,
}

impl Extension {
    /// Reads an entry that describes the next. `false`: it is an entry of its own.
    ///
    /// # Errors
    ///
    /// A description over [`MAX`], two of one kind, and records that say where the content of the entry ends:
    /// programs do not agree about them, so what a person sees with one would not be what is installed.
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
            // Where a link leads is not asked: links are refused.
            EntryType::GNULongLink => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The path of the entry, whose header says `path`.
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

/// The path of PAX records: `LENGTH KEY=VALUE\n`, where the length counts all of the record.
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

/// The first record without its length and its line feed, and the records after it.
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
        // A line feed in a value ends no record.
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
