//! The folders of skills and of the program's data.

use crate::commands::doctor::checked::{Checked, Trouble};
use crate::commands::doctor::place::{Rights, free, full};
use crate::commands::doctor::remedy::{aside, of_link, right, shell};
use crate::commands::doctor::skill_rights::of_skills;
use crate::commands::doctor::skills;
use crate::environment::Environment;
use crate::output::counted;
use skills_format::disk::resolved;
use skills_format::{Prose, command, prose};
use skills_host::install::Pins;
use skills_host::lock;
use skills_store::files::data::DataFolder;
use skills_store::files::interrupted::Interruption;
use skills_store::files::lock::LOCK_FILE;
use skills_store::files::work::WORK_FOLDER;
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders of skills on this machine.
struct Folders {
    /// The folders of clients.
    of_clients: Vec<PathBuf>,
    /// Further folders into which skills were installed.
    known: Vec<PathBuf>,
}

/// Checks the folders of skills and of the program.
pub(super) fn checks(environment: &Environment) -> Vec<Checked> {
    let data = environment.data_folder();
    let (folders, unread) = Folders::of(environment, data.as_ref());
    let mut own = own(environment);
    own.troubles
        .extend(unread.map(|error| unlisted(&error, environment)));
    let mut faulty = BTreeSet::new();
    vec![
        own,
        rights(&folders, &mut faulty),
        skills::check(folders.all(), &faulty),
        locks(&folders),
        operations(&folders, data.as_ref()),
    ]
}

impl Folders {
    /// Finds the folders. Also returns why the list of the folders of earlier installs cannot be read.
    fn of(environment: &Environment, data: Option<&DataFolder>) -> (Self, Option<Error>) {
        let project = environment.bases().project;
        let machine = environment.machine(&project);
        let clients = machine.clients();
        let named = clients
            .iter()
            .flat_map(|found| machine.folders(found.agent.folders));
        let mut seen = BTreeSet::new();
        let mut add = |folder: PathBuf, all: &mut Vec<PathBuf>| {
            let is_there = folder.symlink_metadata().map_or_else(
                |error| error.kind() != std::io::ErrorKind::NotFound,
                |_| true,
            );
            if is_there && seen.insert(resolved(&folder)) {
                all.push(folder);
            }
        };
        let mut folders = Self {
            of_clients: Vec::new(),
            known: Vec::new(),
        };
        // The shared folders belong to no client.
        let shared = environment.home.iter().chain(&project);
        for above in shared {
            add(above.join(".agents/skills"), &mut folders.of_clients);
        }
        for (_, folder) in named {
            add(folder, &mut folders.of_clients);
        }
        let mut unread = None;
        match data.map(DataFolder::known).transpose() {
            Ok(known) => {
                for folder in known.into_iter().flatten() {
                    add(folder, &mut folders.known);
                }
            }
            Err(error) => unread = Some(error),
        }
        (folders, unread)
    }

    fn all(&self) -> impl Iterator<Item = &Path> {
        let all = self.of_clients.iter().chain(&self.known);
        all.map(PathBuf::as_path)
    }
}

/// Checks the folders of settings and of data, and the disk.
fn own(environment: &Environment) -> Checked {
    let rights = Rights::of_process();
    let mut troubles = Vec::new();
    let folders = [&environment.config, &environment.data];
    for folder in folders.into_iter().flatten() {
        let folder = folder.join("skills");
        troubles.extend(
            rights
                .fault(&folder)
                .or_else(|| full(&folder, free(&folder))),
        );
    }
    troubles.dedup();
    let found = match folders {
        [Some(config), Some(data)] => prose!(
            "{} for settings, {} for data",
            config.join("skills").as_path(),
            data.join("skills").as_path()
        ),
        _ => Prose::from("no folder for settings and data"),
    };
    Checked::new("data", found, troubles)
}

/// Reports that the list of the folders of earlier installs cannot be read.
fn unlisted(error: &Error, environment: &Environment) -> Trouble {
    let folder = environment.data.as_ref().map(|data| data.join("skills"));
    let help = folder.map(|folder| right("-R u+rwX", &folder));
    Trouble::of(error, help.unwrap_or_default())
}

/// Checks the rights on the folders of skills, and on the skills in them. Adds the folders that have a fault, with their
/// links resolved.
fn rights(folders: &Folders, faulty: &mut BTreeSet<PathBuf>) -> Checked {
    let rights = Rights::of_process();
    let troubles = folders.all().flat_map(|folder| match rights.fault(folder) {
        Some(trouble) => {
            faulty.insert(resolved(folder));
            vec![trouble]
        }
        None => of_skills(folder, &rights, faulty),
    });
    let found = counted(folders.all().count(), "folder");
    Checked::new("folders", format!("{found} of skills"), troubles.collect())
}

/// Checks that every lock can be read.
fn locks(folders: &Folders) -> Checked {
    let locked = || {
        folders
            .all()
            // A link that leads in a circle is there too.
            .filter(|folder| folder.join(LOCK_FILE).symlink_metadata().is_ok())
    };
    let troubles = locked().filter_map(|folder| {
        let error = lock::check(folder).err()?;
        let path = folder.join(LOCK_FILE);
        Some(match error.kind() {
            ErrorKind::Damaged => Trouble::new(
                &error,
                prose!(
                    "correct the file, restore it from version control, or move it aside: {}; the skills stay, and installing \
                     them again records where they come from",
                    aside(&path)
                ),
            ),
            _ => match of_link(&path) {
                Some(help) => Trouble::new(&error, help),
                None if path.is_file() => Trouble::of(&error, right("u+rw", &path)),
                None => Trouble::new(&error, prose!("move it out of the way: {}", aside(&path))),
            },
        })
    });
    let found = counted(locked().count(), "lock");
    Checked::new("locks", found, troubles.collect())
}

/// Looks for changes of killed processes.
fn operations(folders: &Folders, data: Option<&DataFolder>) -> Checked {
    let mut troubles = Vec::new();
    let mut running = 0;
    for folder in folders.all() {
        let Some(data) = data else {
            continue;
        };
        match Interruption::of(folder, data) {
            Ok(Interruption::Running) => running += 1,
            Ok(Interruption::Killed) => troubles.push(Trouble::new(
                prose!("a change of {} was interrupted, and is half done", folder),
                prose!(
                    "{} finishes it, and puts back what the lock names and is not there",
                    command("install --to").path(folder)
                ),
            )),
            Ok(_) => {}
            // Of the rights, the check before reports.
            Err(error) if error.kind() == ErrorKind::Io => {}
            Err(error) => troubles.push(Trouble::new(
                &error,
                prose!(
                    "look at the folder, then remove it: {}",
                    shell("rm -r", &folder.join(WORK_FOLDER))
                ),
            )),
        }
    }
    troubles.extend(data.and_then(pins));
    let found = match running {
        0 => "no change was interrupted".to_owned(),
        running => format!("{} now", counted(running, "change")),
    };
    Checked::new("changes", found, troubles)
}

/// Returns what is wrong with the list of pins, which `update` obeys.
fn pins(data: &DataFolder) -> Option<Trouble> {
    let (file, error) = (data.pins(), Pins::of(data).all().err()?);
    let help = if error.kind() == ErrorKind::Io {
        right("u+rw", &file)
    } else {
        prose!("move it out of the way: {}", aside(&file))
    };
    Some(Trouble::of(&error, help))
}
