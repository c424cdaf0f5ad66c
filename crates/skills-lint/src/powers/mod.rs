//! Reads what a skill may do from its files: see [`powers`].
//!
//! A reading, and not a proof. Text is read as a model reads it: fenced code, code spans, commands in prose, HTML
//! comments. Scripts are read by their strings and by the functions that start programs, fetch, or read the
//! environment. What cannot be read (`eval`, encoded text, binary programs) is a power of its own.

mod code;
mod command;
mod data;
mod front_matter;
mod guard_files;
mod guards;
mod host;
mod lfs;
mod markdown;
mod matcher;
mod outside;
mod package;
mod power_file;
mod prose;
mod reader;
mod script;
mod shell;
mod tables;
#[cfg(test)]
mod tests;
mod word;

pub use lfs::is_lfs_pointer;
pub use power_file::PowerFile;

use crate::powers::reader::{Reader, Waiting};
use skills_format::tree::left_out::is_no_part;
use skills_format::tree::{FileKind, TreeFile, in_folder, is_skill_file};
use skills_format::{Digest, OPENAI_FILE, PowerKind, Powers};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum length of a text whose powers are read, in bytes. A longer text counts as unreadable: it can hold any power.
/// A source of skills is foreign, and a file of it must not hold up an install for minutes.
pub const MAX_POWER_FILE: usize = 1024 * 1024;
/// The maximum number of bytes of a skill whose powers are read.
pub const MAX_POWER_BYTES: usize = 16 * MAX_POWER_FILE;

/// Reads the powers of a skill from all its files, each with its places.
///
/// # Cost
///
/// Linear in the bytes of the files, up to [`MAX_POWER_BYTES`]; each Markdown file is parsed once.
pub fn powers<'t>(files: impl IntoIterator<Item = PowerFile<'t>>) -> Powers {
    let files: Vec<PowerFile<'t>> = files.into_iter().collect();
    let openai = files.iter().find(|file| file.path == OPENAI_FILE);
    let openai = openai.map(|file| file.bytes.unwrap_or(b"\xFF"));
    let mut powers = Powers::default();
    let mut reader = Reader::new(&mut powers);
    let all = files.clone();
    let (mut files, packages) = without_packages(files);
    // The front matter is read whatever stands beside it.
    files.sort_by_key(|file| !is_entry(file.path));
    let mut left = MAX_POWER_BYTES;
    for (folder, text) in packages {
        reader.open(&folder);
        reader.add(PowerKind::Unreadable, text, 0);
    }
    for file in files {
        read(file, openai, &mut left, &mut reader);
        while let Some(Waiting {
            language,
            text,
            line,
            ..
        }) = reader.next()
        {
            read_code(language, &text, line, &mut reader);
        }
    }
    guard_files::add(&all, &mut reader);
    reader.end();
    powers
}

/// Takes out the files of folders into which npm put packages, and describes each such folder. The documents, settings
/// and tests of packages name hundreds of powers that the skill never uses; the digest tells every change of the code.
/// A folder of few files is read as any other.
fn without_packages(files: Vec<PowerFile<'_>>) -> (Vec<PowerFile<'_>>, Vec<(String, String)>) {
    const FOLDER: &str = "node_modules";
    const MOST_READ: usize = 50;
    let mut folders: BTreeMap<&str, Vec<PowerFile<'_>>> = BTreeMap::new();
    let mut others = Vec::new();
    for file in files {
        let parts = file.path.match_indices(FOLDER);
        let mut ends = parts.filter_map(|(at, _)| {
            let end = at + FOLDER.len();
            let is_part = (at == 0 || file.path.get(..at)?.ends_with('/'))
                && file.path.get(end..)?.starts_with('/');
            is_part.then_some(end)
        });
        match ends.next().and_then(|end| file.path.get(..end)) {
            Some(folder) => folders.entry(folder).or_default().push(file),
            None => others.push(file),
        }
    }
    let mut packages = Vec::new();
    for (folder, mut inside) in folders {
        if inside.len() <= MOST_READ {
            others.extend(inside);
            continue;
        }
        inside.sort_by_key(|file| file.path);
        let digest = Digest::of_files(inside.iter().map(|file| {
            let bytes = file.bytes.unwrap_or_default();
            (file.path, bytes.len() as u64, Digest::of(bytes))
        }));
        let short: String = digest
            .to_string()
            .chars()
            .skip("sha256:".len())
            .take(12)
            .collect();
        let count = inside.len();
        packages.push((
            folder.to_owned(),
            format!("packages {folder} ({count} files, {short})"),
        ));
    }
    (others, packages)
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

fn read(file: PowerFile<'_>, openai: Option<&[u8]>, left: &mut usize, reader: &mut Reader<'_>) {
    reader.open(file.path);
    let Some(bytes) = file.bytes else {
        return reader.add(PowerKind::Unreadable, format!("file {}", file.path), 0);
    };
    if file.is_executable {
        let text = format!("{}{}", skills_format::power::RUN_BIT, file.path);
        reader.add(PowerKind::Scripts, text, 0);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        if !is_media(file.path) {
            reader.add(PowerKind::Unreadable, format!("binary {}", file.path), 0);
        }
        return;
    };
    // The URL in a pointer is the name of the format, and reaches no host.
    if is_lfs_pointer(bytes) {
        if !is_media(file.path) && !is_data(file.path) {
            reader.add(PowerKind::Unreadable, lfs::behind(file.path, text), 0);
        }
        return;
    }
    let is_skill = is_entry(file.path);
    if text.len() > MAX_POWER_FILE.min(*left) {
        let long = format!("large file {}", file.path);
        reader.add(PowerKind::Unreadable, long, 0);
        if is_skill {
            front_matter::read(first_bytes(text, MAX_POWER_FILE), openai, reader);
        }
        return;
    }
    *left -= text.len();
    reader.blobs(text);
    if is_skill {
        return front_matter::read(text, openai, reader);
    }
    let language = script::language(file.path, text);
    if let Some((language, interpreter)) = language {
        reader.add(
            PowerKind::Scripts,
            format!("{interpreter} {}", file.path),
            1,
        );
        return reader.code(language, script::commands(file.path, text), 1);
    }
    match script::extension(file.path).as_str() {
        "json" | "yaml" | "yml" | "jsonc" | "json5" => {
            data::read(text, 1, reader);
            markdown::some_lines(text, 1, reader);
        }
        "toml" | "ini" | "cfg" | "conf" | "env" | "properties" => {
            data::lines(text, 1, reader);
            markdown::some_lines(text, 1, reader);
        }
        "tf" | "hcl" => data::terraform(text, 1, reader),
        // A table can hold the steps of a skill.
        "csv" | "tsv" => markdown::read(&cells(text), 0, reader),
        _ if is_data(file.path) => markdown::some_lines(text, 1, reader),
        _ if data::is_requirements(file.path) => data::requirements(text, reader),
        _ => markdown::read(text, 0, reader),
    }
}

fn is_entry(path: &str) -> bool {
    is_skill_file(path) && !path.contains('/')
}

/// Returns the first bytes of a text, up to the end of a line.
fn first_bytes(text: &str, max: usize) -> &str {
    let end = text
        .char_indices()
        .map(|(at, _)| at)
        .take_while(|at| *at <= max)
        .last();
    let first = text.get(..end.unwrap_or_default()).unwrap_or_default();
    first.rsplit_once('\n').map_or(first, |(whole, _)| whole)
}

/// Reads code of a language.
fn read_code(language: &str, text: &str, line: usize, reader: &mut Reader<'_>) {
    match language {
        "markdown" => markdown::read_at(text, 0, line, reader),
        "shell" => shell::read(text, line, reader),
        "powershell" => {
            // `& $command` calls what a variable holds.
            let text = text.replace("& $", "iex $").replace("&$", "iex $");
            reader.is_powershell = true;
            shell::read(&text, line, reader);
            reader.is_powershell = false;
        }
        _ => code::read(language, text, line, reader),
    }
}

/// Returns a table with each cell as an item of its line, so that a cell is read as a sentence.
fn cells(text: &str) -> String {
    let cells = text.replace(['\t', '"'], " ").replace(',', " . ");
    cells.lines().fold(String::new(), |mut all, row| {
        all.push_str("- ");
        all.push_str(row);
        all.push('\n');
        all
    })
}

/// Returns whether a file holds rows or styles, which no program runs.
fn is_data(path: &str) -> bool {
    matches!(
        script::extension(path).as_str(),
        "lock" | "csv" | "tsv" | "css" | "xsd" | "svg"
    )
}

/// Returns whether a file is a picture, a font, a sound or a document, which no program runs.
fn is_media(path: &str) -> bool {
    const MEDIA: &str = "png jpg jpeg gif webp ico bmp tiff avif pdf ttf otf woff woff2 eot mp3 mp4 wav ogg webm mov \
                         docx xlsx pptx odt ods odp";
    let extension = script::extension(path);
    !extension.is_empty()
        && MEDIA
            .split_ascii_whitespace()
            .any(|known| known == extension)
}
