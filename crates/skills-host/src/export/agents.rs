//! The folders from which agents load skills, as data.

use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};

const TABLE: &str = include_str!("agents.tsv");

/// An agent, with its folders of skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Agent {
    /// The name that `--to` takes.
    pub name: &'static str,
    /// Further accepted names, separated by commas: agents that read the same folder.
    pub others: &'static str,
    /// The folder in a project.
    pub project: Option<&'static str>,
    /// The folder of a user, below the home folder.
    pub user: Option<&'static str>,
    /// The variable with the folder that holds `skills`, in place of [`Agent::user`].
    pub variable: Option<&'static str>,
    /// The documentation of the folders.
    pub source: &'static str,
}

impl Agent {
    /// Returns every agent of the table. The first is the folder that many agents share.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.lines().filter_map(Self::parse)
    }

    /// Finds the agent with a name.
    pub fn named(name: &str) -> Option<Self> {
        let is_it =
            |agent: &Self| agent.name == name || agent.others.split(',').any(|it| it == name);
        Self::all().find(is_it).filter(|_| !name.is_empty())
    }

    /// Returns the error for a word that is neither an agent nor an existing folder. Such a word is more often a typing
    /// error than a new folder.
    pub fn unknown(name: &str, folder: &Path) -> Option<Error> {
        let is_word = !name.is_empty() && !name.contains(['/', '\\', '.', '~']);
        if !is_word || folder.exists() {
            return None;
        }
        let name = name.escape_debug();
        let message = format!("there is no agent '{name}', and no folder of that name");
        let all: Vec<&str> = Self::all().map(|agent| agent.name).collect();
        let all = all.join(", ");
        let help = format!("a new folder is written ./{name}; the agents are {all}");
        Some(Error::new(ErrorKind::Usage, message).help(help))
    }

    /// Returns the agents of the name `all`: the shared folder, and Claude Code, which does not read the shared folder.
    /// More folders would conflict, since an agent that reads two of them finds each skill twice.
    pub fn of_all() -> impl Iterator<Item = Self> {
        Self::all().filter(|agent| matches!(agent.name, "agents" | "claude-code"))
    }

    /// Returns the folder of a user. `variable` is the value of [`Agent::variable`].
    pub fn user_folder(&self, home: &Path, variable: Option<&Path>) -> Option<PathBuf> {
        match variable.filter(|_| self.variable.is_some()) {
            Some(folder) => Some(folder.join("skills")),
            None => Some(home.join(self.user?)),
        }
    }

    fn parse(line: &'static str) -> Option<Self> {
        let mut columns = line.split('\t');
        let mut column = || {
            columns
                .next()
                .map(|text| Some(text).filter(|text| *text != "-"))
        };
        let name = column()??;
        if name.starts_with('#') {
            return None;
        }
        let (name, others) = name.split_once(',').unwrap_or((name, ""));
        Some(Self {
            name,
            others,
            project: column()?,
            user: column()?,
            variable: column()?,
            source: column()??,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(Agent::all().count(), lines);
        assert_eq!(lines, 10);
        assert!(Agent::all().all(|agent| agent.source.starts_with("https://")));
        let folder = |name: &str, variable: Option<&str>| {
            let agent = Agent::named(name).unwrap();
            agent
                .user_folder(Path::new("/h"), variable.map(Path::new))
                .unwrap()
        };
        assert_eq!(folder("claude-code", Some("/c")), Path::new("/c/skills"));
        assert_eq!(folder("agents", Some("/c")), Path::new("/h/.agents/skills"));
        assert_eq!(folder("codex", None), folder("agents", None));
        assert_eq!(Agent::named("#"), None);
        assert_eq!(Agent::named(""), None);
        let unknown = |name| Agent::unknown(name, Path::new("/no/such/folder")).is_some();
        assert!(unknown("claude") && !unknown("./claude") && !unknown(".agents/skills"));
        assert_eq!(Agent::of_all().count(), 2);
    }
}
