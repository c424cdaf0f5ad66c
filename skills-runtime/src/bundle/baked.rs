//! Reads the content of a bundled skill from the bundle's tables.

use crate::bundle::Baked;
use crate::bundle::folder::DirEntry;
use crate::bundle::tables::{HIGH, SkillParts, Slice};
#[cfg(feature = "arguments")]
use skills_arguments::Schema;
use skills_format::{Digest, Fields, SKILL_FILE, insert_description, plain_front_matter};
use std::ops::Range;

/// A file of a bundled skill.
#[derive(Clone, Copy)]
pub(crate) struct BakedFile {
    /// The path relative to the skill's folder, with `/`.
    pub(crate) path: &'static str,
    pub(crate) bytes: &'static [u8],
}

impl Baked {
    /// Returns the name.
    pub(crate) const fn name(self) -> &'static str {
        self.slice(self.parts().name)
    }

    /// Returns the description: what the skill does and when to use it.
    pub(crate) fn description(self) -> &'static str {
        self.slice(self.parts().description)
    }

    /// Returns the instructions, with LF line ends.
    pub(crate) fn body(self) -> &'static str {
        self.slice(self.parts().body)
    }

    /// Returns the `SKILL.md`, byte for byte.
    pub(crate) fn raw(self) -> &'static str {
        self.parts().raw
    }

    /// Returns the typed fields of the front matter, beside name and description.
    pub(crate) fn fields(self) -> &'static Fields {
        static NONE: Fields = Fields::NONE;
        let number = index(self.parts().fields).checked_sub(1);
        let fields = number.and_then(|number| self.bundle.parts.fields.get(number));
        fields.unwrap_or(&NONE)
    }

    /// Returns the typed arguments: the `arguments.schema.json` of the skill, read when the program was compiled.
    #[cfg(feature = "arguments")]
    pub(crate) fn typed_arguments(self) -> Option<&'static Schema> {
        let number = index(self.parts().schema).checked_sub(1)?;
        self.bundle.parts.schemas.get(number)
    }

    /// Returns the whole front matter as JSON, without parsing YAML.
    pub(crate) fn front_matter(self) -> String {
        let SkillParts {
            front_matter, hole, ..
        } = self.parts();
        match self.slice(*front_matter) {
            "" => plain_front_matter(self.name(), self.description()),
            json => insert_description(json, Some(index(*hole)), self.description()).into_owned(),
        }
    }

    /// Returns the skill's folder, relative to the bundle's, with `/`.
    pub(crate) fn dir(self) -> &'static str {
        self.slice(self.parts().dir)
    }

    /// Returns the file at a path relative to the skill's folder, with `/`. Compares bytes.
    pub(crate) fn file(self, path: &str) -> Option<&'static [u8]> {
        if path == SKILL_FILE {
            return Some(self.raw().as_bytes());
        }
        find(self.entries(), path)
    }

    /// Returns every file: first the `SKILL.md`, then the other files in the order of their paths. Copies no content.
    pub(crate) fn files(self) -> impl Iterator<Item = BakedFile> {
        let mut files = vec![BakedFile {
            path: SKILL_FILE,
            bytes: self.raw().as_bytes(),
        }];
        collect(self.entries(), &mut files);
        files.into_iter()
    }

    /// Returns the SHA-256 over the paths, lengths and digests of the skill's files.
    pub(crate) fn digest(self) -> Digest {
        let (digests, _) = self.bundle.parts.digests.as_chunks();
        Digest(*digests.get(self.index()).unwrap_or(&[0; 32]))
    }

    pub(crate) fn index(self) -> usize {
        index(self.number)
    }

    const fn parts(self) -> &'static SkillParts {
        &self.bundle.parts.skills[self.number as usize]
    }

    const fn slice(self, Slice { start, len }: Slice) -> &'static str {
        let text = if len & HIGH == 0 {
            self.parts().raw
        } else {
            self.bundle.parts.text
        };
        let Some((_, text)) = text.split_at_checked(start as usize) else {
            return "";
        };
        match text.split_at_checked((len & !HIGH) as usize) {
            Some((text, _)) => text,
            None => "",
        }
    }

    /// Returns the files beside the `SKILL.md`.
    pub(crate) fn entries(self) -> &'static [DirEntry<'static>] {
        let [start, len] = self.parts().entries;
        let entries = self.bundle.parts.entries.get(range(start, len));
        entries.unwrap_or_default()
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn range(start: u32, len: u32) -> Range<usize> {
    index(start)..index(start).saturating_add(index(len))
}

fn find(entries: &'static [DirEntry<'static>], path: &str) -> Option<&'static [u8]> {
    entries.iter().find_map(|entry| match entry {
        DirEntry::Dir(dir) => find(dir.entries(), path),
        DirEntry::File(file) => (file.path().to_str() == Some(path)).then(|| file.contents()),
    })
}

fn collect(entries: &'static [DirEntry<'static>], files: &mut Vec<BakedFile>) {
    for entry in entries {
        match entry {
            DirEntry::Dir(dir) => collect(dir.entries(), files),
            DirEntry::File(file) => files.push(BakedFile {
                path: file.path().to_str().unwrap_or_default(),
                bytes: file.contents(),
            }),
        }
    }
}
