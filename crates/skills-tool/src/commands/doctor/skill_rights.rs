//! The rights on what a folder of skills holds: a skill is moved, replaced and compared whole.

use crate::commands::doctor::checked::Trouble;
use crate::commands::doctor::place::Rights;
use crate::output::counted;
use skills_format::disk::resolved;
use skills_format::{SKILL_FILE, prose};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum number of faults of one folder that are reported one by one.
const MOST: usize = 5;

/// Returns what is wrong with the rights on the skills of a folder. The folder itself can be read. Adds the folders that
/// have a fault, with their links resolved.
pub(super) fn of_skills(
    folder: &Path,
    rights: &Rights,
    faulty: &mut BTreeSet<PathBuf>,
) -> Vec<Trouble> {
    let mut troubles = Vec::new();
    let mut folders: Vec<PathBuf> = below(folder).0;
    // Hidden folders of the program and of git are not skills.
    folders.retain(|folder| {
        let name = folder.file_name().unwrap_or_default();
        !name.as_encoded_bytes().starts_with(b".")
    });
    folders.reverse();
    while let Some(folder) = folders.pop() {
        if let Some(trouble) = rights.fault(&folder) {
            // What is in it is reached after its rights are corrected.
            troubles.push(trouble);
            faulty.insert(resolved(&folder));
            continue;
        }
        let (deeper, files) = below(&folder);
        // The check of the skills reports a `SKILL.md`.
        let is_other = |file: &&PathBuf| {
            let name = file.file_name().unwrap_or_default();
            !name.eq_ignore_ascii_case(SKILL_FILE)
        };
        let files = files.iter().filter(is_other);
        troubles.extend(files.filter_map(|file| rights.file_fault(file)));
        folders.extend(deeper.into_iter().rev());
    }
    if let more @ 1.. = troubles.len().saturating_sub(MOST) {
        troubles.truncate(MOST);
        troubles.push(Trouble::new(
            prose!(
                "{} of the skills in {} cannot be read or written",
                counted(more, "more item"),
                folder
            ),
            "correct the rights of what is named first: the next run names others",
        ));
    }
    troubles
}

/// Returns the folders and the files in a folder, in the order of names. No link is followed.
fn below(folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let kind = |path: &PathBuf| path.symlink_metadata().ok().map(|it| it.file_type());
    paths.retain(|path| kind(path).is_some_and(|kind| kind.is_dir() || kind.is_file()));
    paths
        .into_iter()
        .partition(|path| kind(path).is_some_and(|kind| kind.is_dir()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{self, ErrorKind};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    /// Refuses what its name says, since a superuser may do everything.
    fn refuse(word: &str, path: &Path) -> io::Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.contains(word) {
            return Err(ErrorKind::PermissionDenied.into());
        }
        Ok(())
    }

    #[test]
    fn rights_below_a_folder_of_skills() {
        let rights = Rights::of_test(
            |path| refuse("unread", path),
            |path| refuse("unwritten", path),
        );
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in [
            "a-unwritten",
            "b/ref/unread/deeper-unread",
            "c",
            ".skills-work/unread",
        ] {
            fs::create_dir_all(at(name)).expect("a folder");
        }
        for name in ["c/SKILL.md", "c/unread.md", "c/unwritten.md"] {
            fs::write(at(name), "").expect("a file");
        }
        symlink("nowhere", at("c/unread-link")).expect("a link");
        let mode = |name: &str, mode| {
            fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).expect("its mode");
        };
        mode("a-unwritten", 0o555);
        mode("c/unread.md", 0o200);
        let base = folder.path().display().to_string();
        let mut faulty = BTreeSet::new();
        let mut told = |folder: &Path| -> Vec<String> {
            let troubles = of_skills(folder, &rights, &mut faulty).into_iter();
            troubles
                .map(|it| format!("{} | {}", it.message, it.help).replace(&base, "[F]"))
                .collect()
        };
        assert_eq!(
            told(folder.path()),
            [
                "[F]/a-unwritten cannot be written: permission denied | `chmod u+rwx [F]/a-unwritten`",
                "[F]/b/ref/unread cannot be read: permission denied | `sudo chown -R \"$(id -un)\" [F]/b/ref/unread`",
                "[F]/c/unread.md cannot be read: permission denied | `chmod u+r [F]/c/unread.md`",
            ]
        );
        for name in 0..9 {
            fs::create_dir(at(&format!("c/unread{name}"))).expect("a folder");
        }
        let told = told(folder.path());
        assert_eq!(told.len(), MOST + 1);
        assert!(
            told[MOST].starts_with("7 more items of the skills in [F] "),
            "{told:?}"
        );
        // Those beyond the number that is reported count too.
        assert_eq!(faulty.len(), 2 + 9);
        assert!(faulty.contains(&resolved(&at("c/unread8"))));
    }
}
