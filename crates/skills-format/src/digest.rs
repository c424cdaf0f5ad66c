//! SHA-256 digests of files and of folders.

use hmac_sha256::Hash;
use std::fmt;

/// A SHA-256 digest. Displayed as `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// Computes the digest of a file's bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Hash::hash(bytes))
    }

    /// Computes the digest of several files: over the path of each file, a zero byte, its length
    /// (eight bytes, little-endian) and its digest. The files must be sorted by the bytes of their
    /// paths.
    pub fn of_files<'f>(files: impl IntoIterator<Item = (&'f str, u64, Self)>) -> Self {
        let mut hash = Hash::new();
        for (path, len, digest) in files {
            hash.update(path.as_bytes());
            // No path holds a zero byte. Without a separator, a path could end in the bytes of a length.
            hash.update([0]);
            hash.update(len.to_le_bytes());
            hash.update(digest.0);
        }
        Self(hash.finalize())
    }

    /// Parses the displayed form. Returns `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.strip_prefix("sha256:")?;
        // `from_str_radix` below accepts capitals and `+`, so one digest would have several texts.
        if hex.len() != 64 || hex.bytes().any(|b| !matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(hex.get(2 * i..2 * i + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Writes the displayed form.
#[cfg(feature = "serde")]
impl serde::Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not a digest, `sha256:…`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form() {
        let digest = Digest::of(b"abc");
        let text = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest.to_string(), text);
        assert_eq!(Digest::parse(text), Some(digest));
        assert_eq!(Digest::parse(&text.to_uppercase()), None);
        assert_eq!(Digest::parse("sha256:é"), None);
    }

    /// Lengths around the end of a block, and a text of many blocks: values of `sha256sum`.
    #[test]
    fn known_values() {
        for (len, start) in [
            (0, "e3b0c44298fc1c14"),
            (55, "9f4390f8d30c2dd9"),
            (56, "b35439a4ac6f0948"),
            (63, "7d3e74a05d7db15b"),
            (64, "ffe054fe7ae0cb6d"),
            (65, "635361c48bb9eab1"),
            (1_000_000, "cdc76e5c9914fb92"),
        ] {
            let text = Digest::of(&vec![b'a'; len]).to_string();
            assert!(
                text.starts_with(&format!("sha256:{start}")),
                "{len}: {text}"
            );
        }
    }

    #[test]
    fn no_two_folders_alike() {
        let a = Digest::of(b"a");
        let one = Digest::of_files([("a", 1, a), ("b", 1, a)]);
        assert_ne!(one, Digest::of_files([("a", 1, a)]));
        assert_ne!(one, Digest::of_files([("a", 1, a), ("b", 2, a)]));
        assert_ne!(one, Digest::of_files([("ab", 1, a), ("", 1, a)]));
    }
}
