//! The data of one call of `skills trust`.

use crate::catalog::options::CatalogOptions;
use crate::commands::trust::target::place;
use crate::environment::Environment;

use skills_runtime::catalog::Location;
use skills_runtime::source::TrustRecord;
use skills_runtime::{Catalog, Entry};
use skills_store::{TrustFile, TrustedTexts};

/// The data of a call.
pub(crate) struct TrustCall<'a> {
    pub(crate) catalog: &'a Catalog,
    /// The same skills, loaded without records, so that changed skills are readable.
    pub(crate) plain: &'a Catalog,
    pub(crate) file: TrustFile,
    /// The kept file contents of trusted skills. `None` without a folder for data.
    pub(crate) texts: Option<TrustedTexts>,
    /// The records of the file.
    pub(crate) records: Vec<TrustRecord>,
    pub(crate) options: &'a CatalogOptions,
    pub(crate) env: &'a Environment,
}

impl TrustCall<'_> {
    /// Returns the same skill in the catalog without records.
    pub(crate) fn plain<'s>(&'s self, entry: &Entry<'_>) -> Option<Entry<'s>> {
        let folder = entry.location();
        let is_in_a_folder = matches!(folder, Location::Folder(_));
        let mut entries = self.plain.iter().filter(|_| is_in_a_folder);
        entries.find(|other| other.location() == folder)
    }

    /// Returns the record of a trusted skill.
    pub(crate) fn record_of(&self, entry: &Entry<'_>) -> Option<&TrustRecord> {
        let (root, folder) = place(entry)?;
        let mut records = self.records.iter();
        records.find(|record| record.root == root && record.folder == folder)
    }
}
