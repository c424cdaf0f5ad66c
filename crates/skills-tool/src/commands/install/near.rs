//! The name of an installed skill that is not in the folder of the command: the folder that has it, or has nearly it.

use crate::commands::install::target::{TargetOptions, word_of};
use crate::commands::install::targets::own_places;
use crate::environment::Environment;
use skills_compiler::{LOCK_FILE, Lock};
use skills_format::disk::{read_text, resolved};
use skills_format::text::distance::nearest;
use skills_format::{Prose, command, prose};
use skills_store::files::data::DataFolder;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The skills that the lock of a folder names.
struct Installed {
    folder: PathBuf,
    names: BTreeSet<String>,
}

impl TargetOptions {
    /// Returns the help for names that the folder of these options does not have: the folder that has one of them, or
    /// else a skill of nearly its name, with the command of `verb`. `None` if the folder itself has a near name: the error
    /// names that one.
    pub(super) fn near(
        &self,
        verb: &'static str,
        names: &[String],
        environment: &Environment,
    ) -> Option<Prose> {
        let own = self.target(environment).ok()?.folder;
        let here = Installed::of(own);
        let missing = names.iter().find(|name| !here.names.contains(*name))?;
        let others = self.others(&here.folder, environment);
        if let Some(other) = others.iter().find(|other| other.names.contains(missing)) {
            let command = other.command(verb, missing, environment);
            return Some(prose!("it is in {}: {}", &other.folder, command));
        }
        if nearest(missing, here.names()).is_some() {
            return None;
        }
        let near = nearest(missing, others.iter().flat_map(Installed::names))?;
        let other = others.iter().find(|other| other.names.contains(near))?;
        let command = other.command(verb, near, environment);
        Some(prose!(
            "Did you mean {near}? It is in {}: {}",
            &other.folder,
            command
        ))
    }

    /// Returns the other folders into which skills are installed: those of the person and of the project first.
    fn others(&self, own: &Path, environment: &Environment) -> Vec<Installed> {
        let user = self.named("user", environment).ok();
        let user = user.map(|target| target.folder);
        let places = own_places(self, environment);
        let places = places.into_iter().map(|(_, folder)| folder);
        let known = environment.data_folder();
        let known = known.as_ref().map(DataFolder::known);
        let known = known.and_then(Result::ok).into_iter().flatten();
        let mut seen = BTreeSet::from([resolved(own)]);
        user.into_iter()
            .chain(places)
            .chain(known)
            .filter(|folder| seen.insert(resolved(folder)))
            .map(Installed::of)
            .collect()
    }
}

impl Installed {
    /// Reads the lock of a folder. For a help, a lock that cannot be read names nothing.
    fn of(folder: PathBuf) -> Self {
        let lock = read_text(&folder.join(LOCK_FILE)).ok();
        let lock = lock.and_then(|text| Lock::parse(&text).ok());
        let names = lock.map(|lock| lock.skills.into_keys().collect());
        Self {
            folder,
            names: names.unwrap_or_default(),
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    fn command(
        &self,
        verb: &'static str,
        name: &str,
        environment: &Environment,
    ) -> skills_format::text::command::Command {
        let to = word_of(&self.folder, environment);
        command(verb).word(name).word("--to").short_path(&to)
    }
}
