//! The skills that the arguments of `skills trust` name.

use crate::catalog::find;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::one_line;
use skills_format::disk::{resolve, resolved};
use skills_format::{Digest, command, prose};
use skills_runtime::catalog::Location;
use skills_runtime::source::{Source, TrustRecord};
use skills_runtime::{Catalog, Entry};
use std::path::{Path, PathBuf, is_separator};

/// Parses an argument. An empty argument is an error: it must not mean every skill.
pub(crate) fn given(text: &str) -> Result<String, String> {
    let id = match find::given(text) {
        Ok(id) => id,
        Err(never) => match never {},
    };
    if id.trim().is_empty() || id.starts_with('@') {
        return Err("it is empty; write the name of a skill".to_owned());
    }
    Ok(id)
}

/// A skill named by an argument.
pub(crate) struct Wanted<'c> {
    pub(crate) entry: Entry<'c>,
    /// The trust digest that the skill must have.
    pub(crate) digest: Option<Digest>,
}

/// Finds the skill of an argument: an id or a path, with an optional trust digest. An `@` in the last part
/// of a path always begins a digest, whatever exists on the disk: a project's file must not change the
/// meaning of an argument.
pub(crate) fn wanted<'c>(
    catalog: &'c Catalog,
    env: &Environment,
    text: &str,
) -> Result<Wanted<'c>, Failure> {
    let (id, digest) = match text.rsplit_once('@') {
        Some((id, digest)) if !digest.contains(is_separator) => (id, Some(digest)),
        _ => (text, None),
    };
    let digest = digest.map(|digest| {
        Digest::parse(digest).ok_or_else(|| {
            let fact = format!("'{}' is not a trust digest", one_line(digest));
            if env.absolute(Path::new(text)).exists() {
                let help = format_args!("for the path write `{}/`", one_line(text));
                return Failure::failed(fact, help);
            }
            let id = one_line(id);
            Failure::failed(
                fact,
                prose!(
                    "{} prints the whole: `sha256:` and 64 digits",
                    command("show").word(&id)
                ),
            )
        })
    });
    let digest = digest.transpose()?;
    let entry = skill(catalog, env, id)?;
    Ok(Wanted { entry, digest })
}

/// Finds the skill of an id or a path.
pub(crate) fn skill<'c>(
    catalog: &'c Catalog,
    env: &Environment,
    id: &str,
) -> Result<Entry<'c>, Failure> {
    let is_path = id.contains(is_separator) || matches!(id, "." | "..");
    if is_path {
        let found = of_path(catalog, env, id);
        return found.ok_or_else(|| no_skill(catalog, env, id));
    }
    match find::find(catalog, id) {
        Ok(entry) => not_a_namesake(catalog, entry, id),
        Err(failure) => {
            let has_namesakes = catalog.named(id).count() > 0;
            let source = catalog.sources().iter().find(|source| source.name() == id);
            match (source, of_path(catalog, env, id)) {
                (Some(source), _) if !has_namesakes => Err(is_a_source(source)),
                (_, Some(entry)) => Ok(entry),
                _ if env.absolute(Path::new(id)).exists() => Err(no_skill(catalog, env, id)),
                _ => Err(failure),
            }
        }
    }
}

/// Returns whether the skill requires trust and belongs to the source.
pub(crate) fn is_asked(entry: &Entry<'_>, source: Option<&str>) -> bool {
    let of = entry.source();
    of.asks_for_trust() && source.is_none_or(|name| of.name() == name)
}

/// Returns the root and the folder of a skill, as in trust records.
pub(crate) fn place(entry: &Entry<'_>) -> Option<(PathBuf, PathBuf)> {
    let (Location::Folder(dir), Some(root)) = (entry.location(), entry.root()) else {
        return None;
    };
    Some((resolved(root), dir.strip_prefix(root).ok()?.to_owned()))
}

/// Returns the folder of a recorded skill.
pub(crate) fn folder_of(record: &TrustRecord) -> PathBuf {
    if record.folder.as_os_str().is_empty() {
        record.root.clone()
    } else {
        record.root.join(&record.folder)
    }
}

/// Refuses a trusted skill if an untrusted skill has the same name: the person most likely means the
/// untrusted skill.
fn not_a_namesake<'c>(
    catalog: &'c Catalog,
    entry: Entry<'c>,
    id: &str,
) -> Result<Entry<'c>, Failure> {
    let mut namesakes = catalog.named(id);
    match namesakes.find(|other| !other.is_trusted()) {
        Some(other) if !entry.source().asks_for_trust() => Err(Failure::not_so(
            format_args!(
                "'{id}' is a skill of source '{}', which is trusted",
                entry.source().name()
            ),
            prose!(
                "another skill of this name is not trusted: {}",
                command("trust").word(&other.qualified_id())
            ),
        )),
        _ => Ok(entry),
    }
}

/// Finds the skill whose folder contains a path.
fn of_path<'c>(catalog: &'c Catalog, env: &Environment, id: &str) -> Option<Entry<'c>> {
    let path = resolve(&env.absolute(Path::new(id))).ok()?;
    let mut entries = catalog.iter();
    entries.find(|entry| match entry.location() {
        Location::Folder(dir) => path.starts_with(resolved(dir)),
        _ => false,
    })
}

fn no_skill(catalog: &Catalog, env: &Environment, id: &str) -> Failure {
    let shown = one_line(id);
    let path = env.absolute(Path::new(id));
    if !path.exists() {
        return Failure::not_so(
            format_args!("'{shown}' does not exist"),
            "`skills trust` lists the skills that need trust",
        );
    }
    let path = resolved(&path);
    let mut sources = catalog.sources().iter();
    match sources.find(|source| source.roots().any(|root| resolved(root).starts_with(&path))) {
        Some(source) => is_a_source(source),
        None => Failure::not_so(
            format_args!("no skill is read from '{shown}' here"),
            "`skills trust` lists the skills that need trust",
        ),
    }
}

fn is_a_source(source: &Source) -> Failure {
    let name = source.name();
    if source.asks_for_trust() {
        Failure::not_so(
            format_args!("trust is of one skill, and source '{name}' is not a skill"),
            prose!(
                "name a skill, or write {}",
                command("trust --all").word(name)
            ),
        )
    } else {
        Failure::not_so(
            format_args!("source '{name}' is always trusted"),
            "`skills trust` lists the skills that need trust",
        )
    }
}
