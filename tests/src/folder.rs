//! The folder of a case: `project/` is the working folder, `home/` the home folder.

use crate::block::Fence;
use crate::memory::memory;
use skills_tool::Environment;
use std::fs;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

/// A file of a case: a fenced block whose info string is a language and a path.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// The path, relative to the folder of the case.
    pub(crate) path: PathBuf,
    pub(crate) block: Fence,
}

/// The user's data below the home folder. Windows has one folder for settings and data.
pub(crate) const DATA: &str = if cfg!(windows) {
    ".config"
} else {
    ".local/share"
};

/// A temporary folder, removed at the end of the case.
pub(crate) struct Folder {
    folder: tempfile::TempDir,
}

impl File {
    /// Parses the file of a block; `None` if its info string has no path.
    pub(crate) fn of(block: &Fence) -> Result<Option<Self>, String> {
        let Some((_, path)) = block.info.split_once(' ') else {
            return Ok(None);
        };
        let path = path.trim();
        let is_inside = Path::new(path)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !is_inside {
            return Err(format!(
                "`{}` is no language and path inside the case's folder",
                block.info
            ));
        }
        Ok(Some(Self {
            path: path.into(),
            block: block.clone(),
        }))
    }
}

impl Folder {
    /// Makes the folder with its files.
    pub(crate) fn new(files: &[File]) -> Result<Self, String> {
        let folder = temporary().map_err(|error| format!("no temporary folder: {error}"))?;
        let folder = Self { folder };
        for folder in [folder.project(), folder.home()] {
            fs::create_dir_all(&folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        for file in files {
            folder
                .write(file)
                .map_err(|error| format!("{}: {error}", file.path.display()))?;
        }
        Ok(folder)
    }

    fn write(&self, file: &File) -> std::io::Result<()> {
        let path = self.path().join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, &file.block.text)
    }

    /// Reads a file of the case.
    pub(crate) fn read(&self, path: &Path) -> Result<String, String> {
        fs::read_to_string(self.path().join(path))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.path().join("project")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    /// Returns the folders in the form that the library takes.
    pub(crate) fn environment(&self) -> Environment {
        Environment {
            working_folder: Some(self.project()),
            home: Some(self.home()),
            config: Some(self.home().join(".config")),
            data: Some(self.home().join(DATA)),
        }
    }

    /// Returns the path of the folder in user notation: with `/` on every system.
    pub(crate) fn written(&self) -> String {
        self.path().to_string_lossy().replace(MAIN_SEPARATOR, "/")
    }

    /// Replaces the path of the folder in a text by `[CASE]`.
    pub(crate) fn hidden(&self, text: &str) -> String {
        let mut text = text.to_owned();
        let real = fs::canonicalize(self.path()).unwrap_or_default();
        for path in [real.as_path(), self.path()] {
            if let Some(path) = path.to_str().filter(|path| !path.is_empty()) {
                text = text.replace(path, "[CASE]");
            }
        }
        let written = self.written();
        if cfg!(windows) {
            for (words, of_unix) in of_windows() {
                text = text.replace(&words, of_unix);
            }
            // In an address, and in a property of an annotation.
            text = text.replace(&format!("file:///{written}"), "file://[CASE]");
            text = text.replace(&written.replace(':', "%3A"), "[CASE]");
        }
        text.replace(&written, "[CASE]")
    }
}

/// Makes a folder, in memory if possible: on a disk a third of the time would be spent on files. The path is as long
/// as one below `/tmp`, since widths and token counts include it.
fn temporary() -> std::io::Result<tempfile::TempDir> {
    match memory() {
        Some(memory) => tempfile::Builder::new().prefix("c").tempdir_in(memory),
        None => tempfile::Builder::new().prefix("case-").tempdir(),
    }
}

/// Returns error messages of Windows, each with the message of Unix for the same error.
fn of_windows() -> impl Iterator<Item = (String, &'static str)> {
    const ABSENT: &str = "No such file or directory (os error 2)";
    let errors = [(2, ABSENT), (3, ABSENT), (183, "File exists (os error 17)")];
    let words = |code| std::io::Error::from_raw_os_error(code).to_string();
    let errors = errors.map(|(code, of_unix)| (words(code), of_unix));
    errors
        .into_iter()
        .chain([("program not found".to_owned(), ABSENT)])
}
