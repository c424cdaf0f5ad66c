//! A change of a case's files during a session, written like a shell command.

use crate::folder::Folder;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

/// One change. Paths are relative to the working folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// `cp FROM TO`, which gives TO the present time; `cp -p` keeps the time.
    Copy {
        from: String,
        to: String,
        keeps_time: bool,
    },
    /// `cp -r FOLDER TO`
    CopyFolder { from: String, to: String },
    /// `rm -r FOLDER`
    RemoveFolder(String),
    /// `mv FROM TO`
    Move { from: String, to: String },
    /// `git -C FOLDER ...`, which makes the folder.
    Git {
        folder: String,
        arguments: Vec<String>,
    },
    /// `rm FILE`
    Remove(String),
    /// `touch FILE`, or `touch -r OTHER FILE` for the time of OTHER.
    Touch { file: String, as_of: Option<String> },
    /// `chmod a-w FILE`
    ReadOnly(String),
    /// `ln -s TO FILE`
    Link { to: String, file: String },
}

impl Change {
    /// Parses a command; `None` for any other command.
    pub(crate) fn of(words: &[String]) -> Option<Self> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let owned = |word: &str| word.to_owned();
        Some(match words[..] {
            ["cp", "-p", from, to] => Self::Copy {
                from: owned(from),
                to: owned(to),
                keeps_time: true,
            },
            ["cp", "-r", from, to] => Self::CopyFolder {
                from: owned(from),
                to: owned(to),
            },
            ["cp", from, to] => Self::Copy {
                from: owned(from),
                to: owned(to),
                keeps_time: false,
            },
            ["rm", "-r", folder] => Self::RemoveFolder(owned(folder)),
            ["mv", from, to] => Self::Move {
                from: owned(from),
                to: owned(to),
            },
            ["git", "-C", folder, ref arguments @ ..] => Self::Git {
                folder: owned(folder),
                arguments: arguments.iter().map(|word| owned(word)).collect(),
            },
            ["rm", file] => Self::Remove(owned(file)),
            ["touch", "-r", other, file] => Self::Touch {
                file: owned(file),
                as_of: Some(owned(other)),
            },
            ["touch", file] => Self::Touch {
                file: owned(file),
                as_of: None,
            },
            ["chmod", "a-w", file] => Self::ReadOnly(owned(file)),
            ["ln", "-s", to, file] => Self::Link {
                to: owned(to),
                file: owned(file),
            },
            _ => return None,
        })
    }

    /// Returns whether only Unix supports the change.
    pub(crate) fn is_of_unix(&self) -> bool {
        matches!(self, Self::Link { .. } | Self::ReadOnly(_))
    }

    /// Makes the change.
    pub(crate) fn run(&self, folder: &Folder) -> Result<(), String> {
        let project = folder.project();
        let done = match self {
            Self::Copy {
                from,
                to,
                keeps_time,
            } => copy(&project.join(from), &project.join(to), *keeps_time),
            Self::CopyFolder { from, to } => copy_folder(&project.join(from), &project.join(to)),
            Self::Remove(file) => fs::remove_file(project.join(file)),
            Self::RemoveFolder(path) => remove_folder(&project.join(path)),
            Self::Move { from, to } => fs::rename(project.join(from), project.join(to)),
            Self::Git {
                folder: place,
                arguments,
            } => {
                let case = folder.written();
                let arguments = arguments.iter().map(|word| word.replace("[CASE]", &case));
                git(&project.join(place), &arguments.collect::<Vec<_>>())
            }
            Self::Touch { file, as_of } => match as_of {
                Some(other) => time(&project.join(other)),
                None => Ok(SystemTime::now()),
            }
            .and_then(|time| set_time(&project.join(file), time)),
            Self::ReadOnly(file) => read_only(&project.join(file)),
            Self::Link { to, file } => link(to.as_ref(), &project.join(file)),
        };
        done.map_err(|error| format!("{self:?}: {error}"))
    }
}

fn copy(from: &Path, to: &Path, keeps_time: bool) -> io::Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    let now = if keeps_time {
        time(from)?
    } else {
        SystemTime::now()
    };
    fs::copy(from, to)?;
    set_time(to, now)
}

/// Copies the content of a folder into another folder, which may exist.
fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else {
            copy(&entry.path(), &to, false)?;
        }
    }
    Ok(())
}

/// Runs git with a fixed identity and time, so that every commit has the same id everywhere.
fn git(folder: &Path, arguments: &[String]) -> io::Result<()> {
    const TIME: &str = "2026-01-01T00:00:00Z";
    fs::create_dir_all(folder)?;
    let settings = [
        "user.name=a",
        "user.email=a@b.example",
        "commit.gpgSign=false",
    ];
    let mut command = Command::new("git");
    for setting in settings {
        command.args(["-c", setting]);
    }
    let output = command
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_AUTHOR_DATE", TIME)
        .env("GIT_COMMITTER_DATE", TIME)
        .output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(String::from_utf8_lossy(&output.stderr)))
}

/// Removes a folder with its read-only files, which older Windows, and Wine, do not remove.
pub(crate) fn remove_folder(folder: &Path) -> io::Result<()> {
    if cfg!(windows) {
        allow_removal(folder)?;
    }
    fs::remove_dir_all(folder)
}

#[expect(
    clippy::permissions_set_readonly_false,
    reason = "it opens a file to all on Unix only"
)]
fn allow_removal(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            allow_removal(&path)?;
            continue;
        }
        let mut permissions = fs::metadata(&path)?.permissions();
        permissions.set_readonly(false);
        fs::set_permissions(&path, permissions)?;
    }
    Ok(())
}

fn time(file: &Path) -> io::Result<SystemTime> {
    fs::metadata(file)?.modified()
}

pub(crate) fn set_time(file: &Path, time: SystemTime) -> io::Result<()> {
    File::options().write(true).open(file)?.set_modified(time)
}

#[cfg(unix)]
pub(crate) fn link(to: &Path, file: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, file)
}

#[cfg(not(unix))]
pub(crate) fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn read_only(file: &Path) -> io::Result<()> {
    let mut permissions = fs::metadata(file)?.permissions();
    permissions.set_readonly(true);
    fs::set_permissions(file, permissions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        let read = |line: &str| Change::of(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(read("rm a"), Some(Change::Remove("a".into())));
        assert!(matches!(
            read("cp -p a b"),
            Some(Change::Copy {
                keeps_time: true,
                ..
            })
        ));
        for line in ["rm -f a", "rm", "chmod +x a", "cargo test"] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
