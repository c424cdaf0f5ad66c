//! The files of a skill with their digests.

use serde::Serialize;
use skills_format::Digest;
use skills_runtime::{Error, ErrorKind, Skill};

#[derive(Serialize)]
pub(crate) struct FileJson {
    pub(crate) path: String,
    pub(crate) size: u64,
    sha256: String,
    #[serde(skip)]
    digest: Digest,
}

/// Reads and hashes every file of a skill, the `SKILL.md` first.
pub(crate) fn hashed(entry: &Skill<'_>) -> Result<Vec<FileJson>, Error> {
    /// The bound of an install.
    const MOST: u64 = 256 * 1024 * 1024;
    let within = |bytes: u64| {
        if bytes <= MOST {
            return Ok(());
        }
        let name = entry.name();
        let what = format!("skill '{name}': its files have {bytes} bytes; the maximum is {MOST}");
        Err(Error::new(ErrorKind::Refused, what))
    };
    let listed = entry.files()?;
    within(listed.iter().map(|file| file.size).sum())?;
    let (mut files, mut read) = (Vec::new(), 0);
    for file in listed {
        let bytes = entry.read(&file.path)?;
        let size = bytes.len() as u64;
        // A file can have grown since its length was read.
        read += size;
        within(read)?;
        let digest = Digest::of(&bytes);
        files.push(FileJson {
            path: file.path.into_owned(),
            size,
            sha256: digest.to_string(),
            digest,
        });
    }
    Ok(files)
}

/// Computes the digest over the paths, lengths and digests of the files.
pub(crate) fn digest(files: &[FileJson]) -> Digest {
    let mut digested: Vec<_> = files
        .iter()
        .map(|file| (file.path.as_str(), file.size, file.digest))
        .collect();
    digested.sort_by(|(a, ..), (b, ..)| a.as_bytes().cmp(b.as_bytes()));
    Digest::of_files(digested)
}
