//! A trust record as serde's data. A byte of a path that is not UTF-8 is written as `\\xNN`, and `\\` as `\\\\`.

use super::{TrustRecord, TrustedEntry};
use serde::{Deserialize, Serialize};
use skills_format::Digest;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::{ffi::OsString, os::unix::ffi::OsStringExt as _};

#[derive(Serialize, Deserialize)]
pub(super) struct Record {
    #[serde(with = "path")]
    root: PathBuf,
    #[serde(with = "path")]
    folder: PathBuf,
    /// A record that was changed by hand is not believed.
    digest: Digest,
    entries: Vec<TrustedEntry>,
}

impl From<TrustRecord> for Record {
    fn from(record: TrustRecord) -> Self {
        Self {
            digest: record.digest(),
            root: record.root,
            folder: record.folder,
            entries: record.entries,
        }
    }
}

impl TryFrom<Record> for TrustRecord {
    type Error = &'static str;

    fn try_from(record: Record) -> Result<Self, Self::Error> {
        let read = Self::new(record.root, record.folder, record.entries);
        let is_whole = read.digest() == record.digest;
        is_whole
            .then_some(read)
            .ok_or("it is not a trust record with its digest")
    }
}

/// A path as text.
pub(super) mod path {
    use super::{Path, PathBuf, decoded, encoded};
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(in super::super) fn serialize<S: Serializer>(
        path: &Path,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&encoded(path))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<PathBuf, D::Error> {
        let text = String::deserialize(deserializer)?;
        decoded(&text).ok_or_else(|| D::Error::custom("it is not a path of this system"))
    }
}

fn encoded(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(&chunk.valid().replace('\\', "\\\\"));
        for byte in chunk.invalid() {
            // Writing into a `String` cannot fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// Decodes a path; `None` if the text is damaged, or not a path of this system.
fn decoded(text: &str) -> Option<PathBuf> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend(before.as_bytes());
        rest = if let Some(after) = after.strip_prefix('\\') {
            bytes.push(b'\\');
            after
        } else {
            let after = after.strip_prefix('x')?;
            let (digits, after) = after.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            after
        };
    }
    bytes.extend(rest.as_bytes());
    #[cfg(unix)]
    let path = Some(PathBuf::from(OsString::from_vec(bytes)));
    #[cfg(not(unix))]
    let path = String::from_utf8(bytes).ok().map(PathBuf::from);
    path
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_is_lost(bytes in prop::collection::vec(any::<u8>(), 0..40), text in "[a\\\\x0-9é]{0,12}") {
            for bytes in [bytes, text.into_bytes()] {
                let path = PathBuf::from(OsString::from_vec(bytes));
                prop_assert_eq!(decoded(&encoded(&path)), Some(path));
            }
        }

        #[test]
        fn no_text_breaks_it(text in "[a\\\\x0-9é]{0,12}") {
            let _ = decoded(&text);
        }
    }
}
