//! One case: its files, and its expectation.

use crate::change::Change;
use crate::console::Console;
use crate::conversation::Conversation;
use crate::folder::{File, Folder};
use crate::program::Call;
use crate::table::Expected;
use std::ops::Range;

/// A test of a document.
#[derive(Clone, Debug)]
pub struct Case {
    /// The document and the heading; for a row also the line and the text.
    pub name: String,
    pub(crate) files: Vec<File>,
    pub(crate) expectation: Expectation,
}

#[derive(Clone, Debug)]
pub(crate) enum Expectation {
    /// The output of the program, and the files afterwards.
    Session(Vec<Part>),
    /// The library's resolution of a text, over the catalog of the options.
    Row { options: String, row: Box<Expected> },
    /// The messages and active skills of a conversation over such a catalog.
    Conversation {
        options: String,
        conversation: Conversation,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum Part {
    Console(Console),
    /// A block after a session: the expected content of the file.
    Holds(File),
}

/// A part of the document with the present output.
pub(crate) struct Update {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

impl Case {
    /// Runs the case. The error shows the expected and the actual result.
    pub fn run(&self) -> Result<(), String> {
        let folder = Folder::new(&self.files)?;
        let faults = match &self.expectation {
            Expectation::Row { options, row } => row.run(options, &folder)?,
            Expectation::Conversation {
                options,
                conversation,
            } => conversation.run(options, &folder)?,
            Expectation::Session(parts) => run(parts, &folder)?.1,
        };
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults.join("\n"))
        }
    }

    /// Returns the calls of the program in the case's sessions.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &Call> {
        let parts = match &self.expectation {
            Expectation::Session(parts) => parts.as_slice(),
            _ => &[],
        };
        parts.iter().flat_map(|part| match part {
            Part::Console(console) => console.calls(),
            Part::Holds(_) => Vec::new(),
        })
    }

    /// Returns whether a session uses a feature that only Unix has.
    pub(crate) fn needs_unix(&self) -> bool {
        let Expectation::Session(parts) = &self.expectation else {
            return false;
        };
        parts.iter().any(|part| match part {
            Part::Console(console) => console.changes().any(Change::is_of_unix),
            Part::Holds(_) => false,
        })
    }

    /// Returns the parts of the document that differ from the present output.
    pub(crate) fn updates(&self) -> Result<Vec<Update>, String> {
        match &self.expectation {
            Expectation::Row { .. } | Expectation::Conversation { .. } => Ok(Vec::new()),
            Expectation::Session(parts) => Ok(run(parts, &Folder::new(&self.files)?)?.0),
        }
    }
}

fn run(parts: &[Part], folder: &Folder) -> Result<(Vec<Update>, Vec<String>), String> {
    let mut updates = Vec::new();
    let mut faults = Vec::new();
    for part in parts {
        match part {
            Part::Console(console) => {
                let session = console.run(folder)?;
                updates.push(Update {
                    range: console.block.range.clone(),
                    text: session.text,
                });
                faults.extend(session.faults);
            }
            Part::Holds(file) => {
                let text = folder.hidden(&folder.read(&file.path)?);
                if text != file.block.text {
                    faults.push(format!(
                        "{}\n--- expected\n{}--- came\n{text}",
                        file.path.display(),
                        file.block.text
                    ));
                }
                updates.push(Update {
                    range: file.block.range.clone(),
                    text,
                });
            }
        }
    }
    Ok((updates, faults))
}
