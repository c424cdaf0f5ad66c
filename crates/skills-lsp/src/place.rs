//! Paths and their URIs.

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::path::{Component, Path, PathBuf};
use std::str::FromStr as _;

/// The bytes of a path that a URI escapes. Editors compare URIs as texts, and write these characters as they are.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// Returns the absolute path of a `file:` URI, without `.` and `..`. Returns `None` for any other URI.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let rest = rest.split(['?', '#']).next()?;
    let path = percent_decode_str(rest).decode_utf8().ok()?;
    if !path.starts_with('/') || path.contains('\0') {
        return None;
    }
    // `/c:/x` on Windows.
    let path = match path.as_bytes() {
        [b'/', drive, b':', ..] if cfg!(windows) && drive.is_ascii_alphabetic() => path.get(1..)?,
        _ => &path,
    };
    let mut parts = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    Some(parts)
}

/// Returns the URI of an absolute path.
pub(crate) fn uri_of(path: &Path) -> Option<Uri> {
    let path = path.to_str()?;
    let path = if cfg!(windows) {
        path.replace('\\', "/")
    } else {
        path.to_owned()
    };
    let root = if path.starts_with('/') { "" } else { "/" };
    let path = utf8_percent_encode(&path, ESCAPED);
    Uri::from_str(&format!("file://{root}{path}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_back() {
        for path in ["/a b/ü%20/SKILL.md", "/x", "/a#b?c/[d]"] {
            let uri = uri_of(Path::new(path)).expect("a value");
            assert_eq!(path_of(&uri), Some(PathBuf::from(path)));
        }
        let of = |uri: &str| path_of(&Uri::from_str(uri).expect("a value"));
        assert_eq!(of("untitled:Untitled-1"), None);
        assert_eq!(of("file://elsewhere/x"), None);
        assert_eq!(of("file:///a/../b/./c"), Some(PathBuf::from("/b/c")));
    }
}
