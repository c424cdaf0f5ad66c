//! The file of a conversation, which one program at a time has open.

use crate::error::{Error, ErrorKind};
use crate::files::copy::{make_folder, read_json, replace_file};
use crate::files::guard::Guard;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use skills_format::{SkillName, prose};
use skills_session::session::SessionState;
use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

/// The content of the file. Both parts are in one file, because a reminder of the session refers to a text that must
/// stand in the messages: a program that is killed between two files would lose one of the two.
#[derive(Serialize, Deserialize)]
pub(super) struct Content<M> {
    pub(super) session: SessionState,
    pub(super) messages: M,
}

/// An open file. Dropping the value lets another program open the file.
#[derive(Debug)]
pub(super) struct ConversationFile {
    path: PathBuf,
    _guard: Guard,
}

impl ConversationFile {
    pub(super) fn open(folder: &Path, name: &str) -> Result<Self, Error> {
        SkillName::new(name).map_err(|error| {
            let shown = name.escape_debug();
            let message = format!("no conversation can have the name '{shown}': {error}");
            Error::new(ErrorKind::Usage, message).help("write a name such as `main`")
        })?;
        make_folder(folder)?;
        let conversations = folder.join("conversations");
        make_private(&conversations)?;
        let path = conversations.join(format!("{name}.json"));
        // Two programs that write one file would each remove the messages of the other.
        match Guard::try_or_holder(&path.with_extension("lock"))? {
            Ok(guard) => Ok(Self {
                path,
                _guard: guard,
            }),
            Err(holder) => {
                let message = prose!("{} is open in {holder}", &path);
                let help = "end that program, or give this conversation another name";
                Err(Error::new(ErrorKind::Refused, message).help(help))
            }
        }
    }

    pub(super) fn read<M: DeserializeOwned>(&self) -> Result<Option<Content<Vec<M>>>, Error> {
        read_json(&self.path)
    }

    pub(super) fn write<M: Serialize>(&self, content: &Content<&[M]>) -> Result<(), Error> {
        let faulty = |error: serde_json::Error| {
            let message = format!("the conversation cannot be written as JSON: {error}");
            Error::new(ErrorKind::Usage, message)
        };
        let json = serde_json::to_vec(content).map_err(faulty)?;
        // What is nested more deeply than a reader takes can be written: the conversation would be lost at the next start.
        serde_json::from_slice::<serde_json::Value>(&json).map_err(faulty)?;
        replace_file(&self.path, &json)
    }
}

/// Creates a folder that only this user can read: messages hold what a person and the person's files say.
fn make_private(path: &Path) -> Result<(), Error> {
    let mut folder = DirBuilder::new();
    folder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    let made = folder.create(path);
    made.map_err(|error| Error::io(path, "cannot be created", error))
}
