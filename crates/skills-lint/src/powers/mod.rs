//! Reads what a skill may do from its files: see [`powers`].
//!
//! A help for the reader's eye, and never evidence of absence. Text of a shell is read: in fences that name a shell, in code
//! spans and at the beginning of lines whose first word is a known program, in hooks and injections. Every address counts,
//! wherever it is. Other code is not read: each script, and each block of another language, is a power with its digest.
//!
//! The lexer of shells is ours. `brush-parser` would be twenty packages more for a seventh of this chapter, and it gives up at the
//! first fault. Code that the lexer cannot follow to its end is unreadable too, with its digest.

mod command;
mod data;
mod fold;
mod front_matter;
mod host;
mod lfs;
mod line;
mod markdown;
mod outside;
mod package;
mod reader;
mod script;
pub(crate) mod shell;
mod tables;
#[cfg(test)]
mod tests;
pub(crate) mod word;

pub use lfs::is_lfs_pointer;

use crate::powers::fold::fold;
use crate::powers::reader::{Reader, Waiting};
use skills_format::tree::left_out::is_no_part;
use skills_format::tree::{FileKind, TreeFile, in_folder, is_skill_file};
use skills_format::{OPENAI_FILE, join};
use skills_permit::{PowerKind, Powers};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum length of a text whose powers are read, in bytes. A longer text counts as unreadable: it can hold any power.
/// A source of skills is foreign, and a file of it must not hold up an install for minutes.
pub const MAX_POWER_FILE: usize = 1024 * 1024;
/// The maximum number of bytes of a skill whose powers are read.
pub const MAX_POWER_BYTES: usize = 16 * MAX_POWER_FILE;

/// A file whose powers are read.
#[derive(Clone, Copy, Debug)]
pub struct PowerFile<'t> {
    /// The path relative to the skill's folder, with `/`.
    pub path: &'t str,
    /// The bytes. `None` if the file is not regular, or was not read.
    pub bytes: Option<&'t [u8]>,
    /// The system can start the file by itself.
    pub is_executable: bool,
}

/// Reads the powers of a skill from all its files, each with its places.
///
/// # Cost
///
/// Linear in the bytes of the files, up to [`MAX_POWER_BYTES`]; each Markdown file is parsed once.
pub fn powers<'t>(files: impl IntoIterator<Item = PowerFile<'t>>) -> Powers {
    read_all(files.into_iter().collect(), false)
}

/// Reads the powers of a skill for a comparison: a command has each line of code in a block too, between backticks.
pub fn powers_and_calls<'t>(files: impl IntoIterator<Item = PowerFile<'t>>) -> Powers {
    read_all(files.into_iter().collect(), true)
}

fn read_all(mut files: Vec<PowerFile<'_>>, has_calls: bool) -> Powers {
    let openai = files.iter().find(|file| file.path == OPENAI_FILE);
    let openai = openai.map(|file| file.bytes.unwrap_or(b"\xFF"));
    let mut reader = Reader::default();
    reader.has_calls = has_calls;
    let paths = files.iter().map(|file| file.path.to_lowercase());
    reader.files = paths.zip(files.iter().map(is_script)).collect();
    // The documents, settings and tests of npm's packages name hundreds of powers that the skill never uses.
    files.retain(|file| !format!("/{}", file.path).contains("/node_modules/"));
    // The front matter is read whatever lies beside it.
    files.sort_by_key(|file| !is_entry(file.path));
    let mut left = MAX_POWER_BYTES;
    for file in &files {
        read(*file, openai, &mut left, &mut reader);
        read_waiting(&mut reader);
    }
    read_run(&files, &mut reader);
    reader.powers()
}

/// Reads the powers of a skill of a tree, whose files hold their bytes. `executable` lists the paths of files with a run
/// bit, relative to the tree.
pub fn powers_of_files(dir: &str, files: &[TreeFile], executable: &BTreeSet<String>) -> Powers {
    let files = files.iter().filter_map(|file| {
        let path = in_folder(dir, &file.path)?;
        let is_regular = file.kind == FileKind::Regular;
        Some(PowerFile {
            path,
            bytes: file.bytes.as_deref().filter(|_| is_regular),
            is_executable: executable.contains(&file.path),
        })
    });
    powers(files.filter(|file| !is_no_part(file.path)))
}

fn read(file: PowerFile<'_>, openai: Option<&[u8]>, left: &mut usize, reader: &mut Reader) {
    let path = file.path;
    reader.open(path);
    let Some(bytes) = file.bytes else {
        return reader.add(PowerKind::Unreadable, format!("file {path}"), 0);
    };
    if file.is_executable {
        let text = format!("{}{path}", skills_permit::power::RUN_BIT);
        reader.add(PowerKind::Scripts, text, 0);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        if !is_media(path) || !is_binary_media(bytes) {
            reader.opaque(&format!("binary {path}"), bytes, 0);
        }
        return;
    };
    // The URL in a pointer is the name of the format, and reaches no host.
    if is_lfs_pointer(bytes) {
        if !is_media(path) {
            reader.add(PowerKind::Unreadable, lfs::behind(path, text), 0);
        }
        return;
    }
    let is_skill = is_entry(path);
    if text.len() > MAX_POWER_FILE.min(*left) {
        reader.opaque(&format!("large file {path}"), bytes, 0);
        if is_skill {
            front_matter::read(first_bytes(text, MAX_POWER_FILE), openai, reader);
        }
        return;
    }
    *left -= text.len();
    if is_skill {
        // Clients read the front matter as it is written.
        let body = front_matter::read(text, openai, reader);
        let line = 1 + text[..body].matches('\n').count();
        addresses(&fold(&text[..body], 1, reader), 1, reader);
        let folded = fold(&text[body..], line, reader);
        addresses(&folded, line, reader);
        return instructions(&text[body..], &folded, line, reader);
    }
    let folded = fold(text, 1, reader);
    addresses(&folded, 1, reader);
    if let Some(interpreter) = script::interpreter(path, &folded) {
        reader.script(bytes);
        if script::is_shell(&interpreter) {
            reader.shell(folded.into_owned(), 1);
        }
        return;
    }
    match script::extension(path).as_str() {
        "json" | "yaml" | "yml" | "jsonc" | "json5" => data::read(&folded, 1, reader),
        "toml" | "ini" | "cfg" | "conf" | "env" | "properties" | "lock" | "css" | "xsd" => {}
        _ if data::is_requirements(path) => data::requirements(&folded, reader),
        _ => instructions(text, &folded, 1, reader),
    }
}

/// Reads Markdown as a model reads it: folded. A shell reads bytes, so that a comparison names its lines as they are written.
fn instructions(written: &str, folded: &str, line: usize, reader: &mut Reader) {
    let has_calls = reader.has_calls;
    if has_calls && written != folded {
        markdown::read(written, line, reader);
        read_waiting(reader);
        (reader.depth, reader.has_calls) = (0, false);
    }
    markdown::read(folded, line, reader);
    read_waiting(reader);
    reader.has_calls = has_calls;
}

/// Returns whether a file is a script: by its mode, its first bytes or its name.
fn is_script(file: &PowerFile<'_>) -> bool {
    let begins = file.bytes.is_some_and(|bytes| bytes.starts_with(b"#!"));
    file.is_executable || begins || word::names_own_script(&format!("./{}", file.path))
}

fn is_entry(path: &str) -> bool {
    is_skill_file(path) && !path.contains('/')
}

/// Returns the first bytes of a text, up to the end of a line.
fn first_bytes(text: &str, max: usize) -> &str {
    let end = (0..=max).rev().find(|at| text.is_char_boundary(*at));
    let first = &text[..end.unwrap_or_default()];
    first.rsplit_once('\n').map_or(first, |(whole, _)| whole)
}

fn read_waiting(reader: &mut Reader) {
    while let Some(Waiting {
        is_shell,
        text,
        line,
        ..
    }) = reader.next()
    {
        let read = if is_shell {
            shell::read
        } else {
            markdown::read
        };
        read(&text, line, reader);
    }
}

/// Reads the files that commands run, and that no name shows as scripts: `bash scripts/setup`, `python notes.txt`. A path can be
/// written in many ways, and the name stays.
fn read_run(files: &[PowerFile<'_>], reader: &mut Reader) {
    // Some systems open a file in any letter case.
    let mut by_name: BTreeMap<String, Vec<&PowerFile<'_>>> = BTreeMap::new();
    for file in files {
        let name = file.path.rsplit('/').next().unwrap_or(file.path);
        by_name.entry(name.to_lowercase()).or_default().push(file);
    }
    let mut seen = BTreeSet::new();
    while let Some((name, interpreter)) = reader.runs.pop_first() {
        for file in by_name.get(&name.to_lowercase()).into_iter().flatten() {
            let Some(bytes) = file.bytes else {
                continue;
            };
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            if script::interpreter(file.path, text).is_some() || !seen.insert(file.path) {
                continue;
            }
            reader.open(file.path);
            reader.script(bytes);
            if script::is_shell(&interpreter) && text.len() <= MAX_POWER_FILE {
                let text = fold(text, 1, reader).into_owned();
                reader.shell(text, 1);
                read_waiting(reader);
            }
        }
    }
}

/// Adds the hosts, the paths outside of the skill and the secrets that a text names, wherever they are.
fn addresses(text: &str, line: usize, reader: &mut Reader) {
    reader.blobs(text);
    for (at, row) in text.lines().enumerate() {
        for host in host::hosts(row).into_iter().chain(host::devices(row)) {
            reader.add(PowerKind::Hosts, host, line + at);
        }
        for word in row.split_whitespace().filter(|word| word.contains('@')) {
            let path = word.rsplit('@').next().unwrap_or_default();
            let path = path
                .trim_matches(|c: char| !c.is_alphanumeric())
                .to_lowercase();
            let is_text = tables::has("md markdown", &script::extension(&path));
            let (folder, _) = reader.path.rsplit_once('/').unwrap_or_default();
            let is_own = [&path, &join(folder, &path).to_lowercase()];
            if !is_text && is_own.iter().any(|path| reader.files.contains_key(*path)) {
                reader.add(PowerKind::Files, format!("@{path}"), line + at);
            }
        }
        if row.contains(['/', '~', '\\', '.']) {
            command::paths(row, line + at, reader);
        }
        // A sentence can name a secret too, and so does code in every language.
        for word in row.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            if word.contains('_') && word::is_environment(word) && word::ends_as_secret(word) {
                reader.add(PowerKind::Variables, word, line + at);
            }
        }
    }
}

/// Returns whether bytes begin as a picture, a font, a sound or a document does, and are not mostly text, which a model reads: a
/// name, or odd bytes in a text, make no picture of it.
pub fn is_binary_media(bytes: &[u8]) -> bool {
    const STARTS: [&[u8]; 22] = [
        b"\x89PNG",
        b"\xFF\xD8\xFF",
        b"GIF8",
        b"RIFF",
        b"\0\0\x01\0",
        b"BM",
        b"II*\0",
        b"MM\0*",
        b"%PDF",
        b"\0\x01\0\0",
        b"true",
        b"OTTO",
        b"ttcf",
        b"wOFF",
        b"wOF2",
        b"ID3",
        b"\xFF\xFB",
        b"\xFF\xF3",
        b"\xFF\xF2",
        b"OggS",
        b"\x1A\x45\xDF\xA3",
        b"PK\x03\x04",
    ];
    // The boxes of films and of AVIF, and the mark of fonts for Internet Explorer.
    let begins = STARTS.iter().any(|start| bytes.starts_with(start))
        || bytes.get(4..8) == Some(b"ftyp")
        || bytes.get(34..36) == Some(b"LP");
    // Text of other alphabets and of UTF-16 is text too.
    let chars = bytes.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
    let text = chars.filter(|c| !c.is_control() || c.is_ascii_whitespace());
    let others = bytes.split(|byte| *byte == 0).map(<[u8]>::len);
    begins && text.map(char::len_utf8).sum::<usize>() <= others.sum::<usize>() / 4 * 3 + 4
}

/// Returns whether a file is a picture, a font, a sound or a document, which no program runs.
fn is_media(path: &str) -> bool {
    const MEDIA: &str = "png jpg jpeg gif webp ico bmp tiff avif pdf ttf otf woff woff2 eot mp3 mp4 wav ogg webm mov \
                         docx xlsx pptx odt ods odp";
    tables::has(MEDIA, &script::extension(path))
}
