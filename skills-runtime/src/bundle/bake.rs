//! The functions that generated code calls while it is compiled. A panic in them is a compile error.

#![expect(clippy::missing_panics_doc, reason = "they run in the compiler only")]

use crate::bundle::tables::{SCHEMA, SkillParts};
use include_dir::{Dir, DirEntry, File};

/// Refuses tables that another version of the macro wrote.
pub const fn schema(written: u32) {
    assert!(
        written == SCHEMA,
        "skills-runtime and the skills-macros or skills-compiler that wrote this are of different versions"
    );
}

/// A file, if it is as long as it was when it was checked.
pub const fn file(path: &'static str, contents: &'static [u8], len: usize) -> DirEntry<'static> {
    assert!(
        contents.len() == len,
        "a file of the skills changed while it was compiled: build again"
    );
    DirEntry::File(File::new(path, contents))
}

/// A folder with `len` of the `entries`, from `start`.
pub const fn dir(
    path: &'static str,
    entries: &'static [DirEntry<'static>],
    start: usize,
    len: usize,
) -> DirEntry<'static> {
    let (_, rest) = entries.split_at(start);
    let (entries, _) = rest.split_at(len);
    DirEntry::Dir(Dir::new(path, entries))
}

/// Refuses a `SKILL.md` that is not as long as it was when it was checked.
pub const fn unchanged(skills: &[SkillParts], lengths: &[usize]) {
    assert!(skills.len() == lengths.len());
    let mut i = 0;
    while i < skills.len() {
        assert!(
            skills[i].raw.len() == lengths[i],
            "a SKILL.md changed while it was compiled: build again"
        );
        i += 1;
    }
}
