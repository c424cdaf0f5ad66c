//! The history of the messages, in a file that only its owner can read.

use crate::environment::Environment;
use reedline::{FileBackedHistory, History};
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The maximum number of messages in the history.
const MOST: usize = 1000;

/// Opens the history in the data folder. When the file cannot be used, the history lasts for this session
/// only, and the message says why.
pub(crate) fn open(environment: &Environment) -> (Box<dyn History>, Option<String>) {
    let Some(data) = &environment.data else {
        let why = "there is no folder for data: no history is kept".to_owned();
        return (in_memory(), Some(why));
    };
    let path = data.join("skills").join("chat-history.txt");
    match opened(&path) {
        Ok(history) => (Box::new(history), None),
        Err(error) => {
            let path = environment.shown(&path);
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
    // Before reedline opens the file: reedline would create it with the rights of the umask.
    private(path)?;
    check(path)?;
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

/// Refuses a file with control characters: a recalled message would steer the terminal.
fn check(path: &Path) -> io::Result<()> {
    let text = fs::read_to_string(path)?;
    if crate::output::typed(&text) == text {
        Ok(())
    } else {
        let why = "the file holds control characters; move it away";
        Err(io::Error::new(io::ErrorKind::InvalidData, why))
    }
}
