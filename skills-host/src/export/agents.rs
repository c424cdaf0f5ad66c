//! The folders in which agents look for skills, as data.

use std::path::{Path, PathBuf};

const TABLE: &str = include_str!("agents.tsv");

/// An agent, and where it looks for skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Agent {
    /// The name that `--to` takes.
    pub name: &'static str,
    /// Its folder in a project.
    pub project: Option<&'static str>,
    /// A person's folder, below the home folder.
    pub user: Option<&'static str>,
    /// The variable that names the folder above `skills` instead.
    pub variable: Option<&'static str>,
    /// Where this is documented.
    pub source: &'static str,
}

impl Agent {
    /// Every agent of the table; the first is the folder that many agents share.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.lines().filter_map(Self::parse)
    }

    /// The agent of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|agent| agent.name == name)
    }

    /// The agents that `all` stands for. The same skill in two folders that one agent reads is a
    /// conflict, so they are two: the shared folder, and the one of Claude Code, which does not read
    /// it.
    pub fn of_all() -> impl Iterator<Item = Self> {
        Self::all().filter(|agent| matches!(agent.name, "agents" | "claude-code"))
    }

    /// A person's folder. `variable` is the value of [`Agent::variable`].
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
        Some(Self {
            name,
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
        assert_eq!(Agent::named("#"), None);
        assert_eq!(Agent::of_all().count(), 2);
    }
}
