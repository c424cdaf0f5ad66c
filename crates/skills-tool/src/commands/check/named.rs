//! A skill that is named instead of its folder.

use crate::catalog::find::did_you_mean;
use crate::catalog::options::CatalogOptions;
use crate::environment::Environment;
use skills_format::SkillName;
use skills_runtime::catalog::{Entry, Location};
use std::path::{Path, PathBuf};

/// Returns the folder of the skill that a word names, if nothing lies at that path: a path is what it says.
pub(crate) fn named(path: PathBuf, env: &Environment) -> PathBuf {
    let is_there = env.absolute(&path).symlink_metadata().is_ok();
    let name = path.to_str();
    let name = name.filter(|name| !is_there && SkillName::new(name).is_ok());
    match name.and_then(|name| folder_of(name, env)) {
        Some(folder) => folder,
        None => path,
    }
}

/// Returns a question with the nearest name of a skill, for a word that is neither a path nor a name.
pub(crate) fn near(path: &Path, env: &Environment) -> Option<String> {
    let is_there = env.absolute(path).symlink_metadata().is_ok();
    let name = path.to_str();
    let name = name.filter(|name| !is_there && SkillName::new(name).is_ok())?;
    let loaded = CatalogOptions::default().load_untrusted(env).ok()?;
    let names = || loaded.catalog.iter().map(|entry| entry.name());
    // The skill of this very name lacks something else.
    let is_unknown = names().all(|known| known != name);
    is_unknown.then(|| did_you_mean(name, names()))?
}

/// Returns the name of a skill that is in the program alone, for a word where no path lies: the skill has no folder.
pub(crate) fn bundled(path: &Path, env: &Environment) -> Option<String> {
    let is_there = env.absolute(path).symlink_metadata().is_ok();
    let name = path.to_str();
    let name = name.filter(|name| !is_there && SkillName::new(name).is_ok())?;
    let loaded = CatalogOptions::default().load_untrusted(env).ok()?;
    let entries = loaded.catalog.iter();
    let mut named = entries.filter(|entry| entry.name() == name).peekable();
    named.peek()?;
    let is_bundled = named.all(|entry| !matches!(entry.location(), Location::Folder(_)));
    is_bundled.then(|| name.to_owned())
}

fn folder_of(name: &str, env: &Environment) -> Option<PathBuf> {
    let catalog = CatalogOptions::default().load_untrusted(env).ok()?.catalog;
    let folder = |entry: Entry<'_>| match entry.location() {
        Location::Folder(folder) => Some(folder.to_owned()),
        _ => None,
    };
    let mut entries = catalog.iter().filter(|entry| entry.name() == name);
    let folder = entries.find_map(folder)?;
    let working = env.working_folder.as_deref().unwrap_or(Path::new(""));
    let below = folder.strip_prefix(working).map(ToOwned::to_owned);
    Some(below.unwrap_or(folder))
}
