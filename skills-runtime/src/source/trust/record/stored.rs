//! A trust record as serde's data. A byte of a path that is not UTF-8 is written as `\\xNN`, and `\\` as `\\\\`.

use super::{TrustRecord, TrustedContent, TrustedEntry};
use serde::{Deserialize, Serialize};
use skills_format::Digest;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::{ffi::OsString, os::unix::ffi::OsStringExt as _};

#[derive(Serialize, Deserialize)]
pub(super) struct Record {
    root: String,
    folder: String,
    /// A record that was changed by hand is not believed.
    digest: String,
    entries: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    path: String,
    #[serde(flatten)]
    content: Content,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Content {
    Folder,
    Link {
        target: String,
    },
    File {
        len: u64,
        modified: i64,
        digest: String,
    },
}

impl From<TrustRecord> for Record {
    fn from(record: TrustRecord) -> Self {
        let entries = record.entries.iter().map(|entry| Entry {
            path: written(&entry.path),
            content: match &entry.content {
                TrustedContent::Folder => Content::Folder,
                TrustedContent::Link { target } => Content::Link {
                    target: written(target),
                },
                TrustedContent::File {
                    len,
                    modified,
                    digest,
                } => Content::File {
                    len: *len,
                    modified: *modified,
                    digest: digest.to_string(),
                },
            },
        });
        Self {
            root: written(&record.root),
            folder: written(&record.folder),
            digest: record.digest().to_string(),
            entries: entries.collect(),
        }
    }
}

impl TryFrom<Record> for TrustRecord {
    type Error = &'static str;

    fn try_from(record: Record) -> Result<Self, Self::Error> {
        read_record(&record).ok_or("it is not a trust record with its digest")
    }
}

fn read_record(record: &Record) -> Option<TrustRecord> {
    let mut entries = Vec::with_capacity(record.entries.len());
    for Entry { path, content } in &record.entries {
        let content = match content {
            Content::Folder => TrustedContent::Folder,
            Content::Link { target } => TrustedContent::Link {
                target: read(target)?,
            },
            Content::File {
                len,
                modified,
                digest,
            } => TrustedContent::File {
                len: *len,
                modified: *modified,
                digest: Digest::parse(digest)?,
            },
        };
        let path = read(path)?;
        entries.push(TrustedEntry { path, content });
    }
    let read = TrustRecord::new(read(&record.root)?, read(&record.folder)?, entries);
    (Some(read.digest()) == Digest::parse(&record.digest)).then_some(read)
}

/// Encodes a path.
fn written(path: &Path) -> String {
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
fn read(text: &str) -> Option<PathBuf> {
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
                prop_assert_eq!(read(&written(&path)), Some(path));
            }
        }

        #[test]
        fn no_text_breaks_it(text in "[a\\\\x0-9é]{0,12}") {
            let _ = read(&text);
        }
    }
}
