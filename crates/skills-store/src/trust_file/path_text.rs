//! Lossless encoding of paths in JSON strings: a byte that is not UTF-8 is written as `\xNN`, and `\` as `\\`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::{ffi::OsString, os::unix::ffi::OsStringExt as _};

/// Encodes a path.
pub(crate) fn written(path: &Path) -> String {
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
pub(crate) fn read(text: &str) -> Option<PathBuf> {
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
mod tests;
