//! The rights of a person on a folder, and the space on its disk.

use crate::commands::doctor::checked::Trouble;
use crate::commands::doctor::remedy::{aside, of_link, right, shell};
use skills_format::{Prose, command, prose};
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Free bytes below which installing fails sooner or later.
const LITTLE: u64 = 16 << 20;

/// The questions to the system. A test answers them itself: a superuser has every right.
pub(super) struct Rights {
    read: fn(&Path) -> io::Result<()>,
    write: fn(&Path) -> io::Result<()>,
    read_file: fn(&Path) -> io::Result<()>,
}

impl Rights {
    /// Returns the rights that the system gives to this process.
    pub(super) fn of_process() -> Self {
        Self {
            read: |path| fs::read_dir(path).map(drop),
            write: may_write,
            read_file: |path| fs::File::open(path).map(drop),
        }
    }

    /// Returns the rights that a test gives, to folders and files alike.
    #[cfg(test)]
    pub(super) fn of_test(
        read: fn(&Path) -> io::Result<()>,
        write: fn(&Path) -> io::Result<()>,
    ) -> Self {
        Self {
            read,
            write,
            read_file: read,
        }
    }

    /// Returns what is wrong with a file of a skill, which is read.
    pub(super) fn file_fault(&self, file: &Path) -> Option<Trouble> {
        let error = (self.read_file)(file).err()?;
        // A file that went away meanwhile is not wrong.
        if error.kind() == ErrorKind::NotFound {
            return None;
        }
        Some(Trouble::new(
            prose!("{} cannot be read: {}", file, &error),
            file_remedy(file),
        ))
    }

    /// Returns what is wrong with a folder that is read and written. A missing folder can be made if the folder above
    /// can be written.
    pub(super) fn fault(&self, folder: &Path) -> Option<Trouble> {
        let entry = match fs::symlink_metadata(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return self.fault(folder.parent()?);
            }
            Err(error) => return Some(self.denied(folder, &error)),
            Ok(entry) => entry,
        };
        let metadata = match fs::metadata(folder) {
            Err(error) if entry.is_symlink() && error.kind() == ErrorKind::NotFound => {
                return Some(Trouble::new(
                    prose!("{} is a link that leads nowhere", folder),
                    prose!(
                        "make what it leads to, or remove it: {}",
                        shell("rm", folder)
                    ),
                ));
            }
            Err(error) => return Some(self.denied(folder, &error)),
            Ok(metadata) => metadata,
        };
        if !metadata.is_dir() {
            return Some(Trouble::new(
                prose!("{} is not a folder", folder),
                prose!("move it out of the way: {}", aside(folder)),
            ));
        }
        let read = (self.read)(folder).err().map(|error| ("read", error));
        let asked = read.or_else(|| Some(("written", (self.write)(folder).err()?)));
        asked.map(|(what, error)| {
            Trouble::new(
                prose!("{} cannot be {what}: {}", folder, &error),
                remedy(folder, &metadata, &error),
            )
        })
    }

    /// Finds the folder that hides what is below it.
    fn denied(&self, folder: &Path, error: &io::Error) -> Trouble {
        let mut above: Vec<&Path> = folder.ancestors().skip(1).collect();
        above.reverse();
        let hiding = above
            .into_iter()
            .find(|above| (self.read)(above).is_err())
            .unwrap_or(folder);
        let help = match fs::metadata(hiding) {
            Ok(metadata) => remedy(hiding, &metadata, error),
            Err(_) => owned(hiding),
        };
        Trouble::new(prose!("{} cannot be read: {}", hiding, error), help)
    }
}

/// Returns what gives a person the right.
fn remedy(folder: &Path, metadata: &Metadata, error: &io::Error) -> Prose {
    if error.kind() == ErrorKind::ReadOnlyFilesystem {
        return "its disk is mounted for reading only: mount it for writing".into();
    }
    if let Some(help) = of_link(folder) {
        return help;
    }
    #[cfg(unix)]
    let owner_may =
        std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o700 == 0o700;
    #[cfg(not(unix))]
    let owner_may = !metadata.permissions().readonly();
    if owner_may {
        owned(folder)
    } else {
        right("u+rwx", folder)
    }
}

/// Returns what gives a person the right to read a file, or a folder of a skill.
pub(super) fn file_remedy(path: &Path) -> Prose {
    let Ok(metadata) = fs::metadata(path) else {
        return owned(path);
    };
    if metadata.is_dir() {
        return remedy(path, &metadata, &ErrorKind::PermissionDenied.into());
    }
    if let Some(help) = of_link(path) {
        return help;
    }
    #[cfg(unix)]
    let owner_may = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o400 != 0;
    #[cfg(not(unix))]
    let owner_may = true;
    if owner_may {
        owned(path)
    } else {
        right("u+r", path)
    }
}

fn owned(folder: &Path) -> Prose {
    of_link(folder).unwrap_or_else(|| shell("sudo chown -R \"$(id -un)\"", folder))
}

#[cfg(unix)]
fn may_write(folder: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    Ok(access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
}

#[cfg(not(unix))]
fn may_write(folder: &Path) -> io::Result<()> {
    if folder.metadata()?.permissions().readonly() {
        return Err(ErrorKind::PermissionDenied.into());
    }
    Ok(())
}

/// Returns the free bytes of the disk of a folder, which need not exist; `None` if the system does not say.
#[cfg(unix)]
pub(super) fn free(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|folder| folder.exists())?;
    let disk = rustix::fs::statvfs(there).ok()?;
    // A disk without files to make is full too. Some file systems count none.
    if disk.f_files > 0 && disk.f_favail == 0 {
        return Some(0);
    }
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
pub(super) fn free(_: &Path) -> Option<u64> {
    None
}

/// Returns what is wrong with the space on the disk of a folder.
pub(super) fn full(folder: &Path, free: Option<u64>) -> Option<Trouble> {
    let free = free.filter(|free| *free < LITTLE)?;
    Some(Trouble::new(
        prose!(
            "the disk of {} is full: {} kB are free",
            folder,
            (free >> 10).to_string()
        ),
        prose!(
            "free some space: {} removes versions that nothing uses, {} what was uninstalled",
            command("inspect store gc"),
            command("restore --empty")
        ),
    ))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    const ALL: Rights = Rights {
        read: |path| fs::read_dir(path).map(drop),
        write: |_| Ok(()),
        read_file: |_| Ok(()),
    };

    #[test]
    fn folders_without_rights() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str, mode| {
            fs::create_dir_all(at(name)).expect("a folder");
            fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).expect("its mode");
        };
        mode("skills", 0o755);
        mode("closed", 0o555);
        fs::write(at("file"), "").expect("a file");
        symlink("nowhere", at("link")).expect("a link");
        let denied: fn(&Path) -> io::Result<()> = |_| Err(ErrorKind::PermissionDenied.into());
        let [unread, unwritten] = [
            Rights {
                read: denied,
                ..ALL
            },
            Rights {
                write: denied,
                ..ALL
            },
        ];
        let base = folder.path().display();
        for (rights, name, message, help) in [
            (
                &ALL,
                "link",
                "is a link that leads nowhere",
                "`rm [F]/link`",
            ),
            (
                &ALL,
                "file",
                "is not a folder",
                "`mv [F]/file [F]/file.aside`",
            ),
            (
                &unread,
                "skills",
                "cannot be read: permission denied",
                "`sudo chown -R \"$(id -un)\" [F]/skills`",
            ),
            (
                &unwritten,
                "closed",
                "cannot be written: permission denied",
                "`chmod u+rwx [F]/closed`",
            ),
        ] {
            let trouble = rights.fault(&at(name)).expect("a trouble");
            assert_eq!(&*trouble.message, format!("{base}/{name} {message}"));
            let help = help.replace("[F]", &base.to_string());
            assert!(trouble.help.ends_with(&help), "{trouble:?}");
        }
        let above = unwritten
            .fault(&at("skills/a/b"))
            .expect("the folder above");
        assert!(
            above.message.contains("skills cannot be written"),
            "{above:?}"
        );
        assert_eq!(ALL.fault(&at("skills/a/b")), None);
        assert_eq!(Rights::of_process().fault(&at("skills")), None);
    }

    #[test]
    fn a_full_disk() {
        let folder = Path::new("/d");
        let trouble = full(folder, Some(2048)).expect("a trouble");
        assert_eq!(&*trouble.message, "the disk of /d is full: 2 kB are free");
        assert_eq!(full(folder, Some(LITTLE)), None);
        assert_eq!(full(folder, None), None);
        assert!(free(&std::env::temp_dir().join("gone/x")).is_some());
    }
}
