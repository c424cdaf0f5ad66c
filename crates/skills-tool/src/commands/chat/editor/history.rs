//! The history of the messages, in a file that only its owner can read.

use crate::environment::Environment;
use reedline::{FileBackedHistory, History};
use skills_store::disk;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The maximum number of messages in the history.
const MOST: usize = 1000;
/// The maximum length of a history that is read, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// Opens the history in the data folder. When the file cannot be used, the history lasts for this session
/// only, and the message says why.
pub(crate) fn open(env: &Environment) -> (Box<dyn History>, Option<String>) {
    let Some(data) = &env.data else {
        let why = "there is no folder for data: no history is kept".to_owned();
        return (in_memory(), Some(why));
    };
    let path = data.join("skills").join("chat-history.txt");
    match opened(&path) {
        Ok(history) => (Box::new(history), None),
        Err(error) => {
            let path = env.shown(&path);
            let why = format!("{path}: no history is kept: {error}");
            (in_memory(), Some(why))
        }
    }
}

/// Returns a history that ends with the session.
pub(crate) fn in_memory() -> Box<dyn History> {
    Box::<FileBackedHistory>::default()
}

fn opened(path: &Path) -> Result<FileBackedHistory, io::Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // Before the file is opened to write: a pipe in its place would wait for a reader.
    check(path)?;
    // Before reedline opens the file: reedline would create it with the rights of the umask.
    private(path)?;
    FileBackedHistory::with_file(MOST, PathBuf::from(path)).map_err(io::Error::other)
}

/// Creates the file, or restricts an existing file, so that only its owner can read it.
fn private(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        // The mode of `open` is for a new file only.
        use std::os::unix::fs::PermissionsExt as _;
        if file.metadata()?.permissions().mode() & 0o777 != 0o600 {
            file.set_permissions(fs::Permissions::from_mode(0o600))?;
        }
    }
    drop(file);
    Ok(())
}

/// Refuses what is not a file of texts, and control characters: a recalled message would steer the terminal.
fn check(path: &Path) -> io::Result<()> {
    let text = match disk::read_text(path, MOST_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            let why = format!("{error}; move it away");
            return Err(io::Error::new(error.kind(), why));
        }
        Ok(text) => text,
    };
    if crate::output::typed(&text) == text {
        Ok(())
    } else {
        let why = "the file holds control characters; move it away";
        Err(io::Error::new(io::ErrorKind::InvalidData, why))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    #[test]
    fn what_is_not_a_file_of_texts_is_refused_before_it_is_opened_to_write() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = |name: &str| dir.path().join(name);
        let refused = |name: &str| opened(&path(name)).expect_err("refused").to_string();
        assert!(opened(&path("new")).is_ok());
        fs::create_dir(path("folder")).expect("a folder");
        assert_eq!(refused("folder"), "it is not a file; move it away");
        mknodat(CWD, path("pipe"), FileType::Fifo, Mode::RWXU, 0).expect("a pipe");
        assert_eq!(refused("pipe"), "it is not a file; move it away");
        fs::write(path("bytes"), [0xff]).expect("a file");
        assert_eq!(refused("bytes"), "it is not UTF-8; move it away");
        let large = fs::File::create(path("large")).expect("a file");
        large.set_len(MOST_BYTES + 1).expect("a large file");
        assert!(refused("large").contains("is larger than"));
    }
}
