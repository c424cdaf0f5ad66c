//! The files of a crate, and the lines on which they import each other.

use crate::imports::{self, ModulePath, Source};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a crate, without tests.
pub(crate) struct Sources {
    files: BTreeMap<ModulePath, File>,
}

struct File {
    /// The path, relative to `src`.
    name: String,
    source: Source,
}

/// An import of one file from another. Names are relative to `src`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) from: String,
    pub(crate) to: String,
    /// The first line of `from` that imports from `to`.
    pub(crate) line: usize,
}

impl Sources {
    /// Reads the files of a package, from `lib.rs` along its `mod` lines.
    pub(crate) fn read(repository: &Path, package: &str) -> Self {
        let src = repository.join(package).join("src");
        let mut files = BTreeMap::new();
        let mut open: Vec<(ModulePath, PathBuf)> = vec![(Vec::new(), "lib.rs".into())];
        while let Some((module, name)) = open.pop() {
            let text = fs::read_to_string(src.join(&name))
                .unwrap_or_else(|error| panic!("{package}/src/{}: {error}", name.display()));
            let source = imports::read(&module, &text);
            for child in &source.children {
                open.push((child.clone(), file_of(&src, child)));
            }
            let name = name.to_string_lossy().replace('\\', "/");
            files.insert(module, File { name, source });
        }
        Self { files }
    }

    /// Returns every pair of files in which the first imports from the second, in order of names.
    ///
    /// `lib.rs` does not count as an importing file: it declares the public items of the crate.
    pub(crate) fn edges(&self) -> Vec<Edge> {
        let mut first: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (module, file) in self.files.iter().filter(|(module, _)| !module.is_empty()) {
            for import in &file.source.imports {
                let target = self.file(&import.path);
                if target.0 != module {
                    let line = first
                        .entry((&file.name, &target.1.name))
                        .or_insert(import.line);
                    *line = import.line.min(*line);
                }
            }
        }
        let edge = |((from, to), line): ((&str, &str), usize)| Edge {
            from: from.to_owned(),
            to: to.to_owned(),
            line,
        };
        first.into_iter().map(edge).collect()
    }

    /// Returns the innermost module of a path that is a file.
    fn file(&self, path: &[String]) -> (&ModulePath, &File) {
        (0..=path.len())
            .rev()
            .find_map(|len| self.files.get_key_value(path.get(..len)?))
            .expect("lib.rs")
    }
}

/// Returns the chapter of a file: the folder or the file directly in `src`.
pub(crate) fn chapter(name: &str) -> &str {
    let first = name.split('/').next().unwrap_or(name);
    first.strip_suffix(".rs").unwrap_or(first)
}

fn file_of(src: &Path, module: &[String]) -> PathBuf {
    let folder: PathBuf = module.iter().collect();
    let alone = folder.with_extension("rs");
    if src.join(&alone).is_file() {
        alone
    } else {
        folder.join("mod.rs")
    }
}
