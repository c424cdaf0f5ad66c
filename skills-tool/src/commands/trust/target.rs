//! Finds the folders that the argument of `skills trust` names.

use crate::catalog::find;
use crate::environment::Environment;
use crate::outcome::Failure;
use skills_runtime::source::{FolderTrust, Source};
use skills_runtime::{Catalog, Entry};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders that an argument names.
pub(crate) enum Target<'c> {
    /// Folders of a source that needs trust.
    Folders {
        source: &'c Source,
        roots: Vec<&'c Path>,
    },
    /// A source that is always trusted.
    Always(&'c Source),
}

/// Finds the folders of an argument: of the whole source of a skill, of the source of that name, or
/// only of a path.
pub(crate) fn find<'c>(
    catalog: &'c Catalog,
    environment: &Environment,
    what: &str,
) -> Result<Target<'c>, Failure> {
    let is_path = what.contains(std::path::is_separator) || matches!(what, "." | "..");
    if is_path {
        let target = of_path(catalog, environment, what);
        return target.ok_or_else(|| no_folder(environment, what));
    }
    let skill = find::find(catalog, what);
    let of_skill = skill.as_ref().ok().map(Entry::source);
    let mut sources = catalog.sources().iter();
    let named = sources.find(|source| source.name() == what);
    let mut meant = of_skill.into_iter().chain(named);
    if let Some(source) = meant.find(|source| asks(source)) {
        return Ok(whole(source));
    }
    match (skill, named) {
        (Ok(entry), _) => of_trusted_skill(catalog, entry, what),
        (_, Some(source)) => Ok(Target::Always(source)),
        (Err(failure), None) => {
            let has_namesakes = catalog.named(what).chain(catalog.aliased(what)).count() > 0;
            let folder = of_path(catalog, environment, what);
            let unknown = || {
                if has_namesakes {
                    failure
                } else {
                    no_such(what)
                }
            };
            folder.ok_or_else(unknown)
        }
    }
}

/// Whether a source needs the trust of a person.
pub(crate) fn asks(source: &Source) -> bool {
    source
        .folders()
        .any(|(_, trust)| trust != FolderTrust::Always)
}

/// Resolves the links of a path, as the records have it.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn whole(source: &Source) -> Target<'_> {
    Target::Folders {
        source,
        roots: source.roots().collect(),
    }
}

/// The target of a name that leads to a trusted skill. When another skill of this name is not trusted,
/// the person most likely means that skill: the failure says how to name it.
fn of_trusted_skill<'c>(
    catalog: &'c Catalog,
    entry: Entry<'c>,
    what: &str,
) -> Result<Target<'c>, Failure> {
    let mut namesakes = catalog.named(what).chain(catalog.aliased(what));
    match namesakes.find(|other| !other.is_trusted()) {
        None => Ok(Target::Always(entry.source())),
        Some(other) => Err(Failure::not_so(
            format_args!(
                "'{what}' is a skill of source '{}', which is trusted",
                entry.source().name()
            ),
            format_args!(
                "another skill of this name is not trusted: `skills trust {}`",
                other.qualified_id()
            ),
        )),
    }
}

/// Finds the folders of a path: the folder that it is or is in, or all folders of the project that it
/// is.
fn of_path<'c>(catalog: &'c Catalog, environment: &Environment, what: &str) -> Option<Target<'c>> {
    let path = fs::canonicalize(environment.absolute(Path::new(what))).ok()?;
    let projects = environment.bases().project;
    let is_project = projects.iter().any(|project| resolved(project) == path);
    let holds = |root: &Path| {
        let root = resolved(root);
        path.starts_with(&root) || is_project && root.starts_with(&path)
    };
    let mut found = catalog.sources().iter().filter_map(|source| {
        let roots: Vec<&Path> = source.roots().filter(|root| holds(root)).collect();
        (!roots.is_empty()).then_some((source, roots))
    });
    let first = found.next();
    let asking = first
        .iter()
        .cloned()
        .chain(found)
        .find(|(source, _)| asks(source));
    match (asking, first) {
        (Some((source, roots)), _) => Some(Target::Folders { source, roots }),
        (None, Some((source, _))) => Some(Target::Always(source)),
        (None, None) => None,
    }
}

fn no_folder(environment: &Environment, what: &str) -> Failure {
    let help = "`skills trust` lists the folders that need trust";
    if environment.absolute(Path::new(what)).exists() {
        Failure::not_so(format_args!("no skills are read from '{what}' here"), help)
    } else {
        Failure::not_so(format_args!("'{what}' does not exist"), help)
    }
}

fn no_such(what: &str) -> Failure {
    Failure::not_so(
        format_args!("no skill, source or folder is called '{what}'"),
        "`skills trust` lists the folders, `skills list` the skills",
    )
}
