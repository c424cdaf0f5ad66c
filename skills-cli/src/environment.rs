//! The folders of this process. Nothing else in the program asks for the environment.

#![expect(clippy::disallowed_methods, reason = "the one module that asks")]

use skills_runtime::{Facts, Needs};
use std::path::{Path, PathBuf};

/// Where the program stands. Any of it can be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// The working folder, absolute.
    pub working_folder: Option<PathBuf>,
    /// The person's home folder, absolute.
    pub home: Option<PathBuf>,
}

impl Environment {
    /// As the operating system has it.
    pub fn of_process() -> Self {
        Self {
            working_folder: std::env::current_dir().ok(),
            home: std::env::home_dir().filter(|home| home.is_absolute()),
        }
    }

    /// The `.agents/skills` of the working folder and of the folders above it, up to the root of the
    /// repository, the nearest first. Outside a repository only the working folder's.
    pub(crate) fn project_folders(&self) -> Vec<PathBuf> {
        let Some(working_folder) = &self.working_folder else {
            return Vec::new();
        };
        let root = working_folder
            .ancestors()
            .find(|folder| folder.join(".git").exists())
            .unwrap_or(working_folder);
        working_folder
            .ancestors()
            .take_while(|folder| folder.starts_with(root))
            .map(|folder| folder.join(".agents/skills"))
            .filter(|folder| Some(folder) != self.user_folder().as_ref())
            .collect()
    }

    /// `~/.agents/skills`
    pub(crate) fn user_folder(&self) -> Option<PathBuf> {
        self.home.as_ref().map(|home| home.join(".agents/skills"))
    }

    /// `~/.agents/plugins`: a folder for each plugin, with its skills in `skills`.
    pub(crate) fn plugins_folder(&self) -> Option<PathBuf> {
        self.home.as_ref().map(|home| home.join(".agents/plugins"))
    }

    /// Which of the things that skills need are here: programs on the path, variables that are set.
    pub(crate) fn facts(needs: &Needs) -> Facts {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let is_here = |name: &str| {
            let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
            std::env::split_paths(&path).any(|folder| folder.join(&file).is_file())
        };
        let mut facts = Facts::new(std::env::consts::OS);
        for name in needs.bins.iter().filter(|name| is_here(name)) {
            facts = facts.bin(name);
        }
        for name in needs.env.iter().filter(|name| is_set(name)) {
            facts = facts.env(name);
        }
        facts
    }

    /// A path as it is used: a relative one counts from the working folder.
    pub(crate) fn absolute(&self, path: &Path) -> PathBuf {
        match &self.working_folder {
            Some(folder) => folder.join(path),
            None => path.to_owned(),
        }
    }

    /// A path as a person knows it: relative to the working folder, or with `~` for the home folder.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let below = |folder: &Option<PathBuf>| {
            let rest = path.strip_prefix(folder.as_ref()?).ok()?;
            (!rest.as_os_str().is_empty()).then(|| rest.to_owned())
        };
        below(&self.working_folder)
            .or_else(|| Some(Path::new("~").join(below(&self.home)?)))
            .unwrap_or_else(|| path.to_owned())
            .display()
            .to_string()
    }
}

/// A name that no variable can have is that of none.
fn is_set(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0']) && std::env::var_os(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_known() {
        let nowhere = Environment::default();
        assert!(nowhere.project_folders().is_empty());
        assert_eq!(nowhere.user_folder(), None);
        assert_eq!(nowhere.shown(Path::new("/a")), "/a");
    }

    #[test]
    fn the_home_folder_is_no_project() {
        let home = Environment {
            working_folder: Some("/home/p".into()),
            home: Some("/home/p".into()),
        };
        assert!(home.project_folders().is_empty());
        assert_eq!(home.shown(Path::new("/home/p/x")), "x");
        let elsewhere = Environment {
            working_folder: Some("/home/p/work".into()),
            ..home
        };
        assert_eq!(elsewhere.shown(Path::new("/home/p/x")), "~/x");
        assert_eq!(elsewhere.shown(Path::new("/home/p/work/x")), "x");
        assert_eq!(
            elsewhere.absolute(Path::new("../x")),
            Path::new("/home/p/work/../x")
        );
    }
}
