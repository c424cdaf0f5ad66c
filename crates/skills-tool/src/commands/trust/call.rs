//! The data of one call of `skills trust`.

use crate::catalog::options::CatalogOptions;
use crate::commands::trust::target::place;
use crate::environment::Environment;
use crate::output::Format;
use skills_runtime::catalog::Location;
use skills_runtime::source::TrustRecord;
use skills_runtime::{Catalog, Entry};
use skills_store::{TrustFile, TrustedTexts};

/// The data that a call works with.
pub(crate) struct Call<'a> {
    pub(crate) catalog: &'a Catalog,
    /// The same skills, loaded without records, so that they can be read as they are.
    pub(crate) plain: &'a Catalog,
    pub(crate) file: TrustFile,
    /// Where the texts of trusted skills are kept. `None`: nowhere.
    pub(crate) texts: Option<TrustedTexts>,
    /// The records of the file.
    pub(crate) records: Vec<TrustRecord>,
    pub(crate) options: &'a CatalogOptions,
    pub(crate) format: Format,
    pub(crate) environment: &'a Environment,
}

impl Call<'_> {
    /// Returns the same skill in the catalog without records.
    pub(crate) fn plain<'s>(&'s self, entry: &Entry<'_>) -> Option<Entry<'s>> {
        let Location::Folder(dir) = entry.location() else {
            return None;
        };
        self.plain.by_path(dir)
    }

    /// Returns what a person trusted of a skill.
    pub(crate) fn record_of(&self, entry: &Entry<'_>) -> Option<&TrustRecord> {
        let (root, folder) = place(entry)?;
        let mut records = self.records.iter();
        records.find(|record| record.root == root && record.folder == folder)
    }
}
