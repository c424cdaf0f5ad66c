//! The programs on the search path.

use crate::commands::doctor::remedy::on_the_path;
use skills_format::{Prose, prose};
use skills_store::files::executable::is_executable;
use std::path::{Path, PathBuf};

/// Folders of programs that a search path can lack.
const USUAL: &[&str] = &["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/// The programs that install packages, each with its words before a name.
const INSTALLERS: &[(&str, &str)] = &[
    ("apt-get", "sudo apt-get install"),
    ("dnf", "sudo dnf install"),
    ("pacman", "sudo pacman -S"),
    ("zypper", "sudo zypper install"),
    ("apk", "sudo apk add"),
    ("brew", "brew install"),
    ("winget", "winget install"),
];

/// The folders in which programs are looked for, in order.
pub(super) struct SearchPath(pub(super) Vec<PathBuf>);

impl SearchPath {
    /// Returns the first program with a name. A name with a separator is a path, from the folder `stand`.
    pub(super) fn find(&self, name: &str, stand: Option<&Path>) -> Option<PathBuf> {
        let file = if name.ends_with(std::env::consts::EXE_SUFFIX) {
            name.to_owned()
        } else {
            format!("{name}{}", std::env::consts::EXE_SUFFIX)
        };
        if Path::new(name).components().count() > 1 {
            let path = stand.map_or_else(|| PathBuf::from(&file), |stand| stand.join(&file));
            return is_program(&path).then_some(path);
        }
        let mut paths = self.0.iter().map(|folder| folder.join(&file));
        paths.find(|path| is_program(path))
    }

    /// Returns what helps against a missing program.
    pub(super) fn how_to_get(&self, name: &str) -> Prose {
        let usual = USUAL.iter().map(Path::new);
        let mut usual = usual.filter(|folder| is_program(&folder.join(name)));
        if let Some(folder) = usual.next() {
            return prose!(
                "{name} is in {}, which is not on the search path: {}",
                folder,
                on_the_path(folder)
            );
        }
        let mut here = INSTALLERS.iter();
        let found = here.find(|(program, _)| self.find(program, None).is_some());
        match found {
            Some((_, install)) => format!("`{install} {name}` installs it").into(),
            None => format!("install {name}, and put its folder on the search path, PATH").into(),
        }
    }
}

/// Returns whether a path is a file that can be run.
fn is_program(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|metadata| metadata.is_file() && (cfg!(not(unix)) || is_executable(&metadata)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_an_executable_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = SearchPath(vec![folder.path().join("gone"), folder.path().to_owned()]);
        std::fs::write(folder.path().join("text"), "").expect("a file");
        std::fs::create_dir(folder.path().join("folder")).expect("a folder");
        std::os::unix::fs::symlink("/bin/sh", folder.path().join("git")).expect("a link");
        assert_eq!(path.find("git", None), Some(folder.path().join("git")));
        for name in ["text", "folder", "gone", ""] {
            assert_eq!(path.find(name, None), None, "{name}");
        }
        let stand = Some(folder.path());
        assert_eq!(path.find("./git", stand), Some(folder.path().join("./git")));
        assert_eq!(path.find("x/git", stand), None);
        assert_eq!(path.find("/bin/sh", stand), Some("/bin/sh".into()));
    }

    #[test]
    fn what_gets_a_program() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = SearchPath(vec![folder.path().to_owned()]);
        let general = "install frob, and put its folder on the search path, PATH";
        assert_eq!(&*path.how_to_get("frob"), general);
        let apk = folder.path().join("apk");
        std::os::unix::fs::symlink("/bin/sh", apk).expect("a link");
        assert_eq!(&*path.how_to_get("frob"), "`sudo apk add frob` installs it");
        assert!(path.how_to_get("sh").contains("`export PATH=\"$PATH\":/"));
    }
}
