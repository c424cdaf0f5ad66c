//! Folders of skills in a project that one program reads and another does not.

use skills_clients::client::{Client, Folders};
use skills_format::text::path::PathText as _;
use skills_lint::render::quoted;
use std::path::Path;

/// A folder of skills in a project that a program does not read. The program has no folder in that project.
pub(crate) struct UnreadFolder {
    title: &'static str,
    /// The folder in which the program looks: `.claude/skills`.
    wanted: &'static str,
    /// The folder that is there: `.agents/skills`.
    there: &'static str,
}

impl UnreadFolder {
    /// Returns the folder `there` of a project, if `client` has no folder there.
    pub(crate) fn beside(
        client: &'static Client,
        project: &Path,
        there: &'static str,
    ) -> Option<Self> {
        let folders = client.folders.as_ref()?;
        let wanted = folders.in_project().next()?;
        let is_read = folders
            .in_project()
            .any(|folder| project.join(folder).is_dir());
        (!is_read).then_some(Self {
            title: &client.title,
            wanted,
            there,
        })
    }

    /// Returns the end of a printed path that is a folder which one of these programs reads in a project.
    pub(crate) fn end(path: &str, clients: &[&'static Client]) -> Option<&'static str> {
        let folders = clients.iter().filter_map(|one| one.folders.as_ref());
        let mut folders = folders.flat_map(Folders::in_project);
        folders.find(|folder| Path::new(path).ends_with(folder))
    }

    /// Says that the program reads nothing here, and what helps. `project` is the printed path of the project.
    pub(crate) fn told(&self, project: &str) -> String {
        let Self { title, wanted, .. } = self;
        let remedy = self.remedy(project);
        format!("{title} reads no folder here; it looks for {project}{wanted}: {remedy}")
    }

    /// Returns the command that gives the program the folder, for a shell.
    pub(crate) fn remedy(&self, project: &str) -> String {
        let Self { wanted, there, .. } = self;
        let link = Path::new(wanted);
        let above = link.parent().unwrap_or(link);
        // The target of a link is relative to the folder of the link.
        let back = "../".repeat(above.components().count());
        let at = |path: &str| quoted(&format!("{project}{path}")).into_owned();
        format!(
            "`mkdir -p {} && ln -s {back}{there} {}` has it read {there}",
            at(&above.shown()),
            at(wanted)
        )
    }
}
