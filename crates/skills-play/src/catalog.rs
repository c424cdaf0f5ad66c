//! The skills that were opened, as a host finds them.

use crate::files::{Opened, Playground};
use skills_clients::client::named;
use skills_format::{SKILL_FILE, Tree};
use skills_profiles::{Bases, Profile};
use skills_runtime::Catalog;

/// The folder of a project that exists nowhere. Paths that a client would show begin with it.
pub(crate) const PROJECT: &str = "/project";
/// The folder of skills of a client whose folders are not known.
const SKILLS: &str = ".agents/skills";

/// Returns the profile of a name. An unknown name is that of the default profile.
pub(crate) fn profile_of(name: &str) -> &'static Profile {
    Profile::named(name).unwrap_or(&Profile::all()[0])
}

/// Returns the folder in which a client looks for skills of a project.
pub(crate) fn folder_of(client: &str) -> String {
    let folders = named(client).and_then(|client| client.folders.as_ref());
    let first = folders.and_then(|folders| folders.in_project().next());
    format!("{PROJECT}/{}", first.unwrap_or(SKILLS))
}

impl Playground {
    /// Returns the catalog of a host with a profile. The skills lie where the profile's program would look.
    pub(crate) fn catalog(&self, profile: &Profile) -> Catalog {
        let files = self.tree.files.iter();
        let files = files.filter_map(|file| Some((&*file.path, file.bytes.as_deref()?)));
        profile
            .catalog(&Bases::default())
            .files("project", files)
            .extracted("project", self.root(profile.name))
            .load()
    }

    /// Returns the path of what was opened, in the project of a client.
    pub(crate) fn root(&self, client: &str) -> String {
        let name = match &self.kind {
            Opened::Folder(name) if self.tree.get(SKILL_FILE).is_none() => {
                return format!("{PROJECT}/{name}");
            }
            _ => self.root_skill(),
        };
        format!("{}/{name}", folder_of(client))
    }

    /// Returns the name of the folder of the skill that was opened itself.
    fn root_skill(&self) -> String {
        let tree: &Tree = &self.tree;
        let skills = tree.skills_of_any_case();
        let first = skills.first().map(|skill| self.folder_name(skill));
        first.unwrap_or_default()
    }
}
