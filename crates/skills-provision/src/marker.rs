//! The list of what the program wrote.

use skills_format::Digest;
use skills_format::disk::{Folder, is_absent, read_regular};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io;

/// The list of the program's files in the folder, as `sha256sum` writes it.
pub const MARKER: &str = ".skills-provisioned";

const HEAD: &str = "# Written by a program: its skills, and the SHA-256 of what it wrote. See the crate skills-provision.\n";
const MAX_BYTES: u64 = 16 << 20;

/// For each path the digests of what the program wrote there. Two while files are replaced: of the old and the new one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marker(pub(crate) BTreeMap<String, BTreeSet<Digest>>);

impl Marker {
    pub(crate) fn read(root: &Folder) -> io::Result<Self> {
        let file = match root.child_file(OsStr::new(MARKER)).map_err(io::Error::from) {
            Err(error) if is_absent(&error) => return Ok(Self::default()),
            file => file?,
        };
        let text = String::from_utf8(read_regular(&file, MAX_BYTES)?).ok();
        text.and_then(|text| Self::parse(&text)).ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                "this is not the list that the program wrote. Remove it: every file that differs then counts as edited",
            )
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let mut marker = Self::default();
        for line in text.strip_prefix(HEAD)?.lines() {
            let (digest, path) = line.split_once("  ")?;
            let digest = Digest::parse(&format!("sha256:{digest}"))?;
            // The list decides what is removed: a path in it never leads out of the folder.
            if path
                .split('/')
                .any(|part| ["", ".", ".."].contains(&part) || part.contains(['\\', ':']))
            {
                return None;
            }
            marker.0.entry(path.to_owned()).or_default().insert(digest);
        }
        Some(marker)
    }

    pub(crate) fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for (path, digests) in &self.0 {
            for digest in digests {
                let digest = digest.to_string();
                let hex = digest.strip_prefix("sha256:").unwrap_or(&digest);
                let _ = writeln!(text, "{hex}  {path}"); // Writing to a `String` cannot fail.
            }
        }
        text
    }
}
