//! The folder that is asked for, as it was read: the one place where the compiler touches the disk.

use skills_format::{Config, Contents, Diagnostic, Severity, Tree};
use std::io;
use std::path::Path;

/// A folder of skills and its options.
#[derive(Debug)]
pub(crate) struct Folder {
    /// Relative to the manifest, as it is shown.
    pub(crate) path: String,
    pub(crate) tree: Tree,
    pub(crate) config: Config,
    /// What is wrong with the folder itself.
    pub(crate) faults: Vec<Diagnostic>,
}

impl Folder {
    /// Reads what a crate names by a path relative to its manifest.
    pub(crate) fn read(manifest: &Path, path: &str, config: Config) -> Self {
        let path = normal(path);
        let mut faults = Vec::new();
        let contents = Contents::All { max: u64::MAX };
        let tree = Tree::read(&manifest.join(&path), contents).unwrap_or_else(|error| {
            faults.push(unreadable(&path, &error));
            Tree::default()
        });
        Self {
            path,
            tree,
            config,
            faults,
        }
    }
}

fn unreadable(path: &str, error: &io::Error) -> Diagnostic {
    let message = match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::NotADirectory => "this is no folder".to_owned(),
        _ => format!("the folder cannot be read: {error}"),
    };
    Diagnostic::new("bundle-empty", Severity::Error, path, message)
        .help("name a folder of skills, relative to Cargo.toml")
}

/// `./skills/` is `skills`.
fn normal(path: &str) -> String {
    let parts: Vec<_> = path
        .split('/')
        .filter(|part| !matches!(*part, "" | "."))
        .collect();
    if parts.is_empty() {
        ".".to_owned()
    } else {
        parts.join("/")
    }
}
