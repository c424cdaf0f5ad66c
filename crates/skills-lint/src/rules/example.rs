//! Examples of rules as trees of files.

use skills_format::tree::{FileKind, Tree, TreeFault, TreeFile};

/// The folder of the one skill of [`Example::Skill`].
const FOLDER: &str = "release-notes";

/// The files of an example, usually one `SKILL.md`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Example {
    /// The `SKILL.md` of the skill folder `release-notes`.
    Skill(&'static str),
    /// Files by their paths below the folder of skills, sorted.
    Files(&'static [(&'static str, Content)]),
    /// Files with a `skills.toml`.
    Configured {
        /// The text of `skills.toml`.
        config: &'static str,
        /// The files.
        files: &'static [(&'static str, Content)],
    },
}

/// The content of one file of an example.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Content {
    /// UTF-8 text.
    Text(&'static str),
    /// Bytes that need not be UTF-8.
    Bytes(&'static [u8]),
    /// A long text with a repeated piece.
    Long {
        /// The text before the piece.
        before: &'static str,
        /// The piece.
        piece: &'static str,
        /// The number of repetitions.
        times: usize,
        /// The text after the piece.
        after: &'static str,
    },
    /// A file of this many bytes, which are not read.
    Sized(u64),
    /// A symbolic link to this path.
    Link(&'static str),
    /// Empty files; the path of each ends with a number.
    Many {
        /// The number of files.
        files: usize,
    },
    /// A file that cannot be read, with the system's message.
    Unreadable(&'static str),
}

impl Example {
    /// Returns the files by path.
    pub fn files(&self) -> Vec<(String, Content)> {
        match self {
            Self::Skill(text) => vec![(format!("{FOLDER}/SKILL.md"), Content::Text(text))],
            Self::Files(files) | Self::Configured { files, .. } => files
                .iter()
                .map(|(path, content)| ((*path).to_owned(), *content))
                .collect(),
        }
    }

    /// Returns the text of the example's `skills.toml`; empty if the example has no such file.
    pub fn config(&self) -> &'static str {
        match self {
            Self::Configured { config, .. } => config,
            _ => "",
        }
    }

    /// Returns the files as a tree, as if read from a folder.
    pub fn tree(&self) -> Tree {
        let mut tree = Tree::default();
        for (path, content) in self.files() {
            match content {
                Content::Many { files } => tree
                    .files
                    .extend((0..files).map(|i| file(format!("{path}{i}"), Content::Text("")))),
                Content::Unreadable(message) => tree.faults.push(TreeFault {
                    path,
                    message: message.to_owned(),
                }),
                content => tree.files.push(file(path, content)),
            }
        }
        tree.files.sort_by(|a, b| a.path.cmp(&b.path));
        tree
    }
}

impl Content {
    /// Returns the whole text; `None` for content that is not text.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some((*text).to_owned()),
            Self::Long {
                before,
                piece,
                times,
                after,
            } => Some(format!("{before}{}{after}", piece.repeat(*times))),
            _ => None,
        }
    }
}

fn file(path: String, content: Content) -> TreeFile {
    let (kind, bytes) = match content {
        Content::Bytes(bytes) => (FileKind::Regular, Some(bytes.to_vec())),
        Content::Sized(_) => (FileKind::Regular, None),
        Content::Link(_) => (FileKind::Link, None),
        _ => (FileKind::Regular, content.text().map(String::into_bytes)),
    };
    let size = match content {
        Content::Sized(size) => size,
        _ => bytes.as_ref().map_or(0, |bytes| bytes.len() as u64),
    };
    TreeFile {
        path,
        utf8: true,
        kind,
        size,
        bytes,
    }
}

/// Writes the `SKILL.md` of an example, with more lines of front matter.
macro_rules! with_fields {
    ($fields:literal) => {
        concat!(
            "---\nname: release-notes\n",
            "description: Writes release notes. Use when a version is about to be published.\n",
            $fields,
            "---\n\nList every merged change.\n"
        )
    };
}

/// Writes the `SKILL.md` of an example, with another body.
macro_rules! with_body {
    ($body:expr) => {
        concat!(
            "---\nname: release-notes\n",
            "description: Writes release notes. Use when a version is about to be published.\n",
            "---\n\n",
            $body
        )
    };
}

/// Writes a skill with a link, and with one file beside its `SKILL.md`.
macro_rules! with_link {
    ($link:literal, $file:literal) => {
        $crate::rules::example::Example::Files(&[
            (
                "release-notes/SKILL.md",
                $crate::rules::example::Content::Text($crate::rules::example::with_body!(concat!(
                    "Follow [the style](",
                    $link,
                    ").\n"
                ))),
            ),
            (
                concat!("release-notes/", $file),
                $crate::rules::example::Content::Text("# Style\n"),
            ),
        ])
    };
}

pub(crate) use {with_body, with_fields, with_link};
