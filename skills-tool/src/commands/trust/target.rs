//! What a person means by the word after `skills trust`: folders of one source.

use crate::catalog::find;
use crate::environment::Environment;
use crate::outcome::Failure;
use skills_runtime::{Catalog, Entry, FolderTrust, Source};
use std::fs;
use std::path::{Path, PathBuf};

/// What was asked for.
pub(crate) enum Target<'c> {
    /// Folders of a source that asks a person.
    Folders {
        source: &'c Source,
        roots: Vec<&'c Path>,
    },
    /// A source that asks nobody.
    Always(&'c Source),
}

/// Finds what is meant: the whole source of a skill's id, the source of that name, or the folders of
/// a path and nothing else.
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

/// Whether a person is asked for the skills of a source.
pub(crate) fn asks(source: &Source) -> bool {
    source
        .folders()
        .any(|(_, trust)| trust != FolderTrust::Always)
}

/// The path as records have it: every link resolved.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn whole(source: &Source) -> Target<'_> {
    Target::Folders {
        source,
        roots: source.roots().collect(),
    }
}

/// The name leads to a skill that is trusted. Where another of the name is not, that one was meant,
/// and is to be named: it would get the name.
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
                "'{what}' is a skill of '{}', which is trusted",
                entry.source().name()
            ),
            format_args!(
                "another one is not: `skills trust {}`",
                other.qualified_id()
            ),
        )),
    }
}

/// The folders of a path: one that it is or lies in, or those of the project that it is.
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
    let help = "`skills trust` lists the folders of which a person is asked";
    if environment.absolute(Path::new(what)).exists() {
        Failure::not_so(format_args!("no skills are read from '{what}' here"), help)
    } else {
        Failure::not_so(format_args!("'{what}' is not there"), help)
    }
}

fn no_such(what: &str) -> Failure {
    Failure::not_so(
        format_args!("no skill, source or folder is called '{what}'"),
        "`skills trust` lists the folders, `skills list` the skills",
    )
}
