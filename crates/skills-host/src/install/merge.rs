//! Merges three versions of a skill: the installed, the present and the new one.

use crate::install::host::Host;
use crate::install::temporary::Temporary;
use skills_store::Error;
use skills_store::files::copy::write_file;
use skills_store::files::folder::Durable;
use skills_store::files::relative_path::RelativePath;
use skills_store::files::snapshot::{Entry, FileBytes, Snapshot};
use std::collections::BTreeSet;

/// The local changes of an installed skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ByHand {
    /// The files that were not installed.
    pub(crate) added: Vec<RelativePath>,
    /// The installed files that were changed or removed.
    pub(crate) changed: Vec<String>,
}

/// The installed, the present and the new version of a file.
type Sides<'f> = (
    Option<&'f FileBytes>,
    Option<&'f FileBytes>,
    Option<&'f FileBytes>,
);

/// The result of a merge.
pub(crate) struct Merged {
    pub(crate) result: Snapshot,
    /// The files that cannot be merged, each with the reason.
    pub(crate) conflicts: Vec<(String, &'static str)>,
    /// The files that the source removed and the user changed, which are kept.
    pub(crate) kept: Vec<String>,
}

impl ByHand {
    pub(crate) fn between(installed: &Snapshot, now: &Snapshot) -> Self {
        let bytes = |of: &Snapshot, path: &str| of.get(path).map(|file| file.bytes.clone());
        Self {
            added: now
                .entries
                .keys()
                .filter(|path| !installed.entries.contains_key(*path))
                .cloned()
                .collect(),
            changed: installed
                .files()
                .map(|(path, _)| path)
                .filter(|path| bytes(installed, path) != bytes(now, path))
                .map(ToString::to_string)
                .collect(),
        }
    }
}

/// Merges a new version into the present files. Git merges a text file that both sides changed.
pub(crate) fn merge(
    installed: &Snapshot,
    now: &Snapshot,
    new: &Snapshot,
    host: Host<'_>,
) -> Result<Merged, Error> {
    let mut merged = Merged {
        result: Snapshot::default(),
        conflicts: Vec::new(),
        kept: Vec::new(),
    };
    let all = [installed, now, new];
    let paths: BTreeSet<&RelativePath> = all.iter().flat_map(|side| side.entries.keys()).collect();
    for path in paths {
        let (base, ours, theirs) = (installed.get(path), now.get(path), new.get(path));
        let bytes = |file: Option<&FileBytes>| file.map(|file| file.bytes.clone());
        let same = |a: Option<&FileBytes>, b: Option<&FileBytes>| bytes(a) == bytes(b);
        if let Some(Entry::Link(target)) = now.entries.get(path) {
            // A skill is installed without links, so a link is a local change.
            if theirs.is_some() {
                merged.conflict(path, "a link has been put in its place");
            }
            let link = Entry::Link(target.clone());
            merged.result.entries.insert(path.clone(), link);
        } else if same(base, ours) {
            merged.take(path, theirs, run_bit(base, ours, theirs));
        } else if same(base, theirs) || same(ours, theirs) {
            merged.take(path, ours, ours.is_some_and(|file| file.executable));
        } else {
            merged.both(path, (base, ours, theirs), host)?;
        }
    }
    merged.refuse_overlaps();
    Ok(merged)
}

/// Merges the executable bit: a local change of the bit wins.
fn run_bit(base: Option<&FileBytes>, ours: Option<&FileBytes>, theirs: Option<&FileBytes>) -> bool {
    let bit = |file: Option<&FileBytes>| file.map(|file| file.executable);
    let by_hand = ours.is_some() && base.is_some() && bit(base) != bit(ours);
    bit(if by_hand { ours } else { theirs }).unwrap_or(false)
}

impl Merged {
    /// Merges a file that both sides changed.
    fn both(&mut self, path: &RelativePath, sides: Sides<'_>, host: Host<'_>) -> Result<(), Error> {
        let (base, ours, theirs) = sides;
        match (base, ours, theirs) {
            (Some(_), Some(ours), None) => {
                self.kept.push(path.to_string());
                self.take(path, Some(ours), ours.executable);
            }
            (Some(_), None, Some(_)) => {
                self.conflict(path, "it was removed here and changed in the source");
            }
            (None, Some(_), Some(_)) => {
                self.conflict(
                    path,
                    "it was added here and in the source, with other bytes",
                );
            }
            (Some(old), Some(mine), Some(new)) => match merge_text(old, mine, new, host)? {
                Some(bytes) => {
                    let executable = run_bit(base, ours, theirs);
                    let file = FileBytes::new(bytes, executable);
                    self.take(path, Some(&file), executable);
                }
                None => self.conflict(path, "both sides changed the same lines"),
            },
            _ => {}
        }
        Ok(())
    }

    fn take(&mut self, path: &RelativePath, file: Option<&FileBytes>, executable: bool) {
        if let Some(file) = file {
            let bytes = file.bytes.clone();
            let file = Entry::File(FileBytes { bytes, executable });
            self.result.entries.insert(path.clone(), file);
        }
    }

    /// Reports a conflict between a link `scripts` and a file `scripts/run.sh`, which would be written through it.
    fn refuse_overlaps(&mut self) {
        let mut conflicts = Vec::new();
        for path in self.result.entries.keys() {
            let mut above = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
            if above.any(|above| self.result.entries.contains_key(above)) {
                let why = "a file or a link stands in the place of its folder";
                conflicts.push((path.to_string(), why));
            }
        }
        self.conflicts.extend(conflicts);
    }

    fn conflict(&mut self, path: &str, why: &'static str) {
        self.conflicts.push((path.to_owned(), why));
    }
}

fn merge_text(
    base: &FileBytes,
    ours: &FileBytes,
    theirs: &FileBytes,
    host: Host<'_>,
) -> Result<Option<Vec<u8>>, Error> {
    let folder = Temporary::make(&host.data.temporary())?;
    for (name, file) in [("base", base), ("ours", ours), ("theirs", theirs)] {
        write_file(&folder.path().join(name), &file.bytes, Durable::No)?;
    }
    host.git.merge_file(folder.path(), host.observer)
}
