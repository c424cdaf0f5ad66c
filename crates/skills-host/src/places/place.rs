//! A folder of skills, under all names that lead to it.

use crate::places::found::{Found, Machine};
use skills_clients::reading::Tier;
use skills_format::disk::resolved;
use std::path::{Path, PathBuf};

/// A folder of skills that clients of this machine read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Place {
    /// The path. If one of the names is not a link, it is that name.
    pub folder: PathBuf,
    /// The path with its links resolved.
    pub real: PathBuf,
    /// The other names that lead to the folder.
    pub links: Vec<PathBuf>,
    /// The owner.
    pub tier: Tier,
    /// The names of the clients that read the folder, in the order of the table.
    pub clients: Vec<&'static str>,
}

impl Place {
    /// Returns every name of the folder.
    pub fn names(&self) -> impl Iterator<Item = &Path> {
        let links = self.links.iter().map(PathBuf::as_path);
        std::iter::once(self.folder.as_path()).chain(links)
    }
}

/// Returns the existing folders that clients read: the folders of the person first. Two names of one folder are one
/// place.
pub fn places(machine: &Machine<'_>, clients: &[Found]) -> Vec<Place> {
    let mut all: Vec<Place> = Vec::new();
    for tier in [Tier::Person, Tier::Project] {
        for found in clients {
            let folders = machine.folders(found.agent.folders).into_iter();
            for (_, folder) in folders.filter(|(of, folder)| *of == tier && folder.is_dir()) {
                add(&mut all, folder, tier, &found.agent.client.name);
            }
        }
    }
    all
}

/// Returns the paths at which clients look for a folder of skills, and at which there is something else: a file, or a link that
/// leads to no folder.
pub fn blocked(machine: &Machine<'_>, clients: &[Found]) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = Vec::new();
    for found in clients {
        for (_, path) in machine.folders(found.agent.folders) {
            let is_blocked = path.symlink_metadata().is_ok() && !path.is_dir();
            if is_blocked && !all.contains(&path) {
                all.push(path);
            }
        }
    }
    all
}

fn add(all: &mut Vec<Place>, folder: PathBuf, tier: Tier, client: &'static str) {
    let real = resolved(&folder);
    let Some(place) = all.iter_mut().find(|place| place.real == real) else {
        all.push(Place {
            folder,
            real,
            links: Vec::new(),
            tier,
            clients: vec![client],
        });
        return;
    };
    if !place.clients.contains(&client) {
        place.clients.push(client);
    }
    if place.names().any(|name| name == folder) {
        return;
    }
    if place.folder.is_symlink() && !folder.is_symlink() {
        let link = std::mem::replace(&mut place.folder, folder);
        place.links.push(link);
    } else {
        place.links.push(folder);
    }
}
