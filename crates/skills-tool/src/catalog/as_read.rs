//! What the program of a profile makes of the files of skills.
//!
//! Here one reader reads the files in every profile. The program that a profile is named after has a reader of its own:
//! it drops files with some faults, names skills as they are written, and reads files that are not loaded here. Without a
//! word about it, a person would take the list of a profile for the list of the program.

use crate::catalog::client_folder;
use crate::catalog::itself::client_of;
use crate::environment::Environment;
use crate::output::{Output, counted, one_line};
use skills_clients::reading::Reader;
use skills_format::{SKILL_FILE, command, prose};
use skills_lint::DropReason;
use skills_runtime::catalog::Location;
use skills_runtime::{Catalog, Diagnostic, Entry, Profile, Severity};
use std::collections::BTreeSet;
use std::path::Path;

/// The maximum number of skills that are named.
const MOST: usize = 5;
/// The maximum number of folders whose list is named.
const FOLDERS: usize = 3;

/// A program whose way of reading a file is known.
#[derive(Clone, Copy)]
pub(crate) struct FileReader {
    name: &'static str,
    title: &'static str,
    reader: Reader,
}

/// A difference between a skill here and what the program reads in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    /// The program has another name for the skill.
    Named(String),
    /// The program drops the file.
    Dropped(DropReason),
    /// The program reads the skill, and does not list it for its model.
    NotListed,
    /// The program lists the skill, which is not loaded here.
    NotLoaded,
}

impl FileReader {
    /// Returns the program of a profile. `None`: how the program reads a file is not known, or the profile is this
    /// project's own.
    pub(crate) fn of(profile: &Profile) -> Option<Self> {
        let client = client_of(profile)?;
        let reader = client.listing.as_ref()?.reads?;
        Some(Self {
            name: &client.name,
            title: &client.title,
            reader,
        })
    }

    /// Returns how the program differs about a skill that is loaded here.
    pub(crate) fn differs(self, entry: &Entry<'_>) -> Option<Difference> {
        let Location::Folder(folder) = entry.location() else {
            // The program has no file to read.
            return None;
        };
        let found = client_folder::found(folder.parent()?, &folder.join(SKILL_FILE))?;
        if let Some(reason) = self.reader.drops(&found) {
            return Some(Difference::Dropped(reason));
        }
        match self.reader.read(vec![found]).pop() {
            Some(skill) if skill.name != entry.name() => Some(Difference::Named(skill.name)),
            None if entry.is_model_invocable() => Some(Difference::NotListed),
            _ => None,
        }
    }

    /// Reports how the program differs about the skills of a list. `lost` are the diagnostics of the load, which name the
    /// files that are not loaded.
    pub(crate) fn report(
        self,
        entries: &[Entry<'_>],
        catalog: &Catalog,
        lost: &[Diagnostic],
        environment: &Environment,
        output: &mut Output,
    ) {
        let mut roots = BTreeSet::new();
        let mut named = Vec::new();
        for entry in entries {
            if let Some(difference) = self.differs(entry) {
                named.push(format!(
                    "{} ({})",
                    one_line(entry.name()),
                    difference.in_words()
                ));
                if let Location::Folder(folder) = entry.location() {
                    roots.extend(folder.parent().map(Path::to_owned));
                }
            }
        }
        for folder in self.not_loaded(catalog, lost) {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let words = Difference::NotLoaded.in_words();
            named.push(format!("{} ({words})", one_line(&name)));
            roots.extend(folder.parent().map(Path::to_owned));
        }
        let count = named.len();
        if count == 0 {
            return;
        }
        if count > MOST {
            named.truncate(MOST);
            named.push(format!("{} more", count - MOST));
        }
        let differ = if count == 1 { "differs" } else { "differ" };
        let lists = roots.iter().take(FOLDERS).map(|root| {
            let prompt = command("prompt").short_path(&environment.shown(root));
            prose!("{}", prompt.word("--client").word(self.name))
        });
        let lists = lists.reduce(|all, list| prose!("{}, {}", all, list));
        let lists = lists.unwrap_or_default();
        output.note(prose!(
            "{} {differ} in {} itself: {}; its list: {}",
            counted(count, "skill"),
            self.title,
            named.join(", "),
            lists
        ));
    }

    /// Reports that the program would not start a skill that was started here, or has another name for it.
    pub(crate) fn report_start(self, entry: &Entry<'_>, output: &mut Output) {
        let (title, skill) = (self.title, one_line(entry.name()));
        match (self.differs(entry), entry.location()) {
            (Some(Difference::Dropped(reason)), Location::Folder(folder)) => {
                let check = command("check --client").word(self.name).path(folder);
                output.note(prose!(
                    "{title} itself would not start {skill}: {}; {} says what helps",
                    reason.what,
                    check
                ));
            }
            (Some(Difference::Named(name)), _) => {
                let name = one_line(&name);
                output.note(prose!("{title} itself has the name '{name}' for {skill}"));
            }
            _ => {}
        }
    }

    /// Returns the folders of skills that the program lists, and that are not loaded here because of a fault.
    fn not_loaded<'d>(self, catalog: &Catalog, lost: &'d [Diagnostic]) -> BTreeSet<&'d Path> {
        let is_loaded = |folder: &Path| {
            let is_it =
                |entry: Entry<'_>| matches!(entry.location(), Location::Folder(it) if it == folder);
            catalog.iter().any(is_it)
        };
        let files = lost
            .iter()
            .filter(|found| found.severity == Severity::Error);
        let files = files.map(|found| Path::new(&found.path));
        let files = files.filter(|file| file.file_name().is_some_and(|name| name == SKILL_FILE));
        let is_listed = |folder: &&Path| {
            let root = folder.parent();
            let found = root.and_then(|root| client_folder::found(root, &folder.join(SKILL_FILE)));
            found.is_some_and(|found| !self.reader.read(vec![found]).is_empty())
        };
        let folders = files.filter_map(Path::parent);
        folders
            .filter(|folder| !is_loaded(folder))
            .filter(is_listed)
            .collect()
    }
}

impl Difference {
    fn in_words(&self) -> String {
        match self {
            Self::Named(name) => format!("named '{}'", one_line(name)),
            Self::Dropped(reason) => format!("dropped: {}", reason.what),
            Self::NotListed => "not listed".to_owned(),
            Self::NotLoaded => "listed, and not loaded here".to_owned(),
        }
    }

    /// Returns the name in the list of the program; `None` if the program does not list the skill.
    pub(crate) fn listed(self) -> Option<String> {
        match self {
            Self::Named(name) => Some(name),
            _ => None,
        }
    }
}
