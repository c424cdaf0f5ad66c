//! A folder of skills as it was read: the one place where the compiler touches the disk.

use crate::options::Options;
use crate::package;
use skills_format::{
    CONFIG_FILE, Config, Contents, Diagnostic, RuleId, Severity, Tree, join, read_text,
};
use std::borrow::Cow;
use std::io;
use std::path::Path;

/// The name of the lock, which stands beside the skills.
pub const LOCK_FILE: &str = "skills.lock";

/// Largest file of a skill that is read: far more than a skill may have.
const MAX_FILE: u64 = 1 << 30;

/// A folder of skills, its options and its lock.
#[derive(Debug)]
#[non_exhaustive]
pub struct Folder {
    /// Relative to where it was looked for, as it is shown.
    pub path: String,
    /// The files of the skills.
    pub tree: Tree,
    /// The options of `skills.toml` with those of the build over them.
    pub config: Config,
    /// `skills.toml`, where it is there.
    pub config_text: Option<String>,
    /// `skills.lock`, where it is there.
    pub lock_text: Option<String>,
    /// What is wrong with the folder itself and with `skills.toml`, and what `cargo package` would
    /// leave out of it.
    pub faults: Vec<Diagnostic>,
    /// Whether a package was found, and so what it would lose is known.
    pub(crate) in_package: bool,
}

impl Folder {
    /// Reads the folder at `path` relative to `base`. Whatever is wrong with it is a fault of it.
    pub fn read(base: &Path, path: &str, options: &Options) -> Self {
        let path = normal(path);
        let root = base.join(&path);
        let mut faults = Vec::new();
        let tree = Tree::read(&root, Contents::All { max: MAX_FILE }).unwrap_or_else(|error| {
            faults.push(no_folder(&path, &error));
            Tree::default()
        });
        let mut text = |file: &str| match read_text(&root.join(file)) {
            Ok(text) => Some(text),
            Err(error) if is_absent(&error) => None,
            Err(error) => {
                faults.push(unreadable(&join(&path, file), &error.to_string()));
                None
            }
        };
        let config_text = text(CONFIG_FILE);
        let lock_text = text(LOCK_FILE);
        let (mut config, told) = match &config_text {
            Some(text) => Config::parse(&join(&path, CONFIG_FILE), text),
            None => Default::default(),
        };
        faults.extend(told);
        options.over(&mut config);
        let losses = package::check(base, &path, &tree, &config);
        let in_package = losses.is_some();
        faults.extend(losses.unwrap_or_default());
        Self {
            path,
            tree,
            config,
            config_text,
            lock_text,
            faults,
            in_package,
        }
    }

    /// The bytes of a file by the path that diagnostics show.
    pub fn source(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let file = match self.path.as_str() {
            "." => path,
            root => path.strip_prefix(root)?.strip_prefix('/')?,
        };
        let text = |text: &'_ Option<String>| text.clone().map(|text| text.into_bytes().into());
        match file {
            CONFIG_FILE => text(&self.config_text),
            LOCK_FILE => text(&self.lock_text),
            file => Some(self.tree.get(file)?.bytes.as_deref()?.into()),
        }
    }
}

/// A part of the folder that could not be read.
pub(crate) fn unreadable(path: &str, reason: &str) -> Diagnostic {
    let message = format!("this cannot be read: {reason}");
    Diagnostic::new("unreadable", Severity::Error, path, message)
}

fn no_folder(path: &str, error: &io::Error) -> Diagnostic {
    let message = match error.kind() {
        io::ErrorKind::NotFound => format!("there is no folder `{path}`"),
        io::ErrorKind::NotADirectory => format!("`{path}` is no folder"),
        _ => return unreadable(path, &error.to_string()),
    };
    Diagnostic::new(RuleId::BundleEmpty, Severity::Error, path, message)
        .help("name a folder that holds skills, relative to Cargo.toml")
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// `./skills/` is `skills`.
fn normal(path: &str) -> String {
    let parts: Vec<_> = path
        .split('/')
        .enumerate()
        .filter(|(i, part)| *part != "." && (*i == 0 || !part.is_empty()))
        .map(|(_, part)| part)
        .collect();
    if parts.is_empty() {
        ".".to_owned()
    } else {
        parts.join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn paths() {
        for (path, shown) in [
            ("./a//b/", "a/b"),
            (".", "."),
            ("./", "."),
            ("../x", "../x"),
            ("/abs/x/", "/abs/x"),
        ] {
            assert_eq!(normal(path), shown);
        }
    }
}
