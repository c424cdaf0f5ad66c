//! The folder in which a command about a skill must run: a skill of a project is known only there.

use crate::catalog::options::CatalogOptions;
use crate::commands::install::target::own_folders;
use crate::environment::Environment;
use skills_runtime::Catalog;
use skills_runtime::options::Base;
use std::path::{Path, PathBuf};

/// Returns the folder of the project in which the ids are known. `None` if every folder knows them.
pub(crate) fn of_skills(
    ids: &[String],
    catalog: &Catalog,
    options: &CatalogOptions,
    environment: &Environment,
) -> Option<PathBuf> {
    let of_id = |id: &String| {
        let (source, name) = match id.rsplit_once(':') {
            Some((source, name)) => (Some(source), name),
            None => (None, id.as_str()),
        };
        let mut entries = catalog
            .named(name)
            .filter(|entry| source.is_none_or(|source| entry.source().name() == source));
        let first = of_root(entries.next()?.root()?, options, environment)?;
        // A skill of the same name that is read everywhere is enough.
        let is_in_project = |root: Option<&Path>| {
            root.is_some_and(|root| of_root(root, options, environment).is_some())
        };
        entries
            .all(|entry| is_in_project(entry.root()))
            .then_some(first)
    };
    let folders = ids.iter().filter_map(of_id);
    // In the deepest folder, the skills of the folders above are read too.
    folders.max_by_key(|folder| folder.components().count())
}

/// Returns the folder of the project to which a folder of skills belongs; `None` if it belongs to the person, or to a layer
/// that the options name.
pub(crate) fn of_root(
    root: &Path,
    options: &CatalogOptions,
    environment: &Environment,
) -> Option<PathBuf> {
    if options.first_layer().is_some() || own_folders(environment).iter().any(|own| own == root) {
        return None;
    }
    let mut project = environment.bases().project.into_iter();
    // The trust in a skill can be removed from elsewhere.
    project.find(|folder| root.starts_with(folder)).or_else(|| {
        let places = options.profile().folders.places.iter();
        let mut places = places.filter(|place| matches!(place.base, Base::Project | Base::Root));
        places.find_map(|place| {
            let is_it = |above: &&Path| above.join(&*place.path) == root;
            root.ancestors().find(is_it).map(Path::to_owned)
        })
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::commands::install::decided::{decided, stays};
    use skills_store::files::decided::Decision;
    use std::fs;

    fn skill(folder: &Path, name: &str) {
        let text = format!("---\nname: {name}\ndescription: Is there.\n---\nGo.\n");
        fs::create_dir_all(folder.join(name)).expect("a folder");
        fs::write(folder.join(name).join("SKILL.md"), text).expect("a file");
    }

    #[test]
    fn a_skill_of_a_project_is_known_only_there() {
        let base = tempfile::tempdir().expect("a folder");
        let base = base.path();
        let [home, project, deep, other] =
            ["home", "home/p", "home/p/deep", "home/other"].map(|name| base.join(name));
        fs::create_dir_all(project.join(".git")).expect("a folder");
        fs::create_dir_all(&other).expect("a folder");
        let of = |folder: &Path| folder.join(".agents/skills");
        for (folder, name) in [
            (&home, "everywhere"),
            (&home, "both"),
            (&project, "both"),
            (&project, "root"),
            (&deep, "deep"),
        ] {
            skill(&of(folder), name);
        }
        let catalog = Catalog::builder()
            .directory("project", of(&deep))
            .directory("project", of(&project))
            .directory("user", of(&home));
        let catalog = catalog.load().catalog;
        let options = CatalogOptions::default();
        let at = |folder: &Path| Environment {
            working_folder: Some(folder.to_owned()),
            home: Some(home.clone()),
            ..Environment::default()
        };
        let place = |ids: &[&str]| {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            of_skills(&ids, &catalog, &options, &at(&deep))
        };
        assert_eq!(place(&["everywhere", "both", "user:both"]), None);
        assert_eq!(place(&["root"]), Some(project.clone()));
        assert_eq!(place(&["both", "project:both"]), Some(project.clone()));
        assert_eq!(place(&["root", "deep"]), Some(deep.clone()));
        // From elsewhere, the path says it.
        let of_root = |root: &Path| super::of_root(root, &options, &at(&other));
        assert_eq!(of_root(&of(&project)), Some(project.clone()));
        assert_eq!(of_root(&of(&home)), None);
        assert_eq!(of_root(&base.join("else")), None);

        let untrust = decided(Decision::Untrust, vec!["root".to_owned()])
            .in_folders(vec![of(&project).join("root")])
            .at_place(Some(project.clone()));
        let said = |folder: &Path| stays(&untrust, false, &at(folder)).to_string();
        let command = |path: &str| format!("`skills trust {path}` trusts it as it is now");
        let beginning = "`restore` does not undo the `trust --remove` of root: ";
        assert_eq!(
            said(&other),
            format!("{beginning}in ~/p, {}", command(".agents/skills/root"))
        );
        // The folders above are those of the project.
        assert_eq!(
            said(&deep),
            format!("{beginning}{}", command("~/p/.agents/skills/root"))
        );
    }
}
