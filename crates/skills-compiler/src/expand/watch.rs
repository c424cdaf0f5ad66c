//! The paths that cargo watches for the build script of a crate.

#![expect(
    clippy::disallowed_methods,
    reason = "reads what cargo kept of the build script"
)]

use crate::folder::Folder;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The paths whose changes make cargo run the build script, and compile the crate, again.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    /// The crate has no build script.
    NoScript,
    /// The script named nothing, so that cargo watches every file of the package.
    Package,
    /// The paths that the script named, relative to the manifest.
    Paths(Vec<String>),
    /// The output of the script is not where cargo keeps it: another program ran the script.
    Unknown,
}

impl Watch {
    /// Reads the output of the build script of the crate that is compiled.
    pub(crate) fn of_crate() -> Self {
        let Some(out) = std::env::var_os("OUT_DIR").map(PathBuf::from) else {
            return Self::NoScript;
        };
        let package = std::env::var_os("CARGO_PKG_NAME").unwrap_or_default();
        output(&out, &package).map_or(Self::Unknown, |output| Self::read(&output))
    }

    fn read(output: &str) -> Self {
        let told = output.lines().filter_map(|line| {
            let told = line.strip_prefix("cargo::");
            told.or_else(|| line.strip_prefix("cargo:"))
        });
        let mut paths = Vec::new();
        let mut names_something = false;
        for line in told {
            let path = line.strip_prefix("rerun-if-changed=");
            names_something |= path.is_some() || line.starts_with("rerun-if-env-changed=");
            paths.extend(path.map(str::to_owned));
        }
        if names_something {
            Self::Paths(paths)
        } else {
            Self::Package
        }
    }

    /// Returns whether cargo notices a new file in the folder. True if that is not known.
    pub(crate) fn covers(&self, manifest: &Path, folder: &Folder) -> bool {
        let path = folder.path.as_str();
        match self {
            Self::NoScript => false,
            Self::Unknown => true,
            Self::Package => !path.starts_with(['/', '.']) || path == ".",
            Self::Paths(paths) => {
                // Resolved: a path may have `..` and links.
                let resolved = |path: &str| manifest.join(path).canonicalize().ok();
                let mut paths = paths.iter().filter_map(|path| resolved(path));
                // A missing folder has a finding of its own.
                resolved(path).is_none_or(|folder| paths.any(|watched| folder.starts_with(watched)))
            }
        }
    }
}

/// Reads what the script printed: the file `output` beside the folder `out`. A program that cargo runs can pass its own
/// `OUT_DIR` on to the build of another package. The folder above `out` begins with the name of the package.
fn output(out: &Path, package: &OsStr) -> Option<String> {
    let folder = out.parent()?;
    let name = folder.file_name()?.to_str()?;
    let hash = name.strip_prefix(package.to_str()?)?.strip_prefix('-')?;
    let is_hash = hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let bytes = is_hash.then(|| fs::read(folder.join("output")))?.ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;

    #[test]
    fn the_lines_that_name_paths() {
        let paths = |paths: &[&str]| Watch::Paths(paths.iter().map(|&path| path.into()).collect());
        assert_eq!(Watch::read("cargo::warning=x\nbuilt\n"), Watch::Package);
        assert_eq!(Watch::read(""), Watch::Package);
        assert_eq!(
            Watch::read("cargo:rerun-if-changed=build.rs\r\ncargo::rerun-if-changed=a b\n"),
            paths(&["build.rs", "a b"])
        );
        // Then cargo does not watch the package.
        assert_eq!(Watch::read("cargo::rerun-if-env-changed=X\n"), paths(&[]));
    }

    #[test]
    fn a_folder_is_covered_by_itself_and_by_folders_above() {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let covers = |watch: &Watch, folder: &str| {
            watch.covers(
                manifest,
                &Folder::read(manifest, folder, &Options::default()),
            )
        };
        let src = |paths: &[&str]| {
            let paths = paths.iter().map(|&path| path.to_owned()).collect();
            covers(&Watch::Paths(paths), "src/expand")
        };
        assert!(src(&["build.rs", "src/expand"]) && src(&["src"]) && src(&["."]));
        assert!(src(&["../skills-compiler/src/"]));
        assert!(!src(&[]) && !src(&["Cargo.toml", "src/lock", "src/expand/watch.rs"]));
        assert!(covers(&Watch::Paths(Vec::new()), "no-such-folder"));
        assert!(covers(&Watch::Package, "src") && !covers(&Watch::Package, "../skills-lint"));
        assert!(covers(&Watch::Package, ".") && covers(&Watch::Unknown, "../skills-lint"));
        assert!(!covers(&Watch::NoScript, "src"));
    }

    #[test]
    fn the_output_of_another_package_is_not_read() {
        let base = std::env::temp_dir().join(format!("skills-watch-{}", std::process::id()));
        let folder = base.join("my-app-0a1b");
        fs::create_dir_all(folder.join("out")).expect("a folder");
        fs::write(folder.join("output"), "said").expect("a file");
        let read = |package: &str| output(&folder.join("out"), OsStr::new(package));
        assert_eq!(read("my-app").as_deref(), Some("said"));
        assert_eq!(read("my"), None);
        assert_eq!(read("my-app-tests"), None);
        fs::remove_dir_all(&base).expect("removed");
    }
}
