//! Records the skills of a source, for a person to trust them.

use crate::catalog::Catalog;
use crate::error::{Error, ErrorKind};
use crate::source::trust::record::{TrustRecord, records};
use crate::source::{Content, Source};

impl Catalog {
    /// Records the skills of a source as they are now, for a person to trust them. Gives one record
    /// for each root that has skills. Hand the records to
    /// [`CatalogBuilder::trusted`](crate::CatalogBuilder::trusted).
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`]: no source of folders has this name, or a file is gone.
    /// - [`ErrorKind::Escape`]: a link leads out of its skill.
    /// - [`ErrorKind::TooLarge`]: a file, or the number of files, exceeds the limits.
    /// - [`ErrorKind::NotAFile`]: a file is a folder, a pipe or a device.
    /// - [`ErrorKind::Io`]: a file cannot be read.
    ///
    /// # Cost
    ///
    /// Reads and hashes every file of the source's skills.
    pub fn trust_records(&self, source: &str) -> Result<Vec<TrustRecord>, Error> {
        let Some(Source {
            content: Content::Folders(folders),
            ..
        }) = self.sources().iter().find(|s| s.name() == source)
        else {
            let message = format_args!("no source of folders is named '{source}'");
            return Err(Error::new(ErrorKind::NotFound, message));
        };
        records(folders, self.loader().options.limits)
    }
}
