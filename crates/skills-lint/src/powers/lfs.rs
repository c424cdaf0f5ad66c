//! Pointers of Git LFS: three lines in the place of a large file.

/// The first line of a pointer.
const VERSION: &str = "version https://git-lfs.github.com/spec/v1";

/// Describes the file that a pointer stands for: a pointer to another file is another power.
pub(super) fn behind(path: &str, pointer: &str) -> String {
    let oid = pointer.lines().nth(1).unwrap_or_default();
    let digest = oid.trim_start_matches("oid ");
    format!("file {path} in Git LFS {digest}")
}

/// Returns whether bytes are exactly a pointer of Git LFS, and so not the file that they stand for. A source is fetched
/// without the filters of git, which would replace the pointer by the file.
pub fn is_lfs_pointer(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let mut lines = text.lines();
    let digest = |line: &str| {
        let digits = line.strip_prefix("oid sha256:").unwrap_or_default();
        digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let size = |line: &str| {
        let digits = line.strip_prefix("size ").unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    // Nothing may follow: a pointer is not read for powers, and must not hide any.
    lines.next() == Some(VERSION)
        && lines.next().is_some_and(digest)
        && lines.next().is_some_and(size)
        && lines.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::powers::{PowerFile, powers};

    #[test]
    fn pointers_and_texts_that_only_begin_so() {
        let oid = "a".repeat(64);
        let pointer = format!("{VERSION}\noid sha256:{oid}\nsize 12345\n");
        assert!(is_lfs_pointer(pointer.as_bytes()));
        for text in [
            String::new(),
            format!("{VERSION}\n"),
            format!("{VERSION}\noid sha256:{oid}\n"),
            format!("{VERSION}\noid sha256:{oid}x\nsize 1\n"),
            format!("{VERSION}\noid sha256:{oid}\nsize x\n"),
            format!("{VERSION}\noid sha256:{oid}\nsize \n"),
            format!("{pointer}curl https://example.org\n"),
        ] {
            assert!(!is_lfs_pointer(text.as_bytes()), "{text}");
        }
        let of = |path, text: &str| {
            powers([PowerFile {
                path,
                bytes: Some(text.as_bytes()),
                is_executable: false,
            }])
        };
        assert!(of("big.png", &pointer).is_empty());
        let more = format!("{pointer}curl https://example.org\n");
        assert!(!of("big.png", &more).is_empty());
        // A program behind a pointer can do anything.
        for path in ["run.sh", "run.py", "run", "SKILL.md", "model.bin"] {
            let all: Vec<String> = of(path, &pointer).iter().map(|one| one.text).collect();
            assert_eq!(all, [format!("file {path} in Git LFS sha256:{oid}")]);
        }
    }
}
