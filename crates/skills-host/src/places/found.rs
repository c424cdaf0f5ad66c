//! The clients on this machine.

use crate::files::copy::list;
use crate::files::snapshot::is_skill_file;
use crate::places::agents::Agent;
use skills_clients::client::Folders;
use skills_clients::reading::Tier;
use skills_store::Error;
use std::path::{Path, PathBuf};

/// The folders of this machine, as the caller knows them.
#[derive(Clone, Copy)]
pub struct Machine<'m> {
    /// The home folder.
    pub home: Option<&'m Path>,
    /// The working folder, then the folders above it up to the root of the repository.
    pub project: &'m [PathBuf],
    /// Returns the folder that a variable of the environment names.
    pub variable: fn(&str) -> Option<PathBuf>,
}

/// A client that is on this machine.
#[derive(Clone, Debug)]
pub struct Found {
    /// The client.
    pub agent: Agent,
    /// The folder by which the client was found.
    pub by: PathBuf,
    /// True if the client keeps its settings on this machine. False if only a project has a folder of skills of the
    /// client's own: somebody else may use the client.
    pub is_used: bool,
}

impl Machine<'_> {
    /// Returns the clients on this machine, in the order of the table. The shared folders belong to no client: they find
    /// only the client `default`, which stands for them.
    pub fn clients(&self) -> Vec<Found> {
        Agent::all().filter_map(|agent| self.found(agent)).collect()
    }

    fn found(&self, agent: Agent) -> Option<Found> {
        let folders = agent.folders;
        let by_settings = |by| Found {
            agent,
            by,
            is_used: true,
        };
        let by_project = |by| Found {
            agent,
            by,
            is_used: false,
        };
        let in_project = |own: &String| {
            let mut above = self.project.iter().map(|project| project.join(own));
            above.find(|folder| folder.is_dir())
        };
        if folders.settings.is_empty() {
            let of_person = || Some(self.home?.join(folders.person.first()?));
            let by_person = of_person().filter(|folder| folder.is_dir());
            // A project's skills are there also where no client is: `list` shows them, and so must a list of everything.
            let by_any = || folders.project.first().and_then(in_project).map(by_project);
            return by_person.map(by_settings).or_else(by_any);
        }
        let home = self.home?;
        let variable = self.value(folders).filter(|folder| folder.is_dir());
        let settings = folders.settings.iter().map(|folder| home.join(folder));
        let mut settings = variable.into_iter().chain(settings);
        if let Some(by) = settings.find(|folder| folder.is_dir()) {
            return Some(by_settings(by));
        }
        let is_own = |folder: &&String| !folder.contains("agents/") && *folder != "skills";
        // The first of a client's own folders: a later one can be another client's.
        let own = folders.project.iter().find(is_own)?;
        in_project(own).map(by_project)
    }

    /// Returns the folders in which a client looks: the folders of the project, the nearest first, then those of the
    /// person. A folder need not exist.
    pub fn folders(&self, folders: &Folders) -> Vec<(Tier, PathBuf)> {
        let mut all = Vec::new();
        let above = if folders.up {
            self.project
        } else {
            self.project.get(..1).unwrap_or_default()
        };
        for project in above {
            let names = folders.in_project();
            all.extend(names.map(|name| (Tier::Project, project.join(name))));
        }
        let Some(home) = self.home else {
            return all;
        };
        let first = |folders: &Folders| folders.of_person(home, self.value(folders).as_deref());
        all.extend(first(folders).map(|folder| (Tier::Person, folder)));
        let rest = folders.person.iter().skip(1).map(|name| home.join(name));
        all.extend(
            rest.chain(folders.others().filter_map(first))
                .map(|folder| (Tier::Person, folder)),
        );
        all
    }

    fn value(&self, folders: &Folders) -> Option<PathBuf> {
        folders.variable.as_deref().and_then(self.variable)
    }
}

/// Counts the skills of a folder.
pub fn count(folder: &Path) -> Result<usize, Error> {
    let holds_skill = |path: &PathBuf| {
        let entries = std::fs::read_dir(path).into_iter().flatten();
        let mut names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.any(|name| is_skill_file(&name))
    };
    let entries = list(folder)?.into_iter();
    let entries = entries.filter(|(name, _)| !name.starts_with('.'));
    Ok(entries.filter(|(_, path)| holds_skill(path)).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(home: &Path, project: &Path) -> Vec<(String, bool)> {
        let project = [project.to_owned()];
        let machine = Machine {
            home: Some(home),
            project: &project,
            variable: |_| None,
        };
        let found = machine.clients().into_iter();
        found
            .map(|found| (found.agent.client.name.clone(), found.is_used))
            .collect()
    }

    #[test]
    fn a_client_is_found_by_a_folder_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let (home, project) = (dir.path().join("home"), dir.path().join("project"));
        let make = |folder: PathBuf| std::fs::create_dir_all(folder).unwrap();
        assert_eq!(names(&home, &project), []);
        // The shared folder says nothing about a program.
        make(project.join(".agents/skills"));
        assert_eq!(names(&home, &project), [("default".to_owned(), false)]);
        make(home.join(".agents/skills"));
        assert_eq!(names(&home, &project), [("default".to_owned(), true)]);
        make(home.join(".codex"));
        make(project.join(".github/skills"));
        let found = names(&home, &project);
        assert_eq!(
            found,
            [("default", true), ("codex", true), ("copilot", false)]
                .map(|(name, is_used)| (name.to_owned(), is_used))
        );
    }
}
